//! Papers: a question paper with its marking scheme, read, reviewed and approved.

use crate::account::Owner;
use crate::billing::Billing;
use crate::failure::FailureCode;
use crate::grading::{Grading, Release};
use crate::id::{FileId, Identifier as _, PaperId, SubjectId};
use crate::marks::Marks;
use crate::metadata::Metadata;
use crate::paging::Position;
use crate::question::{self, Question};
use crate::refusal::Refusal;
use crate::result;
use crate::submission::Counts;
use crate::text::ShortLine;
use jiff::{SignedDuration, Timestamp};

/// How long reading may take, from creation.
pub const READ_WITHIN: SignedDuration = SignedDuration::from_mins(30);
/// The most questions of one paper.
pub const QUESTIONS_MAX: usize = 400;

/// A paper.
#[derive(Clone, Debug)]
pub struct Paper {
    /// Its id.
    pub id: PaperId,
    /// Whose it is.
    pub owner: Owner,
    /// The client's title.
    pub title: ShortLine,
    /// The subject it belongs to.
    pub subject_id: SubjectId,
    /// Where it is in its life.
    pub state: State,
    /// What a reviewer should know.
    pub warnings: Vec<Warning>,
    /// The questions.
    pub question_paper: Document,
    /// What earns the marks.
    pub marking_scheme: Document,
    /// How many questions, once they are read.
    pub question_count: Option<u32>,
    /// What they are worth together, once they are read.
    pub total_marks: Option<Marks>,
    /// What the paper itself prints as its total.
    pub printed_total: Option<Marks>,
    /// By which version of its scheme scripts are marked; 1 is what was approved.
    pub scheme_version: i64,
    /// When results become final.
    pub release: Release,
    /// How scripts are judged.
    pub grading: Grading,
    /// What reading it costs.
    pub billing: Billing,
    /// How many submissions it has, by status.
    pub counts: Counts,
    /// The client's own reference.
    pub external_id: Option<ShortLine>,
    /// The client's own notes.
    pub metadata: Metadata,
    /// What happens instead of reading, in test mode.
    pub test_outcome: Option<TestOutcome>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// One of the two documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its file; one that came by URL is not shown.
    pub file_id: FileId,
    /// True when it comes by URL.
    pub is_fetched: bool,
    /// How many pages, once they are counted.
    pub pages: Option<u32>,
}

/// Where a paper is in its life. It only moves forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its documents are read.
    Processing,
    /// A teacher looks at what was read.
    AwaitingReview,
    /// Submissions may come.
    Ready {
        /// When it was approved.
        approved_at: Timestamp,
    },
    /// It could not be read.
    Failed {
        /// Why.
        code: FailureCode,
    },
}

/// A paper's state by name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// See [`State::Processing`].
    Processing,
    /// See [`State::AwaitingReview`].
    AwaitingReview,
    /// See [`State::Ready`].
    Ready,
    /// See [`State::Failed`].
    Failed,
}

/// What a reviewer should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Warning {
    /// A label is missing, or marks do not add up.
    QuestionsMayBeIncomplete,
    /// Some part has no answer key.
    AnswerKeysMissing,
    /// The scheme or the client gave instructions that marking does not follow.
    SchemeInstructionsNotUsed,
}

crate::names! {
    Status { Processing = "processing", AwaitingReview = "awaiting_review", Ready = "ready", Failed = "failed" }
    Warning {
        QuestionsMayBeIncomplete = "questions_may_be_incomplete",
        AnswerKeysMissing = "answer_keys_missing",
        SchemeInstructionsNotUsed = "scheme_instructions_not_used",
    }
}

/// What happens instead of reading, in test mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    /// It is read.
    Succeed,
    /// It is read, with all three warnings.
    SucceedWithWarnings,
    /// It is read, with one question that has nothing to mark.
    EmptyQuestion,
    /// It fails.
    Fail(FailureCode),
}

impl TestOutcome {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            TestOutcome::Succeed => "succeed",
            TestOutcome::SucceedWithWarnings => "succeed_with_warnings",
            TestOutcome::EmptyQuestion => "empty_question",
            TestOutcome::Fail(code) => code.name(),
        }
    }

    /// The outcome of that name.
    pub fn parse(name: &str) -> Option<TestOutcome> {
        match name {
            "succeed" => Some(TestOutcome::Succeed),
            "succeed_with_warnings" => Some(TestOutcome::SucceedWithWarnings),
            "empty_question" => Some(TestOutcome::EmptyQuestion),
            other => FailureCode::parse(other).map(TestOutcome::Fail),
        }
    }
}

impl State {
    /// Its name alone.
    pub const fn status(&self) -> Status {
        match self {
            State::Processing => Status::Processing,
            State::AwaitingReview => Status::AwaitingReview,
            State::Ready { .. } => Status::Ready,
            State::Failed { .. } => Status::Failed,
        }
    }
}

impl Document {
    /// The file's id where it is shown.
    pub fn shown_file_id(&self) -> Option<FileId> {
        (!self.is_fetched).then_some(self.file_id)
    }
}

impl Paper {
    /// Where it stands in the list by creation.
    pub fn position(&self) -> Position {
        Position { time_us: self.created_at.as_microsecond(), id: self.id.number() }
    }

    /// Where it stands in the list by change.
    pub fn change_position(&self) -> Position {
        Position { time_us: self.updated_at.as_microsecond(), id: self.id.number() }
    }

    /// When it was approved.
    pub fn approved_at(&self) -> Option<Timestamp> {
        match self.state {
            State::Ready { approved_at } => Some(approved_at),
            _ => None,
        }
    }

