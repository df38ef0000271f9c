//! Fetching a file from a URL that a client gave.

use super::{Error, Outbound, explain, uri};
use bytes::Bytes;
use domain::web_url::WebUrl;
use http::header::{ACCEPT_ENCODING, CONTENT_TYPE, HeaderValue, LOCATION, USER_AGENT};
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body as _, Incoming};
use std::time::Duration;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::time::timeout;

/// Redirects followed at most, each checked like the first URL (contract, section 5).
const REDIRECTS_MAX: usize = 3;
/// How long a server may take to answer, and to send the next piece.
const SILENCE: Duration = Duration::from_secs(20);
/// How long the whole download may take.
const WHOLE: Duration = Duration::from_secs(10 * 60);
/// Who we say we are.
const AGENT: &str = "Service-Downloads/1";

/// What was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Downloaded {
    /// What the server says it is, without parameters and in lower case.
    pub content_type: Option<String>,
    /// How many bytes were written.
    pub len: u64,
}

/// Why a file could not be fetched.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// Trying again would end the same: the URL, its address or its answer is not acceptable.
    #[error("{0}")]
    Permanent(String),
    /// The file has more bytes than allowed.
    #[error("the file has more than {max_bytes} bytes")]
    TooLarge {
        /// The most allowed.
        max_bytes: u64,
    },
    /// It may work later: time ran out, the connection broke, the server has a fault.
    #[error("{0}")]
    Transient(String),
    /// What was fetched could not be written down; a fault of ours.
    #[error(transparent)]
    Write(std::io::Error),
}

impl From<Error> for DownloadError {
    fn from(error: Error) -> DownloadError {
        match error {
            Error::Refused(why) => DownloadError::Permanent(why),
            other => DownloadError::Transient(other.to_string()),
        }
    }
}

impl Outbound {
    /// Fetches a file into `writer`, at most `max_bytes` of it. After an error, what was written is to be
    /// thrown away.
    pub async fn download(
        &self,
        url: &WebUrl,
        max_bytes: u64,
        writer: &mut (impl AsyncWrite + Unpin),
    ) -> Result<Downloaded, DownloadError> {
        let late = |_| DownloadError::from(Error::Timeout);
        timeout(WHOLE, self.fetch(url, max_bytes, writer)).await.map_err(late)?
    }

    async fn fetch(
        &self,
        url: &WebUrl,
        max_bytes: u64,
        writer: &mut (impl AsyncWrite + Unpin),
    ) -> Result<Downloaded, DownloadError> {
        let (head, body) = self.follow(url).await?.into_parts();
        if body.size_hint().lower() > max_bytes {
            return Err(DownloadError::TooLarge { max_bytes });
        }
        let len = copy(body, max_bytes, writer).await?;
        Ok(Downloaded { content_type: content_type(&head.headers), len })
    }

    /// Follows redirects to the answer that holds the file.
    async fn follow(&self, url: &WebUrl) -> Result<Response<Incoming>, DownloadError> {
        let mut url = url.clone();
        for _ in 0..=REDIRECTS_MAX {
            let answer = self.get(&url).await?;
            let status = answer.status();
            if status.is_success() {
                return Ok(answer);
            }
            if !status.is_redirection() {
                return Err(refused(status));
            }
            let location = answer.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            let location = location.ok_or_else(|| refused(status))?;
            url = url.redirected(location, self.files_reach).map_err(|problem| {
                DownloadError::Permanent(format!("the server redirects to a URL that {problem}"))
            })?;
        }
        Err(DownloadError::Permanent(format!("the server redirects more than {REDIRECTS_MAX} times")))
    }

    async fn get(&self, url: &WebUrl) -> Result<Response<Incoming>, Error> {
        let mut request = Request::new(Full::new(Bytes::new()));
        *request.uri_mut() = uri(url)?;
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
        // Bytes as they are: nothing to unpack, and so nothing that unpacks to a thousand times its size.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let answer = async { self.downloads.request(request).await.map_err(|error| explain(&error)) };
        timeout(SILENCE, answer).await.unwrap_or(Err(Error::Timeout))
    }
}

fn refused(status: StatusCode) -> DownloadError {
    let message = format!("the server answered {}", status.as_u16());
    let is_passing = status.is_server_error()
        || matches!(
            status,
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY | StatusCode::TOO_MANY_REQUESTS
        );
    if is_passing { DownloadError::Transient(message) } else { DownloadError::Permanent(message) }
}

async fn copy(
    mut body: Incoming,
    max_bytes: u64,
    writer: &mut (impl AsyncWrite + Unpin),
) -> Result<u64, DownloadError> {
    let mut len = 0_u64;
    while let Some(frame) = timeout(SILENCE, body.frame()).await.map_err(|_| Error::Timeout)? {
        let frame = frame.map_err(|error| Error::Broken(error.to_string()))?;
        let Some(data) = frame.data_ref() else { continue };
        len += data.len() as u64;
        if len > max_bytes {
            return Err(DownloadError::TooLarge { max_bytes });
        }
        writer.write_all(data).await.map_err(DownloadError::Write)?;
    }
    writer.flush().await.map_err(DownloadError::Write)?;
    Ok(len)
}

fn content_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let kind = value.split(';').next().unwrap_or_default().trim();
    (!kind.is_empty()).then(|| kind.to_ascii_lowercase())
}
