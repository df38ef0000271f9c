//! Lanes: which work waits for which slots.

use domain::id::AccountId;
use std::collections::HashMap;

/// Where work waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// What time alone brings about; nothing else waits here.
    Sweep,
    /// What tests ask for in place of an engine: done within a second, whatever the engines do.
    Test,
    /// Papers and scripts whose files are fetched first, which is mostly waiting.
    Fetch,
    /// Papers to be read and scripts to be marked.
    Work,
    /// What the marking desk asks for: not behind a class that waits to be marked.
    Desk,
    /// Marks on their way to learning platforms, which is mostly waiting.
    Scores,
    /// What deletions leave to be done.
    Tidy,
}

domain::names! {
    Lane {
        Sweep = "sweep", Test = "test", Fetch = "fetch", Work = "work", Desk = "desk",
        Scores = "scores", Tidy = "tidy",
    }
}

/// Where a paper or script waits first.
pub(crate) fn first_lane(is_tested: bool, is_fetched: bool) -> Lane {
    match (is_tested, is_fetched) {
        (true, _) => Lane::Test,
        (false, true) => Lane::Fetch,
        (false, false) => Lane::Work,
    }
}

/// Slots of the work lane beyond the processors: an account never gets them all, and those that wait for the disk
/// leave no processor idle.
const SLOTS_TO_SPARE: usize = 2;
/// Downloads at once in one process.
const FETCHES_MAX: usize = 16;
/// Of these for one account.
const FETCHES_OF_ONE_ACCOUNT: usize = 4;
/// Tests at once in one process.
const TESTS_MAX: usize = 2;
/// Desks that are worked for at once in one process, each of another account.
const DESKS_MAX: usize = 2;
/// Marks that are sent at once in one process.
const SCORES_MAX: usize = 8;
/// Of these for one account.
const SCORES_OF_ONE_ACCOUNT: usize = 2;

/// How much one process does at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slots {
    processors: usize,
}

impl Slots {
    pub(super) fn for_processors(processors: usize) -> Slots {
        Slots { processors: processors.max(1) }
    }

    pub(super) fn of(self, lane: Lane) -> usize {
        match lane {
            Lane::Sweep | Lane::Tidy => 1,
            Lane::Test => TESTS_MAX,
            Lane::Fetch => FETCHES_MAX,
            Lane::Work => self.processors + SLOTS_TO_SPARE,
            Lane::Desk => DESKS_MAX,
            Lane::Scores => SCORES_MAX,
        }
    }

    /// How many of them one account gets at most.
    pub(super) fn of_one_account(self, lane: Lane) -> usize {
        match lane {
            Lane::Work => self.processors,
            Lane::Fetch => FETCHES_OF_ONE_ACCOUNT,
            Lane::Desk => 1,
            Lane::Scores => SCORES_OF_ONE_ACCOUNT,
            Lane::Sweep | Lane::Test | Lane::Tidy => self.of(lane),
        }
    }
}

/// How many slots of a lane each account has now.
#[derive(Debug, Default)]
pub(super) struct Busy(HashMap<AccountId, usize>);

impl Busy {
    pub(super) fn begin(&mut self, account: Option<AccountId>) {
        if let Some(account) = account {
            *self.0.entry(account).or_default() += 1;
        }
    }

    pub(super) fn end(&mut self, account: Option<AccountId>) {
        if let Some(account) = account
            && let Some(count) = self.0.get_mut(&account)
        {
            *count -= 1;
            if *count == 0 {
                self.0.remove(&account);
            }
        }
    }

    /// The accounts that have so many, in order.
    pub(super) fn with_at_least(&self, count: usize) -> Vec<AccountId> {
        let full = self.0.iter().filter(|(_, own)| **own >= count);
        let mut full: Vec<AccountId> = full.map(|(account, _)| *account).collect();
        full.sort_unstable();
        full
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::id::Identifier as _;

    #[test]
    fn one_account_never_gets_all_slots_for_slow_work() {
        for processors in [1, 2, 64] {
            let slots = Slots::for_processors(processors);
            for lane in [Lane::Work, Lane::Fetch, Lane::Desk, Lane::Scores] {
                assert!(slots.of_one_account(lane) < slots.of(lane), "{lane:?} with {processors}");
            }
        }
    }

    #[test]
    fn an_account_is_full_until_its_work_ends() {
        let (one, other) = (AccountId::from_number(1), AccountId::from_number(2));
        let mut busy = Busy::default();
        busy.begin(Some(one));
        busy.begin(Some(other));
        busy.begin(Some(one));
        busy.begin(None);
        assert_eq!(busy.with_at_least(2), [one]);
        busy.end(Some(one));
        assert_eq!(busy.with_at_least(2), []);
        assert_eq!(busy.with_at_least(1), [one, other]);
    }
}
