//! What is left of a student after their last submission was deleted: nothing, anywhere.

use crate::class_scans::{confirm, looked_at, show, token, upload};
use crate::flow::read_paper;
use crate::papers::path;
use http::Method;
use serde_json::{Value, json};
use service::deliveries::Deliveries;
use testkit::pdf::Sheet;
use testkit::{Answer, App, Sink, pdf};

const ANSWERS: &str =
    "Zebedee\n1. photosynthesis Wobblegong\n2. light and carbon dioxide\n3. they reflect green light";
const DAY: i64 = 24 * 3600;

/// Words that stand nowhere but in what belongs to the student.
const WORDS: [&str; 6] =
    ["pupil-8841", "Quillfeather", "Wobblegong", "Farthingale", "Snickersnee", "retry-8841"];

/// Registers a file whose name tells the student's, under an idempotency key that does too.
async fn register(app: &App, key: &str, size: usize) -> Answer {
    let new = json!({
        "purpose": "answer_script", "filename": "Farthingale.pdf", "content_type": "application/pdf", "size_bytes": size,
    });
    app.post("/v1/files").key(&app.test_key).once(key).json(&new).send().await
}

fn script_body(paper: &Value, file: &str) -> Value {
    let student = json!({"external_id": "pupil-8841", "name": "Zebedee Quillfeather"});
    json!({"paper_id": paper["id"], "student": student, "files": [{"file_id": file}], "metadata": {"seat": "Snickersnee"}})
}

/// A paper that is ready, and an endpoint that sends back what it gets and refuses it.
async fn scene(app: &App) -> (App, Sink, Value) {
    let (app, sink) = (app.reaching_here().await, Sink::start().await);
    let endpoint = json!({"url": sink.url("/hook"), "events": ["*"]});
    let made = app.post("/v1/webhook_endpoints").key(&app.test_key).json(&endpoint).send().await;
    assert_eq!(made.status, 201, "{}", made.text);
    let paper = read_paper(&app, json!({})).await;
    assert_eq!(app.post(&format!("{}/approve", path(&paper))).key(&app.test_key).send().await.status, 200);
    app.run_jobs().await;
    sink.take();
    sink.answer(500);
    sink.echo();
    (app, sink, paper)
}

async fn submit(app: &App, paper: &Value, file: &str) -> Answer {
    let body = script_body(paper, file);
    app.post("/v1/submissions").key(&app.test_key).once("retry-8841").json(&body).send().await
}

async fn delete(app: &App, submission: &Value) -> u16 {
    app.ask(Method::DELETE, &path(submission)).key(&app.test_key).send().await.status
}

async fn found(app: &App) -> Vec<(&'static str, Vec<String>)> {
    let mut found = Vec::new();
    for word in WORDS {
        let places = app.places_of(word).await;
        if !places.is_empty() {
            found.push((word, places));
        }
    }
    found
}

testkit::on_both_engines! {
    async fn nothing_is_left_of_a_deleted_student(app: App) {
        let (app, sink, paper) = scene(&app).await;
        let script = pdf::of_text(ANSWERS);
        let registered = register(&app, "retry-8841-file", script.len()).await;
        let file = app.put(&registered, &script).await;
        let submission = submit(&app, &paper, &file).await;
        assert_eq!(submission.status, 201, "{}", submission.text);
        app.run_jobs().await;
        assert!(!sink.take().is_empty());
        assert!(found(&app).await.len() >= 5, "the search finds what is there: {:?}", found(&app).await);
        for accept in ["application/json", "text/html", "application/pdf"] {
            let report = format!("{}/report", path(&submission.body));
            let report = app.get(&report).key(&app.test_key).header("accept", accept).send().await;
            assert_eq!(report.status, 200, "{}", report.text);
        }
        assert_eq!(delete(&app, &submission.body).await, 204);
        app.run_jobs().await;
        assert_eq!(found(&app).await, [], "the answers to POST are kept, but for nobody else to read");
        let again = submit(&app, &paper, &file).await;
        assert_eq!((again.status, &again.body), (201, &submission.body), "a replay is answered as before");
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        assert_eq!(register(&app, "retry-8841-file", script.len()).await.body["id"], registered.body["id"]);

        // Two more files of theirs: one that never came, one that nobody used.
        let (empty, unused) = (register(&app, "a", 9).await, register(&app, "b", script.len()).await);
        app.put(&unused, &script).await;
        app.clock.advance_seconds(8 * DAY);
        app.run_jobs().await;
        assert_eq!(found(&app).await, []);
        let paths = [&empty, &unused].map(|file| format!("/v1/files/{}", file.body["id"].as_str().unwrap()));
        for path in &paths {
            assert_eq!(app.get(path).key(&app.test_key).send().await.body["status"], "expired");
        }
        app.clock.advance_seconds(31 * DAY);
        app.run_jobs().await;
        for path in &paths {
            assert_eq!(app.get(path).key(&app.test_key).send().await.status, 404);
        }
    }

    async fn nothing_is_left_of_a_student_whose_script_came_in_a_class_scan(app: App) {
        let (app, _sink, paper) = scene(&app).await;
        let cover = token(&paper, "pupil-8841");
        let students = json!([{"external_id": "pupil-8841", "name": "Zebedee Quillfeather"}, {"external_id": "other"}]);
        let stack = [Sheet::Code(&cover), Sheet::Text(ANSWERS)];
        let confirmed = looked_at(&app, &paper, &upload(&app, &stack).await, json!({"students": students})).await;
        assert!(found(&app).await.len() >= 3, "the search finds what is there: {:?}", found(&app).await);
        assert_eq!(confirm(&app, &confirmed, &json!({})).await.status, 200);
        app.run_jobs().await;
        let script = &show(&app, &confirmed).await["scripts"][0];
        let submission = json!({"id": script["submission_id"]});
        assert!(submission["id"].is_string(), "{script}");
        assert_eq!(delete(&app, &submission).await, 204);
        app.run_jobs().await;
        assert_eq!(found(&app).await, [], "the scan of which the script was a part knows nothing of it");

        let unconfirmed = looked_at(&app, &paper, &upload(&app, &stack).await, json!({"students": students})).await;
        assert!(!found(&app).await.is_empty());
        let scan = format!("/v1/class_scans/{}", unconfirmed["id"].as_str().unwrap());
        assert_eq!(app.ask(Method::DELETE, &scan).key(&app.test_key).send().await.status, 204);
        app.run_jobs().await;
        assert_eq!(found(&app).await, [], "nor does one that was deleted");
    }

    async fn what_a_receiver_says_after_the_deletion_is_not_kept(app: App) {
        let (app, sink, paper) = scene(&app).await;
        let script = pdf::of_text(ANSWERS);
        let file = app.put(&register(&app, "f", script.len()).await, &script).await;
        let submission = submit(&app, &paper, &file).await;
        service::jobs::Worker::new(app.service.clone()).run_due().await.unwrap();
        let held = sink.hold();
        let deliveries = Deliveries::new(app.service.clone());
        let delivering = tokio::spawn(async move { deliveries.run_due().await });
        sink.reached().await;
        assert_eq!(delete(&app, &submission.body).await, 204);
        drop(held);
        delivering.await.unwrap().unwrap();
        app.run_jobs().await;
        assert_eq!(found(&app).await, []);
    }
}
