//! One account's work and a stuck engine hold up nobody else's work.

use crate::flow::{paper_body, read_paper};
use crate::papers::{again, path, with_outcome};
use domain::id::{Identifier as _, PaperId, SubmissionId};
use domain::mode::Mode;
use marker::{EngineIdentity, Marker, Outcome, Task};
use serde_json::{Value, json};
use service::engine::Engine;
use service::jobs::Worker;
use service::keys::NewKey;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use store::{papers, submissions};
use testkit::{App, Sink, pdf};
use tokio::sync::oneshot;

/// An engine that answers nothing until it is let go.
#[derive(Debug, Default)]
struct Stuck {
    is_free: Mutex<bool>,
    freed: Condvar,
}

impl Stuck {
    fn let_go(&self) {
        *self.is_free.lock().unwrap() = true;
        self.freed.notify_all();
    }
}

impl Marker for Stuck {
    fn mark(&self, _: &Task<'_>) -> Result<Outcome, marker::Error> {
        drop(self.freed.wait_while(self.is_free.lock().unwrap(), |is_free| !*is_free).unwrap());
        Err(marker::Error::Unavailable("it was stuck".to_owned()))
    }

    fn identity(&self) -> EngineIdentity {
        EngineIdentity { name: "stuck".to_owned(), version: "1".to_owned(), models: Vec::new() }
    }
}

/// A process that works with an engine which is stuck, until this is dropped.
struct Stage {
    app: App,
    engine: Arc<Stuck>,
    _stop: oneshot::Sender<()>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.engine.let_go();
    }
}

async fn stage(app: &App) -> Stage {
    let engine = Arc::new(Stuck::default());
    let made = Arc::clone(&engine);
    let here = app.reaching_here().await;
    let make = move || Ok(Arc::clone(&made) as Arc<dyn Marker>);
    let app = here.sibling_with(|parts| parts.engine = Engine::new(Arc::new(make))).await;
    let (stop, stopped) = oneshot::channel::<()>();
    let worker = Worker::new(app.service.clone()).for_processors(1).with_heartbeat(Duration::from_millis(20));
    tokio::spawn(worker.run(Box::pin(async { drop(stopped.await) })));
    Stage { app, engine, _stop: stop }
}

async fn ready_paper(app: &App) -> Value {
    let paper = read_paper(app, json!({})).await;
    app.post(&format!("{}/approve", path(&paper))).key(&app.test_key).send().await.body
}

async fn submit(app: &App, paper: &Value, student: &str, more: Value) -> Value {
    let script = app.upload("answer_script", "application/pdf", &pdf::of_text("1. photosynthesis")).await;
    let mut body =
        json!({"paper_id": paper["id"], "student": {"external_id": student}, "files": [{"file_id": script}]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let created = app.post("/v1/submissions").key(&app.test_key).once(student).json(&body).send().await;
    assert_eq!(created.status, 201, "{}", created.text);
    created.body
}

/// Completes when the object has this status. The database is asked, because the API lets a key ask only so often.
async fn reaches(app: &App, object: &Value, status: &str) {
    let id = object["id"].as_str().unwrap();
    while status_of(app, id).await != status {
        tokio::task::yield_now().await;
    }
}

async fn status_of(app: &App, id: &str) -> &'static str {
    let mut db = app.service.store().read().await.unwrap();
    if let Some(id) = PaperId::parse(id) {
        return papers::any_by_id(&mut db, id).await.unwrap().unwrap().state.status().name();
    }
    let submission = submissions::any_by_id(&mut db, SubmissionId::parse(id).unwrap()).await.unwrap();
    submission.unwrap().state.status().name()
}

testkit::on_both_engines! {
    async fn what_a_test_asks_for_needs_no_engine(app: App) {
        let paper = ready_paper(&app).await;
        let stage = stage(&app).await;
        for student in ["a", "b", "c", "d"] {
            submit(&stage.app, &paper, student, json!({})).await;
        }
        let tested = with_outcome(&stage.app, "succeed").await;
        reaches(&stage.app, &tested, "awaiting_review").await;
        let tested = submit(&stage.app, &paper, "e", json!({"test_outcome": "succeed"})).await;
        reaches(&stage.app, &tested, "released").await;
        let blank = submit(&stage.app, &paper, "f", json!({"test_outcome": "no_readable_answers"})).await;
        reaches(&stage.app, &blank, "released").await;
    }

    async fn one_account_gets_only_some_of_the_slots(app: App) {
        let paper = ready_paper(&app).await;
        let mut stage = stage(&app).await;
        let mut own = Vec::new();
        for student in ["a", "b", "c", "d"] {
            own.push(submit(&stage.app, &paper, student, json!({})).await);
        }
        reaches(&stage.app, &own[0], "processing").await;
        let other = stage.app.service.create_account("Southfield".to_owned(), None).await.unwrap();
        let (_, key) = stage.app.service.issue_key(other.id, Mode::Test, NewKey::default()).await.unwrap();
        let mine = std::mem::replace(&mut stage.app.test_key, key.reveal().to_owned());
        let body = paper_body(&stage.app, json!({})).await;
        let theirs = stage.app.post("/v1/papers").key(&stage.app.test_key).once("k").json(&body).send().await.body;
        reaches(&stage.app, &theirs, "awaiting_review").await;
        stage.app.test_key = mine;
        for waiting in &own[1..] {
            assert_eq!(again(&stage.app, waiting).await["status"], "queued");
        }
    }

    async fn work_that_nobody_wants_is_stopped(app: App) {
        let paper = ready_paper(&app).await;
        let stage = stage(&app).await;
        let first = submit(&stage.app, &paper, "a", json!({})).await;
        let second = submit(&stage.app, &paper, "b", json!({})).await;
        reaches(&stage.app, &first, "processing").await;
        assert_eq!(again(&stage.app, &second).await["status"], "queued", "the account has one slot");
        let cancel = format!("{}/cancel", path(&first));
        assert_eq!(stage.app.post(&cancel).key(&stage.app.test_key).send().await.status, 200);
        reaches(&stage.app, &second, "processing").await;
        stage.app.clock.advance_seconds(31 * 60);
        reaches(&stage.app, &second, "failed").await;
        assert_eq!(again(&stage.app, &second).await["failure"]["code"], "processing_timeout");
    }

    async fn a_download_takes_no_slot_from_reading(app: App) {
        let paper = ready_paper(&app).await;
        let (stage, sink) = (stage(&app).await, Sink::start().await);
        let held = sink.hold();
        let fetched = submit(&stage.app, &paper, "a", json!({"files": [{"url": sink.url("/script.pdf")}]})).await;
        sink.reached().await;
        let body = paper_body(&stage.app, json!({})).await;
        let paper = stage.app.post("/v1/papers").key(&stage.app.test_key).once("p").json(&body).send().await.body;
        reaches(&stage.app, &paper, "awaiting_review").await;
        assert_eq!(again(&stage.app, &fetched).await["status"], "queued");
        drop(held);
        // What came is no document.
        reaches(&stage.app, &fetched, "failed").await;
    }
}
