//! The one seam to the network. This crate has no HTTP client: the service fills the seam with its own.

use std::time::Duration;

/// Sends one request and waits for its answer. It blocks: an async client is driven to its end inside.
pub trait Transport: Send + Sync {
    /// POSTs `request.body` to `request.url`.
    fn post(&self, request: &Request) -> Result<Response, Fault>;

    /// Waits before a further try. Tests replace it, so that none of them sleeps.
    fn wait(&self, delay: Duration) {
        std::thread::sleep(delay);
    }
}

/// A request to the endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The chat-completions address.
    pub url: String,
    /// Without "Bearer"; `None` where the endpoint needs no key. Never logged.
    pub api_key: Option<ApiKey>,
    /// JSON.
    pub body: String,
    /// Give up after this long.
    pub timeout: Duration,
    /// Read no more than this of the answer.
    pub response_bytes_max: usize,
}

/// What the endpoint answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The body as read.
    pub body: String,
    /// The `Retry-After` header, when it is a number of seconds.
    pub retry_after_seconds: Option<u64>,
}

/// Why no answer came.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No answer within the time allowed.
    #[error("it did not answer in time")]
    Timeout,
    /// No connection, a broken one, or an answer that is too large.
    #[error("{0}")]
    Broken(String),
}

/// A secret that is not shown.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(pub String);

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ApiKey(…)")
    }
}
