//! Who may ask: https, keys, revocation, suspension, addresses, scopes, unknown routes.

use domain::mode::Mode;
use domain::scope::Scope;
use http::Method;
use service::keys::NewKey;

testkit::on_both_engines! {
    async fn a_request_needs_a_key(app: App) {
        for path in ["/v1/account", "/v1/nothing", "/"] {
            let answer = app.get(path).no_key().send().await;
            assert_eq!(answer.problem(), "401 api_key_missing -", "{path}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
            assert_eq!(answer.header("ratelimit-limit"), None);
            assert_eq!(answer.body["error"]["request_id"].as_str(), answer.header("x-request-id"));
        }
        for value in ["Basic abc", "Bearer", "Bearer  ", "tm_sk_live_x"] {
            let answer = app.get("/v1/account").header("authorization", value).send().await;
            assert_eq!(answer.problem(), "401 api_key_missing -", "{value}");
        }
        assert_eq!(app.get("/v1/account").key("tm_sk_live_nobody").send().await.problem(), "401 api_key_invalid -");
        let any_case = format!("bEaReR {}", app.live_key);
        assert_eq!(app.get("/v1/account").header("authorization", &any_case).send().await.status, 200);
    }

    async fn unknown_paths_and_methods_come_after_the_key(app: App) {
        let answer = app.get("/v1/nothing").send().await;
        assert_eq!(answer.problem(), "404 route_not_found -");
        assert_eq!(answer.header("ratelimit-limit"), Some("600"), "it counts like any request");
        let answer = app.ask(Method::PUT, "/v1/account").send().await;
        assert_eq!(answer.problem(), "405 route_not_found -");
        assert_eq!(answer.header("allow"), Some("GET,HEAD"));
        assert_eq!(app.ask(Method::PUT, "/v1/account").no_key().send().await.status, 401);
        assert_eq!(app.post("/dev/clock").send().await.status, 404, "there is no such clock outside development");
    }

    async fn the_description_and_the_health_checks_are_public(app: App) {
        assert_eq!(app.get("/v1/openapi.json").no_key().send().await.body["openapi"], "3.1.0");
        assert_eq!(app.get("/healthz").no_key().plain().send().await.text, "ok\n");
        assert_eq!(app.get("/readyz").no_key().plain().send().await.text, "ready\n");
    }

    async fn a_panic_is_answered(app: App) {
        let answer = app.post("/v1/probe_panic").send().await;
        assert_eq!(answer.problem(), "500 internal_error -");
        assert_eq!(answer.body["error"]["request_id"].as_str(), answer.header("x-request-id"));
        assert_eq!(app.get("/v1/account").send().await.status, 200);
    }

    async fn plain_http_is_refused_and_the_key_marked(app: App) {
        let answer = app.get("/v1/account").plain().send().await;
        assert_eq!(answer.problem(), "403 https_required -");
        assert_eq!(answer.header("location"), None, "never a redirect");
        let keys = app.service.keys_of(app.account.id).await.unwrap();
        let exposed: Vec<bool> = keys.iter().map(|key| key.exposed_at.is_some()).collect();
        assert_eq!(exposed, [true, false]);
        assert_eq!(app.get("/v1/account").plain().no_key().send().await.problem(), "403 https_required -");
        assert_eq!(app.get("/v1/openapi.json").plain().no_key().send().await.status, 403);
        assert_eq!(app.get("/v1/account").send().await.status, 200, "the key still works over https");
        app.run_jobs().await;
        app.clock.advance_seconds(120);
        app.run_jobs().await;
        let mails = app.mails();
        assert_eq!(mails.len(), 1, "the contact is mailed once");
        assert!(mails[0].starts_with("To: it@northfield.example\nSubject: An API key of yours"), "{}", mails[0]);
    }

    async fn a_key_revokes_itself_at_once(app: App) {
        let answer = app.post("/v1/api_key/revoke").send().await;
        assert_eq!((answer.status, answer.text.as_str()), (200, r#"{"object":"api_key","revoked":true}"#));
        assert_eq!(answer.header("ratelimit-limit"), None);
        let refused = app.get("/v1/account").send().await;
        assert_eq!(refused.problem(), "401 api_key_revoked -");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
        assert_eq!(app.post("/v1/api_key/revoke").json(&serde_json::json!({})).send().await.status, 200);
        assert_eq!(app.get("/v1/account").key(&app.test_key).send().await.status, 200, "the others go on");
    }

    async fn every_key_can_revoke_itself(app: App) {
        let scopes = Some([Scope::EventsRead].into_iter().collect());
        let networks = vec!["203.0.113.0/24".parse().unwrap()];
        let restricted = app.issue_key(Mode::Live, NewKey { scopes, allowed_networks: networks, name: None }).await;
        app.service.suspend_account(app.account.id, Some(app.service.now())).await.unwrap();
        let answer = app.post("/v1/api_key/revoke").key(&restricted).send().await;
        assert_eq!(answer.status, 200);
        assert_eq!(app.post("/v1/api_key/revoke").key("tm_sk_live_x").send().await.problem(), "401 api_key_invalid -");
    }

    async fn a_suspended_account_is_refused(app: App) {
        app.service.suspend_account(app.account.id, Some(app.service.now())).await.unwrap();
        let other = app.sibling().await;
        let answer = other.get("/v1/account").send().await;
        assert_eq!(answer.problem(), "403 account_suspended -");
        assert_eq!(answer.header("ratelimit-limit"), None);
        app.service.suspend_account(app.account.id, None).await.unwrap();
        assert_eq!(app.sibling().await.get("/v1/account").send().await.status, 200);
    }

    async fn an_allowlist_is_kept(app: App) {
        let networks = vec!["203.0.113.0/24".parse().unwrap(), "2001:db8::/48".parse().unwrap()];
        let key = app.issue_key(Mode::Live, NewKey { allowed_networks: networks, ..NewKey::default() }).await;
        for (address, status) in
            [("203.0.113.9", 200), ("203.0.114.9", 403), ("2001:db8::1", 200), ("::ffff:203.0.113.9", 200)]
        {
            let answer = app.get("/v1/account").key(&key).from(address).send().await;
            assert_eq!(answer.status, status, "{address}");
        }
        let answer = app.get("/v1/account").key(&key).send().await;
        assert_eq!(answer.problem(), "403 ip_not_allowed -");
        assert_eq!(answer.header("ratelimit-limit"), None);
    }

    async fn scopes_open_their_endpoints_only(app: App) {
        let paths = [
            ("/v1/subjects", Scope::PapersRead),
            ("/v1/account", Scope::BillingRead),
            ("/v1/balance", Scope::BillingRead),
            ("/v1/credit_transactions", Scope::BillingRead),
            ("/v1/events", Scope::EventsRead),
        ];
        for scope in Scope::ALL {
            let scopes = Some([scope].into_iter().collect());
            let key = app.issue_key(Mode::Live, NewKey { scopes, ..NewKey::default() }).await;
            for (path, wanted) in paths {
                let answer = app.get(path).key(&key).send().await;
                let expected = if scope == wanted { 200 } else { 403 };
                assert_eq!(answer.status, expected, "{path} with {scope}");
            }
            assert_eq!(app.get("/v1/nothing").key(&key).send().await.status, 404);
        }
        let none = app.issue_key(Mode::Live, NewKey { scopes: Some([].into_iter().collect()), ..NewKey::default() }).await;
        assert_eq!(app.get("/v1/events").key(&none).send().await.problem(), "403 insufficient_scope -");
    }

    async fn a_revocation_elsewhere_arrives_within_a_second(app: App) {
        let other = app.sibling().await;
        assert_eq!(other.get("/v1/account").send().await.status, 200);
        app.post("/v1/api_key/revoke").send().await;
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(1);
        while other.get("/v1/account").send().await.status == 200 {
            assert!(std::time::Instant::now() < deadline, "the key must stop within a second");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}
