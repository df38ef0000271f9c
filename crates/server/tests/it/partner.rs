//! A partner that uses a running server over plain HTTP, as on loopback or behind a proxy.

use crate::client::{Connection, Pair, soon};
use crate::process::{Place, Server};
use bytes::Bytes;
use http::{Method, Request};
use http_body_util::Full;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use testkit::pdf;

/// Longer than reading and marking a few small files takes on a busy machine.
const WORK_PATIENCE: Duration = Duration::from_secs(120);

pub(crate) const PAPER: &str = "\
Biology
1 Name the process by which plants make sugar.|[1]
2 State two things that plants need for this process.|[2]";

pub(crate) const SCHEME: &str = "\
Marking scheme
1 photosynthesis|[1]
2 light (1)
carbon dioxide (1)";

pub(crate) struct Partner {
    pub(crate) address: SocketAddr,
    pub(crate) key: String,
    /// The certificate of a proxy that stands before the service.
    pub(crate) certificate: Option<Arc<Pair>>,
}

impl Partner {
    /// One who knows a development server, with enough requests a minute.
    pub(crate) fn of(place: &Place, server: &Server) -> Partner {
        let accounts = place.json(&["account", "list"]);
        Partner::with_account(place, accounts[0]["id"].as_str().unwrap(), server.address)
    }

    /// One with this account, with enough requests a minute.
    pub(crate) fn with_account(place: &Place, account: &str, address: SocketAddr) -> Partner {
        place.text(&["account", "update", account, "--rate-limit-test", "100000"]);
        let key = place.json(&["key", "issue", "--account", account, "--mode", "test"]);
        Partner { address, key: key["key"].as_str().unwrap().to_owned(), certificate: None }
    }

    pub(crate) async fn ask(
        &self,
        method: Method,
        path: &str,
        once: &str,
        body: Option<&Value>,
    ) -> (u16, Value) {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "localhost")
            .header("x-forwarded-proto", "https")
            .header("authorization", format!("Bearer {}", self.key));
        if !once.is_empty() {
            request = request.header("idempotency-key", once);
        }
        let bytes = body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        self.send(request.body(Full::new(bytes)).unwrap()).await
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, body) = self.ask(Method::GET, path, "", None).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    pub(crate) async fn post(&self, path: &str, once: &str, body: &Value) -> Value {
        let (status, answer) = self.ask(Method::POST, path, once, Some(body)).await;
        assert!(status == 200 || status == 201, "{path}: {status} {answer}");
        answer
    }

    async fn send(&self, request: Request<Full<Bytes>>) -> (u16, Value) {
        let response = soon(self.connect().await.send(request)).await.unwrap();
        (response.status().as_u16(), serde_json::from_slice(response.body()).unwrap_or_default())
    }

    /// A new connection to the service, or to the proxy before it.
    pub(crate) async fn connect(&self) -> Connection {
        match &self.certificate {
            None => Connection::plain(self.address).await,
            Some(pair) => Connection::tls(self.address, pair, &["http/1.1"]).await.unwrap(),
        }
    }

    /// Registers a file and sends its bytes.
    pub(crate) async fn upload(&self, purpose: &str, content_type: &str, bytes: Vec<u8>) -> String {
        let new = json!({
            "purpose": purpose, "filename": "f", "content_type": content_type, "size_bytes": bytes.len(),
        });
        let file = self.post("/v1/files", "", &new).await;
        let url = file["upload"]["url"].as_str().unwrap();
        match url.find("/upload/") {
            Some(start) => self.put(&url[start..], content_type, bytes).await,
            None => {
                let (status, answer) = testkit::put_outside(url, content_type, &bytes).await;
                assert_eq!(status, 200, "{answer}");
            }
        }
        file["id"].as_str().unwrap().to_owned()
    }

    /// Sends a file's bytes to the path of its upload URL.
    pub(crate) async fn put(&self, path: &str, content_type: &str, bytes: Vec<u8>) {
        let put = Request::put(path)
            .header("host", "localhost")
            .header("x-forwarded-proto", "https")
            .header("content-type", content_type)
            .body(Full::new(Bytes::from(bytes)))
            .unwrap();
        let (status, answer) = self.send(put).await;
        assert_eq!(status, 200, "{answer}");
    }

    pub(crate) async fn create_paper(&self, once: &str, paper: Vec<u8>, scheme: Vec<u8>) -> Value {
        self.create_paper_with(once, paper, scheme, json!({})).await
    }

    /// The same with more members.
    pub(crate) async fn create_paper_with(
        &self,
        once: &str,
        paper: Vec<u8>,
        scheme: Vec<u8>,
        more: Value,
    ) -> Value {
        let subjects = self.get("/v1/subjects?limit=1").await;
        let mut body = json!({
            "title": once, "subject_id": subjects["data"][0]["id"],
            "question_paper": {"file_id": self.upload("question_paper", "application/pdf", paper).await},
            "marking_scheme": {"file_id": self.upload("marking_scheme", "application/pdf", scheme).await},
        });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.post("/v1/papers", once, &body).await
    }

    pub(crate) async fn small_paper(&self, once: &str) -> Value {
        self.create_paper(once, pdf::of_text(PAPER), pdf::of_text(SCHEME)).await
    }

    pub(crate) async fn submit(
        &self,
        paper: &Value,
        student: &str,
        content_type: &str,
        script: Vec<u8>,
    ) -> Value {
        let file = self.upload("answer_script", content_type, script).await;
        let body = json!({
            "paper_id": paper["id"], "student": {"external_id": student}, "files": [{"file_id": file}],
        });
        self.post("/v1/submissions", student, &body).await
    }

    /// The object once it is neither queued nor processing.
    pub(crate) async fn settled(&self, object: &Value) -> Value {
        let id = object["id"].as_str().unwrap();
        let list = if id.starts_with("pap_") { "papers" } else { "submissions" };
        let deadline = Instant::now() + WORK_PATIENCE;
        loop {
            let object = self.get(&format!("/v1/{list}/{id}")).await;
            if object["status"] != "processing" && object["status"] != "queued" {
                return object;
            }
            assert!(Instant::now() < deadline, "{object}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Moves the clock of a development server.
    pub(crate) async fn advance(&self, seconds: u64) {
        self.post("/dev/clock", "", &json!({"advance_seconds": seconds})).await;
    }
}
