//! The two engines behind one interface. Nothing outside this folder speaks their words.

pub(crate) mod postgres;
pub(crate) mod sqlite;

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::locked::Locked;
use crate::plan::{self, Plan};
use crate::pool::Lent;
use crate::row::FromRow;
use crate::sql::{Sql, sql};
use crate::turns::{self, Moved, Turn};
use crate::wake::{Topic, Topics, WORDS};
use crate::watch::Watch;
use domain::account::Owner;
use jiff::Timestamp;

/// A connection that runs statements.
#[derive(Debug)]
pub struct Db {
    connection: Connection,
    /// A statement failed since the transaction began, so it must not be committed.
    has_failed: bool,
    watch: Watch,
}

/// What waits for PostgreSQL is put aside (`Box::pin`) wherever both engines meet: it is five kilobytes a statement, which
/// every request on SQLite would carry through all its layers otherwise.
#[derive(Debug)]
enum Connection {
    Sqlite(sqlite::Connection),
    Postgres(Box<postgres::Session>),
}

impl Db {
    fn new(connection: Connection) -> Db {
        Db { connection, has_failed: false, watch: Watch::default() }
    }

    /// Runs a statement and says how many rows it touched or returned.
    pub async fn execute(&mut self, statement: Sql<'_>) -> Result<u64, Error> {
        self.note(&statement);
        let outcome = match &mut self.connection {
            Connection::Sqlite(connection) => connection.execute(&statement),
            Connection::Postgres(session) => Box::pin(session.execute(&statement)).await,
        };
        self.noting_failure(outcome)
    }

    /// The first row, if there is any.
    pub async fn one<T: FromRow>(&mut self, statement: Sql<'_>) -> Result<Option<T>, Error> {
        self.note(&statement);
        let outcome = match &mut self.connection {
            Connection::Sqlite(connection) => connection.one(&statement),
            Connection::Postgres(session) => Box::pin(session.one(&statement)).await,
        };
        self.noting_failure(outcome)
    }

    /// All rows. The statement bounds their number.
    pub async fn all<T: FromRow>(&mut self, statement: Sql<'_>) -> Result<Vec<T>, Error> {
        self.note(&statement);
        let outcome = match &mut self.connection {
            Connection::Sqlite(connection) => connection.all(&statement),
            Connection::Postgres(session) => Box::pin(session.all(&statement)).await,
        };
        self.noting_failure(outcome)
    }

    /// The rows of two statements, the second run after the first, in one round trip where the engine has round trips.
    pub async fn both<A: FromRow, B: FromRow>(
        &mut self,
        first: Sql<'_>,
        second: Sql<'_>,
    ) -> Result<(Vec<A>, Vec<B>), Error> {
        self.note(&first);
        self.note(&second);
        let outcome = match &mut self.connection {
            Connection::Sqlite(connection) => {
                connection.all(&first).and_then(|rows| Ok((rows, connection.all(&second)?)))
            }
            Connection::Postgres(session) => Box::pin(session.both(&first, &second)).await,
        };
        self.noting_failure(outcome)
    }

    /// Runs statements that do not depend on each other, in one round trip where the engine has round trips,
    /// and says how many rows each touched.
    pub async fn execute_all(&mut self, statements: Vec<Sql<'_>>) -> Result<Vec<u64>, Error> {
        statements.iter().for_each(|statement| self.note(statement));
        let outcome = match &mut self.connection {
            Connection::Sqlite(connection) => {
                statements.iter().map(|statement| connection.execute(statement)).collect()
            }
            Connection::Postgres(session) => Box::pin(session.execute_all(&statements)).await,
        };
        self.noting_failure(outcome)
    }

    /// Runs a statement of which nobody needs to know how many rows it touched. In a write on PostgreSQL it
    /// travels with the next statement, or else with the commit, and costs no round trip of its own; should
    /// it fail, that one reports it. What is queued after a row was locked keeps the lock short.
    pub async fn queue(&mut self, statement: Sql<'_>) -> Result<(), Error> {
        self.note(&statement);
        let outcome = match &mut self.connection {
            Connection::Sqlite(connection) => connection.execute(&statement).map(drop),
            Connection::Postgres(session) => session.queue(statement).await,
        };
        self.noting_failure(outcome)
    }

