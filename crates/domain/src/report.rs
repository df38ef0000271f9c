//! The report on a script: what a student and a teacher read, in sections that can be asked for.
//!
//! A report is made from a result whenever it is asked for. It tells no more of the marking scheme than the
//! paper's feedback level allows: the scheme's own wording is in it only at `detailed`.

mod document;
mod statistics;
#[cfg(test)]
mod tests;

pub use document::Document;
pub use statistics::{
    Marksheet, QuestionMarks, QuestionShare, QuestionTally, SCRIPTS_MIN, Spread, Statistics, Tally,
};

use crate::grading::FeedbackLevel;
use crate::result::{Marking, PointResult, Result};
use jiff::Timestamp;
use serde::Serialize;

/// A report, as every form of it is made from: JSON by [`Report::document`], a page, a PDF.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The paper's title.
    pub title: String,
    /// The student's name, where the submission has one.
    pub student_name: Option<String>,
    /// When it was asked for.
    pub generated_at: Timestamp,
    /// The sections that it holds, in their order.
    pub sections: Vec<Section>,
    /// The result, with the scheme's wording taken out unless the feedback level allows it.
    pub result: Result,
    /// This script against the paper's released scripts; never in `sections` when there are too few.
    pub statistics: Option<Statistics>,
    /// How it was marked.
    pub marking: Marking,
}

/// A section of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// The score and what it means in a few sentences.
    Summary,
    /// Marks and answers, question by question.
    Questions,
    /// What the student is told.
    Feedback,
    /// Which words earned which mark.
    Evidence,
    /// This script against the paper's released scripts.
    Statistics,
    /// How it was marked.
    Marking,
}

/// What a report is made from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The paper's title.
    pub title: String,
    /// The student's name, where the submission has one.
    pub student_name: Option<String>,
    /// The script's result.
    pub result: Result,
    /// How it was marked.
    pub marking: Marking,
}

/// A name that is no section's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSection(pub String);

impl Section {
    /// Every section, in the order in which a report has them.
    pub const ALL: [Section; 6] = [
        Section::Summary,
        Section::Questions,
        Section::Feedback,
        Section::Evidence,
        Section::Statistics,
        Section::Marking,
    ];

    /// The API's word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Section::Summary => "summary",
            Section::Questions => "questions",
            Section::Feedback => "feedback",
            Section::Evidence => "evidence",
            Section::Statistics => "statistics",
            Section::Marking => "marking",
        }
    }

    /// The sections that `?sections=summary,feedback` names: in the report's order, each once. Without the
    /// parameter, all of them.
    pub fn parse(names: Option<&str>) -> std::result::Result<Vec<Section>, UnknownSection> {
        let Some(names) = names else { return Ok(Section::ALL.to_vec()) };
        let named = names.split(',').map(|name| {
            let name = name.trim();
            let known = Section::ALL.into_iter().find(|section| section.name() == name);
            known.ok_or_else(|| UnknownSection(name.to_owned()))
        });
        let mut sections = named.collect::<std::result::Result<Vec<Section>, UnknownSection>>()?;
        sections.sort_unstable();
        sections.dedup();
        Ok(sections)
    }
}

impl Report {
    /// Makes the report. `released` are the marks of the paper's released scripts, this one among them.
    pub fn new(source: Source, sections: &[Section], released: &Tally, now: Timestamp) -> Report {
        let Source { title, student_name, mut result, marking } = source;
        let statistics = sections
            .contains(&Section::Statistics)
            .then(|| Statistics::of(&Marksheet::of(&result), released))
            .flatten();
        if marking.feedback < FeedbackLevel::Detailed {
            hide_scheme(&mut result);
        }
        let mut held = sections.to_vec();
        held.retain(|section| *section != Section::Statistics || statistics.is_some());
        Report { title, student_name, generated_at: now, sections: held, result, statistics, marking }
    }

    /// True when it holds the section.
    pub fn has(&self, section: Section) -> bool {
        self.sections.contains(&section)
    }
}

/// Takes the scheme's words out; what was earned, and by which words of the student's, stays.
fn hide_scheme(result: &mut Result) {
    let clear = |points: &mut Vec<PointResult>| points.iter_mut().for_each(|point| point.text.clear());
    for question in &mut result.questions {
        clear(&mut question.points);
        question.parts.iter_mut().for_each(|part| clear(&mut part.points));
    }
}
