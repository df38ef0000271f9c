//! Small files that unfold into more than anybody writes.

use crate::flow::{paper_body, read_paper};
use crate::papers::{again, path};
use serde_json::json;
use testkit::pdf;

testkit::on_both_engines! {
    async fn a_crowded_paper_is_unreadable_and_costs_nothing(app: App) {
        for (place, purpose) in [("question_paper", "question_paper"), ("marking_scheme", "marking_scheme")] {
            let crowd = app.upload(purpose, "application/pdf", &pdf::crowded(20, 100_000)).await;
            let body = paper_body(&app, json!({place: {"file_id": crowd}})).await;
            let paper = app.post("/v1/papers").key(&app.test_key).once(place).json(&body).send().await;
            assert_eq!(paper.status, 201, "{}", paper.text);
            app.run_jobs().await;
            let paper = again(&app, &paper.body).await;
            assert_eq!(paper["failure"]["code"], "file_unreadable", "{place}: {paper:#}");
            assert_eq!(paper["billing"]["status"], "not_charged");
        }
    }

    async fn a_crowded_script_is_unreadable(app: App) {
        let paper = read_paper(&app, json!({})).await;
        app.post(&format!("{}/approve", path(&paper))).key(&app.test_key).send().await;
        let crowd = app.upload("answer_script", "application/pdf", &pdf::crowded(20, 100_000)).await;
        let body = json!({"paper_id": paper["id"], "student": {"external_id": "one"}, "files": [{"file_id": crowd}]});
        let script = app.post("/v1/submissions").key(&app.test_key).once("one").json(&body).send().await;
        assert_eq!(script.status, 201, "{}", script.text);
        app.run_jobs().await;
        let script = again(&app, &script.body).await;
        assert_eq!(script["failure"]["code"], "file_unreadable", "{script:#}");
    }
}
