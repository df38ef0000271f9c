//! People who mark: adjustments, release of many, statistics, the table of marks.

use crate::flow::read_paper;
use crate::papers::{again, path};
use http::Method;
use serde_json::{Value, json};
use testkit::{Answer, App, pdf};

const GOOD: &str = "1. photosynthesis\n2. light and carbon dioxide\n3. they reflect green light";
const WEAK: &str = "1. respiration\n2. light\n3. because of the sun";

/// A ready paper whose results wait for a person.
pub(crate) async fn ready(app: &App) -> Value {
    let paper = read_paper(app, json!({"results_release": "after_review"})).await;
    app.post(&format!("{}/approve", path(&paper))).key(&app.test_key).send().await.body
}

/// Marked scripts of these students; every second one is weak.
pub(crate) async fn marked(app: &App, paper: &Value, students: &[&str]) -> Vec<Value> {
    let mut made = Vec::new();
    for (number, student) in students.iter().enumerate() {
        let text = if number % 2 == 0 { GOOD } else { WEAK };
        let script = app.upload("answer_script", "application/pdf", &pdf::of_text(text)).await;
        let body = json!({
            "paper_id": paper["id"], "student": {"external_id": student}, "files": [{"file_id": script}],
        });
        let created = app.post("/v1/submissions").key(&app.test_key).once(student).json(&body).send().await;
        assert_eq!(created.status, 201, "{}", created.text);
        made.push(created.body);
    }
    app.run_jobs().await;
    made
}

pub(crate) async fn adjust(app: &App, submission: &Value, body: Value) -> Answer {
    app.post(&format!("{}/adjustments", path(submission))).key(&app.test_key).json(&body).send().await
}

async fn get(app: &App, object: &Value, what: &str) -> Answer {
    app.get(&format!("{}/{what}", path(object))).key(&app.test_key).send().await
}

async fn release(app: &App, paper: &Value, which: &str) -> Answer {
    app.post(&format!("{}/release_results", path(paper)))
        .key(&app.test_key)
        .json(&json!({"which": which}))
        .send()
        .await
}

