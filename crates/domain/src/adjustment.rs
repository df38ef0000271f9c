//! Adjustments: what people decided about marks, one after the other, for good.

use crate::account::Owner;
use crate::id::{AdjustmentId, Identifier as _, PaperId, SubmissionId};
use crate::marks::Marks;
use crate::paging::Position;
use crate::result::{Decision, PartKey};
use crate::text::{Problem, check_lines};
use jiff::Timestamp;

/// The most characters of a remark.
pub const REMARK_MAX: usize = 2000;
/// The most characters of an answer as a person read it.
pub const ANSWER_MAX: usize = 10_000;

/// One decision of a person about one answer.
#[derive(Clone, Debug)]
pub struct Adjustment {
    /// Its id; later ones sort later.
    pub id: AdjustmentId,
    /// Whose it is.
    pub owner: Owner,
    /// The script.
    pub submission_id: SubmissionId,
    /// Its paper.
    pub paper_id: PaperId,
    /// Which answer.
    pub key: PartKey,
    /// The question's number, as printed.
    pub number: String,
    /// The mark that stood before.
    pub awarded_before: Marks,
    /// The mark from then on.
    pub awarded: Marks,
    /// The most that the answer can earn.
    pub available: Marks,
    /// What was decided; `None` when an earlier decision was taken back.
    pub decision: Option<Decision>,
    /// Who decided, where that is known.
    pub reviewer: Option<String>,
    /// When.
    pub created_at: Timestamp,
}

impl Adjustment {
    /// Where it stands in the list.
    pub fn position(&self) -> Position {
        Position { time_us: self.created_at.as_microsecond(), id: self.id.number() }
    }
}

/// Which released results a call asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Every graded script.
    All,
    /// Those of which a person has checked every answer.
    Checked,
    /// Those without an answer that a person should look at and has not.
    Unflagged,
}

crate::names! {
    Which { All = "all", Checked = "checked", Unflagged = "unflagged" }
}

/// What the student is told by a person.
pub fn check_remark(text: &str) -> Result<(), Problem> {
    check_lines(text, 1, REMARK_MAX)
}

/// What a person read.
pub fn check_answer(text: &str) -> Result<(), Problem> {
    check_lines(text, 0, ANSWER_MAX)
}
