//! A small disk for everything that the run keeps, which can be filled.
//!
//! It is a file system in memory that only this run sees: the program starts itself again in a name space of its
//! own, which needs no rights where the system lets users have such, and leaves nothing behind however it ends.

use super::api::{Api, Call};
use super::place::Place;
use anyhow::{Context as _, ensure};
use bytes::Bytes;
use http::StatusCode;
use serde_json::Value;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// Where the small disk is, for the run that was started on it.
const VARIABLE: &str = "FIRE_DISK";
/// Room for a PostgreSQL cluster with its log, and not much more; in a long run also for what it leaves.
const SIZE: &str = "640m";
const SIZE_OF_LONG: &str = "1600m";
/// How long the disk is full.
const FULL: Duration = Duration::from_millis(700);
/// What is sent while it is full, and must be refused.
const FILE_BYTES: usize = 1 << 20;
/// How long the service may take to go on once there is room, and how often it is asked.
const RECOVERY: Duration = Duration::from_secs(5);
const AGAIN_AFTER: Duration = Duration::from_millis(100);

/// Mounts the disk, then becomes what is told, as the user who asked.
const AS_ROOT: &str = r#"mount -t tmpfs -o "size=$0,mode=1777" tickmark "$TMPDIR" && exec "$@""#;
const AS_USER: &str = r#"mount -t tmpfs -o "size=$0,mode=1777" tickmark "$TMPDIR" \
    && exec unshare --user --map-user="$OWNER" --map-group="$GROUP" "$@""#;

/// The disk on which this run keeps everything.
pub(super) struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// The disk of this run, if it was started on one.
    pub(super) fn of_this_run() -> Option<Disk> {
        std::env::var_os(VARIABLE).map(|folder| Disk { folder: folder.into() })
    }

    /// Runs this program once more with the same arguments, on a disk of its own. `None`: that cannot be had here.
    pub(super) fn run_on_one(is_long: bool) -> anyhow::Result<Option<ExitStatus>> {
        let size = if is_long { SIZE_OF_LONG } else { SIZE };
        let folder = tempfile::tempdir()?;
        let probe = mounted(&folder, size, "true")?.output();
        if !probe.is_ok_and(|output| output.status.success()) {
            return Ok(None);
        }
        let mut command = mounted(&folder, size, std::env::current_exe()?)?;
        Ok(Some(command.args(std::env::args_os().skip(1)).status()?))
    }

    /// Fills the disk for a moment. What cannot be kept meanwhile is refused as what may succeed later, and does.
    pub(super) async fn fill(&self, place: &Place, api: &Api) -> anyhow::Result<()> {
        let (_, upload) = api.register("answer_script", Bytes::from(vec![b'x'; FILE_BYTES])).await?;
        let ballast = self.folder.join("ballast");
        write_until_full(&ballast)?;
        let (status, body) =
            answered(api, &upload).await.context("a full disk leaves a request without answer")?;
        let is_clear =
            status == StatusCode::SERVICE_UNAVAILABLE && body["error"]["code"] == "service_unavailable";
        ensure!(is_clear, "a file that cannot be kept is answered with {status} {body}");
        tokio::time::sleep(FULL).await;
        std::fs::remove_file(&ballast)?;
        if !goes_on(api, &upload).await {
            // PostgreSQL ends when it cannot write its log; its operator starts it again.
            place.restart_database().context("the service does not go on when there is room again")?;
            ensure!(goes_on(api, &upload).await, "the service does not go on when the database is back");
        }
        Ok(())
    }
}

/// What is answered at last: a connection may be gone before its answer is read.
async fn answered(api: &Api, upload: &Call) -> Option<(StatusCode, Value)> {
    let end = Instant::now() + RECOVERY;
    while Instant::now() < end {
        if let Ok(answer) = api.once(upload).await {
            return Some(answer);
        }
        tokio::time::sleep(AGAIN_AFTER).await;
    }
    None
}

async fn goes_on(api: &Api, upload: &Call) -> bool {
    let end = Instant::now() + RECOVERY;
    while Instant::now() < end {
        let answer = api.once(upload).await;
        // 412 says that an earlier try arrived.
        let is_there = |status| status == StatusCode::OK || status == StatusCode::PRECONDITION_FAILED;
        if answer.is_ok_and(|(status, _)| is_there(status)) {
            return true;
        }
        tokio::time::sleep(AGAIN_AFTER).await;
    }
    false
}

fn write_until_full(path: &std::path::Path) -> anyhow::Result<()> {
    let mut file = std::fs::File::create(path)?;
    for piece in [vec![0; 1 << 20], vec![0; 1 << 12]] {
        loop {
            match file.write_all(&piece) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::StorageFull => break,
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}

/// A command that runs with a disk of its own mounted on the folder.
fn mounted(
    folder: &tempfile::TempDir,
    size: &str,
    program: impl AsRef<std::ffi::OsStr>,
) -> anyhow::Result<Command> {
    let owner = std::fs::metadata(folder)?;
    let (is_root, path) = (owner.uid() == 0, folder.path());
    let mut command = Command::new("unshare");
    if !is_root {
        command.args(["--user", "--map-root-user"]);
    }
    command.args(["--mount", "sh", "-c", if is_root { AS_ROOT } else { AS_USER }, size]).arg(program);
    command.env("TMPDIR", path).env(VARIABLE, path);
    command.env("OWNER", owner.uid().to_string()).env("GROUP", owner.gid().to_string());
    Ok(command)
}
