//! Lines of a scheme gathered under the labels that the paper has.

use super::{Entry, EntryLine, Scheme};
use crate::flow::Line;
use crate::labels::{self, Kind, Style, Token};
use crate::paper::Paper;
use reader::page::Word;
use std::collections::{HashMap, HashSet};

/// The labels and words of the paper.
pub(super) struct Known {
    paths: HashSet<Vec<Token>>,
    /// For each question's number, the words that it asks with.
    asked: HashMap<u32, HashSet<String>>,
    leaves: usize,
    pub(super) last: u32,
}

impl Known {
    /// How many leaves the paper has.
    pub(super) fn leaves(&self) -> usize {
        self.leaves
    }

    pub(super) fn of(paper: &Paper) -> Known {
        let mut paths = HashSet::new();
        let mut asked: HashMap<u32, HashSet<String>> = HashMap::new();
        for question in &paper.questions {
            for leaf in &question.leaves {
                for depth in 1..=leaf.path.len() {
                    paths.insert(leaf.path[..depth].to_vec());
                }
                let words = asked.entry(leaf.path[0].value).or_default();
                let choices = leaf.options.iter().map(|option| option.text.as_str());
                for text in [question.text.as_str(), &leaf.lead, &leaf.text].into_iter().chain(choices) {
                    words.extend(content(text));
                }
            }
        }
        let last = paper
            .questions
            .iter()
            .filter_map(|question| question.leaves.first())
            .map(|leaf| leaf.path[0].value);
        Known { paths, asked, leaves: paper.leaves().count(), last: last.max().unwrap_or(0) }
    }

    /// The path that a label means after the current one, if the paper has it, and how many of the
    /// label's levels it takes: a scheme may go deeper than the paper.
    pub(super) fn resolve(&self, current: &[Token], tokens: &[Token]) -> Option<(Vec<Token>, usize)> {
        let first = tokens.first()?;
        let bases: Vec<&[Token]> = match first.kind {
            Kind::Number => vec![&[]],
            _ => (1..=current.len()).rev().map(|depth| &current[..depth]).collect(),
        };
        bases.into_iter().find_map(|base| {
            readings(tokens).into_iter().map(|tokens| [base, tokens.as_slice()].concat()).find_map(|path| {
                let depth = (1..=path.len()).rev().find(|depth| self.paths.contains(&path[..*depth]))?;
                // "2.3" is a number where the paper has no part 2.3.
                let whole = path[depth..].iter().all(|token| token.kind != Kind::Decimal);
                (depth > base.len() && whole).then(|| (path[..depth].to_vec(), depth - base.len()))
            })
        })
    }

    /// True when a line only repeats what the question asks.
    fn repeats(&self, number: u32, text: &str) -> bool {
        let Some(asked) = self.asked.get(&number) else { return false };
        let words = content(text);
        let shared = words.iter().filter(|word| asked.contains(*word)).count();
        words.len() >= 4 && shared * 100 >= words.len() * 85
    }
}

/// A label with `(i)` read as a numeral, and as a letter.
fn readings(tokens: &[Token]) -> Vec<Vec<Token>> {
    let mut all = vec![tokens.to_vec()];
    for (index, token) in tokens.iter().enumerate() {
        if let Some(letter) = token.as_letter() {
            let mut other = tokens.to_vec();
            other[index] = letter;
            all.push(other);
        }
    }
    all
}

/// The words of a text that carry meaning, for comparing texts.
fn content(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.chars().count() > 2).collect()
}

/// Collects lines under labels.
pub(super) struct Collector<'k> {
    known: &'k Known,
    pub(super) scheme: Scheme,
    pub(super) path: Vec<Token>,
    bottom: f32,
    /// The question was repeated and its solution has begun: what follows repeats nothing.
    solving: bool,
}

impl<'k> Collector<'k> {
    pub(super) fn new(known: &'k Known) -> Collector<'k> {
        Collector { known, scheme: Scheme::default(), path: Vec::new(), bottom: 0.0, solving: false }
    }

    /// Takes up a label and gives back what of it the paper does not have, as text. `None` when the
    /// paper has no such part after the current one.
    pub(super) fn enter(&mut self, tokens: &[Token], page: u32) -> Option<String> {
        let (path, used) = self.known.resolve(&self.path, tokens)?;
        self.solving &= self.path.first() == path.first();
        self.path = path;
        if !self.scheme.entries.iter().any(|entry| entry.path == self.path) {
            self.scheme.entries.push(Entry { path: self.path.clone(), page, lines: Vec::new() });
        }
        Some(tokens[used..].iter().map(|token| token.display()).collect())
    }

    /// Takes up a label inside the answer column: "(ii)" under a row labelled 2(a).
    pub(super) fn enter_inner(&mut self, answer: &mut String, page: u32) {
        let words: Vec<&str> = answer.split_whitespace().collect();
        let Some(label) = labels::parse(&words) else { return };
        let level = label.style == Style::Brackets && label.tokens[0].kind != Kind::Number;
        if level
            && !self.path.is_empty()
            && let Some(rest) = self.enter(&label.tokens, page)
        {
            *answer = lead_with(&rest, &words[label.words..].join(" "));
        }
    }

    pub(super) fn add(&mut self, line: &Line<'_>, mut entry_line: EntryLine) {
        let height = line.place.height().max(1.0);
        entry_line.space = (line.place.y0 - self.bottom) / height;
        self.bottom = line.place.y1;
        let Some(number) = self.path.first().map(|number| number.value) else { return };
        let first =
            entry_line.answer.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
        self.solving |=
            matches!(first.as_str(), "solution" | "solutions" | "answer" | "lösung" | "proof" | "sol");
        entry_line.repeats_question = !self.solving && self.known.repeats(number, &entry_line.answer);
        let path = &self.path;
        if let Some(entry) = self.scheme.entries.iter_mut().find(|entry| entry.path == *path) {
            entry.lines.push(entry_line);
        }
    }
}

/// Puts what is left of a label back before its text.
pub(super) fn lead_with(rest: &str, text: &str) -> String {
    if rest.is_empty() { text.to_owned() } else { format!("{rest} {text}") }
}

/// Words that stand out from the others of their line.
pub(super) fn strong(words: &[&Word]) -> Vec<String> {
    let stands_out =
        |word: &&&Word| (word.bold || word.underlined) && word.text.chars().any(char::is_alphabetic);
    let marked: Vec<String> = words.iter().filter(stands_out).map(|word| word.text.clone()).collect();
    if marked.len() * 2 > words.len() { Vec::new() } else { marked }
}
