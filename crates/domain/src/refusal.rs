//! Every reason for which a rule refuses a request, with the facts that the answer names.

use crate::credit::Credits;
use crate::file::Purpose;
use crate::id::{ClassScanId, FileId, PaperId, SubmissionId};
use crate::{class_scan, paper, submission};
use jiff::Timestamp;

/// The caller asked for what a rule forbids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// More was asked for than is available.
    InsufficientCredits {
        /// What it would cost.
        needed: Credits,
        /// What there is.
        available: Credits,
    },
    /// The credits that would have covered it have ended.
    CreditsExpired {
        /// What it would cost.
        needed: Credits,
        /// When they ended.
        ended_at: Timestamp,
    },
    /// A balance would grow past what it may hold; the operator's commands alone can ask for that.
    TooManyCredits {
        /// The most a balance holds.
        most: Credits,
    },
    /// The account has as many webhook endpoints in this mode as it may have.
    TooManyWebhookEndpoints {
        /// The most allowed.
        most: usize,
    },
    /// The deployment of a learning platform is registered already.
    LtiPlatformExists,
    /// As many links of learning platforms lead to the paper as may.
    TooManyLtiLinks {
        /// The most allowed.
        most: i64,
    },
    /// An event cannot be sent again to an endpoint that is disabled.
    EndpointDisabled {
        /// Which one.
        endpoint_id: String,
    },
    /// The idempotency key was used for another request.
    IdempotencyKeyReused {
        /// What the first request made.
        resource_id: Option<String>,
    },
    /// The first request with this idempotency key is still running.
    IdempotencyRequestInProgress,
    /// Another paper of the account and mode has this external id.
    ExternalIdTaken {
        /// Which one.
        holder: PaperId,
    },
    /// The paper is not approved.
    PaperNotReady {
        /// Which paper.
        paper: PaperId,
        /// Where it is.
        status: paper::Status,
    },
    /// The paper is not up for review.
    PaperNotAwaitingReview {
        /// Which paper.
        paper: PaperId,
        /// Where it is.
        status: paper::Status,
    },
    /// The paper or a submission of it is worked on.
    PaperInProgress {
        /// Which paper.
        paper: PaperId,
    },
    /// A question of the paper has nothing to mark.
    PaperHasEmptyQuestion {
        /// Which paper.
        paper: PaperId,
        /// Which question.
        number: String,
    },
    /// Review links are for papers that await review.
    ReviewLinkUnavailable {
        /// Which paper.
        paper: PaperId,
        /// Where it is.
        status: paper::Status,
    },
    /// A paper or submission uses the file already.
    FileAlreadyAttached {
        /// Which file.
        file: FileId,
    },
    /// The file was registered for something else.
    FilePurposeMismatch {
        /// Which file.
        file: FileId,
        /// What it is for.
        is: Purpose,
        /// What it was to be used for.
        wanted: Purpose,
    },
    /// The file has no bytes yet.
    FileNotUploaded {
        /// Which file.
        file: FileId,
    },
    /// The file was not uploaded or not used in time.
    FileExpired {
        /// Which file.
        file: FileId,
    },
    /// The account has as many bytes or files waiting to be used as it may have.
    TooMuchUnused {
        /// The bytes that may wait.
        bytes_max: u64,
        /// The files that may wait.
        files_max: u64,
    },
    /// There is hardly any room left to keep files in.
    NoRoom,
    /// The student has a script for this paper.
    SubmissionExists {
        /// Which one.
        holder: SubmissionId,
    },
    /// The submission is past canceling.
    SubmissionNotCancelable {
        /// Which submission.
        submission: SubmissionId,
        /// Where it is.
        status: submission::Status,
    },
    /// The submission is not marked, or released before.
    SubmissionNotReleasable {
        /// Which submission.
        submission: SubmissionId,
        /// Where it is.
        status: submission::Status,
    },
    /// The submission's marks are not there yet, or final.
    SubmissionNotAdjustable {
        /// Which submission.
        submission: SubmissionId,
        /// Where it is.
        status: submission::Status,
    },
    /// A person's decision does not fit what it is about.
    WrongAdjustment {
        /// What is wrong and what would be right, as a sentence.
        problem: String,
    },
    /// The paper has as many class scans as it may have.
    TooManyClassScans {
        /// Which paper.
        paper: PaperId,
        /// The most allowed.
        most: usize,
    },
    /// The split of the scan is not there yet, or was confirmed before.
    ClassScanNotConfirmable {
        /// Which scan.
        scan: ClassScanId,
        /// Where it is.
        status: class_scan::Status,
    },
    /// The scripts of the scan become submissions.
    ClassScanInProgress {
        /// Which scan.
        scan: ClassScanId,
    },
    /// The split as it was asked for does not fit the pages.
    WrongSplit {
        /// What is wrong and what would be right; ends the sentence that begins with the parameter's name.
        problem: class_scan::SplitProblem,
    },
    /// The submission is worked on.
    SubmissionInProgress {
        /// Which submission.
        submission: SubmissionId,
    },
    /// The submission is not marked.
    ResultNotAvailable {
        /// Which submission.
        submission: SubmissionId,
        /// Where it is.
        status: submission::Status,
        /// True when waiting helps.
        may_come: bool,
    },
    /// The submission is not released.
    ReportNotAvailable {
        /// Which submission.
        submission: SubmissionId,
        /// Where it is.
        status: submission::Status,
        /// True when waiting helps.
        may_come: bool,
    },
}
