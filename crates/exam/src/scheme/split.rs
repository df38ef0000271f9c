//! A line of a scheme that is set as a table, by column.

use super::EntryLine;
use super::collect::{all_strong, strong};
use super::column::bare_number;
use super::layout::{Layout, Zone};
use super::tabled::heads_question;
use crate::flow::{self, Line};
use crate::labels::{self, Style, Token};
use crate::marks;
use domain::marks::Marks;
use lexicon::Concept;
use reader::page::Word;

/// No part is worth more.
const MOST_WORTH: f64 = 100.0;

/// Where text ends on a page, as a share of its width.
const RIGHT_MARGIN: f32 = 0.88;

/// A line by column.
pub(super) struct Split {
    pub(super) label: Option<Vec<Token>>,
    pub(super) label_text: String,
    /// What the row's part is worth, where that stands below its label.
    pub(super) stated: Option<Marks>,
    pub(super) line: EntryLine,
    /// The line keeps to the table's columns: what stands beside its label above and below is the same row.
    pub(super) is_row: bool,
}

impl Split {
    /// What looked like a label is a part of the answer.
    pub(super) fn turn_to_text(&mut self) {
        if self.label.take().is_some() {
            self.line.answer = format!("{} {}", self.label_text, self.line.answer);
        }
    }
}

pub(super) fn split(line: &Line<'_>, layout: &Layout, page_width: f32) -> Split {
    let mut zones: [Vec<&Word>; 4] = Default::default();
    for word in line.words {
        match layout.zone(word) {
            Zone::Label => zones[0].push(word),
            Zone::Answer => zones[1].push(word),
            Zone::Marks => zones[2].push(word),
            Zone::Guidance => zones[3].push(word),
            Zone::Other => {}
        }
    }
    if let Some(label) = heads_question(line).filter(|_| zones[0].len() < line.words.len()) {
        // "(15 marks)" behind it is what the question is worth.
        let mut heading = across(line, Some(label), line.place.x0);
        heading.line.answer.clear();
        return heading;
    }
    if runs_on(&zones) {
        let rest = std::mem::take(&mut zones[2]);
        zones[1].extend(rest);
    }
    let text = |words: &[&Word]| words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    if !layout.has_labels && zones[0].is_empty() {
        zones[0] = leading_label(&mut zones[1]);
    }
    // "Question" wraps in a narrow column, and its number stands on the next line.
    let wraps = |word: &Word| lexicon::is(Concept::Label, &word.text.to_lowercase());
    if matches!(zones[0][..], [only] if wraps(only)) && line.words.len() > 1 {
        zones[0].clear();
    }
    let label_text = text(&zones[0]);
    let label = labels::parse_cell(&label_text).filter(|_| !begins_sentence(&zones[0], &zones[1]));
    let starts_with_label = labels::parse(&line.texts());
    let indent = zones[1].first().map_or(line.place.x0, |word| word.place.x0);
    let asks = label.is_none() && holds_question(&zones, layout);
    let label = if asks { starts_with_label.as_ref().map(|label| label.tokens.clone()) } else { label };
    let worth = if label.is_none() { worth(&zones[0]) } else { None };
    // Quarters are marks, but none that can be kept.
    let stated = worth.and_then(Marks::from_number).filter(|marks| !marks.is_zero());
    if label.is_none() && worth.is_none() && !zones[0].is_empty() && !asks {
        // Text that runs across the table, perhaps after a label: notes under the rows.
        return across(line, starts_with_label, indent);
    }
    let line = EntryLine {
        answer: text(&zones[1]),
        marks: if layout.adds_up { added_up(&zones[2]) } else { text(&zones[2]) },
        guidance: text(&zones[3]),
        strong: strong(&zones[1]),
        is_strong: all_strong(&zones[1]),
        indent,
        free: layout.answer_end().unwrap_or(RIGHT_MARGIN * page_width)
            - zones[1].last().map_or(indent, |word| word.place.x1),
        first: zones[1].first().map_or(0.0, |word| word.place.width()),
        ..EntryLine::default()
    };
    Split { label, label_text, stated, line, is_row: true }
}

/// True for the "A" of "A town may grow", which happens to stand in the column of labels.
fn begins_sentence(labels: &[&Word], answer: &[&Word]) -> bool {
    const CLOSE: f32 = 0.6;
    let ([only], Some(next)) = (labels, answer.first()) else { return false };
    let capital = only.text.len() == 1 && only.text.starts_with(|c: char| c.is_ascii_uppercase());
    let close = next.place.x0 - only.place.x1 < CLOSE * next.size;
    capital && close && next.text.starts_with(char::is_lowercase)
}

/// What the words below a label say that its part is worth: "1,5 pt".
fn worth(words: &[&Word]) -> Option<f64> {
    let [number, unit] = words else { return None };
    let value: f64 = number.text.replace(',', ".").parse().ok()?;
    let counts = marks::is_unit(&unit.text.to_lowercase()) && (0.0..=MOST_WORTH).contains(&value);
    counts.then_some(value)
}

/// The sum of the numbers in several columns of marks; their words where any is no number.
fn added_up(words: &[&Word]) -> String {
    let numbers: Option<Vec<Marks>> = words.iter().map(|word| bare_number(&word.text)).collect();
    match numbers.filter(|numbers| numbers.len() > 1) {
        Some(numbers) => numbers.into_iter().sum::<Marks>().to_string(),
        None => words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "),
    }
}

/// Takes the label off the beginning of an answer, where no column holds labels: "2. (a) x = 3".
fn leading_label<'w>(answer: &mut Vec<&'w Word>) -> Vec<&'w Word> {
    let texts: Vec<&str> = answer.iter().map(|word| word.text.as_str()).collect();
    let label = labels::parse(&texts).filter(|label| label.style != Style::Bare && !label.glued);
    let count = label.map_or(0, |label| label.words);
    answer.drain(..count).collect()
}

/// True when a sentence below the table's rows runs on into the column of marks.
fn runs_on(zones: &[Vec<&Word>; 4]) -> bool {
    let (Some(last), [first, rest @ ..]) = (zones[1].last(), zones[2].as_slice()) else { return false };
    let spoken = |word: &&Word| word.text.chars().filter(|c| c.is_lowercase()).count() >= 2;
    first.place.x0 - last.place.x1 < 0.6 * first.size && (spoken(first) || rest.iter().any(spoken))
}

/// True when the first column holds the question's text after its label, and the line keeps to its columns.
fn holds_question(zones: &[Vec<&Word>; 4], layout: &Layout) -> bool {
    /// A column of labels alone is narrower.
    const WIDE: f32 = 100.0;
    let (Some(first), Some(last)) = (zones[0].first(), zones[0].last()) else { return false };
    let next = zones[1..].iter().flatten().map(|word| word.place.x0).fold(f32::INFINITY, f32::min);
    let apart = next - last.place.x1 > 0.7 * last.size && last.place.x1 < layout.answer_edge();
    apart && layout.answer_edge() - first.place.x0 > WIDE
}

pub(super) fn across(line: &Line<'_>, label: Option<labels::Label>, indent: f32) -> Split {
    let label = label.filter(|label| matches!(label.style, Style::Brackets | Style::Path | Style::Keyword));
    let used = label.as_ref().map_or(0, |label| label.words);
    let words: Vec<&Word> = line.words.iter().skip(used).collect();
    let label_text = flow::join(&line.words[..used]);
    let answer = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let line = EntryLine { answer, strong: strong(&words), indent, ..EntryLine::default() };
    Split { label: label.map(|label| label.tokens), label_text, stated: None, line, is_row: false }
}