async fn events(app: &App, object: &Value) -> Vec<String> {
    let list =
        app.get(&format!("/v1/events?object_id={}", object["id"].as_str().unwrap())).key(&app.test_key);
    let list = list.send().await.body;
    list["data"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
}

testkit::on_both_engines! {
    async fn a_persons_mark_counts_and_the_machines_stays_beside_it(app: App) {
        let paper = ready(&app).await;
        let script = marked(&app, &paper, &["s-0", "s-1"]).await.remove(1);
        let before = get(&app, &script, "result").await.body;
        assert_eq!((&before["adjusted"], &before["questions"][2]["awarded_by_machine"]), (&json!(false), &Value::Null));
        app.clock.advance_seconds(1);
        let body = json!({"question": "3", "awarded": 2, "remark": "You meant the right thing.", "reviewer": "Ms Okafor"});
        let made = adjust(&app, &script, body).await;
        assert_eq!(made.status, 201, "{}", made.text);
        let gained = 2 - before["questions"][2]["awarded"].as_u64().unwrap();
        assert_eq!((&made.body["awarded"], &made.body["reviewer"]), (&json!(2), &json!("Ms Okafor")));
        let result = get(&app, &script, "result").await;
        let question = &result.body["questions"][2];
        assert_eq!((&question["awarded"], &question["adjusted"]), (&json!(2), &json!(true)));
        assert_eq!(question["awarded_by_machine"], before["questions"][2]["awarded"]);
        assert_eq!(question["remark"], "You meant the right thing.");
        assert!(question["feedback"].as_str().unwrap().starts_with("You meant the right thing.\n"), "{question}");
        assert_eq!(question["flags"], json!([]), "a person has looked");
        assert_eq!(result.body["questions"][0], before["questions"][0], "nothing else changed");
        assert_eq!(result.body["score"]["awarded"].as_u64(), Some(before["score"]["awarded"].as_u64().unwrap() + gained));
        assert!(!result.text.contains("Okafor"), "the reviewer is named to the partner alone");
        let submission = again(&app, &script).await;
        assert_eq!(submission["score"], result.body["score"]);
        assert!(submission["updated_at"].as_str() > script["updated_at"].as_str());
        assert_eq!(events(&app, &script).await, ["submission.adjusted", "submission.graded"]);
        app.post(&format!("{}/release", path(&script))).key(&app.test_key).send().await;
        let report = get(&app, &script, "report").await;
        assert_eq!(report.body["summary"]["score"], result.body["score"]);
        assert_eq!((&report.body["summary"]["adjusted"], &report.body["questions"][2]["adjusted"]), (&json!(true), &json!(true)));
        assert!(!report.text.contains("Okafor"));
        assert!(report.text.contains("You meant the right thing."));
        let late = adjust(&app, &script, json!({"question": "3", "awarded": 1})).await;
        assert_eq!(late.problem(), "409 submission_not_releasable -");
        assert_eq!(late.body["error"]["resource_id"], script["id"]);
    }

    async fn adjustments_are_listed_newest_first_and_agreeing_is_no_event(app: App) {
        let paper = ready(&app).await;
        let script = marked(&app, &paper, &["s-0"]).await.remove(0);
        let mark = get(&app, &script, "result").await.body["questions"][0]["awarded"].clone();
        for awarded in [mark.clone(), json!(0), mark.clone()] {
            app.clock.advance_seconds(1);
            assert_eq!(adjust(&app, &script, json!({"question": "1", "awarded": awarded})).await.status, 201);
        }
        let all = get(&app, &script, "adjustments").await.body;
        let marks: Vec<&Value> = all["data"].as_array().unwrap().iter().map(|one| &one["awarded"]).collect();
        assert_eq!(marks, [&mark, &json!(0), &mark]);
        assert_eq!(all["data"][0]["awarded_before"], 0);
        let first = get(&app, &script, "adjustments?limit=2").await.body;
        let next = format!("adjustments?limit=2&cursor={}", first["next_cursor"].as_str().unwrap());
        assert_eq!(get(&app, &script, &next).await.body["data"][0], all["data"][2]);
        let changes = events(&app, &script).await.iter().filter(|kind| *kind == "submission.adjusted").count();
        assert_eq!(changes, 2, "agreeing changes no mark");
    }

    async fn what_was_read_can_be_corrected(app: App) {
        let paper = ready(&app).await;
        let script = marked(&app, &paper, &["s-0", "s-1"]).await.remove(1);
        let made = adjust(&app, &script, json!({"question": "1", "answer": "photosynthesis"})).await;
        assert_eq!((made.status, &made.body["awarded"]), (201, &json!(1)), "{}", made.text);
        assert_eq!(made.body["answer"], "photosynthesis");
        let question = get(&app, &script, "result").await.body["questions"][0].clone();
        assert_eq!((&question["answer"], &question["awarded"]), (&json!("photosynthesis"), &json!(1)));
        assert_eq!(question["points"][0]["evidence"][0]["text"], "photosynthesis");
        assert_eq!((&question["awarded_by_machine"], &question["adjusted"]), (&json!(0), &json!(true)));
    }

    async fn wrong_adjustments_are_refused_by_name(app: App) {
        let paper = ready(&app).await;
        let script = marked(&app, &paper, &["s-0"]).await.remove(0);
        for (body, problem) in [
            (json!({"awarded": 1}), "400 parameter_missing question"),
            (json!({"question": "1"}), "400 parameter_missing awarded"),
            (json!({"question": "1", "awarded": 1, "answer": "x"}), "400 parameter_invalid answer"),
            (json!({"question": "9", "awarded": 1}), "400 parameter_invalid question"),
            (json!({"question": "1", "part": "(a)", "awarded": 1}), "400 parameter_invalid part"),
            (json!({"question": "1", "awarded": 2}), "400 parameter_invalid awarded"),
            (json!({"question": "1", "awarded": -1}), "400 parameter_invalid awarded"),
            (json!({"question": "1", "awarded": 0.5}), "400 parameter_invalid awarded"),
            (json!({"question": "1", "awarded": 0.3}), "400 parameter_invalid awarded"),
            (json!({"question": "1", "awarded": "1"}), "400 parameter_invalid awarded"),
            (json!({"question": "1", "awarded": 1, "remark": ""}), "400 parameter_invalid remark"),
            (json!({"question": "1", "awarded": 1, "remark": "\u{202e}"}), "400 parameter_invalid remark"),
            (json!({"question": "1", "awarded": 1, "mark": 1}), "400 parameter_unknown mark"),
        ] {
            let refused = adjust(&app, &script, body.clone()).await;
            assert_eq!(refused.problem(), problem, "{body}");
        }
        assert_eq!(get(&app, &script, "adjustments").await.body["data"], json!([]));
        let other = json!({"id": "sub_00000000000000000000000000"});
        assert_eq!(adjust(&app, &other, json!({"question": "1", "awarded": 1})).await.problem(), "404 resource_missing -");
        let live = app.post(&format!("{}/adjustments", path(&script))).json(&json!({"question": "1", "awarded": 1}));
        assert_eq!(live.send().await.problem(), "404 resource_missing -");
        let deleted = app.ask(Method::DELETE, &path(&script)).key(&app.test_key).send().await;
        assert_eq!(deleted.status, 204);
        assert_eq!(adjust(&app, &script, json!({"question": "1", "awarded": 1})).await.problem(), "404 resource_missing -");
        app.run_jobs().await;
    }

    async fn a_question_can_be_named_by_its_id_and_a_key_makes_a_repeat_harmless(app: App) {
        let paper = ready(&app).await;
        let script = marked(&app, &paper, &["s-0"]).await.remove(0);
        let questions = get(&app, &paper, "questions").await.body;
        let body = json!({"question": questions["data"][1]["id"], "awarded": 1});
        let ask = || app.post(&format!("{}/adjustments", path(&script))).key(&app.test_key).once("k").json(&body);
        let (first, second) = (ask().send().await, ask().send().await);
        assert_eq!((first.status, &first.body["question"]), (201, &json!("2")), "{}", first.text);
        assert_eq!((second.body, second.headers.contains_key("idempotent-replayed")), (first.body, true));
        assert_eq!(get(&app, &script, "adjustments").await.body["data"].as_array().unwrap().len(), 1);
    }

    async fn many_at_once_lose_nothing(app: App) {
        let paper = ready(&app).await;
        let script = marked(&app, &paper, &["s-0"]).await.remove(0);
        let bodies = [
            json!({"question": "1", "awarded": 0}), json!({"question": "2", "awarded": 0}),
            json!({"question": "3", "awarded": 2}), json!({"question": "2", "awarded": 1}),
        ];
        let sibling = app.sibling().await;
        let all = bodies.iter().enumerate().map(|(number, body)| {
            adjust(if number % 2 == 0 { &app } else { &sibling }, &script, body.clone())
        });
        let all = futures_util::future::join_all(all).await;
        assert!(all.iter().all(|answer| answer.status == 201), "{:?}", all.iter().map(Answer::problem).collect::<Vec<_>>());
        let result = get(&app, &script, "result").await.body;
        let marks: Vec<f64> = result["questions"].as_array().unwrap().iter().map(|one| one["awarded"].as_f64().unwrap()).collect();
        assert_eq!((marks[0], marks[2]), (0.0, 2.0));
        assert_eq!(result["score"]["awarded"].as_f64().unwrap(), marks.iter().sum::<f64>());
        assert_eq!(again(&app, &script).await["score"], result["score"]);
        assert_eq!(get(&app, &script, "adjustments").await.body["data"].as_array().unwrap().len(), 4);
    }

    async fn a_decision_and_a_release_at_once_come_one_after_the_other(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1", "s-2", "s-3"]).await;
        let sibling = app.sibling().await;
        for script in &scripts {
            let (decided, released) = tokio::join!(
                adjust(&app, script, json!({"question": "3", "awarded": 0})),
                release(&sibling, &paper, "all"),
            );
            assert_eq!(released.status, 200, "{}", released.text);
            let (result, submission) = (get(&app, script, "result").await.body, again(&app, script).await);
            assert_eq!(submission["status"], "released");
            assert_eq!(submission["score"], result["score"]);
            assert_eq!(result["adjusted"], json!(decided.status == 201), "{}", decided.text);
            let told = events(&app, script).await;
            let was_told = told.iter().any(|kind| kind == "submission.adjusted");
            assert!(!was_told || decided.status == 201, "nothing changes after the release: {told:?}");
        }
        let counts = again(&app, &paper).await["submission_counts"].clone();
        assert_eq!((&counts["graded"], &counts["released"]), (&json!(0), &json!(4)));
    }

    async fn results_are_released_as_asked_for(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1", "s-2"]).await;
        assert_eq!(release(&app, &paper, "some").await.problem(), "400 parameter_invalid which");
        let none = release(&app, &paper, "checked").await;
        assert_eq!(none.body, json!({"object": "release", "paper_id": paper["id"], "released": 0}));
        for question in ["1", "2", "3"] {
            adjust(&app, &scripts[1], json!({"question": question, "awarded": 1})).await;
        }
        assert_eq!(release(&app, &paper, "checked").await.body["released"], 1);
        assert_eq!(again(&app, &scripts[1]).await["status"], "released");
        let mut flagged = 0;
        for script in [&scripts[0], &scripts[2]] {
            let result = get(&app, script, "result").await.body;
            let doubtful = result["questions"].as_array().unwrap().iter().any(|one| {
                one["flags"].as_array().unwrap().iter().any(|flag| flag != "not_attempted")
            });
            flagged += u64::from(doubtful);
        }
        assert_eq!(release(&app, &paper, "unflagged").await.body["released"], json!(2 - flagged));
        let ask = || app.post(&format!("{}/release_results", path(&paper))).key(&app.test_key).once("all").json(&json!({"which": "all"}));
        let (first, second) = (ask().send().await, ask().send().await);
        assert_eq!(first.body["released"], json!(flagged));
        assert_eq!(second.body, first.body, "a repeat with the same key tells the same");
        assert_eq!(release(&app, &paper, "all").await.body["released"], 0);
    }

    async fn a_class_is_shown_in_figures(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1", "s-2", "s-3"]).await;
        adjust(&app, &scripts[1], json!({"question": "1", "awarded": 1})).await;
        adjust(&app, &scripts[0], json!({"question": "1", "awarded": 1})).await;
        app.post(&format!("{}/release", path(&scripts[0]))).key(&app.test_key).send().await;
        let figures = get(&app, &paper, "statistics").await;
        assert_eq!((figures.status, &figures.body["scripts"]), (200, &json!(4)), "{}", figures.text);
        let first = &figures.body["questions"][0];
        assert_eq!((&first["number"], &first["mean"], &first["available"]), (&json!("1"), &json!(0.75), &json!(1)));
        assert_eq!((&first["agreement"]["checked"], &first["agreement"]["exact"]), (&json!(2), &json!(0.5)));
        assert_eq!(figures.body["questions"][1]["agreement"], Value::Null);
        let bars = figures.body["histogram"].as_array().unwrap();
        assert_eq!(bars.iter().map(|bar| bar["scripts"].as_u64().unwrap()).sum::<u64>(), 4);
        let empty = get(&app, &json!({"id": "pap_00000000000000000000000000"}), "statistics").await;
        assert_eq!(empty.problem(), "404 resource_missing -");
    }

    async fn marks_come_as_a_table_that_no_spreadsheet_runs(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["=HYPERLINK(1)", "s-1"]).await;
        let name = json!({"student": {"name": "O\"Neil, Ann"}});
        app.ask(Method::PATCH, &path(&scripts[1])).key(&app.test_key).json(&name).send().await;
        let list = |query: &str| {
            app.get(&format!("/v1/submissions{query}")).key(&app.test_key).header("accept", "text/csv")
        };
        let table = list(&format!("?paper_id={}", paper["id"].as_str().unwrap())).send().await;
        assert_eq!(table.header("content-type"), Some("text/csv; charset=utf-8"));
        let lines: Vec<&str> = table.text.split("\r\n").collect();
        assert_eq!(lines[0], "submission_id,student_external_id,student_name,status,awarded,available,percentage,\
                              graded_at,released_at,question 1,question 2,question 3");
        assert_eq!(lines.len(), 4, "{}", table.text);
        assert!(table.text.contains(",s-1,\"O\"\"Neil, Ann\",graded,"), "{}", table.text);
        assert!(table.text.contains(",\"'=HYPERLINK(1)\",,graded,"), "{}", table.text);
        assert_eq!(list("").send().await.problem(), "400 parameter_missing paper_id");
        let other = list("?paper_id=pap_x").send().await;
        assert_eq!(other.text.lines().count(), 1);
    }

    async fn a_deleted_script_leaves_nothing_of_its_decisions(app: App) {
        let paper = ready(&app).await;
        let script = marked(&app, &paper, &["s-0"]).await.remove(0);
        adjust(&app, &script, json!({"question": "1", "answer": "xylophonic", "remark": "zirconium"})).await;
        app.ask(Method::DELETE, &path(&script)).key(&app.test_key).send().await;
        for table in ["desk_scripts", "desk_answers", "adjustments"] {
            assert_eq!(app.dump(table, &paper, "submission_id").await, "", "{table}");
        }
        app.run_jobs().await;
    }

    async fn another_papers_scripts_stay_as_they_are(app: App) {
        let paper = ready(&app).await;
        let mut scripts = marked(&app, &paper, &["s-0", "s-1"]).await;
        let (one, other) = (scripts.remove(0), scripts.remove(0));
        let before = get(&app, &other, "result").await.body;
        adjust(&app, &one, json!({"question": "1", "awarded": 0})).await;
        assert_eq!(get(&app, &other, "result").await.body, before);
    }
}
