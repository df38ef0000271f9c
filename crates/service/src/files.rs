//! Files: registered, uploaded once, looked at once, used by one paper or submission.
//!
//! An upload is durable before it is noted, and what was not noted because the process died in between is
//! noticed when the file is next looked at. So no moment loses bytes that were acknowledged.

use crate::blobs::{Incoming, file_key};
use crate::idempotency::{Render, Reply};
use crate::{Caller, Error, Service};
use domain::account::Owner;
use domain::failure::FailureCode;
use domain::file::{self, ContentType, File, FileStatus, Found, Purpose};
use domain::id::{FileId, Identifier as _};
use domain::idempotency::Claim;
use domain::random;
use domain::refusal::Refusal;
use domain::text::ShortLine;
use jiff::{SignedDuration, Timestamp};
use reader::isolate::{Failure, Inspection, Isolation};
use reader::{Error as Unreadable, Format};
use std::path::Path;
use store::{Tx, files};

/// How long an upload can go on that began before its URL ended.
const UPLOADS_TAKE_AT_MOST: SignedDuration = SignedDuration::from_hours(1);

/// What a client says about a file before it sends it.
#[derive(Clone, Debug)]
pub struct NewFile {
    /// What it is for.
    pub purpose: Purpose,
    /// The client's name for it.
    pub filename: ShortLine,
    /// What it is.
    pub content_type: ContentType,
    /// How many bytes it has.
    pub size_bytes: u64,
}

/// A file as it is shown: with its upload URL, at this moment.
#[derive(Clone, Debug)]
pub struct ShownFile {
    /// The file.
    pub file: File,
    /// Where its bytes go.
    pub upload_url: String,
    /// When it is looked at.
    pub now: Timestamp,
}

/// What became of an upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uploaded {
    /// The bytes are kept.
    Kept,
    /// Others came before and stay.
    Before,
    /// The URL's time is over.
    TooLate,
}

impl Service {
    /// Registers a file and says where its bytes go.
    #[crate::boxed]
    pub async fn create_file(
        &self,
        caller: &Caller,
        new: NewFile,
        claim: Option<Claim>,
        render: Render<ShownFile>,
    ) -> Result<Reply, Error> {
        let now = self.now();
        let file = File {
            id: self.id(now),
            owner: caller.owner(),
            purpose: new.purpose,
            filename: new.filename,
            content_type: Some(new.content_type),
            size_bytes: new.size_bytes,
            token: random::base62_secret(self.random()),
            url: None,
            uploaded_at: None,
            content: None,
            attached_to: None,
            expired_at: None,
            created_at: now,
        };
        let refusal = self.no_room_for(file.owner, file.size_bytes).await?;
        let shown = self.shown(file, now);
        self.once(
            claim,
            (shown, refusal),
            |tx, (shown, refusal)| {
                Box::pin(async move {
                    if let Some(refusal) = refusal {
                        return Err(refusal.clone().into());
                    }
                    files::insert(tx, &shown.file).await?;
                    Ok(shown.clone())
                })
            },
            render,
        )
        .await
    }

    /// One of the caller's files. Bytes that came without our noticing are noticed now.
    #[crate::boxed]
    pub async fn file(&self, caller: &Caller, id: FileId) -> Result<ShownFile, Error> {
        let file = files::by_id(&mut *self.0.store.read().await?, caller.owner(), id).await?;
        let file = file.ok_or_else(|| Error::missing("file", id))?;
        let now = self.now();
        let file = self.notice_upload(file, now).await?;
        Ok(self.shown(file, now))
    }

    /// The file whose bytes go to this upload URL, while it works. None do where clients write to the file store
    /// themselves.
    #[crate::boxed]
    pub async fn upload_target(&self, token: &str) -> Result<File, Error> {
        if self.0.blobs.is_written_by_clients() {
            return Err(Error::missing("upload URL", ""));
        }
        let file = files::by_token(&mut *self.0.store.read().await?, token).await?;
        let file = file.filter(|file| file.url.is_none() && self.now() < file.upload_ends_at());
        file.ok_or_else(|| Error::missing("upload URL", ""))
    }

    /// Begins to take in a file's bytes.
    #[crate::boxed]
    pub async fn begin_upload(&self) -> Result<Incoming, Error> {
        if !self.has_free_space() {
            return Err(Refusal::NoRoom.into());
        }
        Ok(self.0.blobs.begin().await?)
    }

