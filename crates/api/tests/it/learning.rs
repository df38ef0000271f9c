//! Marks that follow what a person decided on like answers.

use crate::adjustments::{adjust, marked, ready};
use crate::flow::{paper_body, read_paper};
use crate::papers::{again, path};
use crate::review::Browser;
use http::Method;
use serde_json::{Value, json};
use testkit::{App, pdf};

async fn result(app: &App, script: &Value) -> Value {
    app.get(&format!("{}/result", path(script))).key(&app.test_key).send().await.body
}

/// The marks of each question of each script, in their order.
async fn marks(app: &App, scripts: &[Value]) -> Vec<Vec<f64>> {
    let mut all = Vec::new();
    for script in scripts {
        let questions = result(app, script).await["questions"].as_array().unwrap().clone();
        all.push(questions.iter().map(|question| question["awarded"].as_f64().unwrap()).collect());
    }
    all
}

/// A ready paper with a name of its own.
async fn named(app: &App, name: &str, more: Value) -> Value {
    let body = paper_body(app, more).await;
    let made = app.post("/v1/papers").key(&app.test_key).once(name).json(&body).send().await;
    assert_eq!(made.status, 201, "{}", made.text);
    app.run_jobs().await;
    app.post(&format!("{}/approve", path(&made.body))).key(&app.test_key).send().await.body
}

/// A marked script with an answer of its own to the last question.
async fn answered(app: &App, paper: &Value, student: &str, last: &str) -> Value {
    let text = format!("1. respiration\n2. light\n3. {last}");
    let script = app.upload("answer_script", "application/pdf", &pdf::of_text(&text)).await;
    let body =
        json!({"paper_id": paper["id"], "student": {"external_id": student}, "files": [{"file_id": script}]});
    let key = format!("{student}-{}", paper["id"].as_str().unwrap());
    let made = app.post("/v1/submissions").key(&app.test_key).once(&key).json(&body).send().await;
    assert_eq!(made.status, 201, "{}", made.text);
    made.body
}

