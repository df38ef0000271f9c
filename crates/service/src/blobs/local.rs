//! A blob as a file of this machine.

use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// How much is summed up at once.
const PIECE: usize = 128 << 10;

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

    /// The SHA-256 sum of its bytes, of which only a piece is in memory at once.
    pub fn sha256(&self) -> io::Result<[u8; 32]> {
        let mut file = File::open(self.path())?;
        let (mut sum, mut piece) = (Sha256::new(), vec![0; PIECE]);
        loop {
            match file.read(&mut piece)? {
                0 => return Ok(sum.finalize().into()),
                length => sum.update(&piece[..length]),
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        match self {
            LocalFile::Own(path) => path,
            LocalFile::Copy(path) => path,
        }
    }
}
