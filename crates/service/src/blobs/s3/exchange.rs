//! One request to the object store and its answer, tried again when that may help.

use super::BlobError;
use crate::outbound::{self, OperatorClient};
use bytes::Bytes;
use domain::clock::{Clock as _, SystemClock};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use http::header::{CONTENT_LENGTH, HeaderName};
use http::{Request, StatusCode};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Empty, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use rusty_s3::actions::S3Action;
use std::io;
use std::time::Duration;
use tempfile::NamedTempFile;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::{sleep, timeout};

/// How long our own signed URLs work: as long as the clocks may differ.
const SIGNED_FOR: Duration = Duration::from_secs(15 * 60);
/// How long is waited before each further try.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(500)];
/// The most bytes of one object that are read: more than any file or what is made from it.
const OBJECT_BYTES_MAX: usize = 512 << 20;
/// The most bytes of an explanation that are read.
const EXPLANATION_BYTES_MAX: usize = 64 << 10;
/// The most characters of an explanation that are passed on.
const WORDS_MAX: usize = 300;
/// How much of a file is read and sent at once.
const PIECE: usize = 256 << 10;

pub(super) type Client = OperatorClient<Body>;
type Body = UnsyncBoxBody<Bytes, io::Error>;

/// What a request carries. It can be sent more than once.
#[derive(Clone, Copy, Debug)]
pub(super) enum Payload<'a> {
    Nothing,
    Bytes(&'a Bytes),
    File(&'a NamedTempFile),
}

/// Where the bytes of an object go.
#[derive(Clone, Copy, Debug)]
pub(super) enum Destination<'a> {
    Memory,
    File(&'a NamedTempFile),
}

/// What the store answered.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    /// The length that it states, which for HEAD is that of the object.
    pub(super) length: Option<u64>,
    /// Empty where the bytes went to a file.
    pub(super) body: Vec<u8>,
}

/// Why an exchange came to nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    #[error(transparent)]
    NoAnswer(outbound::Error),
    #[error("the object store's answer broke off: {0}")]
    Broken(hyper::Error),
    #[error("the bytes to be sent cannot be read: {0}")]
    Payload(io::Error),
    #[error("the object's bytes cannot be written: {0}")]
    Destination(io::Error),
    #[error("the request cannot be made: {0}")]
    Request(http::Error),
    #[error("the object store did not answer in time")]
    Timeout,
    #[error("the object has more than {OBJECT_BYTES_MAX} bytes")]
    TooLarge,
    #[error("the object store does not say how many bytes the object has")]
    NoLength,
    #[error("the object store answered {0}")]
    Status(String),
}

impl Refusal {
    fn may_pass(&self) -> bool {
        matches!(self, Refusal::NoAnswer(_) | Refusal::Broken(_))
    }
}

/// Sends a request until it is answered or the tries are over. What the answer means is the caller's to say.
pub(super) async fn send<'a, A: S3Action<'a>>(
    client: &Client,
    action: &A,
    headers: &[(HeaderName, &str)],
    payload: Payload<'_>,
    time_max: Duration,
) -> Result<Answer, BlobError> {
    repeat(time_max, || exchange(client, action, headers, payload, Destination::Memory)).await
}

/// Sends a request without a body, in the same way; the object's bytes go where they are wanted.
pub(super) async fn fetch<'a, A: S3Action<'a>>(
    client: &Client,
    action: &A,
    into: Destination<'_>,
    time_max: Duration,
) -> Result<Answer, BlobError> {
    repeat(time_max, || exchange(client, action, &[], Payload::Nothing, into)).await
}

async fn repeat<E: Future<Output = Result<Answer, Refusal>>>(
    time_max: Duration,
    attempt: impl Fn() -> E,
) -> Result<Answer, BlobError> {
    let mut pauses = PAUSES.into_iter();
    loop {
        let once = attempt();
        // Whoever waited this long does not wait for another try.
        let tried = timeout(time_max, once).await.unwrap_or(Err(Refusal::Timeout));
        let failure = match tried {
            Ok(answer) if !answer.may_pass() => return Ok(answer),
            Ok(answer) => Refusal::Status(answer.words()),
            Err(error) if error.may_pass() => error,
            Err(error) => return Err(BlobError::unavailable(error)),
        };
        let Some(pause) = pauses.next() else { return Err(BlobError::unavailable(failure)) };
        tracing::debug!(error = %failure, "a request to the object store is tried again");
        sleep(pause).await;
    }
}

