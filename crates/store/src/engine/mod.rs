//! The two engines behind one interface. Nothing outside this folder names them.

pub(crate) mod postgres;
pub(crate) mod sqlite;
pub(crate) mod writer;

use std::ops::{Deref, DerefMut};

use crate::error::Error;
use crate::row::FromRow;
use crate::sql::Sql;
use crate::wake::{Topic, Topics};

/// A connection that runs statements.
#[derive(Debug)]
pub struct Db {
    pub(crate) connection: Connection,
    /// A statement failed since the transaction began, so it must not be committed.
    pub(crate) has_failed: bool,
}

#[derive(Debug)]
pub(crate) enum Connection {
    Sqlite(sqlite::Connection),
}

impl Db {
    pub(crate) fn new(connection: Connection) -> Db {
        Db { connection, has_failed: false }
    }

    /// Runs a statement and says how many rows it touched or returned.
    pub async fn execute(&mut self, statement: Sql<'_>) -> Result<u64, Error> {
        let outcome = match &mut self.connection {
            Connection::Sqlite(connection) => connection.execute(&statement),
        };
        self.noting_failure(outcome)
    }

    /// The first row, if there is any.
    pub async fn one<T: FromRow>(&mut self, statement: Sql<'_>) -> Result<Option<T>, Error> {
        let outcome = match &mut self.connection {
            Connection::Sqlite(connection) => connection.one(&statement),
        };
        self.noting_failure(outcome)
    }

    /// All rows. The statement bounds their number.
    pub async fn all<T: FromRow>(&mut self, statement: Sql<'_>) -> Result<Vec<T>, Error> {
        let outcome = match &mut self.connection {
            Connection::Sqlite(connection) => connection.all(&statement),
        };
        self.noting_failure(outcome)
    }

    /// Runs statements that do not depend on each other, in one round trip where the engine has round trips,
    /// and says how many rows each touched.
    pub async fn execute_all(&mut self, statements: Vec<Sql<'_>>) -> Result<Vec<u64>, Error> {
        let outcome = match &mut self.connection {
            Connection::Sqlite(connection) => {
                statements.iter().map(|statement| connection.execute(statement)).collect()
            }
        };
        self.noting_failure(outcome)
    }

    /// Ends a SELECT that takes work from a queue, so that two workers do not wait for each other's rows.
    pub fn skip_locked(&self) -> &'static str {
        match &self.connection {
            // There is one writer, so nobody else can hold a row.
            Connection::Sqlite(_) => "",
        }
    }

    pub(crate) fn is_postgres(&self) -> bool {
        match &self.connection {
            Connection::Sqlite(_) => false,
        }
    }

    /// Runs a script of statements without values.
    pub(crate) async fn batch(&mut self, text: &str) -> Result<(), Error> {
        match &mut self.connection {
            Connection::Sqlite(connection) => connection.batch(text),
        }
    }

    pub(crate) async fn has_table(&mut self, name: &str) -> Result<bool, Error> {
        let statement = match &self.connection {
            Connection::Sqlite(_) => {
                crate::sql("SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = $1").bind(name)
            }
        };
        Ok(self.one::<i64>(statement).await?.is_some_and(|count| count > 0))
    }

    /// Opens a transaction that no other process can open at the same time.
    pub(crate) async fn begin_migration(&mut self) -> Result<(), Error> {
        match &mut self.connection {
            Connection::Sqlite(connection) => connection.control("BEGIN IMMEDIATE"),
        }
    }

    pub(crate) async fn commit_migration(&mut self) -> Result<(), Error> {
        match &mut self.connection {
            Connection::Sqlite(connection) => connection.control("COMMIT"),
        }
    }

    /// Undoes a step that failed, of which the caller is told already.
    pub(crate) async fn rollback_migration(&mut self) {
        match &mut self.connection {
            Connection::Sqlite(connection) => drop(connection.control("ROLLBACK")),
        }
    }

    fn noting_failure<T>(&mut self, outcome: Result<T, Error>) -> Result<T, Error> {
        if outcome.is_err() {
            self.has_failed = true;
        }
        outcome
    }
}

/// An open write transaction.
#[derive(Debug)]
pub struct Tx {
    pub(crate) db: Db,
    pub(crate) woken: Topics,
}

impl Tx {
    pub(crate) fn new(db: Db) -> Tx {
        Tx { db, woken: Topics::default() }
    }

    /// Wakes the topic's subscribers in all processes once this transaction is committed.
    pub fn wake(&mut self, topic: Topic) {
        self.woken.add(topic);
    }

    /// Takes a lock that ends with this transaction. False: another transaction that is still running holds
    /// it. Always true on SQLite, where writes run one after the other.
    pub async fn try_lock(&mut self, _key: i64) -> Result<bool, Error> {
        match &mut self.db.connection {
            Connection::Sqlite(_) => Ok(true),
        }
    }
}

impl Deref for Tx {
    type Target = Db;

    fn deref(&self) -> &Db {
        &self.db
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut Db {
        &mut self.db
    }
}
