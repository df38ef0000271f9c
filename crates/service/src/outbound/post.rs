//! One exchange with a server that a client or a platform named: posting to a webhook endpoint, asking a platform.

use super::{Error, Outbound, uri};
use bytes::Bytes;
use domain::web_url::WebUrl;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, USER_AGENT};
use http::{Method, Request, Uri};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use std::time::Duration;
use tokio::time::timeout;

/// How long the whole exchange may take (API text, 6.4).
pub(super) const EXCHANGE_TIME_MAX: Duration = Duration::from_secs(10);
/// How much of an answer is kept (contract, section 13).
const KEPT_BYTES_MAX: usize = 4 * 1024;
/// How much of an answer is read to its end, so that the connection can serve again.
const READ_BYTES_MAX: usize = 64 * 1024;

/// What a receiver answered.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// `Retry-After`, as it stands there.
    pub retry_after: Option<String>,
    /// The beginning of the body.
    pub body: Vec<u8>,
}

/// Where is posted to: a URL that can be requested.
#[derive(Clone, Debug)]
pub struct Destination(Uri);

impl Destination {
    /// The destination that a URL names.
    pub fn new(url: &WebUrl) -> Result<Destination, Error> {
        uri(url).map(Destination)
    }
}

impl Outbound {
    /// Posts JSON, within 10 seconds from the first packet to the last.
    #[crate::boxed]
    pub async fn post(
        &self,
        to: &Destination,
        agent: &'static str,
        signature: (HeaderName, HeaderValue),
        body: Bytes,
    ) -> Result<Answer, Error> {
        let headers = [
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (USER_AGENT, HeaderValue::from_static(agent)),
            signature,
        ];
        self.exchange(Method::POST, to, headers, body, KEPT_BYTES_MAX).await
    }

    /// Sends a request and reads the answer, of whose body so many bytes are kept, within the same time. No redirect
    /// is followed.
    pub(crate) async fn exchange(
        &self,
        method: Method,
        to: &Destination,
        headers: impl IntoIterator<Item = (HeaderName, HeaderValue)>,
        body: Bytes,
        kept_bytes_max: usize,
    ) -> Result<Answer, Error> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        request.uri_mut().clone_from(&to.0);
        request.headers_mut().extend(headers);
        let exchange = async {
            let (head, body) = self.request(request).await?.into_parts();
            let retry_after = head.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
            let retry_after = retry_after.map(str::to_owned);
            let body = beginning(body, kept_bytes_max).await?;
            Ok(Answer { status: head.status.as_u16(), retry_after, body })
        };
        timeout(self.exchange_time_max, exchange).await.unwrap_or(Err(Error::Timeout))
    }
}

/// Reads a body, of which the beginning is kept. One that does not end is left, and its connection with it.
async fn beginning(mut body: Incoming, kept_bytes_max: usize) -> Result<Vec<u8>, Error> {
    let mut kept = Vec::new();
    let mut read = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| Error::Broken(error.to_string()))?;
        let Some(data) = frame.data_ref() else { continue };
        let room = kept_bytes_max.saturating_sub(kept.len()).min(data.len());
        kept.extend_from_slice(&data[..room]);
        read += data.len();
        if read > READ_BYTES_MAX {
            break;
        }
    }
    Ok(kept)
}
