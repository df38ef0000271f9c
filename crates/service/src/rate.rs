//! The account's minute: how many requests its keys may still make.
//!
//! On SQLite there is one process, and the count is in memory. On PostgreSQL each process takes small blocks
//! of the minute from the database, so that the sum over all processes never exceeds the limit; what a
//! process took and does not use, it gives back within seconds. Blocks shrink as the minute is used up. Before the
//! first refusal of a minute all processes are asked for what they hold, and take one by one from then on, so that a
//! request is refused only when the whole limit was used.

use crate::{Error, Service};
use domain::account::Owner;
use domain::id::{AccountId, Identifier as _};
use domain::mode::Mode;
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
/// The word by which a process asks the others for what they hold of an account's minute.
const RECALL: &str = "recall";
/// How often and for how long it looks for what they gave back before it refuses.
const RECALL_LOOKS: u32 = 5;
const RECALL_WAIT: Duration = Duration::from_millis(20);

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
    /// Nearly everything is used: what there is, is taken one by one.
    is_scarce: bool,
    /// Held while a block is taken or given back, so that an empty window asks the database once.
    exchange: Arc<tokio::sync::Mutex<()>>,
}

/// All windows of this process. Nearly every request finds something left of a block, and then holds the lock for
/// no longer than counting takes; only an exchange with the database waits, on a lock of its window's own.
#[derive(Debug)]
pub(crate) struct Limiter {
    is_shared: bool,
    windows: Mutex<HashMap<Owner, Window>>,
}

impl Limiter {
    pub(crate) fn new(is_shared: bool) -> Limiter {
        Limiter { is_shared, windows: Mutex::default() }
    }

    /// Works on the window of an account in this minute. A request that was begun in the last minute and comes
    /// late counts in the present one.
    fn with<T>(&self, owner: Owner, minute: Minute, work: impl FnOnce(&mut Window) -> T) -> T {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= WINDOWS_MAX {
            windows.retain(|_, window| window.minute >= minute);
        }
        let window = windows.entry(owner).or_insert_with(|| Window::new(minute));
        if window.minute < minute {
            *window = Window { exchange: Arc::clone(&window.exchange), ..Window::new(minute) };
        }
        work(window)
    }

    /// Whose blocks of this minute nobody used for so long.
    fn idle(&self, minute: Minute, idle: Duration) -> Vec<Owner> {
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let is_idle =
            |window: &Window| window.minute == minute && window.left > 0 && window.used_at.elapsed() >= idle;
        windows.iter().filter(|(_, window)| is_idle(window)).map(|(owner, _)| *owner).collect()
    }
}

impl Window {
    fn new(minute: Minute) -> Window {
        let exchange = Arc::default();
        Window {
            minute,
            taken: 0,
            left: 0,
            used_at: Instant::now(),
            exhausted_at: None,
            is_scarce: false,
            exchange,
        }
    }

    /// Whether the next request can be answered without asking the database.
    fn is_decided(&self) -> bool {
        self.left > 0 || self.exhausted_at.is_some_and(|at| at.elapsed() < EXHAUSTED_FOR)
    }

    /// Counts a request.
    fn spend(&mut self, limit: u32, now: Timestamp) -> Allowance {
        let is_allowed = self.left > 0;
        self.left = self.left.saturating_sub(1);
        self.used_at = Instant::now();
        let remaining = limit.saturating_sub(self.taken) + self.left;
        Allowance { is_allowed, limit, remaining, reset_seconds: Minute::seconds_left(now) }
    }

    /// The rest of the minute is all ours; a limit that was raised meanwhile counts at once.
    fn take_rest(&mut self, limit: u32) {
        self.left = limit.saturating_sub(self.taken);
        self.taken = self.taken.max(limit);
    }

    /// Takes in what the database gave, or that it had nothing left to give.
    fn take_in(&mut self, block: Option<Block>, limit: u32) {
        match block {
            Some(block) => {
                self.left += block.size;
                (self.taken, self.exhausted_at) = (block.taken, None);
            }
            None => (self.taken, self.exhausted_at) = (limit, Some(Instant::now())),
        }
    }
}

/// A part of the minute that the database gave to this process.
#[derive(Clone, Copy, Debug)]
struct Block {
    size: u32,
    /// What all processes have taken with it.
    taken: u32,
}

/// How large a block to take: a small share of the limit, smaller towards its end.
fn block_size(limit: u32, taken: u32) -> u32 {
    (limit / BLOCK_SHARE).min(limit.saturating_sub(taken) / 8).max(1)
}

impl Service {
    /// Counts a request against the account's minute.
    #[crate::boxed]
    pub async fn spend_request(&self, owner: Owner, limit: u32, now: Timestamp) -> Result<Allowance, Error> {
        let (rates, minute) = (&self.0.rates, Minute::of(now));
        let spent = rates.with(owner, minute, |window| {
            if window.left == 0 && !rates.is_shared {
                window.take_rest(limit);
                return Ok(window.spend(limit, now));
            }
            if window.is_decided() { Ok(window.spend(limit, now)) } else { Err(Arc::clone(&window.exchange)) }
        });
        match spent {
            Ok(allowance) => Ok(allowance),
            Err(exchange) => {
                let _turn = exchange.lock().await;
                self.spend_of_block(owner, limit, now).await
            }
        }
    }

