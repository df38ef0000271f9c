//! The way to a model's endpoint. The operator names it, so any address will do; one connection a request,
//! because a model thinks for seconds.

use bytes::Bytes;
use http::{Method, Uri, header};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper_util::rt::TokioIo;
use marker::remote::{Fault, Request, Response, Transport};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio_rustls::TlsConnector;

/// Speaks HTTP to a model's endpoint from threads that may block.
#[derive(Clone)]
pub struct ModelTransport {
    runtime: Handle,
    tls: TlsConnector,
}

impl std::fmt::Debug for ModelTransport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ModelTransport")
    }
}

impl ModelTransport {
    /// A transport on this runtime that trusts the authorities which browsers trust.
    pub fn new(runtime: Handle) -> ModelTransport {
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider knows the default versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        ModelTransport { runtime, tls: TlsConnector::from(Arc::new(config)) }
    }

    async fn exchange(&self, request: &Request) -> Result<Response, Fault> {
        let uri: Uri = request.url.parse().map_err(broken)?;
        let host = uri.host().ok_or_else(|| Fault::Broken("the address has no host".to_owned()))?.to_owned();
        let is_secure = uri.scheme_str() == Some("https");
        let port = uri.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
        let name = host.trim_matches(['[', ']']);
        let stream = TcpStream::connect((name, port)).await.map_err(broken)?;
        if !is_secure {
            return post(stream, &uri, request).await;
        }
        let name = ServerName::try_from(name.to_owned()).map_err(broken)?;
        post(self.tls.connect(name, stream).await.map_err(broken)?, &uri, request).await
    }
}

impl Transport for ModelTransport {
    fn post(&self, request: &Request) -> Result<Response, Fault> {
        let exchange = async {
            tokio::time::timeout(request.timeout, self.exchange(request)).await.unwrap_or(Err(Fault::Timeout))
        };
        self.runtime.block_on(exchange)
    }
}

async fn post<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    uri: &Uri,
    request: &Request,
) -> Result<Response, Fault> {
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    // The connection is driven beside the request and ends with it.
    let driver = tokio::spawn(connection);
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let mut builder = http::Request::builder()
        .method(Method::POST)
        .uri(path)
        .header(header::HOST, uri.authority().map_or("", |authority| authority.as_str()))
        .header(header::CONTENT_TYPE, "application/json");
    if let Some(key) = &request.api_key {
        builder = builder.header(header::AUTHORIZATION, format!("Bearer {}", key.0));
    }
    let sent = builder.body(Full::new(Bytes::from(request.body.clone()))).map_err(broken)?;
    let answered = answer(sender.send_request(sent).await.map_err(broken)?, request.response_bytes_max).await;
    driver.abort();
    answered
}

async fn answer(
    response: http::Response<hyper::body::Incoming>,
    bytes_max: usize,
) -> Result<Response, Fault> {
    let status = response.status().as_u16();
    let retry_after = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
    let retry_after_seconds = retry_after.and_then(|text| text.trim().parse().ok());
    let body = Limited::new(response.into_body(), bytes_max).collect().await.map_err(|error| {
        let is_large = error.is::<LengthLimitError>();
        Fault::Broken(if is_large { "its answer is too large".to_owned() } else { error.to_string() })
    })?;
    let body = String::from_utf8_lossy(&body.to_bytes()).into_owned();
    Ok(Response { status, body, retry_after_seconds })
}

fn broken(error: impl std::fmt::Display) -> Fault {
    Fault::Broken(error.to_string())
}
