//! Every pair of operations on one object, at the same moment and in two processes. What comes out must be what one
//! of them after the other gives, in one order or the other: the answers, the object, its events, the credits.

use crate::papers::path;
use crate::submissions::approve;
use futures_util::future::BoxFuture;
use http::Method;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::{Answer, App};

/// Something that can be done to an object; gives what the caller is told.
type Operation = for<'a> fn(&'a App, &'a Value) -> BoxFuture<'a, String>;

/// Makes an object in the state that a table is about. The text is its own.
type Beginning = for<'a> fn(&'a App, &'a str) -> BoxFuture<'a, Value>;

macro_rules! operations {
    ($($name:literal: |$app:ident, $object:ident| $told:expr;)*) => {
        &[$(($name, |$app, $object| Box::pin(async move { $told }))),*]
    };
}

/// What can happen to a paper.
const PAPER: &[(&str, Operation)] = operations! {
    "patch the title": |app, paper| patch(app, paper, json!({"title": "Changed"})).await;
    "patch the notes": |app, paper| patch(app, paper, json!({"metadata": {"a": "b"}})).await;
    "patch the reference": |app, paper| {
        patch(app, paper, json!({"external_id": format!("new {}", paper["title"].as_str().unwrap())})).await
    };
    "clear the reference": |app, paper| patch(app, paper, json!({"external_id": null})).await;
    "take its reference": |app, paper| {
        let body = json!({"external_id": paper["external_id"]});
        told(&create_paper(app, &format!("taker of {}", paper["title"].as_str().unwrap()), body).await)
    };
    "approve": |app, paper| told(&post(app, paper, "approve", json!({})).await);
    "make a link": |app, paper| told(&post(app, paper, "review_links", json!({"reviewer": "Ada"})).await);
    "revoke links": |app, paper| {
        let answer = post(app, paper, "review_links/revoke", json!({})).await;
        format!("{}, {} revoked", told(&answer), answer.body["revoked"])
    };
    "submit": |app, paper| told(&create_submission(app, paper, "s").await);
    "delete": |app, paper| delete(app, &path(paper)).await;
    "read": |app, _paper| work(app).await;
};

/// What can happen to a submission.
const SUBMISSION: &[(&str, Operation)] = operations! {
    "patch the name": |app, script| patch(app, script, json!({"student": {"name": "Changed"}})).await;
    "clear the name": |app, script| patch(app, script, json!({"student": {"name": null}})).await;
    "patch the notes": |app, script| patch(app, script, json!({"metadata": {"a": "b"}})).await;
    "cancel": |app, script| told(&post(app, script, "cancel", json!({})).await);
    "release": |app, script| told(&post(app, script, "release", json!({})).await);
    "delete": |app, script| delete(app, &path(script)).await;
    "delete its paper": |app, script| delete(app, &paper_path(script)).await;
    "submit for the same student": |app, script| {
        let paper = json!({"id": script["paper_id"]});
        told(&create_submission(app, &paper, "s").await)
    };
    "mark": |app, _script| work(app).await;
};

/// What can happen to a scheme while a change of it is looked at. The object is the paper, with the ids of the change
/// and of a marked script.
const SCHEME: &[(&str, Operation)] = operations! {
    "amend": |app, paper| {
        let points = json!([{"point": 0, "alternatives": ["assimilation"]}]);
        told(&post(app, paper, "amendment", json!({"question": "1", "points": points})).await)
    };
    "discard": |app, paper| delete(app, &format!("{}/amendment", path(paper))).await;
    "apply": |app, paper| {
        told(&post(app, paper, "amendment/apply", json!({"amendment_id": paper["amendment"]})).await)
    };
    "correct a mark": |app, paper| {
        told(&post(app, &paper["script"], "adjustments", json!({"question": "1", "awarded": 0})).await)
    };
    "release a script": |app, paper| told(&post(app, &paper["script"], "release", json!({})).await);
    "delete": |app, paper| delete(app, &path(paper)).await;
    "try and follow": |app, _paper| work(app).await;
};

fn told(answer: &Answer) -> String {
    answer.problem()
}

async fn patch(app: &App, object: &Value, change: Value) -> String {
    told(&app.ask(Method::PATCH, &path(object)).key(&app.test_key).json(&change).send().await)
}

