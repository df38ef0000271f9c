//! The file store in a folder: written to a temporary file, synced, then named.

use super::incoming::{self, Incoming, blocking};
use super::{BlobError, LocalFile};
use bytes::Bytes;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Where bytes are that have no name yet.
const INCOMING: &str = "incoming";

/// The file store in a folder.
#[derive(Clone, Debug)]
pub struct Disk {
    root: PathBuf,
}

impl Disk {
    /// The store in this folder, which is made when it is missing.
    pub fn open(root: PathBuf) -> io::Result<Disk> {
        fs::create_dir_all(root.join(INCOMING))?;
        Ok(Disk { root })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.root
    }

    pub(super) async fn begin(&self) -> Result<Incoming, BlobError> {
        Incoming::begin(self.root.join(INCOMING)).await
    }

    pub(super) async fn keep(&self, incoming: Incoming, key: &str) -> Result<bool, BlobError> {
        let path = self.path(key);
        let mut file = incoming.flushed().await?;
        blocking(move || {
            file.as_file_mut().sync_all()?;
            let folder = parent(&path);
            fs::create_dir_all(folder)?;
            match file.persist_noclobber(&path) {
                Ok(_) => {}
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
                Err(error) => return Err(error.error),
            }
            sync_folder(folder)?;
            Ok(true)
        })
        .await
    }

    pub(super) async fn put(&self, key: &str, bytes: Bytes) -> Result<(), BlobError> {
        let (path, folder) = (self.path(key), self.root.join(INCOMING));
        blocking(move || {
            let mut file = NamedTempFile::new_in(folder)?;
            file.write_all(&bytes)?;
            file.as_file_mut().sync_all()?;
            fs::create_dir_all(parent(&path))?;
            file.persist(&path).map_err(|error| error.error)?;
            sync_folder(parent(&path))
        })
        .await
    }

    pub(super) async fn get(&self, key: &str) -> Result<Vec<u8>, BlobError> {
        let path = self.path(key);
        let key = key.to_owned();
        let read = blocking(move || match fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        });
        read.await?.ok_or(BlobError::Missing(key))
    }

    pub(super) async fn local(&self, key: &str) -> Result<LocalFile, BlobError> {
        match self.size(key).await? {
            Some(_) => Ok(LocalFile::Own(self.path(key))),
            None => Err(BlobError::Missing(key.to_owned())),
        }
    }

    pub(super) async fn size(&self, key: &str) -> Result<Option<u64>, BlobError> {
        let path = self.path(key);
        blocking(move || match fs::metadata(path) {
            Ok(metadata) => Ok(Some(metadata.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    pub(super) async fn delete(&self, key: &str) -> Result<(), BlobError> {
        let (path, root) = (self.path(key), self.root.clone());
        blocking(move || match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => {
                // Empty folders of a deleted paper go too; the first that is not empty ends it.
                let above = path.ancestors().skip(1).take_while(|folder| *folder != root);
                for folder in above {
                    if fs::remove_dir(folder).is_err() {
                        break;
                    }
                }
                Ok(())
            }
        })
        .await
    }

    pub(super) async fn tidy(&self) -> Result<(), BlobError> {
        incoming::tidy(self.root.join(INCOMING)).await
    }

    /// Files are spread over folders by the end of their names, which is random.
    fn path(&self, key: &str) -> PathBuf {
        let fan = key.strip_prefix("files/").and_then(|name| name.get(name.len().saturating_sub(2)..));
        match fan {
            Some(fan) => self.root.join("files").join(fan).join(&key["files/".len()..]),
            None => self.root.join(key),
        }
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

/// A new name is safe once its folder is.
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn files_in(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[tokio::test]
    async fn the_first_to_be_kept_stays_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::open(folder.path().to_owned()).unwrap();
        let (mut one, mut other) = (disk.begin().await.unwrap(), disk.begin().await.unwrap());
        one.write(Bytes::from_static(b"one")).await.unwrap();
        other.write(Bytes::from_static(b"other")).await.unwrap();
        assert!(disk.keep(one, "files/file_x").await.unwrap());
        assert!(!disk.keep(other, "files/file_x").await.unwrap());
        assert_eq!(disk.get("files/file_x").await.unwrap(), b"one");
        drop(disk.begin().await.unwrap());
        assert_eq!(files_in(&folder.path().join(INCOMING)), 0);
        disk.delete("files/file_x").await.unwrap();
        disk.delete("files/file_x").await.unwrap();
        assert!(matches!(disk.get("files/file_x").await, Err(BlobError::Missing(_))));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn bytes_come_back_however_they_were_cut(
            pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..400_000), 0..8)
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(async {
                let folder = tempfile::tempdir().unwrap();
                let disk = Disk::open(folder.path().to_owned()).unwrap();
                let mut incoming = disk.begin().await.unwrap();
                for piece in &pieces {
                    incoming.write(Bytes::from(piece.clone())).await.unwrap();
                }
                let whole = pieces.concat();
                prop_assert_eq!(incoming.length(), whole.len() as u64);
                prop_assert!(disk.keep(incoming, "files/file_y").await.unwrap());
                prop_assert_eq!(disk.size("files/file_y").await.unwrap(), Some(whole.len() as u64));
                prop_assert_eq!(disk.get("files/file_y").await.unwrap(), whole);
                Ok(())
            })?;
        }
    }
}
