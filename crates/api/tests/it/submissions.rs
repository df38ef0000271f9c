//! `/v1/submissions`

use crate::flow::read_paper;
use crate::papers::{again, path, with_outcome};
use http::Method;
use serde_json::{Value, json};
use service::jobs::Worker;
use testkit::{Answer, App, pdf};

const GOOD: &str = "1. photosynthesis\n2. light and carbon dioxide\n3. they reflect green light";

/// A ready paper without documents behind it.
pub(crate) async fn ready_paper(app: &App) -> Value {
    let paper = with_outcome(app, "succeed").await;
    app.run_jobs().await;
    approve(app, &paper).await
}

pub(crate) async fn approve(app: &App, paper: &Value) -> Value {
    app.post(&format!("{}/approve", path(paper))).key(&app.test_key).send().await.body
}

async fn body(app: &App, paper: &Value, student: &str, more: Value) -> Value {
    let script = app.upload("answer_script", "application/pdf", &pdf::of_text(GOOD)).await;
    let mut body =
        json!({"paper_id": paper["id"], "student": {"external_id": student}, "files": [{"file_id": script}]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

async fn send(app: &App, key: &str, body: &Value) -> Answer {
    app.post("/v1/submissions").key(&app.test_key).once(key).json(body).send().await
}

pub(crate) async fn submit(app: &App, paper: &Value, student: &str, more: Value) -> Value {
    let created = send(app, student, &body(app, paper, student, more).await).await;
    assert_eq!(created.status, 201, "{}", created.text);
    created.body
}

async fn call(app: &App, submission: &Value, what: &str) -> Answer {
    app.post(&format!("{}/{what}", path(submission))).key(&app.test_key).send().await
}

async fn balance(app: &App) -> (u64, u64) {
    let balance = app.get("/v1/balance").key(&app.test_key).send().await.body;
    (balance["available"].as_u64().unwrap(), balance["held"].as_u64().unwrap())
}

async fn counts(app: &App, paper: &Value) -> Value {
    again(app, paper).await["submission_counts"].clone()
}

testkit::on_both_engines! {
    async fn a_new_submission_is_queued_with_its_credits_held(app: App) {
        let paper = ready_paper(&app).await;
        let before = balance(&app).await;
        let student = json!({"student": {"external_id": "s-1", "name": "Ada Lovelace"}, "metadata": {"class": "7b"}});
        let body = body(&app, &paper, "s-1", student).await;
        let created = send(&app, "k", &body).await;
        insta::allow_duplicates! { insta::assert_snapshot!(created.text_without_ids()); }
        assert_eq!(send(&app, "k", &body).await.body, created.body, "a retry makes no second one");
        assert_eq!(balance(&app).await, (before.0 - 1, 1));
        assert_eq!(counts(&app, &paper).await["queued"], 1);
        app.run_jobs().await;
        assert_eq!(balance(&app).await, (before.0 - 1, 0));
    }

    async fn wrong_bodies_are_refused_by_name(app: App) {
        let paper = ready_paper(&app).await;
        let whole = body(&app, &paper, "s-1", json!({})).await;
        let file = whole["files"][0].clone();
        let twenty_one: Vec<Value> = (0..21).map(|number| json!({"url": format!("https://example.com/{number}")})).collect();
        for (change, problem) in [
            (json!({"paper_id": "pap_x"}), "404 resource_missing paper_id"),
            (json!({"paper_id": 7}), "400 parameter_invalid paper_id"),
            (json!({"student": {}}), "400 parameter_missing student.external_id"),
            (json!({"student": {"external_id": ""}}), "400 parameter_invalid student.external_id"),
            (json!({"student": {"external_id": "s", "name": "\u{202e}"}}), "400 parameter_invalid student.name"),
            (json!({"student": {"external_id": "s", "age": 7}}), "400 parameter_unknown student.age"),
            (json!({"files": []}), "400 parameter_invalid files"),
            (json!({"files": twenty_one}), "400 parameter_invalid files"),
            (json!({"files": [file, file]}), "400 parameter_invalid files[1].file_id"),
            (json!({"files": [file, {}]}), "400 parameter_missing files[1].file_id"),
            (json!({"files": [file, {"file_id": "file_x"}]}), "404 resource_missing files[1].file_id"),
            (json!({"files": [{"url": "ftp://example.com/a"}]}), "400 parameter_invalid files[0].url"),
            (json!({"test_outcome": "no_questions_found"}), "400 parameter_invalid test_outcome"),
        ] {
            let mut body = whole.clone();
            body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            assert_eq!(send(&app, "k", &body).await.problem(), problem, "{change}");
        }
        let unready = with_outcome(&app, "succeed_with_warnings").await;
        app.run_jobs().await;
        let mut early = whole.clone();
        early["paper_id"] = unready["id"].clone();
        let refused = send(&app, "k", &early).await;
        assert_eq!(refused.problem(), "409 paper_not_ready -");
        assert_eq!(refused.body["error"]["resource_id"], unready["id"]);
        assert_eq!(send(&app, "k", &whole).await.status, 201, "the file and the key stayed free");
        app.run_jobs().await;
    }

    async fn a_student_has_one_live_script_per_paper(app: App) {
        let paper = ready_paper(&app).await;
        let first = submit(&app, &paper, "s-1", json!({})).await;
        let second = send(&app, "other", &body(&app, &paper, "s-1", json!({})).await).await;
        assert_eq!(second.problem(), "409 submission_exists -");
        assert_eq!(second.body["error"]["resource_id"], first["id"]);
        assert_eq!(call(&app, &first, "cancel").await.body["status"], "canceled");
        let third = send(&app, "other", &body(&app, &paper, "s-1", json!({"test_outcome": "file_unreadable"})).await).await;
        assert_eq!(third.status, 201, "a canceled one makes room");
        app.run_jobs().await;
        let fourth = send(&app, "fourth", &body(&app, &paper, "s-1", json!({"test_outcome": "succeed"})).await).await;
        assert_eq!(fourth.status, 201, "a failed one too");
        app.run_jobs().await;
        let fifth = send(&app, "fifth", &body(&app, &paper, "s-1", json!({})).await).await;
        assert_eq!(fifth.problem(), "409 submission_exists -");
    }

    async fn eight_at_once_for_one_student_make_one(app: App) {
        let paper = ready_paper(&app).await;
        let mut bodies = Vec::new();
        for _ in 0..8 {
            bodies.push(body(&app, &paper, "s-1", json!({"test_outcome": "succeed"})).await);
        }
        let keys: Vec<String> = (0..8).map(|key| format!("k{key}")).collect();
        let all = futures_util::future::join_all(keys.iter().zip(&bodies).map(|(key, body)| send(&app, key, body))).await;
        let made = all.iter().filter(|answer| answer.status == 201).count();
        let refused = all.iter().filter(|answer| answer.problem() == "409 submission_exists -").count();
        assert_eq!((made, refused), (1, 7));
        assert_eq!(counts(&app, &paper).await["queued"], 1);
        app.run_jobs().await;
    }

    async fn every_outcome_can_be_asked_for(app: App) {
        let paper = ready_paper(&app).await;
        let before = balance(&app).await.0;
        for code in [
            "file_download_failed", "file_unreadable", "unsupported_file_type", "file_too_large", "too_many_pages",
            "insufficient_credits", "credits_expired", "processing_timeout", "processing_failed",
        ] {
            let submission = submit(&app, &paper, code, json!({"test_outcome": code})).await;
            app.run_jobs().await;
            let submission = again(&app, &submission).await;
            assert_eq!((&submission["status"], &submission["failure"]["code"]), (&json!("failed"), &json!(code)));
            assert_eq!(submission["billing"]["status"], "not_charged");
            let early = app.get(&format!("{}/result", path(&submission))).key(&app.test_key).send().await;
            assert_eq!((early.problem().as_str(), early.header("retry-after")), ("409 result_not_available -", None));
        }
        assert_eq!(balance(&app).await, (before, 0), "failures cost nothing");
        let full = submit(&app, &paper, "full", json!({"test_outcome": "succeed"})).await;
        let blank = submit(&app, &paper, "blank", json!({"test_outcome": "no_readable_answers"})).await;
        app.run_jobs().await;
        let full = again(&app, &full).await;
        assert_eq!(full["score"], json!({"awarded": 3, "available": 3, "percentage": 100}));
        let blank = again(&app, &blank).await;
        assert_eq!((&blank["no_readable_answers"], &blank["score"]["awarded"]), (&json!(true), &json!(0)));
        assert_eq!(blank["billing"]["status"], "charged");
        assert_eq!(counts(&app, &paper).await, json!({"queued": 0, "processing": 0, "graded": 0, "released": 2, "failed": 9, "canceled": 0}));
    }

    async fn a_script_without_answers_is_marked_and_charged(app: App) {
        let paper = approve(&app, &read_paper(&app, json!({})).await).await;
        let script = app.upload("answer_script", "application/pdf", &pdf::of_lines(&[vec![]])).await;
        let more = json!({"files": [{"file_id": script}]});
        let submission = submit(&app, &paper, "s-1", more).await;
        app.run_jobs().await;
        let submission = again(&app, &submission).await;
        assert_eq!((&submission["status"], &submission["no_readable_answers"]), (&json!("released"), &json!(true)));
        assert_eq!(submission["billing"]["status"], "charged");
        let result = app.get(&format!("{}/result", path(&submission))).key(&app.test_key).send().await.body;
        for question in result["questions"].as_array().unwrap() {
            assert_eq!(question["awarded"], 0);
            assert!(question["feedback"].as_str().unwrap().starts_with("No answer was found"), "{question}");
        }
    }

    async fn release_waits_where_the_paper_says_so(app: App) {
        let paper = read_paper(&app, json!({"results_release": "after_review"})).await;
        let paper = approve(&app, &paper).await;
        let submission = submit(&app, &paper, "s-1", json!({})).await;
        assert_eq!(call(&app, &submission, "release").await.problem(), "409 submission_not_releasable -");
        let early = app.get(&format!("{}/result", path(&submission))).key(&app.test_key).send().await;
        assert_eq!((early.problem().as_str(), early.header("retry-after")), ("409 result_not_available -", Some("30")));
        app.run_jobs().await;
        let graded = again(&app, &submission).await;
        assert_eq!((&graded["status"], &graded["released_at"]), (&json!("graded"), &Value::Null));
        let result = app.get(&format!("{}/result", path(&submission))).key(&app.test_key).send().await.body;
        assert_eq!(result["status"], "provisional");
        app.clock.advance_seconds(5);
        let released = call(&app, &submission, "release").await.body;
        assert_eq!((&released["status"], &released["released_at"]), (&json!("released"), &json!("2026-11-15T03:05:12Z")));
        assert_eq!(call(&app, &submission, "release").await.problem(), "409 submission_not_releasable -");
        let result = app.get(&format!("{}/result", path(&submission))).key(&app.test_key).send().await.body;
        assert_eq!(result["status"], "final");
        let events = app.get("/v1/events?type=submission.released").key(&app.test_key).send().await.body;
        assert_eq!(events["data"][0]["data"]["object"]["status"], "released");
    }

    async fn the_events_of_an_automatic_paper_show_both_states(app: App) {
        let paper = ready_paper(&app).await;
        submit(&app, &paper, "s-1", json!({"test_outcome": "succeed"})).await;
        app.run_jobs().await;
        for state in ["graded", "released"] {
            let events = app.get(&format!("/v1/events?type=submission.{state}")).key(&app.test_key).send().await.body;
            assert_eq!(events["data"][0]["data"]["object"]["status"], state);
        }
    }

    async fn a_canceled_submission_stays_canceled(app: App) {
        let paper = approve(&app, &read_paper(&app, json!({})).await).await;
        let before = balance(&app).await;
        let submission = submit(&app, &paper, "s-1", json!({})).await;
        // A worker has taken it and is marking when the cancel comes.
        let worker = Worker::new(app.service.clone());
        let marking = async { while worker.run_one().await.unwrap() {} };
        let canceling = async {
            loop {
                let status = again(&app, &submission).await["status"].clone();
                if status != "queued" {
                    return call(&app, &submission, "cancel").await;
                }
                tokio::task::yield_now().await;
            }
        };
        let (canceled, ()) = tokio::join!(canceling, marking);
        if canceled.status == 200 {
            assert_eq!(again(&app, &submission).await["status"], "canceled");
            assert_eq!(balance(&app).await, before);
        } else {
            // The worker was faster.
            assert_eq!(canceled.problem(), "409 submission_not_cancelable -");
            assert_eq!(again(&app, &submission).await["status"], "released");
        }
        let last = call(&app, &submission, "cancel").await;
        assert_eq!(last.problem(), "409 submission_not_cancelable -");
        assert_eq!(last.body["error"]["resource_id"], submission["id"]);
    }

    async fn a_patch_changes_only_what_it_names(app: App) {
        let paper = ready_paper(&app).await;
        let submission = submit(&app, &paper, "s-1", json!({"test_outcome": "succeed"})).await;
        let patch = |body: Value| app.ask(Method::PATCH, &path(&submission)).key(&app.test_key).json(&body).send();
        app.clock.advance_seconds(5);
        assert_eq!(patch(json!({"student": {}})).await.body["updated_at"], submission["updated_at"]);
        let named = patch(json!({"student": {"name": "Ada"}, "metadata": {"a": "b"}})).await.body;
        assert_eq!((&named["student"]["name"], &named["metadata"]), (&json!("Ada"), &json!({"a": "b"})));
        app.run_jobs().await;
        assert_eq!(again(&app, &submission).await["student"]["name"], "Ada", "marking keeps it");
        assert_eq!(patch(json!({"student": {"name": null}})).await.body["student"]["name"], Value::Null);
        assert_eq!(patch(json!({"student": {"external_id": "x"}})).await.problem(), "400 parameter_unknown student.external_id");
    }

    async fn lists_filter(app: App) {
        let paper = ready_paper(&app).await;
        let one = submit(&app, &paper, "s-1", json!({"test_outcome": "succeed"})).await;
        app.clock.advance_seconds(60);
        let two = submit(&app, &paper, "s-2", json!({"test_outcome": "file_unreadable"})).await;
        app.run_jobs().await;
        let ids = |query: String| {
            let app = &app;
            async move { app.get(&format!("/v1/submissions?{query}")).key(&app.test_key).send().await.ids() }
        };
        let id = |submission: &Value| submission["id"].as_str().unwrap().to_owned();
        assert_eq!(ids(String::new()).await, [id(&two), id(&one)]);
        assert_eq!(ids("student_external_id=s-1".into()).await, [id(&one)]);
        assert_eq!(ids("status=failed".into()).await, [id(&two)]);
        assert_eq!(ids(format!("paper_id={}&status=released", paper["id"].as_str().unwrap())).await, [id(&one)]);
        assert_eq!(ids("paper_id=pap_x".into()).await, Vec::<String>::new());
        assert_eq!(ids("created_after=2026-11-15T03:06:00Z".into()).await, [id(&two)]);
        assert_eq!(ids("updated_after=2026-11-15T03:05:00Z".into()).await.len(), 2);
    }

    async fn deleting_a_paper_deletes_its_submissions(app: App) {
        let paper = ready_paper(&app).await;
        let submission = submit(&app, &paper, "s-1", json!({"test_outcome": "succeed"})).await;
        let delete = || app.ask(Method::DELETE, &path(&paper)).key(&app.test_key).send();
        assert_eq!(delete().await.problem(), "409 paper_in_progress -");
        app.run_jobs().await;
        assert_eq!(delete().await.status, 204);
        assert_eq!(app.get(&path(&submission)).key(&app.test_key).send().await.problem(), "404 resource_missing -");
        app.run_jobs().await;
    }

    async fn deleting_a_students_last_submission_forgets_the_student(app: App) {
        let paper = approve(&app, &read_paper(&app, json!({})).await).await;
        let student = json!({"student": {"external_id": "pupil-8841", "name": "Zebedee Quillfeather"}});
        let submission = submit(&app, &paper, "pupil-8841", student).await;
        let delete = || app.ask(Method::DELETE, &path(&submission)).key(&app.test_key).send();
        let early = delete().await;
        assert_eq!(early.problem(), "409 submission_in_progress -");
        app.run_jobs().await;
        assert_eq!(delete().await.status, 204);
        assert_eq!(delete().await.problem(), "404 resource_missing -");
        app.run_jobs().await;
        for word in ["pupil-8841", "Zebedee", "Quillfeather"] {
            assert_eq!(app.places_of(word).await, Vec::<String>::new(), "{word} is found nowhere");
        }
        let events = app.get(&format!("/v1/events?object_id={}", submission["id"].as_str().unwrap())).key(&app.test_key).send().await.body;
        for event in events["data"].as_array().unwrap() {
            assert_eq!(event["data"]["object"], json!({"id": submission["id"], "object": "submission", "deleted": true}));
        }
        assert_eq!(events["data"].as_array().unwrap().len(), 2);
        assert_eq!(counts(&app, &paper).await["released"], 0);
    }
}
