//! Criteria by which a scheme rates a text that candidates write, one below the other: "1. Content: 0–9 points",
//! "2. Spelling: 0–2 points". They answer what is asked last and has no key of its own.

use super::{Entry, EntryLine, Scheme};
use crate::flow::Line;
use crate::labels::{self, Kind, Style};
use crate::marks;
use crate::paper::{Leaf, Paper};
use domain::marks::Marks;
use lexicon::Concept;

/// What a text is rated by.
pub(super) struct Criteria {
    page: u32,
    /// What each is called, and the most that it earns.
    items: Vec<(String, Marks)>,
}

/// Fewer lines with a range of marks may be answers.
const LEAST: usize = 3;
/// A longer line that speaks of criteria heads none.
const HEAD_WORDS: usize = 10;

/// Takes the criteria with their heading out of a scheme's lines.
pub(super) fn take(all: &mut Vec<(Line<'_>, bool)>) -> Option<Criteria> {
    let heads = |line: &Line<'_>| {
        let lower = line.text().to_lowercase();
        line.words.len() <= HEAD_WORDS && lexicon::says(Concept::Criteria, &lower).is_some()
    };
    let starts = (0..all.len()).filter(|at| !all[*at].1 && heads(&all[*at].0));
    let (start, end, items) = starts.into_iter().find_map(|start| {
        let (end, items) = items(all, start + 1);
        (items.len() >= LEAST).then_some((start, end, items))
    })?;
    let page = all[start].0.page;
    all.drain(start..end);
    Some(Criteria { page, items })
}

/// The items that count from 1 at a line, and the line behind the last.
fn items(all: &[(Line<'_>, bool)], from: usize) -> (usize, Vec<(String, Marks)>) {
    let mut items: Vec<(String, Marks)> = Vec::new();
    let (mut open, mut end) = (String::new(), from);
    for (at, (line, furniture)) in all.iter().enumerate().skip(from) {
        let texts = line.texts();
        let label = labels::parse(&texts).filter(|label| {
            matches!(label.style, Style::Dot | Style::Close) && label.tokens[0].kind == Kind::Number
        });
        match label.filter(|_| !furniture) {
            Some(label) if open.is_empty() && label.tokens[0].value as usize == items.len() + 1 => {
                open = texts[label.words..].join(" ");
            }
            _ if open.is_empty() || *furniture => break,
            _ => open = format!("{open} {}", texts.join(" ")),
        }
        // A remark behind the marks may go on over several lines.
        let closed = open.matches('(').count() <= open.matches(')').count();
        if let Some(item) = item(&open).filter(|_| closed) {
            items.push(item);
            open.clear();
            end = at + 1;
        }
    }
    (end, items)
}

/// "Spelling – 0–2 points (slips are let pass)": its wording, and the most that it earns.
fn item(text: &str) -> Option<(String, Marks)> {
    let spaced = text.replace(['–', '-', '—', '−'], " – ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (at, most) = (0..words.len()).find_map(|at| {
        let range = words[at] == "0" && words.get(at + 1) == Some(&"–");
        Some((at, most(words.get(at + 2..).filter(|_| range)?)?))
    })?;
    let name = words[..at].join(" ");
    let name = name.trim_end_matches([' ', '–', ':', '(', '[']).to_owned();
    (!name.is_empty()).then_some((name, most))
}

/// The marks that words begin with, unit and all: "9 points", "9p."
fn most(words: &[&str]) -> Option<Marks> {
    let bare = |count: usize| words[..count].join(" ").trim_end_matches([')', ']', ',', ';']).to_owned();
    // In brackets a unit may be a single letter.
    (1..=words.len().min(2)).find_map(|count| marks::alone(&[&format!("({})", bare(count))]))
}

impl Criteria {
    /// Gives them to the parts at the end of a paper that the scheme does not answer otherwise.
    pub(super) fn add_to(self, scheme: &mut Scheme, paper: &Paper) {
        let leaves: Vec<(usize, &Leaf)> = paper
            .questions
            .iter()
            .flat_map(|question| question.leaves.iter().map(move |leaf| (question.section, leaf)))
            .collect();
        let answered = |(section, leaf): &(usize, &Leaf)| {
            scheme.entries.iter().any(|entry| {
                let related = entry.path.starts_with(&leaf.path) || leaf.path.starts_with(&entry.path);
                entry.section == *section && related && entry.says_something()
            })
        };
        let open = leaves.iter().rposition(answered).map_or(0, |last| last + 1);
        let lines: Vec<EntryLine> = self.items.iter().map(line).collect();
        let sum = self.items.iter().map(|(_, most)| *most).sum();
        for (section, leaf) in leaves[open..].iter().filter(|(_, leaf)| leaf.options.is_empty()) {
            scheme.entries.retain(|entry| entry.section != *section || entry.path != leaf.path);
            scheme.entries.push(Entry {
                path: leaf.path.clone(),
                section: *section,
                page: self.page,
                lines: lines.clone(),
                stated: Some(sum),
                ..Entry::default()
            });
        }
    }
}

fn line((name, most): &(String, Marks)) -> EntryLine {
    EntryLine { answer: name.clone(), marks: most.to_string(), space: 1.0, ..EntryLine::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_criterion_has_a_name_and_the_most_that_it_earns() {
        let read = |text: &str| item(text).map(|(name, most)| (name, most.as_number()));
        assert_eq!(read("Content and order – 0 – 9 points"), Some(("Content and order".into(), 9.0)));
        assert_eq!(read("Spelling: 0–2 points (slips pass)"), Some(("Spelling".into(), 2.0)));
        assert_eq!(read("Правопис – 0 – 2т."), Some(("Правопис".into(), 2.0)));
        for text in ["a rise of 0–5 °C", "0 – 9 points", "Content (9 points)"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