    /// Keeps the bytes that came for a file, and looks at what they are.
    #[crate::boxed]
    pub async fn finish_upload(&self, file: File, incoming: Incoming) -> Result<Uploaded, Error> {
        let is_first = self.0.blobs.keep(incoming, &file_key(file.id)).await?;
        let now = self.now();
        if !is_first {
            self.notice_upload(file, now).await?;
            return Ok(Uploaded::Before);
        }
        if !self.note_upload(&file, now).await? {
            // Another request saw the bytes before this one noted them; or the file was given up meanwhile.
            let current = files::by_token(&mut *self.0.store.read().await?, &file.token).await?;
            if current.is_none_or(|current| current.uploaded_at.is_none()) {
                self.0.blobs.delete(&file_key(file.id)).await?;
                return Ok(Uploaded::TooLate);
            }
        }
        let file = File { uploaded_at: Some(now), ..file };
        if let Err(error) = self.inspected(&file).await {
            // It is looked at again when it is used.
            tracing::warn!(file.id = %file.id, %error, "an uploaded file could not be looked at");
        }
        Ok(Uploaded::Kept)
    }

    /// Notices and looks at files before a transaction uses them. What goes wrong here shows there.
    pub(crate) async fn settle_files(
        &self,
        owner: Owner,
        ids: impl Iterator<Item = &str>,
    ) -> Result<(), Error> {
        let now = self.now();
        for id in ids.filter_map(FileId::parse) {
            let file = files::by_id(&mut *self.0.store.read().await?, owner, id).await?;
            let Some(file) = file else { continue };
            let file = self.notice_upload(file, now).await?;
            if file.content.is_none()
                && file.status(now) == FileStatus::Uploaded
                && let Err(error) = self.inspected(&file).await
            {
                tracing::warn!(file.id = %file.id, %error, "a file could not be looked at before its use");
            }
        }
        Ok(())
    }

    /// What the file's bytes are: looked at once, then remembered.
    pub(crate) async fn inspected(&self, file: &File) -> Result<Found, Error> {
        if let Some(content) = file.content {
            return Ok(content);
        }
        // Only as many at once as there are processors.
        let permit = self.0.inspections.acquire().await.map_err(|error| Error::Broken(error.into()))?;
        let document = self.0.blobs.local(&file_key(file.id)).await?;
        let (reader, purpose, declared) = (self.reader(), file.purpose, file.content_type);
        let looked = tokio::task::spawn_blocking(move || look(&reader, document.path(), purpose, declared));
        let content = looked.await.map_err(|error| Error::Broken(error.into()))?;
        drop(permit);
        let content = content.map_err(|error| Error::Unavailable(error.into()))?;
        self.0
            .store
            .write((file.id, content), |tx, &(id, content)| {
                Box::pin(async move { Ok::<_, Error>(files::inspected(tx, id, content).await?) })
            })
            .await?;
        Ok(content)
    }

    /// Gives up files that were not uploaded or used in time; gives how many were looked at.
    pub(crate) async fn expire_files(&self, rows: i64) -> Result<usize, Error> {
        let now = self.now();
        let ended = files::ended(&mut *self.0.store.read().await?, now, rows).await?;
        let count = ended.len();
        for file in ended {
            // What came in time and was not looked at since is not given up: its days of waiting begin.
            let file = self.notice_upload(file, now).await?;
            self.0
                .store
                .write((self.clone(), file, now), |tx, (service, file, now)| {
                    Box::pin(async move {
                        if files::expire(tx, file, *now).await? {
                            service.discard_file(tx, file, *now).await?;
                        }
                        Ok::<_, Error>(())
                    })
                })
                .await?;
        }
        Ok(count)
    }

    /// Notes that a file's bytes are to be deleted. Where clients write to the file store themselves, they are
    /// deleted once more when the upload URL has ended and no upload with it can still be under way.
    pub(crate) async fn discard_file(&self, tx: &mut Tx, file: &File, now: Timestamp) -> Result<(), Error> {
        let uploads_end_at = file.upload_ends_at() + UPLOADS_TAKE_AT_MOST;
        let may_come_again =
            self.0.blobs.is_written_by_clients() && file.url.is_none() && now < uploads_end_at;
        let again_at = may_come_again.then_some(uploads_end_at);
        Ok(files::discard(tx, &file_key(file.id), now, again_at).await?)
    }

