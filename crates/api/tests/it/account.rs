//! `GET /v1/account`

use domain::credit::Credits;
use domain::mode::Mode;
use jiff::ToSpan as _;
use service::accounts::AccountChanges;
use service::credits::OperatorMovement;

testkit::on_both_engines! {
    async fn the_account_shows_its_mode(app: App) {
        let answer = app.get("/v1/account").send().await;
        assert_eq!(
            answer.text_without_ids(),
            concat!(
                r#"{"object":"account","id":"acct_…","name":"Northfield","livemode":true,"#,
                r#""pricing":{"paper_credits_per_page":1,"grading_credits_per_page":1},"#,
                r#""low_balance_threshold":100,"rate_limit_per_minute":600,"credits_valid_until":null}"#
            )
        );
        let test = app.get("/v1/account").key(&app.test_key).send().await.body;
        assert_eq!((test["livemode"].as_bool(), test["rate_limit_per_minute"].as_i64()), (Some(false), Some(120)));
        assert_eq!(test["id"], answer.body["id"]);
    }

    async fn what_the_operator_changes_shows_at_once(app: App) {
        let changes = AccountChanges {
            rate_limit_live: Some(50),
            low_balance_threshold: Some(Credits(7)),
            paper_price: Some(Credits(2)),
            grading_price: Some(Credits(3)),
            ..AccountChanges::default()
        };
        app.service.update_account(app.account.id, changes).await.unwrap();
        let end = app.service.now() + 10.hours();
        let movement = OperatorMovement::TopUp { amount: Credits(1), valid_until: Some(end), reference: None };
        app.service.move_credits((app.account.id, Mode::Live), movement).await.unwrap();
        let body = app.get("/v1/account").send().await.body;
        assert_eq!(body["pricing"]["grading_credits_per_page"], 3);
        assert_eq!(body["low_balance_threshold"], 7);
        assert_eq!(body["credits_valid_until"], "2026-11-15T13:05:07Z");
    }
}
