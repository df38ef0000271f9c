//! Pictures of a script's pages, for the desk. They are drawn when they are asked for and kept for a while in memory
//! alone, so that nothing of a deleted script stays anywhere.

use crate::blobs::{BlobError, file_key};
use crate::reviews::ReviewError;
use crate::{Error, Service};
use bytes::Bytes;
use domain::id::{ClassScanId, FileId, Identifier as _, SubmissionId};
use domain::review::ReviewLink;
use reader::isolate::{Drawing, Failure};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Pictures that are kept; one takes about 150 KiB.
const KEPT_MAX: usize = 100;
/// How wide the pages of a scan are drawn: a name can be read on them, and a class's pages are loaded quickly.
const SCAN_WIDTH: u32 = 700;

/// Of which script or scan, by the number of its id, which file and which page.
type Key = (u128, u32, u32);

/// The pictures that were asked for last.
#[derive(Debug, Default)]
pub(crate) struct Album(Mutex<VecDeque<(Key, Bytes)>>);

impl Album {
    fn find(&self, key: Key) -> Option<Bytes> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(own, _)| *own == key).map(|(_, picture)| picture.clone())
    }

    fn keep(&self, key: Key, picture: Bytes) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(own, _)| *own != key);
        kept.push_front((key, picture));
        kept.truncate(KEPT_MAX);
    }
}

impl Service {
    /// A page of a script as a JPEG; `None` when there is no such page or it cannot be drawn. The script must be of
    /// the paper that the link opens.
    #[crate::boxed]
    pub async fn script_picture(
        &self,
        link: &ReviewLink,
        id: SubmissionId,
        file: u32,
        page: u32,
    ) -> Result<Option<Bytes>, ReviewError> {
        let submission = self.desk_submission(link, id).await?;
        let Some(entry) = submission.files.get(file as usize) else { return Ok(None) };
        if !(1..=entry.pages.unwrap_or_default()).contains(&page) {
            return Ok(None);
        }
        let key = (id.number(), file, page);
        if let Some(kept) = self.0.album.find(key) {
            return Ok(Some(kept));
        }
        let drawing = self.script_drawing(id, file, page).await?;
        self.picture_of(key, entry.file_id, drawing).await
    }

    /// A page of a class scan as a JPEG, on the same terms.
    #[crate::boxed]
    pub async fn scan_picture(
        &self,
        link: &ReviewLink,
        id: ClassScanId,
        page: u32,
    ) -> Result<Option<Bytes>, ReviewError> {
        let scan = self.desk_scan(link, id).await?;
        let Some((file, number)) = scan.place_of(page) else { return Ok(None) };
        let key = (id.number(), 0, page);
        if let Some(kept) = self.0.album.find(key) {
            return Ok(Some(kept));
        }
        let drawing = Drawing { page: number, width: SCAN_WIDTH, corners: None, lossless: false };
        self.picture_of(key, scan.files[file].file_id, drawing).await
    }

    /// Draws a page and keeps it in memory.
    async fn picture_of(
        &self,
        key: Key,
        file: FileId,
        drawing: Drawing,
    ) -> Result<Option<Bytes>, ReviewError> {
        let document = match self.0.blobs.local(&file_key(file)).await {
            Ok(document) => document,
            Err(BlobError::Missing(_)) => return Ok(None),
            Err(error) => return Err(Error::from(error).into()),
        };
        let permit = self.0.easel.turns().acquire().await.map_err(|error| Error::Broken(error.into()))?;
        let reader = self.0.reader.clone();
        let drawn = tokio::task::spawn_blocking(move || reader.draw(document.path(), &drawing));
        let drawn = drawn.await.map_err(|error| Error::Broken(error.into()))?;
        drop(permit);
        match drawn {
            Ok(picture) => {
                let picture = Bytes::from(picture);
                self.0.album.keep(key, picture.clone());
                Ok(Some(picture))
            }
            Err(Failure::Unavailable(error)) => Err(Error::Unavailable(error.into()).into()),
            Err(failure) => {
                tracing::warn!(file.id = %file, page = drawing.page, %failure, "a page cannot be drawn");
                Ok(None)
            }
        }
    }
}
