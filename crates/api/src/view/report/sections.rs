//! What the sections of a report hold. They are written in the domain; this describes them for clients.
#![expect(dead_code, reason = "the schemas describe what the domain writes")]

use crate::view::paper::{FeedbackLevel, Strictness};
use crate::view::result::{EvidenceView, FlagName, VerdictName};
use crate::view::submission::ScoreView;
use utoipa::ToSchema;

/// The score and what it means.
#[derive(ToSchema)]
pub(crate) struct ReportSummary {
    /// The paper's title.
    title: String,
    /// The sum over the questions.
    score: ScoreView,
    /// The result in a few sentences.
    explanation: String,
    /// True when a person decided about some of its marks.
    adjusted: bool,
    /// True when nothing in the script could be read as an answer.
    no_readable_answers: bool,
}

/// The marks and the answer of one question.
#[derive(ToSchema)]
pub(crate) struct ReportQuestion {
    /// As printed.
    number: String,
    /// The marks earned.
    #[schema(minimum = 0)]
    awarded: f64,
    /// True when a person decided about its marks.
    adjusted: bool,
    /// What it could add to the score.
    #[schema(minimum = 0)]
    available: f64,
    /// False when more questions of a group were answered than count, and others count.
    counted: bool,
    /// What was read.
    answer: String,
    /// How sure the engine is.
    #[schema(minimum = 0, maximum = 1)]
    confidence: f64,
    /// What a person should know.
    flags: Vec<FlagName>,
    /// Empty for a question that is marked as a whole.
    parts: Vec<ReportQuestionPart>,
}

/// The marks and the answer of one part.
#[derive(ToSchema)]
pub(crate) struct ReportQuestionPart {
    /// As printed.
    label: String,
    /// The marks earned.
    #[schema(minimum = 0)]
    awarded: f64,
    /// True when a person decided about its mark.
    adjusted: bool,
    /// The most that it could earn.
    #[schema(minimum = 0)]
    available: f64,
    /// What was read.
    answer: String,
    /// How sure the engine is.
    #[schema(minimum = 0, maximum = 1)]
    confidence: f64,
    /// What a person should know.
    flags: Vec<FlagName>,
}

/// What the student is told about one question.
#[derive(ToSchema)]
pub(crate) struct ReportFeedback {
    /// As printed.
    number: String,
    /// About the whole question.
    feedback: String,
    /// About its parts.
    parts: Vec<ReportPartFeedback>,
}

/// What the student is told about one part.
#[derive(ToSchema)]
pub(crate) struct ReportPartFeedback {
    /// As printed.
    label: String,
    /// About this part.
    feedback: String,
}

/// Which words earned which mark of one question.
#[derive(ToSchema)]
pub(crate) struct ReportEvidence {
    /// As printed.
    number: String,
    /// Of a question that is marked as a whole.
    points: Vec<ReportPoint>,
    /// Of its parts.
    parts: Vec<ReportPartEvidence>,
}

/// Which words earned which mark of one part.
#[derive(ToSchema)]
pub(crate) struct ReportPartEvidence {
    /// As printed.
    label: String,
    /// In the scheme's order.
    points: Vec<ReportPoint>,
}

/// What one point of the scheme earned.
#[derive(ToSchema)]
pub(crate) struct ReportPoint {
    /// In the scheme's words; null below the feedback level `detailed`.
    #[schema(required)]
    text: Option<String>,
    /// What it is worth.
    #[schema(minimum = 0)]
    marks: f64,
    /// What it earned.
    #[schema(minimum = 0)]
    awarded: f64,
    /// What the answer says about it.
    verdict: VerdictName,
    /// The words that earned or lost it.
    evidence: Vec<EvidenceView>,
}

/// This script against the paper's released scripts, in per cent of the marks.
#[derive(ToSchema)]
pub(crate) struct ReportStatistics {
    /// How many scripts the figures are about.
    scripts: u64,
    /// This script.
    own: f64,
    /// The mean of all; this and the next three are null with fewer than five scripts.
    #[schema(required)]
    mean: Option<f64>,
    /// A quarter of the scripts is at or below this.
    #[schema(required)]
    lower_quartile: Option<f64>,
    /// Half of the scripts are at or below this.
    #[schema(required)]
    median: Option<f64>,
    /// Three quarters of the scripts are at or below this.
    #[schema(required)]
    upper_quartile: Option<f64>,
    /// In paper order.
    questions: Vec<ReportQuestionShare>,
}

/// How much of a question's marks was earned, in per cent.
#[derive(ToSchema)]
pub(crate) struct ReportQuestionShare {
    /// As printed.
    number: String,
    /// By this script; null where the question does not count in it.
    #[schema(required)]
    own: Option<f64>,
    /// By all scripts in which it counts; null when those are too few.
    #[schema(required)]
    mean: Option<f64>,
}

/// How the script was marked.
#[derive(ToSchema)]
pub(crate) struct ReportMarking {
    /// Which engine.
    #[schema(example = "builtin")]
    engine: String,
    /// Its own version.
    engine_version: String,
    /// The models that it used.
    models: Vec<ReportModel>,
    /// How readily a doubtful answer earned its mark.
    strictness: Strictness,
    /// How much is said to the student.
    feedback: FeedbackLevel,
    /// The sentences of the teacher's instructions that were understood.
    instructions_used: Vec<String>,
}

/// A model that an engine used.
#[derive(ToSchema)]
pub(crate) struct ReportModel {
    /// Its name.
    name: String,
    /// SHA-256 of its weights in hexadecimal; empty for one behind a remote endpoint.
    sha256: String,
}
