//! Clients that go on asking after they were told to wait are answered late, so that refusing them costs others little:
//! a refusal is cheap, but a thousand a second on every connection that a client opens are not.

use domain::id::AccountId;
use domain::mode::Mode;
use domain::rate::Minute;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// So many refusals in a minute are answered at once: a client that slows down never meets the brake.
const AT_ONCE: u32 = 30;
/// How long every further one waits.
const PAUSE: Duration = Duration::from_millis(100);
/// More waiting answers than this would hold memory: beyond it they are given at once.
const WAITING_MAX: usize = 4_096;

type Owner = (AccountId, Mode);

/// Counts refusals by account and mode, in this process alone.
#[derive(Debug, Default)]
pub(crate) struct Brake {
    refused: Mutex<Refused>,
    waiting: AtomicUsize,
}

/// Whom this minute has refused, and how often.
#[derive(Debug, Default)]
struct Refused {
    minute: Option<Minute>,
    times: HashMap<Owner, u32>,
}

impl Brake {
    /// Waits where the account was refused too often in this minute.
    pub(crate) async fn refuse(&self, owner: Owner, minute: Minute) {
        if !self.is_pressed(owner, minute) {
            return;
        }
        let place = Place::take(&self.waiting);
        if place.before < WAITING_MAX {
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Counts a refusal; true when it is one too many.
    fn is_pressed(&self, owner: Owner, minute: Minute) -> bool {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if refused.minute != Some(minute) {
            *refused = Refused { minute: Some(minute), times: HashMap::new() };
        }
        let times = refused.times.entry(owner).or_default();
        *times = times.saturating_add(1);
        *times > AT_ONCE
    }
}

/// A place among those who wait; given back also when the client has left.
struct Place<'b> {
    waiting: &'b AtomicUsize,
    before: usize,
}

impl<'b> Place<'b> {
    fn take(waiting: &'b AtomicUsize) -> Place<'b> {
        Place { waiting, before: waiting.fetch_add(1, Ordering::Relaxed) }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::id::Identifier as _;

    #[test]
    fn only_who_goes_on_is_braked_and_the_next_minute_begins_anew() {
        let brake = Brake::default();
        let (hasty, calm) =
            ((AccountId::from_number(1), Mode::Test), (AccountId::from_number(2), Mode::Test));
        for _ in 0..AT_ONCE {
            assert!(!brake.is_pressed(hasty, Minute(7)));
        }
        assert!(brake.is_pressed(hasty, Minute(7)));
        assert!(!brake.is_pressed(calm, Minute(7)), "another account is not concerned");
        assert!(!brake.is_pressed((hasty.0, Mode::Live), Minute(7)), "nor the other mode");
        assert!(!brake.is_pressed(hasty, Minute(8)));
    }

    #[test]
    fn a_place_is_given_back_when_its_holder_leaves() {
        let waiting = AtomicUsize::new(0);
        let place = Place::take(&waiting);
        assert_eq!((place.before, waiting.load(Ordering::Relaxed)), (0, 1));
        drop(place);
        assert_eq!(waiting.load(Ordering::Relaxed), 0);
    }
}
