//! `GET /v1/events/{id}`; the list is tested with what causes events.

use domain::credit::Credits;
use serde_json::json;
use service::accounts::AccountChanges;
use testkit::App;

async fn cause_event(app: &App) -> String {
    let changes = AccountChanges { low_balance_threshold: Some(Credits(1000)), ..AccountChanges::default() };
    app.service.update_account(app.account.id, changes).await.unwrap();
    app.post("/v1/probe_holds").once("low").json(&json!({"pages": 1})).send().await;
    app.get("/v1/events").send().await.ids().remove(0)
}

testkit::on_both_engines! {
    async fn an_event_is_found_in_its_own_mode_only(app: App) {
        let id = cause_event(&app).await;
        let event = app.get(&format!("/v1/events/{id}")).send().await;
        assert_eq!(
            event.text_without_ids(),
            concat!(
                r#"{"id":"evt_…","object":"event","type":"credits.balance_low","livemode":true,"#,
                r#""created_at":"2026-11-15T03:05:07Z","data":{"object":{"object":"balance","#,
                r#""livemode":true,"available":999,"held":1,"expired":0,"total":1000}}}"#
            )
        );
        let hidden = app.get(&format!("/v1/events/{id}")).key(&app.test_key).send().await;
        assert_eq!(hidden.problem(), "404 resource_missing -");
        assert_eq!(hidden.body["error"]["resource_id"], json!(id));
        assert_eq!(app.get("/v1/events/evt_nonsense").send().await.problem(), "404 resource_missing -");
    }

    async fn events_are_kept_for_thirty_days(app: App) {
        let id = cause_event(&app).await;
        app.clock.advance_seconds(30 * 24 * 3600 - 61);
        app.run_jobs().await;
        assert_eq!(app.get(&format!("/v1/events/{id}")).send().await.status, 200);
        app.clock.advance_seconds(122);
        app.run_jobs().await;
        assert_eq!(app.get(&format!("/v1/events/{id}")).send().await.status, 404);
    }

    async fn the_type_filter_knows_its_types(app: App) {
        assert_eq!(app.get("/v1/events?type=paper.raedy").send().await.problem(), "400 parameter_invalid type");
        assert!(app.get("/v1/events?type=paper.ready").send().await.ids().is_empty());
        assert!(app.get("/v1/events?object_id=pap_unknown").send().await.ids().is_empty());
    }
}
