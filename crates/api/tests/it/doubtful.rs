//! What nobody has judged, and `grading.hold_doubtful`.

use crate::flow::read_paper;
use crate::papers::{again, path};
use serde_json::{Value, json};
use testkit::{App, pdf};

const PAPER: &str = "\
Biology
Answer all questions.
1 Name the process by which plants make sugar.|[1]
2 Draw a labelled diagram of a leaf cell.|[3]
Total: 4 marks";

const SCHEME: &str = "\
Marking scheme
1 photosynthesis|[1]
2 cell wall drawn (1)
nucleus drawn (1)
chloroplast drawn (1)";

/// A ready paper on which the second question asks for a drawing.
async fn drawing_paper(app: &App, grading: Value) -> Value {
    let question_paper = app.upload("question_paper", "application/pdf", &pdf::of_text(PAPER)).await;
    let marking_scheme = app.upload("marking_scheme", "application/pdf", &pdf::of_text(SCHEME)).await;
    let more = json!({
        "question_paper": {"file_id": question_paper}, "marking_scheme": {"file_id": marking_scheme},
        "grading": grading,
    });
    let paper = read_paper(app, more).await;
    let approved = app.post(&format!("{}/approve", path(&paper))).key(&app.test_key).send().await;
    assert_eq!(approved.status, 200, "{}", approved.text);
    approved.body
}

async fn marked(app: &App, paper: &Value, student: &str, more: Value) -> Value {
    let answers = "1. photosynthesis\n2. nucleus, cell wall";
    let script = app.upload("answer_script", "application/pdf", &pdf::of_text(answers)).await;
    let mut body =
        json!({"paper_id": paper["id"], "student": {"external_id": student}, "files": [{"file_id": script}]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let created = app.post("/v1/submissions").key(&app.test_key).once(student).json(&body).send().await;
    assert_eq!(created.status, 201, "{}", created.text);
    app.run_jobs().await;
    again(app, &created.body).await
}

async fn result(app: &App, submission: &Value) -> Value {
    app.get(&format!("{}/result", path(submission))).key(&app.test_key).send().await.body
}

testkit::on_both_engines! {
    async fn a_drawing_is_not_judged_and_says_so(app: App) {
        let paper = drawing_paper(&app, json!({})).await;
        assert_eq!(paper["grading"]["hold_doubtful"], false);
        let submission = marked(&app, &paper, "s-1", json!({})).await;
        // An automatic paper releases every script by itself.
        assert_eq!(submission["status"], "released", "{submission:#}");
        let result = result(&app, &submission).await;
        let [named, drawn] = [0, 1].map(|index| &result["questions"][index]);
        assert_eq!(named["points"][0]["verdict"], "credited", "{result:#}");
        assert_eq!(named["flags"], json!([]));
        let verdicts: Vec<&Value> = drawn["points"].as_array().unwrap().iter().map(|point| &point["verdict"]).collect();
        assert_eq!(verdicts, ["not_judged"; 3], "{result:#}");
        assert!(drawn["flags"].as_array().unwrap().contains(&json!("not_judged")));
        assert!(result["explanation"].as_str().unwrap().ends_with("A person must mark question 2: nobody has judged it yet."));
        let report = app.get(&format!("{}/report", path(&submission))).key(&app.test_key).send().await.body;
        assert_eq!(report["evidence"][1]["points"][0]["verdict"], "not_judged");
    }

    async fn doubtful_scripts_wait_where_the_paper_says_so(app: App) {
        let paper = drawing_paper(&app, json!({"hold_doubtful": true})).await;
        assert_eq!(paper["grading"]["hold_doubtful"], true);
        let doubtful = marked(&app, &paper, "s-1", json!({})).await;
        let sure = marked(&app, &paper, "s-2", json!({"test_outcome": "succeed"})).await;
        assert_eq!((&doubtful["status"], &sure["status"]), (&json!("graded"), &json!("released")));
        let counts = again(&app, &paper).await["submission_counts"].clone();
        assert_eq!((&counts["graded"], &counts["released"]), (&json!(1), &json!(1)));
        let released = app.post(&format!("{}/release", path(&doubtful))).key(&app.test_key).send().await;
        assert_eq!((released.status, &released.body["status"]), (200, &json!("released")));
        let counts = again(&app, &paper).await["submission_counts"].clone();
        assert_eq!((&counts["graded"], &counts["released"]), (&json!(0), &json!(2)));
    }

    async fn hold_doubtful_is_true_or_false(app: App) {
        let body = crate::flow::paper_body(&app, json!({"grading": {"hold_doubtful": "yes"}})).await;
        let refused = app.post("/v1/papers").key(&app.test_key).once("k").json(&body).send().await;
        assert_eq!(refused.problem(), "400 parameter_invalid grading.hold_doubtful");
    }
}
