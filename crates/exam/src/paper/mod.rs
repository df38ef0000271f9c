//! From the pages of a question paper to questions with nested parts, marks, options and places.

mod alternatives;
mod build;
mod capitals;
mod kinds;
mod notes;
mod options;
mod regions;
mod rubric;

use crate::labels::Token;
use crate::numbering::Outline;
use crate::{flow, numbering};
use domain::marks::Marks;
use domain::question::{Choice, Kind, Region};
use reader::page::Document;

/// A question paper as it was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paper {
    /// In the order of the paper.
    pub questions: Vec<Question>,
    /// The total that the paper prints.
    pub total: Option<Marks>,
    /// The number that it says to begin with, where it is a part of a longer paper: "Attempt Questions 11–16".
    pub first: Option<u32>,
}

/// A question with its leaves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// As printed: "3".
    pub number: String,
    /// How often the paper began to count from 1 again before it.
    pub section: usize,
    /// What stands before its first part.
    pub text: String,
    /// The total that the paper prints for it.
    pub marks: Option<Marks>,
    /// Every leaf part in order; one without a label when the question has no parts.
    pub leaves: Vec<Leaf>,
    /// Pages where it stands, counted from 1.
    pub pages: Vec<u32>,
    /// Where on those pages.
    pub regions: Vec<Region>,
    /// The group of questions of which only some are to be answered, and how many.
    pub choice: Option<ChoiceGroup>,
}

/// Questions of which only some are to be answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChoiceGroup {
    /// The section's letter, or a number of our own.
    pub name: String,
    /// How many are to be answered.
    pub answer: u32,
}

/// A part without parts of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Leaf {
    /// The question's number and every level below it.
    pub path: Vec<Token>,
    /// "(a)(ii)"; empty for a question without parts.
    pub label: String,
    /// What it asks, without the levels above it.
    pub text: String,
    /// What the levels between the question and the leaf say.
    pub lead: String,
    /// The marks printed for it.
    pub marks: Option<Marks>,
    /// Options to choose from.
    pub options: Vec<Choice>,
    /// How its answer is to be judged, by what it asks.
    pub kind: Kind,
    /// The page where it starts, counted from 1.
    pub page: u32,
    /// Where it stands.
    pub regions: Vec<Region>,
    /// True when it is to be answered instead of another part, so that the question's marks leave it out.
    pub is_instead: bool,
}

impl Paper {
    /// All leaves in order.
    pub fn leaves(&self) -> impl Iterator<Item = &Leaf> {
        self.questions.iter().flat_map(|question| &question.leaves)
    }

    /// How it counts its questions and parts.
    pub(crate) fn outline(&self) -> Outline {
        Outline::of(
            self.questions.iter().map(|question| question.number.as_str()),
            self.leaves().map(|leaf| leaf.path.as_slice()),
        )
    }
}

/// True for a line that names a section of a paper, a scheme or a script: "Section B".
pub(crate) fn is_section_heading(line: &flow::Line<'_>) -> bool {
    rubric::is_section_heading(line)
}

/// Reads a question paper.
pub fn read(document: &Document) -> Paper {
    let lines = flow::lines(document);
    let notes = notes::find(&lines, document);
    let rubric = rubric::read(&lines);
    let evidence = numbering::Evidence {
        marks: notes.iter().map(Option::is_some).collect(),
        section: rubric.headings(lines.len()),
        leads: notes::leads(&lines, &notes),
        ..numbering::Evidence::default()
    };
    let placed = numbering::number(&lines, &evidence);
    let total = rubric::paper_total(document, notes::sum_of_parts(&notes));
    build::build(document, &lines, (&notes, &evidence.leads), &rubric, placed, total)
}
