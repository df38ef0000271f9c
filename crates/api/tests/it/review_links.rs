//! Review links by API: made, used, withdrawn.

use crate::flow::read_paper;
use crate::review::Browser;
use serde_json::{Value, json};
use testkit::App;

async fn link(app: &App, paper: &Value, body: Value) -> testkit::Answer {
    let path = format!("/v1/papers/{}/review_links", paper["id"].as_str().unwrap());
    app.post(&path).key(&app.test_key).json(&body).send().await
}

async fn revoke(app: &App, paper: &Value) -> Value {
    let path = format!("/v1/papers/{}/review_links/revoke", paper["id"].as_str().unwrap());
    let answer = app.post(&path).key(&app.test_key).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.body
}

testkit::on_both_engines! {
    async fn a_link_is_made_and_its_token_kept_as_a_hash_only(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        let made = link(&app, &paper, json!({"reviewer": "Ms Okafor"})).await;
        assert_eq!(made.status, 201, "{}", made.text);
        let url = made.body["url"].as_str().unwrap();
        let token = url.strip_prefix("https://tickmark.test/review#").unwrap().to_owned();
        assert!(token.len() >= 43, "{token}");
        assert_eq!(made.body["object"], "review_link");
        assert_eq!(made.body["paper_id"], paper["id"]);
        assert_eq!(made.body["reviewer"], "Ms Okafor");
        assert_eq!(made.body["expires_at"], "2026-11-18T03:05:07Z", "72 hours");
        let stored = app.dump("review_links", &paper, "token_hash || reviewer || paper_id").await;
        assert!(!stored.contains(&token) && stored.contains("Ms Okafor"), "{stored}");

        let hours = |hours: i64| json!({"reviewer": "R", "expires_in_hours": hours});
        assert_eq!(link(&app, &paper, hours(1)).await.body["expires_at"], "2026-11-15T04:05:07Z");
        assert_eq!(link(&app, &paper, hours(720)).await.status, 201);
        for wrong in [0, 721, -1] {
            assert_eq!(link(&app, &paper, hours(wrong)).await.problem(), "400 parameter_invalid expires_in_hours");
        }
        assert_eq!(link(&app, &paper, json!({})).await.problem(), "400 parameter_missing reviewer");
        assert_eq!(link(&app, &paper, json!({"reviewer": ""})).await.problem(), "400 parameter_invalid reviewer");
        assert_eq!(link(&app, &paper, json!({"reviewer": "a\nb"})).await.problem(), "400 parameter_invalid reviewer");
        assert_eq!(link(&app, &paper, json!({"reviewer": "R", "mail": "x"})).await.problem(), "400 parameter_unknown mail");
    }

    async fn the_idempotency_key_is_ignored_when_a_link_is_made(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        let path = format!("/v1/papers/{}/review_links", paper["id"].as_str().unwrap());
        let mut urls = Vec::new();
        for _ in 0..2 {
            let ask = app.post(&path).key(&app.test_key).once("same").json(&json!({"reviewer": "R"}));
            let answer = ask.send().await;
            assert_eq!((answer.status, answer.header("idempotent-replayed")), (201, None));
            urls.push(answer.body["url"].as_str().unwrap().to_owned());
        }
        assert_ne!(urls[0], urls[1]);
    }

    async fn links_are_for_papers_that_await_review_or_are_ready(app: App) {
        let body = crate::flow::paper_body(&app, json!({"test_outcome": "succeed"})).await;
        let created = app.post("/v1/papers").key(&app.test_key).once("p").json(&body).send().await.body;
        let early = link(&app, &created, json!({"reviewer": "R"})).await;
        assert_eq!(early.problem(), "409 review_link_unavailable -");
        assert_eq!(early.body["error"]["resource_id"], created["id"]);
        app.run_jobs().await;
        assert_eq!(link(&app, &created, json!({"reviewer": "R"})).await.status, 201);
        let approve = format!("/v1/papers/{}/approve", created["id"].as_str().unwrap());
        assert_eq!(app.post(&approve).key(&app.test_key).send().await.status, 200);
        assert_eq!(link(&app, &created, json!({"reviewer": "R"})).await.status, 201, "one on a ready paper opens its desk");
        let live = app.post(&format!("/v1/papers/{}/review_links", created["id"].as_str().unwrap()));
        let live = live.json(&json!({"reviewer": "R"})).send().await;
        assert_eq!(live.problem(), "404 resource_missing -", "the other mode does not see it");
    }

    async fn revoking_withdraws_all_links_and_counts_those_that_worked(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        let nothing = json!({"object": "review_link_revocation", "paper_id": paper["id"], "revoked": 0});
        assert_eq!(revoke(&app, &paper).await, nothing);
        link(&app, &paper, json!({"reviewer": "Short", "expires_in_hours": 1})).await;
        app.clock.advance_seconds(3600);
        let made = link(&app, &paper, json!({"reviewer": "A"})).await;
        link(&app, &paper, json!({"reviewer": "B"})).await;
        let browser = Browser::open(&app, made.body["url"].as_str().unwrap()).await;
        assert_eq!(browser.paper().await.status, 200);
        assert_eq!(revoke(&app, &paper).await["revoked"], 2, "the expired one did not work any more");
        assert_eq!(browser.paper().await.body["error"]["code"], "review_link_revoked");
        assert_eq!(browser.edit(json!({})).await.status, 401);
        let again = Browser::try_open(&app, made.body["url"].as_str().unwrap()).await;
        assert_eq!((again.status, &again.body["error"]["code"]), (401, &json!("review_link_revoked")));
        assert_eq!(revoke(&app, &paper).await["revoked"], 0);
    }

    async fn a_suspended_accounts_reviews_are_closed_until_it_is_resumed(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        let made = link(&app, &paper, json!({"reviewer": "Ms Okafor"})).await;
        let url = made.body["url"].as_str().unwrap();
        let browser = Browser::open(&app, url).await;
        let now = app.service.now();
        app.service.suspend_account(app.account.id, Some(now)).await.unwrap();
        assert_eq!(browser.paper().await.body["error"]["code"], "account_suspended");
        assert_eq!(Browser::try_open(&app, url).await.body["error"]["code"], "account_suspended");
        app.service.suspend_account(app.account.id, None).await.unwrap();
        assert_eq!(browser.paper().await.status, 200);
    }

    async fn a_revocation_is_replayed(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        link(&app, &paper, json!({"reviewer": "A"})).await;
        let path = format!("/v1/papers/{}/review_links/revoke", paper["id"].as_str().unwrap());
        for replayed in [None, Some("true")] {
            let answer = app.post(&path).key(&app.test_key).once("revoke").json(&json!({})).send().await;
            assert_eq!((&answer.body["revoked"], answer.header("idempotent-replayed")), (&json!(1), replayed));
        }
    }

    async fn ended_links_are_remembered_for_a_while_and_then_forgotten(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        let made = link(&app, &paper, json!({"reviewer": "A", "expires_in_hours": 1})).await;
        let url = made.body["url"].as_str().unwrap();
        let browser = Browser::open(&app, url).await;
        app.clock.advance_seconds(3600);
        app.run_jobs().await;
        assert_eq!(browser.paper().await.body["error"]["code"], "review_link_expired");
        assert_eq!(Browser::try_open(&app, url).await.body["error"]["code"], "review_link_expired");
        app.clock.advance_seconds(31 * 24 * 3600);
        app.run_jobs().await;
        assert_eq!(Browser::try_open(&app, url).await.body["error"]["code"], "review_closed");
        assert_eq!(app.dump("review_links", &paper, "token_hash").await, "");
        assert_eq!(app.dump("review_sessions", &paper, "cookie_hash").await, "");
    }
}
