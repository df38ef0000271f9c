//! Listening: the accept loop, one task a connection, HTTP/1.1 and HTTP/2 over TLS or plain TCP.
//!
//! A connection is cut when its peer is slow in any of the ways that cost us more than them: no
//! handshake, no first request, a head or a body that trickles in, a response that is not read, or
//! nothing at all for too long. Each wait has its own bound in [`Limits`].

mod activity;
mod body;
mod connection;
pub mod tls;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use metrics::{counter, gauge};
use tls::Certificate;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// What a peer may take: bytes, places and patience.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections open at once. Further ones wait in the system's queue.
    pub connections_max: usize,
    /// Bytes of one request's head.
    pub header_bytes_max: usize,
    /// Header fields of one request.
    pub headers_max: usize,
    /// Requests at once on one HTTP/2 connection.
    pub http2_streams_max: u32,
    /// Until the TLS handshake is done.
    pub tls_handshake: Duration,
    /// Until the first request's head is complete.
    pub header_read: Duration,
    /// Between two requests, the second one's head included.
    pub idle: Duration,
    /// Between two pieces of a request's body.
    pub body_idle: Duration,
    /// A body that falls behind this rate after [`Limits::body_idle`] is cut off.
    pub body_bytes_per_second_min: u32,
    /// Between two pieces of a response that the peer takes.
    pub response_idle: Duration,
    /// How long a server that is told to stop still takes requests, so that proxies can notice.
    pub drain: Duration,
    /// For the requests under way when the server is told to stop.
    pub shutdown: Duration,
}

/// How far the end has come. It only moves forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Connections are accepted.
    Running,
    /// Connections are still accepted, but this process says that it is not ready, and asks its peers to go: a proxy
    /// needs a moment to notice.
    Leaving,
    /// No new connections; requests under way are finished.
    Draining,
    /// Whatever is left is dropped.
    Cut,
}

/// How long the loop rests when the system has no descriptors left for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// One address that answers requests with one router.
#[derive(Debug)]
pub struct Listener {
    /// Bound by the caller, who alone can say what was wrong with the address.
    pub socket: TcpListener,
    /// Without a certificate the connections are plain HTTP.
    pub certificate: Option<Arc<Certificate>>,
    /// What answers.
    pub router: Router,
    /// What a peer may take.
    pub limits: Limits,
}

impl Listener {
    /// Accepts connections until `stop` says otherwise, and returns when the last one has ended: at
    /// the latest [`Limits::shutdown`] after the draining began.
    pub async fn serve(self, mut stop: watch::Receiver<Phase>) {
        let places = Arc::new(Semaphore::new(self.limits.connections_max));
        let (phase, phases) = watch::channel(Phase::Running);
        let server = Arc::new(connection::Server::new(self.router, self.limits, phases));
        let tls = self.certificate.as_deref().map(Certificate::acceptor);

        let mut leaving = stop.clone();
        loop {
            let is_running = *phase.borrow() == Phase::Running;
            let (place, stream) = tokio::select! {
                accepted = accept(&self.socket, &places) => accepted,
                () = reached(&mut leaving, Phase::Leaving), if is_running => {
                    phase.send_replace(Phase::Leaving);
                    continue;
                }
                () = reached(&mut stop, Phase::Draining) => break,
            };
            let (server, tls) = (Arc::clone(&server), tls.clone());
            tokio::spawn(async move {
                let _counted = Counted::new();
                server.converse(stream, tls).await;
                drop(place);
            });
        }

        drop(self.socket);
        phase.send_replace(Phase::Draining);
        let everyone = u32::try_from(self.limits.connections_max).unwrap_or(u32::MAX);
        tokio::select! {
            _ = places.acquire_many(everyone) => return,
            () = tokio::time::sleep(self.limits.shutdown) => {}
            () = reached(&mut stop, Phase::Cut) => {}
        }
        let left = self.limits.connections_max - places.available_permits();
        tracing::warn!(connections = left, "the time to finish requests is over, {left} connections are cut");
        phase.send_replace(Phase::Cut);
        // The tasks end at their next poll; nothing in them waits for a peer any more.
        let _ = places.acquire_many(everyone).await;
    }
}

/// The next connection, once there is a place for it.
async fn accept(socket: &TcpListener, places: &Arc<Semaphore>) -> (OwnedSemaphorePermit, TcpStream) {
    loop {
        let Ok(place) = Arc::clone(places).acquire_owned().await else {
            // The semaphore is never closed; if it were, no place could ever be had.
            std::future::pending::<()>().await;
            continue;
        };
        match socket.accept().await {
            Ok((stream, _)) => return (place, stream),
            Err(error) if is_the_peers(&error) => {}
            Err(error) => {
                tracing::error!(%error, "accepting a connection failed");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// True when only the one connection is gone, and the next can be accepted at once.
fn is_the_peers(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Waits until the end has come as far as `phase`, or its announcer is gone.
pub(crate) async fn reached(phases: &mut watch::Receiver<Phase>, phase: Phase) {
    let _ = phases.wait_for(|now| *now >= phase).await;
}

/// Counts a connection among the open ones for as long as it lives.
struct Counted;

impl Counted {
    fn new() -> Counted {
        counter!("tickmark_connections_total").increment(1);
        gauge!("tickmark_connections").increment(1.0);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        gauge!("tickmark_connections").decrement(1.0);
    }
}
