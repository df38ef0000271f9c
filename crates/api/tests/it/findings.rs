//! What the review page says does not add up, where keys stand in the scheme, and boxes on a page.

use crate::flow::read_paper;
use crate::review::Browser;
use serde_json::{Value, json};

fn said(body: &Value) -> Vec<String> {
    body["findings"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect()
}

testkit::on_both_engines! {
    async fn a_paper_that_adds_up_has_no_findings_and_an_edit_tells_new_ones(app: App) {
        let paper = read_paper(&app, json!({})).await;
        let browser = Browser::on(&app, &paper, "R").await;
        let state = browser.paper().await.body;
        assert_eq!(said(&state), [""; 0], "{state:#}");
        let second = &state["questions"][1];
        let save = |version: i64, change: Value| {
            let mut question = second["question"].clone();
            question.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let step = json!({"save": {"id": second["id"], "version": version, "question": question}});
            json!({"action": "edit", "steps": [step]})
        };
        let edited = browser.edit(save(1, json!({"number": "1", "marks": 3}))).await.body;
        assert_eq!(said(&edited), [
            "has questions that add up to 6 marks, but says 5",
            "has the same number as another question",
            "has a key that gives only 2 marks, but is worth 3",
            "comes where 2 should be",
        ]);
        assert_eq!(edited["findings"][0]["question"], Value::Null);
        assert_eq!(edited["findings"][1]["question"], second["id"]);
        app.clock.advance_seconds(1);
        let back = browser.edit(save(2, json!({}))).await.body;
        assert_eq!(said(&back), [""; 0], "the printed total is kept: {back:#}");
    }

    async fn keys_know_where_they_stand_in_the_scheme(app: App) {
        let paper = read_paper(&app, json!({})).await;
        let state = Browser::on(&app, &paper, "R").await.paper().await.body;
        for question in state["questions"].as_array().unwrap() {
            let region = &question["question"]["answer_key"]["regions"][0];
            assert_eq!(region["page"], 1, "{question:#}");
        }
        let top = |index: usize| state["questions"][index]["question"]["answer_key"]["regions"][0]["y"].as_f64().unwrap();
        assert!(top(0) < top(1) && top(1) < top(2));
    }

    async fn a_box_on_a_page_says_what_is_in_it(app: App) {
        let paper = read_paper(&app, json!({})).await;
        let browser = Browser::on(&app, &paper, "R").await;
        let region = &browser.paper().await.body["questions"][0]["question"]["regions"][0].clone();
        let answer = browser.boxed(region).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert!(answer.body["text"].as_str().unwrap().contains("Name the process"), "{}", answer.text);
        let nowhere = browser.boxed(&json!({"page": 9, "x": 0, "y": 0, "width": 1, "height": 1})).await;
        assert_eq!((nowhere.status, &nowhere.body["text"]), (200, &json!("")));
        for wrong in [json!({}), json!({"page": 1, "x": 0, "y": 0, "width": 7, "height": 1}), json!([1])] {
            let refused = browser.boxed(&wrong).await;
            assert_eq!((refused.status, &refused.body["error"]["param"]), (400, &json!("region")), "{wrong}");
        }
    }

    async fn many_questions_go_in_one_edit(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        let browser = Browser::on(&app, &paper, "R").await;
        let first = browser.paper().await.body["questions"][0].clone();
        let insert = |index: usize| {
            let mut question = first["question"].clone();
            question["number"] = json!(format!("{}", 100 + index));
            json!({"insert": {"after": first["id"], "question": question}})
        };
        let steps: Vec<Value> = (0..60).map(insert).collect();
        let added = browser.edit(json!({"action": "add", "steps": steps})).await.body;
        let ids = added["added"].as_array().unwrap();
        assert_eq!(ids.len(), 60);
        app.clock.advance_seconds(1);
        let steps: Vec<Value> = ids.iter().map(|id| json!({"delete": {"id": id, "version": 1}})).collect();
        let left = browser.edit(json!({"action": "delete", "steps": steps})).await.body;
        assert_eq!(left["order"].as_array().unwrap().len(), 2);
        let too_many: Vec<Value> = (0..101).map(insert).collect();
        assert_eq!(browser.edit(json!({"action": "add", "steps": too_many})).await.status, 400);
    }
}
