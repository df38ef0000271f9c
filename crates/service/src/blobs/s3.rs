//! The file store in a bucket of an S3-compatible object store.
//!
//! Clients put the files they upload into the bucket themselves, at a URL that we sign: the bytes never pass
//! through us. Our own requests are signed URLs too, valid for minutes. Each is safe to repeat, so a fault that
//! may pass is tried again a few times before the caller hears of it; and each has a bound in time and bytes.

mod exchange;

pub use rusty_s3::Credentials;

use super::incoming::{self, Incoming, blocking};
use super::{BlobError, LocalFile, file_key};
use crate::outbound;
use bytes::Bytes;
use domain::file::{ContentType, File, UPLOAD_WITHIN};
use exchange::{Client, Destination, Payload, Refusal};
use http::StatusCode;
use http::header::{CONTENT_LENGTH, IF_NONE_MATCH};
use rustls::pki_types::CertificateDer;
use rusty_s3::actions::S3Action as _;
use rusty_s3::{Bucket, BucketError, UrlStyle};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::NamedTempFile;
use url::Url;

/// How long a request without a body of any size may take.
const SHORT: Duration = Duration::from_secs(15);
/// How long the bytes of one object may take, there or back.
const TRANSFER: Duration = Duration::from_secs(120);
/// "Only if nothing is there", as a header's value.
const ANYTHING: &str = "*";

/// The file store in a bucket.
#[derive(Clone, Debug)]
pub struct S3 {
    bucket: Bucket,
    credentials: Credentials,
    client: Client,
    incoming: PathBuf,
}

/// Where a bucket is.
#[derive(Clone, Debug)]
pub struct Place {
    /// The object store. Clients send their uploads there, so it is the name that they know it by.
    pub endpoint: Url,
    /// The bucket's name, which is put behind the endpoint as a path.
    pub bucket: String,
    /// The region that requests are signed for.
    pub region: String,
}

