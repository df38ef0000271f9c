//! A copy of a SQLite database, whole and consistent, while others read and write it.

use crate::error::Error;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;

/// How long a lock is waited for.
const WAIT: Duration = Duration::from_secs(10);

/// Writes what the database `from` holds at one moment to the new file `to`. It blocks.
pub fn copy_sqlite(from: &Path, to: &Path) -> Result<(), Error> {
    let failed = |error: rusqlite::Error| Error::unavailable(error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(from, flags).map_err(failed)?;
    connection.busy_timeout(WAIT).map_err(failed)?;
    // One read transaction over the whole: writers go on in the log meanwhile.
    connection.execute("VACUUM INTO ?1", [to.to_string_lossy()]).map_err(failed)?;
    Ok(())
}
