//! What can go wrong below the statements.

/// The reason behind a failure, kept for the log.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why the store could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Lost, busy or full: nothing was changed, and the same request may succeed later. (Only when PostgreSQL
    /// is lost between a commit and its answer is it unknown whether that commit happened.)
    #[error("the database is unavailable: {0}")]
    Unavailable(#[source] Cause),
    /// The connection URL is not one.
    #[error("the database URL cannot be used: {0}")]
    WrongUrl(#[source] Cause),
    /// The database was written by a newer program than this one.
    #[error(
        "the database has schema version {found}, but this program knows versions up to {known}: run the newer \
         program, or restore a copy from before the upgrade"
    )]
    NewerSchema { found: i64, known: i64 },
    /// A migration that already ran has another text now, so the schema is not what this program expects.
    #[error(
        "migration {version} ({name}) was changed after it ran on this database: run the program it came with"
    )]
    ChangedMigration { version: i64, name: String },
    /// A stored value is not one that we write.
    #[error("the stored {table}.{column} of {id} cannot be understood")]
    Corrupt { table: &'static str, column: &'static str, id: String },
    /// A mistake of ours: a wrong statement, a wrong column, a broken rule of the schema.
    #[error("the database refused a statement: {0}")]
    Driver(#[source] Cause),
}

impl Error {
    /// Lost, busy or full, for the stated reason.
    pub(crate) fn unavailable(reason: impl Into<Cause>) -> Error {
        Error::Unavailable(reason.into())
    }

    /// A mistake of ours, as the stated reason says.
    pub(crate) fn driver(reason: impl Into<Cause>) -> Error {
        Error::Driver(reason.into())
    }
}