async fn post(app: &App, object: &Value, what: &str, body: Value) -> Answer {
    app.post(&format!("{}/{what}", path(object))).key(&app.test_key).json(&body).send().await
}

async fn delete(app: &App, path: &str) -> String {
    told(&app.ask(Method::DELETE, path).key(&app.test_key).send().await)
}

async fn work(app: &App) -> String {
    app.run_jobs().await;
    "done".to_owned()
}

fn paper_path(script: &Value) -> String {
    format!("/v1/papers/{}", script["paper_id"].as_str().unwrap())
}

/// Two callers who do the same are two callers.
fn one_time_key() -> String {
    static LAST: AtomicUsize = AtomicUsize::new(0);
    LAST.fetch_add(1, Ordering::Relaxed).to_string()
}

/// A paper without documents to wait for.
async fn create_paper(app: &App, title: &str, more: Value) -> Answer {
    let nowhere = json!({"url": "https://example.com/a.pdf"});
    let mut body = json!({
        "title": title, "subject_id": app.subject().await, "question_paper": nowhere, "marking_scheme": nowhere,
        "test_outcome": "succeed", "results_release": "after_review",
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    app.post("/v1/papers").key(&app.test_key).once(&one_time_key()).json(&body).send().await
}

async fn create_submission(app: &App, paper: &Value, student: &str) -> Answer {
    let body = json!({
        "paper_id": paper["id"], "student": {"external_id": student, "name": "Ada"},
        "files": [{"url": "https://example.com/a.pdf"}], "test_outcome": "succeed",
    });
    app.post("/v1/submissions").key(&app.test_key).once(&one_time_key()).json(&body).send().await
}

async fn paper_in_work(app: &App, own: &str) -> Value {
    let created = create_paper(app, own, json!({"external_id": own})).await;
    assert_eq!(created.status, 201, "{}", created.text);
    created.body
}

async fn paper_to_review(app: &App, own: &str) -> Value {
    let paper = paper_in_work(app, own).await;
    app.run_jobs().await;
    paper
}

async fn ready_paper(app: &App, own: &str) -> Value {
    let paper = paper_to_review(app, own).await;
    approve(app, &paper).await
}

async fn queued_script(app: &App, own: &str) -> Value {
    let paper = ready_paper(app, own).await;
    let created = create_submission(app, &paper, "s").await;
    assert_eq!(created.status, 201, "{}", created.text);
    created.body
}

async fn graded_script(app: &App, own: &str) -> Value {
    let script = queued_script(app, own).await;
    app.run_jobs().await;
    script
}

async fn released_script(app: &App, own: &str) -> Value {
    let script = graded_script(app, own).await;
    post(app, &script, "release", json!({})).await;
    script
}

/// A ready paper with a marked script and a change of its scheme that was tried.
async fn amended_paper(app: &App, own: &str) -> Value {
    let script = graded_script(app, own).await;
    let paper = json!({"id": script["paper_id"]});
    let points = json!([{"point": 0, "accept": ["making sugar"]}]);
    let amendment = post(app, &paper, "amendment", json!({"question": "1", "points": points})).await;
    assert_eq!(amendment.status, 201, "{}", amendment.text);
    app.run_jobs().await;
    json!({"id": paper["id"], "amendment": amendment.body["id"], "script": script})
}

/// What became of a scheme, of the change that was looked at, and of a script's marks.
async fn left_of_scheme(app: &App, paper: &Value) -> Vec<String> {
    let get = async |path: String| app.get(&path).key(&app.test_key).send().await;
    let scheme = get(format!("{}/scheme", path(paper))).await;
    let amendment = get(format!("{}/amendment", path(paper))).await;
    let result = get(format!("{}/result", path(&paper["script"]))).await;
    let script = get(path(&paper["script"])).await;
    let shown = |name: &str, answer: &Answer, member: &str| {
        format!("{name}: {} {}", told(answer), answer.body[member])
    };
    vec![
        shown("version", &scheme, "version"),
        shown("behind", &scheme, "outdated"),
        shown("amendment", &amendment, "status"),
        shown("tried", &amendment, "tried"),
        shown("marked by", &result, "scheme_version"),
        shown("score", &result, "score"),
        shown("script", &script, "status"),
    ]
}

/// What a trial left behind, without what differs from trial to trial.
async fn left(app: &App, object: &Value, own: &str, spent_before: u64) -> Vec<String> {
    app.run_jobs().await;
    let mut left = Vec::new();
    let paper = object["paper_id"].as_str().map(|_| paper_path(object));
    for path in std::iter::once(path(object)).chain(paper) {
        let shown = app.get(&path).key(&app.test_key).send().await;
        let parts = [
            "status",
            "title",
            "external_id",
            "metadata",
            "student",
            "billing",
            "score",
            "submission_counts",
        ];
        left.extend(parts.map(|part| format!("{part}: {}", shown.body[part]).replace(own, "OWN")));
    }
    let events = format!("/v1/events?object_id={}", object["id"].as_str().unwrap());
    let events = app.get(&events).key(&app.test_key).send().await.body;
    let mut types: Vec<String> =
        events["data"].as_array().unwrap().iter().map(|event| event["type"].to_string()).collect();
    types.sort();
    left.extend(types);
    if object["script"].is_object() {
        left.extend(left_of_scheme(app, object).await);
    }
    left.push(format!("spent: {}", spent(app).await - spent_before));
    left
}

async fn spent(app: &App) -> u64 {
    let balance = app.get("/v1/balance").key(&app.test_key).send().await.body;
    assert_eq!(balance["held"], 0, "nothing is in work");
    10_000 - balance["available"].as_u64().unwrap()
}

/// Who goes how.
#[derive(Clone, Copy, Debug)]
enum Order {
    AtOnce,
    FirstThenSecond,
    SecondThenFirst,
}

struct Trials<'a> {
    app: &'a App,
    other: App,
    beginning: Beginning,
    count: usize,
}

impl Trials<'_> {
    /// What the two callers are told, and what is left.
    async fn run(&mut self, order: Order, first: Operation, second: Operation) -> ([String; 2], Vec<String>) {
        let (app, other) = (self.app, &self.other);
        app.clock.advance_seconds(60);
        self.count += 1;
        let own = format!("trial {}", self.count);
        let spent_before = spent(app).await;
        let object = (self.beginning)(app, &own).await;
        let told = match order {
            Order::AtOnce => tokio::join!(first(app, &object), second(other, &object)).into(),
            Order::FirstThenSecond => {
                let told = first(app, &object).await;
                [told, second(other, &object).await]
            }
            Order::SecondThenFirst => {
                let told = second(other, &object).await;
                [first(app, &object).await, told]
            }
        };
        (told, left(app, &object, &own, spent_before).await)
    }
}

