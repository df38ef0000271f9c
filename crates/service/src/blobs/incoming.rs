//! Bytes on their way in: a temporary file of this machine until they are kept under a key.

use super::BlobError;
use bytes::Bytes;
use std::fs::{self, File};
use std::io::{self, IoSlice, Write as _};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use tempfile::NamedTempFile;

/// Bytes gathered before they are written: fewer, larger writes.
const GATHERED: usize = 1 << 20;
/// What is left of a process that died is older than any upload can be.
const LEFT_BEHIND_AFTER: Duration = Duration::from_secs(48 * 3600);

/// Bytes on their way in. Dropped without being kept, they are gone.
#[derive(Debug)]
pub struct Incoming {
    /// Away only while a write is under way, or after one failed.
    file: Option<NamedTempFile>,
    gathered: Vec<Bytes>,
    gathered_bytes: usize,
    length: u64,
}

impl Incoming {
    /// Begins a temporary file in this folder.
    pub(super) async fn begin(folder: PathBuf) -> Result<Incoming, BlobError> {
        let file = blocking(move || NamedTempFile::new_in(folder)).await?;
        Ok(Incoming { file: Some(file), gathered: Vec::new(), gathered_bytes: 0, length: 0 })
    }

    /// Adds bytes.
    #[crate::boxed]
    pub async fn write(&mut self, bytes: Bytes) -> Result<(), BlobError> {
        self.length += bytes.len() as u64;
        self.gathered_bytes += bytes.len();
        self.gathered.push(bytes);
        if self.gathered_bytes >= GATHERED { self.flush().await } else { Ok(()) }
    }

    /// Writes to it from here on, without being counted.
    #[crate::boxed]
    pub async fn writer(&mut self) -> Result<tokio::fs::File, BlobError> {
        self.flush().await?;
        let file = self.file.as_ref().ok_or_else(|| BlobError::unavailable("an earlier write failed"))?;
        file.as_file().try_clone().map(tokio::fs::File::from_std).map_err(BlobError::unavailable)
    }

    /// How many bytes came.
    pub fn length(&self) -> u64 {
        self.length
    }

    async fn flush(&mut self) -> Result<(), BlobError> {
        let pieces = std::mem::take(&mut self.gathered);
        self.gathered_bytes = 0;
        let Some(mut file) = self.file.take() else {
            return Err(BlobError::unavailable("an earlier write failed"));
        };
        let file = blocking(move || {
            write_pieces(file.as_file_mut(), &pieces)?;
            Ok(file)
        });
        self.file = Some(file.await?);
        Ok(())
    }

    /// The file with everything in it.
    pub(super) async fn flushed(mut self) -> Result<NamedTempFile, BlobError> {
        self.flush().await?;
        self.file.take().ok_or_else(|| BlobError::unavailable("an earlier write failed"))
    }
}

fn write_pieces(file: &mut File, pieces: &[Bytes]) -> io::Result<()> {
    let mut slices: Vec<IoSlice<'_>> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
    let mut rest = &mut slices[..];
    while !rest.is_empty() {
        let written = file.write_vectored(rest)?;
        if written == 0 && rest.iter().any(|slice| !slice.is_empty()) {
            return Err(io::ErrorKind::WriteZero.into());
        }
        IoSlice::advance_slices(&mut rest, written);
    }
    Ok(())
}

/// Deletes what processes that died left in this folder.
#[expect(clippy::disallowed_methods, reason = "the times of files are the system's, not the service's")]
pub(super) async fn tidy(folder: PathBuf) -> Result<(), BlobError> {
    blocking(move || {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let modified = entry.metadata()?.modified()?;
            let age = SystemTime::now().duration_since(modified).unwrap_or_default();
            if age > LEFT_BEHIND_AFTER {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    })
    .await
}

/// Runs work on the disk beside the async threads.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, BlobError> {
    let done = tokio::task::spawn_blocking(work).await.map_err(BlobError::unavailable)?;
    done.map_err(BlobError::unavailable)
}
