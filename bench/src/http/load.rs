//! Load over loopback: so many connections, each with one request after the other.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use futures_util::future::join_all;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

/// One round ends after this long or this many requests, whichever comes first.
const SPAN: Duration = Duration::from_millis(1_200);
const REQUESTS_MAX: u64 = 30_000;

/// Makes the next request of a connection; the number is a different one for each request of the run.
type Make = dyn Fn(usize, u64) -> Request<Full<Bytes>> + Send + Sync;

/// What is asked, and by how many at once.
#[derive(Clone)]
pub(crate) struct Load {
    connections: usize,
    requests_max: u64,
    make: Arc<Make>,
}

/// What a round of load saw.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) wall: Duration,
    pub(crate) latencies: Vec<Duration>,
}

impl Load {
    pub(crate) fn new(
        connections: usize,
        make: impl Fn(usize, u64) -> Request<Full<Bytes>> + Send + Sync + 'static,
    ) -> Load {
        Load { connections, requests_max: REQUESTS_MAX, make: Arc::new(make) }
    }

    /// The same with fewer requests.
    pub(crate) fn at_most(self, requests_max: u64) -> Load {
        Load { requests_max, ..self }
    }

    /// The same GET again and again.
    pub(crate) fn get(connections: usize, path: &str, key: &str) -> Load {
        let (path, key) = (path.to_owned(), key.to_owned());
        Load::new(connections, move |_, _| get(&path, &key))
    }
}

/// A GET as a proxy of ours would pass it on.
pub(crate) fn get(path: &str, key: &str) -> Request<Full<Bytes>> {
    request("GET", path, key).body(Full::default()).expect("the parts are well formed")
}

/// Begins a request as a proxy of ours would pass it on.
pub(crate) fn request(method: &str, path: &str, key: &str) -> http::request::Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header("host", "marking.example.org")
        .header("authorization", format!("Bearer {key}"))
        .header("x-forwarded-for", "198.51.100.7")
        .header("x-forwarded-proto", "https")
}

/// Runs one round. Any answer that is no success ends it, because the figures would mean nothing.
pub(crate) async fn run(address: SocketAddr, load: &Load) -> anyhow::Result<Outcome> {
    let left = Arc::new(AtomicU64::new(load.requests_max));
    let connecting = (0..load.connections).map(|_| connect(address));
    let connections = join_all(connecting).await.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    let began = Instant::now();
    let tasks = connections.into_iter().enumerate().map(|(number, connection)| {
        let (make, left) = (Arc::clone(&load.make), Arc::clone(&left));
        tokio::spawn(converse(connection, number, make, left, began + SPAN))
    });
    let mut latencies = Vec::new();
    for outcome in join_all(tasks).await {
        latencies.extend(outcome??);
    }
    Ok(Outcome { wall: began.elapsed(), latencies })
}

async fn connect(address: SocketAddr) -> anyhow::Result<SendRequest<Full<Bytes>>> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender)
}

async fn converse(
    mut connection: SendRequest<Full<Bytes>>,
    number: usize,
    make: Arc<Make>,
    left: Arc<AtomicU64>,
    end: Instant,
) -> anyhow::Result<Vec<Duration>> {
    static SENT: AtomicU64 = AtomicU64::new(0);
    let take = |left: u64| left.checked_sub(1);
    let mut latencies = Vec::new();
    while Instant::now() < end && left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok() {
        let request = make(number, SENT.fetch_add(1, Ordering::Relaxed));
        let began = Instant::now();
        answer(&mut connection, request).await?;
        latencies.push(began.elapsed());
    }
    Ok(latencies)
}

async fn answer(
    connection: &mut SendRequest<Full<Bytes>>,
    request: Request<Full<Bytes>>,
) -> anyhow::Result<Bytes> {
    connection.ready().await?;
    let response = connection.send_request(request).await?;
    let status = response.status();
    let body = response.into_body().collect().await?.to_bytes();
    ensure!(status.is_success(), "answered {status}: {}", String::from_utf8_lossy(&body));
    Ok(body)
}

/// One request after the other on a connection of its own until it is over, whatever is answered; gives how many.
pub(crate) async fn flood(
    address: SocketAddr,
    make: impl Fn(u64) -> Request<Full<Bytes>> + Send + 'static,
    is_over: Arc<AtomicBool>,
) -> anyhow::Result<u64> {
    let mut connection = connect(address).await?;
    let mut sent = 0;
    while !is_over.load(Ordering::Relaxed) {
        if connection.ready().await.is_err() {
            connection = connect(address).await?;
            continue;
        }
        sent += 1;
        if let Ok(response) = connection.send_request(make(sent)).await {
            // A server may hang up on whoever asks too much.
            let _ = response.into_body().collect().await;
        }
    }
    Ok(sent)
}

/// Registers a PDF and sends its bytes; gives the file's id.
pub(crate) async fn upload(
    address: SocketAddr,
    key: &str,
    purpose: &str,
    bytes: Bytes,
) -> anyhow::Result<String> {
    let kind = "application/pdf";
    let wanted = json!({
        "purpose": purpose, "filename": "a.pdf", "content_type": kind, "size_bytes": bytes.len(),
    });
    let register = request("POST", "/v1/files", key)
        .header("content-type", "application/json")
        .body(Full::from(Bytes::from(wanted.to_string())))?;
    let file: Value = serde_json::from_slice(&once(address, register).await?)?;
    let url = file["upload"]["url"].as_str().context("it says where the bytes go")?;
    let path = &url[url.find("/upload/").context("they go to the server")?..];
    once(address, request("PUT", path, key).header("content-type", kind).body(Full::from(bytes))?).await?;
    Ok(file["id"].as_str().context("it has an id")?.to_owned())
}

/// One request on a connection of its own.
pub(crate) async fn once(address: SocketAddr, request: Request<Full<Bytes>>) -> anyhow::Result<Bytes> {
    let path = request.uri().to_string();
    answer(&mut connect(address).await?, request).await.with_context(|| format!("asking for {path}"))
}
