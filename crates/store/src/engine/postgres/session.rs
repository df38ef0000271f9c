//! One PostgreSQL connection with its prepared statements and its transaction.
//!
//! A transaction begins together with its first statement, in the same round trip, and takes queued
//! statements along in the same way. A borrower may go away at any moment; what it left is rolled back when
//! the connection is given back.

use std::borrow::Cow;
use std::collections::HashMap;
use std::error::Error as _;
use std::fmt;
use std::time::Duration;

use futures_util::future::{OptionFuture, join, join_all, join3};
use futures_util::{FutureExt as _, TryStreamExt as _};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Statement};

use crate::error::Error;
use crate::row::{FromRow, Row, Source};
use crate::sql::{Sql, Value};
use crate::wake::{Topic, Topics};

/// More than the number of different statements in the program, so that none is prepared twice.
const STATEMENTS_MAX: usize = 512;

/// How many statements may wait for the next one. (Beyond 30 futures, `join_all` stops polling in order.)
const QUEUED_MAX: usize = 16;

/// Held while a migration runs; any number will do that nobody else uses.
const MIGRATION_LOCK: i64 = 0x7469_636b_6d61_726b;

#[derive(Debug)]
pub(crate) struct Session {
    client: Client,
    statements: HashMap<Cow<'static, str>, Statement>,
    ahead: Ahead,
    is_in_transaction: bool,
    /// The database asked for the transaction to be run again.
    wants_rerun: bool,
    is_broken: bool,
    /// After this the server is taken for lost, however well its connection looks.
    answer_max: Duration,
}

/// What travels ahead of the next statement, in the same round trip.
#[derive(Debug, Default)]
struct Ahead {
    /// What opens the transaction.
    begin: Option<&'static str>,
    queued: Vec<(Statement, Vec<Value<'static>>)>,
}

impl Session {
    pub(super) fn new(client: Client, answer_max: Duration) -> Session {
        Session {
            client,
            statements: HashMap::new(),
            ahead: Ahead::default(),
            is_in_transaction: false,
            wants_rerun: false,
            is_broken: false,
            answer_max,
        }
    }

    pub(crate) async fn execute(&mut self, statement: &Sql<'_>) -> Result<u64, Error> {
        let prepared = self.prepared(statement).await?;
        let ahead = self.take_ahead();
        let client = &self.client;
        let run = client.execute_raw(&prepared, statement.values());
        let outcome = self.answered(sent_with(client, &ahead, run)).await;
        self.checked(outcome)
    }

    pub(crate) async fn one<T: FromRow>(&mut self, statement: &Sql<'_>) -> Result<Option<T>, Error> {
        let rows = self.rows(statement).await?;
        rows.first().map(read_row).transpose()
    }

    pub(crate) async fn all<T: FromRow>(&mut self, statement: &Sql<'_>) -> Result<Vec<T>, Error> {
        let rows = self.rows(statement).await?;
        rows.iter().map(read_row).collect()
    }

    pub(crate) async fn both<A: FromRow, B: FromRow>(
        &mut self,
        first: &Sql<'_>,
        second: &Sql<'_>,
    ) -> Result<(Vec<A>, Vec<B>), Error> {
        let prepared = (self.prepared(first).await?, self.prepared(second).await?);
        let ahead = self.take_ahead();
        let client = &self.client;
        let run = async {
            let (first, second) = join(
                fetched(client, &prepared.0, first.values()),
                fetched(client, &prepared.1, second.values()),
            )
            .await;
            Ok((first?, second?))
        };
        let outcome = self.answered(sent_with(client, &ahead, run)).await;
        let (first, second) = self.checked(outcome)?;
        Ok((
            first.iter().map(read_row).collect::<Result<_, _>>()?,
            second.iter().map(read_row).collect::<Result<_, _>>()?,
        ))
    }

