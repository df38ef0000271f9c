//! Which database, and how it is opened.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::migrate::{self, Migration};

/// Which database to open.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// A file of its own.
    Sqlite(PathBuf),
    /// A connection URL.
    Postgres(String),
}

impl Location {
    /// Understands `postgres://…`, `postgresql://…`, `sqlite:PATH` and a bare path.
    pub fn parse(text: &str) -> Location {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Location::Postgres(text.to_owned());
        }
        let path = text.strip_prefix("sqlite:").unwrap_or(text);
        Location::Sqlite(PathBuf::from(path.strip_prefix("//").unwrap_or(path)))
    }
}

/// Never shows a URL, which may hold a password.
impl fmt::Debug for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Sqlite(path) => formatter.debug_tuple("Sqlite").field(path).finish(),
            Location::Postgres(_) => formatter.debug_tuple("Postgres").finish_non_exhaustive(),
        }
    }
}

/// Pages of lists that are read at once on SQLite.
pub(crate) const PAGERS: usize = 4;

/// Long reads at once. They have connections of their own, so that they never hold up a point read.
pub(crate) const SCANNERS: usize = 2;

/// How a database is opened. The default is right for a server.
#[derive(Debug, Clone)]
pub struct Options {
    /// Connections for reading on SQLite; all connections on PostgreSQL.
    pub readers: usize,
    /// Whether opening brings the schema up to date.
    pub migrate: bool,
    /// How many writes may wait for the SQLite writer before further ones are refused.
    pub queue_max: usize,
    /// How many writes may share one commit on SQLite; 1 turns grouping off.
    pub batch_max: usize,
    /// How long a lock, a free connection or a new connection is waited for.
    pub wait_max: Duration,
    /// How long one statement may run on PostgreSQL.
    pub statement_max: Duration,
    /// Slows every commit on SQLite down as a slow disk would; only for measuring.
    pub fsync_delay: Option<Duration>,
    /// The schema's history; other than the default only in tests.
    pub migrations: &'static [Migration],
}

impl Default for Options {
    fn default() -> Self {
        Options {
            readers: 8,
            migrate: true,
            queue_max: 1024,
            batch_max: 128,
            wait_max: Duration::from_secs(5),
            statement_max: Duration::from_secs(15),
            fsync_delay: None,
            migrations: migrate::EMBEDDED,
        }
    }
}
