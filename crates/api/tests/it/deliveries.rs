//! Deliveries: what arrives, when it is tried again, and when an endpoint is given up.

use domain::event::{Event, EventType, reduced_snapshot};
use domain::id::{EndpointId, EventId, Identifier as _};
use domain::mode::Mode;
use domain::webhook::{SigningSecret, sign};
use http::Method;
use serde_json::{Value, json};
use service::deliveries::{Deliveries, ResendRange};
use std::time::Duration;
use store::{deliveries, events, turns};
use testkit::{App, Sink};

const PATH: &str = "/v1/webhook_endpoints";
const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// An endpoint of the live mode that takes everything; its id and secret.
async fn endpoint(app: &App, url: &str) -> (String, String) {
    let made = app.post(PATH).json(&json!({"url": url, "events": ["*"]})).send().await;
    assert_eq!(made.status, 201, "{}", made.text);
    let text = |name: &str| made.body[name].as_str().unwrap().to_owned();
    (text("id"), text("secret"))
}

async fn patch(app: &App, id: &str, body: Value) {
    let answer = app.ask(Method::PATCH, &format!("{PATH}/{id}")).json(&body).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text);
}

/// What an event tells where it does not matter.
const SNAPSHOT: &str = r#"{"id":"sub_1","object":"submission","status":"graded"}"#;
/// What an event tells of something that was deleted meanwhile: the shortest that the API describes.
const REDUCED: &str = r#"{"id":"sub_1","object":"submission","deleted":true}"#;

/// Lets something happen in a mode.
async fn happen_in(app: &App, mode: Mode, kind: EventType) -> EventId {
    happen_telling(app, mode, kind, SNAPSHOT).await
}

async fn happen_telling(app: &App, mode: Mode, kind: EventType, snapshot: &str) -> EventId {
    let now = app.service.now();
    let id = EventId::new(now, app.service.random());
    let event = Event {
        id,
        account_id: app.account.id,
        mode,
        kind,
        object_id: Some("sub_1".to_owned()),
        snapshot: snapshot.to_owned(),
        created_at: now,
    };
    let write = app.service.store().write(event, |tx, event| {
        Box::pin(async move {
            turns::take(tx, (event.account_id, event.mode), event.created_at).await?;
            let event = Event { created_at: tx.time()?, ..event.clone() };
            events::record(tx, &event).await
        })
    });
    write.await.unwrap();
    id
}

async fn happen(app: &App) -> EventId {
    happen_in(app, Mode::Live, EventType::SubmissionGraded).await
}

/// Advances the clock and does what is due.
async fn after(app: &App, seconds: i64) {
    app.clock.advance_seconds(seconds);
    app.run_jobs().await;
}

async fn status(app: &App, id: &str) -> String {
    let shown = app.get(&format!("{PATH}/{id}")).send().await;
    shown.body["status"].as_str().unwrap().to_owned()
}

