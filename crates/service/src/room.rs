//! Room for files: how much of it an account may fill with what nobody uses yet, and how much stays free.
//!
//! What an account has waiting is counted in the database now and then and in memory between, each process for
//! itself: a bound against filling the disk, not an account of bytes.

use crate::{Error, Service};
use domain::account::Owner;
use domain::id::AccountId;
use domain::refusal::Refusal;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::files;

/// How much may be kept.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Bytes of an account's files that no paper or submission uses yet, those included that have not come.
    pub unused_bytes_max: u64,
    /// How many such files.
    pub unused_files_max: u64,
    /// Bytes of the disk that stay free.
    pub free_bytes_min: u64,
    /// A small disk keeps only this part of itself free: a twentieth.
    pub free_part: u64,
}

impl Default for Room {
    fn default() -> Room {
        Room { unused_bytes_max: 20 << 30, unused_files_max: 20_000, free_bytes_min: 1 << 30, free_part: 20 }
    }
}

/// How long a count is gone on with before the database is asked again.
const COUNTED_FOR: Duration = Duration::from_secs(10);
/// Accounts whose counts are remembered at most; then all are counted anew.
const ACCOUNTS_MAX: usize = 10_000;

/// What accounts have waiting.
#[derive(Debug, Default)]
pub(crate) struct Unused(Mutex<HashMap<AccountId, Count>>);

#[derive(Clone, Copy, Debug)]
struct Count {
    files: u64,
    bytes: u64,
    counted_at: Instant,
}

impl Unused {
    fn get(&self, account: AccountId) -> Option<Count> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(&account).copied().filter(|count| count.counted_at.elapsed() < COUNTED_FOR)
    }

    fn set(&self, account: AccountId, count: Count) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= ACCOUNTS_MAX {
            counts.clear();
        }
        counts.insert(account, count);
    }
}

impl Service {
    /// Why a file of this size cannot be registered, if it cannot.
    pub(crate) async fn no_room_for(&self, owner: Owner, size_bytes: u64) -> Result<Option<Refusal>, Error> {
        if !self.has_free_space() {
            return Ok(Some(Refusal::NoRoom));
        }
        let count = match self.0.unused.get(owner.0) {
            Some(count) => count,
            None => {
                let (files, bytes) = files::unused(&mut *self.0.store.read().await?, owner.0).await?;
                Count { files, bytes, counted_at: Instant::now() }
            }
        };
        let Room { unused_bytes_max, unused_files_max, .. } = self.0.room;
        let with_it = Count { files: count.files + 1, bytes: count.bytes + size_bytes, ..count };
        if with_it.files > unused_files_max || with_it.bytes > unused_bytes_max {
            // What was used since is seen at the next count.
            self.0.unused.set(owner.0, count);
            return Ok(Some(Refusal::TooMuchUnused {
                bytes_max: unused_bytes_max,
                files_max: unused_files_max,
            }));
        }
        self.0.unused.set(owner.0, with_it);
        Ok(None)
    }

    /// True when there is room for bytes to come.
    pub(crate) fn has_free_space(&self) -> bool {
        let Room { free_bytes_min, free_part, .. } = self.0.room;
        let is_enough = |(free, whole): (u64, u64)| free >= free_bytes_min.min(whole / free_part.max(1));
        free_and_whole(self.0.blobs.folder()).is_none_or(is_enough)
    }
}

/// The free bytes and all bytes of the disk that a folder lies on; `None` where that cannot be told.
fn free_and_whole(folder: &Path) -> Option<(u64, u64)> {
    let system = rustix::fs::statvfs(folder).ok()?;
    let bytes = |blocks: u64| blocks.saturating_mul(system.f_frsize);
    Some((bytes(system.f_bavail), bytes(system.f_blocks)))
}
