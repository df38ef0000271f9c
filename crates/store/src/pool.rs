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

    /// Lends a connection: one that came back, or else a new one from `connect`.
    pub(crate) async fn lend<C>(self: &Arc<Pool>, connect: impl FnOnce() -> C) -> Result<Lent, Error>
    where
        C: Future<Output = Result<Db, Error>>,
    {
        let permit = self.permit().await?;
        let db = match self.idle() {
            Some(db) => db,
            None => connect().await?,
        };
        Ok(Lent { db: Some(db), home: Some((Arc::clone(self), permit)) })
    }

    /// Waits for the right to use a connection.
    async fn permit(&self) -> Result<OwnedSemaphorePermit, Error> {
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

    /// A connection that came back and still works, if there is any.
    fn idle(&self) -> Option<Db> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| idle.pop()).find(Db::is_alive)
    }

    fn give_back(&self, mut db: Db) {
        if db.reset() {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(db);
        }
    }
}

/// A connection that goes back where it came from when this is dropped, whatever it was doing.
#[derive(Debug)]
pub struct Lent {
    /// Empty only while this is being dropped.
    db: Option<Db>,
    home: Option<(Arc<Pool>, OwnedSemaphorePermit)>,
}

impl Lent {
    /// A connection that belongs to no pool and ends with its owner.
    pub(crate) fn for_good(db: Db) -> Lent {
        Lent { db: Some(db), home: None }
    }
}

impl Deref for Lent {
    type Target = Db;

    fn deref(&self) -> &Db {
        self.db.as_ref().expect("the connection stays until the guard is dropped")
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Db {
        self.db.as_mut().expect("the connection stays until the guard is dropped")
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let (Some(db), Some((pool, _permit))) = (self.db.take(), &self.home) {
            pool.give_back(db);
        }
    }
}
