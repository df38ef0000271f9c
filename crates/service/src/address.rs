//! How many requests with an unrecognised key an address has made in this minute.
//!
//! Kept in memory: each process counts for itself, which bounds guessing well enough without a round trip.

use domain::rate::{AddressGroup, Minute, UNRECOGNISED_PER_MINUTE};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// Groups remembered at most; a flood from more addresses than this starts the counts anew.
const GROUPS_MAX: usize = 100_000;

/// Counts by address.
#[derive(Debug)]
pub struct Limiter {
    minute: Mutex<(Option<Minute>, HashMap<AddressGroup, u32>)>,
    per_minute: u32,
}

impl Default for Limiter {
    fn default() -> Limiter {
        Limiter::allowing(UNRECOGNISED_PER_MINUTE)
    }
}

impl Limiter {
    /// A limit of so many a minute.
    pub fn allowing(per_minute: u32) -> Limiter {
        Limiter { minute: Mutex::default(), per_minute }
    }

    /// True when every request from this address is refused until the minute ends.
    pub fn is_exhausted(&self, address: IpAddr, minute: Minute) -> bool {
        let state = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = state.1.get(&AddressGroup::of(address));
        state.0 == Some(minute) && counts.is_some_and(|&count| count >= self.per_minute)
    }

    /// Counts a request with an unrecognised key.
    pub fn count(&self, address: IpAddr, minute: Minute) {
        let mut state = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        if state.0 != Some(minute) || state.1.len() >= GROUPS_MAX {
            *state = (Some(minute), HashMap::new());
        }
        *state.1.entry(AddressGroup::of(address)).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_holds_for_the_minute_and_the_group() {
        let limiter = Limiter::default();
        let address = "2001:db8::1".parse().unwrap();
        let neighbour = "2001:db8::2".parse().unwrap();
        let stranger = "192.0.2.1".parse().unwrap();
        for _ in 0..UNRECOGNISED_PER_MINUTE {
            assert!(!limiter.is_exhausted(address, Minute(1)));
            limiter.count(address, Minute(1));
        }
        assert!(limiter.is_exhausted(address, Minute(1)));
        assert!(limiter.is_exhausted(neighbour, Minute(1)));
        assert!(!limiter.is_exhausted(stranger, Minute(1)));
        assert!(!limiter.is_exhausted(address, Minute(2)));
    }
}