    /// Counts a request, and takes a block for it unless another request did so while this one waited its turn.
    async fn spend_of_block(&self, owner: Owner, limit: u32, now: Timestamp) -> Result<Allowance, Error> {
        let (rates, minute) = (&self.0.rates, Minute::of(now));
        let spent = rates.with(owner, minute, |window| {
            if window.is_decided() {
                return Ok(window.spend(limit, now));
            }
            Err((if window.is_scarce { 1 } else { block_size(limit, window.taken) }, window.is_scarce))
        });
        let (size, is_scarce) = match spent {
            Ok(allowance) => return Ok(allowance),
            Err(wanted) => wanted,
        };
        let mut block = self.take_block(owner, minute, size, limit).await?;
        if block.is_none() && size > 1 {
            block = self.take_block(owner, minute, 1, limit).await?;
        }
        if block.is_none() && !is_scarce {
            block = self.recall(owner, minute, limit).await?;
        }
        Ok(rates.with(owner, minute, |window| {
            window.take_in(block, limit);
            window.spend(limit, now)
        }))
    }

    async fn take_block(
        &self,
        owner: Owner,
        minute: Minute,
        size: u32,
        limit: u32,
    ) -> Result<Option<Block>, Error> {
        self.0
            .store
            .write((owner, minute, size, limit), |tx, &(owner, minute, size, limit)| {
                Box::pin(async move {
                    let taken = limits::take(tx, owner, minute, size, limit).await?;
                    Ok(taken.map(|taken| Block { size, taken }))
                })
            })
            .await
    }

    /// Asks all processes for what they hold of a minute of which nothing is left, and takes one of it. This
    /// happens once a minute in each process: from then on everybody takes one by one.
    async fn recall(&self, owner: Owner, minute: Minute, limit: u32) -> Result<Option<Block>, Error> {
        self.0.rates.with(owner, minute, |window| window.is_scarce = true);
        self.0
            .store
            .write(owner, |tx, (account, mode)| {
                Box::pin(async move { Ok::<_, Error>(tx.say(&format!("{RECALL} {account} {mode}")).await?) })
            })
            .await?;
        for _ in 0..RECALL_LOOKS {
            tokio::time::sleep(RECALL_WAIT).await;
            if let Some(block) = self.take_block(owner, minute, 1, limit).await? {
                return Ok(Some(block));
            }
        }
        Ok(None)
    }

    /// Hears what another process says: it may ask for what this one holds of a minute.
    pub(crate) async fn hear(&self, word: &str) -> Result<(), Error> {
        let mut words = word.split(' ');
        let is_recall = words.next() == Some(RECALL);
        let owner = words.next().and_then(AccountId::parse).zip(words.next().and_then(Mode::parse));
        let Some(owner) = owner.filter(|_| is_recall) else { return Ok(()) };
        let minute = Minute::of(self.now());
        let holds = self.0.rates.with(owner, minute, |window| {
            window.is_scarce = true;
            window.left > 0
        });
        if holds { self.give_back_block(owner, minute).await } else { Ok(()) }
    }

    /// Gives back what this process took of the present minute and leaves unused; called every second.
    #[crate::boxed]
    pub async fn give_back_requests(&self, is_ending: bool) -> Result<(), Error> {
        let rates = &self.0.rates;
        if !rates.is_shared {
            return Ok(());
        }
        let minute = Minute::of(self.now());
        for owner in rates.idle(minute, if is_ending { Duration::ZERO } else { IDLE }) {
            self.give_back_block(owner, minute).await?;
        }
        Ok(())
    }

    async fn give_back_block(&self, owner: Owner, minute: Minute) -> Result<(), Error> {
        let rates = &self.0.rates;
        let exchange = rates.with(owner, minute, |window| Arc::clone(&window.exchange));
        let _turn = exchange.lock().await;
        let unused = rates.with(owner, minute, |window| {
            let is_over = window.minute != minute;
            let unused = if is_over { 0 } else { std::mem::take(&mut window.left) };
            window.taken = window.taken.saturating_sub(unused);
            unused
        });
        self.0
            .store
            .write((owner, minute, unused), |tx, &(owner, minute, unused)| {
                Box::pin(async move { Ok(limits::give_back(tx, owner, minute, unused).await?) })
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_shrink_towards_the_end_of_the_minute() {
        assert_eq!(block_size(600, 0), 10);
        assert_eq!(block_size(600, 540), 7);
        assert_eq!(block_size(600, 599), 1);
        assert_eq!(block_size(600, 600), 1);
        assert_eq!(block_size(30, 0), 1);
    }
}
