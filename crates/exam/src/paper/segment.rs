//! What a label heads: lines and words of a paper, and the marks among them.

use super::rubric::Rubric;
use crate::flow::Line;
use crate::labels::Token;
use crate::marks::Scope;
use domain::marks::Marks;
use domain::question::Choice;
use reader::page::Word;

/// What a label heads: the text up to the next label.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) path: Vec<Token>,
    /// Line and word where the label stands.
    pub(super) start: (usize, usize),
    /// Line and word where the text begins.
    pub(super) from: (usize, usize),
    /// Line and word where the next label stands.
    pub(super) to: (usize, usize),
    /// The beginning of its text where the label is glued to it.
    pub(super) lead: String,
    pub(super) options: Vec<Choice>,
    pub(super) marks: Vec<Found>,
    /// True when "OR" stands between it and the part before it.
    pub(super) is_instead: bool,
    /// True when the paper says of its section that the right answers are to be chosen.
    pub(super) is_choice: bool,
}

/// Marks found in a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) line: usize,
    pub(super) words: (usize, usize),
    pub(super) scope: Scope,
    pub(super) marks: Marks,
    /// Numbers whose product the marks are, where several parts share them.
    pub(super) shared: Option<(u32, u32)>,
    /// On a line of its own, as totals are.
    pub(super) alone: bool,
}

impl Segment {
    /// Its words with their line and their place in it.
    pub(super) fn words<'a>(&self, lines: &'a [Line<'a>]) -> impl Iterator<Item = (usize, usize, &'a Word)> {
        let (from, to) = (self.from, self.to);
        (from.0..lines.len().min(to.0 + 1)).flat_map(move |line| {
            let start = if line == from.0 { from.1 } else { 0 };
            let end = if line == to.0 { to.1 } else { lines[line].words.len() };
            let words = lines[line].words.get(start..end.max(start)).unwrap_or_default();
            words.iter().enumerate().map(move |(index, word)| (line, start + index, word))
        })
    }

    /// The same without statements about marks.
    pub(super) fn words_without_marks<'a>(
        &self,
        lines: &'a [Line<'a>],
    ) -> impl Iterator<Item = (usize, usize, &'a Word)> {
        // A segment may go on to the end of a long document, with a mark on every line.
        let mut marks: Vec<(usize, (usize, usize))> =
            self.marks.iter().map(|found| (found.line, found.words)).collect();
        marks.sort_unstable();
        let is_mark = move |line: usize, word: usize| {
            let from = marks.partition_point(|(own, _)| *own < line);
            let mut own = marks[from..].iter().take_while(|(own, _)| *own == line);
            own.any(|(_, (begins, ends))| (*begins..*ends).contains(&word))
        };
        self.words(lines).filter(move |(line, word, _)| !is_mark(*line, *word))
    }

    /// True when marks are printed in it.
    pub(super) fn has_marks(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Its text without marks.
    pub(super) fn text(&self, lines: &[Line<'_>]) -> String {
        let words = self.words_without_marks(lines).map(|(_, _, word)| word.text.as_str());
        let lead = Some(self.lead.as_str()).filter(|lead| !lead.is_empty());
        lead.into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }

    /// The heading of the next section is no part of the last question before it.
    pub(super) fn end_before_heading(&mut self, rubric: &Rubric) {
        let last_mark = self.marks.iter().map(|found| found.line).max().unwrap_or(self.from.0);
        if let Some(line) = rubric.heading_between(last_mark, self.to.0) {
            self.to = (line, 0);
        }
    }
}
