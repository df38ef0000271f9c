//! Group commit on PostgreSQL.
//!
//! A commit normally keeps its row locks until its log is on disk, so writes to one hot row, such as a busy
//! account's balance, go at the pace of the disk. Here a commit does not wait for the disk itself; before
//! anybody is answered, one flush on a connection of its own makes everything committed so far durable.
//! PostgreSQL's log is sequential, so a flushed record has everything before it flushed too, and all who wait
//! share one flush. What another request reads in between may be up to one flush younger than the disk; what
//! it writes in consequence is answered only after a later flush, so no acknowledgement is ever lost.
//!
//! A flush counts only on a connection that was open before the commit: one that was opened later could
//! belong to a server that has crashed and started again without it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;

use super::Session;
use super::connect::{Address, Commit};
use crate::error::Error;
use crate::sql::sql;

/// Writes the smallest record that a commit must wait for.
const RECORD: &str = "SELECT pg_logical_emit_message(true, 'tickmark', '')";

/// Hands out the connection that flushes.
#[derive(Debug, Default)]
pub(super) struct Flusher {
    current: Mutex<Option<Arc<Flush>>>,
}

impl Flusher {
    /// The connection to flush on, to be asked for before the commit.
    pub(super) async fn ready(&self, address: &Address) -> Result<Arc<Flush>, Error> {
        // One connects for all; when that takes long, the others do not queue up to try it in turn.
        let Ok(mut current) = tokio::time::timeout(address.wait_max(), self.current.lock()).await else {
            return Err(Error::unavailable("the database does not answer"));
        };
        if let Some(flush) = current.as_ref().filter(|flush| flush.is_alive()) {
            return Ok(Arc::clone(flush));
        }
        let flushed = Flushed { session: address.session(Commit::Durable).await?, tickets: 0 };
        let flush = Arc::new(Flush { tickets: AtomicU64::new(0), flushed: Mutex::new(flushed) });
        *current = Some(Arc::clone(&flush));
        Ok(flush)
    }
}

/// One connection that makes commits durable.
#[derive(Debug)]
pub(super) struct Flush {
    /// How many have asked for a flush.
    tickets: AtomicU64,
    /// Whoever holds the lock flushes for all who have asked by then.
    flushed: Mutex<Flushed>,
}

#[derive(Debug)]
struct Flushed {
    session: Session,
    /// How many of those who asked have what they asked for.
    tickets: u64,
}

impl Flush {
    /// Returns when everything that was committed before the call is on disk.
    pub(super) async fn flush(&self) -> Result<(), Error> {
        let ticket = self.tickets.fetch_add(1, Ordering::SeqCst) + 1;
        let mut flushed = self.flushed.lock().await;
        if flushed.tickets < ticket {
            if !flushed.session.is_alive() {
                return Err(Error::unavailable(
                    "the database was lost before the commit was known to be on disk",
                ));
            }
            let asked = self.tickets.load(Ordering::SeqCst);
            flushed.session.execute(&sql(RECORD)).await?;
            flushed.tickets = asked;
        }
        Ok(())
    }

    fn is_alive(&self) -> bool {
        // Whoever holds the lock is using the connection and will see for himself.
        self.flushed.try_lock().map_or(true, |flushed| flushed.session.is_alive())
    }
}