testkit::on_both_engines! {
    async fn an_event_arrives_signed_exactly_as_the_api_shows_it(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        let (_, secret) = endpoint(&app, &sink.url("/hook")).await;
        let id = happen_telling(&app, Mode::Live, EventType::SubmissionGraded, REDUCED).await;
        app.run_jobs().await;
        let [delivery] = &sink.take()[..] else { panic!("one delivery") };
        assert_eq!(delivery.path, "/hook");
        assert_eq!(delivery.header("content-type"), "application/json");
        assert_eq!(delivery.header("user-agent"), "Service-Webhooks/1");
        let shown = app.get(&format!("/v1/events/{id}")).send().await;
        assert_eq!(delivery.body, shown.text.as_bytes());
        let now = app.service.now().as_second();
        let expected = sign(&[SigningSecret::trusted(secret)], now, &delivery.body);
        assert_eq!(delivery.header("service-signature"), expected);
        after(&app, 3 * DAY).await;
        assert!(sink.take().is_empty(), "what has arrived is not sent again");
    }

    async fn what_waits_is_counted_until_it_is_delivered(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        endpoint(&app, &sink.url("/")).await;
        happen(&app).await;
        happen(&app).await;
        let backlog = app.service.backlog().await.unwrap();
        assert_eq!(backlog.deliveries, 2);
        assert!(backlog.jobs.contains(&("mark_submission", 0)), "{backlog:?}");
        app.run_jobs().await;
        assert_eq!(app.service.backlog().await.unwrap().deliveries, 0);
    }

    async fn the_loop_delivers_what_happens_meanwhile_and_ends_when_it_is_told(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        endpoint(&app, &sink.url("/")).await;
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let stopped = async { drop(stopped.await) };
        let running = tokio::spawn(Deliveries::new(app.service.clone()).run(Box::pin(stopped)));
        for _ in 0..2 {
            let id = happen(&app).await;
            let mut arrived = sink.take();
            while arrived.is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
                arrived = sink.take();
            }
            assert_eq!(arrived[0].json()["id"], id.to_string());
        }
        stop.send(()).unwrap();
        running.await.unwrap();
        happen(&app).await;
        app.run_jobs().await;
        assert_eq!(sink.take().len(), 1, "what it left behind is another's at once");
    }

    async fn only_those_who_asked_are_told(app: App) {
        let app = app.reaching_here().await;
        let (all, some, test) = (Sink::start().await, Sink::start().await, Sink::start().await);
        endpoint(&app, &all.url("/")).await;
        let body = json!({"url": some.url("/"), "events": ["paper.ready", "submission.released"]});
        app.post(PATH).json(&body).send().await;
        let body = json!({"url": test.url("/"), "events": ["*"]});
        app.post(PATH).key(&app.test_key).json(&body).send().await;
        for kind in [EventType::PaperReady, EventType::SubmissionGraded, EventType::SubmissionReleased] {
            happen_in(&app, Mode::Live, kind).await;
        }
        happen_in(&app, Mode::Test, EventType::PaperFailed).await;
        app.run_jobs().await;
        let types = |sink: &Sink| {
            let mut types: Vec<String> =
                sink.take().iter().map(|delivery| delivery.json()["type"].as_str().unwrap().to_owned()).collect();
            types.sort();
            types
        };
        assert_eq!(types(&all), ["paper.ready", "submission.graded", "submission.released"]);
        assert_eq!(types(&some), ["paper.ready", "submission.released"]);
        assert_eq!(types(&test), ["paper.failed"]);
    }

    async fn a_failed_delivery_is_tried_twelve_times_in_three_days(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        sink.answer(500);
        let (id, secret) = endpoint(&app, &sink.url("/")).await;
        happen(&app).await;
        app.run_jobs().await;
        let mut count = sink.take().len();
        for minutes in [1, 5, 20, 60, 180, 360, 720, 720, 720, 720, 720] {
            // A wait is up to a tenth shorter than the schedule says.
            after(&app, minutes * 53).await;
            assert!(sink.take().is_empty(), "{minutes} minutes are not over");
            after(&app, minutes * 7).await;
            let [delivery] = &sink.take()[..] else { panic!("{minutes} minutes are over") };
            let now = app.service.now().as_second();
            let expected = sign(&[SigningSecret::trusted(secret.clone())], now, &delivery.body);
            assert_eq!(delivery.header("service-signature"), expected, "each attempt is signed anew");
            count += 1;
        }
        assert_eq!(count, 12);
        let attempts = app.service.attempts(EndpointId::parse(&id).unwrap(), 100).await.unwrap();
        assert_eq!(attempts.iter().rev().map(|attempt| attempt.number).collect::<Vec<_>>(), (1..=12).collect::<Vec<_>>());
        assert!(attempts.iter().all(|attempt| attempt.status == Some(500)));
        sink.answer(200);
        after(&app, DAY).await;
        assert!(sink.take().is_empty(), "it was given up");
    }

    async fn the_receiver_may_ask_for_more_time_but_not_send_us_elsewhere(app: App) {
        let app = app.reaching_here().await;
        let (sink, elsewhere) = (Sink::start().await, Sink::start().await);
        sink.answer(503);
        sink.say("retry-after", "600", "busy \u{0} ü");
        let (id, _) = endpoint(&app, &sink.url("/")).await;
        happen(&app).await;
        app.run_jobs().await;
        assert_eq!(sink.take().len(), 1);
        after(&app, 599).await;
        assert!(sink.take().is_empty());
        sink.answer(302);
        sink.say("location", &elsewhere.url("/"), "");
        after(&app, 1).await;
        assert_eq!((sink.take().len(), elsewhere.take().len()), (1, 0), "a redirect is a failure");
        let attempts = app.service.attempts(EndpointId::parse(&id).unwrap(), 100).await.unwrap();
        assert_eq!(attempts[0].status, Some(302));
        assert_eq!((attempts[1].status, attempts[1].answer.as_deref()), (Some(503), Some("busy \u{fffd} ü")));
    }

    async fn both_secrets_sign_for_a_day(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        let (id, old) = endpoint(&app, &sink.url("/")).await;
        let rotated = app.post(&format!("{PATH}/{id}/rotate_secret")).send().await;
        let new = rotated.body["secret"].as_str().unwrap().to_owned();
        let secrets = [SigningSecret::trusted(new), SigningSecret::trusted(old)];
        for (wait, count) in [(0, 2), (DAY - 1, 2), (1, 1)] {
            app.clock.advance_seconds(wait);
            happen(&app).await;
            app.run_jobs().await;
            let delivery = sink.take().remove(0);
            let (time, _) = delivery.signature();
            assert_eq!(delivery.header("service-signature"), sign(&secrets[..count], time, &delivery.body));
        }
    }

    async fn disabling_and_deleting_drop_what_waits(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        sink.answer(500);
        let (first, _) = endpoint(&app, &sink.url("/1")).await;
        let (second, _) = endpoint(&app, &sink.url("/2")).await;
        happen(&app).await;
        app.run_jobs().await;
        assert_eq!(sink.take().len(), 2);
        sink.answer(200);
        patch(&app, &first, json!({"status": "disabled"})).await;
        happen(&app).await;
        patch(&app, &first, json!({"status": "enabled"})).await;
        app.ask(Method::DELETE, &format!("{PATH}/{second}")).send().await;
        after(&app, DAY).await;
        assert!(sink.take().is_empty(), "neither the retries nor what was missed is sent");
        happen(&app).await;
        app.run_jobs().await;
        assert_eq!(sink.take().len(), 1);
    }

    async fn a_retry_goes_to_the_new_url_with_what_is_left_of_the_object(app: App) {
        let app = app.reaching_here().await;
        let (old, new) = (Sink::start().await, Sink::start().await);
        old.answer(500);
        let (id, _) = endpoint(&app, &old.url("/")).await;
        happen(&app).await;
        app.run_jobs().await;
        patch(&app, &id, json!({"url": new.url("/")})).await;
        let reduced = reduced_snapshot("submission", "sub_1");
        let input = (app.owner(), reduced);
        let write = app.service.store().write(input, |tx, (owner, reduced)| {
            Box::pin(events::reduce(tx, *owner, "sub_1", reduced))
        });
        write.await.unwrap();
        after(&app, MINUTE).await;
        assert_eq!(old.take().len(), 1);
        let delivery = new.take().remove(0);
        assert_eq!(delivery.json()["data"]["object"], json!({"id": "sub_1", "object": "submission", "deleted": true}));
    }

    async fn an_endpoint_that_fails_for_five_days_is_disabled_and_its_people_are_told(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        sink.answer(404);
        let (id, _) = endpoint(&app, &sink.url("/")).await;
        let mut told = Vec::new();
        for hours in 0..=(6 * 24) {
            if hours % 20 == 0 {
                happen(&app).await;
            }
            after(&app, HOUR).await;
            if told.len() < app.mails().len() {
                told.push(hours);
            }
        }
        assert_eq!(status(&app, &id).await, "disabled");
        let mails = app.mails();
        assert_eq!(mails.len(), 3, "{told:?}");
        assert!((24..37).contains(&told[0]) && (96..109).contains(&told[1]) && (120..133).contains(&told[2]), "{told:?}");
        assert!(mails.iter().all(|mail| mail.starts_with("To: it@northfield.example\n") && mail.contains(&id)));
        assert_eq!(mails.iter().filter(|mail| mail.contains("was disabled")).count(), 1);
        sink.take();
        happen(&app).await;
        after(&app, DAY).await;
        assert!(sink.take().is_empty());
        patch(&app, &id, json!({"status": "enabled"})).await;
        happen(&app).await;
        app.run_jobs().await;
        assert_eq!((sink.take().len(), status(&app, &id).await.as_str()), (1, "enabled"), "the five days begin anew");
    }

    async fn success_a_new_url_and_idleness_save_an_endpoint(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        sink.answer(500);
        let (id, _) = endpoint(&app, &sink.url("/1")).await;
        // One old failure, then nothing for weeks, then another: it is idle, not dead.
        happen(&app).await;
        app.run_jobs().await;
        for _ in 0..8 {
            after(&app, 10 * HOUR).await;
        }
        after(&app, 12 * DAY).await;
        happen(&app).await;
        app.run_jobs().await;
        assert_eq!(status(&app, &id).await, "enabled");
        sink.answer(200);
        after(&app, MINUTE).await;
        sink.answer(500);
        // Failing all the time, but moved after four days.
        for hours in 0..(9 * 24) {
            if hours % 24 == 0 {
                happen(&app).await;
            }
            if hours == 4 * 24 {
                patch(&app, &id, json!({"url": sink.url("/2")})).await;
            }
            after(&app, HOUR).await;
            let is_enabled = status(&app, &id).await == "enabled";
            assert!(is_enabled || hours >= 9 * 24 - 12, "disabled after {hours} hours");
        }
    }

    async fn resending_is_a_persons_wish_and_no_sign_of_health(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        let (id, _) = endpoint(&app, &sink.url("/")).await;
        let endpoint_id = EndpointId::parse(&id).unwrap();
        let event = happen(&app).await;
        app.clock.advance_seconds(MINUTE);
        happen(&app).await;
        app.run_jobs().await;
        assert_eq!(sink.take().len(), 2);
        assert_eq!(app.service.resend_event(event).await.unwrap(), [endpoint_id]);
        app.run_jobs().await;
        let again = sink.take();
        assert_eq!((again.len(), &again[0].json()["id"]), (1, &json!(event)));
        let range = ResendRange { endpoint_id, since: "2026-11-15T03:00:00Z".parse().unwrap(), until: app.service.now() };
        assert_eq!(app.service.count_range(range).await.unwrap(), 1, "the end is not part of it");
        let all = ResendRange { until: jiff_max(), ..range };
        assert_eq!(app.service.resend_range(all).await.unwrap(), 2);
        sink.answer(500);
        app.run_jobs().await;
        assert_eq!(sink.take().len(), 2);
        let attempts = app.service.attempts(endpoint_id, 100).await.unwrap();
        assert_eq!(attempts.iter().map(|attempt| attempt.is_resend).collect::<Vec<_>>(), [true, true, true, false, false]);
        assert_eq!(app.service.any_endpoint(endpoint_id).await.unwrap().health.failing_since, None);
        patch(&app, &id, json!({"status": "disabled"})).await;
        assert!(app.service.resend_range(all).await.is_err());
        assert!(app.service.resend_event(event).await.unwrap().is_empty());
    }

    async fn a_slow_endpoint_gets_eight_at_once_and_delays_no_other(app: App) {
        let app = app.reaching_here().await;
        let (slow, quick) = (Sink::start().await, Sink::start().await);
        slow.delay(Duration::from_millis(150));
        endpoint(&app, &slow.url("/")).await;
        endpoint(&app, &quick.url("/")).await;
        for _ in 0..20 {
            happen(&app).await;
        }
        let worker = Deliveries::new(app.service.clone());
        let running = tokio::spawn(async move { worker.run_due().await });
        let mut arrived = 0;
        while arrived < 20 {
            assert!(!running.is_finished(), "the slow one takes longer than all of the quick one's");
            tokio::time::sleep(Duration::from_millis(2)).await;
            arrived += quick.take().len();
        }
        running.await.unwrap().unwrap();
        assert_eq!(slow.take().len(), 20);
        assert_eq!(slow.at_once_max(), 8);
        assert!(quick.at_once_max() <= 8);
    }

    async fn what_a_dead_worker_held_is_sent_by_another(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        endpoint(&app, &sink.url("/")).await;
        happen(&app).await;
        let now = app.service.now();
        let claimed = app.service.store().write(now, |tx, &now| {
            Box::pin(async move {
                deliveries::take_in(tx, now, 100).await?;
                let until = now + jiff::SignedDuration::from_secs(30);
                deliveries::claim(tx, "dead", now, until, 10).await
            })
        });
        assert_eq!(claimed.await.unwrap().len(), 1);
        happen(&app).await;
        after(&app, 29).await;
        assert!(sink.take().is_empty(), "the queue is somebody's");
        after(&app, 1).await;
        assert_eq!(sink.take().len(), 2);
    }

    async fn two_workers_send_each_event_once(app: App) {
        let app = app.reaching_here().await;
        let other = app.reaching_here().await;
        let sink = Sink::start().await;
        for path in ["/1", "/2", "/3"] {
            endpoint(&app, &sink.url(path)).await;
        }
        for _ in 0..30 {
            happen(&app).await;
        }
        let (one, two) = (Deliveries::new(app.service.clone()), Deliveries::new(other.service.clone()));
        let (one, two) = tokio::join!(one.run_due(), two.run_due());
        one.unwrap();
        two.unwrap();
        let received = sink.take();
        let mut ids: Vec<(String, String)> = received
            .iter()
            .map(|delivery| (delivery.path.clone(), delivery.json()["id"].as_str().unwrap().to_owned()))
            .collect();
        ids.sort();
        ids.dedup();
        assert_eq!((received.len(), ids.len()), (90, 90));
    }

    async fn attempts_go_with_their_events(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        let (id, _) = endpoint(&app, &sink.url("/")).await;
        happen(&app).await;
        app.run_jobs().await;
        let endpoint_id = EndpointId::parse(&id).unwrap();
        assert_eq!(app.service.attempts(endpoint_id, 10).await.unwrap().len(), 1);
        after(&app, 30 * DAY + MINUTE).await;
        assert!(app.service.attempts(endpoint_id, 10).await.unwrap().is_empty());
    }
}

fn jiff_max() -> jiff::Timestamp {
    "2099-01-01T00:00:00Z".parse().unwrap()
}
