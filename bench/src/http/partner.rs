//! A partner that has a paper read and scripts marked.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use http_body_util::Full;
use serde_json::{Value, json};

use super::load;
use super::setup::Customer;

/// Longer than any class takes.
const PATIENCE: Duration = Duration::from_secs(1800);
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Who sends the scripts.
pub(super) struct Partner {
    pub(super) address: SocketAddr,
    customer: Customer,
    asked: AtomicUsize,
}

impl Partner {
    pub(super) fn new(address: SocketAddr, customer: Customer) -> Partner {
        Partner { address, customer, asked: AtomicUsize::new(0) }
    }

    pub(super) async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> anyhow::Result<Value> {
        let mut request = load::request(method, path, &self.customer.key);
        let bytes = body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
        if method == "POST" {
            let once = format!("class-{}", self.asked.fetch_add(1, Ordering::Relaxed));
            request = request.header("content-type", "application/json").header("idempotency-key", once);
        }
        let answer = load::once(self.address, request.body(Full::from(bytes))?).await?;
        Ok(serde_json::from_slice(&answer)?)
    }

    async fn upload(&self, purpose: &str, bytes: Bytes) -> anyhow::Result<Value> {
        let id = load::upload(self.address, &self.customer.key, purpose, bytes).await?;
        Ok(json!({"file_id": id}))
    }

    /// A paper that is read and approved, from its questions and its scheme; gives its path.
    pub(super) async fn paper(&self, documents: [Bytes; 2], more: Value) -> anyhow::Result<String> {
        let subject = self.ask("GET", "/v1/subjects?limit=1", None).await?["data"][0]["id"].clone();
        let [paper, scheme] = documents;
        let mut wanted = json!({
            "title": "Cells", "subject_id": subject,
            "question_paper": self.upload("question_paper", paper).await?,
            "marking_scheme": self.upload("marking_scheme", scheme).await?,
        });
        let members = wanted.as_object_mut().context("it is an object")?;
        members.extend(more.as_object().cloned().unwrap_or_default());
        let paper = self.ask("POST", "/v1/papers", Some(wanted)).await?;
        let path = format!("/v1/papers/{}", paper["id"].as_str().context("it has an id")?);
        self.until(&path, |paper| paper["status"] != "processing").await?;
        self.ask("POST", &format!("{path}/approve"), None).await?;
        Ok(path)
    }

    /// Sends a script; gives its submission's id.
    pub(super) async fn submit(&self, paper: &str, number: usize, script: &Bytes) -> anyhow::Result<String> {
        let file = self.upload("answer_script", script.clone()).await?;
        let paper_id = paper.rsplit('/').next();
        let student = json!({"external_id": format!("student-{number}")});
        let wanted = json!({"paper_id": paper_id, "student": student, "files": [file]});
        let made = self.ask("POST", "/v1/submissions", Some(wanted)).await?;
        Ok(made["id"].as_str().context("it has an id")?.to_owned())
    }

    /// Waits until so many of a paper's scripts are in a state.
    pub(super) async fn until_count(&self, paper: &str, state: &str, count: usize) -> anyhow::Result<()> {
        self.until(paper, |paper| paper["submission_counts"][state] == count).await
    }

    pub(super) async fn until(&self, path: &str, is_so: impl Fn(&Value) -> bool) -> anyhow::Result<()> {
        let end = Instant::now() + PATIENCE;
        loop {
            let shown = self.ask("GET", path, None).await?;
            if is_so(&shown) {
                return Ok(());
            }
            ensure!(Instant::now() < end, "{path} stays {shown}");
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Gets every result; gives all their half marks together.
    pub(super) async fn results(&self, paper: &str) -> anyhow::Result<u64> {
        let paper_id = paper.rsplit('/').next().unwrap_or_default();
        let (mut cursor, mut half_marks) = (String::new(), 0);
        loop {
            let path = format!("/v1/submissions?limit=100&paper_id={paper_id}{cursor}");
            let page = self.ask("GET", &path, None).await?;
            for submission in page["data"].as_array().context("it is a list")? {
                let id = submission["id"].as_str().context("it has an id")?;
                let result = self.ask("GET", &format!("/v1/submissions/{id}/result"), None).await?;
                let awarded = result["score"]["awarded"].as_f64().context("it has a score")?;
                half_marks += (awarded * 2.0) as u64;
            }
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return Ok(half_marks),
            }
        }
    }
}
