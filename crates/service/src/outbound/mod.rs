//! The one outbound HTTP client: for addresses that clients gave us, and so for nobody's inner network.
//!
//! It resolves a name itself, refuses it unless every address it stands for is public, and connects to an
//! address that it has checked; so a name that changes its mind between the check and the connection gains
//! nothing. A connection is checked when it is made and serves later requests to the same host. Redirects
//! are never followed by the client itself. Everything has a bound: time, headers, and bytes of a body.

mod connect;
mod download;
mod post;
mod public;
mod resolve;
mod stream;
#[cfg(test)]
mod tests;

pub(crate) use connect::explain;
pub use download::{DownloadError, Downloaded};
pub use post::{Answer, Destination};
pub use resolve::{Resolver, SystemResolver};

use bytes::Bytes;
use connect::Connector;
use domain::web_url::{Reach, WebUrl};
use http::{Request, Response, Uri};
use http_body_util::Full;
use hyper::body::{Body, Incoming};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::pki_types::CertificateDer;
use std::sync::Arc;
use std::time::Duration;

/// Connections to one host that are kept for the next request, at most. Many endpoints may share a host, with up to
/// eight deliveries under way to each.
const IDLE_PER_HOST_MAX: usize = 64;
/// How long a connection is kept that nobody uses.
const IDLE: Duration = Duration::from_secs(30);
/// The most bytes of an answer's head.
const HEAD_BYTES_MAX: usize = 32 * 1024;

/// The client. Clones share its connections.
#[derive(Clone, Debug)]
pub struct Outbound {
    client: Client<Connector, Full<Bytes>>,
    reach: Reach,
    downloads: Client<Connector, Full<Bytes>>,
    files_reach: Reach,
    exchange_time_max: Duration,
}

/// Why there was no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The URL or the address behind it is one that we do not visit. Trying again changes nothing.
    #[error("{0}")]
    Refused(String),
    /// The name could not be resolved.
    #[error("the host's name could not be resolved")]
    Name,
    /// No connection came about.
    #[error("no connection to the host could be made")]
    Connect,
    /// The host could not prove its name.
    #[error("no secure connection to the host could be made: {0}")]
    Tls(String),
    /// Time ran out.
    #[error("the host did not answer in time")]
    Timeout,
    /// The connection broke, or the answer was no HTTP.
    #[error("the connection broke: {0}")]
    Broken(String),
}

impl Outbound {
    /// A client that trusts the authorities which browsers trust and asks the system for names.
    pub fn new(reach: Reach) -> Outbound {
        Outbound::with(reach, Arc::new(SystemResolver), &[])
    }

    /// A client with a resolver of its own, and with further authorities that it trusts.
    pub fn with(
        reach: Reach,
        resolver: Arc<dyn Resolver>,
        authorities: &[CertificateDer<'static>],
    ) -> Outbound {
        let client = client(Connector::new(Some(reach), resolver, authorities));
        let downloads = client.clone();
        Outbound { client, reach, downloads, files_reach: reach, exchange_time_max: post::EXCHANGE_TIME_MAX }
    }

    /// The same, but files are fetched from public addresses alone, as everywhere.
    #[must_use]
    pub fn with_public_files(self) -> Outbound {
        let downloads = client(Connector::new(Some(Reach::Public), Arc::new(SystemResolver), &[]));
        Outbound { downloads, files_reach: Reach::Public, ..self }
    }

    /// How far it reaches for files.
    pub fn files_reach(&self) -> Reach {
        self.files_reach
    }

    /// How far it reaches.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    async fn request(&self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, Error> {
        self.client.request(request).await.map_err(|error| connect::explain(&error))
    }
}

/// A client for servers that the operator chose, whose addresses may well be private: it checks none of them,
/// so it is never given a URL that came from a client.
pub(crate) type OperatorClient<B> = Client<Connector, B>;

/// Makes one, which trusts further authorities too.
pub(crate) fn client_for_operator<B>(authorities: &[CertificateDer<'static>]) -> OperatorClient<B>
where
    B: Body + Send,
    B::Data: Send,
{
    client(Connector::new(None, Arc::new(SystemResolver), authorities))
}

fn client<B>(connector: Connector) -> Client<Connector, B>
where
    B: Body + Send,
    B::Data: Send,
{
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(IDLE_PER_HOST_MAX)
        .http1_max_buf_size(HEAD_BYTES_MAX)
        .build(connector)
}

fn uri(url: &WebUrl) -> Result<Uri, Error> {
    let parsed = url.as_requested().parse();
    parsed.map_err(|_| Error::Refused("the URL cannot be requested".to_owned()))
}
