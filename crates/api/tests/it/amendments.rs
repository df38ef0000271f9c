//! Changing the scheme after it was approved: tried on all scripts first, then applied or discarded.

use crate::adjustments::{adjust, marked};
use crate::flow::read_paper;
use crate::papers::{again, path};
use crate::review::{Browser, record};
use http::Method;
use serde_json::{Value, json};
use service::jobs::Worker;
use std::time::Duration;
use testkit::{Answer, App};

/// A ready paper whose results wait for a person, and on which nothing but the scheme changes marks.
pub(crate) async fn ready(app: &App) -> Value {
    let paper =
        read_paper(app, json!({"results_release": "after_review", "grading": {"learning": false}})).await;
    app.post(&format!("{}/approve", path(&paper))).key(&app.test_key).send().await.body
}

pub(crate) async fn result(app: &App, script: &Value) -> Value {
    app.get(&format!("{}/result", path(script))).key(&app.test_key).send().await.body
}

async fn scheme(desk: &Browser<'_>) -> Value {
    desk.ask(Method::GET, "/review/desk/scheme").send().await.body
}

async fn send(desk: &Browser<'_>, what: &str, body: &Value) -> Answer {
    desk.ask(Method::POST, &format!("/review/desk/amendment{what}")).json(body).send().await
}

/// The first question with one more wording that earns its mark.
async fn also(desk: &Browser<'_>, wording: &str) -> Value {
    let mut question = scheme(desk).await["questions"][0].clone();
    question["answer_key"]["points"][0]["alternatives"].as_array_mut().unwrap().push(json!(wording));
    json!({"place": 0, "question": question})
}

