//! Background work: a closed list of jobs, and the worker that runs them.

mod admin;
mod bytes;
mod camera;
mod fetch;
mod mark_submission;
mod read_paper;
mod schemes;
mod sweep;
mod worker;

pub use admin::Backlog;
pub(crate) use mark_submission::marked_again;
pub(crate) use read_paper::POSITION_STEP;
pub(crate) use schemes::Schemes;
pub use store::jobs::ListedJob;
pub use worker::Worker;

use crate::Error;
use crate::blobs::BlobError;
use domain::failure::FailureCode;

/// What there is to do in the background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What time alone brings about; returns by itself.
    Sweep,
    /// Read a paper's documents.
    ReadPaper,
    /// Mark a script.
    MarkSubmission,
    /// Delete bytes whose owner is gone.
    DeleteBytes,
    /// Delete the submissions of a deleted paper.
    DeleteSubmissions,
}

domain::names! {
    Kind {
        Sweep = "sweep", ReadPaper = "read_paper", MarkSubmission = "mark_submission",
        DeleteBytes = "delete_bytes", DeleteSubmissions = "delete_submissions",
    }
}

/// How often a job is tried.
pub(crate) const TRIES_MAX: u32 = 3;

/// What a job's failure means. There is no third way.
#[derive(Debug)]
pub(crate) enum JobError {
    /// Something that may pass. When the tries are over, the object fails with this code.
    Retry {
        /// For the operator.
        reason: String,
        /// What it fails with at last.
        code: FailureCode,
    },
    /// The object fails now.
    Fail(FailureCode),
}

impl JobError {
    #[expect(clippy::needless_pass_by_value, reason = "so that it reads `map_err(JobError::ours)`")]
    fn ours(reason: impl ToString) -> JobError {
        JobError::Retry { reason: reason.to_string(), code: FailureCode::ProcessingFailed }
    }
}

impl From<Error> for JobError {
    fn from(error: Error) -> JobError {
        JobError::ours(error)
    }
}

impl From<store::Error> for JobError {
    fn from(error: store::Error) -> JobError {
        JobError::ours(error)
    }
}

impl From<BlobError> for JobError {
    fn from(error: BlobError) -> JobError {
        JobError::ours(error)
    }
}
