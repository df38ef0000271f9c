//! SQLite: a file with one writer and a few readers.

mod connection;
mod writer;

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use jiff::Timestamp;

pub(super) use connection::Connection;
use connection::Role;
pub(crate) use connection::{bool, float, int, text};
use writer::Writer;

use super::{Db, Tx};
use crate::error::Error;
use crate::location::{Options, PAGERS, SCANNERS};
use crate::migrate;
use crate::pool::{Lent, Pool};
use crate::wake::Bell;

/// An open file.
#[derive(Debug)]
pub(crate) struct Database {
    path: PathBuf,
    options: Options,
    writer: Writer,
    readers: Arc<Pool>,
    /// Pages of lists have connections of their own, so that they hold up no point read.
    pagers: Arc<Pool>,
    scanners: Arc<Pool>,
}

impl Database {
    pub(crate) async fn open(
        path: PathBuf,
        options: Options,
        now: Timestamp,
        bell: Arc<Bell>,
    ) -> Result<Database, Error> {
        off_thread(move || {
            let db = open_and_prepare(&path, &options, now)?;
            let writer = Writer::start(Tx::new(Lent::for_good(db)), &options, bell)?;
            let readers = Pool::new(options.readers, options.wait_max);
            let pagers = Pool::new(PAGERS, options.wait_max);
            let scanners = Pool::new(SCANNERS, options.wait_max);
            Ok(Database { path, options, writer, readers, pagers, scanners })
        })
        .await
    }

    pub(crate) async fn write<I, T, E, F>(&self, input: I, work: F) -> Result<T, E>
    where
        F: for<'t> Fn(&'t mut Tx, &'t I) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        I: Send + Sync + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.writer.run(input, work).await
    }

    pub(crate) async fn read(&self) -> Result<Lent, Error> {
        self.lend(&self.readers).await
    }

    pub(crate) async fn page<I, T, E, F>(&self, input: I, work: F) -> Result<T, E>
    where
        F: for<'t> Fn(&'t mut Db, &'t I) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        I: Send + Sync + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let mut lent = self.lend(&self.pagers).await?;
        off_thread(move || at_once(work(&mut lent, &input))).await
    }

    pub(crate) async fn scan<I, T, E, F>(&self, input: I, work: F) -> Result<T, E>
    where
        F: for<'t> Fn(&'t mut Db, &'t I) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        I: Send + Sync + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let mut lent = self.lend(&self.scanners).await?;
        off_thread(move || {
            // The snapshot ends when the connection is given back.
            at_once(lent.batch("BEGIN"))?;
            at_once(work(&mut lent, &input))
        })
        .await
    }

    /// Empties the log, which still holds what was deleted from the file. False: somebody reads from it.
    pub(crate) async fn scrub(&self) -> Result<bool, Error> {
        let (path, wait_max) = (self.path.clone(), self.options.wait_max);
        off_thread(move || Connection::open(&path, Role::Reader, wait_max)?.empty_log()).await
    }

    async fn lend(&self, pool: &Arc<Pool>) -> Result<Lent, Error> {
        pool.lend(async || open(&self.path, Role::Reader, &self.options)).await
    }
}

/// Opens the writer's connection on an up-to-date schema. While another process that starts at the same moment
/// recovers the log, SQLite answers "busy" without waiting, so the waiting is done here.
fn open_and_prepare(path: &Path, options: &Options, now: Timestamp) -> Result<Db, Error> {
    let began = std::time::Instant::now();
    loop {
        let prepared = open(path, Role::Writer, options).and_then(|mut db| {
            at_once(migrate::prepare(&mut db, options, now))?;
            Ok(db)
        });
        match prepared {
            Err(Error::Unavailable(cause))
                if connection::is_busy_cause(&cause) && began.elapsed() < options.wait_max =>
            {
                std::thread::sleep(connection::TRY_AGAIN);
            }
            outcome => return outcome,
        }
    }
}

fn open(path: &Path, role: Role, options: &Options) -> Result<Db, Error> {
    Ok(Db::new(super::Connection::Sqlite(Connection::open(path, role, options.wait_max)?)))
}

/// Runs a future that never waits, as all are on SQLite.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("work on SQLite must never wait for anything but the database")
}

/// Runs blocking work on a thread for it; a panic goes on in the caller.
async fn off_thread<T, E, F>(work: F) -> Result<T, E>
where
    F: FnOnce() -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(cancelled) => Err(E::from(Error::unavailable(cancelled))),
        },
    }
}
