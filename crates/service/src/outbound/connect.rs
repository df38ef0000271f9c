//! Making a connection: resolve, check, connect to what was checked, prove the name.

use super::resolve::Resolver;
use super::stream::Stream;
use super::{Error, public};
use domain::web_url::Reach;
use futures_util::future::BoxFuture;
use http::Uri;
use hyper_util::client::legacy;
use hyper_util::rt::TokioIo;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

/// How long one address is tried before the next.
const ADDRESS_TIME_MAX: Duration = Duration::from_secs(3);
/// How many addresses of a name are tried.
const ADDRESSES_MAX: usize = 8;

/// Makes connections to checked addresses.
#[derive(Clone, Debug)]
pub(crate) struct Connector(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// `None`: the address is the operator's own choice, wherever it leads.
    reach: Option<Reach>,
    resolver: Arc<dyn Resolver>,
    tls: Arc<ClientConfig>,
}

impl Connector {
    pub(super) fn new(
        reach: Option<Reach>,
        resolver: Arc<dyn Resolver>,
        authorities: &[CertificateDer<'static>],
    ) -> Connector {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        roots.add_parsable_certificates(authorities.iter().cloned());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider knows the default versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        Connector(Arc::new(Shared { reach, resolver, tls: Arc::new(tls) }))
    }
}

impl tower::Service<Uri> for Connector {
    type Response = TokioIo<Stream>;
    type Error = Error;
    type Future = BoxFuture<'static, Result<TokioIo<Stream>, Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let shared = Arc::clone(&self.0);
        Box::pin(async move { shared.connect(&uri).await.map(TokioIo::new) })
    }
}

impl Shared {
    async fn connect(&self, uri: &Uri) -> Result<Stream, Error> {
        let is_tls = uri.scheme() == Some(&http::uri::Scheme::HTTPS);
        let host = uri.host().unwrap_or_default();
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
        let stream = dial(&self.addresses(host).await?, port).await?;
        // Our messages are small and whole: waiting to fill a packet only delays them.
        stream.set_nodelay(true).map_err(|_| Error::Connect)?;
        if !is_tls {
            return Ok(Stream::Plain(stream));
        }
        let name = ServerName::try_from(host.trim_end_matches('.').to_owned());
        let name = name.map_err(|_| Error::Refused("the host's name is not valid".to_owned()))?;
        let secured = TlsConnector::from(Arc::clone(&self.tls)).connect(name, stream).await;
        secured.map(|stream| Stream::Tls(Box::new(stream))).map_err(|error| Error::Tls(error.to_string()))
    }

    /// The addresses of a host, every one of which may be connected to. One that may not spoils the name:
    /// somebody is trying to lead us there.
    async fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, Error> {
        let addresses = match host.parse() {
            Ok(address) => vec![address],
            Err(_) => self.resolver.resolve(host).await.map_err(|_| Error::Name)?,
        };
        if let Some(inside) = addresses.iter().find(|&&address| !self.may_reach(address)) {
            tracing::debug!(host, address = %inside, "a host was not visited because of its address");
            return Err(Error::Refused("the host has an address that is not public".to_owned()));
        }
        if addresses.is_empty() { Err(Error::Name) } else { Ok(addresses) }
    }

    fn may_reach(&self, address: IpAddr) -> bool {
        match self.reach {
            None => true,
            Some(Reach::Development) if address.is_loopback() => true,
            Some(_) => public::is_public(address),
        }
    }
}

async fn dial(addresses: &[IpAddr], port: u16) -> Result<TcpStream, Error> {
    let mut failure = Error::Connect;
    for &address in addresses.iter().take(ADDRESSES_MAX) {
        match timeout(ADDRESS_TIME_MAX, TcpStream::connect(SocketAddr::new(address, port))).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(_)) => failure = Error::Connect,
            Err(_) => failure = Error::Timeout,
        }
    }
    Err(failure)
}

/// Our own error, found in the client's, which wraps it.
pub(crate) fn explain(error: &legacy::Error) -> Error {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    let mut innermost = None;
    while let Some(cause) = source {
        if let Some(ours) = cause.downcast_ref::<Error>() {
            return ours.again();
        }
        innermost = Some(cause);
        source = cause.source();
    }
    Error::Broken(innermost.map(ToString::to_string).unwrap_or_default())
}

impl Error {
    /// The same error once more: the client keeps the one that it got.
    pub(crate) fn again(&self) -> Error {
        match self {
            Error::Refused(why) => Error::Refused(why.clone()),
            Error::Name => Error::Name,
            Error::Connect => Error::Connect,
            Error::Tls(why) => Error::Tls(why.clone()),
            Error::Timeout => Error::Timeout,
            Error::Broken(why) => Error::Broken(why.clone()),
        }
    }
}
