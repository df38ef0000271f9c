//! A small HTTP client with every choice in the test's hands: certificate, protocol, connection.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::{http1, http2};
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Longer than anything here takes on a busy machine; reaching it means that a test failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Fails the test when `work` takes too long.
pub(crate) async fn soon<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, work).await.expect("it must happen soon")
}

/// A certificate for localhost that signs itself, with its key.
pub(crate) struct Pair {
    pub(crate) certificate: CertificateDer<'static>,
    pub(crate) certificate_pem: String,
    pub(crate) key_pem: String,
}

impl Pair {
    pub(crate) fn new() -> Pair {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        Pair {
            certificate: made.cert.der().clone(),
            certificate_pem: made.cert.pem(),
            key_pem: made.signing_key.serialize_pem(),
        }
    }
}

/// One connection that can be asked again and again.
pub(crate) enum Connection {
    Http1(http1::SendRequest<Full<Bytes>>),
    Http2(http2::SendRequest<Full<Bytes>>),
}

impl Connection {
    pub(crate) async fn plain(address: SocketAddr) -> Connection {
        http1_over(TcpStream::connect(address).await.unwrap()).await
    }

    /// Connects with TLS, trusting only `pair`, and speaks what the server chose of `protocols`.
    pub(crate) async fn tls(
        address: SocketAddr,
        pair: &Pair,
        protocols: &[&str],
    ) -> std::io::Result<Connection> {
        let stream = tls(address, pair, protocols).await?;
        Ok(match stream.get_ref().1.alpn_protocol() {
            Some(b"h2") => http2_over(stream).await,
            _ => http1_over(stream).await,
        })
    }

    pub(crate) async fn send(&mut self, request: Request<Full<Bytes>>) -> hyper::Result<Response<Bytes>> {
        let response = match self {
            Connection::Http1(sender) => {
                sender.ready().await?;
                sender.send_request(request).await?
            }
            Connection::Http2(sender) => {
                sender.ready().await?;
                sender.send_request(request).await?
            }
        };
        let (head, body) = response.into_parts();
        Ok(Response::from_parts(head, body.collect().await?.to_bytes()))
    }

    pub(crate) async fn get(&mut self, path: &str) -> hyper::Result<Response<Bytes>> {
        soon(self.send(get(path))).await
    }
}

/// A GET that both protocols understand.
pub(crate) fn get(path: &str) -> Request<Full<Bytes>> {
    Request::get(format!("https://localhost{path}"))
        .header("host", "localhost")
        .body(Full::default())
        .unwrap()
}

pub(crate) async fn tls(
    address: SocketAddr,
    pair: &Pair,
    protocols: &[&str],
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(pair.certificate.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

async fn http1_over<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(stream: S) -> Connection {
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    Connection::Http1(sender)
}

async fn http2_over<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(stream: S) -> Connection {
    let (sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    Connection::Http2(sender)
}

/// A GET that shows a key.
pub(crate) fn get_with_key(path: &str, key: &str) -> Request<Full<Bytes>> {
    let mut request = get(path);
    request.headers_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
    request
}
