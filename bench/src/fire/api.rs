//! The API as a patient client uses it: what has no answer is sent again.

use super::outage::Outages;
use anyhow::Context as _;
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long a request is repeated.
const PATIENCE: Duration = Duration::from_secs(60);
const AGAIN_AFTER: Duration = Duration::from_millis(100);
/// One try.
const TRY: Duration = Duration::from_secs(10);

#[derive(Clone)]
pub(super) struct Api {
    http: Client<HttpConnector, Full<Bytes>>,
    /// The processes, the one that is asked first in front.
    urls: Vec<String>,
    key: String,
    files: Arc<AtomicU64>,
    outages: Outages,
}

/// A request that can be sent again.
pub(super) struct Call {
    method: Method,
    path: String,
    once: String,
    body: Option<(String, Bytes)>,
}

impl Api {
    pub(super) fn new(urls: Vec<String>, key: &str, outages: Outages) -> Api {
        let http = Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build_http();
        Api { http, urls, key: key.to_owned(), files: Arc::default(), outages }
    }

    /// The same for another client, who asks another process first.
    pub(super) fn of_client(&self, number: usize) -> Api {
        let mut api = self.clone();
        let processes = api.urls.len();
        api.urls.rotate_left(number % processes);
        api
    }

    pub(super) fn patch(&self, path: &str, body: &Value) -> Call {
        Call { method: Method::PATCH, ..self.post(path, "", body) }
    }

    pub(super) fn get(&self, path: &str) -> Call {
        Call { method: Method::GET, path: path.to_owned(), once: String::new(), body: None }
    }

    pub(super) fn post(&self, path: &str, once: &str, body: &Value) -> Call {
        let body = Some(("application/json".to_owned(), Bytes::from(body.to_string())));
        Call { method: Method::POST, path: path.to_owned(), once: once.to_owned(), body }
    }

    /// Repeats a call until it has an answer that is no fault of ours or of the way there.
    pub(super) async fn settled(&self, call: impl Into<Step>) -> anyhow::Result<Value> {
        match call.into() {
            Step::Call(call) => self.repeat(&call).await,
            Step::Upload => Box::pin(self.upload_file()).await,
        }
    }

    /// Registers a file and sends a byte; gives its id.
    pub(super) fn upload(&self) -> Step {
        Step::Upload
    }

    async fn upload_file(&self) -> anyhow::Result<Value> {
        self.send_file("answer_script", Bytes::from_static(b"x")).await
    }

    async fn send_file(&self, purpose: &str, bytes: Bytes) -> anyhow::Result<Value> {
        let (id, put) = self.register(purpose, bytes).await?;
        // 412 says that an earlier try arrived.
        self.repeat(&put).await?;
        Ok(id)
    }

    /// Registers a file; gives its id and the call that sends its bytes.
    pub(super) async fn register(&self, purpose: &str, bytes: Bytes) -> anyhow::Result<(Value, Call)> {
        let once = format!("file-{}", self.files.fetch_add(1, Ordering::Relaxed));
        let body = json!({
            "purpose": purpose, "filename": "f.pdf", "content_type": "application/pdf", "size_bytes": bytes.len(),
        });
        let file = self.repeat(&self.post("/v1/files", &once, &body)).await?;
        let url = file["upload"]["url"].as_str().context("an upload URL")?;
        let path = url[url.find("/upload/").context("our own URL")?..].to_owned();
        let body = Some(("application/pdf".to_owned(), bytes));
        Ok((file["id"].clone(), Call { method: Method::PUT, path, once: String::new(), body }))
    }

