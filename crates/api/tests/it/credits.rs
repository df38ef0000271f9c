//! Balance, the ledger and the sweep, through HTTP and the operator's use cases.

use domain::account::Owner;
use domain::credit::{Credits, Source};
use domain::id::{Identifier as _, SubmissionId};
use domain::mode::Mode;
use domain::refusal::Refusal;
use jiff::{Timestamp, ToSpan as _};
use serde_json::json;
use service::credits::OperatorMovement;
use service::{Error, Service};
use testkit::App;

async fn hold(service: &Service, owner: Owner, source: Source, pages: u32) -> Result<Credits, Error> {
    let input = (service.clone(), owner, source, pages, service.now());
    service
        .store()
        .write(input, |tx, (service, owner, source, pages, now)| {
            Box::pin(service.hold(tx, *owner, *source, *pages, Credits(1), *now))
        })
        .await
}

async fn settle(service: &Service, owner: Owner, source: Source, is_charged: bool) -> bool {
    let input = (service.clone(), owner, source, is_charged, service.now());
    service
        .store()
        .write(input, |tx, (service, owner, source, is_charged, now)| {
            Box::pin(async move {
                if *is_charged {
                    service.charge(tx, *owner, *source, *now).await
                } else {
                    service.give_back(tx, *owner, *source, *now).await
                }
            })
        })
        .await
        .unwrap()
}

fn source(number: u128) -> Source {
    Source::Submission(SubmissionId::from_number(number))
}

async fn top_up(app: &App, amount: u64, valid_until: Option<Timestamp>) {
    let movement =
        OperatorMovement::TopUp { amount: Credits(amount), valid_until, reference: Some("INV-7".into()) };
    app.service.move_credits(app.owner(), movement).await.unwrap();
}

async fn pots(app: &App) -> [i64; 4] {
    let body = app.get("/v1/balance").send().await.body;
    ["available", "held", "expired", "total"].map(|pot| body[pot].as_i64().unwrap())
}

async fn assert_balanced(app: &App) {
    let balance = app.service.balance(app.owner()).await.unwrap();
    let (account, mode) = app.owner();
    let mut db = app.service.store().read().await.unwrap();
    let sum = store::credits::sum(&mut db, account, mode).await.unwrap();
    assert_eq!(sum, balance.usable().signed(), "the movements add up to the usable credits");
    assert_eq!(store::credits::held(&mut db, account, mode).await.unwrap(), balance.held);
}