    pub(crate) async fn execute_all(&mut self, statements: &[Sql<'_>]) -> Result<Vec<u64>, Error> {
        let mut prepared = Vec::with_capacity(statements.len());
        for statement in statements {
            prepared.push(self.prepared(statement).await?);
        }
        let ahead = self.take_ahead();
        let client = &self.client;
        let runs = prepared
            .iter()
            .zip(statements)
            .map(|(prepared, statement)| client.execute_raw(prepared, statement.values()));
        let all = join_all(runs).map(|outcomes| outcomes.into_iter().collect());
        let outcome = self.answered(sent_with(client, &ahead, all)).await;
        self.checked(outcome)
    }

    pub(crate) async fn queue(&mut self, statement: Sql<'_>) -> Result<(), Error> {
        let is_in_write = self.is_in_transaction || self.ahead.begin.is_some();
        if !is_in_write || self.ahead.queued.len() >= QUEUED_MAX {
            return self.execute(&statement).await.map(drop);
        }
        let prepared = self.prepared(&statement).await?;
        self.ahead.queued.push((prepared, statement.into_owned_values()));
        Ok(())
    }

    pub(crate) async fn batch(&mut self, text: &str) -> Result<(), Error> {
        let ahead = self.take_ahead();
        let outcome = sent_with(&self.client, &ahead, self.client.batch_execute(text)).await;
        self.checked(outcome)
    }

    /// The plan for any values, and with scans and sorts made so dear that they show only where no index
    /// would do.
    pub(crate) async fn explain(&mut self, text: &str) -> Result<Vec<String>, Error> {
        let places = self.client.prepare(text).await.map_err(error)?.params().len();
        let nulls = vec!["NULL"; places].join(", ");
        let arguments = if places == 0 { String::new() } else { format!("({nulls})") };
        let prepare = format!(
            "BEGIN; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off; \
             SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off; \
             SET LOCAL enable_incremental_sort = off; PREPARE explained AS {text}"
        );
        let explain = format!("EXPLAIN (COSTS OFF) EXECUTE explained{arguments}");
        self.is_in_transaction = true;
        self.client.batch_execute(&prepare).await.map_err(error)?;
        let rows = self.client.query(&explain, &[]).await.map_err(error)?;
        self.client.batch_execute("ROLLBACK; DEALLOCATE explained").await.map_err(error)?;
        self.is_in_transaction = false;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Opens a transaction with the next statement.
    pub(super) fn begin(&mut self, begin: &'static str) {
        self.ahead = Ahead { begin: Some(begin), queued: Vec::new() };
        self.wants_rerun = false;
    }

    pub(crate) async fn begin_migration(&mut self) -> Result<(), Error> {
        // A migration may take long, and so may waiting for the one that another process runs.
        self.begin(
            "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
             SET LOCAL synchronous_commit = on",
        );
        self.batch(&format!("SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")).await
    }

    /// Commits, and sends the wake-ups with it: subscribers hear of them only if it succeeds.
    pub(crate) async fn commit(&mut self, topics: Topics) -> Result<(), Error> {
        let ahead = self.take_ahead();
        if ahead.begin.is_some() && ahead.queued.is_empty() && topics == Topics::default() {
            self.is_in_transaction = false;
            return Ok(());
        }
        let script = notify_and_commit(topics);
        let outcome =
            self.answered(sent_with(&self.client, &ahead, self.client.batch_execute(&script))).await;
        let outcome = self.checked(outcome);
        if outcome.is_err() && !self.is_broken {
            // After a failed statement the wake-ups fail too, and the script never comes to its end.
            self.rollback().await;
        }
        self.is_in_transaction = false;
        outcome
    }

    /// Undoes the transaction. Should that fail, the connection is not used again.
    pub(crate) async fn rollback(&mut self) {
        self.ahead = Ahead::default();
        if !self.is_in_transaction {
            return;
        }
        let outcome = self.answered(self.client.batch_execute("ROLLBACK")).await;
        self.is_in_transaction = false;
        self.is_broken |= outcome.is_err();
    }

    pub(super) fn wants_rerun(&self) -> bool {
        self.wants_rerun
    }

    pub(crate) fn is_alive(&self) -> bool {
        !self.is_broken && !self.client.is_closed()
    }

    /// Makes the connection ready for the next borrower. False: it cannot be used again.
    pub(crate) fn reset(&mut self) -> bool {
        self.ahead = Ahead::default();
        if self.is_in_transaction {
            // The first poll sends it; whatever is asked next on this connection comes after it.
            drop(self.client.batch_execute("ROLLBACK").now_or_never());
            self.is_in_transaction = false;
        }
        self.is_alive()
    }

    async fn rows(&mut self, statement: &Sql<'_>) -> Result<Vec<tokio_postgres::Row>, Error> {
        let prepared = self.prepared(statement).await?;
        let ahead = self.take_ahead();
        let client = &self.client;
        let run = fetched(client, &prepared, statement.values());
        let outcome = self.answered(sent_with(client, &ahead, run)).await;
        self.checked(outcome)
    }

    async fn prepared(&mut self, statement: &Sql<'_>) -> Result<Statement, Error> {
        let prepared = match self.statements.get(statement.text()) {
            Some(prepared) => prepared.clone(),
            None => self.prepare(statement).await?,
        };
        if prepared.params().len() != statement.values().len() {
            return Err(statement.wrong_binds(prepared.params().len()));
        }
        Ok(prepared)
    }

    async fn prepare(&mut self, statement: &Sql<'_>) -> Result<Statement, Error> {
        // Built texts could come in endless variety; the server forgets the old ones with us.
        if self.statements.len() >= STATEMENTS_MAX {
            self.statements.clear();
        }
        let outcome = self.answered(self.client.prepare(statement.text())).await;
        let prepared = self.checked(outcome)?;
        self.statements.insert(statement.text_to_keep(), prepared.clone());
        Ok(prepared)
    }

    fn take_ahead(&mut self) -> Ahead {
        self.is_in_transaction |= self.ahead.begin.is_some();
        std::mem::take(&mut self.ahead)
    }

    /// Waits for an answer, but not for ever: a server can vanish without a word.
    async fn answered<T>(
        &self,
        asked: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Failure> {
        match tokio::time::timeout(self.answer_max, asked).await {
            Ok(outcome) => outcome.map_err(Failure::Reported),
            Err(_) => Err(Failure::Silence),
        }
    }

    fn checked<T>(&mut self, outcome: Result<T, impl Into<Failure>>) -> Result<T, Error> {
        outcome.map_err(|failure| match failure.into() {
            Failure::Silence => {
                self.is_broken = true;
                Error::unavailable("the database does not answer")
            }
            Failure::Reported(reported) => {
                self.wants_rerun |= asks_for_rerun(&reported);
                self.is_broken |= spoils_statements(&reported);
                error(reported)
            }
        })
    }
}

enum Failure {
    Reported(tokio_postgres::Error),
    Silence,
}

impl From<tokio_postgres::Error> for Failure {
    fn from(reported: tokio_postgres::Error) -> Failure {
        Failure::Reported(reported)
    }
}

async fn fetched(
    client: &Client,
    prepared: &Statement,
    values: &[Value<'_>],
) -> Result<Vec<tokio_postgres::Row>, tokio_postgres::Error> {
    client.query_raw(prepared, values).await?.try_collect().await
}

/// Sends what goes ahead and then the statement, and waits for all. Each is sent when it is first polled, so
/// all are on their way before the first answer. The first failure is the cause; later ones only say that the
/// transaction has failed.
async fn sent_with<T>(
    client: &Client,
    ahead: &Ahead,
    run: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, tokio_postgres::Error> {
    let begin = OptionFuture::from(ahead.begin.map(|begin| client.batch_execute(begin)));
    if ahead.queued.is_empty() {
        let (begun, outcome) = join(begin, run).await;
        return begun.unwrap_or(Ok(())).and(outcome);
    }
    let queued = join_all(ahead.queued.iter().map(|(prepared, values)| client.execute_raw(prepared, values)));
    let (begun, queued, outcome) = join3(begin, queued, run).await;
    begun.unwrap_or(Ok(()))?;
    queued.into_iter().collect::<Result<Vec<u64>, _>>()?;
    outcome
}

fn notify_and_commit(topics: Topics) -> Cow<'static, str> {
    if topics == Topics::default() {
        return Cow::Borrowed("COMMIT");
    }
    let mut script = String::new();
    for topic in Topic::ALL.into_iter().filter(|topic| topics.contains(*topic)) {
        script.push_str("NOTIFY ");
        script.push_str(topic.channel());
        script.push_str("; ");
    }
    script.push_str("COMMIT");
    Cow::Owned(script)
}

fn read_row<T: FromRow>(row: &tokio_postgres::Row) -> Result<T, Error> {
    T::from_row(&Row(Source::Postgres(row)))
}

fn asks_for_rerun(error: &tokio_postgres::Error) -> bool {
    matches!(error.code(), Some(&SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED))
}

/// The prepared statements do not fit the schema any more, or a proxy has lost them.
fn spoils_statements(error: &tokio_postgres::Error) -> bool {
    matches!(error.code(), Some(&SqlState::FEATURE_NOT_SUPPORTED | &SqlState::INVALID_SQL_STATEMENT_NAME))
}

/// Tells what may pass by itself (lost, busy, full) from what is a mistake of ours.
pub(super) fn error(error: tokio_postgres::Error) -> Error {
    let passes = match error.code() {
        // No code: the connection failed, unless a value could not even be sent.
        None => !error.to_string().starts_with("error serializing parameter"),
        Some(&SqlState::READ_ONLY_SQL_TRANSACTION | &SqlState::LOCK_NOT_AVAILABLE) => true,
        Some(state) => ["08", "40", "53", "57", "58"].iter().any(|class| state.code().starts_with(class)),
    };
    let reported = Reported(error);
    if passes { Error::unavailable(reported) } else { Error::driver(reported) }
}

/// Says what happened in one line. The server's detail is left out, because it quotes what is stored.
#[derive(Debug)]
pub(super) struct Reported(pub(super) tokio_postgres::Error);

impl fmt::Display for Reported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reported(error) = self;
        match (error.as_db_error(), error.source()) {
            (Some(reported), _) => write!(formatter, "{} ({})", reported.message(), reported.code().code()),
            (None, Some(source)) => write!(formatter, "{error}: {source}"),
            (None, None) => write!(formatter, "{error}"),
        }
    }
}

impl std::error::Error for Reported {}