async fn exchange<'a, A: S3Action<'a>>(
    client: &Client,
    action: &A,
    headers: &[(HeaderName, &str)],
    payload: Payload<'_>,
    into: Destination<'_>,
) -> Result<Answer, Refusal> {
    // The store holds the date against the world's clock, which the service's may be ahead of.
    let url = action.sign_with_time(SIGNED_FOR, &SystemClock::default().now());
    let mut request = Request::builder().method(A::METHOD.to_str()).uri(url.as_str());
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    let request = request.body(body(payload)?).map_err(Refusal::Request)?;
    let answered = client.request(request).await;
    let response = answered.map_err(|error| Refusal::NoAnswer(outbound::explain(&error)))?;
    let (head, body) = response.into_parts();
    let length = head.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let body = match (head.status.is_success(), into) {
        (true, Destination::Memory) => read(body, OBJECT_BYTES_MAX).await?.ok_or(Refusal::TooLarge)?,
        (true, Destination::File(file)) => write(body, file).await.map(|()| Vec::new())?,
        (false, _) => read(body, EXPLANATION_BYTES_MAX).await?.unwrap_or_default(),
    };
    Ok(Answer { status: head.status, length, body })
}

/// Everything in a body; `None` when that is too much.
async fn read(mut body: Incoming, bytes_max: usize) -> Result<Option<Vec<u8>>, Refusal> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(piece) = frame.map_err(Refusal::Broken)?.into_data() else { continue };
        if bytes.len() + piece.len() > bytes_max {
            return Ok(None);
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(Some(bytes))
}

/// Puts a body into a file, in place of what an earlier try left there.
async fn write(mut body: Incoming, file: &NamedTempFile) -> Result<(), Refusal> {
    let file = file.reopen().map_err(Refusal::Destination)?;
    let mut file = tokio::fs::File::from_std(file);
    file.set_len(0).await.map_err(Refusal::Destination)?;
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let Ok(piece) = frame.map_err(Refusal::Broken)?.into_data() else { continue };
        length += piece.len();
        if length > OBJECT_BYTES_MAX {
            return Err(Refusal::TooLarge);
        }
        file.write_all(&piece).await.map_err(Refusal::Destination)?;
    }
    file.flush().await.map_err(Refusal::Destination)
}

fn body(payload: Payload<'_>) -> Result<Body, Refusal> {
    let file = match payload {
        Payload::Nothing => return Ok(Empty::new().map_err(|never| match never {}).boxed_unsync()),
        Payload::Bytes(bytes) => {
            return Ok(Full::new(bytes.clone()).map_err(|never| match never {}).boxed_unsync());
        }
        Payload::File(file) => file.reopen().map_err(Refusal::Payload)?,
    };
    let pieces = stream::try_unfold(tokio::fs::File::from_std(file), |mut file| async move {
        let mut piece = bytes::BytesMut::with_capacity(PIECE);
        let read = file.read_buf(&mut piece).await?;
        Ok::<_, io::Error>((read > 0).then(|| (piece.freeze(), file)))
    });
    Ok(StreamBody::new(pieces.map_ok(Frame::data).boxed()).boxed_unsync())
}

impl Answer {
    /// The answer, if it is a success or one of those that the caller understands.
    pub(super) fn accepted(self, understood: &[StatusCode]) -> Result<Answer, BlobError> {
        // A missing bucket is no missing object.
        let is_about_bucket = self.element("Code").is_some_and(|code| code == "NoSuchBucket");
        if self.status.is_success() || (understood.contains(&self.status) && !is_about_bucket) {
            return Ok(self);
        }
        Err(BlobError::Refused(Refusal::Status(self.words()).into()))
    }

    /// Faults of the store, too many requests, and two that wrote at the same moment.
    fn may_pass(&self) -> bool {
        let passing = [StatusCode::REQUEST_TIMEOUT, StatusCode::CONFLICT, StatusCode::TOO_MANY_REQUESTS];
        self.status.is_server_error() || passing.contains(&self.status)
    }

    /// What the store says about a refusal, for the operator.
    fn words(&self) -> String {
        let said = [self.element("Code"), self.element("Message")];
        let said: Vec<String> = said.into_iter().flatten().collect();
        match (self.status, said.is_empty()) {
            (StatusCode::FORBIDDEN, true) => {
                format!("{}: the access key, its secret or its rights on the bucket are wrong", self.status)
            }
            (status, true) => status.to_string(),
            (status, false) => format!("{status}: {}", said.join(", ")),
        }
    }

    /// The text of an element of the explanation, which is a small XML document.
    fn element(&self, name: &str) -> Option<String> {
        let text = String::from_utf8_lossy(&self.body);
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        let (inside, _) = rest.split_once(&format!("</{name}>"))?;
        Some(inside.chars().filter(|character| !character.is_control()).take(WORDS_MAX).collect())
    }
}
