//! `GET /v1/submissions/{id}/report`

use crate::flow::read_paper;
use serde_json::{Value, json};
use testkit::{App, pdf};

async fn released(app: &App, students: usize, release: &str) -> Vec<Value> {
    let paper = read_paper(app, json!({"results_release": release})).await;
    let id = paper["id"].as_str().unwrap();
    app.post(&format!("/v1/papers/{id}/approve")).key(&app.test_key).send().await;
    let mut made = Vec::new();
    for number in 0..students {
        let answers =
            if number % 2 == 0 { "1. photosynthesis\n2. light" } else { "1. respiration\n2. light" };
        let script = app.upload("answer_script", "application/pdf", &pdf::of_text(answers)).await;
        let student = json!({"external_id": format!("s-{number}"), "name": "Ada <b>Lovelace</b>"});
        let body = json!({"paper_id": id, "student": student, "files": [{"file_id": script}]});
        let key = format!("k{number}");
        let created = app.post("/v1/submissions").key(&app.test_key).once(&key).json(&body).send().await;
        made.push(created.body);
    }
    app.run_jobs().await;
    made
}

fn path(submission: &Value) -> String {
    format!("/v1/submissions/{}/report", submission["id"].as_str().unwrap())
}

testkit::on_both_engines! {
    async fn a_report_has_its_sections(app: App) {
        let made = released(&app, 1, "automatic").await;
        let report = app.get(&path(&made[0])).key(&app.test_key).send().await.body;
        assert_eq!(report["object"], "report");
        let all = json!(["summary", "questions", "feedback", "evidence", "statistics", "marking"]);
        assert_eq!(report["sections"], all);
        let statistics = &report["statistics"];
        assert_eq!((&statistics["scripts"], &statistics["own"], &statistics["mean"]), (&json!(1), &json!(40), &Value::Null));
        assert_eq!(report["summary"]["score"], json!({"awarded": 2, "available": 5, "percentage": 40}));
        assert_eq!(report["marking"]["engine"], "builtin");
        assert_eq!(report["evidence"][0]["points"][0]["evidence"][0]["text"], "photosynthesis");
        let picked = app.get(&format!("{}?sections=feedback,summary", path(&made[0]))).key(&app.test_key).send().await;
        assert_eq!(picked.body["sections"], json!(["summary", "feedback"]));
        assert!(picked.body.get("questions").is_none());
        let wrong = app.get(&format!("{}?sections=grades", path(&made[0]))).key(&app.test_key).send().await;
        assert_eq!(wrong.problem(), "400 parameter_invalid sections");
    }

    async fn a_report_waits_for_the_release(app: App) {
        let made = released(&app, 1, "after_review").await;
        let early = app.get(&path(&made[0])).key(&app.test_key).send().await;
        assert_eq!((early.problem().as_str(), early.header("retry-after")), ("409 report_not_available -", Some("30")));
        assert_eq!(early.body["error"]["resource_id"], made[0]["id"]);
    }

    async fn from_five_scripts_on_there_are_statistics(app: App) {
        let made = released(&app, 5, "automatic").await;
        let report = app.get(&path(&made[0])).key(&app.test_key).send().await.body;
        let statistics = &report["statistics"];
        assert_eq!((&statistics["scripts"], &statistics["own"], &statistics["mean"]), (&json!(5), &json!(40), &json!(32)));
        assert_eq!(statistics["questions"][0]["mean"], 60);
        let deleted = format!("/v1/submissions/{}", made[4]["id"].as_str().unwrap());
        app.ask(http::Method::DELETE, &deleted).key(&app.test_key).send().await;
        let report = app.get(&path(&made[0])).key(&app.test_key).send().await.body;
        assert_eq!(report["statistics"]["mean"], Value::Null, "four are too few");
        app.run_jobs().await;
    }

    async fn a_report_can_be_read_and_printed(app: App) {
        let made = released(&app, 1, "automatic").await;
        let page = app.get(&path(&made[0])).key(&app.test_key).header("accept", "text/html").send().await;
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'; style-src 'sha256-"));
        assert!(page.text.contains("Ada &lt;b&gt;Lovelace"), "what a client sends is text");
        let file = app.get(&path(&made[0])).key(&app.test_key).header("accept", "application/pdf").send().await;
        assert_eq!((file.status, file.header("content-type")), (200, Some("application/pdf")));
        assert!(file.bytes.starts_with(b"%PDF-"));
        let read = reader::pages(&file.bytes, &reader::Options::default()).unwrap();
        let words: Vec<&str> = read.pages.iter().flat_map(|page| &page.words).map(|word| word.text.as_str()).collect();
        assert!(words.contains(&"photosynthesis"), "{words:?}");
    }

    async fn a_report_is_drawn_once_while_it_is_unchanged(app: App) {
        let made = released(&app, 1, "automatic").await;
        let pdf = || app.get(&path(&made[0])).key(&app.test_key).header("accept", "application/pdf").send();
        let first = pdf().await;
        assert_eq!(first.status, 200, "{}", first.text);
        // A drawing of its own would show another time.
        app.clock.advance_seconds(3600);
        assert!(pdf().await.bytes == first.bytes, "it is the one that was drawn before");
        let submission = path(&made[0]).replace("/report", "");
        let named = json!({"student": {"name": "Grace Hopper"}});
        let patched = app.ask(http::Method::PATCH, &submission).key(&app.test_key).json(&named).send().await;
        assert_eq!(patched.status, 200, "{}", patched.text);
        assert!(pdf().await.bytes != first.bytes, "it shows another name now");
    }
}
