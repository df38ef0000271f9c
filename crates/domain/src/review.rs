//! Review links: how a teacher without an account gets to one paper, and what was changed there.

use crate::account::Owner;
use crate::id::{ChangeId, PaperId, QuestionId};
use crate::key::KeyHash;
use crate::paper::{Paper, State};
use crate::refusal::Refusal;
use crate::text::ShortLine;
use jiff::{SignedDuration, Timestamp};
use std::ops::RangeInclusive;

/// For how many hours a link may work.
pub const HOURS: RangeInclusive<i64> = 1..=720;
/// For how many hours a link works when nothing is said.
pub const HOURS_DEFAULT: i64 = 72;
/// How long an ended link is remembered, so that whoever opens it is told that its time is over.
pub const REMEMBERED: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Browsers that one link can be open in; a further one ends the oldest.
pub const SESSIONS_MAX: u32 = 50;

/// A link to one paper. Its token is shown once; only the hash is kept.
#[derive(Clone, Debug)]
pub struct ReviewLink {
    /// Of the token.
    pub token: KeyHash,
    /// The paper it opens.
    pub paper_id: PaperId,
    /// Whose paper that is.
    pub owner: Owner,
    /// Who was given the link.
    pub reviewer: ShortLine,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Timestamp,
    /// When it was withdrawn.
    pub revoked_at: Option<Timestamp>,
}

/// Why a link or the session it opened does not work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// Its time is over.
    Expired,
    /// It was withdrawn.
    Revoked,
    /// The account that it belongs to is suspended.
    Suspended,
    /// We never made it, it was left, or its paper is gone.
    Unknown,
}

impl ReviewLink {
    /// A link that works for so many hours: to the review page of a paper that awaits review, or to the marking desk
    /// of one that is ready.
    pub fn new(
        paper: &Paper,
        reviewer: ShortLine,
        token: KeyHash,
        hours: i64,
        now: Timestamp,
    ) -> Result<ReviewLink, Refusal> {
        if !matches!(paper.state, State::AwaitingReview | State::Ready { .. }) {
            return Err(Refusal::ReviewLinkUnavailable { paper: paper.id, status: paper.state.status() });
        }
        let hours = hours.clamp(*HOURS.start(), *HOURS.end());
        Ok(ReviewLink {
            token,
            paper_id: paper.id,
            owner: paper.owner,
            reviewer,
            created_at: now,
            expires_at: now + SignedDuration::from_hours(hours),
            revoked_at: None,
        })
    }

    /// Whether it still works.
    pub fn must_be_open(&self, now: Timestamp) -> Result<(), Closed> {
        match self.revoked_at {
            Some(_) => Err(Closed::Revoked),
            None if self.expires_at <= now => Err(Closed::Expired),
            None => Ok(()),
        }
    }
}

/// What was done to a paper, as it is named in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Changed a question.
    Edit,
    /// Added one.
    Add,
    /// Made two of one.
    Split,
    /// Made one of two.
    Merge,
    /// Removed one.
    Delete,
    /// Put one elsewhere.
    Move,
    /// Took a change back.
    Undo,
    /// Approved the paper.
    Approve,
    /// Put a change of the approved scheme down, to be tried on the scripts.
    Amend,
    /// Forgot it, or put another in its place.
    Discard,
    /// Made it count.
    Apply,
    /// Decided about an answer, or took a decision back.
    Decide,
    /// Released a script's result.
    Release,
}

crate::names! {
    Action {
        Edit = "edit", Add = "add", Split = "split", Merge = "merge", Delete = "delete", Move = "move",
        Undo = "undo", Approve = "approve", Amend = "amend", Discard = "discard", Apply = "apply",
        Decide = "decide", Release = "release",
    }
}

impl Action {
    /// Whether it is a change of the questions of a paper that awaits review.
    pub const fn is_edit(self) -> bool {
        match self {
            Action::Edit
            | Action::Add
            | Action::Split
            | Action::Merge
            | Action::Delete
            | Action::Move
            | Action::Undo => true,
            Action::Approve
            | Action::Amend
            | Action::Discard
            | Action::Apply
            | Action::Decide
            | Action::Release => false,
        }
    }
}

/// One line of the record of a paper: who, when, what, before and after.
#[derive(Clone, Debug)]
pub struct Change {
    /// Its id; later ones sort later.
    pub id: ChangeId,
    /// The paper.
    pub paper_id: PaperId,
    /// Who did it, by the name the link was made for; `None` for a call of the API that names nobody.
    pub reviewer: Option<String>,
    /// What was done.
    pub action: Action,
    /// To which question; `None` for the paper itself.
    pub question_id: Option<QuestionId>,
    /// Its number at that time.
    pub number: Option<String>,
    /// JSON: the members that changed as they were; `None` for what was not there.
    pub before: Option<String>,
    /// JSON: the same members as they became; `None` for what is gone.
    pub after: Option<String>,
    /// When.
    pub created_at: Timestamp,
}
