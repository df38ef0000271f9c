//! Submissions: one student's script for a ready paper.

use crate::account::Owner;
use crate::billing::Billing;
use crate::failure::FailureCode;
use crate::file::ContentType;
use crate::id::{FileId, Identifier as _, PaperId, SubmissionId};
use crate::metadata::Metadata;
use crate::paging::Position;
use crate::refusal::Refusal;
use crate::result::Score;
use crate::text::ShortLine;
use jiff::{SignedDuration, Timestamp};

/// How long marking one script may take, from when it is begun.
pub const MARK_WITHIN: SignedDuration = SignedDuration::from_mins(30);
/// The most files of one script.
pub const FILES_MAX: usize = 20;

/// A submission.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Its id.
    pub id: SubmissionId,
    /// Whose it is.
    pub owner: Owner,
    /// The paper it answers.
    pub paper_id: PaperId,
    /// Where it is in its life.
    pub state: State,
    /// True when it was marked but nothing in it could be read.
    pub no_readable_answers: bool,
    /// Who wrote it.
    pub student: Student,
    /// The script.
    pub files: Vec<ScriptFile>,
    /// What marking it costs.
    pub billing: Billing,
    /// What it earned, from graded on.
    pub score: Option<Score>,
    /// The client's own notes.
    pub metadata: Metadata,
    /// What happens instead of marking, in test mode.
    pub test_outcome: Option<TestOutcome>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When a worker began with it.
    pub started_at: Option<Timestamp>,
    /// When it was marked.
    pub graded_at: Option<Timestamp>,
    /// When its result became final.
    pub released_at: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// Who wrote a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Student {
    /// The client's own reference.
    pub external_id: ShortLine,
    /// For people.
    pub name: Option<ShortLine>,
}

/// One file of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptFile {
    /// Its file; one that comes by URL is not shown.
    pub file_id: FileId,
    /// True when it comes by URL.
    pub is_fetched: bool,
    /// What it is; `None` for one that comes by URL and has not come.
    pub content_type: Option<ContentType>,
    /// How many pages, once they are counted.
    pub pages: Option<u32>,
}

/// Where a submission is in its life. It only moves forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits for a worker.
    Queued,
    /// It is marked.
    Processing,
    /// It is marked; the result is provisional.
    Graded,
    /// The result is final.
    Released,
    /// It could not be marked.
    Failed {
        /// Why.
        code: FailureCode,
    },
    /// The client took it back.
    Canceled,
}

/// A submission's state by name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// See [`State::Queued`].
    Queued,
    /// See [`State::Processing`].
    Processing,
    /// See [`State::Graded`].
    Graded,
    /// See [`State::Released`].
    Released,
    /// See [`State::Failed`].
    Failed,
    /// See [`State::Canceled`].
    Canceled,
}

crate::names! {
    Status {
        Queued = "queued", Processing = "processing", Graded = "graded", Released = "released", Failed = "failed",
        Canceled = "canceled",
    }
}

/// What happens instead of marking, in test mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    /// It is marked.
    Succeed,
    /// It is marked, and nothing in it could be read.
    NoReadableAnswers,
    /// It fails.
    Fail(FailureCode),
}

impl TestOutcome {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            TestOutcome::Succeed => "succeed",
            TestOutcome::NoReadableAnswers => "no_readable_answers",
            TestOutcome::Fail(code) => code.name(),
        }
    }

    /// The outcome of that name; a submission cannot fail for want of questions.
    pub fn parse(name: &str) -> Option<TestOutcome> {
        match name {
            "succeed" => Some(TestOutcome::Succeed),
            "no_readable_answers" => Some(TestOutcome::NoReadableAnswers),
            other => FailureCode::parse(other)
                .filter(|code| *code != FailureCode::NoQuestionsFound)
                .map(TestOutcome::Fail),
        }
    }
}

/// How many submissions a paper has in each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Waiting.
    pub queued: u32,
    /// Being marked.
    pub processing: u32,
    /// Marked, not final.
    pub graded: u32,
    /// Final.
    pub released: u32,
    /// Failed.
    pub failed: u32,
    /// Taken back.
    pub canceled: u32,
}

impl Counts {
    /// All of them together.
    pub fn total(&self) -> u32 {
        self.queued + self.processing + self.graded + self.released + self.failed + self.canceled
    }
}

impl State {
    /// Its name alone.
    pub const fn status(&self) -> Status {
        match self {
            State::Queued => Status::Queued,
            State::Processing => Status::Processing,
            State::Graded => Status::Graded,
            State::Released => Status::Released,
            State::Failed { .. } => Status::Failed,
            State::Canceled => Status::Canceled,
        }
    }

    /// True while a worker may still change it.
    pub const fn is_in_progress(&self) -> bool {
        matches!(self, State::Queued | State::Processing)
    }

    /// True while it stands in the way of another script of the same student for the same paper.
    pub const fn is_live(&self) -> bool {
        !matches!(self, State::Failed { .. } | State::Canceled)
    }
}

impl ScriptFile {
    /// The file's id where it is shown.
    pub fn shown_file_id(&self) -> Option<FileId> {
        (!self.is_fetched).then_some(self.file_id)
    }
}

impl Submission {
    /// Where it stands in the list by creation.
    pub fn position(&self) -> Position {
        Position { time_us: self.created_at.as_microsecond(), id: self.id.number() }
    }

    /// Where it stands in the list by change.
    pub fn change_position(&self) -> Position {
        Position { time_us: self.updated_at.as_microsecond(), id: self.id.number() }
    }

