//! The main job through HTTP: files, a paper, its approval, a script, its result.

use serde_json::{Value, json};
use testkit::{App, pdf};

const PAPER: &str = "\
Biology
Answer all questions.
1 Name the process by which plants make sugar.|[1]
2 State two things that plants need for this process.|[2]
3 Explain why leaves look green.|[2]
Total: 5 marks";

const SCHEME: &str = "\
Marking scheme
1 photosynthesis|[1]
2 light (1)
carbon dioxide (1)
3 they reflect green light (1)
chlorophyll absorbs red and blue light (1)";

/// Uploads a paper and its scheme with the test key and has them read.
pub(crate) async fn read_paper(app: &App, more: Value) -> Value {
    let body = paper_body(app, more).await;
    let created = app.post("/v1/papers").key(&app.test_key).once("paper").json(&body).send().await;
    assert_eq!(created.status, 201, "{}", created.text);
    app.run_jobs().await;
    let path = format!("/v1/papers/{}", created.body["id"].as_str().unwrap());
    app.get(&path).key(&app.test_key).send().await.body
}

pub(crate) async fn paper_body(app: &App, more: Value) -> Value {
    let question_paper = app.upload("question_paper", "application/pdf", &pdf::of_text(PAPER)).await;
    let marking_scheme = app.upload("marking_scheme", "application/pdf", &pdf::of_text(SCHEME)).await;
    let mut body = json!({
        "title": "Biology", "subject_id": app.subject().await,
        "question_paper": {"file_id": question_paper}, "marking_scheme": {"file_id": marking_scheme},
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

testkit::on_both_engines! {
    async fn from_upload_to_result(app: App) {
        let paper = read_paper(&app, json!({"external_id": "bio"})).await;
        assert_eq!(paper["status"], "awaiting_review", "{paper:#}");
        assert_eq!(paper["question_count"], 3);
        assert_eq!(paper["total_marks"], 5);
        assert_eq!(paper["billing"], json!({"status": "charged", "pages": 2, "credits": 2}));
        let id = paper["id"].as_str().unwrap();
        let questions = app.get(&format!("/v1/papers/{id}/questions")).key(&app.test_key).send().await;
        assert_eq!(questions.body["data"][0]["answer_key"]["points"][0]["text"], "photosynthesis");

        app.clock.advance_seconds(1);
        let approved = app.post(&format!("/v1/papers/{id}/approve")).key(&app.test_key).send().await;
        assert_eq!((approved.status, &approved.body["status"]), (200, &json!("ready")), "{} {:#}", approved.text, questions.body);

        app.clock.advance_seconds(1);
        let answers = "Ada\n1. photosynthesis\n2. light and water\n3. Because they are healthy.";
        let script = app.upload("answer_script", "application/pdf", &pdf::of_text(answers)).await;
        let body = json!({"paper_id": id, "student": {"external_id": "s-1", "name": "Ada"}, "files": [{"file_id": script}]});
        let created = app.post("/v1/submissions").key(&app.test_key).once("script").json(&body).send().await;
        assert_eq!((created.status, &created.body["status"]), (201, &json!("queued")), "{}", created.text);
        app.run_jobs().await;
        let path = format!("/v1/submissions/{}", created.body["id"].as_str().unwrap());
        let submission = app.get(&path).key(&app.test_key).send().await.body;
        assert_eq!(submission["status"], "released", "{submission:#}");
        assert_eq!(submission["billing"]["status"], "charged");
        let result = app.get(&format!("{path}/result")).key(&app.test_key).send().await.body;
        assert_eq!(result["score"], json!({"awarded": 2, "available": 5, "percentage": 40}), "{result:#}");
        assert_eq!(result["questions"][0]["points"][0]["evidence"][0]["text"], "photosynthesis");

        let events = app.get("/v1/events").key(&app.test_key).send().await.body;
        let types: Vec<&str> = events["data"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
        assert_eq!(types, ["submission.released", "submission.graded", "paper.ready", "paper.awaiting_review"]);
        let counts = &app.get(&format!("/v1/papers/{id}")).key(&app.test_key).send().await.body["submission_counts"];
        assert_eq!(counts["released"], 1);
        let balance = app.get("/v1/balance").key(&app.test_key).send().await.body;
        assert_eq!((&balance["available"], &balance["held"]), (&json!(9_997), &json!(0)));
    }
}
