//! Strict bodies and queries: each wrong input gets its error, in the contract's order, and changes nothing.

use serde_json::json;

const PATH: &str = "/v1/probe_holds";

testkit::on_both_engines! {
    async fn every_wrong_body_is_named(app: App) {
        for (body, problem) in [
            ("", "400 parameter_missing pages"),
            ("{}", "400 parameter_missing pages"),
            ("{", "400 invalid_json -"),
            ("[]", "400 invalid_json -"),
            ("null", "400 invalid_json -"),
            ("3", "400 invalid_json -"),
            (r#"{"pages":1,"pages":1}"#, "400 invalid_json -"),
            (r#"{"pages":1}x"#, "400 invalid_json -"),
            (r#"{"pages":"1"}"#, "400 parameter_invalid pages"),
            (r#"{"pages":1.5}"#, "400 parameter_invalid pages"),
            (r#"{"pages":1.0}"#, "400 parameter_invalid pages"),
            (r#"{"pages":0}"#, "400 parameter_invalid pages"),
            (r#"{"pages":1001}"#, "400 parameter_invalid pages"),
            (r#"{"pages":99999999999999999999}"#, "400 parameter_invalid pages"),
            (r#"{"pages":null}"#, "400 parameter_invalid pages"),
            (r#"{"pages":1,"colour":"red"}"#, "400 parameter_unknown colour"),
            (r#"{"pages":1,"note":""}"#, "400 parameter_invalid note"),
            (r#"{"pages":1,"note":"a\u202eb"}"#, "400 parameter_invalid note"),
            (r#"{"pages":1,"note":"a\u0000b"}"#, "400 parameter_invalid note"),
            (r#"{"pages":1,"note":7}"#, "400 parameter_invalid note"),
            (r#"{"pages":1,"grading":null}"#, "400 parameter_invalid grading"),
            (r#"{"pages":1,"grading":[]}"#, "400 parameter_invalid grading"),
            (r#"{"pages":1,"grading":{"strictness":"harsh"}}"#, "400 parameter_invalid grading.strictness"),
            (r#"{"pages":1,"grading":{"kindness":1}}"#, "400 parameter_unknown grading.kindness"),
        ] {
            let ask = app.post(PATH).once("k").header("content-type", "application/json").body(body);
            assert_eq!(ask.send().await.problem(), problem, "{body}");
        }
        let long = json!({"pages": 1, "note": "é".repeat(256)});
        assert_eq!(app.post(PATH).once("k").json(&long).send().await.problem(), "400 parameter_invalid note");
        assert_eq!(app.get("/v1/balance").send().await.body["held"], 0, "nothing was changed");
        let null_note = json!({"pages": 1, "note": null});
        assert_eq!(app.post(PATH).once("k").json(&null_note).send().await.status, 201);
    }

    async fn bodies_are_json_and_bounded(app: App) {
        for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
            let ask = app.post(PATH).once("k").header("content-type", content_type).body("{}");
            assert_eq!(ask.send().await.problem(), "415 unsupported_media_type -", "{content_type}");
        }
        assert_eq!(app.post(PATH).once("k").body("{}").send().await.status, 415);
        let large = format!("{{\"pages\":1,\"note\":\"{}\"}}", "x".repeat(1024 * 1024));
        let ask = app.post(PATH).once("k").header("content-type", "application/json").body(large.clone());
        assert_eq!(ask.send().await.problem(), "413 request_too_large -");
        let ask = app.post(PATH).header("content-type", "text/plain").body(large);
        assert_eq!(ask.send().await.status, 415, "the type is looked at before the size");
    }

    async fn an_empty_body_takes_nothing_else(app: App) {
        let wrong = app.post("/v1/api_key/revoke").json(&json!({"really": true})).send().await;
        assert_eq!(wrong.problem(), "400 parameter_unknown really");
        assert_eq!(app.get("/v1/account").send().await.status, 200, "nothing was revoked");
        let wrong = app.post("/v1/api_key/revoke").body("please").send().await;
        assert_eq!(wrong.status, 415);
        assert_eq!(app.post("/v1/api_key/revoke").send().await.status, 200);
    }

    async fn every_wrong_query_is_named(app: App) {
        for (query, problem) in [
            ("limit=0", "400 parameter_invalid limit"),
            ("limit=101", "400 parameter_invalid limit"),
            ("limit=ten", "400 parameter_invalid limit"),
            ("limit=1&limit=2", "400 parameter_invalid limit"),
            ("order=asc", "400 parameter_unknown order"),
            ("updated_after=2026-11-15T03:05Z", "400 parameter_unknown updated_after"),
            ("created_after=2026-11-15", "400 parameter_invalid created_after"),
            ("created_before=now", "400 parameter_invalid created_before"),
            ("type=refund", "400 parameter_invalid type"),
            ("source_id=", "400 parameter_invalid source_id"),
            ("cursor=", "400 parameter_invalid cursor"),
            ("%ff=1", "400 parameter_unknown \u{fffd}"),
        ] {
            let answer = app.get(&format!("/v1/credit_transactions?{query}")).send().await;
            assert_eq!(answer.problem(), problem, "{query}");
        }
        let long = format!("/v1/credit_transactions?source_id={}", "x".repeat(65));
        assert_eq!(app.get(&long).send().await.problem(), "400 parameter_invalid source_id");
    }
}
