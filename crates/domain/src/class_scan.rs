//! Class scans: one stack of pages for a whole class, parted into scripts, looked at by a person, then submitted.

mod confirm;
mod names;
mod propose;
#[cfg(test)]
mod tests;

pub use confirm::{Corrected, SplitProblem};
pub use names::named_in;
pub use propose::{Finding, NameSeen, Seen, propose};

use crate::account::Owner;
use crate::failure::FailureCode;
use crate::file::ContentType;
use crate::id::{ClassScanId, FileId, PaperId, SubmissionId};
use crate::refusal::Refusal;
use crate::roster::Roster;
use crate::submission::Student;
use jiff::{SignedDuration, Timestamp};

/// The most files of one scan: a class's pages, photographed one by one.
pub const FILES_MAX: usize = 500;
/// The most pages of one scan.
pub const PAGES_MAX: u32 = 2000;
/// The most scripts that one scan is parted into.
pub const SCRIPTS_MAX: usize = 500;
/// The most pages of one script of a scan, which is as many as a file may have.
pub const SCRIPT_PAGES_MAX: usize = crate::file::PAGES_MAX as usize;
/// The most scans of one paper.
pub const OF_PAPER_MAX: usize = 100;
/// How long looking at a scan may take, from when it was made.
pub const SPLIT_WITHIN: SignedDuration = SignedDuration::from_hours(2);
/// How long a scan waits to be confirmed. Then it is deleted with its pages.
pub const KEPT_UNCONFIRMED: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A scan of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassScan {
    /// Its id.
    pub id: ClassScanId,
    /// Whose it is.
    pub owner: Owner,
    /// The paper that the scripts answer.
    pub paper_id: PaperId,
    /// Where it is in its life.
    pub state: State,
    /// How it is parted.
    pub split: Split,
    /// Who is expected; empty where nobody said. Nothing of it is left once the scan is confirmed.
    pub roster: Roster,
    /// The pages, in the order in which they were given.
    pub files: Vec<ScanFile>,
    /// What was seen of each page; empty until all were looked at.
    pub pages: Vec<ScanPage>,
    /// The scripts that it is parted into.
    pub scripts: Vec<ScanScript>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// Where a scan is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its pages are looked at.
    Processing,
    /// A person has to look at the split.
    AwaitingConfirmation,
    /// Its scripts become submissions, one after the other.
    Confirming,
    /// Every script is a submission.
    Confirmed,
    /// Its pages cannot be read.
    Failed {
        /// Why.
        code: FailureCode,
    },
}

/// A scan's state by name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// See [`State::Processing`].
    Processing,
    /// See [`State::AwaitingConfirmation`].
    AwaitingConfirmation,
    /// See [`State::Confirming`].
    Confirming,
    /// See [`State::Confirmed`].
    Confirmed,
    /// See [`State::Failed`].
    Failed,
}

/// How a scan is parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// By the codes on cover sheets.
    Covers,
    /// After every so many pages.
    Pages(u32),
    /// By the names at the head of the pages.
    Names,
}

/// How a scan is parted, by name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitBy {
    /// See [`Split::Covers`].
    Covers,
    /// See [`Split::Pages`].
    Pages,
    /// See [`Split::Names`].
    Names,
}

/// What makes a script of a scan doubtful.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The pages at the beginning have no cover sheet before them.
    NoCover,
    /// A cover sheet's code could not be read; its page is still among the script's.
    CoverUnread,
    /// The cover sheet is of another paper.
    CoverOfOtherPaper,
    /// The cover sheet names nobody of the roster.
    UnknownStudent,
    /// An earlier script is this student's already.
    StudentTwice,
    /// Nothing says whose it is but its place in the stack.
    StudentByOrder,
    /// The name was hardly read, or fits several of the roster.
    NameDoubtful,
    /// It has more or fewer pages than most.
    UnusualLength,
    /// Some of its pages are blank.
    BlankPages,
}

/// Why a script of a scan did not become a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The student has a submission for this paper.
    SubmissionExists,
    /// The available credits do not cover its pages.
    InsufficientCredits,
    /// The credits that would have covered them have ended.
    CreditsExpired,
    /// Its pages could not be taken out of their file.
    PagesUnreadable,
    /// A fault of ours.
    ProcessingFailed,
}

crate::names! {
    Status {
        Processing = "processing", AwaitingConfirmation = "awaiting_confirmation", Confirming = "confirming",
        Confirmed = "confirmed", Failed = "failed",
    }
    SplitBy { Covers = "covers", Pages = "pages", Names = "names" }
    Warning {
        NoCover = "no_cover", CoverUnread = "cover_unread", CoverOfOtherPaper = "cover_of_other_paper",
        UnknownStudent = "unknown_student", StudentTwice = "student_twice", StudentByOrder = "student_by_order",
        NameDoubtful = "name_doubtful", UnusualLength = "unusual_length", BlankPages = "blank_pages",
    }
    Obstacle {
        SubmissionExists = "submission_exists", InsufficientCredits = "insufficient_credits",
        CreditsExpired = "credits_expired", PagesUnreadable = "pages_unreadable",
        ProcessingFailed = "processing_failed",
    }
}

