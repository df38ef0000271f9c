//! SQLite: one connection and what it does with a statement.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, ErrorCode, OpenFlags, ToSql, types::ToSqlOutput};

use crate::error::Error;
use crate::row::{FromRow, Row, Source};
use crate::sql::{Sql, Value};

/// More than the number of different statements in the program, so that none is prepared twice.
const STATEMENTS_MAX: usize = 512;

/// SQLite's own waiting pauses up to 100 ms between tries; a busy process frees the lock only for a fraction of
/// a millisecond between two commits, and would keep another one out for seconds.
pub(super) const TRY_AGAIN: Duration = Duration::from_micros(500);

/// A connection with its prepared statements.
#[derive(Debug)]
pub(crate) struct Connection {
    raw: rusqlite::Connection,
    wait_max: Duration,
}

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Writer,
    Reader,
}

impl Connection {
    pub(crate) fn open(path: &Path, role: Role, wait_max: Duration) -> Result<Connection, Error> {
        if role == Role::Writer {
            create_private(path).map_err(|cause| {
                Error::unavailable(format!("{} cannot be opened: {cause}", path.display()))
            })?;
        }
        // Each connection is used by one thread at a time, which Rust's types already guarantee.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let raw = rusqlite::Connection::open_with_flags(path, flags).map_err(error)?;
        raw.busy_timeout(wait_max).map_err(error)?;
        raw.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
        let connection = Connection { raw, wait_max };
        connection.batch(match role {
            // FULL makes a commit survive a power cut. A long read can let the log grow, so it is cut back; what is
            // written again and again is moved to the file less often with more of it.
            // What is deleted is overwritten, because it may be a student's name.
            Role::Writer => {
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                 PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864; \
                 PRAGMA wal_autocheckpoint = 4000; PRAGMA secure_delete = ON"
            }
            Role::Reader => "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY",
        })?;
        if role == Role::Writer {
            // From here on `begin_write` does the waiting.
            connection.raw.busy_timeout(Duration::ZERO).map_err(error)?;
        }
        Ok(connection)
    }

    /// Runs several statements without values.
    pub(crate) fn batch(&self, text: &str) -> Result<(), Error> {
        self.raw.execute_batch(text).map_err(error)
    }

    /// Moves the log into the file and empties it. False: somebody reads from it.
    pub(crate) fn empty_log(&self) -> Result<bool, Error> {
        let busy = self.raw.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
        Ok(busy.map_err(error)? == 0)
    }

    /// Runs one of the fixed statements that open and close transactions.
    pub(crate) fn control(&self, text: &'static str) -> Result<(), Error> {
        let mut statement = self.raw.prepare_cached(text).map_err(error)?;
        statement.raw_execute().map_err(error)?;
        Ok(())
    }

    /// Opens a transaction that may write, once no other process has one open.
    pub(crate) fn begin_write(&self) -> Result<(), Error> {
        let began = Instant::now();
        let mut begin = self.raw.prepare_cached("BEGIN IMMEDIATE").map_err(error)?;
        loop {
            match begin.raw_execute() {
                Ok(_) => return Ok(()),
                Err(busy) if is_busy(&busy) && began.elapsed() < self.wait_max => {
                    std::thread::sleep(TRY_AGAIN);
                }
                Err(failed) => return Err(error(failed)),
            }
        }
    }

    /// Whether a transaction is open. SQLite ends one by itself after some failures, such as a full disk.
    pub(crate) fn is_in_transaction(&self) -> bool {
        !self.raw.is_autocommit()
    }

