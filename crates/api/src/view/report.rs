//! Report (2.9, contract section 10).

mod sections;

use domain::report::{Document, Report};
use domain::submission::Submission;
use domain::time::Shown;
use sections::{
    ReportEvidence, ReportFeedback, ReportMarking, ReportQuestion, ReportStatistics, ReportSummary,
};
use serde::Serialize;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat};
use utoipa::openapi::{RefOr, Type};
use utoipa::{PartialSchema, ToSchema};

/// A report on a script. The sections that it holds are members of their own.
#[derive(Debug, Serialize)]
pub(crate) struct ReportView<'r> {
    object: &'static str,
    id: String,
    livemode: bool,
    submission_id: String,
    paper_id: String,
    generated_at: Shown,
    #[serde(flatten)]
    document: Document<'r>,
}

impl<'r> ReportView<'r> {
    pub(crate) fn new(submission: &Submission, report: &'r Report) -> ReportView<'r> {
        let id = submission.id.to_string();
        ReportView {
            object: "report",
            id: id.replacen("sub_", "rep_", 1),
            livemode: submission.owner.1.is_live(),
            submission_id: id,
            paper_id: submission.paper_id.to_string(),
            generated_at: Shown(report.generated_at),
            document: report.document(),
        }
    }
}

/// A report on a script. The sections that it holds are members of their own.
#[derive(ToSchema)]
#[schema(as = Report)]
#[expect(dead_code, reason = "it describes the view, whose sections are made in the domain")]
pub(crate) struct ReportSchema {
    /// Always `report`.
    #[schema(pattern = "^report$", example = "report")]
    object: String,
    /// The submission's id with the prefix `rep_`.
    #[schema(pattern = "^rep_[0-9a-z]{26}$")]
    id: String,
    /// True for live mode.
    livemode: bool,
    /// The submission.
    submission_id: String,
    /// Its paper.
    paper_id: String,
    /// When it was asked for.
    #[schema(format = DateTime)]
    generated_at: String,
    /// The sections that follow. `statistics` is left out while fewer than 5 scripts of the paper are released.
    sections: Vec<ReportSection>,
    /// The score and what it means.
    #[schema(nullable = false)]
    summary: Option<ReportSummary>,
    /// Marks and answers, question by question.
    #[schema(nullable = false)]
    questions: Option<Vec<ReportQuestion>>,
    /// What the student is told.
    #[schema(nullable = false)]
    feedback: Option<Vec<ReportFeedback>>,
    /// Which words earned which mark.
    #[schema(nullable = false)]
    evidence: Option<Vec<ReportEvidence>>,
    /// This script against the paper's released scripts, without any name.
    #[schema(nullable = false)]
    statistics: Option<ReportStatistics>,
    /// How it was marked.
    #[schema(nullable = false)]
    marking: Option<ReportMarking>,
}

/// A file, byte by byte.
#[derive(Debug)]
pub(crate) struct Binary;

impl PartialSchema for Binary {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
            .into()
    }
}

impl ToSchema for Binary {}

super::file::described! {
    /// A section of a report.
    ReportSection = domain::report::Section::ALL;
}