testkit::on_both_engines! {
    async fn the_same_answers_follow_and_everything_else_stays(app: App) {
        let paper = ready(&app).await;
        assert_eq!(paper["grading"]["learning"], true);
        let scripts = marked(&app, &paper, &["s-0", "s-1", "s-2", "s-3", "s-4", "s-5"]).await;
        let mut before = Vec::new();
        for script in &scripts {
            before.push((result(&app, script).await, again(&app, script).await));
        }
        let own = before[1].0["questions"][2]["awarded"].clone();
        app.post(&format!("{}/release", path(&scripts[5]))).key(&app.test_key).send().await;
        let released = result(&app, &scripts[5]).await;
        app.clock.advance_seconds(1);
        let made = adjust(&app, &scripts[1], json!({"question": "3", "awarded": 2, "reviewer": "Ms Okafor"})).await;
        assert_eq!(made.status, 201, "{}", made.text);
        assert_eq!(result(&app, &scripts[3]).await, before[3].0, "a decision waits for no lesson");
        app.run_jobs().await;
        let follows = result(&app, &scripts[3]).await;
        let question = &follows["questions"][2];
        assert_eq!((&question["awarded"], &question["awarded_by_machine"]), (&json!(2), &own), "{follows:#}");
        assert_eq!((&question["adjusted"], &follows["adjusted"]), (&json!(false), &json!(false)));
        assert_eq!(follows["questions"][0], before[3].0["questions"][0]);
        let submission = again(&app, &scripts[3]).await;
        assert_eq!(submission["score"], follows["score"]);
        assert!(submission["updated_at"].as_str() > before[3].1["updated_at"].as_str());
        let events = app.get(&format!("/v1/events?object_id={}", submission["id"].as_str().unwrap())).key(&app.test_key);
        let events = events.send().await.body;
        assert_eq!(events["data"].as_array().unwrap().len(), 1, "what is learned is no event: {events:#}");
        assert_eq!(result(&app, &scripts[5]).await, released, "a released result is final");
        // On the desk it says why, and names nobody.
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let shown = desk.ask(Method::GET, &format!("/review/desk/scripts/{}", scripts[3]["id"].as_str().unwrap())).send().await;
        let because = shown.body["answers"][2]["because"].as_str().unwrap();
        assert_eq!(because, "The same as an answer that you gave 2 of 2.");
        assert!(!because.contains("s-1"));
        // Undo is exact, also for what followed.
        let version = shown_version(&desk, &scripts[1]).await;
        let step = json!({"question": 2, "part": "", "say": {"restore": null}, "seen": version});
        let undone = desk.ask(Method::POST, "/review/desk/decisions");
        let undone = undone.json(&json!({"submission_id": scripts[1]["id"], "steps": [step]})).send().await;
        assert_eq!(undone.status, 200, "{}", undone.text);
        app.run_jobs().await;
        for (script, (result_before, _)) in scripts.iter().zip(&before).take(5) {
            assert_eq!(&result(&app, script).await, result_before);
        }
    }

    async fn the_order_of_decisions_makes_no_difference(app: App) {
        let answers = [
            "green light bounces off", "they are healthy", "because green is reflected", "green light is reflected",
            "they contain sugar", "they are very healthy", "chlorophyll takes in red and blue", "green light bounces back",
        ];
        let decisions = [(0, 2), (1, 0), (4, 1), (6, 2)];
        let mut outcomes = Vec::new();
        for (name, turn) in [("one", 0), ("other", 2)] {
            let paper = named(&app, name, json!({"results_release": "after_review"})).await;
            let mut scripts = Vec::new();
            for (number, answer) in answers.iter().enumerate() {
                scripts.push(answered(&app, &paper, &format!("s-{number}"), answer).await);
            }
            app.run_jobs().await;
            let mut ordered = decisions;
            ordered.rotate_left(turn);
            for (place, (script, awarded)) in ordered.into_iter().enumerate() {
                let made = adjust(&app, &scripts[script], json!({"question": "3", "awarded": awarded})).await;
                assert_eq!(made.status, 201, "{}", made.text);
                if place % 2 == turn / 2 {
                    app.run_jobs().await;
                }
            }
            app.run_jobs().await;
            outcomes.push(marks(&app, &scripts).await);
        }
        assert_eq!(outcomes[0], outcomes[1]);
        assert!(outcomes[0].iter().all(|marks| (0.0..=2.0).contains(&marks[2])));
    }

    async fn it_can_be_switched_off_and_touches_no_other_paper(app: App) {
        let silent = named(&app, "off", json!({"results_release": "after_review", "grading": {"learning": false}})).await;
        let other = named(&app, "other", json!({"results_release": "after_review"})).await;
        let mut scripts = Vec::new();
        for paper in [&silent, &other] {
            for student in ["s-0", "s-1"] {
                scripts.push(answered(&app, paper, student, "because of the sun").await);
            }
        }
        app.run_jobs().await;
        let before = marks(&app, &scripts).await;
        adjust(&app, &scripts[0], json!({"question": "3", "awarded": 2})).await;
        app.run_jobs().await;
        let after = marks(&app, &scripts).await;
        assert_eq!(after[1..], before[1..]);
        adjust(&app, &scripts[2], json!({"question": "3", "awarded": 2})).await;
        app.run_jobs().await;
        let taught = marks(&app, &scripts).await;
        assert_eq!((&taught[..3][1], taught[3][2]), (&before[1], 2.0));
    }

    async fn only_papers_that_wait_for_a_person_learn(app: App) {
        let automatic = read_paper(&app, json!({})).await;
        assert_eq!(automatic["grading"]["learning"], false);
        for (learning, problem) in [(json!(true), true), (json!(false), false), (json!("yes"), true)] {
            let body = paper_body(&app, json!({"grading": {"learning": learning}})).await;
            let made = app.post("/v1/papers").key(&app.test_key).once(&format!("{learning}")).json(&body).send().await;
            if problem {
                assert_eq!(made.problem(), "400 parameter_invalid grading.learning");
            } else {
                assert_eq!((made.status, &made.body["grading"]["learning"]), (201, &json!(false)));
            }
        }
        app.run_jobs().await;
    }

    async fn a_script_that_comes_later_follows_and_a_deleted_one_teaches_no_more(app: App) {
        let paper = named(&app, "late", json!({"results_release": "after_review"})).await;
        let teacher = answered(&app, &paper, "s-0", "because of the sun").await;
        app.run_jobs().await;
        let own = marks(&app, std::slice::from_ref(&teacher)).await[0][2];
        adjust(&app, &teacher, json!({"question": "3", "awarded": 2})).await;
        app.run_jobs().await;
        let late = [answered(&app, &paper, "s-1", "because of the sun").await];
        app.run_jobs().await;
        assert_eq!(marks(&app, &late).await[0][2], 2.0);
        let gone = app.ask(Method::DELETE, &path(&teacher)).key(&app.test_key).send().await;
        assert_eq!(gone.status, 204);
        app.run_jobs().await;
        assert_eq!(marks(&app, &late).await[0][2], own);
        let gone = app.ask(Method::DELETE, &path(&paper)).key(&app.test_key).send().await;
        assert_eq!(gone.status, 204);
        app.run_jobs().await;
        assert_eq!(app.dump("desk_lessons", &paper, "part").await, "");
    }

    async fn whoever_agrees_agrees_with_the_mark_that_was_seen(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1", "s-2", "s-3"]).await;
        let own = marks(&app, &scripts).await[3][2];
        adjust(&app, &scripts[1], json!({"question": "3", "awarded": 2})).await;
        app.run_jobs().await;
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let agree = |shown: Value| {
            let step = json!({"question": 2, "part": "", "say": "agree", "seen": null, "shown": shown});
            desk.ask(Method::POST, "/review/desk/decisions").json(&json!({"submission_id": scripts[3]["id"], "steps": [step]}))
        };
        let refused = agree(json!(own)).send().await;
        assert_eq!((refused.status, &refused.body["error"]["decided"]["awarded"]), (409, &json!(2)), "{}", refused.text);
        let agreed = agree(json!(2)).send().await;
        assert_eq!((agreed.status, &agreed.body["answers"][0]["because"]), (200, &Value::Null), "{}", agreed.text);
    }

    async fn decisions_while_others_learn_lose_nothing(app: App) {
        let paper = ready(&app).await;
        let students: Vec<String> = (0..12).map(|number| format!("s-{number:02}")).collect();
        let names: Vec<&str> = students.iter().map(String::as_str).collect();
        let scripts = marked(&app, &paper, &names).await;
        let sibling = app.sibling().await;
        for (place, script) in scripts.iter().enumerate().take(6) {
            let body = json!({"question": "3", "awarded": place % 3});
            let (made, (), ()) = tokio::join!(adjust(&app, script, body), app.run_jobs(), sibling.run_jobs());
            assert_eq!(made.status, 201, "{}", made.text);
        }
        app.run_jobs().await;
        let marks = marks(&app, &scripts).await;
        for (place, marks) in marks.iter().enumerate().take(6) {
            assert_eq!(marks[2], (place % 3) as f64, "a person's mark is a person's mark");
        }
        for (script, marks) in scripts.iter().zip(&marks) {
            assert_eq!(again(&app, script).await["score"]["awarded"].as_f64(), Some(marks.iter().sum::<f64>()));
        }
        assert_eq!(app.dump("desk_lessons", &paper, "CASE WHEN learned < wanted THEN part ELSE '' END").await, "");
    }

    async fn some_answers_of_a_class_only_measure(app: App) {
        let paper = ready(&app).await;
        let students: Vec<String> = (0..22).map(|number| format!("s-{number:02}")).collect();
        let names: Vec<&str> = students.iter().map(String::as_str).collect();
        let scripts = marked(&app, &paper, &names).await;
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let mut measuring = None;
        for question in 0..3 {
            for page in 0..2 {
                let path = format!("/review/desk/answers?question={question}&part=&page={page}");
                let shown = desk.ask(Method::GET, &path).send().await.body;
                let answers = shown["answers"].as_array().unwrap().clone();
                measuring = measuring.or(answers.into_iter().find(|answer| answer["role"] == "measures"));
            }
        }
        let measuring = measuring.expect("one in eight of 66 answers");
        let place = measuring["question"].as_u64().unwrap() as usize;
        let awarded = if measuring["awarded"] == json!(0) { 1 } else { 0 };
        let before = marks(&app, &scripts).await;
        let number = (place + 1).to_string();
        let script = json!({"id": measuring["submission_id"]});
        let made = adjust(&app, &script, json!({"question": number, "awarded": awarded})).await;
        assert_eq!(made.status, 201, "{}", made.text);
        app.run_jobs().await;
        let after = marks(&app, &scripts).await;
        for ((script, before), after) in scripts.iter().zip(&before).zip(&after) {
            assert!(script["id"] == measuring["submission_id"] || before == after, "what measures teaches nothing");
        }
        let figures = app.get(&format!("{}/statistics", path(&paper))).key(&app.test_key).send().await.body;
        let agreement = &figures["questions"][place]["agreement"];
        assert_eq!((&agreement["random"], &agreement["checked"], &agreement["exact"]), (&json!(true), &json!(1), &json!(0.0)));
        assert_eq!(agreement["more_for_half"], 3);
    }
}

/// The version of a script's last answer.
async fn shown_version(desk: &Browser<'_>, script: &Value) -> Value {
    let shown = desk.ask(Method::GET, &format!("/review/desk/scripts/{}", script["id"].as_str().unwrap()));
    shown.send().await.body["answers"][2]["version"].clone()
}
