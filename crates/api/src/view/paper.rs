//! Paper (2.4).

use super::file::described;
use domain::billing::Billing;
use domain::failure::FailureCode;
use domain::marks::Marks;
use domain::paper::{Document, Paper};
use domain::submission::Counts;
use domain::time::Shown;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A question paper with its marking scheme.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Paper, example = json!({
    "id": "pap_01m7erksw3h2kbtqh4bm5e14zh", "object": "paper", "livemode": false, "title": "Biology, paper 2",
    "subject_id": "subj_01m7erksw3h2kbtqh4bm5e14zh", "status": "awaiting_review", "failure": null,
    "warnings": ["answer_keys_missing"],
    "question_paper": {"file_id": "file_01m7erksw3h2kbtqh4bm5e14zh", "pages": 12},
    "marking_scheme": {"file_id": null, "pages": 9},
    "question_count": 8, "total_marks": 62.5, "results_release": "automatic",
    "grading": {"strictness": "standard", "feedback": "standard", "instructions": null, "hold_doubtful": false, "learning": false},
    "billing": {"status": "charged", "pages": 21, "credits": 21},
    "submission_counts": {"queued": 0, "processing": 0, "graded": 0, "released": 0, "failed": 0, "canceled": 0},
    "external_id": "bio-2", "metadata": {"year": "11"}, "created_at": "2026-11-15T03:05:07Z",
    "approved_at": null, "updated_at": "2026-11-15T03:05:09Z"
}))]
pub(crate) struct PaperView {
    /// Its id.
    #[schema(pattern = "^pap_[0-9a-z]{26}$")]
    id: String,
    /// Always `paper`.
    #[schema(value_type = String, pattern = "^paper$", example = "paper")]
    object: &'static str,
    /// True for live mode.
    livemode: bool,
    /// The client's title.
    #[schema(min_length = 1, max_length = 255)]
    title: String,
    /// The subject it belongs to.
    subject_id: String,
    /// Where it is in its life; it only moves forward.
    #[schema(value_type = PaperStatus)]
    status: &'static str,
    /// Why it failed.
    #[schema(required)]
    failure: Option<FailureView>,
    /// What to check before approving it.
    #[schema(value_type = Vec<PaperWarning>)]
    warnings: Vec<&'static str>,
    /// The questions.
    question_paper: DocumentView,
    /// What earns the marks.
    marking_scheme: DocumentView,
    /// How many questions were read.
    #[schema(required, minimum = 0)]
    question_count: Option<u32>,
    /// What they are worth together.
    #[schema(required, value_type = Option<f64>, minimum = 0)]
    total_marks: Option<Marks>,
    /// When results become final.
    #[schema(value_type = ResultsRelease)]
    results_release: &'static str,
    /// How scripts are judged.
    grading: GradingView,
    /// What reading it costs.
    billing: BillingView,
    /// How many submissions it has, by status.
    submission_counts: CountsView,
    /// The client's own reference.
    #[schema(required, min_length = 1, max_length = 255)]
    external_id: Option<String>,
    /// The client's own notes.
    metadata: BTreeMap<String, String>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Shown,
    /// When it was approved.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    approved_at: Option<Shown>,
    /// When it last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Shown,
}

/// Why it failed. Nothing was charged.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Failure)]
pub(crate) struct FailureView {
    /// For programs.
    #[schema(value_type = FailureCodes)]
    code: &'static str,
    /// For people.
    message: &'static str,
}

/// One of a paper's documents.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaperDocument)]
pub(crate) struct DocumentView {
    /// Its file; null when it was given by URL.
    #[schema(required)]
    file_id: Option<String>,
    /// How many pages, once they are counted.
    #[schema(required, minimum = 1)]
    pages: Option<u32>,
}

