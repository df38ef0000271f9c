//! The marking desk's own calls: the class, a part, a script, decisions, conflicts, groups, releases.

use crate::adjustments::{adjust, marked, ready};
use crate::papers::again;
use crate::review::Browser;
use http::Method;
use serde_json::{Value, json};
use std::time::Duration;
use testkit::{Answer, App};

async fn look(browser: &Browser<'_>, path: &str) -> Answer {
    browser.ask(Method::GET, &format!("/review/desk/{path}")).send().await
}

async fn send(browser: &Browser<'_>, path: &str, body: &Value) -> Answer {
    browser.ask(Method::POST, &format!("/review/desk/{path}")).json(body).send().await
}

/// Says something about the first question of a script.
async fn say(browser: &Browser<'_>, script: &Value, said: Value, seen: &Value) -> Answer {
    let step = json!({"question": 0, "part": "", "say": said, "seen": seen});
    send(browser, "decisions", &json!({"submission_id": script["id"], "steps": [step]})).await
}

async fn result(app: &App, script: &Value) -> Value {
    app.get(&format!("/v1/submissions/{}/result", script["id"].as_str().unwrap()))
        .key(&app.test_key)
        .send()
        .await
        .body
}

testkit::on_both_engines! {
    async fn a_link_on_a_ready_paper_opens_its_desk(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1", "s-2"]).await;
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let opening = look(&desk, "opening").await;
        assert_eq!((opening.status, &opening.body["reviewer"]), (200, &json!("Ms Okafor")), "{}", opening.text);
        assert_eq!((&opening.body["totals"]["scripts"], &opening.body["totals"]["parts"]), (&json!(3), &json!(9)));
        let class = look(&desk, "class?sort=score&descending=true").await.body;
        assert_eq!((&class["size"], &class["rows"][2]["student"]), (&json!(3), &json!("s-1")), "{class:#}");
        assert_eq!(class["rows"][0]["cells"].as_array().unwrap().len(), 3);
        assert_eq!(look(&desk, "class?search=S-1").await.body["rows"][0]["student"], "s-1");
        assert_eq!(look(&desk, "class?search=%25").await.body["size"], 0, "a sign is a sign");
        assert_eq!(look(&desk, "class?filter=checked").await.body["size"], 0);
        assert_eq!(look(&desk, "class?filter=best").await.problem(), "400 parameter_invalid filter");
        let part = look(&desk, "answers?question=0&part=&grouped=true").await.body;
        assert_eq!((&part["all"], &part["checked"]), (&json!(3), &json!(0)));
        assert_eq!(part["groups"][0]["members"].as_array().unwrap().len(), 2, "{part:#}");
        let script = look(&desk, &format!("scripts/{}", scripts[0]["id"].as_str().unwrap())).await.body;
        assert_eq!((&script["is_open"], &script["pages"]), (&json!(true), &json!([1])));
        assert_eq!(script["answers"][0]["points"][0]["evidence"][0]["text"], "photosynthesis");
        let picture = look(&desk, &format!("scripts/{}/pages/0/1", scripts[0]["id"].as_str().unwrap())).await;
        assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/jpeg")));
        let statistics = look(&desk, "statistics").await.body;
        assert_eq!(statistics["scripts"], 3);
        assert!(look(&desk, "marks.csv").await.text.starts_with("submission_id,"));
    }

    async fn decisions_are_taken_back_exactly(app: App) {
        let paper = ready(&app).await;
        let script = marked(&app, &paper, &["s-0"]).await.remove(0);
        let before = result(&app, &script).await;
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let decided = say(&desk, &script, json!({"mark": 0}), &Value::Null).await;
        assert_eq!((decided.status, &decided.body["answers"][0]["awarded"]), (200, &json!(0)), "{}", decided.text);
        let first = decided.body["answers"][0]["version"].clone();
        let pointed = say(&desk, &script, json!({"points": [1]}), &first).await.body;
        assert_eq!((&pointed["answers"][0]["awarded"], &pointed["answers"][0]["checked"]), (&json!(1), &json!(true)));
        let second = pointed["answers"][0]["version"].clone();
        let back = say(&desk, &script, json!({"restore": first}), &second).await.body;
        assert_eq!(back["answers"][0]["awarded"], 0);
        let all = say(&desk, &script, json!({"restore": null}), &back["answers"][0]["version"]).await.body;
        assert_eq!(all["answers"][0]["checked"], false);
        assert_eq!(result(&app, &script).await, before, "undo is exact");
        let stranger = json!({"restore": "adj_00000000000000000000000000"});
        assert_eq!(say(&desk, &script, stranger, &all["answers"][0]["version"]).await.status, 400);
    }

    async fn the_slower_of_two_teachers_is_told_and_nothing_is_lost(app: App) {
        let paper = ready(&app).await;
        let script = marked(&app, &paper, &["s-0"]).await.remove(0);
        let (one, other) = (Browser::on(&app, &paper, "Ms Okafor").await, Browser::on(&app, &paper, "Mr Lindqvist").await);
        let (none, wrong) = (Value::Null, json!({"mark": 0}));
        let both = tokio::join!(say(&one, &script, wrong.clone(), &none), say(&other, &script, json!("agree"), &none));
        let mut statuses = [both.0.status, both.1.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{} {}", both.0.text, both.1.text);
        let lost = if both.0.status == 409 { &both.0 } else { &both.1 };
        assert_eq!(lost.body["error"]["code"], "decided");
        assert!(lost.body["error"]["decided"]["reviewer"].is_string());
        let version = lost.body["error"]["decided"]["version"].clone();
        assert_eq!(say(&other, &script, wrong, &version).await.status, 200);
        let listed = app.get(&format!("/v1/submissions/{}/adjustments", script["id"].as_str().unwrap())).key(&app.test_key);
        assert_eq!(listed.send().await.body["data"].as_array().unwrap().len(), 2);
    }

    async fn a_group_is_marked_as_a_whole_or_not_at_all(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1", "s-2", "s-3"]).await;
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let group = look(&desk, "answers?question=0&part=&grouped=true").await.body["groups"][0].clone();
        let members: Vec<Value> = group["members"].as_array().unwrap().iter()
            .map(|member| json!({"submission_id": member["submission_id"], "seen": member["seen"]})).collect();
        assert_eq!(members.len(), 2);
        let body = json!({"question": 0, "part": "", "say": {"mark": 0}, "remark": "Together.", "scripts": members});
        let meanwhile = json!({"id": members[1]["submission_id"]});
        adjust(&app, &meanwhile, json!({"question": "1", "awarded": 1})).await;
        let refused = send(&desk, "groups", &body).await;
        assert_eq!((refused.status, &refused.body["error"]["code"]), (409, &json!("decided")));
        assert_eq!(result(&app, &json!({"id": members[0]["submission_id"]})).await["adjusted"], false, "nothing was done");
        let mut rest = body.clone();
        rest["scripts"] = json!([members[0]]);
        assert_eq!(send(&desk, "groups", &rest).await.body["count"], 1);
        let first = result(&app, &json!({"id": members[0]["submission_id"]})).await;
        assert_eq!((&first["questions"][0]["awarded"], &first["questions"][0]["remark"]), (&json!(0), &json!("Together.")));
        let untouched = scripts.iter().filter(|script| members.iter().all(|member| member["submission_id"] != script["id"]));
        for script in untouched {
            assert_eq!(result(&app, script).await["adjusted"], false);
        }
    }

    async fn a_reviewer_sees_and_changes_only_that_paper(app: App) {
        let paper = ready(&app).await;
        let own = marked(&app, &paper, &["s-0"]).await.remove(0);
        let body = crate::flow::paper_body(&app, json!({"results_release": "after_review"})).await;
        let other = app.post("/v1/papers").key(&app.test_key).once("other").json(&body).send().await.body;
        app.run_jobs().await;
        let desk = Browser::on(&app, &other, "Mr Lindqvist").await;
        assert_eq!(look(&desk, "opening").await.problem(), "409 paper_not_ready -");
        app.post(&format!("/v1/papers/{}/approve", other["id"].as_str().unwrap())).key(&app.test_key).send().await;
        assert_eq!(look(&desk, "opening").await.status, 200);
        let id = own["id"].as_str().unwrap();
        assert_eq!(look(&desk, &format!("scripts/{id}")).await.problem(), "404 resource_missing -");
        assert_eq!(look(&desk, &format!("scripts/{id}/pages/0/1")).await.problem(), "404 resource_missing -");
        assert_eq!(say(&desk, &own, json!({"mark": 0}), &Value::Null).await.problem(), "404 resource_missing -");
        let group = json!({"question": 0, "part": "", "say": "agree", "scripts": [{"submission_id": id, "seen": null}]});
        assert_eq!(send(&desk, "groups", &group).await.problem(), "404 resource_missing -");
        assert_eq!(send(&desk, "releases", &json!({"submission_id": id})).await.problem(), "404 resource_missing -");
        assert_eq!(send(&desk, "releases", &json!({"which": "all"})).await.body["count"], 0);
        assert_eq!(again(&app, &own).await["status"], "graded");
        let bare = app.ask(Method::GET, &format!("/review/desk/scripts/{id}")).no_key().send().await;
        assert_eq!((bare.status, &bare.body["error"]["code"]), (401, &json!("review_closed")));
    }

    async fn what_is_released_or_deleted_meanwhile_is_refused(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1"]).await;
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let steps: Vec<Value> = (0..3).map(|question| json!({"question": question, "part": "", "say": "agree", "seen": null})).collect();
        let all = send(&desk, "decisions", &json!({"submission_id": scripts[0]["id"], "steps": steps})).await;
        assert_eq!(all.status, 200, "{}", all.text);
        assert_eq!(send(&desk, "releases", &json!({"which": "checked"})).await.body["count"], 1);
        assert_eq!(say(&desk, &scripts[0], json!("agree"), &Value::Null).await.problem(), "409 submission_not_releasable -");
        app.ask(Method::DELETE, &crate::papers::path(&scripts[1])).key(&app.test_key).send().await;
        assert_eq!(say(&desk, &scripts[1], json!("agree"), &Value::Null).await.problem(), "404 resource_missing -");
        for (body, status) in [(json!({"which": "some"}), 400), (json!({}), 400), (json!({"which": "all", "more": 1}), 400)] {
            assert_eq!(send(&desk, "releases", &body).await.status, status, "{body}");
        }
        app.run_jobs().await;
    }

    async fn a_group_decision_that_is_cut_off_is_whole_or_not_there(app: App) {
        let paper = ready(&app).await;
        let scripts = marked(&app, &paper, &["s-0", "s-1", "s-2", "s-3", "s-4", "s-5", "s-6", "s-7", "s-8"]).await;
        let members: Vec<Value> =
            scripts[..8].iter().map(|script| json!({"submission_id": script["id"], "seen": null})).collect();
        let body = json!({"question": 0, "part": "", "say": {"mark": 1}, "scripts": members});
        for milliseconds in [0, 1, 3, 9, 27] {
            let desk = Browser::on(&app, &paper, "Ms Okafor").await;
            // Whoever asked is gone, and so is the process as far as this request goes.
            drop(tokio::time::timeout(Duration::from_millis(milliseconds), send(&desk, "groups", &body)).await);
            // What had begun is over before the next write is.
            adjust(&app, &scripts[8], json!({"question": "1", "awarded": 1})).await;
            let mut decided = 0;
            for script in &scripts[..8] {
                let list = app.get(&format!("/v1/submissions/{}/adjustments", script["id"].as_str().unwrap()));
                let list = list.key(&app.test_key).send().await.body;
                decided += list["data"].as_array().unwrap().len();
            }
            assert!(decided == 0 || decided == 8, "{decided} of 8 after {milliseconds} ms");
        }
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let again = send(&desk, "groups", &body).await;
        assert!(matches!(again.status, 200 | 409), "{}", again.text);
    }
}
