//! The story: upload, read, approve, submit, mark, report.

use super::client::Client;
use super::samples::{Script, Subject};
use crate::failure::Failure;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often something is asked for again until it is done.
const POLL: Duration = Duration::from_millis(200);
/// The most polls: longer than any sample takes.
const POLLS_MAX: u32 = 3_000;

pub(super) struct Story {
    pub(super) client: Client,
    /// At least one.
    pub(super) subjects: Vec<&'static Subject>,
    pub(super) out: PathBuf,
    pub(super) progress: ProgressBar,
}

/// A marked script, as the table shows it.
#[derive(Debug)]
pub(super) struct Marked {
    pub(super) subject: &'static str,
    script: &'static str,
    /// Each question with its marks.
    pub(super) questions: Vec<(String, String)>,
    awarded: String,
    pub(super) available: String,
    percentage: String,
    /// How many questions the engine is not sure of.
    doubtful: usize,
}

impl Marked {
    fn of(subject: &'static str, script: &'static str, result: &Value) -> Marked {
        let questions = result["questions"].as_array().cloned().unwrap_or_default();
        let is_doubtful = |question: &&Value| {
            let flags = question["flags"].as_array();
            flags.is_some_and(|flags| flags.iter().any(|flag| flag != "not_attempted"))
        };
        Marked {
            subject,
            script,
            doubtful: questions.iter().filter(is_doubtful).count(),
            questions: questions
                .iter()
                .map(|question| (plain(&question["number"]), plain(&question["awarded"])))
                .collect(),
            awarded: plain(&result["score"]["awarded"]),
            available: plain(&result["score"]["available"]),
            percentage: plain(&result["score"]["percentage"]),
        }
    }

    pub(super) fn row(&self) -> Vec<String> {
        let mut row = vec![self.script.to_owned()];
        row.extend(self.questions.iter().map(|(_, awarded)| awarded.clone()));
        row.extend([self.awarded.clone(), self.percentage.clone(), self.doubtful.to_string()]);
        row
    }

    pub(super) fn to_json(&self) -> Value {
        json!({
            "subject": self.subject, "script": self.script, "awarded": self.awarded, "available": self.available,
            "percentage": self.percentage, "to_check": self.doubtful,
        })
    }
}

