//! Bounds on the endpoint's use: how many requests at once, and how much in all.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Lets so many through at once; the others wait.
#[derive(Debug)]
pub(super) struct Gate {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A place inside the gate, given back when dropped.
#[derive(Debug)]
pub(super) struct Pass<'a>(&'a Gate);

impl Gate {
    pub(super) fn new(places: usize) -> Gate {
        Gate { free: Mutex::new(places.max(1)), freed: Condvar::new() }
    }

    pub(super) fn enter(&self) -> Pass<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self.freed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Pass(self)
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

/// Tokens that may still be spent.
#[derive(Debug)]
pub(super) struct Budget(Option<AtomicU64>);

impl Budget {
    pub(super) fn new(tokens_max: Option<u64>) -> Budget {
        Budget(tokens_max.map(AtomicU64::new))
    }

    /// Takes an estimate beforehand; false when it is no longer there.
    pub(super) fn take(&self, tokens: u64) -> bool {
        let Some(left) = &self.0 else { return true };
        left.try_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(tokens)).is_ok()
    }

    /// Corrects an estimate once the true number is known.
    pub(super) fn correct(&self, estimated: u64, used: u64) {
        let Some(left) = &self.0 else { return };
        let change = |left: u64| Some(left.saturating_add(estimated).saturating_sub(used));
        // The closure always returns a value, so the update cannot fail.
        left.try_update(Ordering::Relaxed, Ordering::Relaxed, change).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_never_overdrawn() {
        let budget = Budget::new(Some(100));
        assert!(budget.take(60));
        assert!(!budget.take(60));
        budget.correct(60, 10);
        assert!(budget.take(60));
        assert!(Budget::new(None).take(u64::MAX));
    }

    #[test]
    fn the_gate_gives_places_back() {
        let gate = Gate::new(1);
        drop(gate.enter());
        drop(gate.enter());
    }
}
