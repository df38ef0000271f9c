//! A private, empty database on either engine.

use store::Location;
use testdb::Postgres;

/// Which database a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// A file in a temporary folder.
    Sqlite,
    /// A database of its own in this process's private cluster.
    Postgres,
}

/// A database that is gone when this is dropped.
#[derive(Debug)]
pub enum Database {
    /// The folder that holds it.
    Sqlite(tempfile::TempDir),
    /// The cluster's database.
    Postgres(testdb::Database),
}

impl Database {
    /// An empty database.
    pub fn new(engine: Engine) -> Database {
        match engine {
            Engine::Sqlite => Database::Sqlite(tempfile::tempdir().expect("a temporary folder can be made")),
            Engine::Postgres => Database::Postgres(Postgres::shared().database()),
        }
    }

    /// Where it is, for `Store::open`.
    pub fn location(&self) -> Location {
        match self {
            Database::Sqlite(folder) => Location::Sqlite(folder.path().join("tickmark.db")),
            Database::Postgres(database) => Location::Postgres(database.url().to_owned()),
        }
    }
}
