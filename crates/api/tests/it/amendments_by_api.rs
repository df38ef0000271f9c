//! Amending a scheme with a key: tried, listed script by script, applied or discarded, as on the desk.

use crate::adjustments::{adjust, marked};
use crate::amendments::{ready, result};
use crate::flow::paper_body;
use crate::papers::path;
use crate::review::Browser;
use domain::mode::Mode;
use domain::scope::Scope;
use http::Method;
use serde_json::{Value, json};
use service::keys::NewKey;
use testkit::{Answer, App};

async fn get(app: &App, paper: &Value, what: &str) -> Answer {
    app.get(&format!("{}/{what}", path(paper))).key(&app.test_key).send().await
}

async fn post(app: &App, paper: &Value, what: &str, body: &Value) -> Answer {
    app.post(&format!("{}/{what}", path(paper))).key(&app.test_key).json(body).send().await
}

/// One more wording that earns the first question's mark.
fn also(wording: &str) -> Value {
    json!({"question": "1", "points": [{"point": 0, "alternatives": [wording]}], "reviewer": "Ms Okafor"})
}

/// The students to whom this happens.
async fn students(app: &App, paper: &Value, outcome: &str) -> Vec<String> {
    let list = get(app, paper, &format!("amendment/scripts?limit=2{outcome}")).await;
    let (mut data, mut page) = (list.body["data"].as_array().unwrap().clone(), list.body);
    while let Some(cursor) = page["next_cursor"].as_str() {
        page = get(app, paper, &format!("amendment/scripts?limit=2{outcome}&cursor={cursor}")).await.body;
        data.extend(page["data"].as_array().unwrap().clone());
    }
    let mut names: Vec<String> =
        data.iter().map(|script| script["student_external_id"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

testkit::on_both_engines! {
    async fn a_change_is_tried_listed_and_applied_with_a_key(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1", "s-2", "s-3", "s-4", "s-5"]).await;
        app.post(&format!("{}/release", path(&scripts[5]))).key(&app.test_key).send().await;
        let released = result(&app, &scripts[5]).await;
        adjust(&app, &scripts[3], json!({"question": "1", "awarded": 0})).await;
        app.run_jobs().await;
        assert_eq!(get(&app, &paper, "amendment").await.problem(), "404 resource_missing -");
        let never = get(&app, &paper, "scheme").await.body;
        assert_eq!((&never["version"], &never["versions"], &never["outdated"]), (&json!(1), &json!([]), &json!(0)));

        let put = post(&app, &paper, "amendment", &also("respiration")).await;
        assert_eq!((put.status, &put.body["status"], &put.body["question"]), (201, &json!("previewing"), &json!("1")), "{}", put.text);
        assert_eq!((&put.body["scripts"], &put.body["untouched"], &put.body["tried"]), (&json!(5), &json!(1), &json!(0)));
        assert_eq!(students(&app, &paper, "&outcome=waiting").await.len(), 5);
        let own = json!({"amendment_id": put.body["id"]});
        assert_eq!(post(&app, &paper, "amendment/apply", &own).await.problem(), "400 parameter_invalid amendment_id");
        app.run_jobs().await;
        let tried = get(&app, &paper, "amendment").await.body;
        assert_eq!((&tried["status"], &tried["tried"], &tried["changed"]), (&json!("previewed"), &json!(5), &json!(1)), "{tried:#}");
        assert_eq!(students(&app, &paper, "").await.len(), 6);
        assert_eq!(students(&app, &paper, "&outcome=changed").await, ["s-1"]);
        assert_eq!(students(&app, &paper, "&outcome=unchanged").await, ["s-0", "s-2", "s-3", "s-4"], "a person's mark stays");
        assert_eq!(students(&app, &paper, "&outcome=untouched").await, ["s-5"]);
        let listed = get(&app, &paper, "amendment/scripts?outcome=changed").await.body["data"][0].clone();
        assert_eq!(listed["changes"], json!([{"part": null, "awarded_before": 0, "awarded": 1}]));

        app.clock.advance_seconds(1);
        let apply = async || app.post(&format!("{}/amendment/apply", path(&paper))).key(&app.test_key).once("apply").json(&own).send().await;
        let applied = apply().await;
        assert_eq!((applied.status, &applied.body["version"]), (200, &json!(2)), "{}", applied.text);
        assert_eq!((&applied.body["versions"][1]["reviewer"], &applied.body["outdated"]), (&json!("Ms Okafor"), &json!(5)));
        assert_eq!(apply().await.body, applied.body, "asked twice, done once");
        app.run_jobs().await;
        let after = result(&app, &scripts[1]).await;
        assert_eq!((&after["scheme_version"], &after["questions"][0]["awarded"]), (&json!(2), &json!(1)));
        assert_eq!(result(&app, &scripts[5]).await, released, "a released result is final");
        assert_eq!(get(&app, &paper, "scheme").await.body["outdated"], 0);
        let questions = get(&app, &paper, "questions").await.body;
        assert_eq!(questions["data"][0]["answer_key"]["points"][0]["alternatives"], json!(["respiration"]));
        assert_eq!(post(&app, &paper, "amendment/apply", &own).await.problem(), "400 parameter_invalid amendment_id");
    }

    async fn a_script_that_cannot_be_marked_again_keeps_nobody_waiting(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1", "s-2"]).await;
        let kept = format!("blobs/submissions/{}.answers.json", scripts[0]["id"].as_str().unwrap());
        std::fs::write(app.folder().join(kept), "{").unwrap();
        let put = post(&app, &paper, "amendment", &also("respiration")).await.body;
        app.run_jobs().await;
        let tried = get(&app, &paper, "amendment").await.body;
        assert_eq!((&tried["status"], &tried["tried"], &tried["changed"]), (&json!("previewing"), &json!(2), &json!(1)), "{tried:#}");
        for seconds in [10, 60] {
            app.clock.advance_seconds(seconds);
            app.run_jobs().await;
        }
        let tried = get(&app, &paper, "amendment").await.body;
        assert_eq!((&tried["status"], &tried["tried"], &tried["unmarked"]), (&json!("previewed"), &json!(3), &json!(1)), "{tried:#}");
        assert_eq!((&tried["changed"], students(&app, &paper, "&outcome=unmarked").await), (&json!(1), vec!["s-0".to_owned()]));
        assert_eq!(students(&app, &paper, "&outcome=changed").await, ["s-1"]);
        let before = result(&app, &scripts[0]).await;
        let applied = post(&app, &paper, "amendment/apply", &json!({"amendment_id": put["id"]})).await;
        assert_eq!(applied.status, 200, "{}", applied.text);
        app.run_jobs().await;
        for seconds in [10, 60] {
            app.clock.advance_seconds(seconds);
            app.run_jobs().await;
        }
        assert_eq!(result(&app, &scripts[1]).await["scheme_version"], 2);
        assert_eq!(result(&app, &scripts[0]).await, before, "it keeps its marks and says by which version");
        assert_eq!(get(&app, &paper, "scheme").await.body["outdated"], 1);
    }

    async fn the_desk_and_the_key_see_the_same_change(app: App) {
        let paper = ready(&app).await;
        marked(&app, &paper, &["s-0", "s-1"]).await;
        let put = post(&app, &paper, "amendment", &also("respiration")).await.body;
        let desk = Browser::on(&app, &paper, "Mr Lindqvist").await;
        let shown = desk.ask(Method::GET, "/review/desk/scheme").send().await.body["amendment"].clone();
        assert_eq!((&shown["id"], &shown["reviewer"]), (&put["id"], &json!("Ms Okafor")));
        let discard = async || app.ask(Method::DELETE, &format!("{}/amendment", path(&paper))).key(&app.test_key).send().await;
        assert_eq!(discard().await.status, 204);
        assert_eq!(discard().await.problem(), "404 resource_missing -");
        assert_eq!(desk.ask(Method::GET, "/review/desk/scheme").send().await.body["amendment"], Value::Null);
        app.run_jobs().await;
        assert_eq!(get(&app, &paper, "scheme").await.body["version"], 1);
    }

    async fn what_cannot_be_amended_is_named(app: App) {
        let paper = ready(&app).await;
        let point = |change: Value| json!({"question": "1", "points": [change]});
        for (body, problem) in [
            (json!({}), "400 parameter_missing question"),
            (json!({"question": "1"}), "400 parameter_missing points"),
            (json!({"question": "1", "points": []}), "400 parameter_invalid points"),
            (json!({"question": "99", "points": [{"point": 0, "accept": ["x"]}]}), "400 parameter_invalid question"),
            (point(json!({"accept": ["x"]})), "400 parameter_missing points[0].point"),
            (point(json!({"point": 0, "acept": ["x"]})), "400 parameter_unknown points[0].acept"),
            (point(json!({"point": 0, "accept": [""]})), "400 parameter_invalid points[0].accept[0]"),
            (point(json!({"point": 0, "text": "x".repeat(5000)})), "400 parameter_invalid points[0].text"),
            (point(json!({"point": 40, "accept": ["x"]})), "400 parameter_invalid points[0].point"),
            (point(json!({"point": 0, "part": "(z)", "accept": ["x"]})), "400 parameter_invalid points[0].part"),
            (point(json!({"point": 0, "marks": 0.3})), "400 parameter_invalid points[0].marks"),
            (point(json!({"point": 0})), "400 parameter_invalid points"),
        ] {
            assert_eq!(post(&app, &paper, "amendment", &body).await.problem(), problem, "{body}");
        }
        assert_eq!(post(&app, &paper, "amendment/apply", &json!({})).await.problem(), "400 parameter_missing amendment_id");
        assert_eq!(get(&app, &paper, "amendment/scripts").await.problem(), "404 resource_missing -");
        let body = paper_body(&app, json!({})).await;
        let unread = app.post("/v1/papers").key(&app.test_key).once("unread").json(&body).send().await.body;
        app.run_jobs().await;
        assert_eq!(post(&app, &unread, "amendment", &also("x")).await.problem(), "409 paper_not_ready -");
        assert_eq!(get(&app, &unread, "scheme").await.problem(), "409 paper_not_ready -");
        let stranger = json!({"id": "pap_00000000000000000000000000"});
        assert_eq!(post(&app, &stranger, "amendment", &also("x")).await.problem(), "404 resource_missing -");
    }

    async fn students_and_marks_want_the_scopes_of_submissions(app: App) {
        let paper = ready(&app).await;
        let issue = async |scopes: [Scope; 2]| {
            let scopes = Some(scopes.into_iter().collect());
            app.issue_key(Mode::Test, NewKey { scopes, ..NewKey::default() }).await
        };
        let papers = issue([Scope::PapersRead, Scope::PapersWrite]).await;
        let submissions = issue([Scope::SubmissionsRead, Scope::SubmissionsWrite]).await;
        let ask = async |method: Method, what: &str, key: &str| {
            let asked = app.ask(method, &format!("{}/{what}", path(&paper))).key(key);
            asked.json(&also("respiration")).send().await.status
        };
        assert_eq!(ask(Method::POST, "amendment", &papers).await, 403);
        assert_eq!(ask(Method::POST, "amendment", &submissions).await, 201);
        assert_eq!(ask(Method::GET, "amendment/scripts", &papers).await, 403);
        assert_eq!(ask(Method::GET, "amendment", &submissions).await, 200);
        assert_eq!(ask(Method::GET, "scheme", &papers).await, 200);
        app.run_jobs().await;
    }
}
