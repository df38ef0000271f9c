//! Webhook endpoints: what they are, which events they take, how deliveries are signed, tried again and given up.

mod health;
mod retry;
mod signature;
mod subscription;

pub use health::{DISABLED_AFTER, Health, SPANS, Verdict, Warning};
pub use retry::{ATTEMPTS_MAX, RETRY_AFTER_MAX, Retry, parse_retry_after};
pub use signature::{HEADER, SigningSecret, sign};
pub use subscription::{Interest, Subscription};

use crate::id::{AccountId, EndpointId, Identifier as _};
use crate::mode::Mode;
use crate::paging::Position;
use crate::refusal::Refusal;
use crate::text::ShortLine;
use jiff::{SignedDuration, Timestamp};

/// How many endpoints an account may have in one mode (API text, section 8).
pub const ENDPOINTS_MAX: usize = 5;
/// How many deliveries an endpoint gets at once (contract, section 13).
pub const AT_ONCE_MAX: usize = 8;
/// How many it gets at once while it fails: enough to see that it is back, and no burden for the others.
pub const AT_ONCE_FAILING: usize = 2;
/// How long the old secret keeps signing after a rotation (API text, 4.3).
pub const OLD_SECRET_KEPT: SignedDuration = SignedDuration::from_hours(24);

/// Whether an endpoint gets deliveries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It does.
    Enabled,
    /// It does not; what happens meanwhile is not sent later.
    Disabled,
}

impl Status {
    /// Both of them.
    pub const ALL: [Status; 2] = [Status::Enabled, Status::Disabled];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Enabled => "enabled",
            Status::Disabled => "disabled",
        }
    }

    /// The status of that name.
    pub fn parse(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// Who stands behind an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A client's own, made through the API.
    Endpoint,
    /// A developer's `tickmark listen`, which is there for as long as it runs and is not seen in the API.
    Listener,
}

impl Kind {
    /// As it is stored.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Endpoint => "endpoint",
            Kind::Listener => "listener",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Kind> {
        [Kind::Endpoint, Kind::Listener].into_iter().find(|kind| kind.name() == name)
    }
}

/// A signing secret as it is kept: sealed under the service's master key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedSecret(pub String);

/// Where events are sent.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Its id.
    pub id: EndpointId,
    /// Whose it is.
    pub account_id: AccountId,
    /// Of which world it gets the events.
    pub mode: Mode,
    /// Who stands behind it.
    pub kind: Kind,
    /// As it is shown to the client.
    pub url: String,
    /// Which events it takes.
    pub events: Subscription,
    /// The client's own words.
    pub description: Option<ShortLine>,
    /// Whether it gets deliveries.
    pub status: Status,
    /// What its deliveries are signed with.
    pub secret: SealedSecret,
    /// The secret before the last rotation, and until when it signs too.
    pub old_secret: Option<(SealedSecret, Timestamp)>,
    /// Whether deliveries arrive.
    pub health: Health,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What a client changes about an endpoint; `None` leaves it as it is.
#[derive(Clone, Debug, Default)]
pub struct EndpointChanges {
    /// Where deliveries go.
    pub url: Option<String>,
    /// Which events it takes.
    pub events: Option<Subscription>,
    /// The client's own words; `Some(None)` takes them away.
    pub description: Option<Option<ShortLine>>,
    /// Whether it gets deliveries.
    pub status: Option<Status>,
}

impl Endpoint {
    /// Where it stands in the list.
    pub fn position(&self) -> Position {
        Position { time_us: self.created_at.as_microsecond(), id: self.id.number() }
    }

    /// The endpoint after the changes. A new url or being enabled again restarts the five days (3.3).
    #[must_use]
    pub fn changed(&self, changes: &EndpointChanges) -> Endpoint {
        let mut changed = self.clone();
        let wanted = changes.clone();
        changed.url = wanted.url.unwrap_or(changed.url);
        changed.events = wanted.events.unwrap_or(changed.events);
        changed.description = wanted.description.unwrap_or(changed.description);
        changed.status = wanted.status.unwrap_or(changed.status);
        let is_enabled_again = self.status == Status::Disabled && changed.status == Status::Enabled;
        if changed.url != self.url || is_enabled_again {
            changed.health = Health::default();
        }
        changed
    }

    /// The endpoint with a new secret. The one before it signs for another day; the one before that, if it
    /// still signed, ends at once (4.3).
    #[must_use]
    pub fn rotated(&self, secret: SealedSecret, now: Timestamp) -> Endpoint {
        let old_secret = Some((self.secret.clone(), now + OLD_SECRET_KEPT));
        Endpoint { secret, old_secret, ..self.clone() }
    }

    /// The secrets that sign at this moment, the newest first.
    pub fn secrets(&self, now: Timestamp) -> impl Iterator<Item = &SealedSecret> {
        let old = self.old_secret.as_ref().filter(|(_, until)| *until > now);
        std::iter::once(&self.secret).chain(old.map(|(secret, _)| secret))
    }

    /// How many deliveries it gets at once.
    pub fn at_once_max(&self) -> usize {
        if self.health.failing_since.is_some() { AT_ONCE_FAILING } else { AT_ONCE_MAX }
    }
}

/// Asks whether an account that has so many endpoints in a mode may have one more.
pub fn may_add(existing: usize) -> Result<(), Refusal> {
    if existing < ENDPOINTS_MAX {
        Ok(())
    } else {
        Err(Refusal::TooManyWebhookEndpoints { most: ENDPOINTS_MAX })
    }
}

#[cfg(test)]
mod tests;
