//! The schema's history: forward only, each step in a transaction of its own, safe when two processes begin
//! at once because a step is looked up and taken under one lock.
//!
//! A step is one portable text. On PostgreSQL each column type `TEXT` in it gets the C collation, so that text
//! is compared and ordered alike on both engines. On SQLite the comment `/* WITHOUT ROWID */` behind a table is
//! taken at its word: rows that are small and come and go are then written once less.

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::engine::Db;
use crate::error::Error;
use crate::location::Options;
use crate::sql::sql;

/// Every step, oldest first. A step that was released is never changed; a new one is added below it.
pub(crate) const EMBEDDED: &[Migration] = &[
    Migration::portable(1, "foundation", include_str!("../migrations/0001_foundation.sql")),
    Migration::portable(2, "papers", include_str!("../migrations/0002_papers.sql")),
    Migration::portable(3, "submissions", include_str!("../migrations/0003_submissions.sql")),
    Migration::portable(4, "review", include_str!("../migrations/0004_review.sql")),
    Migration::portable(10, "webhooks", include_str!("../migrations/0010_webhooks.sql")),
    Migration::portable(11, "blob_deletions", include_str!("../migrations/0011_blob_deletions.sql")),
    Migration::portable(13, "lists", include_str!("../migrations/0013_lists.sql")),
    Migration::portable(15, "erasure", include_str!("../migrations/0015_erasure.sql")),
    Migration::portable(18, "hold_doubtful", include_str!("../migrations/0018_hold_doubtful.sql")),
    Migration::portable(19, "printed_total", include_str!("../migrations/0019_printed_total.sql")),
    Migration::portable(20, "desk", include_str!("../migrations/0020_desk.sql")),
    Migration::portable(21, "job_lanes", include_str!("../migrations/0021_job_lanes.sql")),
    Migration::portable(22, "unused_files", include_str!("../migrations/0022_unused_files.sql")),
    Migration::portable(23, "turns", include_str!("../migrations/0023_turns.sql")),
    Migration::portable(24, "learning", include_str!("../migrations/0024_learning.sql")),
    Migration::portable(25, "amendments", include_str!("../migrations/0025_amendments.sql")),
    Migration::portable(30, "console", include_str!("../migrations/0030_console.sql")),
    Migration::portable(31, "class_scans", include_str!("../migrations/0031_class_scans.sql")),
    Migration::portable(36, "lti", include_str!("../migrations/0036_lti.sql")),
    Migration::portable(37, "lti_scores", include_str!("../migrations/0037_lti_scores.sql")),
];

/// One step of the schema.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    version: i64,
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

impl Migration {
    /// A step whose text both engines understand.
    pub const fn portable(version: i64, name: &'static str, text: &'static str) -> Migration {
        Migration { version, name, sqlite: text, postgres: text }
    }

    /// A step that has to be said differently to each engine.
    pub const fn split(
        version: i64,
        name: &'static str,
        sqlite: &'static str,
        postgres: &'static str,
    ) -> Migration {
        Migration { version, name, sqlite, postgres }
    }
}

const CREATE_HISTORY: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (\
     version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)";

/// Brings the schema up to date or, when that is not wanted, only refuses a newer one.
pub(crate) async fn prepare(db: &mut Db, options: &Options, now: Timestamp) -> Result<(), Error> {
    // Most starts find the schema current, and then do not need the lock.
    if is_current(db, options.migrations).await? || !options.migrate {
        return Ok(());
    }
    run(db, options.migrations, now).await
}

async fn run(db: &mut Db, migrations: &[Migration], now: Timestamp) -> Result<(), Error> {
    loop {
        db.begin_migration().await?;
        let step = next_step(db, migrations, now).await;
        match step {
            Ok(is_done) => {
                db.commit_migration().await?;
                if is_done {
                    return Ok(());
                }
            }
            Err(error) => {
                db.rollback_migration().await;
                return Err(error);
            }
        }
    }
}

/// Takes the next step under the lock. True: there was none left.
async fn next_step(db: &mut Db, migrations: &[Migration], now: Timestamp) -> Result<bool, Error> {
    db.change_schema(CREATE_HISTORY).await?;
    let applied = db
        .all::<(i64, String, String)>(sql(
            "SELECT version, name, checksum FROM schema_migrations ORDER BY version",
        ))
        .await?;
    let is_postgres = db.is_postgres();
    check_history(&applied, migrations, is_postgres)?;
    let Some(next) = migrations.get(applied.len()) else {
        return Ok(true);
    };
    let text = next.text(is_postgres);
    let text = if is_postgres { text.into() } else { text.replace("/* WITHOUT ROWID */", "WITHOUT ROWID") };
    db.change_schema(&text).await?;
    let insert =
        sql("INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES ($1, $2, $3, $4)")
            .bind(next.version)
            .bind(next.name)
            .bind(next.checksum(is_postgres))
            .bind(now.as_microsecond());
    db.execute(insert).await?;
    tracing::info!(version = next.version, name = next.name, "migrated the database");
    Ok(false)
}

/// Refuses a schema that is newer than this program or has another history.
fn check_history(
    applied: &[(i64, String, String)],
    migrations: &[Migration],
    is_postgres: bool,
) -> Result<(), Error> {
    let known = latest(migrations);
    if let Some((found, ..)) = applied.last().filter(|(version, ..)| *version > known) {
        return Err(Error::NewerSchema { found: *found, known });
    }
    for ((version, name, checksum), migration) in applied.iter().zip(migrations) {
        if *version != migration.version || *checksum != migration.checksum(is_postgres) {
            return Err(Error::ChangedMigration { version: *version, name: name.clone() });
        }
    }
    Ok(())
}

/// Refuses a newer schema and says whether the schema is the one that this program knows.
pub(crate) async fn is_current(db: &mut Db, migrations: &[Migration]) -> Result<bool, Error> {
    let known = latest(migrations);
    if !db.has_table("schema_migrations").await? {
        return Ok(known == 0);
    }
    let found =
        db.one::<i64>(sql("SELECT COALESCE(MAX(version), 0) FROM schema_migrations")).await?.unwrap_or(0);
    if found > known {
        return Err(Error::NewerSchema { found, known });
    }
    Ok(found == known)
}

fn latest(migrations: &[Migration]) -> i64 {
    migrations.last().map_or(0, |migration| migration.version)
}

impl Migration {
    fn text(&self, is_postgres: bool) -> &'static str {
        if is_postgres { self.postgres } else { self.sqlite }
    }

    /// Differs when the text differs, line ends aside.
    fn checksum(&self, is_postgres: bool) -> String {
        let digest = Sha256::digest(self.text(is_postgres).replace("\r\n", "\n"));
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
