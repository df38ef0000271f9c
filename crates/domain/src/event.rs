//! Events: what happened, with the object as it was.

use crate::id::{AccountId, EventId, Identifier as _};
use crate::mode::Mode;
use crate::paging::Position;
use jiff::{SignedDuration, Timestamp};

/// How long events are kept (API text, 6.3).
pub const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// What can happen (API text, 6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventType {
    /// The paper's questions, marks and keys have been read.
    PaperAwaitingReview,
    /// The paper was approved.
    PaperReady,
    /// The paper could not be processed.
    PaperFailed,
    /// The submission was marked.
    SubmissionGraded,
    /// Its result is final.
    SubmissionReleased,
    /// It could not be marked.
    SubmissionFailed,
    /// A person changed its marks.
    SubmissionAdjusted,
    /// The available live balance fell below the threshold.
    CreditsBalanceLow,
    /// The credits' validity ends in 7 days.
    CreditsExpiring,
}

impl EventType {
    /// Every type, in the order of the API text.
    pub const ALL: [EventType; 9] = [
        EventType::PaperAwaitingReview,
        EventType::PaperReady,
        EventType::PaperFailed,
        EventType::SubmissionGraded,
        EventType::SubmissionReleased,
        EventType::SubmissionFailed,
        EventType::SubmissionAdjusted,
        EventType::CreditsBalanceLow,
        EventType::CreditsExpiring,
    ];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            EventType::PaperAwaitingReview => "paper.awaiting_review",
            EventType::PaperReady => "paper.ready",
            EventType::PaperFailed => "paper.failed",
            EventType::SubmissionGraded => "submission.graded",
            EventType::SubmissionReleased => "submission.released",
            EventType::SubmissionFailed => "submission.failed",
            EventType::SubmissionAdjusted => "submission.adjusted",
            EventType::CreditsBalanceLow => "credits.balance_low",
            EventType::CreditsExpiring => "credits.expiring",
        }
    }

    /// The type of that name.
    pub fn parse(name: &str) -> Option<EventType> {
        EventType::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its id, by which receivers know repeats.
    pub id: EventId,
    /// Whose it is.
    pub account_id: AccountId,
    /// In which world.
    pub mode: Mode,
    /// What happened.
    pub kind: EventType,
    /// The paper or submission it is about.
    pub object_id: Option<String>,
    /// `data.object` as JSON, exactly as it is sent.
    pub snapshot: String,
    /// When it happened.
    pub created_at: Timestamp,
}

impl Event {
    /// Where it stands in the list.
    pub fn position(&self) -> Position {
        Position { time_us: self.created_at.as_microsecond(), id: self.id.number() }
    }
}

/// What a list of events can be limited to.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    /// Of this type only.
    pub kind: Option<EventType>,
    /// About this paper or submission only.
    pub object_id: Option<String>,
}

/// What remains of an object in its events after it was deleted (API text, 4.3).
pub fn reduced_snapshot(object: &str, id: &str) -> String {
    format!(r#"{{"id":"{id}","object":"{object}"{REDUCED_END}"#)
}

/// How a reduced snapshot ends, and no other.
const REDUCED_END: &str = r#","deleted":true}"#;

/// True for the snapshot of an object that was deleted.
pub fn is_reduced(snapshot: &str) -> bool {
    snapshot.ends_with(REDUCED_END)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for kind in EventType::ALL {
            assert_eq!(EventType::parse(kind.name()), Some(kind));
        }
        assert_eq!(EventType::parse("*"), None);
    }
}