    /// Ends a SELECT that takes work from a queue (`LIMIT 1{}`), so that two workers do not wait for each
    /// other's rows.
    pub fn skip_locked(&self) -> &'static str {
        match &self.connection {
            // There is one writer, so nobody else can hold a row.
            Connection::Sqlite(_) => "",
            Connection::Postgres(_) => " FOR UPDATE SKIP LOCKED",
        }
    }

    /// The engine's plan for a statement, which is not run and needs no values bound.
    pub async fn explain(&mut self, text: &str) -> Result<Plan, Error> {
        let steps = match &mut self.connection {
            Connection::Sqlite(connection) => connection.explain(text)?,
            Connection::Postgres(session) => session.explain(text).await?,
        };
        Ok(Plan::new(text, steps))
    }

    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self.connection, Connection::Postgres(_))
    }

    /// Runs a migration's script.
    pub(crate) async fn change_schema(&mut self, text: &str) -> Result<(), Error> {
        match &mut self.connection {
            Connection::Sqlite(connection) => connection.batch(text),
            Connection::Postgres(session) => session.batch(&postgres::with_c_collation(text)).await,
        }
    }

    /// Runs a script of statements without values.
    pub(crate) async fn batch(&mut self, text: &str) -> Result<(), Error> {
        match &mut self.connection {
            Connection::Sqlite(connection) => connection.batch(text),
            Connection::Postgres(session) => session.batch(text).await,
        }
    }

    pub(crate) async fn has_table(&mut self, name: &str) -> Result<bool, Error> {
        let statement = match &self.connection {
            Connection::Sqlite(_) => {
                sql("SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = $1")
            }
            Connection::Postgres(_) => {
                sql("SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1")
            }
        };
        Ok(self.one::<i64>(statement.bind(name)).await?.is_some_and(|count| count > 0))
    }

    /// Opens a transaction that no other process can open at the same time.
    pub(crate) async fn begin_migration(&mut self) -> Result<(), Error> {
        match &mut self.connection {
            Connection::Sqlite(connection) => connection.begin_write(),
            Connection::Postgres(session) => session.begin_migration().await,
        }
    }

    pub(crate) async fn commit_migration(&mut self) -> Result<(), Error> {
        match &mut self.connection {
            Connection::Sqlite(connection) => connection.control("COMMIT"),
            Connection::Postgres(session) => session.commit(Topics::default()).await,
        }
    }

    /// Undoes a step that failed, of which the caller is told already.
    pub(crate) async fn rollback_migration(&mut self) {
        match &mut self.connection {
            Connection::Sqlite(connection) => drop(connection.control("ROLLBACK")),
            Connection::Postgres(session) => session.rollback().await,
        }
    }

    /// Whether the connection still stands.
    pub(crate) fn is_alive(&self) -> bool {
        match &self.connection {
            Connection::Sqlite(_) => true,
            Connection::Postgres(session) => session.is_alive(),
        }
    }

    /// Makes the connection ready for the next borrower. False: it cannot be used again.
    pub(crate) fn reset(&mut self) -> bool {
        self.has_failed = false;
        self.watch.begin();
        match &mut self.connection {
            Connection::Sqlite(connection) => {
                !connection.is_in_transaction() || connection.control("ROLLBACK").is_ok()
            }
            Connection::Postgres(session) => session.reset(),
        }
    }

    /// For tests, which look at the plans of statements and at what transactions lock.
    fn note(&mut self, statement: &Sql<'_>) {
        plan::note(statement);
        self.watch.note(statement);
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
    db: Lent,
    woken: Topics,
    /// Tells this transaction from all others of the process.
    number: u64,
    /// The account's turn, once it was taken.
    turn: Option<Turn>,
}

impl Tx {
    fn new(db: Lent) -> Tx {
        Tx { db, woken: Topics::default(), number: next_number(), turn: None }
    }

