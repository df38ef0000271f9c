//! `Idempotency-Key`, on the endpoint that only tests have.

use serde_json::json;

const PATH: &str = "/v1/probe_holds";

testkit::on_both_engines! {
    async fn a_repeated_request_is_replayed(app: App) {
        let first = app.post(PATH).once("order-1").json(&json!({"pages": 3, "note": "é"})).send().await;
        assert_eq!((first.status, first.header("idempotent-replayed")), (201, None));
        // The same request in other words: members in another order, other white space.
        let again = app
            .post(PATH)
            .once("order-1")
            .header("content-type", "application/json; charset=utf-8")
            .body(" {\"note\" : \"\\u00e9\", \"pages\":3} ")
            .send()
            .await;
        assert_eq!((again.status, again.header("idempotent-replayed")), (201, Some("true")));
        assert_eq!(again.text, first.text);
        assert_ne!(again.header("x-request-id"), first.header("x-request-id"));
        assert_eq!(again.header("ratelimit-remaining"), Some("598"));
        assert_eq!(app.get("/v1/balance").send().await.body["held"], 3, "it was done once");
    }

    async fn a_key_belongs_to_its_request(app: App) {
        let first = app.post(PATH).once("order-1").json(&json!({"pages": 3})).send().await;
        let other = app.post(PATH).once("order-1").json(&json!({"pages": 4})).send().await;
        assert_eq!(other.problem(), "409 idempotency_key_reused -");
        assert_eq!(other.body["error"]["resource_id"], first.body["id"]);
        let elsewhere = app.post("/v1/probe_optional").once("order-1").json(&json!({"pages": 3})).send().await;
        assert_eq!(elsewhere.problem(), "409 idempotency_key_reused -");
        let test = app.post(PATH).key(&app.test_key).once("order-1").json(&json!({"pages": 4})).send().await;
        assert_eq!(test.status, 201, "modes are apart");
    }

    async fn a_refused_request_leaves_the_key_free(app: App) {
        let refused = app.post(PATH).once("order-1").json(&json!({"pages": 1000})).send().await;
        assert_eq!(refused.status, 201);
        let refused = app.post(PATH).once("order-2").json(&json!({"pages": 5})).send().await;
        assert_eq!(refused.problem(), "402 insufficient_credits -");
        let other = app.post(PATH).once("order-2").json(&json!({"pages": 6})).send().await;
        assert_eq!(other.problem(), "402 insufficient_credits -", "the key is free for another request too");
    }

    async fn a_key_is_remembered_for_a_day(app: App) {
        let first = app.post(PATH).once("order-1").json(&json!({"pages": 3})).send().await;
        app.clock.advance_seconds(24 * 3600 - 1);
        let again = app.post(PATH).once("order-1").json(&json!({"pages": 3})).send().await;
        assert_eq!(again.text, first.text);
        app.clock.advance_seconds(1);
        let anew = app.post(PATH).once("order-1").json(&json!({"pages": 3})).send().await;
        assert_ne!(anew.text, first.text, "forgotten before the sweep has come by");
        app.clock.advance_seconds(25 * 3600);
        app.run_jobs().await;
        assert_ne!(app.post(PATH).once("order-1").json(&json!({"pages": 3})).send().await.text, anew.text);
    }

    async fn the_header_is_checked(app: App) {
        let body = json!({"pages": 1});
        assert_eq!(app.post(PATH).json(&body).send().await.problem(), "400 idempotency_key_missing -");
        assert_eq!(app.post(PATH).json(&json!({"pagse": 1})).send().await.problem(), "400 idempotency_key_missing -");
        let long = "x".repeat(256);
        for wrong in ["with space", "", long.as_str()] {
            let answer = app.post(PATH).once(wrong).json(&body).send().await;
            assert_eq!(answer.problem(), "400 parameter_invalid Idempotency-Key", "{wrong:?}");
        }
        assert_eq!(app.post("/v1/probe_optional").json(&body).send().await.status, 201);
        assert_eq!(app.get("/v1/balance").once("with space").send().await.status, 200, "GET ignores it");
    }

    async fn of_many_at_once_one_is_done(app: App) {
        let other = app.sibling().await;
        let body = json!({"pages": 7});
        let both = (0..12).map(|index| {
            let app = if index % 2 == 0 { &app } else { &other };
            app.post(PATH).once("order-1").json(&body).send()
        });
        let mut created = 0;
        for answer in futures_util::future::join_all(both).await {
            match answer.status {
                201 => created += usize::from(answer.header("idempotent-replayed").is_none()),
                409 => {
                    assert_eq!(answer.problem(), "409 idempotency_request_in_progress -");
                    assert_eq!(answer.header("retry-after"), Some("1"));
                }
                status => panic!("{status}"),
            }
        }
        assert_eq!(created, 1);
        assert_eq!(app.get("/v1/balance").send().await.body["held"], 7);
    }
}
