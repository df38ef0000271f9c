//! Makes sure that the files of a paper or submission are here and were looked at.

use super::JobError;
use crate::Service;
use crate::blobs::file_key;
use crate::outbound::DownloadError;
use domain::failure::FailureCode;
use domain::file::{BYTES_MAX, File, FileStatus};
use domain::id::FileId;
use domain::web_url::WebUrl;
use store::files;

/// Fetches the files of a paper or submission that come by URL.
pub(super) async fn run(service: &Service, user: &str) -> Result<(), JobError> {
    let known = files::used_by(&mut *service.store().read().await?, user).await?;
    for file in known.into_iter().filter(|file| file.uploaded_at.is_none()) {
        service.fetch(file).await?;
    }
    Ok(())
}

/// The files of a paper or submission, in the order in which it names them, all of them usable.
pub(super) async fn files_of(
    service: &Service,
    user: &str,
    order: impl Iterator<Item = FileId>,
) -> Result<Vec<File>, JobError> {
    let mut known = files::used_by(&mut *service.store().read().await?, user).await?;
    let mut ready = Vec::new();
    for id in order {
        let index = known.iter().position(|file| file.id == id);
        let index = index.ok_or_else(|| JobError::ours(format_args!("the file {id} of {user} is gone")))?;
        let mut file = known.swap_remove(index);
        if file.uploaded_at.is_none() {
            file = service.fetch(file).await?;
        }
        debug_assert_eq!(file.status(service.now()), FileStatus::Attached, "a job's files are attached");
        file.content = Some(service.inspected(&file).await?);
        if let Some(code) = file.failure() {
            return Err(JobError::Fail(code));
        }
        ready.push(file);
    }
    Ok(ready)
}

impl Service {
    /// Fetches a file by its URL and keeps it. Fetching it twice does no harm: the first copy stays.
    async fn fetch(&self, file: File) -> Result<File, JobError> {
        let Some(url) = &file.url else {
            return Err(JobError::ours(format_args!("the file {} was attached without bytes", file.id)));
        };
        let url = WebUrl::parse(url, self.0.outbound.files_reach());
        let url = url.map_err(|_| JobError::Fail(FailureCode::FileDownloadFailed))?;
        if !self.has_free_space() {
            return Err(JobError::ours("there is hardly any room left for files"));
        }
        let mut incoming = self.0.blobs.begin().await?;
        let mut writer = incoming.writer().await?;
        let fetched = self.0.outbound.download(&url, BYTES_MAX, &mut writer).await;
        let fetched = fetched.map_err(|error| unfetched(&file, &error))?;
        if fetched.len == 0 {
            return Err(JobError::Fail(FailureCode::FileUnreadable));
        }
        let now = self.now();
        self.0.blobs.keep(incoming, &file_key(file.id)).await?;
        let size_bytes = self.0.blobs.size(&file_key(file.id)).await?.unwrap_or(fetched.len);
        let file = File { size_bytes, uploaded_at: Some(now), ..file };
        self.note_upload(&file, now).await?;
        Ok(file)
    }
}

fn unfetched(file: &File, error: &DownloadError) -> JobError {
    tracing::info!(file.id = %file.id, %error, "a file could not be fetched");
    let code = FailureCode::FileDownloadFailed;
    match error {
        DownloadError::TooLarge { .. } => JobError::Fail(FailureCode::FileTooLarge),
        DownloadError::Permanent(_) => JobError::Fail(code),
        DownloadError::Transient(_) => JobError::Retry { reason: error.to_string(), code },
        DownloadError::Write(_) => JobError::ours(error),
    }
}