testkit::on_both_engines! {
    async fn a_change_is_tried_shown_and_applied(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1", "s-2", "s-3", "s-4", "s-5"]).await;
        app.post(&format!("{}/release", path(&scripts[5]))).key(&app.test_key).send().await;
        let released = result(&app, &scripts[5]).await;
        let before = result(&app, &scripts[1]).await;
        assert_eq!((&before["scheme_version"], &before["questions"][0]["awarded"]), (&json!(1), &json!(0)));
        adjust(&app, &scripts[3], json!({"question": "1", "awarded": 0, "remark": "No."})).await;
        app.run_jobs().await;

        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let put = send(&desk, "", &also(&desk, "respiration").await).await;
        assert_eq!((put.status, &put.body["amendment"]["done"]), (200, &json!(false)), "{}", put.text);
        let id = put.body["amendment"]["id"].clone();
        let early = send(&desk, "/apply", &json!({"id": id})).await;
        assert_eq!(early.status, 400, "what is not tried is not applied: {}", early.text);
        app.run_jobs().await;
        let tried = scheme(&desk).await["amendment"].clone();
        assert_eq!((&tried["done"], &tried["tried"], &tried["untouched"]), (&json!(true), &json!(5), &json!(1)), "{tried:#}");
        assert_eq!(tried["released"].as_array().unwrap().len(), 1);
        assert_eq!(tried["released"][0]["student"], "s-5", "who is released is listed");
        let changes = tried["changes"].as_array().unwrap();
        assert_eq!(changes.len(), 1, "a person's mark and a released script stay: {tried:#}");
        assert_eq!((&changes[0]["student"], &changes[0]["before"], &changes[0]["after"]), (&json!("s-1"), &json!(0), &json!(1)));
        assert_eq!(result(&app, &scripts[1]).await, before, "nothing counts before it is applied");

        app.clock.advance_seconds(1);
        let applied = send(&desk, "/apply", &json!({"id": id})).await;
        assert_eq!((applied.status, &applied.body["version"], &applied.body["amendment"]), (200, &json!(2), &Value::Null), "{}", applied.text);
        app.run_jobs().await;
        let after = result(&app, &scripts[1]).await;
        assert_eq!((&after["scheme_version"], &after["questions"][0]["awarded"]), (&json!(2), &json!(1)), "{after:#}");
        assert_eq!((&after["questions"][0]["adjusted"], &after["questions"][2]), (&json!(false), &before["questions"][2]));
        assert_eq!(again(&app, &scripts[1]).await["score"], after["score"]);
        let decided = result(&app, &scripts[3]).await;
        assert_eq!((&decided["questions"][0]["awarded"], &decided["questions"][0]["awarded_by_machine"]), (&json!(0), &json!(1)));
        assert_eq!(result(&app, &scripts[5]).await, released, "a released result is final");
        let versions: Vec<Value> = scheme(&desk).await["versions"].as_array().unwrap().iter()
            .map(|version| json!([version["version"], version["reviewer"]])).collect();
        assert_eq!(versions, [json!([1, null]), json!([2, "Ms Okafor"])]);
        let late = marked(&app, &paper, &["t-0", "t-1"]).await.remove(1);
        let late = result(&app, &late).await;
        assert_eq!((&late["scheme_version"], &late["questions"][0]["awarded"]), (&json!(2), &json!(1)));
    }

    async fn a_change_can_be_discarded_and_the_last_one_counts(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1"]).await;
        let before = result(&app, &scripts[1]).await;
        let (one, other) = (Browser::on(&app, &paper, "Ms Okafor").await, Browser::on(&app, &paper, "Mr Lindqvist").await);
        let first = send(&one, "", &also(&one, "respiration").await).await.body["amendment"]["id"].clone();
        app.clock.advance_seconds(1);
        let second = send(&other, "", &also(&other, "growing").await).await.body["amendment"]["id"].clone();
        app.run_jobs().await;
        assert_eq!(send(&one, "/apply", &json!({"id": &first})).await.status, 400, "another change is looked at");
        assert_eq!(scheme(&one).await["amendment"]["id"], second);
        assert_eq!(send(&one, "/discard", &json!({"id": &first})).await.status, 400, "it is not the one that was seen");
        let mut unseen = also(&one, "breathing").await;
        unseen["seen"] = first;
        app.clock.advance_seconds(1);
        assert_eq!(send(&one, "", &unseen).await.status, 400, "another's change is not put aside unseen");
        unseen["seen"] = Value::Null;
        assert_eq!(send(&one, "", &unseen).await.status, 400);
        assert_eq!(send(&one, "/discard", &json!({"id": &second})).await.body["amendment"], Value::Null);
        assert_eq!(send(&other, "/apply", &json!({"id": second})).await.status, 400);
        app.run_jobs().await;
        assert_eq!(result(&app, &scripts[1]).await, before);
        assert_eq!(scheme(&one).await["version"], 1);
        let told: Vec<(Option<String>, String)> =
            record(&app, &paper).await.into_iter().map(|(reviewer, action, _)| (reviewer, action)).collect();
        let by = |name: &str, action: &str| (Some(name.to_owned()), action.to_owned());
        assert_eq!(told, [by("Ms Okafor", "amend"), by("Mr Lindqvist", "amend"), by("Ms Okafor", "discard")]);
    }

    async fn what_becomes_of_a_scheme_and_its_marks_is_in_the_record(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1"]).await;
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let id = send(&desk, "", &also(&desk, "respiration").await).await.body["amendment"]["id"].clone();
        app.run_jobs().await;
        app.clock.advance_seconds(1);
        assert_eq!(send(&desk, "/apply", &json!({"id": id})).await.status, 200);
        app.run_jobs().await;
        app.clock.advance_seconds(1);
        adjust(&app, &scripts[0], json!({"question": "1", "awarded": 0})).await;
        app.clock.advance_seconds(1);
        let one = json!({"submission_id": scripts[0]["id"]});
        assert_eq!(desk.ask(Method::POST, "/review/desk/releases").json(&one).send().await.status, 200);
        app.clock.advance_seconds(1);
        let rest = json!({"which": "all"});
        assert_eq!(desk.ask(Method::POST, "/review/desk/releases").json(&rest).send().await.body["count"], 1);
        let okafor = Some("Ms Okafor".to_owned());
        let line = |reviewer: &Option<String>, action: &str, number: Option<&str>| {
            (reviewer.clone(), action.to_owned(), number.map(str::to_owned))
        };
        assert_eq!(record(&app, &paper).await, [
            line(&okafor, "amend", Some("1")), line(&okafor, "apply", Some("1")), line(&None, "decide", Some("1")),
            line(&okafor, "release", None), line(&okafor, "release", None),
        ]);
        let told = app.dump("review_changes", &paper, "action || COALESCE(before, '') || '>' || after").await;
        assert!(told.lines().any(|line| line == r#"apply{"scheme_version":1}>{"scheme_version":2}"#), "{told}");
        assert!(told.lines().any(|line| line.starts_with("amend{") && line.contains("respiration")), "{told}");
    }

    async fn what_was_asked_and_promised_cannot_be_amended(app: App) {
        let paper = ready(&app).await;
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let question = scheme(&desk).await["questions"][0].clone();
        let mut nothing = question.clone();
        nothing["text"] = json!("Something else was asked.");
        let mut empty = question.clone();
        empty["answer_key"] = Value::Null;
        let mut long = question.clone();
        long["answer_key"]["points"][0]["text"] = json!("x".repeat(5000));
        for wrong in [nothing, empty, long] {
            assert_eq!(send(&desk, "", &json!({"place": 0, "question": wrong})).await.status, 400, "{wrong}");
        }
        assert_eq!(send(&desk, "", &json!({"place": 9, "question": question})).await.status, 400);
        assert_eq!(send(&desk, "", &json!({"place": 0})).await.status, 400);
        assert_eq!(scheme(&desk).await["amendment"], Value::Null);
        app.run_jobs().await;
    }

    async fn a_trial_that_is_cut_off_goes_on_and_two_do_no_harm(app: App) {
        let paper = ready(&app).await;
        let students: Vec<String> = (0..8).map(|number| format!("s-{number}")).collect();
        let names: Vec<&str> = students.iter().map(String::as_str).collect();
        let scripts = marked(&app, &paper, &names).await;
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let put = send(&desk, "", &also(&desk, "respiration").await).await;
        let sibling = app.sibling().await;
        tokio::join!(app.run_jobs(), sibling.run_jobs());
        let tried = scheme(&desk).await["amendment"].clone();
        assert_eq!((&tried["done"], tried["changes"].as_array().unwrap().len()), (&json!(true), 4), "{tried:#}");
        let own = json!({"id": put.body["amendment"]["id"]});
        let (applied, decided) = tokio::join!(
            send(&desk, "/apply", &own),
            adjust(&sibling, &scripts[1], json!({"question": "1", "awarded": 0})),
        );
        assert_eq!((applied.status, decided.status), (200, 201), "{} {}", applied.text, decided.text);
        tokio::join!(app.run_jobs(), sibling.run_jobs());
        app.run_jobs().await;
        for (place, script) in scripts.iter().enumerate() {
            let result = result(&app, script).await;
            let wanted = if place == 1 { 0 } else { 1 };
            assert_eq!((&result["scheme_version"], &result["questions"][0]["awarded"]), (&json!(2), &json!(wanted)), "{place}");
            assert_eq!(again(&app, script).await["score"], result["score"]);
        }
        assert_eq!(scheme(&desk).await["outdated"], 0);
    }

    async fn work_that_dies_anywhere_is_done_by_another(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1", "s-2", "s-3", "s-4", "s-5"]).await;
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let id = send(&desk, "", &also(&desk, "respiration").await).await.body["amendment"]["id"].clone();
        die_and_go_on(&app).await;
        let tried = scheme(&desk).await["amendment"].clone();
        assert_eq!((&tried["done"], tried["changes"].as_array().unwrap().len()), (&json!(true), 3), "{tried:#}");
        send(&desk, "/apply", &json!({"id": id})).await;
        die_and_go_on(&app).await;
        for script in &scripts {
            let result = result(&app, script).await;
            assert_eq!((&result["scheme_version"], &result["questions"][0]["awarded"]), (&json!(2), &json!(1)));
            assert_eq!(again(&app, script).await["score"], result["score"]);
        }
    }
}

/// Workers that die after a few milliseconds of work, one after the other, and one that does not.
async fn die_and_go_on(app: &App) {
    for milliseconds in [1, 5, 20, 60] {
        let worker = Worker::new(app.service.clone());
        let died = tokio::time::timeout(Duration::from_millis(milliseconds), worker.run_due()).await;
        // Its leases end.
        app.clock.advance_seconds(31);
        if let Ok(done) = died {
            done.unwrap();
        }
    }
    app.sibling().await.run_jobs().await;
}