    pub(crate) fn execute(&self, statement: &Sql<'_>) -> Result<u64, Error> {
        let mut prepared = self.prepared(statement)?;
        if prepared.column_count() == 0 {
            return Ok(prepared.raw_execute().map_err(error)? as u64);
        }
        let mut rows = prepared.raw_query();
        let mut count = 0;
        while rows.next().map_err(error)?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    pub(crate) fn one<T: FromRow>(&self, statement: &Sql<'_>) -> Result<Option<T>, Error> {
        let mut prepared = self.prepared(statement)?;
        let is_query = prepared.readonly();
        let mut rows = prepared.raw_query();
        let first = rows.next().map_err(error)?.map(read_row).transpose()?;
        // A change with RETURNING is only complete when its last row was taken.
        while !is_query && rows.next().map_err(error)?.is_some() {}
        Ok(first)
    }

    pub(crate) fn all<T: FromRow>(&self, statement: &Sql<'_>) -> Result<Vec<T>, Error> {
        let mut prepared = self.prepared(statement)?;
        let mut rows = prepared.raw_query();
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(error)? {
            found.push(read_row(row)?);
        }
        Ok(found)
    }

    pub(crate) fn explain(&self, text: &str) -> Result<Vec<String>, Error> {
        let mut statement = self.raw.prepare(&format!("EXPLAIN QUERY PLAN {text}")).map_err(error)?;
        let lines = statement.raw_query().mapped(|row| row.get(3)).collect::<Result<_, _>>();
        lines.map_err(error)
    }

    /// The cached statement with its values bound. SQLite numbers `$n` by first appearance and would have to be
    /// asked for the name of each place; `?n` is the place itself.
    fn prepared(&self, statement: &Sql<'_>) -> Result<CachedStatement<'_>, Error> {
        let mut prepared = self.raw.prepare_cached(&statement.text().replace('$', "?")).map_err(error)?;
        let values = statement.values();
        let places = prepared.parameter_count();
        if places != values.len() {
            return Err(statement.wrong_binds(places));
        }
        for (place, value) in (1..).zip(values) {
            prepared.raw_bind_parameter(place, value).map_err(error)?;
        }
        Ok(prepared)
    }
}

/// Creates the file if there is none, for its owner only; the files beside it take over its permissions.
fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

fn read_row<T: FromRow>(row: &rusqlite::Row<'_>) -> Result<T, Error> {
    T::from_row(&Row(Source::Sqlite(row)))
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Int(number) => ValueRef::Integer(*number),
            Value::Float(number) => ValueRef::Real(*number),
            Value::Bool(truth) => ValueRef::Integer(i64::from(*truth)),
        }))
    }
}

pub(crate) fn text<'r>(row: &'r rusqlite::Row<'_>, column: usize) -> Result<Option<&'r str>, Error> {
    match row.get_ref(column).map_err(error)? {
        ValueRef::Null => Ok(None),
        ValueRef::Text(bytes) => std::str::from_utf8(bytes).map(Some).map_err(Error::driver),
        other => Err(wrong_type(column, "text", other)),
    }
}

pub(crate) fn int(row: &rusqlite::Row<'_>, column: usize) -> Result<Option<i64>, Error> {
    match row.get_ref(column).map_err(error)? {
        ValueRef::Null => Ok(None),
        ValueRef::Integer(number) => Ok(Some(number)),
        other => Err(wrong_type(column, "a whole number", other)),
    }
}

#[expect(clippy::cast_precision_loss, reason = "SQLite stores a float without a fraction as an integer")]
pub(crate) fn float(row: &rusqlite::Row<'_>, column: usize) -> Result<Option<f64>, Error> {
    match row.get_ref(column).map_err(error)? {
        ValueRef::Null => Ok(None),
        ValueRef::Real(number) => Ok(Some(number)),
        ValueRef::Integer(number) => Ok(Some(number as f64)),
        other => Err(wrong_type(column, "a number", other)),
    }
}

pub(crate) fn bool(row: &rusqlite::Row<'_>, column: usize) -> Result<Option<bool>, Error> {
    match row.get_ref(column).map_err(error)? {
        ValueRef::Null => Ok(None),
        ValueRef::Integer(number @ (0 | 1)) => Ok(Some(number == 1)),
        other => Err(wrong_type(column, "true or false", other)),
    }
}

fn wrong_type(column: usize, wanted: &str, found: ValueRef<'_>) -> Error {
    Error::driver(format!("column {column} was read as {wanted} but is {}", found.data_type()))
}

/// Whether a failure's cause is that another connection is in the way.
pub(super) fn is_busy_cause(cause: &crate::error::Cause) -> bool {
    cause.downcast_ref::<rusqlite::Error>().is_some_and(is_busy)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

/// Tells what may pass by itself (lost, busy, full) from what is a mistake of ours.
fn error(error: rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::DiskFull
            | ErrorCode::ReadOnly
            | ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::OutOfMemory
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::PermissionDenied,
        ) => Error::unavailable(error),
        _ => Error::driver(error),
    }
}