    /// Why it failed.
    pub fn failure(&self) -> Option<FailureCode> {
        match self.state {
            State::Failed { code } => Some(code),
            _ => None,
        }
    }

    /// The pages of both documents, if both are counted.
    pub fn pages(&self) -> Option<u32> {
        Some(self.question_paper.pages? + self.marking_scheme.pages?)
    }

    /// The pages of its documents were counted; those that were known stay.
    #[must_use]
    pub fn counted(&self, question_paper: Option<u32>, marking_scheme: Option<u32>) -> Paper {
        let counted = |document: Document, pages| Document { pages: document.pages.or(pages), ..document };
        Paper {
            question_paper: counted(self.question_paper, question_paper),
            marking_scheme: counted(self.marking_scheme, marking_scheme),
            ..self.clone()
        }
    }

    /// Its questions were read.
    #[must_use]
    pub fn read(
        &self,
        questions: &[Question],
        warnings: Vec<Warning>,
        total: Option<Marks>,
        now: Timestamp,
    ) -> Paper {
        Paper {
            state: State::AwaitingReview,
            warnings,
            billing: self.billing.charged(),
            updated_at: now,
            ..self.recounted(questions, total)
        }
    }

    /// With the numbers that follow from its questions.
    #[must_use]
    pub fn recounted(&self, questions: &[Question], total: Option<Marks>) -> Paper {
        let sum = || questions.iter().filter_map(Question::total).sum();
        let question_count = u32::try_from(questions.len()).ok();
        Paper { question_count, total_marks: Some(total.unwrap_or_else(sum)), ..self.clone() }
    }

    /// A reviewer changed its questions: the numbers follow, and a warning that no longer holds goes.
    #[must_use]
    pub fn revised(&self, questions: &[Question], now: Timestamp) -> Paper {
        let mut paper = self.recounted(questions, Some(question::available(questions)));
        if !questions.iter().any(Question::lacks_key) {
            paper.warnings.retain(|warning| *warning != Warning::AnswerKeysMissing);
        }
        // Where the paper prints its total, what adds up to it is complete.
        let is_complete = paper.printed_total.is_some()
            && question::findings(questions, paper.printed_total).is_empty()
            && questions.iter().all(|question| question.warnings.is_empty());
        if is_complete {
            paper.warnings.retain(|warning| *warning != Warning::QuestionsMayBeIncomplete);
        }
        Paper { updated_at: now, ..paper }
    }

    /// It cannot be read.
    #[must_use]
    pub fn failed(&self, code: FailureCode, now: Timestamp) -> Paper {
        Paper {
            state: State::Failed { code },
            billing: self.billing.not_charged(),
            updated_at: now,
            ..self.clone()
        }
    }

    /// The reviewer approves what was read.
    pub fn approve(&self, questions: &[Question], now: Timestamp) -> Result<Paper, Refusal> {
        self.must_await_review()?;
        if let Some(empty) = questions.iter().find(|question| question.is_empty()) {
            return Err(Refusal::PaperHasEmptyQuestion { paper: self.id, number: empty.number.clone() });
        }
        Ok(Paper { state: State::Ready { approved_at: now }, updated_at: now, ..self.clone() })
    }

    /// Only a paper that awaits review can be changed or approved.
    pub fn must_await_review(&self) -> Result<(), Refusal> {
        if self.state == State::AwaitingReview {
            return Ok(());
        }
        Err(Refusal::PaperNotAwaitingReview { paper: self.id, status: self.state.status() })
    }

    /// When a marked script's result becomes final: doubtful ones wait for a person where the client asked so.
    pub fn release_of(&self, result: &result::Result) -> Release {
        if self.grading.hold_doubtful && result.is_doubtful() { Release::AfterReview } else { self.release }
    }

    /// Only a ready paper takes submissions.
    pub fn must_be_ready(&self) -> Result<(), Refusal> {
        match self.state {
            State::Ready { .. } => Ok(()),
            _ => Err(Refusal::PaperNotReady { paper: self.id, status: self.state.status() }),
        }
    }

    /// A paper that is worked on, or whose submissions are, stays.
    pub fn may_delete(&self) -> Result<(), Refusal> {
        if self.state == State::Processing || self.counts.queued > 0 || self.counts.processing > 0 {
            return Err(Refusal::PaperInProgress { paper: self.id });
        }
        Ok(())
    }
}

/// What a list of papers can be limited to.
#[derive(Clone, Debug, Default)]
pub struct PaperFilter {
    /// In this status only.
    pub status: Option<Status>,
    /// Of this subject only.
    pub subject_id: Option<String>,
    /// With this reference only.
    pub external_id: Option<String>,
}

/// What a PATCH changes; what is absent stays.
#[derive(Clone, Debug, Default)]
pub struct PaperPatch {
    /// A new title.
    pub title: Option<ShortLine>,
    /// A new reference, or none.
    pub external_id: Option<Option<ShortLine>>,
    /// New notes in place of all the old.
    pub metadata: Option<Metadata>,
}

impl PaperPatch {
    /// The paper with the changes; `None` when nothing changes.
    pub fn apply(self, paper: &Paper, now: Timestamp) -> Option<Paper> {
        let title = self.title.unwrap_or_else(|| paper.title.clone());
        let external_id = self.external_id.unwrap_or_else(|| paper.external_id.clone());
        let metadata = self.metadata.unwrap_or_else(|| paper.metadata.clone());
        let is_same = title == paper.title && external_id == paper.external_id && metadata == paper.metadata;
        (!is_same).then(|| Paper { title, external_id, metadata, updated_at: now, ..paper.clone() })
    }
}