/// Tries every pair, each operation also with itself.
async fn try_all(app: &App, beginning: Beginning, operations: &[(&str, Operation)]) {
    let mut trials = Trials { app, other: app.sibling().await, beginning, count: 0 };
    for (index, (name, first)) in operations.iter().enumerate() {
        for (other_name, second) in &operations[index..] {
            let at_once = trials.run(Order::AtOnce, *first, *second).await;
            let one = trials.run(Order::FirstThenSecond, *first, *second).await;
            if at_once != one {
                let other = trials.run(Order::SecondThenFirst, *first, *second).await;
                assert_eq!(at_once, other, "{name} and {other_name} at once; the other order gives {one:#?}");
            }
        }
    }
}

testkit::on_both_engines! {
    async fn a_paper_that_is_read(app: App) {
        try_all(&app, |app, own| Box::pin(paper_in_work(app, own)), PAPER).await;
    }

    async fn a_paper_that_awaits_review(app: App) {
        try_all(&app, |app, own| Box::pin(paper_to_review(app, own)), PAPER).await;
    }

    async fn a_paper_that_is_ready(app: App) {
        try_all(&app, |app, own| Box::pin(ready_paper(app, own)), PAPER).await;
    }

    async fn a_scheme_that_is_amended(app: App) {
        try_all(&app, |app, own| Box::pin(amended_paper(app, own)), SCHEME).await;
    }

    async fn a_script_that_waits(app: App) {
        try_all(&app, |app, own| Box::pin(queued_script(app, own)), SUBMISSION).await;
    }

    async fn a_script_that_is_marked(app: App) {
        try_all(&app, |app, own| Box::pin(graded_script(app, own)), SUBMISSION).await;
    }

    async fn a_script_that_is_released(app: App) {
        try_all(&app, |app, own| Box::pin(released_script(app, own)), SUBMISSION).await;
    }
}
