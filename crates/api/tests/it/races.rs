//! Two at one moment: what was acknowledged is there, and the loser is told what a later request would be told.

use crate::flow::{paper_body, read_paper};
use crate::papers::{again, path, with_outcome};
use crate::submissions::{approve, ready_paper, submit};
use http::Method;
use serde_json::{Value, json};
use testkit::{Answer, App, Sink, pdf};

/// How often a race is run that depends on the moment.
const ROUNDS: usize = 12;

async fn patch(app: &App, object: &Value, change: Value) -> Answer {
    app.ask(Method::PATCH, &path(object)).key(&app.test_key).json(&change).send().await
}

async fn release(app: &App, submission: &Value) -> Answer {
    app.post(&format!("{}/release", path(submission))).key(&app.test_key).send().await
}

async fn delete(app: &App, object: &Value) -> Answer {
    app.ask(Method::DELETE, &path(object)).key(&app.test_key).send().await
}

fn problems(answers: [&Answer; 2]) -> [String; 2] {
    let mut problems = answers.map(Answer::problem);
    problems.sort();
    problems
}

/// A paper whose scripts wait for a release.
async fn reviewed_paper(app: &App) -> Value {
    let body = paper_body(app, json!({"test_outcome": "succeed", "results_release": "after_review"})).await;
    let paper = app.post("/v1/papers").key(&app.test_key).once("reviewed").json(&body).send().await.body;
    app.run_jobs().await;
    approve(app, &paper).await
}

