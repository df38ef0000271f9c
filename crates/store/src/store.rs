//! The open database.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use jiff::Timestamp;

use crate::engine::{Db, Tx, postgres, sqlite};
use crate::error::Error;
use crate::location::{Location, Options};
use crate::migrate::{self, Migration};
use crate::pool::Lent;
use crate::sql::sql;
use crate::wake::{Bell, Topic, Wakeups, Words};

/// An open database. Clones share it.
#[derive(Debug, Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    database: Database,
    bell: Arc<Bell>,
    migrations: &'static [Migration],
}

#[derive(Debug)]
enum Database {
    Sqlite(sqlite::Database),
    Postgres(Box<postgres::Database>),
}

impl Store {
    /// Opens the database, creates it when it is a file that does not exist, and brings its schema up to date
    /// unless told not to.
    pub async fn open(location: &Location, options: Options, now: Timestamp) -> Result<Store, Error> {
        let bell = Arc::new(Bell::default());
        let migrations = options.migrations;
        let database = match location {
            Location::Sqlite(path) => {
                let opened = sqlite::Database::open(path.clone(), options, now, Arc::clone(&bell));
                Database::Sqlite(opened.await?)
            }
            Location::Postgres(url) => {
                Database::Postgres(Box::new(postgres::Database::open(url, options, now).await?))
            }
        };
        Ok(Store { inner: Arc::new(Inner { database, bell, migrations }) })
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
        match &self.inner.database {
            Database::Sqlite(database) => database.write(input, work).await,
            Database::Postgres(database) => Box::pin(database.write(input, work)).await,
        }
    }

    /// For bounded point reads (a few rows through an index), which run inline on SQLite.
    pub async fn read(&self) -> Result<Lent, Error> {
        match &self.inner.database {
            Database::Sqlite(database) => database.read().await,
            Database::Postgres(database) => Box::pin(database.read()).await,
        }
    }

    /// For a page of a list (one statement, about 100 rows through an index): off the async threads, because a page
    /// that is not in memory keeps its thread waiting for the disk, and with it everybody else's requests.
    pub async fn page<I, T, E, F>(&self, input: I, work: F) -> Result<T, E>
    where
        F: for<'t> Fn(&'t mut Db, &'t I) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        I: Send + Sync + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match &self.inner.database {
            Database::Sqlite(database) => database.page(input, work).await,
            Database::Postgres(database) => work(&mut *database.read().await?, &input).await,
        }
    }

    /// For long reads: off the async threads, on one snapshot.
    pub async fn scan<I, T, E, F>(&self, input: I, work: F) -> Result<T, E>
    where
        F: for<'t> Fn(&'t mut Db, &'t I) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        I: Send + Sync + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match &self.inner.database {
            Database::Sqlite(database) => database.scan(input, work).await,
            Database::Postgres(database) => Box::pin(database.scan(input, work)).await,
        }
    }

    /// Removes the last traces of deleted rows from the database's own files, as far as that is ours to do: a
    /// PostgreSQL server does it in its own time. False: it was not possible right now.
    pub async fn scrub(&self) -> Result<bool, Error> {
        match &self.inner.database {
            Database::Sqlite(database) => database.scrub().await,
            Database::Postgres(_) => Ok(true),
        }
    }

    /// Succeeds when the database answers.
    pub async fn ping(&self) -> Result<(), Error> {
        self.read().await?.one::<i64>(sql("SELECT 1")).await.map(drop)
    }

    /// Whether the schema is the one that this program knows.
    pub async fn is_current(&self) -> Result<bool, Error> {
        migrate::is_current(&mut *self.read().await?, self.inner.migrations).await
    }

    /// Whether an open database still has what this program knows. A newer program that was started meanwhile may
    /// have added to it; migrations keep what the version before needs, so that processes can be replaced one after
    /// the other.
    pub async fn has_schema(&self) -> Result<bool, Error> {
        match self.is_current().await {
            Err(Error::NewerSchema { .. }) => Ok(true),
            other => other,
        }
    }

    /// The engine's name for the log.
    pub fn engine_name(&self) -> &'static str {
        match &self.inner.database {
            Database::Sqlite(_) => "sqlite",
            Database::Postgres(_) => "postgres",
        }
    }

    /// Wake-ups of one topic from now on. A connection that was lost shows as one wake-up too many.
    pub fn subscribe(&self, topic: Topic) -> Wakeups {
        if let Database::Postgres(database) = &self.inner.database {
            database.listen(&self.inner.bell);
        }
        self.inner.bell.subscribe(topic)
    }

    /// Words that processes say from now on, see [`Tx::say`].
    pub fn words(&self) -> Words {
        if let Database::Postgres(database) = &self.inner.database {
            database.listen(&self.inner.bell);
        }
        self.inner.bell.words()
    }
}
