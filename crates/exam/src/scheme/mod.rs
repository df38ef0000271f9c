//! From the pages of a marking scheme to what each part's answer must hold.
//!
//! A scheme is a table (question, answer, marks, guidance) or running text with labels. Its labels
//! are read against the paper's: a label counts only where the paper has such a part.

mod asked;
mod boxes;
mod choice;
mod collect;
mod column;
mod echoes;
mod labels;
mod layout;
mod levels;
mod lists;
mod partial;
mod phrases;
mod pieces;
mod points;
mod running;
mod shares;
mod sheet;
mod tabled;
mod unfolded;
mod unit;
mod worth;

use crate::flow::{self, Line};
use crate::labels::Token;
use crate::paper::Paper;
use collect::Known;
use domain::marks::Marks;
use domain::question::{AnswerKey, Choice};
pub use labels::SchemeLabels;
use lexicon::Concept;
use reader::page::Document;

/// A marking scheme as it was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scheme {
    /// One entry for each label, in the scheme's order.
    pub entries: Vec<Entry>,
    /// True when the scheme opens with general instructions to examiners.
    pub has_instructions: bool,
}

/// What the scheme says about one part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// The part's number and levels, as the paper has them.
    pub path: Vec<Token>,
    /// Which of the paper's runs of numbers it belongs to, counted from 0.
    pub section: usize,
    /// The scheme's page where it begins, counted from 1.
    pub page: u32,
    /// Its lines, by column.
    pub lines: Vec<EntryLine>,
    /// The letter that a table of answers gives it.
    pub letter: Option<char>,
    /// The marks that the scheme prints for it as a whole: "Total for part (b) 2 points".
    pub stated: Option<Marks>,
}

/// A line of an entry, by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntryLine {
    /// The answer column, or all of a line of running text.
    pub answer: String,
    /// The marks column.
    pub marks: String,
    /// The guidance column.
    pub guidance: String,
    /// Bold or underlined words among others.
    pub strong: Vec<String>,
    /// White above the line, in line heights.
    pub space: f32,
    /// Left edge of the answer.
    pub indent: f32,
    /// White between the answer and the right edge of its column.
    pub free: f32,
    /// Width of the answer's first word.
    pub first: f32,
    /// True when the text repeats what the paper asks.
    pub repeats_question: bool,
}

/// True for a line that heads the columns of a table of answers.
pub(crate) fn is_header(line: &Line<'_>, document: &Document) -> bool {
    let page = document.pages.iter().find(|page| page.number == line.page);
    page.is_some_and(|page| layout::header(line, page, &[]).is_some())
}

/// Reads a scheme for a paper.
pub fn read(document: &Document, paper: &Paper) -> Scheme {
    let all = flow::all_lines(document);
    let known = Known::of(paper);
    let mut scheme = tabled::read(&all, document, &known);
    // A table that answers most parts is the scheme; else the fuller of two readings is.
    // A table without a single answer is a chain of headings.
    let answers = |scheme: &Scheme| scheme.entries.iter().filter(|entry| entry.says_something()).count();
    if answers(&scheme) * 5 < known.leaves() * 3 || scheme.entries.is_empty() {
        let running = running::read(&all, document, &known);
        if answers(&running) > answers(&scheme) {
            scheme = running;
        }
    }
    sheet::add(&mut scheme, &all, &known);
    let first = scheme.entries.first().map_or(0, |entry| entry.page);
    scheme.has_instructions = has_instructions(&all, first, &known);
    scheme
}

impl Entry {
    /// True when any of its lines holds an answer.
    pub(crate) fn says_something(&self) -> bool {
        self.letter.is_some() || self.lines.iter().any(|line| !line.answer.trim().is_empty())
    }

    /// The marks that the scheme's own column gives, without looking at its points.
    pub fn printed_marks(&self) -> Option<Marks> {
        self.stated.or_else(|| column::printed_marks(self))
    }

    /// The answer key of a part that carries these marks and, perhaps, options.
    pub fn key(&self, marks: Option<Marks>, options: &[Choice]) -> AnswerKey {
        points::key(self, marks, options)
    }
}

/// True when what stands before the first entry speaks to examiners in general.
fn has_instructions(all: &[(Line<'_>, bool)], first: u32, known: &Known) -> bool {
    let begins = |line: &Line<'_>| {
        line.page >= first
            && crate::labels::parse(&line.texts()).is_some_and(|label| known.has(&label.tokens))
    };
    let before = all.iter().take_while(|(line, _)| !begins(line));
    let before = before.filter(|(line, furniture)| line.page <= first && !furniture);
    let speaks = |line: &Line<'_>| {
        let text = line.text().to_lowercase();
        // "Marking guidance" heads a column of a table as well.
        let guidance = lexicon::says(Concept::ToExaminersFirst, &text).is_some() && line.page < first;
        guidance || lexicon::says(Concept::ToExaminers, &text).is_some()
    };
    before.filter(|(line, _)| speaks(line)).count() >= 1
}
