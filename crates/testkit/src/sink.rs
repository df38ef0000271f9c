//! A receiver of webhooks: a real HTTP server on this machine that answers as it is told.

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Requests that can be answered at once.
const HELD_MAX: u32 = 10_000;

/// The receiver. It ends with the test's runtime.
#[derive(Clone, Debug)]
pub struct Sink {
    port: u16,
    state: Arc<Mutex<Inner>>,
}

#[derive(Debug)]
struct Inner {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
    is_echoing: bool,
    delay: Duration,
    held: Arc<Semaphore>,
    received: Vec<Received>,
    at_once: usize,
    at_once_max: usize,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Received {
    /// Its path.
    pub path: String,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body, byte for byte.
    pub body: Bytes,
}

impl Received {
    /// A header's value.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("deliveries are JSON")
    }

    /// The time that was signed, and the signatures.
    pub fn signature(&self) -> (i64, Vec<&str>) {
        let mut parts = self.header("service-signature").split(',');
        let time = parts.next().and_then(|part| part.strip_prefix("t=")).expect("the time comes first");
        let signatures = parts.map(|part| part.strip_prefix("v1=").expect("then the signatures"));
        (time.parse().expect("whole seconds"), signatures.collect())
    }
}

impl Sink {
    /// Starts a receiver that answers 200.
    pub async fn start() -> Sink {
        let socket = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let port = socket.local_addr().expect("it is bound").port();
        let state = Arc::new(Mutex::new(Inner {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: String::new(),
            is_echoing: false,
            delay: Duration::ZERO,
            held: Arc::new(Semaphore::new(HELD_MAX as usize)),
            received: Vec::new(),
            at_once: 0,
            at_once_max: 0,
        }));
        let router = Router::new().fallback(receive).with_state(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(socket, router).await });
        Sink { port, state }
    }

    /// Where it is.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Answers with this status from now on.
    pub fn answer(&self, status: u16) {
        self.lock().status = StatusCode::from_u16(status).expect("a status");
    }

    /// Answers with this header and body from now on.
    pub fn say(&self, name: &'static str, value: &str, body: &str) {
        let mut inner = self.lock();
        inner.headers.insert(name, value.parse().expect("a header's value"));
        body.clone_into(&mut inner.body);
    }

    /// Answers with what it got from now on.
    pub fn echo(&self) {
        self.lock().is_echoing = true;
    }

    /// Answers nothing more until what comes back is dropped.
    pub fn hold(&self) -> impl Drop + use<> {
        let held = Arc::clone(&self.lock().held);
        held.try_acquire_many_owned(HELD_MAX).expect("it is not held yet")
    }

    /// Completes when something has come.
    pub async fn reached(&self) {
        while self.lock().received.is_empty() {
            tokio::task::yield_now().await;
        }
    }

    /// Waits so long before it answers.
    pub fn delay(&self, delay: Duration) {
        self.lock().delay = delay;
    }

    /// What came so far, and forgets it.
    pub fn take(&self) -> Vec<Received> {
        std::mem::take(&mut self.lock().received)
    }

    /// The most requests that were open at once.
    pub fn at_once_max(&self) -> usize {
        self.lock().at_once_max
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn receive(State(state): State<Arc<Mutex<Inner>>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let path = parts.uri.path().to_owned();
    let got = body.clone();
    let (delay, held) = {
        let mut inner = state.lock().unwrap_or_else(PoisonError::into_inner);
        inner.received.push(Received { path, headers: parts.headers, body });
        inner.at_once += 1;
        inner.at_once_max = inner.at_once_max.max(inner.at_once);
        (inner.delay, Arc::clone(&inner.held))
    };
    tokio::time::sleep(delay).await;
    drop(held.acquire().await);
    let mut inner = state.lock().unwrap_or_else(PoisonError::into_inner);
    inner.at_once -= 1;
    let body = if inner.is_echoing { got } else { Bytes::from(inner.body.clone()) };
    (inner.status, inner.headers.clone(), body).into_response()
}
