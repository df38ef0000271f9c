//! Background work: a closed list of jobs, and the worker that runs them.

mod admin;
mod bytes;
mod camera;
mod fetch;
mod lane;
mod mark_submission;
mod read_paper;
mod schemes;
mod split_scan;
mod submit_scripts;
mod sweep;
mod worker;

pub(crate) use admin::retry_in;
pub use admin::{Backlog, JobStatus};
pub(crate) use lane::{Lane, first_lane};
pub(crate) use mark_submission::{marked_again, marked_again_by};
pub(crate) use read_paper::POSITION_STEP;
pub(crate) use schemes::Schemes;
pub use store::jobs::ListedJob;
pub use worker::Worker;

use crate::blobs::BlobError;
use crate::{Error, Service};
use domain::failure::FailureCode;
use jiff::{SignedDuration, Timestamp};
use marker::{EngineIdentity, Marker, Outcome, Task};
use reader::isolate::{Isolation, Stop};
use std::future::Future;
use std::sync::Arc;

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
    /// Let marks follow what a person decided on like answers.
    Learn,
    /// Look at the pages of a class scan and part them.
    SplitScan,
    /// Make submissions of the scripts of a class scan.
    SubmitScripts,
    /// Try a change of a scheme on all scripts, or let scripts follow one.
    Amend,
    /// Send the marks that were released before a learning platform's link was known.
    WantScores,
    /// Send a mark to a learning platform.
    SendScore,
}

domain::names! {
    Kind {
        Sweep = "sweep", ReadPaper = "read_paper", MarkSubmission = "mark_submission",
        DeleteBytes = "delete_bytes", DeleteSubmissions = "delete_submissions", Learn = "learn", Amend = "amend",
        SplitScan = "split_scan", SubmitScripts = "submit_scripts",
        WantScores = "want_scores", SendScore = "send_score",
    }
}

tokio::task_local! {
    /// Ends what the job that runs here has begun on other threads and in children.
    static STOP: Stop;
}

impl Service {
    /// The reader of documents. In background work it ends with it.
    pub(crate) fn reader(&self) -> Isolation {
        STOP.try_with(|stop| self.0.reader.until(stop.clone())).unwrap_or_else(|_| self.0.reader.clone())
    }
}

/// The engine, for as long as the job that runs here is wanted.
struct Wanted {
    marker: Arc<dyn Marker>,
    stop: Stop,
}

impl Wanted {
    fn new(marker: Arc<dyn Marker>) -> Wanted {
        Wanted { marker, stop: STOP.try_with(Stop::clone).unwrap_or_default() }
    }
}

impl Marker for Wanted {
    fn mark(&self, task: &Task<'_>) -> Result<Outcome, marker::Error> {
        if self.stop.is_stopped() {
            return Err(marker::Error::Unavailable("the work was stopped".to_owned()));
        }
        self.marker.mark(task)
    }

    fn identity(&self) -> EngineIdentity {
        self.marker.identity()
    }

    fn wants_pictures(&self) -> bool {
        self.marker.wants_pictures()
    }

    fn direction(&self, text: &str) -> Vec<f32> {
        self.marker.direction(text)
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
    pub(crate) fn ours(reason: impl ToString) -> JobError {
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

/// Does the work by its time, and fails it when that is over.
async fn in_time<T>(
    service: &Service,
    begun: Timestamp,
    within: SignedDuration,
    work: impl Future<Output = Result<T, JobError>>,
) -> Result<T, JobError> {
    let late = JobError::Fail(FailureCode::ProcessingTimeout);
    let left = (begun + within).duration_since(service.now());
    if !left.is_positive() {
        return Err(late);
    }
    tokio::time::timeout(left.unsigned_abs(), Box::pin(work)).await.unwrap_or(Err(late))
}
