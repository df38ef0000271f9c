//! Copying files so that they are on the disk when it is said that they are.

use crate::failure::Failure;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

/// What was copied.
#[derive(Debug, Default)]
pub(super) struct Copied {
    pub(super) files: u64,
    pub(super) bytes: u64,
}

/// Makes a folder, with those above it, that only its user can look into.
pub(super) fn create_private(folder: &Path) -> Result<(), Failure> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|error| told(folder, &error))
}

/// Writes a new file that only its user can read.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    let file = options.write(true).create_new(true).mode(0o600).open(path);
    let written = file.and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
    written.map_err(|error| told(path, &error))
}

/// Copies one file.
pub(super) fn copy(from: &Path, to: &Path) -> Result<u64, Failure> {
    try_copy(from, to).map_err(|error| told(from, &error))
}

/// Waits until a file is on the disk.
pub(super) fn sync(path: &Path) -> Result<(), Failure> {
    File::open(path).and_then(|file| file.sync_all()).map_err(|error| told(path, &error))
}

/// Copies a folder with everything below it. What is swept away meanwhile belongs to nobody any more.
pub(super) fn copy_tree(from: &Path, to: &Path) -> Result<Copied, Failure> {
    create_private(to)?;
    let mut copied = Copied::default();
    let entries = match fs::read_dir(from) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(copied),
        entries => entries.map_err(|error| told(from, &error))?,
    };
    for entry in entries {
        let entry = entry.map_err(|error| told(from, &error))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let below = copy_tree(&source, &target)?;
            copied.files += below.files;
            copied.bytes += below.bytes;
            continue;
        }
        match try_copy(&source, &target) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            done => {
                copied.bytes += done.map_err(|error| told(&source, &error))?;
                copied.files += 1;
            }
        }
    }
    Ok(copied)
}

fn try_copy(from: &Path, to: &Path) -> io::Result<u64> {
    let bytes = fs::copy(from, to)?;
    File::open(to)?.sync_all()?;
    Ok(bytes)
}

fn told(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("{}: {error}.", path.display()))
}
