//! A report as a JSON document: one member for each section that it holds.

use super::{Report, Section, Statistics};
use crate::grading::{FeedbackLevel, Strictness};
use crate::marks::Marks;
use crate::result::{Evidence, Flag, Marking, Model, PointResult, Score, Verdict};
use serde::Serialize;

/// The members of a report that depend on its sections. The API puts its identifiers and times before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Document<'r> {
    /// The sections that follow.
    pub sections: &'r [Section],
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<Summary<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<Vec<Question<'r>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feedback: Option<Vec<Feedback<'r>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Vec<Points<'r>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<&'r Statistics>,
    #[serde(skip_serializing_if = "Option::is_none")]
    marking: Option<HowMarked<'r>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Summary<'r> {
    title: &'r str,
    score: Score,
    explanation: &'r str,
    adjusted: bool,
    no_readable_answers: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Question<'r> {
    number: &'r str,
    awarded: Marks,
    adjusted: bool,
    available: Marks,
    counted: bool,
    answer: &'r str,
    confidence: f64,
    flags: &'r [Flag],
    parts: Vec<Part<'r>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Part<'r> {
    label: &'r str,
    awarded: Marks,
    adjusted: bool,
    available: Marks,
    answer: &'r str,
    confidence: f64,
    flags: &'r [Flag],
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Feedback<'r> {
    number: &'r str,
    feedback: &'r str,
    parts: Vec<PartFeedback<'r>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct PartFeedback<'r> {
    label: &'r str,
    feedback: &'r str,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Points<'r> {
    number: &'r str,
    points: Vec<Point<'r>>,
    parts: Vec<PartPoints<'r>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct PartPoints<'r> {
    label: &'r str,
    points: Vec<Point<'r>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Point<'r> {
    /// Null where the feedback level keeps the scheme's words back.
    text: Option<&'r str>,
    marks: Marks,
    awarded: Marks,
    verdict: Verdict,
    evidence: &'r [Evidence],
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct HowMarked<'r> {
    engine: &'r str,
    engine_version: &'r str,
    models: &'r [Model],
    strictness: Strictness,
    feedback: FeedbackLevel,
    instructions_used: &'r [String],
}

impl Report {
    /// The report as a JSON document.
    pub fn document(&self) -> Document<'_> {
        let held = |section: Section| self.has(section).then_some(self);
        Document {
            sections: &self.sections,
            summary: held(Section::Summary).map(summary),
            questions: held(Section::Questions).map(questions),
            feedback: held(Section::Feedback).map(feedback),
            evidence: held(Section::Evidence).map(evidence),
            statistics: held(Section::Statistics).and_then(|report| report.statistics.as_ref()),
            marking: held(Section::Marking).map(|report| how_marked(&report.marking)),
        }
    }
}

fn summary(report: &Report) -> Summary<'_> {
    let result = &report.result;
    Summary {
        title: &report.title,
        score: result.score,
        explanation: &result.explanation,
        adjusted: result.is_adjusted(),
        no_readable_answers: result.no_readable_answers,
    }
}

fn questions(report: &Report) -> Vec<Question<'_>> {
    let all = report.result.questions.iter().map(|question| Question {
        number: &question.number,
        awarded: question.awarded,
        adjusted: question.is_adjusted(),
        available: question.available,
        counted: question.counted,
        answer: &question.answer,
        confidence: question.confidence,
        flags: &question.flags,
        parts: question
            .parts
            .iter()
            .map(|part| Part {
                label: &part.label,
                awarded: part.awarded,
                adjusted: part.is_adjusted(),
                available: part.available,
                answer: &part.answer,
                confidence: part.confidence,
                flags: &part.flags,
            })
            .collect(),
    });
    all.collect()
}

fn feedback(report: &Report) -> Vec<Feedback<'_>> {
    let all = report.result.questions.iter().map(|question| Feedback {
        number: &question.number,
        feedback: &question.feedback,
        parts: question
            .parts
            .iter()
            .map(|part| PartFeedback { label: &part.label, feedback: &part.feedback })
            .collect(),
    });
    all.collect()
}

fn evidence(report: &Report) -> Vec<Points<'_>> {
    let all = report.result.questions.iter().map(|question| Points {
        number: &question.number,
        points: points(&question.points),
        parts: question
            .parts
            .iter()
            .map(|part| PartPoints { label: &part.label, points: points(&part.points) })
            .collect(),
    });
    all.collect()
}

fn points(points: &[PointResult]) -> Vec<Point<'_>> {
    let all = points.iter().map(|point| Point {
        text: Some(point.text.as_str()).filter(|text| !text.is_empty()),
        marks: point.marks,
        awarded: point.awarded,
        verdict: point.verdict,
        evidence: &point.evidence,
    });
    all.collect()
}

fn how_marked(marking: &Marking) -> HowMarked<'_> {
    HowMarked {
        engine: &marking.engine,
        engine_version: &marking.engine_version,
        models: &marking.models,
        strictness: marking.strictness,
        feedback: marking.feedback,
        instructions_used: &marking.instructions_used,
    }
}