    /// Why it failed.
    pub fn failure(&self) -> Option<FailureCode> {
        match self.state {
            State::Failed { code } => Some(code),
            _ => None,
        }
    }

    /// The pages of all its files, if all are counted.
    pub fn pages(&self) -> Option<u32> {
        self.files.iter().map(|file| file.pages).sum()
    }

    /// A worker begins. `None`: it is no longer to be marked.
    pub fn begun(&self, now: Timestamp) -> Option<Submission> {
        match self.state {
            State::Queued => {
                let started_at = Some(self.started_at.unwrap_or(now));
                Some(Submission { state: State::Processing, started_at, updated_at: now, ..self.clone() })
            }
            State::Processing => Some(self.clone()),
            _ => None,
        }
    }

    /// Its files were looked at; what was known of them stays.
    #[must_use]
    pub fn counted(&self, looked_at: &[(FileId, Option<ContentType>, Option<u32>)]) -> Submission {
        let mut counted = self.clone();
        for file in &mut counted.files {
            if let Some((_, content_type, pages)) = looked_at.iter().find(|(id, ..)| *id == file.file_id) {
                file.content_type = file.content_type.or(*content_type);
                file.pages = file.pages.or(*pages);
            }
        }
        counted
    }

    /// It was marked.
    #[must_use]
    pub fn graded(&self, score: Score, no_readable_answers: bool, now: Timestamp) -> Submission {
        Submission {
            state: State::Graded,
            score: Some(score),
            no_readable_answers,
            billing: self.billing.charged(),
            graded_at: Some(now),
            updated_at: now,
            ..self.clone()
        }
    }

    /// It could not be marked.
    #[must_use]
    pub fn failed(&self, code: FailureCode, now: Timestamp) -> Submission {
        Submission {
            state: State::Failed { code },
            billing: self.billing.not_charged(),
            updated_at: now,
            ..self.clone()
        }
    }

    /// Its result becomes final.
    pub fn release(&self, now: Timestamp) -> Result<Submission, Refusal> {
        if self.state != State::Graded {
            return Err(Refusal::SubmissionNotReleasable {
                submission: self.id,
                status: self.state.status(),
            });
        }
        Ok(Submission { state: State::Released, released_at: Some(now), updated_at: now, ..self.clone() })
    }

    /// Its marks can be changed while they are provisional.
    pub fn must_be_adjustable(&self) -> Result<(), Refusal> {
        if self.state == State::Graded {
            return Ok(());
        }
        Err(Refusal::SubmissionNotAdjustable { submission: self.id, status: self.state.status() })
    }

    /// Its marks were changed.
    #[must_use]
    pub fn rescored(&self, score: Score, no_readable_answers: bool, now: Timestamp) -> Submission {
        Submission { score: Some(score), no_readable_answers, updated_at: now, ..self.clone() }
    }

    /// The client takes it back.
    pub fn cancel(&self, now: Timestamp) -> Result<Submission, Refusal> {
        if !self.state.is_in_progress() {
            return Err(Refusal::SubmissionNotCancelable {
                submission: self.id,
                status: self.state.status(),
            });
        }
        Ok(Submission {
            state: State::Canceled,
            billing: self.billing.not_charged(),
            updated_at: now,
            ..self.clone()
        })
    }

    /// A submission that is worked on stays.
    pub fn may_delete(&self) -> Result<(), Refusal> {
        if self.state.is_in_progress() {
            return Err(Refusal::SubmissionInProgress { submission: self.id });
        }
        Ok(())
    }

    /// A result is there from graded on.
    pub fn must_have_result(&self) -> Result<(), Refusal> {
        match self.state {
            State::Graded | State::Released => Ok(()),
            _ => Err(Refusal::ResultNotAvailable {
                submission: self.id,
                status: self.state.status(),
                may_come: self.state.is_in_progress(),
            }),
        }
    }

    /// A report is there from released on.
    pub fn must_have_report(&self) -> Result<(), Refusal> {
        match self.state {
            State::Released => Ok(()),
            _ => Err(Refusal::ReportNotAvailable {
                submission: self.id,
                status: self.state.status(),
                may_come: self.state.is_in_progress() || self.state == State::Graded,
            }),
        }
    }
}

/// What a list of submissions can be limited to.
#[derive(Clone, Debug, Default)]
pub struct SubmissionFilter {
    /// Of this paper only.
    pub paper_id: Option<String>,
    /// Of this student only.
    pub student_external_id: Option<String>,
    /// In this status only.
    pub status: Option<Status>,
}

/// What a PATCH changes; what is absent stays.
#[derive(Clone, Debug, Default)]
pub struct SubmissionPatch {
    /// A new name, or none.
    pub student_name: Option<Option<ShortLine>>,
    /// New notes in place of all the old.
    pub metadata: Option<Metadata>,
}

impl SubmissionPatch {
    /// The submission with the changes; `None` when nothing changes.
    pub fn apply(self, submission: &Submission, now: Timestamp) -> Option<Submission> {
        let name = self.student_name.unwrap_or_else(|| submission.student.name.clone());
        let metadata = self.metadata.unwrap_or_else(|| submission.metadata.clone());
        if name == submission.student.name && metadata == submission.metadata {
            return None;
        }
        let student = Student { name, ..submission.student.clone() };
        Some(Submission { student, metadata, updated_at: now, ..submission.clone() })
    }
}
