//! Submission (2.7).

use super::file::described;
use super::paper::{BillingView, FailureView};
use domain::marks::Marks;
use domain::result::{Percentage, Score};
use domain::submission::{ScriptFile, Student, Submission};
use domain::time::Shown;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// One student's script.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Submission, example = json!({
    "id": "sub_01m7erksw3h2kbtqh4bm5e14zh", "object": "submission", "livemode": false,
    "paper_id": "pap_01m7erksw3h2kbtqh4bm5e14zh", "status": "released", "failure": null,
    "no_readable_answers": false, "student": {"external_id": "s-1071", "name": null},
    "files": [{"file_id": "file_01m7erksw3h2kbtqh4bm5e14zh", "content_type": "application/pdf", "pages": 6}],
    "billing": {"status": "charged", "pages": 6, "credits": 6},
    "score": {"awarded": 41.5, "available": 60, "percentage": 69.2}, "metadata": {},
    "created_at": "2026-11-15T03:05:07Z", "graded_at": "2026-11-15T03:05:12Z",
    "released_at": "2026-11-15T03:05:12Z", "updated_at": "2026-11-15T03:05:12Z"
}))]
pub(crate) struct SubmissionView {
    /// Its id.
    #[schema(pattern = "^sub_[0-9a-z]{26}$")]
    id: String,
    /// Always `submission`.
    #[schema(value_type = String, pattern = "^submission$", example = "submission")]
    object: &'static str,
    /// True for live mode.
    livemode: bool,
    /// The paper it answers.
    paper_id: String,
    /// Where it is in its life; it only moves forward.
    #[schema(value_type = SubmissionStatus)]
    status: &'static str,
    /// Why it failed.
    #[schema(required)]
    failure: Option<FailureView>,
    /// True when it was marked but nothing in it could be read.
    no_readable_answers: bool,
    /// Who wrote it.
    student: StudentView,
    /// The script.
    files: Vec<ScriptFileView>,
    /// What marking it costs.
    billing: BillingView,
    /// What it earned; null until it is graded.
    #[schema(required)]
    score: Option<ScoreView>,
    /// The client's own notes.
    metadata: BTreeMap<String, String>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Shown,
    /// When it was marked.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    graded_at: Option<Shown>,
    /// When its result became final.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    released_at: Option<Shown>,
    /// When it last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Shown,
}

/// Who wrote a script.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Student)]
pub(crate) struct StudentView {
    /// The client's own reference.
    #[schema(min_length = 1, max_length = 255)]
    external_id: String,
    /// For people.
    #[schema(required, min_length = 1, max_length = 255)]
    name: Option<String>,
}

/// One file of a script.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SubmissionFile)]
pub(crate) struct ScriptFileView {
    /// Its file; null when it was given by URL.
    #[schema(required)]
    file_id: Option<String>,
    /// What it is; null for one given by URL that has not come yet.
    #[schema(required, value_type = Option<super::file::FileContentType>)]
    content_type: Option<&'static str>,
    /// How many pages, once they are counted.
    #[schema(required, minimum = 1)]
    pages: Option<u32>,
}

/// What was earned of what could be earned.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Score)]
pub(crate) struct ScoreView {
    /// The marks earned.
    #[schema(value_type = f64, minimum = 0)]
    awarded: Marks,
    /// The marks that could be earned.
    #[schema(value_type = f64, minimum = 0)]
    available: Marks,
    /// The one as a share of the other, to one decimal.
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    percentage: Percentage,
}

impl From<&Submission> for SubmissionView {
    fn from(submission: &Submission) -> SubmissionView {
        SubmissionView {
            id: submission.id.to_string(),
            object: "submission",
            livemode: submission.owner.1.is_live(),
            paper_id: submission.paper_id.to_string(),
            status: submission.state.status().name(),
            failure: submission.failure().map(FailureView::from),
            no_readable_answers: submission.no_readable_answers,
            student: (&submission.student).into(),
            files: submission.files.iter().map(ScriptFileView::from).collect(),
            billing: (&submission.billing).into(),
            score: submission.score.map(ScoreView::from),
            metadata: submission.metadata.entries().clone(),
            created_at: Shown(submission.created_at),
            graded_at: submission.graded_at.map(Shown),
            released_at: submission.released_at.map(Shown),
            updated_at: Shown(submission.updated_at),
        }
    }
}

impl From<&Student> for StudentView {
    fn from(student: &Student) -> StudentView {
        StudentView {
            external_id: student.external_id.to_string(),
            name: student.name.as_ref().map(ToString::to_string),
        }
    }
}

impl From<&ScriptFile> for ScriptFileView {
    fn from(file: &ScriptFile) -> ScriptFileView {
        ScriptFileView {
            file_id: file.shown_file_id().map(|id| id.to_string()),
            content_type: file.content_type.map(domain::file::ContentType::name),
            pages: file.pages,
        }
    }
}

impl From<Score> for ScoreView {
    fn from(Score { awarded, available, percentage }: Score) -> ScoreView {
        ScoreView { awarded, available, percentage }
    }
}

described! {
    /// Where a submission is in its life.
    SubmissionStatus = domain::submission::Status::ALL;
}