    async fn repeat(&self, call: &Call) -> anyhow::Result<Value> {
        let end = Instant::now() + PATIENCE;
        for url in self.urls.iter().cycle() {
            let sent = Instant::now();
            let tried = tokio::time::timeout(TRY, self.send(url, call)).await;
            let fault = match &tried {
                Ok(Ok((status, _))) if !status.is_server_error() => None,
                Ok(Ok((status, body))) => Some(format!("{status} {body}")),
                Ok(Err(error)) => Some(error.to_string()),
                Err(_) => Some("no answer".to_owned()),
            };
            if let Some(fault) = fault {
                self.outages.fault(sent, format!("{} {}: {fault}", call.method, call.path));
            }
            if let Ok(Ok((status, body))) = tried {
                let is_answer = status.is_success() || status == StatusCode::PRECONDITION_FAILED;
                if is_answer {
                    return Ok(body);
                }
                let in_progress = body["error"]["code"] == "idempotency_request_in_progress";
                let is_fault =
                    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS || in_progress;
                anyhow::ensure!(is_fault, "{} {}: {status} {body}", call.method, call.path);
                anyhow::ensure!(status != StatusCode::INTERNAL_SERVER_ERROR, "{}: {body}", call.path);
            }
            anyhow::ensure!(Instant::now() < end, "{} {} has no answer", call.method, call.path);
            tokio::time::sleep(AGAIN_AFTER).await;
        }
        anyhow::bail!("there is no process to ask")
    }

    /// Sends a call, and gives whatever is answered.
    pub(super) async fn once(&self, call: &Call) -> anyhow::Result<(StatusCode, Value)> {
        self.send(self.urls.first().context("a process")?, call).await
    }

    async fn send(&self, url: &str, call: &Call) -> anyhow::Result<(StatusCode, Value)> {
        let mut request = Request::builder()
            .method(call.method.clone())
            .uri(format!("{url}{}", call.path))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key));
        if !call.once.is_empty() {
            request = request.header("idempotency-key", &call.once);
        }
        let mut bytes = Bytes::new();
        if let Some((kind, body)) = &call.body {
            request = request.header(header::CONTENT_TYPE, kind);
            bytes = body.clone();
        }
        let response = self.http.request(request.body(Full::new(bytes))?).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
    }

    /// Every item of a list.
    pub(super) async fn all(&self, path: &str) -> anyhow::Result<Vec<Value>> {
        let mut items = Vec::new();
        let mut cursor = String::new();
        loop {
            let joint = if path.contains('?') { '&' } else { '?' };
            let page = self.repeat(&self.get(&format!("{path}{joint}limit=100{cursor}"))).await?;
            items.extend(page["data"].as_array().context("a list")?.clone());
            let Some(next) = page["next_cursor"].as_str() else { return Ok(items) };
            cursor = format!("&cursor={next}");
        }
    }

    /// Moves the service's clock, in one process after the other.
    pub(super) async fn advance(&self, seconds: u64) -> anyhow::Result<()> {
        for (url, seconds) in self.urls.iter().zip([seconds, 0]) {
            let one = Api { urls: vec![url.clone()], ..self.clone() };
            one.repeat(&one.post("/dev/clock", "", &json!({"advance_seconds": seconds}))).await?;
        }
        Ok(())
    }

    /// A paper that takes submissions.
    pub(super) async fn ready_paper(&self, name: &str) -> anyhow::Result<String> {
        let once = name.replace(' ', "-");
        let subjects = self.repeat(&self.get("/v1/subjects?limit=1")).await?;
        let mut files = Vec::new();
        for purpose in ["question_paper", "marking_scheme"] {
            files.push(self.send_file(purpose, Bytes::from_static(b"x")).await?);
        }
        let body = json!({
            "title": name, "subject_id": subjects["data"][0]["id"], "test_outcome": "succeed",
            "question_paper": {"file_id": files[0]}, "marking_scheme": {"file_id": files[1]},
        });
        let paper = self.repeat(&self.post("/v1/papers", &once, &body)).await?;
        let path = format!("/v1/papers/{}", paper["id"].as_str().context("an id")?);
        while self.repeat(&self.get(&path)).await?["status"] != "awaiting_review" {
            tokio::time::sleep(AGAIN_AFTER).await;
        }
        let ready = self
            .repeat(&self.post(&format!("{path}/approve"), &format!("approve-{once}"), &json!({})))
            .await?;
        Ok(ready["id"].as_str().context("an id")?.to_owned())
    }
}

/// What is to be settled.
pub(super) enum Step {
    Call(Call),
    Upload,
}

impl From<Call> for Step {
    fn from(call: Call) -> Step {
        Step::Call(call)
    }
}