/// How scripts are judged.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Grading)]
pub(crate) struct GradingView {
    /// How readily a doubtful answer earns its mark.
    #[schema(value_type = Strictness)]
    strictness: &'static str,
    /// How much is said to the student.
    #[schema(value_type = FeedbackLevel)]
    feedback: &'static str,
    /// The teacher's own words.
    #[schema(required, min_length = 1, max_length = 5000)]
    instructions: Option<String>,
    /// Whether scripts with marks that a person should look at wait as `graded`.
    hold_doubtful: bool,
    /// Whether answers that a person has checked say how the unchecked ones to the same part are marked.
    learning: bool,
}

/// What it costs, and how far that is settled.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Billing)]
pub(crate) struct BillingView {
    /// How far it is settled.
    #[schema(value_type = BillingStatus)]
    status: &'static str,
    /// For how many pages, once they are counted.
    #[schema(required, minimum = 0)]
    pages: Option<u32>,
    /// How many credits, once the pages are counted.
    #[schema(required, minimum = 0)]
    credits: Option<u64>,
}

/// Submissions by status.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SubmissionCounts)]
pub(crate) struct CountsView {
    /// Waiting.
    queued: u32,
    /// Being marked.
    processing: u32,
    /// Marked; the result is provisional.
    graded: u32,
    /// The result is final.
    released: u32,
    /// Could not be marked.
    failed: u32,
    /// Taken back.
    canceled: u32,
}

impl From<&Paper> for PaperView {
    fn from(paper: &Paper) -> PaperView {
        PaperView {
            id: paper.id.to_string(),
            object: "paper",
            livemode: paper.owner.1.is_live(),
            title: paper.title.to_string(),
            subject_id: paper.subject_id.to_string(),
            status: paper.state.status().name(),
            failure: paper.failure().map(FailureView::from),
            warnings: paper.warnings.iter().map(|warning| warning.name()).collect(),
            question_paper: (&paper.question_paper).into(),
            marking_scheme: (&paper.marking_scheme).into(),
            question_count: paper.question_count,
            total_marks: paper.total_marks,
            results_release: paper.release.name(),
            grading: GradingView {
                strictness: paper.grading.strictness.name(),
                feedback: paper.grading.feedback.name(),
                instructions: paper.grading.instructions.clone(),
                hold_doubtful: paper.grading.hold_doubtful,
                learning: paper.grading.learning,
            },
            billing: (&paper.billing).into(),
            submission_counts: paper.counts.into(),
            external_id: paper.external_id.as_ref().map(ToString::to_string),
            metadata: paper.metadata.entries().clone(),
            created_at: Shown(paper.created_at),
            approved_at: paper.approved_at().map(Shown),
            updated_at: Shown(paper.updated_at),
        }
    }
}

impl From<FailureCode> for FailureView {
    fn from(code: FailureCode) -> FailureView {
        FailureView { code: code.name(), message: code.message() }
    }
}

impl From<&Document> for DocumentView {
    fn from(document: &Document) -> DocumentView {
        let file_id = document.shown_file_id().map(|id| id.to_string());
        DocumentView { file_id, pages: document.pages }
    }
}

impl From<&Billing> for BillingView {
    fn from(billing: &Billing) -> BillingView {
        BillingView {
            status: billing.status.name(),
            pages: billing.pages,
            credits: billing.credits.map(|credits| credits.0),
        }
    }
}

impl From<Counts> for CountsView {
    fn from(counts: Counts) -> CountsView {
        let Counts { queued, processing, graded, released, failed, canceled } = counts;
        CountsView { queued, processing, graded, released, failed, canceled }
    }
}

described! {
    /// Where a paper is in its life.
    PaperStatus = domain::paper::Status::ALL;
    /// What to check before approving a paper.
    PaperWarning = domain::paper::Warning::ALL;
    /// When results become final.
    ResultsRelease = domain::grading::Release::ALL;
    /// How readily a doubtful answer earns its mark.
    Strictness = domain::grading::Strictness::ALL;
    /// How much is said to the student.
    FeedbackLevel = domain::grading::FeedbackLevel::ALL;
    /// How far the cost is settled.
    BillingStatus = domain::billing::BillingStatus::ALL;
    /// Why a paper or submission failed; `no_questions_found` is for papers only.
    FailureCodes = FailureCode::ALL;
}