    /// Makes the same connection ready for another piece of work.
    fn renew(&mut self) {
        self.db.has_failed = false;
        self.db.watch.begin();
        self.woken = Topics::default();
        self.number = next_number();
        self.turn = None;
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The next time of the account's turn, which must have been taken.
    pub fn time(&mut self) -> Result<Timestamp, Error> {
        self.turn.as_mut().ok_or_else(out_of_turn)?.time()
    }

    /// The clock's time when the turn was taken: when something that follows from it is due.
    pub(crate) fn due(&self) -> Result<Timestamp, Error> {
        self.turn.as_ref().map(Turn::clock).ok_or_else(out_of_turn)
    }

    /// Whatever readers follow by its time has one of this transaction's turn.
    pub(crate) fn must_have_given(&self, time: Timestamp) -> Result<(), Error> {
        if self.turn.is_some_and(|turn| turn.gave(time)) { Ok(()) } else { Err(out_of_turn()) }
    }

    /// Begins the turn that ends with `moved_at`.
    pub(crate) fn begin_turn(&mut self, now: Timestamp, moved_at: Option<Timestamp>) -> Result<(), Error> {
        let moved_at = moved_at.ok_or_else(|| Error::driver("an account has no balance"))?;
        self.turn = Some(Turn::new(now, moved_at));
        Ok(())
    }

    /// The first row of a SELECT, locked until the transaction ends. Another transaction that wants it waits, and
    /// then sees what this one made of it. `table` is the one whose row is to be changed.
    pub async fn lock<T: FromRow>(
        &mut self,
        table: &'static str,
        statement: Sql<'_>,
    ) -> Result<Option<Locked<T>>, Error> {
        let (number, statement) = (self.number, self.locking(table, statement));
        let row = self.one::<T>(statement).await?;
        Ok(row.map(|row| Locked::new(row, number)))
    }

    /// The same, and after it the account's turn, in one round trip. For a change that locks nothing else.
    pub async fn lock_in_turn<T: FromRow>(
        &mut self,
        table: &'static str,
        statement: Sql<'_>,
        (account, mode): Owner,
        now: Timestamp,
    ) -> Result<Option<Locked<T>>, Error> {
        let (number, statement) = (self.number, self.locking(table, statement));
        let turn = sql(turns::TAKE).bind(account.to_string()).bind(mode.name()).bind(now);
        let (rows, moved) = self.both::<T, Moved>(statement, turn).await?;
        self.begin_turn(now, moved.first().map(|moved| moved.0))?;
        Ok(rows.into_iter().next().map(|row| Locked::new(row, number)))
    }

    /// All rows of a SELECT, locked in its order.
    pub async fn lock_all<T: FromRow>(
        &mut self,
        table: &'static str,
        statement: Sql<'_>,
    ) -> Result<Vec<Locked<T>>, Error> {
        let (number, statement) = (self.number, self.locking(table, statement));
        let rows = self.all::<T>(statement).await?;
        Ok(rows.into_iter().map(|row| Locked::new(row, number)).collect())
    }

    /// On SQLite there is one writer, so that nobody else can change a row anyway.
    fn locking<'v>(&self, table: &'static str, statement: Sql<'v>) -> Sql<'v> {
        let statement = statement.locking();
        match &self.db.connection {
            Connection::Sqlite(_) => statement,
            // The lock of an UPDATE; rows that refer to the row by its key are not kept waiting.
            Connection::Postgres(_) => statement.followed_by(" FOR NO KEY UPDATE OF ", table),
        }
    }

    /// Wakes the topic's subscribers in all processes once this transaction is committed.
    pub fn wake(&mut self, topic: Topic) {
        self.woken.add(topic);
    }

    /// Says a short word to all processes once this transaction is committed. Nobody need hear it. On SQLite there
    /// is no other process to tell.
    pub async fn say(&mut self, word: &str) -> Result<(), Error> {
        match &mut self.db.connection {
            Connection::Sqlite(_) => Ok(()),
            Connection::Postgres(_) => {
                self.execute(sql("SELECT pg_notify($1, $2)").bind(WORDS).bind(word)).await.map(drop)
            }
        }
    }

    /// Takes a lock that ends with this transaction. False: another transaction that is still running holds
    /// it. Always true on SQLite, where writes run one after the other.
    pub async fn try_lock(&mut self, key: i64) -> Result<bool, Error> {
        match &mut self.db.connection {
            Connection::Sqlite(_) => Ok(true),
            Connection::Postgres(_) => {
                let lock = sql("SELECT pg_try_advisory_xact_lock($1)").bind(key);
                Ok(self.one::<bool>(lock).await?.unwrap_or(false))
            }
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

fn next_number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

/// A time that was not given in the account's turn may be older than what a reader has seen.
fn out_of_turn() -> Error {
    Error::driver("a change that readers follow by its time was made out of turn")
}

/// PostgreSQL refuses everything after a failed statement; work that ignores one must not pass anywhere.
fn went_on_after_failure() -> Error {
    Error::driver("the work went on after one of its statements had failed")
}
