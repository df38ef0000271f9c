//! The data folder: for this user only, and for one server at a time where the database is a file.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Only the user that runs the service may look inside.
const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

/// Held for as long as a server uses a database file. The system lets go of it when the process
/// ends, however it ends.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "the open file is the lock")] File);

/// Why the data folder cannot be used. Each is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is not there and cannot be made.
    #[error("The data folder {} cannot be created: {source}.", path.display())]
    Folder {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another server uses it.
    #[error(
        "Another tickmark server{} uses {}; stop it, or give this one another folder with --data.",
        process.as_ref().map(|id| format!(" (process {id})")).unwrap_or_default(),
        path.display()
    )]
    Taken {
        /// The database.
        path: PathBuf,
        /// The other server's process, if it left its number.
        process: Option<u32>,
    },
    /// The lock cannot be tried.
    #[error("The lock {} cannot be taken: {source}.", path.display())]
    Lock {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Makes the folder if it is not there.
pub fn create(path: &Path) -> Result<(), Error> {
    let created = DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(path);
    created.map_err(|source| Error::Folder { path: path.to_owned(), source })
}

/// Takes a database file for this server alone. The command line may still use it.
pub fn lock(database: &Path) -> Result<Lock, Error> {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    let path = PathBuf::from(name);
    let failed = |source| Error::Lock { path: path.clone(), source };
    let opened =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(FILE_MODE).open(&path);
    let mut file = opened.map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let process = file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
            return Err(Error::Taken { path: database.to_owned(), process });
        }
        Err(TryLockError::Error(source)) => return Err(failed(source)),
    }
    // The number only helps the operator, so a failure to leave it does no harm.
    let _ =
        file.set_len(0).and_then(|()| file.rewind()).and_then(|()| write!(file, "{}", std::process::id()));
    Ok(Lock(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_server_is_told_who_holds_the_database() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("tickmark.db");
        let held = lock(&database).unwrap();
        let message = lock(&database).expect_err("it is taken").to_string();
        let expected = format!("Another tickmark server (process {}) uses ", std::process::id());
        assert!(message.starts_with(&expected), "{message}");
        drop(held);
        lock(&database).unwrap();
    }

    #[test]
    fn the_folder_is_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("data");
        create(&path).unwrap();
        create(&path).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, FOLDER_MODE);
    }
}
