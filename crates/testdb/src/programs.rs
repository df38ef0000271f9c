//! Where PostgreSQL's programs are, and as whom they run.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{self, Command};
use std::sync::atomic::{AtomicU32, Ordering};

/// PostgreSQL's programs and the user that runs them.
#[derive(Debug)]
pub(crate) struct Programs {
    folder: PathBuf,
    /// PostgreSQL refuses to run as root, so root lends it another user.
    user: Option<User>,
}

#[derive(Debug, Clone, Copy)]
struct User {
    uid: u32,
    gid: u32,
}

impl Programs {
    pub(crate) fn find() -> Programs {
        let folder = installed().or_else(on_path).expect(
            "PostgreSQL 15 or newer is needed for the tests: install it, for example by apt-get install postgresql",
        );
        Programs { folder, user: is_root().then(unprivileged_user) }
    }

    pub(crate) fn path(&self, program: &str) -> PathBuf {
        self.folder.join(program)
    }

    /// A command that runs as the cluster's user.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        if let Some(user) = self.user {
            command.uid(user.uid).gid(user.gid);
        }
        command
    }

    /// A new folder that belongs to the cluster's user. It lies directly in the given one, because the path of a socket
    /// may only have about a hundred characters.
    pub(crate) fn create_folder(&self, parent: &Path) -> PathBuf {
        static FOLDERS: AtomicU32 = AtomicU32::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("tickmark-pg-{}-{number}", process::id()));
        fs::create_dir(&folder).expect("the temporary folder can be written");
        self.give_away(&folder, 0o700);
        folder
    }

    /// A file in the folder that only the cluster's user can read.
    pub(crate) fn write(&self, folder: &Path, name: &str, text: &str) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, text).expect("the temporary folder can be written");
        self.give_away(&path, 0o600);
        path
    }

    fn give_away(&self, path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("the file is ours");
        if let Some(user) = self.user {
            chown(path, Some(user.uid), Some(user.gid)).expect("root may give a file away");
        }
    }
}

/// Memory that is a file system, where there is enough of it. A database is hundreds of files that are soon deleted again,
/// which takes the kernel longer on a disk than PostgreSQL takes for all the tests' statements.
pub(crate) fn memory_or_disk() -> PathBuf {
    const MEMORY: &str = "/dev/shm";
    const BYTES_MIN: u64 = 3 << 30;
    let has_room = rustix::fs::statvfs(MEMORY).is_ok_and(|room| room.f_bavail * room.f_frsize >= BYTES_MIN);
    if has_room { PathBuf::from(MEMORY) } else { std::env::temp_dir() }
}

/// The newest version where Debian puts them.
fn installed() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    versions
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .max()
        .map(|version| PathBuf::from(format!("/usr/lib/postgresql/{version}/bin")))
        .filter(|folder| folder.join("initdb").exists())
}

fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find(|folder| folder.join("initdb").exists())
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

fn unprivileged_user() -> User {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    ["postgres", "nobody"]
        .iter()
        .find_map(|name| users.lines().find_map(|line| user_in(line, name)))
        .expect("root needs a user named postgres or nobody to run PostgreSQL as")
}

fn user_in(line: &str, name: &str) -> Option<User> {
    let mut fields = line.split(':');
    if fields.next()? != name {
        return None;
    }
    let uid = fields.nth(1)?.parse().ok()?;
    let gid = fields.next()?.parse().ok()?;
    Some(User { uid, gid })
}

/// Reads a file of the cluster, which may not exist yet.
pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}
