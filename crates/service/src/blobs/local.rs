//! A blob as a file of this machine.

use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// A blob as a file of this machine: the store's own, or a copy that goes when this is dropped.
#[derive(Debug)]
pub enum LocalFile {
    /// The store's own file, which is never changed.
    Own(PathBuf),
    /// A copy.
    Copy(TempPath),
}

impl LocalFile {
    pub(super) fn copy(file: NamedTempFile) -> LocalFile {
        LocalFile::Copy(file.into_temp_path())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        match self {
            LocalFile::Own(path) => path,
            LocalFile::Copy(path) => path,
        }
    }
}
