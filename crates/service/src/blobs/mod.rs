//! Bytes that are too large for the database: uploaded files and what is made from them.
//!
//! A key is written once and never changed, except for things that can be made again from others. What lies
//! under a key belongs to exactly one object, whose deletion notes the key in `blob_deletions`.

mod disk;
mod incoming;
mod local;
pub mod s3;

pub use disk::Disk;
pub use incoming::Incoming;
pub use local::LocalFile;
pub use s3::S3;

use bytes::Bytes;
use domain::file::File;
use domain::id::{FileId, PaperId, SubmissionId};
use std::path::Path;

/// Why bytes could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// There is nothing under this key.
    #[error("there are no bytes under {0}")]
    Missing(String),
    /// The store cannot be reached or is full; trying later may help.
    #[error("the file store is unavailable: {0}")]
    Unavailable(#[source] store::Cause),
    /// The store does not let us: its settings or our rights there are wrong, which only an operator can change.
    #[error("the file store refuses: {0}")]
    Refused(#[source] store::Cause),
}

impl BlobError {
    fn unavailable(cause: impl Into<store::Cause>) -> BlobError {
        BlobError::Unavailable(cause.into())
    }
}

/// Where a file's bytes lie.
pub fn file_key(id: FileId) -> String {
    format!("files/{id}")
}

/// Where the words of a question paper's pages lie, which scripts are laid over.
pub fn template_key(id: PaperId) -> String {
    format!("papers/{id}/template.json")
}

/// Where the words of a script's pages lie, which its annotated report shows.
pub fn script_key(id: SubmissionId) -> String {
    format!("submissions/{id}.json")
}

/// What was read of a script, question by question: it is marked again from this when the scheme changes.
pub fn answers_key(id: SubmissionId) -> String {
    format!("submissions/{id}.answers.json")
}

/// The file store.
#[derive(Clone, Debug)]
pub enum Blobs {
    /// A folder of this machine.
    Disk(Disk),
    /// A bucket of an object store.
    S3(Box<S3>),
}

impl Blobs {
    /// Where a client puts a file's bytes without our hearing of it, if this store works so.
    pub(crate) fn upload_url(&self, file: &File) -> Option<String> {
        match self {
            Blobs::Disk(_) => None,
            Blobs::S3(s3) => Some(s3.upload_url(file)),
        }
    }

    /// The folder of this machine that bytes come to first.
    pub(crate) fn folder(&self) -> &Path {
        match self {
            Blobs::Disk(disk) => disk.folder(),
            Blobs::S3(s3) => s3.folder(),
        }
    }

    /// Whether it can be used at all.
    #[crate::boxed]
    pub async fn check(&self) -> Result<(), BlobError> {
        match self {
            Blobs::Disk(_) => Ok(()),
            Blobs::S3(s3) => s3.check().await,
        }
    }

    /// Do clients write to this store themselves?
    pub(crate) fn is_written_by_clients(&self) -> bool {
        match self {
            Blobs::Disk(_) => false,
            Blobs::S3(_) => true,
        }
    }

    /// Begins to take bytes in.
    #[crate::boxed]
    pub async fn begin(&self) -> Result<Incoming, BlobError> {
        match self {
            Blobs::Disk(disk) => disk.begin().await,
            Blobs::S3(s3) => s3.begin().await,
        }
    }

    /// Puts what was taken in under a key. False: something lies there already, and it stays.
    #[crate::boxed]
    pub async fn keep(&self, incoming: Incoming, key: &str) -> Result<bool, BlobError> {
        match self {
            Blobs::Disk(disk) => disk.keep(incoming, key).await,
            Blobs::S3(s3) => s3.keep(incoming, key).await,
        }
    }

    /// Deletes what was left behind by processes that died while they took bytes in.
    #[crate::boxed]
    pub async fn tidy(&self) -> Result<(), BlobError> {
        match self {
            Blobs::Disk(disk) => disk.tidy().await,
            Blobs::S3(s3) => s3.tidy().await,
        }
    }

    /// Writes bytes under a key, in place of what is there.
    #[crate::boxed]
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<(), BlobError> {
        match self {
            Blobs::Disk(disk) => disk.put(key, bytes).await,
            Blobs::S3(s3) => s3.put(key, bytes).await,
        }
    }

    /// Everything under a key.
    #[crate::boxed]
    pub async fn get(&self, key: &str) -> Result<Vec<u8>, BlobError> {
        match self {
            Blobs::Disk(disk) => disk.get(key).await,
            Blobs::S3(s3) => s3.get(key).await,
        }
    }

    /// Everything under a key as a file of this machine, for what is too large to be held in memory.
    #[crate::boxed]
    pub async fn local(&self, key: &str) -> Result<LocalFile, BlobError> {
        match self {
            Blobs::Disk(disk) => disk.local(key).await,
            Blobs::S3(s3) => s3.local(key).await,
        }
    }

    /// How many bytes lie under a key, if any.
    #[crate::boxed]
    pub async fn size(&self, key: &str) -> Result<Option<u64>, BlobError> {
        match self {
            Blobs::Disk(disk) => disk.size(key).await,
            Blobs::S3(s3) => s3.size(key).await,
        }
    }

    /// Deletes what is under a key; nothing there is as good.
    #[crate::boxed]
    pub async fn delete(&self, key: &str) -> Result<(), BlobError> {
        match self {
            Blobs::Disk(disk) => disk.delete(key).await,
            Blobs::S3(s3) => s3.delete(key).await,
        }
    }
}
