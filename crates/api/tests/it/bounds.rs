//! What is refused before it costs anything: parameters nobody knows, files nobody uses, links that are guessed.

use crate::flow::read_paper;
use crate::papers::path;
use crate::review::Browser;
use domain::mode::Mode;
use domain::scope::Scope;
use domain::web_url::Reach;
use http::Method;
use serde_json::json;
use service::keys::NewKey;
use service::outbound::Outbound;
use service::room::Room;
use testkit::{Answer, App};

async fn register(app: &App, size: u64) -> Answer {
    let new = json!({"purpose": "answer_script", "filename": "f", "content_type": "application/pdf", "size_bytes": size});
    app.post("/v1/files").key(&app.test_key).json(&new).send().await
}

testkit::on_both_engines! {
    async fn unknown_query_members_are_refused_everywhere(app: App) {
        let paper = read_paper(&app, json!({})).await;
        let (paper, file) = (path(&paper), paper["question_paper"]["file_id"].as_str().unwrap().to_owned());
        for (method, path) in [
            (Method::GET, "/v1/account".to_owned()),
            (Method::GET, "/v1/balance".to_owned()),
            (Method::GET, "/v1/subjects".to_owned()),
            (Method::GET, "/v1/events".to_owned()),
            (Method::GET, "/v1/events/evt_x".to_owned()),
            (Method::GET, format!("/v1/files/{file}")),
            (Method::GET, paper.clone()),
            (Method::GET, format!("{paper}/questions")),
            (Method::GET, "/v1/submissions/sub_x/result".to_owned()),
            (Method::GET, "/v1/submissions/sub_x/report".to_owned()),
            (Method::GET, "/v1/webhook_endpoints/we_x".to_owned()),
            (Method::DELETE, paper.clone()),
            (Method::DELETE, "/v1/webhook_endpoints/we_x".to_owned()),
            (Method::PATCH, paper.clone()),
            (Method::POST, format!("{paper}/approve")),
            (Method::POST, "/v1/submissions/sub_00000000000000000000000000/cancel".to_owned()),
            (Method::POST, "/v1/webhook_endpoints".to_owned()),
        ] {
            let ask = app.ask(method.clone(), &format!("{path}?colour=red")).key(&app.test_key);
            let ask = if matches!(method, Method::PATCH | Method::POST) { ask.json(&json!({})) } else { ask };
            let answer = ask.send().await;
            assert_eq!(answer.problem(), "400 parameter_unknown colour", "{method} {path}");
        }
        assert_eq!(app.get("/v1/nothing?colour=red").key(&app.test_key).send().await.problem(), "404 route_not_found -");
        assert_eq!(app.get(&paper).key(&app.test_key).send().await.status, 200, "nothing was deleted");
    }

    async fn who_may_only_read_gets_no_upload_url(app: App) {
        let file = register(&app, 9).await.body;
        let path = format!("/v1/files/{}", file["id"].as_str().unwrap());
        for (scope, may_upload) in [(Scope::SubmissionsRead, false), (Scope::PapersRead, false)] {
            let scopes = Some([scope].into_iter().collect());
            let key = app.issue_key(Mode::Test, NewKey { scopes, ..NewKey::default() }).await;
            let shown = app.get(&path).key(&key).send().await.body;
            assert_eq!(shown["upload"]["url"].is_string(), may_upload, "{scope}: {shown}");
            assert_eq!(shown["upload"]["method"], "PUT");
        }
        let scopes = Some([Scope::SubmissionsRead, Scope::SubmissionsWrite].into_iter().collect());
        let key = app.issue_key(Mode::Test, NewKey { scopes, ..NewKey::default() }).await;
        assert_eq!(app.get(&path).key(&key).send().await.body, file);
        assert_eq!(app.get(&path).key(&app.test_key).send().await.body, file);
    }

    async fn an_account_has_only_so_much_waiting(app: App) {
        let room = Room { unused_bytes_max: 100, unused_files_max: 3, ..Room::default() };
        let small = app.sibling_with(|parts| parts.room = room).await;
        assert_eq!(register(&small, 90).await.status, 201);
        let refused = register(&small, 11).await;
        assert_eq!(refused.problem(), "429 rate_limit_exceeded -");
        assert!(refused.header("retry-after").is_some());
        assert_eq!(register(&small, 4).await.status, 201, "a smaller one fits");
        assert_eq!(register(&small, 4).await.status, 201);
        assert_eq!(register(&small, 1).await.problem(), "429 rate_limit_exceeded -", "three are the most");
        let other = app.service.create_account("Southfield".to_owned(), None).await.unwrap();
        let (_, key) = app.service.issue_key(other.id, Mode::Test, NewKey::default()).await.unwrap();
        let new = json!({"purpose": "answer_script", "filename": "f", "content_type": "application/pdf", "size_bytes": 50});
        let theirs = small.post("/v1/files").key(key.reveal()).json(&new).send().await;
        assert_eq!(theirs.status, 201, "another account has its own room");
    }

    async fn a_full_disk_takes_nothing_more_in(app: App) {
        let file = register(&app, 9).await.body;
        // No disk has all of itself free.
        let room = Room { free_bytes_min: u64::MAX, free_part: 1, ..Room::default() };
        let full = app.sibling_with(|parts| parts.room = room).await;
        let refused = register(&full, 9).await;
        assert_eq!(refused.problem(), "503 service_unavailable -");
        assert!(refused.header("retry-after").is_some());
        let url = file["upload"]["url"].as_str().unwrap().strip_prefix("https://tickmark.test").unwrap();
        let put = full.ask(Method::PUT, url).no_key().header("content-type", "application/pdf").body("123456789");
        assert_eq!(put.send().await.status, 503);
    }

    async fn guessing_review_links_ends_with_429(app: App) {
        let paper = read_paper(&app, json!({})).await;
        let browser = Browser::on(&app, &paper, "Ms Hill").await;
        for _ in 0..120 {
            assert_eq!(Browser::try_open(&app, "https://tickmark.test/review#guess").await.status, 401);
        }
        let answer = Browser::try_open(&app, "https://tickmark.test/review#guess").await;
        assert_eq!(answer.status, 429);
        assert!(answer.header("retry-after").is_some());
        assert_eq!(app.get("/v1/account").send().await.status, 200, "keys are counted apart");
        for page in ["/review", "/review/desk"] {
            assert_eq!(app.get(page).no_key().send().await.status, 200, "{page} itself is for anyone");
        }
        app.clock.advance_seconds(60);
        assert_eq!(browser.paper().await.status, 200);
    }

    async fn in_development_files_come_from_outside_unless_told_otherwise(app: App) {
        let paper = |url: &str| json!({
            "title": "t", "subject_id": "subj_00000000000000000000000000",
            "question_paper": {"url": url}, "marking_scheme": {"url": "https://files.example.com/s.pdf"},
        });
        let here = "http://127.0.0.1:3000/p.pdf";
        let outside = Outbound::new(Reach::Development).with_public_files();
        let strict = app.sibling_with(|parts| parts.outbound = outside).await;
        for (app, problem) in [
            (&strict, "400 parameter_invalid question_paper.url"),
            (&app.reaching_here().await, "404 resource_missing subject_id"),
        ] {
            let answer = app.post("/v1/papers").once("k").json(&paper(here)).send().await;
            assert_eq!(answer.problem(), problem);
            let hook = json!({"url": "http://127.0.0.1:3000/hook", "events": ["*"]});
            assert_eq!(app.post("/v1/webhook_endpoints").json(&hook).send().await.status, 201);
            let hook = json!({"url": "http://127.0.0.1/hook", "events": ["*"]});
            assert_eq!(app.post("/v1/webhook_endpoints").json(&hook).send().await.problem(), "400 parameter_invalid url");
        }
    }
}
