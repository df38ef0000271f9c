//! The account's minute: how many requests its keys may still make.
//!
//! On SQLite there is one process, and the count is in memory. On PostgreSQL each process takes small blocks
//! of the minute from the database, so that the sum over all processes never exceeds the limit; what a
//! process took and does not use, it gives back within seconds. Blocks shrink as the minute is used up.

use crate::{Error, Service};
use domain::account::Owner;
use domain::rate::Minute;
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::limits;

/// Windows remembered at most before those of past minutes are dropped.
const WINDOWS_MAX: usize = 10_000;
/// A block is at most this part of the limit.
const BLOCK_SHARE: u32 = 60;
/// How long an exhausted minute is taken as such before the database is asked again.
const EXHAUSTED_FOR: Duration = Duration::from_millis(250);
/// After this long without a request, what is left of a block is given back.
const IDLE: Duration = Duration::from_secs(1);

/// What the limit says to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// False: refused.
    pub is_allowed: bool,
    /// Requests a minute.
    pub limit: u32,
    /// Requests left in this minute.
    pub remaining: u32,
    /// Seconds until the minute ends.
    pub reset_seconds: u32,
}

/// The minute of one account and mode, as this process knows it.
#[derive(Debug)]
struct Window {
    minute: Minute,
    /// What all processes had taken when the last block was.
    taken: u32,
    /// What is left of our blocks.
    left: u32,
    used_at: Instant,
    exhausted_at: Option<Instant>,
}

type Shared = Arc<tokio::sync::Mutex<Window>>;
type Windows = Mutex<HashMap<Owner, Shared>>;

/// All windows of this process.
#[derive(Debug)]
pub(crate) struct Limiter {
    is_shared: bool,
    windows: Windows,
}

impl Limiter {
    pub(crate) fn new(is_shared: bool) -> Limiter {
        Limiter { is_shared, windows: Mutex::default() }
    }

    fn window(&self, owner: Owner, minute: Minute) -> Shared {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= WINDOWS_MAX {
            windows.retain(|_, window| window.try_lock().map_or(true, |window| window.minute >= minute));
        }
        let fresh = || Arc::new(tokio::sync::Mutex::new(Window::new(minute)));
        Arc::clone(windows.entry(owner).or_insert_with(fresh))
    }

    fn all(&self) -> Vec<(Owner, Shared)> {
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.iter().map(|(owner, window)| (*owner, Arc::clone(window))).collect()
    }
}

impl Window {
    fn new(minute: Minute) -> Window {
        Window { minute, taken: 0, left: 0, used_at: Instant::now(), exhausted_at: None }
    }

    fn is_exhausted(&self) -> bool {
        self.exhausted_at.is_some_and(|at| at.elapsed() < EXHAUSTED_FOR)
    }
}

/// How large a block to take: a small share of the limit, smaller towards its end.
fn block(limit: u32, taken: u32) -> u32 {
    (limit / BLOCK_SHARE).min(limit.saturating_sub(taken) / 8).max(1)
}

impl Service {
    /// Counts a request against the account's minute.
    pub async fn spend_request(&self, owner: Owner, limit: u32, now: Timestamp) -> Result<Allowance, Error> {
        let minute = Minute::of(now);
        let window = self.0.rates.window(owner, minute);
        let mut window = window.lock().await;
        if window.minute != minute {
            *window = Window::new(minute);
        }
        if window.left == 0 && !window.is_exhausted() {
            self.refill(owner, &mut window, limit).await?;
        }
        let is_allowed = window.left > 0;
        window.left = window.left.saturating_sub(1);
        window.used_at = Instant::now();
        let remaining = limit.saturating_sub(window.taken) + window.left;
        Ok(Allowance { is_allowed, limit, remaining, reset_seconds: Minute::seconds_left(now) })
    }

    async fn refill(&self, owner: Owner, window: &mut Window, limit: u32) -> Result<(), Error> {
        if !self.0.rates.is_shared {
            // The rest of the minute is all ours; a limit that was raised meanwhile counts at once.
            window.left = limit.saturating_sub(window.taken);
            window.taken = window.taken.max(limit);
            return Ok(());
        }
        let wanted = block(limit, window.taken);
        for wanted in [wanted, 1] {
            if let Some(taken) = self.take_block(owner, window.minute, wanted, limit).await? {
                (window.taken, window.left, window.exhausted_at) = (taken, wanted, None);
                return Ok(());
            }
        }
        (window.taken, window.exhausted_at) = (limit, Some(Instant::now()));
        Ok(())
    }

    async fn take_block(
        &self,
        owner: Owner,
        minute: Minute,
        wanted: u32,
        limit: u32,
    ) -> Result<Option<u32>, Error> {
        self.0
            .store
            .write((owner, minute, wanted, limit), |tx, &(owner, minute, wanted, limit)| {
                Box::pin(async move { Ok(limits::take(tx, owner, minute, wanted, limit).await?) })
            })
            .await
    }

    /// Gives back what this process took of the present minute and leaves unused; called every second.
    pub async fn give_back_requests(&self, is_ending: bool) -> Result<(), Error> {
        if !self.0.rates.is_shared {
            return Ok(());
        }
        let minute = Minute::of(self.now());
        for (owner, window) in self.0.rates.all() {
            let mut window = window.lock().await;
            let is_idle = is_ending || window.used_at.elapsed() >= IDLE;
            if window.minute != minute || window.left == 0 || !is_idle {
                continue;
            }
            let unused = std::mem::take(&mut window.left);
            window.taken = window.taken.saturating_sub(unused);
            self.0
                .store
                .write((owner, minute, unused), |tx, &(owner, minute, unused)| {
                    Box::pin(async move { limits::give_back(tx, owner, minute, unused).await })
                })
                .await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_shrink_towards_the_end_of_the_minute() {
        assert_eq!(block(600, 0), 10);
        assert_eq!(block(600, 540), 7);
        assert_eq!(block(600, 599), 1);
        assert_eq!(block(600, 600), 1);
        assert_eq!(block(30, 0), 1);
    }
}