/// A JSON value without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl Story {
    pub(super) async fn tell(&self) -> Result<Vec<Marked>, Failure> {
        let mut papers = Vec::new();
        for subject in &self.subjects {
            papers.push(self.create_paper(subject, "automatic").await?);
        }
        let mut submitted = Vec::new();
        for (&subject, paper) in self.subjects.iter().zip(&papers) {
            self.approve(subject, paper).await?;
            for script in subject.scripts {
                submitted.push((subject, script, self.submit(paper, subject, script).await?));
            }
        }
        let mut marked = Vec::new();
        let all = submitted.len();
        for (number, (subject, script, id)) in (1..).zip(&submitted) {
            self.say(format!("marking script {number} of {all}: {}, {}", subject.name, script.name));
            self.wait_for(&format!("/v1/submissions/{id}"), "released").await?;
            marked.push(self.collect(subject, script, id).await?);
        }
        Ok(marked)
    }

    /// A further paper that awaits review, and the link to its page.
    pub(super) async fn review_link(&self) -> Result<String, Failure> {
        let Some(subject) = self.subjects.first() else { return Ok(String::new()) };
        let paper = self.create_paper(subject, "automatic").await?;
        self.wait_for(&format!("/v1/papers/{paper}"), "awaiting_review").await?;
        self.link(&paper).await
    }

    /// A further paper whose results wait for a person, with the same scripts, and the link to its desk. They are marked
    /// while somebody opens it.
    pub(super) async fn desk_link(&self) -> Result<String, Failure> {
        let Some(subject) = self.subjects.first() else { return Ok(String::new()) };
        let paper = self.create_paper(subject, "after_review").await?;
        self.approve(subject, &paper).await?;
        for script in subject.scripts {
            self.submit(&paper, subject, script).await?;
        }
        self.link(&paper).await
    }

    async fn link(&self, paper: &str) -> Result<String, Failure> {
        let body = json!({"reviewer": "Demo"});
        let link = self.client.post(&format!("/v1/papers/{paper}/review_links"), "link", &body).await?;
        Ok(plain(&link["url"]))
    }

    fn say(&self, what: impl Into<std::borrow::Cow<'static, str>>) {
        let what = what.into();
        if self.progress.is_hidden() && self.progress.message() != what {
            // No terminal to draw on, such as a log of builds: a line for each step.
            let seconds = self.progress.elapsed().as_secs();
            // Nobody who reads it is no fault.
            let _ = writeln!(std::io::stderr(), "[{seconds:3} s] {what}");
        }
        self.progress.set_message(what);
    }

    async fn create_paper(&self, subject: &Subject, release: &str) -> Result<String, Failure> {
        self.say(format!("reading the paper and the scheme: {}", subject.name));
        let subjects = self.client.get(&format!("/v1/subjects?query={}", subject.name)).await?;
        let question_paper =
            self.upload("question_paper", "paper.pdf", "application/pdf", subject.paper).await?;
        let marking_scheme =
            self.upload("marking_scheme", "scheme.pdf", "application/pdf", subject.scheme).await?;
        let body = json!({
            "title": subject.title, "subject_id": subjects["data"][0]["id"],
            "question_paper": {"file_id": question_paper}, "marking_scheme": {"file_id": marking_scheme},
            "grading": {"feedback": "detailed"}, "results_release": release,
        });
        let paper = self.client.post("/v1/papers", &question_paper, &body).await?;
        Ok(plain(&paper["id"]))
    }

    async fn approve(&self, subject: &Subject, paper: &str) -> Result<(), Failure> {
        let path = format!("/v1/papers/{paper}");
        let read = self.wait_for(&path, "awaiting_review").await?;
        self.say(format!(
            "approving {}: {} questions, {} marks",
            subject.name, read["question_count"], read["total_marks"]
        ));
        self.client.post(&format!("{path}/approve"), paper, &json!({})).await.map(drop)
    }

    async fn submit(&self, paper: &str, subject: &Subject, script: &Script) -> Result<String, Failure> {
        self.say(format!("sending the script: {}, {}", subject.name, script.name));
        let mut files = Vec::new();
        for (number, &bytes) in (1..).zip(script.files) {
            let name = format!("{}-{number}", script.name);
            let id = self.upload("answer_script", &name, script.content_type, bytes).await?;
            files.push(json!({"file_id": id}));
        }
        let once = format!("{paper}-{}", script.name);
        let body = json!({"paper_id": paper, "student": {"external_id": script.name}, "files": files});
        let submission = self.client.post("/v1/submissions", &once, &body).await?;
        Ok(plain(&submission["id"]))
    }

    async fn upload(
        &self,
        purpose: &str,
        filename: &str,
        content_type: &str,
        bytes: &'static [u8],
    ) -> Result<String, Failure> {
        let body = json!({
            "purpose": purpose, "filename": filename, "content_type": content_type, "size_bytes": bytes.len(),
        });
        let once =
            format!("{purpose}-{filename}-{}-{:?}", bytes.len(), std::time::Instant::now()).replace(' ', "");
        let file = self.client.post("/v1/files", &once, &body).await?;
        self.client.put(&plain(&file["upload"]["url"]), content_type, bytes).await?;
        Ok(plain(&file["id"]))
    }

    /// Asks until the object has this status.
    async fn wait_for(&self, path: &str, status: &str) -> Result<Value, Failure> {
        for _ in 0..POLLS_MAX {
            let object = self.client.get(path).await?;
            if object["status"] == status {
                return Ok(object);
            }
            if object["status"] == "failed" {
                let why = plain(&object["failure"]["message"]);
                return Err(Failure::new(format!("The demo's {path} failed: {why}")));
            }
            tokio::time::sleep(POLL).await;
        }
        Err(Failure::new(format!("The demo's {path} did not become {status} in time.")))
    }

    /// Keeps the result and the report in all its forms.
    async fn collect(&self, subject: &Subject, script: &Script, id: &str) -> Result<Marked, Failure> {
        let path = format!("/v1/submissions/{id}");
        let result = self.client.get(&format!("{path}/result")).await?;
        let folder = self.out.join(subject.name.to_lowercase());
        for (form, ending) in [("application/pdf", "pdf"), ("text/html", "html")] {
            let report = self.client.fetch(&format!("{path}/report"), form).await?;
            write(&folder, &format!("{}.{ending}", script.name), &report).await?;
        }
        write(&folder, &format!("{}.json", script.name), format!("{result:#}\n").as_bytes()).await?;
        Ok(Marked::of(subject.name, script.name, &result))
    }
}

async fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let path = folder.join(name);
    let written = async {
        tokio::fs::create_dir_all(folder).await?;
        tokio::fs::write(&path, bytes).await
    };
    written.await.map_err(|error| Failure::new(format!("{} cannot be written: {error}.", path.display())))
}
