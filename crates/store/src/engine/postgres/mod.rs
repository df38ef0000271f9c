//! PostgreSQL: a server with a pool of connections.

mod codec;
mod collate;
mod connect;
mod flush;
mod listen;
mod session;
mod tls;

use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

pub(crate) use codec::{bool, float, int, text};
pub(super) use collate::with_c_collation;
use connect::{Address, Commit};
use flush::Flusher;
pub(super) use session::Session;

use super::{Connection, Db, Tx, went_on_after_failure};
use crate::error::Error;
use crate::location::{Options, SCANNERS};
use crate::migrate;
use crate::pool::{Lent, Pool};
use crate::wake::Bell;

/// How often work is run again when transactions get in each other's way.
const RERUNS_MAX: u32 = 20;
const PAUSE_MIN: Duration = Duration::from_millis(2);
const PAUSE_MAX: Duration = Duration::from_millis(250);

/// A server that was reached at least once.
#[derive(Debug)]
pub(crate) struct Database {
    address: Address,
    connections: Arc<Pool>,
    scanners: Arc<Pool>,
    /// Absent where the server does not let us flush; then each commit waits for the disk itself.
    flusher: Option<Flusher>,
    runtime: Handle,
    listener: OnceLock<JoinHandle<()>>,
}

impl Database {
    pub(crate) async fn open(url: &str, options: Options, now: Timestamp) -> Result<Database, Error> {
        let address = Address::parse(url, &options)?;
        let database = Database {
            flusher: flusher(&address).await?,
            address,
            connections: Pool::new(options.readers, options.wait_max),
            scanners: Pool::new(SCANNERS, options.wait_max),
            runtime: Handle::current(),
            listener: OnceLock::new(),
        };
        migrate::prepare(&mut *database.read().await?, &options, now).await?;
        Ok(database)
    }

    pub(crate) async fn write<I, T, E, F>(&self, input: I, work: F) -> Result<T, E>
    where
        F: for<'t> Fn(&'t mut Tx, &'t I) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        I: Send + Sync + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let mut pause = PAUSE_MIN;
        for _ in 0..RERUNS_MAX {
            let flush = match &self.flusher {
                Some(flusher) => Some(flusher.ready(&self.address).await?),
                None => None,
            };
            let mut tx = Tx::new(self.read().await?);
            tx.session().begin("BEGIN");
            let outcome = work(&mut tx, &input).await;
            let finished = tx.finish(outcome).await;
            // The connection can serve another while this one waits for the disk.
            drop(tx);
            if let (Some(Ok(_)), Some(flush)) = (&finished, flush) {
                flush.flush().await?;
            }
            if let Some(outcome) = finished {
                return outcome;
            }
            // Those who met once must not meet again after equal pauses.
            tokio::time::sleep(pause.mul_f64(jitter())).await;
            pause = (pause * 2).min(PAUSE_MAX);
        }
        Err(E::from(Error::unavailable("too many transactions got in each other's way")))
    }

    /// Outside a transaction a statement sees what was committed before it.
    pub(crate) async fn read(&self) -> Result<Lent, Error> {
        self.lend(&self.connections).await
    }

    pub(crate) async fn scan<I, T, E, F>(&self, input: I, work: F) -> Result<T, E>
    where
        F: for<'t> Fn(&'t mut Db, &'t I) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        I: Send + Sync + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let mut lent = self.lend(&self.scanners).await?;
        lent.session().begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        work(&mut lent, &input).await
    }

    /// Begins to hear wake-ups of other processes, once.
    pub(crate) fn listen(&self, bell: &Arc<Bell>) {
        self.listener
            .get_or_init(|| self.runtime.spawn(listen::listen(self.address.clone(), Arc::clone(bell))));
    }

    async fn lend(&self, pool: &Arc<Pool>) -> Result<Lent, Error> {
        pool.lend(async || {
            let commit = if self.flusher.is_some() { Commit::Deferred } else { Commit::Durable };
            let session = self.address.session(commit).await?;
            Ok(Db::new(Connection::Postgres(Box::new(session))))
        })
        .await
    }
}

/// Between a half and one and a half.
#[expect(clippy::cast_precision_loss, reason = "any number will do")]
fn jitter() -> f64 {
    0.5 + RandomState::new().hash_one(()) as f64 / u64::MAX as f64
}

/// Tries whether this server lets us flush.
async fn flusher(address: &Address) -> Result<Option<Flusher>, Error> {
    let flusher = Flusher::default();
    match flusher.ready(address).await?.flush().await {
        Ok(()) => Ok(Some(flusher)),
        Err(Error::Driver(error)) => {
            tracing::warn!(%error, "commits cannot be grouped on this server");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(listener) = self.listener.get() {
            listener.abort();
        }
    }
}

impl Tx {
    /// Ends the transaction as the outcome says. `None`: it was undone and has to be run again.
    async fn finish<T, E: From<Error>>(&mut self, outcome: Result<T, E>) -> Option<Result<T, E>> {
        let has_failed = self.has_failed;
        let outcome = match outcome {
            Ok(_) if has_failed => Err(E::from(went_on_after_failure())),
            outcome => outcome,
        };
        let topics = self.woken;
        let session = self.session();
        match outcome {
            Ok(value) => match session.commit(topics).await {
                Ok(()) => Some(Ok(value)),
                Err(_) if session.wants_rerun() => None,
                Err(error) => Some(Err(E::from(error))),
            },
            Err(error) => {
                session.rollback().await;
                if session.wants_rerun() { None } else { Some(Err(error)) }
            }
        }
    }
}

impl Db {
    fn session(&mut self) -> &mut Session {
        match &mut self.connection {
            Connection::Postgres(session) => session,
            Connection::Sqlite(_) => unreachable!("this pool only ever holds PostgreSQL connections"),
        }
    }
}