testkit::on_both_engines! {
    async fn the_balance_has_no_id(app: App) {
        let answer = app.get("/v1/balance").send().await;
        assert_eq!(
            answer.text,
            r#"{"object":"balance","livemode":true,"available":1000,"held":0,"expired":0,"total":1000}"#
        );
        let test = app.get("/v1/balance").key(&app.test_key).send().await.body;
        assert_eq!((&test["available"], &test["livemode"]), (&json!(10_000), &json!(false)));
    }

    async fn a_charge_is_one_transaction_and_happens_once(app: App) {
        hold(&app.service, app.owner(), source(1), 30).await.unwrap();
        assert_eq!(pots(&app).await, [970, 30, 0, 1000]);
        assert!(settle(&app.service, app.owner(), source(1), true).await);
        assert!(!settle(&app.service, app.owner(), source(1), true).await, "never twice");
        assert!(!settle(&app.service, app.owner(), source(1), false).await, "nor given back after it");
        assert_eq!(pots(&app).await, [970, 0, 0, 970]);
        let list = app.get("/v1/credit_transactions?type=grading").send().await;
        assert_eq!(
            list.text_without_ids(),
            concat!(
                r#"{"object":"list","data":[{"id":"ctx_…","object":"credit_transaction","livemode":true,"#,
                r#""type":"grading","amount":-30,"balance_after":970,"pages":30,"#,
                r#""source":{"object":"submission","id":"sub_…"},"reference":null,"#,
                r#""description":"Marking a submission","created_at":"2026-11-15T03:05:07Z"}],"#,
                r#""has_more":false,"next_cursor":null}"#
            )
        );
        assert_balanced(&app).await;
    }

    async fn a_hold_given_back_leaves_no_trace_in_the_ledger(app: App) {
        hold(&app.service, app.owner(), source(1), 30).await.unwrap();
        assert!(settle(&app.service, app.owner(), source(1), false).await);
        assert_eq!(pots(&app).await, [1000, 0, 0, 1000]);
        assert_eq!(app.get("/v1/credit_transactions").send().await.ids().len(), 1, "the top-up alone");
        assert_balanced(&app).await;
    }

    async fn one_object_is_held_for_once(app: App) {
        hold(&app.service, app.owner(), source(1), 30).await.unwrap();
        assert!(hold(&app.service, app.owner(), source(1), 30).await.is_err());
        assert_eq!(pots(&app).await, [970, 30, 0, 1000], "the second changed nothing");
        assert_balanced(&app).await;
    }

    async fn thirty_two_at_once_never_overdraw(app: App) {
        let holds = (0..96_u128).map(|number| {
            let (service, owner) = (app.service.clone(), app.owner());
            tokio::spawn(async move { hold(&service, owner, source(number), 15).await })
        });
        let mut granted = 0;
        for outcome in futures_util::future::join_all(holds).await {
            match outcome.unwrap() {
                Ok(_) => granted += 1,
                Err(Error::Refused { refusal: Refusal::InsufficientCredits { .. }, .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(granted, 1000 / 15);
        assert_eq!(pots(&app).await, [10, 990, 0, 1000]);
        assert_balanced(&app).await;
    }

    async fn credits_end_on_their_date(app: App) {
        let end = app.service.now() + 24.hours();
        top_up(&app, 200, Some(end)).await;
        hold(&app.service, app.owner(), source(1), 50).await.unwrap();
        app.clock.advance_seconds(24 * 3600);
        assert_eq!(pots(&app).await, [0, 50, 1150, 1200], "shown as ended before the sweep has run");
        let refused = app.post("/v1/probe_holds").once("k").json(&json!({"pages": 100})).send().await;
        assert_eq!(refused.problem(), "402 credits_expired -");
        assert!(refused.body["error"]["message"].as_str().unwrap().contains("2026-11-16"));
        app.run_jobs().await;
        assert_eq!(pots(&app).await, [0, 50, 1150, 1200]);
        settle(&app.service, app.owner(), source(1), false).await;
        assert_eq!(pots(&app).await, [0, 0, 1200, 1200], "given back after the date");
        let revive = OperatorMovement::Revive { valid_until: None };
        app.service.move_credits(app.owner(), revive).await.unwrap();
        assert_eq!(pots(&app).await, [1200, 0, 0, 1200]);
        assert_balanced(&app).await;
    }

    async fn events_tell_of_low_and_ending_credits_once(app: App) {
        let end = app.service.now() + (8 * 24).hours();
        top_up(&app, 1, Some(end)).await;
        let types = async |app: &App| {
            let list = app.get("/v1/events").send().await.body;
            let items = list["data"].as_array().unwrap().clone();
            items.iter().rev().map(|event| event["type"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        app.run_jobs().await;
        assert!(types(&app).await.is_empty());
        app.clock.advance_seconds(24 * 3600);
        app.run_jobs().await;
        app.clock.advance_seconds(3600);
        app.run_jobs().await;
        assert_eq!(types(&app).await, ["credits.expiring"]);

        hold(&app.service, app.owner(), source(1), 950).await.unwrap();
        hold(&app.service, app.owner(), source(2), 10).await.unwrap();
        assert_eq!(types(&app).await, ["credits.expiring", "credits.balance_low"]);
        settle(&app.service, app.owner(), source(1), false).await;
        app.clock.advance_seconds(1);
        hold(&app.service, app.owner(), source(3), 950).await.unwrap();
        assert_eq!(types(&app).await, ["credits.expiring", "credits.balance_low", "credits.balance_low"]);

        let low = app.get("/v1/events?type=credits.balance_low").send().await.body["data"][0].clone();
        assert_eq!(
            low["data"]["object"],
            json!({"object": "balance", "livemode": true, "available": 41, "held": 960, "expired": 0, "total": 1001})
        );
        let ending = app.get("/v1/events?type=credits.expiring").send().await.body["data"][0].clone();
        assert_eq!(ending["data"]["object"]["object"], "account");
        assert_eq!(ending["data"]["object"]["credits_valid_until"], "2026-11-23T03:05:07Z");
    }

    async fn expiry_below_the_threshold_is_a_crossing(app: App) {
        top_up(&app, 1, Some(app.service.now() + 1.hour())).await;
        app.clock.advance_seconds(3600);
        app.run_jobs().await;
        let list = app.get("/v1/events?type=credits.balance_low").send().await;
        assert_eq!(list.ids().len(), 1);
        assert_eq!(list.body["data"][0]["data"]["object"]["expired"], 1001);
    }

    async fn test_mode_sends_no_credit_events(app: App) {
        let owner = (app.account.id, Mode::Test);
        hold(&app.service, owner, source(1), 9_990).await.unwrap();
        let list = app.get("/v1/events").key(&app.test_key).send().await;
        assert!(list.ids().is_empty());
    }

    async fn the_operator_cannot_take_more_than_there_is(app: App) {
        let adjust = |amount| OperatorMovement::Adjust { amount, description: "Correction".into() };
        let refused = app.service.move_credits(app.owner(), adjust(-1001)).await;
        assert!(matches!(refused, Err(Error::Refused { refusal: Refusal::InsufficientCredits { .. }, .. })));
        app.service.move_credits(app.owner(), adjust(-1000)).await.unwrap();
        assert_eq!(pots(&app).await, [0, 0, 0, 0]);
        assert_balanced(&app).await;
    }
}