/// A file of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanFile {
    /// Which.
    pub file_id: FileId,
    /// What it is, once it was looked at.
    pub content_type: Option<ContentType>,
    /// How many pages it has, once they were counted.
    pub pages: Option<u32>,
}

/// What was seen of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScanPage {
    /// It is a cover sheet and belongs to no script.
    pub is_cover: bool,
    /// Nothing is written on it.
    pub is_blank: bool,
}

/// One student's pages of a scan.
#[derive(Clone, Debug, PartialEq)]
pub struct ScanScript {
    /// Which pages of the scan, counted from 1.
    pub pages: Vec<u32>,
    /// Whose; `None` where nothing says so, and once it is a submission, which knows.
    pub student: Option<Student>,
    /// How likely the pages and the student are right, from 0 to 1.
    pub confidence: f64,
    /// What makes it doubtful.
    pub warnings: Vec<Warning>,
    /// The files that its submission is made of; empty until the split is confirmed.
    pub parts: Vec<Part>,
    /// What it became.
    pub submission_id: Option<SubmissionId>,
    /// Why it did not become a submission when it was confirmed.
    pub obstacle: Option<Obstacle>,
}

/// One file of a script that is to become a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The file that it will be: one of the scan's own, or a new one.
    pub file_id: FileId,
    /// Where its pages are now: the place among the scan's files.
    pub file: usize,
    /// The pages of that file, counted from 1, where they are taken out; `None` where it is handed over whole.
    pub taken: Option<Vec<u32>>,
}

impl State {
    /// Its name alone.
    pub const fn status(&self) -> Status {
        match self {
            State::Processing => Status::Processing,
            State::AwaitingConfirmation => Status::AwaitingConfirmation,
            State::Confirming => Status::Confirming,
            State::Confirmed => Status::Confirmed,
            State::Failed { .. } => Status::Failed,
        }
    }
}

impl Split {
    /// Its name alone.
    pub const fn by(self) -> SplitBy {
        match self {
            Split::Covers => SplitBy::Covers,
            Split::Pages(_) => SplitBy::Pages,
            Split::Names => SplitBy::Names,
        }
    }

    /// After how many pages, where that is how it is parted.
    pub const fn pages(self) -> Option<u32> {
        match self {
            Split::Pages(pages) => Some(pages),
            Split::Covers | Split::Names => None,
        }
    }
}

impl ClassScan {
    /// Why it failed.
    pub fn failure(&self) -> Option<FailureCode> {
        match self.state {
            State::Failed { code } => Some(code),
            _ => None,
        }
    }

    /// When it is deleted unless it is confirmed before.
    pub fn ends_at(&self) -> Option<Timestamp> {
        let waits = !matches!(self.state, State::Confirmed | State::Confirming);
        waits.then(|| self.created_at + KEPT_UNCONFIRMED)
    }

    /// Where a page lies: the place of its file, and its number there, counted from 1.
    pub fn place_of(&self, page: u32) -> Option<(usize, u32)> {
        let mut before = 0;
        for (place, file) in self.files.iter().enumerate() {
            let pages = file.pages.unwrap_or_default();
            if page > before && page - before <= pages {
                return Some((place, page - before));
            }
            before += pages;
        }
        None
    }

    /// Those of the roster of whom no script was found.
    pub fn absent(&self) -> impl Iterator<Item = &Student> {
        let has_script = |student: &Student| {
            let mut known = self.scripts.iter().filter_map(|script| script.student.as_ref());
            known.any(|known| known.external_id == student.external_id)
        };
        let expected = self.roster.students().iter().map(|enrolled| &enrolled.student);
        expected.filter(move |student| !self.scripts.is_empty() && !has_script(student))
    }

    /// Its pages were looked at and parted. `None`: it no longer waits for that.
    pub fn parted(
        &self,
        pages: Vec<ScanPage>,
        scripts: Vec<ScanScript>,
        now: Timestamp,
    ) -> Option<ClassScan> {
        let state = State::AwaitingConfirmation;
        let is_waiting = self.state == State::Processing;
        is_waiting.then(|| ClassScan { state, pages, scripts, updated_at: now, ..self.clone() })
    }

    /// Its pages cannot be read. Nothing is kept of those who were expected.
    #[must_use]
    pub fn failed(&self, code: FailureCode, now: Timestamp) -> ClassScan {
        let (state, roster) = (State::Failed { code }, Roster::default());
        ClassScan { state, roster, scripts: Vec::new(), updated_at: now, ..self.clone() }
    }

    /// Whether the files of one of its scripts are still wanted.
    pub fn still_has(&self, script: &ScanScript) -> bool {
        script.parts.is_empty() || self.scripts.iter().any(|own| own.parts == script.parts)
    }

    /// While its scripts become submissions it stays.
    pub fn may_delete(&self) -> Result<(), Refusal> {
        match self.state {
            State::Confirming => Err(Refusal::ClassScanInProgress { scan: self.id }),
            _ => Ok(()),
        }
    }
}
