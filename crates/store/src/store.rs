//! The open database.

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use jiff::Timestamp;

use crate::engine::writer::Writer;
use crate::engine::{Connection, Db, Tx, sqlite};
use crate::error::Error;
use crate::location::{Location, Options};
use crate::migrate;
use crate::pool::{Pool, Reading};
use crate::wake::{Bell, Topic, Wakeups};

/// An open database. Clones share it.
#[derive(Debug, Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    options: Options,
    writer: Writer,
    readers: Arc<Pool>,
    scanners: Arc<Pool>,
    bell: Arc<Bell>,
}

/// Long reads at once; they have connections of their own, so that they never hold up a point read.
const SCANNERS: usize = 2;

impl Store {
    /// Opens the database, creates it when it is a file that does not exist, and brings its schema up to date
    /// unless told not to.
    pub async fn open(location: &Location, options: Options, now: Timestamp) -> Result<Store, Error> {
        let Location::Sqlite(path) = location else {
            return Err(Error::unavailable("PostgreSQL is not there yet"));
        };
        let path = path.clone();
        off_thread(move || {
            let mut db = open_sqlite(&path, sqlite::Role::Writer, &options)?;
            if options.migrate {
                at_once(migrate::run(&mut db, options.migrations, now))?;
            } else {
                at_once(migrate::is_current(&mut db, options.migrations))?;
            }
            let bell = Arc::new(Bell::default());
            let writer = Writer::start(Tx::new(db), &options, Arc::clone(&bell))?;
            let readers = Pool::new(options.readers, options.wait_max);
            let scanners = Pool::new(SCANNERS, options.wait_max);
            Ok(Store { inner: Arc::new(Inner { path, options, writer, readers, scanners, bell }) })
        })
        .await
    }

    /// The one way to write. `work` holds the whole use case, is run in one transaction, and is answered when
    /// that is committed. It only borrows `input` and does nothing but the transaction, because it is run
    /// again when the database asks for that. An error that it returns undoes everything.
    pub async fn write<I, T, E, F>(&self, input: I, work: F) -> Result<T, E>
    where
        F: for<'t> Fn(&'t mut Tx, &'t I) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        I: Send + Sync + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.inner.writer.run(input, work).await
    }

    /// For bounded point reads and list pages (at most about 100 rows through an index).
    pub async fn read(&self) -> Result<Reading, Error> {
        self.reading(&self.inner.readers).await
    }

    /// For long reads: off the async threads, on one snapshot.
    pub async fn scan<I, T, E, F>(&self, input: I, work: F) -> Result<T, E>
    where
        F: for<'t> Fn(&'t mut Db, &'t I) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        I: Send + Sync + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let mut reading = self.reading(&self.inner.scanners).await?;
        off_thread(move || {
            let Connection::Sqlite(connection) = &reading.connection;
            connection.control("BEGIN")?;
            let outcome = at_once(work(&mut reading, &input));
            let Connection::Sqlite(connection) = &reading.connection;
            connection.control("COMMIT")?;
            outcome
        })
        .await
    }

    /// Succeeds when the database answers.
    pub async fn ping(&self) -> Result<(), Error> {
        self.read().await?.one::<i64>(crate::sql("SELECT 1")).await.map(drop)
    }

    /// Whether the schema is the one that this program knows.
    pub async fn is_current(&self) -> Result<bool, Error> {
        migrate::is_current(&mut *self.read().await?, self.inner.options.migrations).await
    }

    /// The engine's name for the log.
    pub fn engine_name(&self) -> &'static str {
        "sqlite"
    }

    /// Wake-ups of one topic from now on.
    pub fn subscribe(&self, topic: Topic) -> Wakeups {
        self.inner.bell.subscribe(topic)
    }

    async fn reading(&self, pool: &Arc<Pool>) -> Result<Reading, Error> {
        let permit = pool.permit().await?;
        let db = match pool.idle() {
            Some(db) => db,
            None => open_sqlite(&self.inner.path, sqlite::Role::Reader, &self.inner.options)?,
        };
        Ok(Reading::new(db, Arc::clone(pool), permit))
    }
}

fn open_sqlite(path: &Path, role: sqlite::Role, options: &Options) -> Result<Db, Error> {
    Ok(Db::new(Connection::Sqlite(sqlite::Connection::open(path, role, options.wait_max)?)))
}

/// Runs a future that never waits, as all are on SQLite.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("nothing waits on SQLite")
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
