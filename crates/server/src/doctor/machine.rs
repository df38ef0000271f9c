//! This machine: the data folder, its room, the models inside the program, and the system's limits.

use super::Finding;
use crate::config::Settings;
use crate::descriptors;
use larger_judge::LargerJudge;
use marker::meaning::Semantic;
use reader::ocr::{Recogniser, Weights};
use rustix::fs::statvfs;
use std::fs::{File, remove_file};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

const GIBIBYTE: u64 = 1024 * 1024 * 1024;
/// Less room than this should be looked after.
const ROOM_LOW: u64 = 5 * GIBIBYTE;
/// Less room than this is soon none.
const ROOM_MIN: u64 = GIBIBYTE / 4;

pub(super) fn data_folder(settings: &Settings) -> Finding {
    const CHECK: &str = "data folder";
    let (folder, place) = (&settings.data, settings.data.display());
    let existing = nearest(folder);
    let owner = "let the user that runs the service own it, or choose another folder with --data";
    let probe = existing.join(format!(".tickmark-doctor-{}", std::process::id()));
    if let Err(error) = File::create_new(&probe).and_then(|_| remove_file(&probe)) {
        return Finding::bad(CHECK, format!("{} cannot be written to: {error}", existing.display()), owner);
    }
    if existing != *folder {
        return Finding::ok(CHECK, format!("{place} is not there yet and can be made"));
    }
    let mode = folder.metadata().map_or(0, |metadata| metadata.permissions().mode());
    if mode & 0o077 != 0 {
        let message = format!("others on this machine can look into {place}");
        return Finding::warn(CHECK, message, format!("chmod go= {place}"));
    }
    Finding::ok(CHECK, format!("{place} can be written to, by its owner alone"))
}

/// The folder itself or, before the first start, the nearest one above it.
fn nearest(folder: &Path) -> PathBuf {
    let above = folder.ancestors().find(|path| path.is_dir());
    above.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

pub(super) fn free_space(settings: &Settings) -> Finding {
    const CHECK: &str = "free space";
    let folder = nearest(&settings.data);
    let room = match statvfs(&folder) {
        Ok(system) => system.f_bavail.saturating_mul(system.f_frsize),
        Err(error) => {
            let message = format!("the room in {} cannot be told: {error}", folder.display());
            return Finding::warn(CHECK, message, "look with `df`");
        }
    };
    let message =
        format!("{:.1} GiB are free for {}", room as f64 / GIBIBYTE as f64, settings.data.display());
    let remedy = "make room, or move the data folder to a larger disk";
    match room {
        ..ROOM_MIN => Finding::bad(CHECK, message, remedy),
        ROOM_MIN..ROOM_LOW => Finding::warn(CHECK, message, remedy),
        _ => Finding::ok(CHECK, message),
    }
}

/// Whether the models inside the program can be used.
pub(super) fn models() -> [Finding; 2] {
    let reading = Recogniser::load(&Weights::default(), 1).map(drop).map_err(|error| error.to_string());
    let marking = Semantic::load().map(drop).map_err(|error| error.to_string());
    let finding = |check, outcome: Result<(), String>| match outcome {
        Ok(()) => Finding::ok(check, "inside the program, and loaded"),
        Err(error) => Finding::bad(check, error, "the program is damaged: install it again"),
    };
    [finding("reading model", reading), finding("marking model", marking)]
}

/// Whether the file of the larger judge is the one that is wanted, where one is named.
pub(super) fn larger_judge(settings: &Settings) -> Option<Finding> {
    const CHECK: &str = "larger judge";
    let path = settings.larger_judge.as_deref()?;
    Some(match LargerJudge::open(path) {
        Ok(_) => Finding::ok(CHECK, format!("{} is what it should be", path.display())),
        Err(error) => {
            let remedy = "give another file as judge.model, or leave that setting out";
            Finding::bad(CHECK, format!("{} is not used: {error}", path.display()), remedy)
        }
    })
}

/// A reader of documents is started, and tries what must not be possible.
pub(super) fn confinement(settings: &Settings) -> Finding {
    const CHECK: &str = "confinement";
    match crate::app::reader(settings).confinement() {
        Ok(found) if found.holds() && found.files => Finding::ok(
            CHECK,
            "readers of documents can reach neither files nor the network (seccomp, Landlock)",
        ),
        Ok(found) if found.holds() => {
            Finding::ok(CHECK, "readers of documents can reach neither files nor the network (seccomp)")
        }
        Ok(_) => {
            let message = "readers of documents cannot be cut off from files and the network";
            let remedy = "run on Linux with seccomp, and let the container's profile allow the call seccomp";
            match settings.require_confinement {
                true => Finding::bad(CHECK, message, format!("{remedy}; or drop require_confinement")),
                false => Finding::warn(CHECK, message, remedy),
            }
        }
        Err(failure) => {
            Finding::bad(CHECK, failure.to_string(), "look at the limits on processes and memory")
        }
    }
}

pub(super) fn open_files(settings: &Settings) -> Finding {
    const CHECK: &str = "open files";
    let wanted = settings.limits.connections_max;
    let possible = descriptors::possible(wanted);
    if possible >= wanted {
        return Finding::ok(CHECK, format!("the system allows enough for {wanted} connections"));
    }
    Finding::warn(
        CHECK,
        format!("the system allows enough for {possible} connections, not for {wanted}"),
        "raise the limit (systemd: LimitNOFILE=, shell: ulimit -n), or lower limits.connections_max",
    )
}
