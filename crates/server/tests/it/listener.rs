//! The accept loop with a router of its own: protocols, certificates, the end.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::client::{Connection, Pair, soon, tls};
use axum::body::Bytes;
use axum::routing::{get, post};
use axum::{Extension, Router};
use http::StatusCode;
use server::listen::tls::{Certificate, Files};
use server::listen::{Limits, Listener, Phase};
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

/// Generous in all respects; tests narrow what they are about.
pub(crate) const LIMITS: Limits = Limits {
    connections_max: 100,
    header_bytes_max: 8192,
    headers_max: 50,
    http2_streams_max: 10,
    tls_handshake: Duration::from_secs(60),
    header_read: Duration::from_secs(60),
    idle: Duration::from_secs(60),
    body_idle: Duration::from_secs(60),
    body_bytes_per_second_min: 1,
    response_idle: Duration::from_secs(60),
    drain: Duration::ZERO,
    shutdown: Duration::from_secs(60),
};

/// A listener on a free port of this machine.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) phase: watch::Sender<Phase>,
    /// Lets the slow handler go on.
    pub(crate) gate: Arc<Notify>,
    /// Told when the slow handler is reached.
    pub(crate) reached: Arc<Notify>,
    pub(crate) task: JoinHandle<()>,
}

impl Running {
    pub(crate) async fn start(limits: Limits, files: Option<Files>) -> Running {
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let certificate = files.map(|files| Arc::new(Certificate::load(files).unwrap()));
        if let Some(certificate) = certificate.clone() {
            tokio::spawn(async move { certificate.follow().await });
        }
        let (gate, reached) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let router = router(Arc::clone(&gate), Arc::clone(&reached));
        let (phase, stop) = watch::channel(Phase::Running);
        let task = tokio::spawn(Listener { socket, certificate, router, limits }.serve(stop));
        Running { address, phase, gate, reached, task }
    }
}

fn router(gate: Arc<Notify>, reached: Arc<Notify>) -> Router {
    let slow = move || async move {
        reached.notify_one();
        gate.notified().await;
        "finished"
    };
    let connection = |Extension(connection): Extension<api::Connection>| async move {
        format!("{} {}", connection.peer.ip(), connection.tls)
    };
    Router::new()
        .route("/connection", get(connection))
        .route("/slow", get(slow))
        .route("/large", get(|| async { vec![b'x'; 32 * 1024 * 1024] }))
        .route("/refused", post(|| async { StatusCode::FORBIDDEN }))
        .route("/length", post(|body: Bytes| async move { body.len().to_string() }))
}

pub(crate) fn write_pair(folder: &Path, pair: &Pair) -> Files {
    let files = Files { certificate: folder.join("cert.pem"), key: folder.join("key.pem") };
    std::fs::write(&files.certificate, &pair.certificate_pem).unwrap();
    std::fs::write(&files.key, &pair.key_pem).unwrap();
    files
}

#[tokio::test]
async fn https_speaks_the_protocol_that_the_peer_offers() {
    let folder = tempfile::tempdir().unwrap();
    let pair = Pair::new();
    let running = Running::start(LIMITS, Some(write_pair(folder.path(), &pair))).await;
    for (protocols, version) in [
        (&["h2", "http/1.1"][..], http::Version::HTTP_2),
        (&["http/1.1"][..], http::Version::HTTP_11),
        (&[][..], http::Version::HTTP_11),
    ] {
        let mut connection = Connection::tls(running.address, &pair, protocols).await.unwrap();
        for _ in 0..2 {
            let response = connection.get("/connection").await.unwrap();
            assert_eq!((response.version(), response.status()), (version, StatusCode::OK));
            assert_eq!(response.body(), "127.0.0.1 true");
        }
    }
}

#[tokio::test]
async fn plain_http_on_the_tls_port_reaches_the_router_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::start(LIMITS, Some(write_pair(folder.path(), &Pair::new()))).await;
    let response = Connection::plain(running.address).await.get("/connection").await.unwrap();
    assert_eq!(response.body(), "127.0.0.1 false");
}

#[tokio::test]
async fn a_renewed_certificate_is_used_without_dropping_connections() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (Pair::new(), Pair::new());
    let running = Running::start(LIMITS, Some(write_pair(folder.path(), &old))).await;
    let mut before = Connection::tls(running.address, &old, &["h2"]).await.unwrap();
    before.get("/connection").await.unwrap();

    write_pair(folder.path(), &new);
    soon(async {
        while tls(running.address, &new, &[]).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    tls(running.address, &old, &[]).await.expect_err("the old certificate is gone");
    assert_eq!(before.get("/connection").await.unwrap().status(), StatusCode::OK);
}

#[tokio::test]
async fn a_request_under_way_is_finished_before_the_end() {
    for protocols in [&["h2"][..], &["http/1.1"][..]] {
        let folder = tempfile::tempdir().unwrap();
        let pair = Pair::new();
        let running = Running::start(LIMITS, Some(write_pair(folder.path(), &pair))).await;
        let mut connection = Connection::tls(running.address, &pair, protocols).await.unwrap();
        let mut idle = Connection::tls(running.address, &pair, protocols).await.unwrap();
        idle.get("/connection").await.unwrap();
        let slow = tokio::spawn(async move { connection.get("/slow").await });
        soon(running.reached.notified()).await;

        running.phase.send_replace(Phase::Draining);
        soon(async { while tokio::net::TcpStream::connect(running.address).await.is_ok() {} }).await;
        assert!(!running.task.is_finished(), "the request is still under way");
        running.gate.notify_one();
        assert_eq!(soon(slow).await.unwrap().unwrap().body(), "finished");
        soon(running.task).await.unwrap();
    }
}

#[tokio::test]
async fn what_is_left_after_the_time_to_finish_is_cut() {
    let limits = Limits { shutdown: Duration::from_millis(50), ..LIMITS };
    let running = Running::start(limits, None).await;
    let mut connection = Connection::plain(running.address).await;
    let slow = tokio::spawn(async move { connection.get("/slow").await });
    soon(running.reached.notified()).await;
    running.phase.send_replace(Phase::Draining);
    soon(running.task).await.unwrap();
    soon(slow).await.unwrap().expect_err("the connection was cut");
}

#[tokio::test]
async fn a_second_signal_does_not_wait() {
    let running = Running::start(LIMITS, None).await;
    let mut connection = Connection::plain(running.address).await;
    let slow = tokio::spawn(async move { connection.get("/slow").await });
    soon(running.reached.notified()).await;
    running.phase.send_replace(Phase::Draining);
    running.phase.send_replace(Phase::Cut);
    soon(running.task).await.unwrap();
    soon(slow).await.unwrap().expect_err("the connection was cut");
}
