//! One connection from its first byte to its last.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use super::activity::{Activity, Standing};
use super::body::{Paced, Tracked};
use super::{Limits, Phase, reached};
use api::Connection;
use axum::Router;
use http::{HeaderValue, Version, header};
use hyper::Request;
use hyper::body::Incoming;
use hyper::rt::{Read, Write};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{sleep, sleep_until, timeout};
use tokio_rustls::TlsAcceptor;
use tower::Service as _;

/// How long a connection that is asked to end may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(5);
/// Streams that a peer opened and reset before we looked at them: more of them is an attack.
const HTTP2_PENDING_RESETS_MAX: usize = 20;
/// Streams that we had to reset because of the peer's errors.
const HTTP2_ERROR_RESETS_MAX: usize = 1024;
/// What one stream may buffer on its way out.
const HTTP2_SEND_BUFFER_BYTES: usize = 256 * 1024;
/// What one stream may send before we read it, and what all streams of a connection may.
const HTTP2_STREAM_WINDOW_BYTES: u32 = 256 * 1024;
const HTTP2_CONNECTION_WINDOW_BYTES: u32 = 1024 * 1024;
/// A peer that went away without a word is noticed by its silence to a ping.
const HTTP2_PING_INTERVAL: Duration = Duration::from_secs(20);
const HTTP2_PING_TIMEOUT: Duration = Duration::from_secs(20);
/// The first byte of every TLS connection: a handshake record.
const TLS_HANDSHAKE: u8 = 0x16;

/// What all connections of a listener share.
pub(super) struct Server {
    router: Router,
    limits: Limits,
    http: Builder<TokioExecutor>,
    phases: watch::Receiver<Phase>,
}

impl Server {
    pub(super) fn new(router: Router, limits: Limits, phases: watch::Receiver<Phase>) -> Server {
        let mut http = Builder::new(TokioExecutor::new());
        // The time for a head is watched by `Activity`, for both protocols alike.
        http.http1()
            .timer(TokioTimer::new())
            .header_read_timeout(None)
            .max_headers(limits.headers_max)
            .max_buf_size(limits.header_bytes_max);
        http.http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(limits.http2_streams_max)
            .max_header_list_size(u32::try_from(limits.header_bytes_max).unwrap_or(u32::MAX))
            .max_pending_accept_reset_streams(HTTP2_PENDING_RESETS_MAX)
            .max_local_error_reset_streams(HTTP2_ERROR_RESETS_MAX)
            .max_send_buf_size(HTTP2_SEND_BUFFER_BYTES)
            .initial_stream_window_size(HTTP2_STREAM_WINDOW_BYTES)
            .initial_connection_window_size(HTTP2_CONNECTION_WINDOW_BYTES)
            .keep_alive_interval(HTTP2_PING_INTERVAL)
            .keep_alive_timeout(HTTP2_PING_TIMEOUT);
        Server { router, limits, http, phases }
    }

    /// Talks to one peer until either side ends it.
    pub(super) async fn converse(&self, stream: TcpStream, tls: Option<TlsAcceptor>) {
        let Ok(peer) = stream.peer_addr() else { return };
        let peer = SocketAddr::new(peer.ip().to_canonical(), peer.port());
        // Answers are small and whole, so waiting for more to send with them only costs time.
        let _ = stream.set_nodelay(true);

        let Some(tls) = tls else {
            return self.drive(TokioIo::new(stream), Connection { peer, tls: false }).await;
        };
        let mut phases = self.phases.clone();
        let greeted = tokio::select! {
            greeted = timeout(self.limits.tls_handshake, greet(stream, &tls)) => greeted,
            () = reached(&mut phases, Phase::Draining) => return,
        };
        match greeted {
            Ok(Ok(Greeted::Encrypted(stream))) => {
                self.drive(TokioIo::new(*stream), Connection { peer, tls: true }).await;
            }
            // The router refuses such requests with a clear answer, and takes note of the key.
            Ok(Ok(Greeted::Plain(stream))) => {
                self.drive(TokioIo::new(stream), Connection { peer, tls: false }).await;
            }
            Ok(Err(error)) => {
                metrics::counter!("tickmark_tls_handshakes_failed_total").increment(1);
                tracing::debug!(%peer, %error, "a TLS handshake failed");
            }
            Err(_) => {
                metrics::counter!("tickmark_tls_handshakes_failed_total").increment(1);
                tracing::debug!(%peer, "a TLS handshake took too long");
            }
        }
    }

    async fn drive<I: Read + Write + Unpin + Send + 'static>(&self, io: I, connection: Connection) {
        let activity = Arc::new(Activity::new());
        let service = service_fn(|request| self.answer(request, connection, &activity));
        let mut phases = self.phases.clone();
        let mut http = std::pin::pin!(self.http.serve_connection(io, service));

        let standing = loop {
            let standing = activity.standing(&self.limits);
            let Standing::Fine(deadline) = standing else { break standing };
            tokio::select! {
                ended = http.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!(peer = %connection.peer, error, "a connection ended early");
                    }
                    return;
                }
                () = sleep_until(deadline) => {}
                () = reached(&mut phases, Phase::Draining) => break standing,
            }
        };
        if standing == Standing::Late {
            tracing::debug!(peer = %connection.peer, "a peer took too long and is cut");
            return;
        }
        http.as_mut().graceful_shutdown();
        tokio::select! {
            _ = http.as_mut() => {}
            () = reached(&mut phases, Phase::Cut) => {}
            () = sleep(GOODBYE), if standing == Standing::Idle => {}
        }
    }

    /// Hands a request to the router, and its response back under watch. A leaving process asks peers that speak
    /// HTTP/1 to make a new connection for their next request; those of HTTP/2 are told when it stops.
    fn answer(
        &self,
        request: Request<Incoming>,
        connection: Connection,
        activity: &Arc<Activity>,
    ) -> impl Future<Output = Result<hyper::Response<Tracked>, Infallible>> + Send + 'static {
        let limits = self.limits;
        let running = Running::new(Arc::clone(activity));
        let is_last = request.version() <= Version::HTTP_11 && *self.phases.borrow() >= Phase::Leaving;
        let mut request = request.map(|incoming| Paced::body(incoming, limits));
        request.extensions_mut().insert(connection);
        let response = self.router.clone().call(request);
        async move {
            let mut response = response.await?;
            if is_last {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(response.map(|body| Tracked::new(body, Arc::clone(&running.0))))
        }
    }
}

/// Counts a request as running until it is answered or dropped.
struct Running(Arc<Activity>);

impl Running {
    fn new(activity: Arc<Activity>) -> Running {
        activity.request_begins();
        Running(activity)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.request_ends();
    }
}

enum Greeted {
    Encrypted(Box<tokio_rustls::server::TlsStream<TcpStream>>),
    Plain(TcpStream),
}

/// Shakes hands, unless the peer's first byte shows that it does not speak TLS at all.
async fn greet(stream: TcpStream, tls: &TlsAcceptor) -> std::io::Result<Greeted> {
    let mut first = [0];
    let length = stream.peek(&mut first).await?;
    if length == 1 && first[0] != TLS_HANDSHAKE {
        return Ok(Greeted::Plain(stream));
    }
    Ok(Greeted::Encrypted(Box::new(tls.accept(stream).await?)))
}