/// Why a bucket cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The endpoint and the bucket's name make no URL.
    #[error("the endpoint and the bucket make no URL: {0}")]
    Url(#[from] BucketError),
    /// The folder for bytes on their way in cannot be made.
    #[error(transparent)]
    Folder(#[from] io::Error),
}

impl S3 {
    /// The store in this bucket. Bytes that come through us wait in the folder `incoming`, which is made when it
    /// is missing. `authorities` are trusted besides those that browsers trust: such stores are often one's own.
    pub fn open(
        place: Place,
        credentials: Credentials,
        incoming: PathBuf,
        authorities: &[CertificateDer<'static>],
    ) -> Result<S3, OpenError> {
        let bucket = Bucket::new(place.endpoint, UrlStyle::Path, place.bucket, place.region)?;
        fs::create_dir_all(&incoming)?;
        Ok(S3 { bucket, credentials, client: outbound::client_for_operator(authorities), incoming })
    }

    /// Where a client puts a file's bytes: the same URL whenever it is asked for. What was registered is signed
    /// with it, so the store takes nothing else, and only once.
    pub(super) fn upload_url(&self, file: &File) -> String {
        let (key, length) = (file_key(file.id), file.size_bytes.to_string());
        let mut put = self.bucket.put_object(Some(&self.credentials), &key);
        let headers = put.headers_mut();
        headers.insert("content-length", &*length);
        headers.insert("content-type", file.content_type.map_or("", ContentType::name));
        headers.insert("if-none-match", ANYTHING);
        put.sign_with_time(UPLOAD_WITHIN.unsigned_abs(), &file.created_at).into()
    }

    /// Asks for the first name in the bucket: whether it exists and these credentials open it.
    pub(super) async fn check(&self) -> Result<(), BlobError> {
        // The bucket's own URL is that of an object without a name.
        let mut list = self.bucket.get_object(Some(&self.credentials), "");
        list.query_mut().insert("list-type", "2");
        list.query_mut().insert("max-keys", "1");
        let answer = exchange::send(&self.client, &list, &[], Payload::Nothing, SHORT).await?;
        answer.accepted(&[]).map(drop)
    }

    pub(super) async fn begin(&self) -> Result<Incoming, BlobError> {
        Incoming::begin(self.incoming.clone()).await
    }

    /// False also when an earlier try of ours was taken and its answer lost; what lies there is the same then.
    pub(super) fn folder(&self) -> &Path {
        &self.incoming
    }

    pub(super) async fn keep(&self, incoming: Incoming, key: &str) -> Result<bool, BlobError> {
        let file = incoming.flushed().await?;
        let (file, length) = blocking(move || {
            let length = file.as_file().metadata()?.len();
            Ok((file, length))
        })
        .await?;
        let mut put = self.bucket.put_object(Some(&self.credentials), key);
        put.headers_mut().insert("if-none-match", ANYTHING);
        let length = length.to_string();
        let headers = [(IF_NONE_MATCH, ANYTHING), (CONTENT_LENGTH, &*length)];
        let answer = exchange::send(&self.client, &put, &headers, Payload::File(&file), TRANSFER).await?;
        let answer = answer.accepted(&[StatusCode::PRECONDITION_FAILED])?;
        Ok(answer.status != StatusCode::PRECONDITION_FAILED)
    }

    pub(super) async fn put(&self, key: &str, bytes: Bytes) -> Result<(), BlobError> {
        let put = self.bucket.put_object(Some(&self.credentials), key);
        let length = bytes.len().to_string();
        let headers = [(CONTENT_LENGTH, &*length)];
        let answer = exchange::send(&self.client, &put, &headers, Payload::Bytes(&bytes), TRANSFER).await?;
        answer.accepted(&[]).map(drop)
    }

    pub(super) async fn get(&self, key: &str) -> Result<Vec<u8>, BlobError> {
        let get = self.bucket.get_object(Some(&self.credentials), key);
        let answer = exchange::send(&self.client, &get, &[], Payload::Nothing, TRANSFER).await?;
        match answer.accepted(&[StatusCode::NOT_FOUND])? {
            none if none.status == StatusCode::NOT_FOUND => Err(BlobError::Missing(key.to_owned())),
            found => Ok(found.body),
        }
    }

    pub(super) async fn local(&self, key: &str) -> Result<LocalFile, BlobError> {
        let folder = self.incoming.clone();
        let copy = blocking(move || NamedTempFile::new_in(folder)).await?;
        let get = self.bucket.get_object(Some(&self.credentials), key);
        let into = Destination::File(&copy);
        let answer = exchange::fetch(&self.client, &get, into, TRANSFER).await?;
        match answer.accepted(&[StatusCode::NOT_FOUND])?.status {
            StatusCode::NOT_FOUND => Err(BlobError::Missing(key.to_owned())),
            _ => Ok(LocalFile::copy(copy)),
        }
    }

    pub(super) async fn size(&self, key: &str) -> Result<Option<u64>, BlobError> {
        let head = self.bucket.head_object(Some(&self.credentials), key);
        let answer = exchange::send(&self.client, &head, &[], Payload::Nothing, SHORT).await?;
        let answer = answer.accepted(&[StatusCode::NOT_FOUND])?;
        if answer.status == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        let length = answer.length.ok_or_else(|| BlobError::unavailable(Refusal::NoLength))?;
        Ok(Some(length))
    }

    pub(super) async fn delete(&self, key: &str) -> Result<(), BlobError> {
        let delete = self.bucket.delete_object(Some(&self.credentials), key);
        let answer = exchange::send(&self.client, &delete, &[], Payload::Nothing, SHORT).await?;
        answer.accepted(&[StatusCode::NOT_FOUND]).map(drop)
    }

    pub(super) async fn tidy(&self) -> Result<(), BlobError> {
        incoming::tidy(self.incoming.clone()).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::account::Owner;
    use domain::file::Purpose;
    use domain::id::{AccountId, FileId, Identifier as _};
    use domain::mode::Mode;
    use domain::text::ShortLine;
    use jiff::Timestamp;

    fn file() -> File {
        let owner: Owner = (AccountId::from_number(1), Mode::Test);
        File {
            id: FileId::from_number(1),
            owner,
            purpose: Purpose::AnswerScript,
            filename: ShortLine::trusted("script.pdf".into()),
            content_type: Some(ContentType::Pdf),
            size_bytes: 10,
            token: "t".into(),
            url: None,
            uploaded_at: None,
            content: None,
            attached_to: None,
            expired_at: None,
            created_at: Timestamp::UNIX_EPOCH,
        }
    }

    fn store(endpoint: &str, folder: &tempfile::TempDir) -> Result<S3, OpenError> {
        let place = Place {
            endpoint: endpoint.parse().unwrap(),
            bucket: "scripts".into(),
            region: "eu-west-1".into(),
        };
        S3::open(place, Credentials::new("us", "secret"), folder.path().join("incoming"), &[])
    }

    #[test]
    fn an_upload_url_signs_what_was_registered_for_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let store = store("https://files.example.org/s3", &folder).unwrap();
        let url = store.upload_url(&file());
        let (place, query) = url.split_once('?').unwrap();
        assert_eq!(place, format!("https://files.example.org/s3/scripts/files/{}", file().id));
        for part in [
            "X-Amz-Credential=us%2F19700101%2Feu-west-1%2Fs3%2Faws4_request",
            "X-Amz-Date=19700101T000000Z",
            "X-Amz-Expires=86400",
            "X-Amz-SignedHeaders=content-length%3Bcontent-type%3Bhost%3Bif-none-match",
        ] {
            assert!(query.contains(part), "{part} is not in {query}");
        }
        assert_eq!(store.upload_url(&file()), url);
        assert_ne!(store.upload_url(&File { size_bytes: 11, ..file() }), url);
        assert!(!format!("{store:?}").contains("secret"), "what is secret is not shown");
    }

    #[test]
    fn an_endpoint_is_on_the_web() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(store("ftp://files.example.org", &folder), Err(OpenError::Url(_))));
    }

    #[tokio::test]
    async fn a_store_that_is_away_is_unavailable() {
        let folder = tempfile::tempdir().unwrap();
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = socket.local_addr().unwrap().port();
        drop(socket);
        let store = store(&format!("http://127.0.0.1:{port}"), &folder).unwrap();
        let error = store.size("files/file_x").await.unwrap_err();
        assert!(matches!(error, BlobError::Unavailable(_)), "{error}");
        assert!(error.to_string().ends_with("no connection to the host could be made"), "{error}");
    }
}
