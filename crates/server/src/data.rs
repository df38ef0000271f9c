//! The data folder: for this user only, and for one server at a time where the database is a file.

use crate::config::MasterKey;
use domain::random::{self, Random};
use std::fs::{DirBuilder, File, OpenOptions, TryLockError, hard_link, read_to_string, remove_file, rename};
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Only the user that runs the service may look inside.
const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

/// The name of the master key in the folder, where none is given in the settings.
const MASTER_KEY_FILE: &str = "master.key";
/// The one that is to follow it, while the database is being changed to it.
const NEXT_MASTER_KEY_FILE: &str = "master.key.next";

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
    /// The master key cannot be read or made.
    #[error("The master key {} cannot be used: {source}.", path.display())]
    MasterKey {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
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

/// The folder's master key, made when it is first asked for.
pub fn master_key(folder: &Path, random: &dyn Random) -> Result<MasterKey, Error> {
    let path = folder.join(MASTER_KEY_FILE);
    let failed = |source| Error::MasterKey { path: path.clone(), source };
    if !path.exists() {
        // Processes that start together must end up with one key: the first link to the name wins, and what
        // is linked is whole already.
        let draft =
            folder.join(format!("{MASTER_KEY_FILE}.{:032x}", u128::from_ne_bytes(random::bytes(random))));
        write_whole(&draft, &MasterKey(random::bytes(random)).to_hex()).map_err(failed)?;
        let linked = hard_link(&draft, &path);
        let _ = remove_file(&draft);
        linked.or_else(|error| if path.exists() { Ok(()) } else { Err(failed(error)) })?;
    }
    read_master_key(&path)
}

/// Reads a master key from a file.
pub fn read_master_key(path: &Path) -> Result<MasterKey, Error> {
    let failed = |source| Error::MasterKey { path: path.to_owned(), source };
    let text = read_to_string(path).map_err(failed)?;
    MasterKey::parse(&text).ok_or_else(|| failed(std::io::Error::other("it is not 64 hexadecimal digits")))
}

/// Whether the folder has a master key.
pub fn has_master_key(folder: &Path) -> bool {
    folder.join(MASTER_KEY_FILE).exists()
}

/// Puts the key that is to follow beside the present one, before the database changes to it.
pub fn prepare_master_key(folder: &Path, key: &MasterKey) -> Result<(), Error> {
    let path = folder.join(NEXT_MASTER_KEY_FILE);
    let _ = remove_file(&path);
    write_whole(&path, &key.to_hex()).map_err(|source| Error::MasterKey { path, source })
}

/// The key that was to follow, if a change was begun and not finished.
pub fn next_master_key(folder: &Path) -> Option<MasterKey> {
    read_master_key(&folder.join(NEXT_MASTER_KEY_FILE)).ok()
}

/// Puts the key that was to follow in the place of the present one, after the database has changed to it.
pub fn adopt_master_key(folder: &Path) -> Result<(), Error> {
    let path = folder.join(MASTER_KEY_FILE);
    rename(folder.join(NEXT_MASTER_KEY_FILE), &path).map_err(|source| Error::MasterKey { path, source })
}

fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SystemRandom;

    #[test]
    fn a_master_key_is_made_once_and_kept_for_its_owner() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let random = SystemRandom::default();
        let made: Vec<MasterKey> = std::thread::scope(|scope| {
            let makers: Vec<_> =
                (0..4).map(|_| scope.spawn(|| master_key(folder.path(), &random).unwrap())).collect();
            makers.into_iter().map(|maker| maker.join().unwrap()).collect()
        });
        assert!(made.iter().all(|key| *key == made[0]));
        let file = folder.path().join(MASTER_KEY_FILE);
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, FILE_MODE);
        std::fs::write(file, "something else").unwrap();
        let message = master_key(folder.path(), &random).expect_err("no key").to_string();
        assert!(message.ends_with("cannot be used: it is not 64 hexadecimal digits."), "{message}");
    }

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