testkit::on_both_engines! {
    async fn patches_at_once_are_all_there(app: App) {
        let other = app.sibling().await;
        let paper = with_outcome(&app, "succeed").await;
        app.run_jobs().await;
        for round in 0..ROUNDS {
            app.clock.advance_seconds(60);
            let title = format!("Title {round}");
            let notes = json!({"round": round.to_string()});
            let reference = format!("reference-{round}");
            let all = tokio::join!(
                patch(&app, &paper, json!({"title": title})),
                patch(&other, &paper, json!({"metadata": notes})),
                patch(&app, &paper, json!({"external_id": reference})),
            );
            assert_eq!([all.0.status, all.1.status, all.2.status], [200; 3]);
            let now = again(&app, &paper).await;
            assert_eq!((&now["title"], &now["metadata"], &now["external_id"]), (&json!(title), &notes, &json!(reference)));
        }
    }

    async fn an_external_id_is_held_by_the_paper_that_shows_it(app: App) {
        let other = app.sibling().await;
        let papers = [with_outcome(&app, "succeed").await, with_outcome(&app, "empty_question").await];
        app.run_jobs().await;
        for round in 0..ROUNDS {
            app.clock.advance_seconds(60);
            let names = ["a", "b"].map(|name| json!({"external_id": format!("{name}-{round}")}));
            let all = tokio::join!(
                patch(&app, &papers[0], names[0].clone()),
                patch(&other, &papers[0], names[1].clone()),
                patch(&app, &papers[1], names[0].clone()),
                patch(&other, &papers[1], names[1].clone()),
            );
            for answer in [&all.0, &all.1, &all.2, &all.3] {
                assert!(answer.status == 200 || answer.problem() == "409 external_id_taken external_id", "{}", answer.text);
            }
            let shown = [again(&app, &papers[0]).await, again(&app, &papers[1]).await].map(|paper| paper["external_id"].clone());
            assert_ne!(shown[0], shown[1], "two papers with one reference");
            for name in &names {
                let holder = app.get(&format!("/v1/papers?external_id={}", name["external_id"].as_str().unwrap()));
                let holders = holder.key(&app.test_key).send().await.ids().len();
                assert_eq!(holders, shown.iter().filter(|shown| **shown == name["external_id"]).count());
            }
            // What no paper shows is free.
            for paper in &papers {
                assert_eq!(patch(&app, paper, json!({"external_id": null})).await.status, 200);
            }
            for name in &names {
                assert_eq!(patch(&app, &papers[0], name.clone()).await.status, 200, "{name}");
            }
        }
    }

    async fn reading_a_paper_leaves_what_was_patched_meanwhile(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        sink.say("content-type", "application/pdf", &String::from_utf8(pdf::of_text("1 Name a planet.|[1]")).unwrap());
        let held = sink.hold();
        let mut body = paper_body(&app, json!({"external_id": "before"})).await;
        body["question_paper"] = json!({"url": sink.url("/paper.pdf")});
        let paper = app.post("/v1/papers").key(&app.test_key).once("slow").json(&body).send().await;
        assert_eq!(paper.status, 201, "{}", paper.text);
        let patching = async {
            sink.reached().await;
            let change = json!({"title": "After", "external_id": null, "metadata": {"a": "b"}});
            assert_eq!(patch(&app, &paper.body, change).await.status, 200);
            drop(held);
        };
        tokio::join!(app.run_jobs(), patching);
        let read = again(&app, &paper.body).await;
        assert_eq!(read["status"], "awaiting_review", "{read:#}");
        assert_eq!((&read["title"], &read["external_id"], &read["metadata"]), (&json!("After"), &Value::Null, &json!({"a": "b"})));
        assert_eq!(read["billing"], json!({"status": "charged", "pages": 2, "credits": 2}));
    }

    async fn marking_a_script_leaves_what_was_patched_meanwhile(app: App) {
        let app = app.reaching_here().await;
        let sink = Sink::start().await;
        sink.say("content-type", "application/pdf", &String::from_utf8(pdf::of_text("1. photosynthesis")).unwrap());
        let held = sink.hold();
        let paper = approve(&app, &read_paper(&app, json!({})).await).await;
        let more = json!({"student": {"external_id": "s-1", "name": "Ada Lovelace"}, "files": [{"url": sink.url("/script.pdf")}]});
        let submission = submit(&app, &paper, "s-1", more).await;
        let patching = async {
            sink.reached().await;
            let change = json!({"student": {"name": null}, "metadata": {"a": "b"}});
            assert_eq!(patch(&app, &submission, change).await.status, 200);
            drop(held);
        };
        tokio::join!(app.run_jobs(), patching);
        let marked = again(&app, &submission).await;
        assert_eq!(marked["status"], "released", "{marked:#}");
        assert_eq!((&marked["student"]["name"], &marked["metadata"]), (&Value::Null, &json!({"a": "b"})));
        assert_eq!(marked["billing"], json!({"status": "charged", "pages": 1, "credits": 1}));
    }

    async fn of_two_releases_one_is_refused(app: App) {
        let other = app.sibling().await;
        let paper = reviewed_paper(&app).await;
        for round in 0..ROUNDS {
            app.clock.advance_seconds(60);
            let submission = submit(&app, &paper, &format!("s-{round}"), json!({"test_outcome": "succeed"})).await;
            app.run_jobs().await;
            let (one, two) = tokio::join!(release(&app, &submission), release(&other, &submission));
            assert_eq!(problems([&one, &two]), ["200 - -", "409 submission_not_releasable -"]);
        }
    }

    async fn of_two_deletions_one_finds_nothing(app: App) {
        let other = app.sibling().await;
        let paper = ready_paper(&app).await;
        for round in 0..ROUNDS {
            app.clock.advance_seconds(60);
            let submission = submit(&app, &paper, &format!("s-{round}"), json!({"test_outcome": "succeed"})).await;
            app.run_jobs().await;
            let (one, two) = tokio::join!(delete(&app, &submission), delete(&other, &submission));
            assert_eq!(problems([&one, &two]), ["204 - -", "404 resource_missing -"]);
        }
        let (one, two) = tokio::join!(delete(&app, &paper), delete(&other, &paper));
        assert_eq!(problems([&one, &two]), ["204 - -", "404 resource_missing -"]);
    }

    async fn a_patch_beside_the_worker_is_no_failure(app: App) {
        let other = app.sibling().await;
        let paper = ready_paper(&app).await;
        for round in 0..ROUNDS {
            app.clock.advance_seconds(60);
            let submission = submit(&app, &paper, &format!("s-{round}"), json!({"test_outcome": "succeed"})).await;
            let notes = json!({"round": round.to_string()});
            let (_, patched) = tokio::join!(app.run_jobs(), patch(&other, &submission, json!({"metadata": notes})));
            assert_eq!(patched.status, 200, "{}", patched.text);
            let now = again(&app, &submission).await;
            assert_eq!((&now["status"], &now["metadata"]), (&json!("released"), &notes));
        }
    }
}
