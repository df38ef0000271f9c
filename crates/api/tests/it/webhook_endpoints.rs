//! `/v1/webhook_endpoints`: who may have how many, what they look like, and that secrets stay secret.

use domain::scope::{Scope, Scopes};
use http::Method;
use serde_json::{Value, json};
use service::keys::NewKey;
use service::seal::Sealer;
use store::sql;
use testkit::{Answer, App};

const PATH: &str = "/v1/webhook_endpoints";

async fn create(app: &App, body: &Value) -> Answer {
    app.post(PATH).json(body).send().await
}

async fn created(app: &App) -> String {
    let answer = create(app, &json!({"url": "https://hooks.example.com/a", "events": ["*"]})).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.body["id"].as_str().unwrap().to_owned()
}

async fn patch(app: &App, id: &str, body: &Value) -> Answer {
    app.ask(Method::PATCH, &format!("{PATH}/{id}")).json(body).send().await
}

async fn stored(app: &App, id: &str, column: &str) -> String {
    let statement = format!("SELECT {column} FROM webhook_endpoints WHERE id = $1");
    let mut db = app.service.store().read().await.unwrap();
    db.one::<String>(sql(statement).bind(id)).await.unwrap().unwrap()
}

testkit::on_both_engines! {
    async fn an_endpoint_is_made_shown_listed_and_deleted(app: App) {
        let body = json!({"url": "https://hooks.example.com/a?b=c", "description": "Gradebook",
            "events": ["submission.released", "paper.ready", "submission.released"]});
        let made = create(&app, &body).await;
        assert_eq!(made.status, 201);
        let secret = made.body["secret"].as_str().unwrap().to_owned();
        assert!(secret.starts_with("whsec_") && secret.len() == 6 + 43, "{secret}");
        let shape = concat!(
            r#"{"id":"we_…","object":"webhook_endpoint","livemode":true,"url":"https://hooks.example.com/a?b=c","#,
            r#""events":["submission.released","paper.ready"],"description":"Gradebook","status":"enabled","#,
            r#""secret":SECRET,"created_at":"2026-11-15T03:05:07Z"}"#
        );
        assert_eq!(made.text_without_ids(), shape.replace("SECRET", &format!("{secret:?}")));

        let path = format!("{PATH}/{}", made.body["id"].as_str().unwrap());
        let shown = app.get(&path).send().await;
        assert_eq!(shown.text_without_ids(), shape.replace("SECRET", "null"));
        let listed = app.get(PATH).send().await;
        assert_eq!(listed.body["data"], json!([shown.body]));
        assert_eq!((&listed.body["has_more"], &listed.body["next_cursor"]), (&json!(false), &Value::Null));

        let deleted = app.ask(Method::DELETE, &path).send().await;
        assert_eq!((deleted.status, deleted.text.as_str()), (204, ""));
        for method in [Method::DELETE, Method::GET] {
            assert_eq!(app.ask(method, &path).send().await.problem(), "404 resource_missing -");
        }
        assert!(app.get(PATH).send().await.ids().is_empty());
    }

    async fn what_is_wrong_with_a_body_is_named(app: App) {
        let long = format!("https://example.com/{}", "a".repeat(2100));
        let url = "https://example.com/";
        for (body, problem) in [
            (json!({}), "400 parameter_missing url"),
            (json!({"url": url}), "400 parameter_missing events"),
            (json!({"url": url, "events": []}), "400 parameter_invalid events"),
            (json!({"url": url, "events": "*"}), "400 parameter_invalid events"),
            (json!({"url": url, "events": ["*", "paper.raedy"]}), "400 parameter_invalid events[1]"),
            (json!({"url": url, "events": ["*", null]}), "400 parameter_invalid events[1]"),
            (json!({"url": url, "events": ["*"], "description": ""}), "400 parameter_invalid description"),
            (json!({"url": url, "events": ["*"], "description": "a\u{202e}b"}), "400 parameter_invalid description"),
            (json!({"url": url, "events": ["*"], "status": "enabled"}), "400 parameter_unknown status"),
            (json!({"url": url, "events": ["*"], "secret": "whsec_mine"}), "400 parameter_unknown secret"),
            (json!({"url": null, "events": ["*"]}), "400 parameter_invalid url"),
            (json!({"url": long, "events": ["*"]}), "400 parameter_invalid url"),
            (json!({"url": "http://example.com/", "events": ["*"]}), "400 parameter_invalid url"),
            (json!({"url": "https://localhost/", "events": ["*"]}), "400 parameter_invalid url"),
            (json!({"url": "https://10.0.0.1/", "events": ["*"]}), "400 parameter_invalid url"),
            (json!({"url": "https://user@example.com/", "events": ["*"]}), "400 parameter_invalid url"),
            (json!({"url": "https://example.com:25/", "events": ["*"]}), "400 parameter_invalid url"),
        ] {
            assert_eq!(create(&app, &body).await.problem(), problem, "{body}");
        }
        let fine = json!({"url": "https://bücher.example:8443/", "events": ["*"], "description": null});
        let made = create(&app, &fine).await;
        assert_eq!((made.status, &made.body["url"]), (201, &json!("https://xn--bcher-kva.example:8443/")));
    }

    async fn five_in_each_mode(app: App) {
        for _ in 0..5 {
            created(&app).await;
        }
        let body = json!({"url": "https://example.com/", "events": ["*"]});
        assert_eq!(create(&app, &body).await.problem(), "409 too_many_webhook_endpoints -");
        let other = app.post(PATH).key(&app.test_key).json(&body).send().await;
        assert_eq!((other.status, &other.body["livemode"]), (201, &json!(false)));
        let ids = app.get(PATH).send().await.ids();
        assert_eq!(ids.len(), 5);
        let first = app.get(&format!("{PATH}?limit=2")).send().await;
        let cursor = first.body["next_cursor"].as_str().unwrap();
        let second = app.get(&format!("{PATH}?limit=100&cursor={cursor}")).send().await;
        assert_eq!([first.ids(), second.ids()].concat(), ids);
        app.ask(Method::DELETE, &format!("{PATH}/{}", ids[0])).send().await;
        created(&app).await;
    }

    async fn two_that_come_at_once_do_not_make_six(app: App) {
        for _ in 0..4 {
            created(&app).await;
        }
        let body = json!({"url": "https://example.com/", "events": ["*"]});
        let other = app.sibling().await;
        let (one, two, three) = tokio::join!(create(&app, &body), create(&other, &body), create(&app, &body));
        let mut statuses = [one.status, two.status, three.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409, 409]);
    }

    async fn a_patch_changes_what_it_names(app: App) {
        let id = created(&app).await;
        let changed = patch(&app, &id, &json!({"description": "One", "events": ["paper.ready"]})).await;
        assert_eq!((changed.status, &changed.body["description"]), (200, &json!("One")));
        assert_eq!((&changed.body["events"], &changed.body["secret"]), (&json!(["paper.ready"]), &Value::Null));
        assert_eq!(patch(&app, &id, &json!({})).await.body, changed.body);
        assert_eq!(patch(&app, &id, &json!({"description": null})).await.body["description"], Value::Null);
        let moved = patch(&app, &id, &json!({"url": "https://example.org/", "status": "disabled"})).await;
        assert_eq!((&moved.body["url"], &moved.body["status"]), (&json!("https://example.org/"), &json!("disabled")));
        assert_eq!(patch(&app, &id, &json!({"status": "enabled"})).await.body["status"], "enabled");
        for (body, problem) in [
            (json!({"events": []}), "400 parameter_invalid events"),
            (json!({"status": "paused"}), "400 parameter_invalid status"),
            (json!({"status": null}), "400 parameter_invalid status"),
            (json!({"url": null}), "400 parameter_invalid url"),
            (json!({"url": "http://example.com/"}), "400 parameter_invalid url"),
            (json!({"secret": "whsec_x"}), "400 parameter_unknown secret"),
        ] {
            assert_eq!(patch(&app, &id, &body).await.problem(), problem, "{body}");
        }
    }

    async fn modes_accounts_and_scopes_are_kept_apart(app: App) {
        let id = created(&app).await;
        let path = format!("{PATH}/{id}");
        for method in [Method::GET, Method::PATCH, Method::DELETE] {
            let answer = app.ask(method, &path).key(&app.test_key).send().await;
            assert_eq!(answer.problem(), "404 resource_missing -");
            assert_eq!(answer.body["error"]["resource_id"], json!(id));
        }
        let rotate = format!("{path}/rotate_secret");
        assert_eq!(app.post(&rotate).key(&app.test_key).send().await.problem(), "404 resource_missing -");
        let scoped = |scope: Scope| NewKey { scopes: Some(Scopes::from_iter([scope])), ..NewKey::default() };
        let manager = app.issue_key(domain::mode::Mode::Live, scoped(Scope::WebhooksManage)).await;
        let reader = app.issue_key(domain::mode::Mode::Live, scoped(Scope::EventsRead)).await;
        assert_eq!(app.get(&path).key(&manager).send().await.status, 200);
        assert_eq!(app.get(&path).key(&reader).send().await.problem(), "403 insufficient_scope -");
        assert_eq!(app.post(PATH).key(&reader).send().await.problem(), "403 insufficient_scope -");
    }

    async fn rotating_shows_a_new_secret_once(app: App) {
        let made = create(&app, &json!({"url": "https://example.com/", "events": ["*"]})).await;
        let path = format!("{PATH}/{}", made.body["id"].as_str().unwrap());
        // The key is ignored here: a replay would show the secret again.
        let rotate = || app.post(&format!("{path}/rotate_secret")).once("same");
        let one = rotate().send().await;
        let two = rotate().json(&json!({})).send().await;
        assert_eq!((one.status, two.status), (200, 200));
        assert_ne!(one.body["secret"], made.body["secret"]);
        assert_ne!(one.body["secret"], two.body["secret"]);
        assert!(two.header("idempotent-replayed").is_none());
        assert_eq!(app.get(&path).send().await.body["secret"], Value::Null);
        assert_eq!(rotate().json(&json!({"now": true})).send().await.problem(), "400 parameter_unknown now");
    }

    async fn secrets_are_sealed_and_can_be_sealed_anew(app: App) {
        let made = create(&app, &json!({"url": "https://example.com/", "events": ["*"]})).await;
        let id = made.body["id"].as_str().unwrap();
        let secret = made.body["secret"].as_str().unwrap();
        app.post(&format!("{PATH}/{id}/rotate_secret")).send().await;
        let before = [stored(&app, id, "secret").await, stored(&app, id, "old_secret").await];
        assert!(before.iter().all(|sealed| sealed.starts_with("1.") && !sealed.contains(&secret[6..])));

        assert_eq!(app.service.change_master_key([8; 32]).await.unwrap(), 2);
        let after = [stored(&app, id, "secret").await, stored(&app, id, "old_secret").await];
        assert_ne!(before, after);
        let new = app.sibling_with(|parts| parts.sealer = Sealer::new(&[8; 32])).await;
        new.service.check_master_key().await.unwrap();
        let old = app.sibling().await;
        let refused = old.service.check_master_key().await.unwrap_err().to_string();
        assert_eq!(refused, "the secrets in the database are sealed under another master key than the one given");
        // A process that still runs with the old key seals nothing more.
        let body = json!({"url": "https://example.com/", "events": ["*"]});
        assert_eq!(create(&app, &body).await.problem(), "503 service_unavailable -");
        assert_eq!(create(&new, &body).await.status, 201);
    }
}