    /// Deletes bytes whose owner is gone; gives how many.
    pub(crate) async fn delete_discarded(&self, rows: i64) -> Result<usize, Error> {
        let now = self.now();
        let keys = files::discarded(&mut *self.0.store.read().await?, now, rows).await?;
        for key in &keys {
            self.0.blobs.delete(key).await?;
        }
        let count = keys.len();
        self.0
            .store
            .write((keys, now), |tx, (keys, now)| {
                Box::pin(async move {
                    for key in keys {
                        files::deleted(tx, key, *now).await?;
                    }
                    Ok::<_, Error>(())
                })
            })
            .await?;
        Ok(count)
    }

    /// Deletes what uploads left behind whose process died.
    pub(crate) async fn tidy_uploads(&self) -> Result<(), Error> {
        Ok(self.0.blobs.tidy().await?)
    }

    fn shown(&self, file: File, now: Timestamp) -> ShownFile {
        let ours = || format!("{}/upload/{}", self.0.base_url, file.token);
        let upload_url = self.0.blobs.upload_url(&file).unwrap_or_else(ours);
        ShownFile { file, upload_url, now }
    }

    /// The file with its upload noted, if the bytes are there and it was not given up. They came before the upload
    /// URL ended, however late that is noticed.
    async fn notice_upload(&self, file: File, now: Timestamp) -> Result<File, Error> {
        if file.uploaded_at.is_some() || file.expired_at.is_some() || file.url.is_some() {
            return Ok(file);
        }
        if self.0.blobs.size(&file_key(file.id)).await? != Some(file.size_bytes) {
            return Ok(file);
        }
        self.note_upload(&file, now.min(file.upload_ends_at())).await?;
        let id = file.id;
        let noted = files::by_id(&mut *self.0.store.read().await?, file.owner, id).await?;
        noted.ok_or_else(|| Error::missing("file", id))
    }

    pub(crate) async fn note_upload(&self, file: &File, now: Timestamp) -> Result<bool, Error> {
        self.0
            .store
            .write((file.clone(), now), |tx, (file, now)| {
                Box::pin(async move { Ok(files::uploaded(tx, file, *now).await?) })
            })
            .await
    }
}

/// What a document is, by its content. Fails only when nobody could look.
fn look(
    reader: &Isolation,
    document: &Path,
    purpose: Purpose,
    declared: Option<ContentType>,
) -> Result<Found, Failure> {
    match reader.inspect(document) {
        Ok(inspection) => Ok(accepted(inspection, purpose, declared)),
        Err(failure @ (Failure::Unavailable(_) | Failure::Stopped)) => Err(failure),
        Err(failure) => Ok(Found::Wrong(failure_code(&failure))),
    }
}

fn accepted(inspection: Inspection, purpose: Purpose, declared: Option<ContentType>) -> Found {
    let is = content_type(inspection.format);
    if declared.is_some_and(|declared| declared != is) || !purpose.takes(is) {
        return Found::Wrong(FailureCode::UnsupportedFileType);
    }
    match inspection.pages {
        pages if pages > file::PAGES_MAX => Found::Wrong(FailureCode::TooManyPages),
        pages => Found::Pages(pages),
    }
}

/// What the API calls a type.
pub(crate) fn content_type(format: Format) -> ContentType {
    match format {
        Format::Pdf => ContentType::Pdf,
        Format::Jpeg => ContentType::Jpeg,
        Format::Png => ContentType::Png,
    }
}

/// What a file is to blame for. A reader that could not be started is no file's fault.
pub(crate) fn failure_code(failure: &Failure) -> FailureCode {
    match failure {
        Failure::Document(Unreadable::UnsupportedType) => FailureCode::UnsupportedFileType,
        Failure::Document(Unreadable::TooManyPages { .. }) => FailureCode::TooManyPages,
        Failure::Document(_) | Failure::TimedOut | Failure::TooMuchMemory | Failure::Crashed { .. } => {
            FailureCode::FileUnreadable
        }
        Failure::Unavailable(_) | Failure::Stopped => FailureCode::ProcessingFailed,
    }
}
