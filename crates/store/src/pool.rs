//! Connections that are lent out one at a time and come back by themselves.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::engine::Db;
use crate::error::Error;

/// A bounded set of connections. The one used last is lent first, because its caches are warm.
#[derive(Debug)]
pub(crate) struct Pool {
    idle: Mutex<Vec<Db>>,
    permits: Arc<Semaphore>,
    wait_max: Duration,
}

impl Pool {
    pub(crate) fn new(connections_max: usize, wait_max: Duration) -> Arc<Pool> {
        let permits = Arc::new(Semaphore::new(connections_max.max(1)));
        Arc::new(Pool { idle: Mutex::new(Vec::new()), permits, wait_max })
    }

    /// Waits for the right to use a connection.
    pub(crate) async fn permit(&self) -> Result<OwnedSemaphorePermit, Error> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return Ok(permit);
        }
        let waited = tokio::time::timeout(self.wait_max, Arc::clone(&self.permits).acquire_owned()).await;
        match waited {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(closed)) => Err(Error::unavailable(closed)),
            Err(_) => Err(Error::unavailable("all connections are busy")),
        }
    }

    /// A connection that came back, if there is any.
    pub(crate) fn idle(&self) -> Option<Db> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn give_back(&self, db: Db) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(db);
    }
}

/// A connection for reading. It goes back when this is dropped.
#[derive(Debug)]
pub struct Reading {
    /// Empty only while this is being dropped.
    db: Option<Db>,
    pool: Arc<Pool>,
    _permit: OwnedSemaphorePermit,
}

impl Reading {
    pub(crate) fn new(db: Db, pool: Arc<Pool>, permit: OwnedSemaphorePermit) -> Reading {
        Reading { db: Some(db), pool, _permit: permit }
    }
}

impl Deref for Reading {
    type Target = Db;

    fn deref(&self) -> &Db {
        self.db.as_ref().expect("the connection stays until the guard is dropped")
    }
}

impl DerefMut for Reading {
    fn deref_mut(&mut self) -> &mut Db {
        self.db.as_mut().expect("the connection stays until the guard is dropped")
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        if let Some(db) = self.db.take() {
            self.pool.give_back(db);
        }
    }
}
