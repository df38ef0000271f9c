//! `/v1/papers`

use crate::flow::{paper_body, read_paper};
use http::Method;
use serde_json::{Value, json};
use testkit::{Answer, App, pdf};

async fn create(app: &App, key: &str, body: &Value) -> Answer {
    app.post("/v1/papers").key(&app.test_key).once(key).json(body).send().await
}

/// A paper whose reading is replaced by an outcome.
pub(crate) async fn with_outcome(app: &App, outcome: &str) -> Value {
    let body = paper_body(app, json!({"test_outcome": outcome})).await;
    let created = create(app, outcome, &body).await;
    assert_eq!(created.status, 201, "{}", created.text);
    created.body
}

pub(crate) fn path(object: &Value) -> String {
    let id = object["id"].as_str().unwrap();
    let list = if id.starts_with("pap_") { "papers" } else { "submissions" };
    format!("/v1/{list}/{id}")
}

pub(crate) async fn again(app: &App, object: &Value) -> Value {
    app.get(&path(object)).key(&app.test_key).send().await.body
}

async fn event_types(app: &App, object: &Value) -> Vec<String> {
    let path = format!("/v1/events?object_id={}", object["id"].as_str().unwrap());
    let events = app.get(&path).key(&app.test_key).send().await.body;
    events["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["type"].as_str().unwrap().to_owned())
        .collect()
}

async fn balance(app: &App) -> (u64, u64) {
    let balance = app.get("/v1/balance").key(&app.test_key).send().await.body;
    (balance["available"].as_u64().unwrap(), balance["held"].as_u64().unwrap())
}

testkit::on_both_engines! {
    async fn a_new_paper_is_processing_with_its_credits_held(app: App) {
        let body = paper_body(&app, json!({"metadata": {"year": "11"}, "grading": {"strictness": "strict"}})).await;
        let paper = create(&app, "one", &body).await;
        insta::allow_duplicates! { insta::assert_snapshot!(paper.text_without_ids()); }
        assert_eq!(balance(&app).await, (9_998, 2));
        let replayed = create(&app, "one", &body).await;
        assert_eq!((replayed.status, &replayed.body), (201, &paper.body));
        assert_eq!(balance(&app).await, (9_998, 2));
        app.run_jobs().await;
        assert_eq!(balance(&app).await, (9_998, 0));
        app.run_jobs().await;
        assert_eq!(event_types(&app, &paper.body).await, ["paper.awaiting_review"]);
    }

    async fn wrong_bodies_are_refused_by_name(app: App) {
        let whole = paper_body(&app, json!({})).await;
        let fifty_one: serde_json::Map<_, _> = (0..51).map(|key| (key.to_string(), json!(""))).collect();
        for (change, problem) in [
            (json!({"title": ""}), "400 parameter_invalid title"),
            (json!({"title": null}), "400 parameter_invalid title"),
            (json!({"subject_id": 7}), "400 parameter_invalid subject_id"),
            (json!({"subject_id": "subj_00000000000000000000000000"}), "404 resource_missing subject_id"),
            (json!({"question_paper": {}}), "400 parameter_missing question_paper.file_id"),
            (json!({"question_paper": "file"}), "400 parameter_invalid question_paper"),
            (json!({"question_paper": {"file_id": "x", "url": "https://example.com/"}}), "400 parameter_invalid question_paper"),
            (json!({"question_paper": {"file_id": "x"}}), "404 resource_missing question_paper.file_id"),
            (json!({"question_paper": {"url": "http://example.com/a.pdf"}}), "400 parameter_invalid question_paper.url"),
            (json!({"marking_scheme": {"url": "https://localhost/a.pdf"}}), "400 parameter_invalid marking_scheme.url"),
            (json!({"results_release": "never"}), "400 parameter_invalid results_release"),
            (json!({"grading": {"strictness": "mild"}}), "400 parameter_invalid grading.strictness"),
            (json!({"grading": {"feedback": 1}}), "400 parameter_invalid grading.feedback"),
            (json!({"grading": {"instructions": ""}}), "400 parameter_invalid grading.instructions"),
            (json!({"grading": {"mood": "good"}}), "400 parameter_unknown grading.mood"),
            (json!({"grading": null}), "400 parameter_invalid grading"),
            (json!({"external_id": ""}), "400 parameter_invalid external_id"),
            (json!({"metadata": {"class": 7}}), "400 parameter_invalid metadata.class"),
            (json!({"metadata": {"class": "x".repeat(501)}}), "400 parameter_invalid metadata.class"),
            (json!({"metadata": fifty_one}), "400 parameter_invalid metadata"),
            (json!({"test_outcome": "explode"}), "400 parameter_invalid test_outcome"),
            (json!({"price": 0}), "400 parameter_unknown price"),
        ] {
            let mut body = whole.clone();
            body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            assert_eq!(create(&app, "k", &body).await.problem(), problem, "{change}");
        }
        let nulls = json!({"external_id": null, "grading": {"instructions": null}});
        let mut body = whole.clone();
        body.as_object_mut().unwrap().extend(nulls.as_object().unwrap().clone());
        let live = app.post("/v1/papers").once("k").json(&json!({"test_outcome": "succeed"})).send().await;
        assert_eq!(live.problem(), "400 parameter_missing title");
        let keyless = app.post("/v1/papers").key(&app.test_key).json(&body).send().await;
        assert_eq!(keyless.problem(), "400 idempotency_key_missing -");
        assert_eq!(create(&app, "k", &body).await.status, 201, "null is taken as absent");
        assert_eq!(balance(&app).await.1, 2);
        app.run_jobs().await;
    }

    async fn an_invented_outcome_is_for_test_mode(app: App) {
        let key = app.live_key.clone();
        let bytes = pdf::of_text("1");
        let question_paper = app.upload_as(&key, "question_paper", "application/pdf", &bytes).await;
        let marking_scheme = app.upload_as(&key, "marking_scheme", "application/pdf", &bytes).await;
        let body = json!({
            "title": "t", "subject_id": app.subject().await, "test_outcome": "succeed",
            "question_paper": {"file_id": question_paper}, "marking_scheme": {"file_id": marking_scheme},
        });
        let refused = app.post("/v1/papers").once("k").json(&body).send().await;
        assert_eq!(refused.problem(), "400 parameter_invalid test_outcome");
    }

    async fn files_must_be_uploaded_and_right_and_free(app: App) {
        let body = paper_body(&app, json!({})).await;
        let swapped = json!({
            "title": "t", "subject_id": body["subject_id"],
            "question_paper": body["marking_scheme"], "marking_scheme": body["question_paper"],
        });
        let mismatch = create(&app, "a", &swapped).await;
        assert_eq!(mismatch.problem(), "409 file_purpose_mismatch question_paper.file_id");
        assert_eq!(mismatch.body["error"]["resource_id"], body["marking_scheme"]["file_id"]);
        let new = json!({"purpose": "question_paper", "filename": "f", "content_type": "application/pdf", "size_bytes": 9});
        let empty = app.post("/v1/files").key(&app.test_key).json(&new).send().await;
        let mut waiting = body.clone();
        waiting["question_paper"] = json!({"file_id": empty.body["id"]});
        assert_eq!(create(&app, "b", &waiting).await.problem(), "409 file_not_uploaded question_paper.file_id");
        assert_eq!(create(&app, "c", &body).await.status, 201);
        let twice = create(&app, "d", &body).await;
        assert_eq!(twice.problem(), "409 file_already_attached question_paper.file_id");
        app.run_jobs().await;
        let late = paper_body(&app, json!({})).await;
        app.clock.advance_seconds(7 * 24 * 3600);
        assert_eq!(create(&app, "e", &late).await.problem(), "409 file_expired question_paper.file_id");
    }

    async fn a_live_paper_needs_live_credits(app: App) {
        let key = app.live_key.clone();
        app.service.move_credits(app.owner(), service::credits::OperatorMovement::Adjust { amount: -999, description: "x".into() }).await.unwrap();
        let bytes = pdf::of_text("1");
        let question_paper = app.upload_as(&key, "question_paper", "application/pdf", &bytes).await;
        let marking_scheme = app.upload_as(&key, "marking_scheme", "application/pdf", &bytes).await;
        let body = json!({
            "title": "t", "subject_id": app.subject().await,
            "question_paper": {"file_id": question_paper}, "marking_scheme": {"file_id": marking_scheme},
        });
        let poor = app.post("/v1/papers").once("k").json(&body).send().await;
        assert_eq!(poor.problem(), "402 insufficient_credits -");
        let file = app.get(&format!("/v1/files/{question_paper}")).send().await;
        assert_eq!(file.body["status"], "uploaded", "a refused paper takes nothing");
        let top_up = service::credits::OperatorMovement::TopUp { amount: domain::credit::Credits(10), valid_until: None, reference: None };
        app.service.move_credits(app.owner(), top_up).await.unwrap();
        assert_eq!(app.post("/v1/papers").once("k").json(&body).send().await.status, 201, "the key stayed free");
        app.run_jobs().await;
    }

    async fn every_outcome_can_be_asked_for(app: App) {
        for (outcome, status, warnings) in [
            ("succeed", "awaiting_review", 0),
            ("succeed_with_warnings", "awaiting_review", 3),
            ("empty_question", "awaiting_review", 1),
        ] {
            let paper = with_outcome(&app, outcome).await;
            app.run_jobs().await;
            let paper = again(&app, &paper).await;
            assert_eq!((&paper["status"], paper["warnings"].as_array().unwrap().len()), (&json!(status), warnings));
            assert_eq!(paper["billing"]["status"], "charged");
        }
        let before = balance(&app).await;
        for code in [
            "file_download_failed", "file_unreadable", "unsupported_file_type", "file_too_large", "too_many_pages",
            "insufficient_credits", "credits_expired", "processing_timeout", "no_questions_found", "processing_failed",
        ] {
            let paper = with_outcome(&app, code).await;
            app.run_jobs().await;
            let paper = again(&app, &paper).await;
            assert_eq!((&paper["status"], &paper["failure"]["code"]), (&json!("failed"), &json!(code)));
            assert_eq!(paper["billing"]["status"], "not_charged");
            assert_eq!(event_types(&app, &paper).await, ["paper.failed"]);
        }
        assert_eq!(balance(&app).await, before, "failures cost nothing");
    }

    async fn what_a_file_really_is_shows_when_it_is_read(app: App) {
        let good = pdf::of_text("1 What? [1]");
        let many: Vec<Vec<pdf::Line<'_>>> = (0..201).map(|_| vec![(60.0, 60.0, "page")]).collect();
        for (bytes, code) in [
            (b"just some text".to_vec(), "unsupported_file_type"),
            (b"\x89PNG\r\n\x1a\nnot a pdf".to_vec(), "unsupported_file_type"),
            (b"%PDF-1.4 but nothing else".to_vec(), "file_unreadable"),
            (pdf::of_lines(&many), "too_many_pages"),
            (good.clone(), "no_questions_found"),
        ] {
            let question_paper = app.upload("question_paper", "application/pdf", &bytes).await;
            let blank = pdf::of_text("Nothing to see here");
            let scheme = if code == "no_questions_found" { &blank } else { &good };
            let question_paper = if code == "no_questions_found" {
                app.upload("question_paper", "application/pdf", &blank).await
            } else {
                question_paper
            };
            let marking_scheme = app.upload("marking_scheme", "application/pdf", scheme).await;
            let body = json!({
                "title": code, "subject_id": app.subject().await,
                "question_paper": {"file_id": question_paper}, "marking_scheme": {"file_id": marking_scheme},
            });
            let paper = create(&app, &question_paper, &body).await;
            assert_eq!(paper.status, 201, "{}", paper.text);
            let is_counted = code == "no_questions_found";
            assert_eq!(paper.body["billing"]["status"], if is_counted { "held" } else { "pending" }, "{code}");
            app.run_jobs().await;
            let paper = again(&app, &paper.body).await;
            assert_eq!(paper["failure"]["code"], code);
            assert_eq!(paper["billing"]["status"], "not_charged");
        }
        assert_eq!(balance(&app).await, (10_000, 0));
    }

    async fn an_external_id_is_held_by_one_paper(app: App) {
        let first = with_external(&app, "bio", "a").await;
        assert_eq!(first.status, 201);
        let second = with_external(&app, "bio", "b").await;
        assert_eq!(second.problem(), "409 external_id_taken external_id");
        assert_eq!(second.body["error"]["resource_id"], first.body["id"]);
        let other = with_external(&app, "chem", "c").await;
        app.run_jobs().await;
        let patch = |body: Value| {
            app.ask(Method::PATCH, &path(&other.body)).key(&app.test_key).json(&body).send()
        };
        assert_eq!(patch(json!({"external_id": "bio"})).await.problem(), "409 external_id_taken external_id");
        assert_eq!(patch(json!({"external_id": null})).await.body["external_id"], Value::Null);
        assert_eq!(with_external(&app, "chem", "d").await.status, 201, "a freed one can be taken");
        app.run_jobs().await;
        let deleted = app.ask(Method::DELETE, &path(&first.body)).key(&app.test_key).send().await;
        assert_eq!((deleted.status, deleted.text.as_str()), (204, ""));
        assert_eq!(patch(json!({"external_id": "bio"})).await.body["external_id"], "bio");
        app.run_jobs().await;
    }

    async fn eight_at_once_get_one_external_id(app: App) {
        let mut bodies = Vec::new();
        for _ in 0..8 {
            bodies.push(paper_body(&app, json!({"external_id": "one"})).await);
        }
        let keys: Vec<String> = (0..8).map(|key| format!("k{key}")).collect();
        let all = futures_util::future::join_all(keys.iter().zip(&bodies).map(|(key, body)| create(&app, key, body))).await;
        let made = all.iter().filter(|answer| answer.status == 201).count();
        let taken = all.iter().filter(|answer| answer.problem() == "409 external_id_taken external_id").count();
        assert_eq!((made, taken), (1, 7));
        assert_eq!(balance(&app).await.1, 2);
        app.run_jobs().await;
    }

    async fn a_patch_changes_only_what_it_names(app: App) {
        let paper = read_paper(&app, json!({"metadata": {"a": "1", "b": "2"}})).await;
        app.clock.advance_seconds(10);
        let patch = |body: Value| app.ask(Method::PATCH, &path(&paper)).key(&app.test_key).json(&body).send();
        let same = patch(json!({"title": "Biology"})).await.body;
        assert_eq!(same["updated_at"], paper["updated_at"], "nothing changed");
        let changed = patch(json!({"title": "Biology 2", "metadata": {"c": "3"}})).await.body;
        assert_eq!((&changed["title"], &changed["metadata"]), (&json!("Biology 2"), &json!({"c": "3"})));
        assert_ne!(changed["updated_at"], paper["updated_at"]);
        assert_eq!(patch(json!({"status": "ready"})).await.problem(), "400 parameter_unknown status");
        assert_eq!(patch(json!({"title": null})).await.problem(), "400 parameter_invalid title");
        assert_eq!(patch(json!({"metadata": null})).await.problem(), "400 parameter_invalid metadata");
        let stranger = app.ask(Method::PATCH, &path(&paper)).json(&json!({"title": "x"})).send().await;
        assert_eq!(stranger.problem(), "404 resource_missing -");
    }

    async fn approval_follows_its_rules(app: App) {
        let paper = with_outcome(&app, "empty_question").await;
        let approve = |paper: &Value| app.post(&format!("{}/approve", path(paper))).key(&app.test_key).send();
        let early = approve(&paper).await;
        assert_eq!(early.problem(), "409 paper_not_awaiting_review -");
        assert_eq!(early.body["error"]["resource_id"], paper["id"]);
        app.run_jobs().await;
        let empty = approve(&paper).await;
        assert_eq!(empty.problem(), "409 paper_has_empty_question -");
        assert!(empty.body["error"]["message"].as_str().unwrap().contains("Question 2"));
        let good = with_outcome(&app, "succeed").await;
        app.run_jobs().await;
        let ready = approve(&good).await.body;
        assert_eq!((&ready["status"], &ready["approved_at"]), (&json!("ready"), &ready["updated_at"]));
        assert_eq!(approve(&good).await.problem(), "409 paper_not_awaiting_review -");
        let body = app.post(&format!("{}/approve", path(&good))).key(&app.test_key).json(&json!({"by": "me"})).send().await;
        assert_eq!(body.problem(), "400 parameter_unknown by");
    }

    async fn a_deleted_paper_leaves_only_its_reduced_events(app: App) {
        let body = paper_body(&app, json!({})).await;
        let created = create(&app, "k", &body).await;
        let delete = || app.ask(Method::DELETE, &path(&created.body)).key(&app.test_key).send();
        let early = delete().await;
        assert_eq!(early.problem(), "409 paper_in_progress -");
        assert_eq!(early.body["error"]["resource_id"], created.body["id"]);
        app.run_jobs().await;
        assert_eq!(delete().await.status, 204);
        assert_eq!(delete().await.problem(), "404 resource_missing -");
        let gone = app.get(&format!("{}/questions", path(&created.body))).key(&app.test_key).send().await;
        assert_eq!(gone.problem(), "404 resource_missing -");
        let file = body["question_paper"]["file_id"].as_str().unwrap();
        let file = app.get(&format!("/v1/files/{file}")).key(&app.test_key).send().await;
        assert_eq!(file.problem(), "404 resource_missing -");
        let events = app.get("/v1/events").key(&app.test_key).send().await.body;
        let reduced = json!({"id": created.body["id"], "object": "paper", "deleted": true});
        assert_eq!(events["data"][0]["data"]["object"], reduced);
        let replayed = create(&app, "k", &body).await;
        assert_eq!((replayed.status, &replayed.body), (201, &created.body), "a retry is answered as kept");
        assert_eq!(delete().await.problem(), "404 resource_missing -", "and makes no second one");
        app.run_jobs().await;
        let blobs = app.folder().join("blobs");
        assert!(!blobs.join("papers").exists() || std::fs::read_dir(blobs.join("papers")).unwrap().next().is_none());
    }

    async fn lists_filter_and_follow_changes(app: App) {
        let first = with_external(&app, "one", "a").await.body;
        app.clock.advance_seconds(60);
        let second = with_external(&app, "two", "b").await.body;
        app.run_jobs().await;
        let third = with_outcome(&app, "file_unreadable").await;
        app.clock.advance_seconds(60);
        app.run_jobs().await;
        let ids = |query: String| {
            let app = &app;
            async move { app.get(&format!("/v1/papers?{query}")).key(&app.test_key).send().await.ids() }
        };
        let id = |paper: &Value| paper["id"].as_str().unwrap().to_owned();
        assert_eq!(ids("external_id=two".into()).await, [id(&second)]);
        assert_eq!(ids("status=failed".into()).await, [id(&third)]);
        assert_eq!(ids("status=awaiting_review&external_id=one".into()).await, [id(&first)]);
        assert_eq!(ids(format!("subject_id={}", first["subject_id"].as_str().unwrap())).await.len(), 3);
        assert_eq!(ids("subject_id=subj_x".into()).await, Vec::<String>::new());
        assert_eq!(ids("created_before=2026-11-15T03:06:00Z".into()).await, [id(&first)]);
        let changed = ids("updated_after=2026-11-15T03:05:00Z&limit=100".into()).await;
        assert_eq!(changed.last(), Some(&id(&third)), "by change, oldest first");
        let page = app.get("/v1/papers?updated_after=2026-11-15T03:05:00Z&limit=1").key(&app.test_key).send().await;
        let cursor = page.body["next_cursor"].as_str().unwrap();
        assert_eq!(ids(format!("updated_after=2026-11-15T03:05:00Z&limit=2&cursor={cursor}")).await, changed[1..]);
        let wrong = app.get("/v1/papers?status=done").key(&app.test_key).send().await;
        assert_eq!(wrong.problem(), "400 parameter_invalid status");
        let live = app.get("/v1/papers").send().await;
        assert_eq!(live.ids(), Vec::<String>::new(), "modes are worlds of their own");
    }

    async fn reading_that_takes_too_long_fails(app: App) {
        let body = paper_body(&app, json!({})).await;
        let paper = create(&app, "k", &body).await.body;
        app.clock.advance_seconds(30 * 60);
        app.run_jobs().await;
        let paper = again(&app, &paper).await;
        assert_eq!((&paper["status"], &paper["failure"]["code"]), (&json!("failed"), &json!("processing_timeout")));
        assert_eq!(balance(&app).await, (10_000, 0));
    }

    async fn a_fault_of_ours_is_tried_three_times(app: App) {
        let body = paper_body(&app, json!({})).await;
        let paper = create(&app, "k", &body).await.body;
        std::fs::remove_dir_all(app.folder().join("blobs/files")).unwrap();
        for seconds in [0, 10, 60] {
            app.clock.advance_seconds(seconds);
            assert_eq!(again(&app, &paper).await["status"], "processing");
            app.run_jobs().await;
        }
        let paper = again(&app, &paper).await;
        assert_eq!((&paper["status"], &paper["failure"]["code"]), (&json!("failed"), &json!("processing_failed")));
    }

    async fn accounts_share_the_workers_fairly(app: App) {
        let mut mine = Vec::new();
        for number in 0..5 {
            let body = paper_body(&app, json!({"test_outcome": "succeed"})).await;
            mine.push(create(&app, &format!("k{number}"), &body).await.body);
        }
        let other = app.service.create_account("Southfield".into(), None).await.unwrap();
        let (_, key) = app.service.issue_key(other.id, domain::mode::Mode::Test, service::keys::NewKey::default()).await.unwrap();
        let key = key.reveal().to_owned();
        let bytes = pdf::of_text("1");
        let question_paper = app.upload_as(&key, "question_paper", "application/pdf", &bytes).await;
        let marking_scheme = app.upload_as(&key, "marking_scheme", "application/pdf", &bytes).await;
        let body = json!({
            "title": "t", "subject_id": app.subject().await, "test_outcome": "succeed",
            "question_paper": {"file_id": question_paper}, "marking_scheme": {"file_id": marking_scheme},
        });
        let theirs = app.post("/v1/papers").key(&key).once("k").json(&body).send().await.body;
        // The sweep, then one of each account.
        let worker = service::jobs::Worker::new(app.service.clone());
        for _ in 0..3 {
            worker.run_one().await.unwrap();
        }
        let theirs = app.get(&path(&theirs)).key(&key).send().await.body;
        assert_eq!(theirs["status"], "awaiting_review", "one paper does not wait for five of another account");
        let mut done = Vec::new();
        for paper in &mine {
            done.push(again(&app, paper).await["status"] == "awaiting_review");
        }
        assert_eq!(done, [true, false, false, false, false], "and the five go in the order they came");
        app.run_jobs().await;
    }
}

async fn with_external(app: &App, external_id: &str, key: &str) -> Answer {
    let body = paper_body(app, json!({"external_id": external_id, "test_outcome": "succeed"})).await;
    create(app, key, &body).await
}
