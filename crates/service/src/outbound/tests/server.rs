//! A server that answers with the bytes it is told to, and remembers what it was asked.

use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

type Reply = fn(&str) -> String;

pub(super) struct Server {
    port: u16,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    connections: AtomicUsize,
    requests: Mutex<Vec<String>>,
}

impl Server {
    pub(super) async fn start(reply: Reply) -> Server {
        Server::listen(reply, None).await
    }

    /// Over TLS, with the certificate that a client must trust.
    pub(super) async fn start_tls(name: &str, reply: Reply) -> (Server, CertificateDer<'static>) {
        let issued = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
        let certificate = issued.cert.der().clone();
        let key = PrivateKeyDer::try_from(issued.signing_key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config =
            ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_no_client_auth().with_single_cert(vec![certificate.clone()], key).unwrap();
        (Server::listen(reply, Some(Arc::new(config).into())).await, certificate)
    }

    async fn listen(reply: Reply, tls: Option<TlsAcceptor>) -> Server {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = socket.local_addr().unwrap().port();
        let seen = Arc::new(Seen::default());
        let shared = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((stream, _)) = socket.accept().await {
                shared.connections.fetch_add(1, Ordering::SeqCst);
                let (seen, tls) = (Arc::clone(&shared), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        Some(tls) => {
                            let Ok(stream) = tls.accept(stream).await else { return };
                            converse(stream, &seen, reply).await;
                        }
                        None => converse(stream, &seen, reply).await,
                    }
                });
            }
        });
        Server { port, seen }
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }

    pub(super) fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::SeqCst)
    }

    pub(super) fn requests(&self) -> Vec<String> {
        self.seen.requests.lock().unwrap().clone()
    }
}

/// Answers each request; a body of ours comes with its head, so one read is one request.
async fn converse(mut stream: impl AsyncRead + AsyncWrite + Unpin, seen: &Seen, reply: Reply) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = stream.read(&mut buffer).await {
        let request = String::from_utf8_lossy(&buffer[..length]).into_owned();
        let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
        seen.requests.lock().unwrap().push(request);
        let answer = reply(&path);
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
        let is_last = answer.contains("connection: close")
            || answer.starts_with("SSH")
            || !answer.contains("content-length");
        if is_last && !answer.is_empty() && !answer.contains("204") {
            return;
        }
    }
}
