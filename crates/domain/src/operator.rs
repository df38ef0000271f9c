//! Who operates the service through its console: their keys, how long a session lasts, and the record of what was done.

use crate::id::{AccountId, EntryId, Identifier as _, OperatorKeyId};
use crate::key::KeyHash;
use crate::paging::Position;
use crate::random::{self, Random};
use crate::text::{Line, ShortLine};
use jiff::{SignedDuration, Timestamp};
use std::fmt;

/// A session ends when nothing was asked for so long.
pub const IDLE_MAX: SignedDuration = SignedDuration::from_mins(30);
/// And after this in any case.
pub const SESSION_MAX: SignedDuration = SignedDuration::from_hours(12);
/// A session's last use is written down at most this often.
pub const SEEN_EVERY: SignedDuration = SignedDuration::from_mins(1);
/// Browsers that may be open with one key; the oldest go first.
pub const SESSIONS_MAX: u32 = 10;
/// How long what was said about a student's script can be looked at after the reason was given.
pub const STUDENT_SHOWN: SignedDuration = SignedDuration::from_mins(15);
/// How long the record is kept.
pub const RECORD_KEPT: SignedDuration = SignedDuration::from_hours(400 * 24);

/// Why an operator does something, in their own words.
pub type Reason = Line<500>;

/// A key of an operator as it is kept.
#[derive(Clone, Debug)]
pub struct OperatorKey {
    /// Names it without revealing it.
    pub id: OperatorKeyId,
    /// Whose it is.
    pub name: ShortLine,
    /// Of the whole secret.
    pub hash: KeyHash,
    /// To recognise it by.
    pub last_four: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When somebody last logged in with it.
    pub last_used_at: Option<Timestamp>,
}

/// A freshly made key of an operator, to be shown once and then forgotten.
pub struct OperatorSecret(String);

impl OperatorSecret {
    /// What every such key begins with.
    pub const PREFIX: &'static str = "tm_op_";
    /// No key of ours is longer.
    pub const LENGTH_MAX: usize = 100;

    /// A new secret of 32 random bytes.
    pub fn new(random: &dyn Random) -> OperatorSecret {
        OperatorSecret(format!("{}{}", OperatorSecret::PREFIX, random::base62_secret(random)))
    }

    /// Its hash, which is what is kept.
    pub fn hash(&self) -> KeyHash {
        KeyHash::of(&self.0)
    }

    /// Its last four characters.
    pub fn last_four(&self) -> String {
        self.0[self.0.len() - 4..].to_owned()
    }

    /// Shows it, the one time that it is shown.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Never in a log.
impl fmt::Debug for OperatorSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorSecret(…)")
    }
}

/// A browser that an operator logged in with.
#[derive(Clone, Debug)]
pub struct Session {
    /// The key it was opened with, as it is now.
    pub key: OperatorKey,
    /// When it was opened.
    pub created_at: Timestamp,
    /// About when it was last used.
    pub seen_at: Timestamp,
}

impl Session {
    /// True while it opens anything: its key is not revoked, it was used lately, and it is not too old.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.key.revoked_at.is_none() && now < self.seen_at + IDLE_MAX && now < self.created_at + SESSION_MAX
    }

    /// True when its use should be written down again.
    pub fn is_worth_noting(&self, now: Timestamp) -> bool {
        now >= self.seen_at + SEEN_EVERY
    }
}

/// What can be done, and is then in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A key of an operator was made.
    OperatorKeyCreated,
    /// A key of an operator was revoked.
    OperatorKeyRevoked,
    /// Somebody logged in.
    Login,
    /// Somebody tried to.
    LoginFailed,
    /// Somebody logged out.
    Logout,
    /// A student's name, answers and marks were looked at.
    StudentShown,
    /// An account was made.
    AccountCreated,
    /// An account was suspended.
    AccountSuspended,
    /// An account may go on.
    AccountResumed,
    /// An account's prices, limits or contact were changed.
    AccountUpdated,
    /// A key of an account was issued.
    KeyIssued,
    /// A key of an account was revoked.
    KeyRevoked,
    /// Credits were bought.
    CreditsToppedUp,
    /// Credits were corrected.
    CreditsAdjusted,
    /// Expired credits were made available again.
    CreditsRevived,
    /// An event was sent again.
    EventResent,
    /// All events of a span of time were sent to an endpoint again.
    EventsResent,
    /// A job that was put off was tried at once.
    JobRetried,
    /// A learning platform was registered.
    LtiPlatformAdded,
    /// A learning platform was removed.
    LtiPlatformRemoved,
    /// The key that platforms know us by was set.
    LtiKeySet,
    /// A link of a platform was bound to a paper.
    LtiLinkBound,
    /// A score that a platform did not take is sent again.
    LtiScoreRetried,
}

crate::names! {
    Action {
        OperatorKeyCreated = "operator_key.created", OperatorKeyRevoked = "operator_key.revoked",
        Login = "login", LoginFailed = "login.failed", Logout = "logout", StudentShown = "student.shown",
        AccountCreated = "account.created", AccountSuspended = "account.suspended",
        AccountResumed = "account.resumed", AccountUpdated = "account.updated", KeyIssued = "key.issued",
        KeyRevoked = "key.revoked", CreditsToppedUp = "credits.topped_up", CreditsAdjusted = "credits.adjusted",
        CreditsRevived = "credits.revived", EventResent = "event.resent", EventsResent = "events.resent",
        JobRetried = "job.retried", LtiPlatformAdded = "lti.platform_added",
        LtiPlatformRemoved = "lti.platform_removed", LtiKeySet = "lti.key_set", LtiLinkBound = "lti.link_bound",
        LtiScoreRetried = "lti.score_retried",
    }
}

/// A line of the record.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its id.
    pub id: EntryId,
    /// When.
    pub created_at: Timestamp,
    /// With which key; none for the command line, and for a login that failed.
    pub key_id: Option<OperatorKeyId>,
    /// Who, by the name of the key.
    pub operator: String,
    /// From which address; none for the command line.
    pub address: Option<String>,
    /// What.
    pub action: Action,
    /// To which account.
    pub account_id: Option<AccountId>,
    /// To what.
    pub object_id: Option<String>,
    /// Why, in the operator's words.
    pub reason: Option<String>,
    /// What exactly, without anything secret or of a student.
    pub details: String,
}

impl Entry {
    /// Where it stands in the record.
    pub fn position(&self) -> Position {
        Position { time_us: self.created_at.as_microsecond(), id: self.id.number() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_by_rest_by_age_and_with_its_key() {
        let at = |minutes: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes);
        let key = OperatorKey {
            id: OperatorKeyId::from_number(1),
            name: ShortLine::trusted("Ada".to_owned()),
            hash: KeyHash::of("x"),
            last_four: "abcd".to_owned(),
            created_at: at(0),
            revoked_at: None,
            last_used_at: None,
        };
        let used = |seen: i64| Session { key: key.clone(), created_at: at(0), seen_at: at(seen) };
        assert!(used(0).is_open(at(29)) && !used(0).is_open(at(30)));
        assert!(used(719).is_open(at(719)) && !used(719).is_open(at(720)));
        let mut revoked = used(0);
        revoked.key.revoked_at = Some(at(1));
        assert!(!revoked.is_open(at(2)));
        assert!(!used(0).is_worth_noting(at(0)) && used(0).is_worth_noting(at(1)));
    }

    #[test]
    fn every_action_reads_back() {
        for action in Action::ALL {
            assert_eq!(Action::parse(action.name()), Some(*action));
        }
    }
}
