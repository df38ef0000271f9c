//! The review page's own calls: session, looking, editing, conflicts, approval, pictures, the record.

use crate::flow::read_paper;
use http::Method;
use serde_json::{Value, json};
use testkit::{Answer, App, Ask};

/// A browser that opened a review link.
pub(crate) struct Browser<'a> {
    app: &'a App,
    cookie: String,
    paper: String,
}

impl<'a> Browser<'a> {
    /// What trading the link's token for a cookie answers.
    pub(crate) async fn try_open(app: &App, url: &str) -> Answer {
        let token = url.split_once('#').unwrap().1;
        let ask = app.post("/review/session").no_key().header("x-tickmark-review", "open");
        ask.header("origin", "https://tickmark.test").json(&json!({"token": token})).send().await
    }

    pub(crate) async fn open(app: &'a App, url: &str) -> Browser<'a> {
        let answer = Browser::try_open(app, url).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let cookie = answer.header("set-cookie").unwrap();
        assert!(cookie.starts_with("__Host-tickmark_review="), "{cookie}");
        for part in ["Path=/", "HttpOnly", "SameSite=Strict", "Secure", "Max-Age="] {
            assert!(cookie.contains(part), "{cookie} has no {part}");
        }
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Browser { app, cookie, paper: answer.body["paper_id"].as_str().unwrap().to_owned() }
    }

    /// A new link of a paper, opened.
    pub(crate) async fn on(app: &'a App, paper: &Value, reviewer: &str) -> Browser<'a> {
        let path = format!("/v1/papers/{}/review_links", paper["id"].as_str().unwrap());
        let made = app.post(&path).key(&app.test_key).json(&json!({"reviewer": reviewer})).send().await;
        Browser::open(app, made.body["url"].as_str().unwrap()).await
    }

    pub(crate) fn ask(&self, method: Method, path: &str) -> Ask<'a> {
        let ask = self.app.ask(method, path).no_key().header("cookie", &self.cookie);
        ask.header("x-tickmark-review", &self.paper).header("sec-fetch-site", "same-origin")
    }

    pub(crate) async fn paper(&self) -> Answer {
        self.ask(Method::GET, "/review/paper").send().await
    }

    pub(crate) async fn edit(&self, body: Value) -> Answer {
        self.ask(Method::POST, "/review/edits").json(&body).send().await
    }

    pub(crate) async fn boxed(&self, region: &Value) -> Answer {
        self.ask(Method::POST, "/review/box").json(region).send().await
    }

    async fn save(&self, question: &Value, change: impl FnOnce(&mut Value)) -> Answer {
        let mut changed = question["question"].clone();
        change(&mut changed);
        let step =
            json!({"save": {"id": question["id"], "version": question["version"], "question": changed}});
        self.edit(json!({"action": "edit", "steps": [step]})).await
    }

    async fn approve(&self) -> Answer {
        self.ask(Method::POST, "/review/approve").send().await
    }

    async fn numbers(&self) -> Vec<String> {
        let state = self.paper().await.body;
        let questions = state["questions"].as_array().unwrap();
        questions.iter().map(|item| item["question"]["number"].as_str().unwrap().to_owned()).collect()
    }
}

/// The lines of a paper's record: who, what, which question.
pub(crate) async fn record(app: &App, paper: &Value) -> Vec<(Option<String>, String, Option<String>)> {
    use domain::id::Identifier as _;
    let id = domain::id::PaperId::parse(paper["id"].as_str().unwrap()).unwrap();
    let changes = app.service.review_changes(id, None, 100).await.unwrap();
    let line =
        |change: domain::review::Change| (change.reviewer, change.action.name().to_owned(), change.number);
    changes.into_iter().map(line).collect()
}

testkit::on_both_engines! {
    async fn the_page_is_public_and_shut_tight(app: App) {
        for path in ["/review", "/review/assets/app.js", "/review/assets/style.css"] {
            let answer = app.get(path).no_key().send().await;
            assert_eq!(answer.status, 200, "{path}");
            let policy = answer.header("content-security-policy").unwrap();
            for part in ["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "frame-ancestors 'none'"] {
                assert!(policy.contains(part), "{policy}");
            }
            assert!(!policy.contains("unsafe"), "{policy}");
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
            assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
            assert_eq!(answer.header("cache-control"), Some("no-store"));
        }
        assert_eq!(app.get("/review/assets/secrets.js").no_key().send().await.status, 404);
        assert_eq!(app.get("/review").no_key().plain().send().await.problem(), "403 https_required -");
        for path in ["/review/paper", "/review/pages/pap_x/question_paper/1"] {
            let answer = app.get(path).no_key().send().await;
            assert_eq!((answer.status, &answer.body["error"]["code"]), (401, &json!("review_closed")), "{path}");
            assert_eq!(answer.header("cache-control"), Some("no-store"));
        }
    }

    async fn a_call_must_come_from_the_page_itself(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        let browser = Browser::on(&app, &paper, "R").await;
        let body = json!({"action": "edit", "steps": []});
        let ask = || app.post("/review/edits").no_key().header("cookie", &browser.cookie).json(&body);
        assert_eq!(ask().send().await.body["error"]["code"], "foreign_request", "without the header");
        let from = |origin: &str| ask().header("x-tickmark-review", &browser.paper).header("origin", origin);
        for origin in ["https://evil.example", "null", "https://tickmark.test.evil.example", "tickmark.test"] {
            assert_eq!(from(origin).send().await.status, 403, "{origin}");
        }
        let site = ask().header("x-tickmark-review", &browser.paper).header("sec-fetch-site", "cross-site");
        assert_eq!(site.send().await.status, 403);
        assert_eq!(from("https://tickmark.test").send().await.body["error"]["param"], "steps");
        assert_eq!(from("https://own.example").header("host", "own.example").send().await.status, 400);
        let other = ask().header("x-tickmark-review", "pap_00000000000000000000000000").send().await;
        assert_eq!((other.status, &other.body["error"]["code"]), (409, &json!("other_paper")));
        let token = json!({"token": "x"});
        let login = app.post("/review/session").no_key().json(&token).send().await;
        assert_eq!(login.status, 403, "a session is not opened from elsewhere either");
        assert_eq!(Browser::try_open(&app, "#nobody").await.body["error"]["code"], "review_closed");
    }

    async fn leaving_ends_the_session_and_the_link_still_works(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        let path = format!("/v1/papers/{}/review_links", paper["id"].as_str().unwrap());
        let made = app.post(&path).key(&app.test_key).json(&json!({"reviewer": "R"})).send().await;
        let url = made.body["url"].as_str().unwrap();
        let (one, other) = (Browser::open(&app, url).await, Browser::open(&app, url).await);
        let left = one.ask(Method::DELETE, "/review/session").send().await;
        assert_eq!(left.status, 204);
        assert!(left.header("set-cookie").unwrap().contains("Max-Age=0"));
        assert_eq!(one.paper().await.status, 401);
        assert_eq!(other.paper().await.status, 200);
        assert_eq!(Browser::open(&app, url).await.paper().await.status, 200);
        app.clock.advance_seconds(72 * 3600);
        assert_eq!(other.paper().await.body["error"]["code"], "review_link_expired");
    }

    async fn the_page_gets_the_paper_and_is_told_when_nothing_changed(app: App) {
        let paper = read_paper(&app, json!({})).await;
        let browser = Browser::on(&app, &paper, "Ms Okafor").await;
        let state = browser.paper().await;
        assert_eq!(state.body["reviewer"], "Ms Okafor");
        assert_eq!(state.body["paper"]["question_paper_pages"], 1);
        assert_eq!(state.body["questions"][0]["question"]["answer_key"]["points"][0]["text"], "photosynthesis");
        assert!(state.body["questions"][0]["question"]["regions"][0]["width"].as_f64().unwrap() > 0.5);
        let tag = state.header("etag").unwrap().to_owned();
        let again = browser.ask(Method::GET, "/review/paper").header("if-none-match", &tag).send().await;
        assert_eq!((again.status, again.text.as_str()), (304, ""));
        app.clock.advance_seconds(1);
        browser.save(&state.body["questions"][0], |question| question["marks"] = json!(2.5)).await;
        assert_eq!(browser.ask(Method::GET, "/review/paper").header("if-none-match", &tag).send().await.status, 200);
    }

    async fn an_edit_changes_the_question_the_totals_and_the_record(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "empty_question"})).await;
        assert_eq!(paper["warnings"], json!(["answer_keys_missing"]));
        let browser = Browser::on(&app, &paper, "Ms Okafor").await;
        let state = browser.paper().await.body;
        app.clock.advance_seconds(5);
        let key = json!({"points": [{
            "text": "speeds it up", "marks": 1.5, "kind": "point", "alternatives": ["makes it faster"], "accept": [],
            "reject": ["is used up"]
        }], "notes": null, "levels": []});
        let saved = browser.save(&state["questions"][1], |question| {
            question["answer_key"] = key;
            question["marks"] = json!(1.5);
        }).await;
        assert_eq!(saved.status, 200, "{}", saved.text);
        assert_eq!(saved.body["paper"]["total_marks"], 2.5);
        assert_eq!(saved.body["paper"]["warnings"], json!([]), "every key is there now");
        assert_eq!(saved.body["order"][1], json!({"id": state["questions"][1]["id"], "version": 2}));
        let seen = app.get(&format!("/v1/papers/{}", paper["id"].as_str().unwrap())).key(&app.test_key).send().await.body;
        assert_eq!((&seen["total_marks"], &seen["question_count"]), (&json!(2.5), &json!(2)));
        assert_eq!(seen["updated_at"], "2026-11-15T03:05:12Z");
        assert_eq!(record(&app, &paper).await, [(Some("Ms Okafor".into()), "edit".into(), Some("2".into()))]);
        let stored = app.dump("review_changes", &paper, "before || '>' || after").await;
        assert!(stored.starts_with(r#"{"answer_key":null,"marks":2}>{"answer_key":{"#), "{stored}");

        let fresh = browser.paper().await.body;
        let same = browser.save(&fresh["questions"][1], |_| ()).await;
        assert_eq!(same.body["order"][1]["version"], 2, "nothing changed, nothing is recorded");
        assert_eq!(record(&app, &paper).await.len(), 1);
    }

    async fn two_reviewers_notice_each_other(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        let (one, other) = (Browser::on(&app, &paper, "One").await, Browser::on(&app, &paper, "Other").await);
        let state = one.paper().await.body;
        let first = &state["questions"][0];
        assert_eq!(one.save(first, |question| question["text"] = json!("By One.")).await.status, 200);
        let late = other.save(first, |question| question["text"] = json!("By Other.")).await;
        assert_eq!((late.status, &late.body["error"]["code"]), (409, &json!("changed")));
        let current = &late.body["error"]["changed"][0];
        assert_eq!((&current["id"], &current["now"]["version"]), (&first["id"], &json!(2)));
        assert_eq!(current["now"]["question"]["text"], "By One.");
        assert_eq!(other.save(&state["questions"][1], |question| question["marks"] = json!(3)).await.status, 200, "another question is free");
        let taken = json!({"id": first["id"], "version": current["now"]["version"], "question": current["now"]["question"]});
        assert_eq!(other.save(&taken, |question| question["text"] = json!("By Other.")).await.status, 200);

        let delete = |version: i64| json!({"action": "delete", "steps": [{"delete": {"id": first["id"], "version": version}}]});
        assert_eq!(one.edit(delete(2)).await.status, 409, "a changed question is not deleted unseen");
        assert_eq!(one.edit(delete(3)).await.status, 200);
        let gone = other.save(&json!({"id": first["id"], "version": 3, "question": first["question"]}), |question| question["text"] = json!("?")).await;
        assert_eq!((gone.status, &gone.body["error"]["changed"][0]["now"]), (409, &Value::Null));
        assert_eq!(one.numbers().await, ["2"]);
    }

    async fn questions_are_added_split_merged_moved_and_deleted(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        let browser = Browser::on(&app, &paper, "R").await;
        let state = browser.paper().await.body;
        let (first, second) = (&state["questions"][0], &state["questions"][1]);
        let mut new = first["question"].clone();
        new["number"] = json!("1b");
        let split = json!({"action": "split", "steps": [
            {"save": {"id": first["id"], "version": 1, "question": first["question"]}},
            {"insert": {"after": first["id"], "question": new}},
        ]});
        let answer = browser.edit(split).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!((&answer.body["paper"]["question_count"], &answer.body["paper"]["total_marks"]), (&json!(3), &json!(4)));
        let added = answer.body["added"][0].clone();
        assert_eq!(browser.numbers().await, ["1", "1b", "2"]);
        app.clock.advance_seconds(1);
        let to_front = json!({"action": "move", "steps": [{"move": {"id": second["id"], "after": null}}]});
        assert_eq!(browser.edit(to_front).await.status, 200);
        assert_eq!(browser.numbers().await, ["2", "1", "1b"]);
        app.clock.advance_seconds(1);
        let merge = json!({"action": "merge", "steps": [{"delete": {"id": added, "version": 1}}]});
        assert_eq!(browser.edit(merge).await.body["paper"]["total_marks"], 3);
        app.clock.advance_seconds(1);
        // Forty insertions at one place use the gap up; the questions are then spread anew.
        for number in 0..40 {
            new["number"] = json!(format!("n{number}"));
            let insert = json!({"action": "add", "steps": [{"insert": {"after": second["id"], "question": new}}]});
            assert_eq!(browser.edit(insert).await.status, 200);
        }
        let numbers = browser.numbers().await;
        assert_eq!((numbers.len(), numbers[1].as_str(), numbers[40].as_str(), numbers[41].as_str()), (42, "n39", "n0", "1"));
        let actions: Vec<String> = record(&app, &paper).await.into_iter().map(|line| line.1).take(3).collect();
        assert_eq!(actions, ["split", "move", "merge"]);
    }

    async fn every_edit_is_held_against_the_bounds(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        let browser = Browser::on(&app, &paper, "R").await;
        let state = browser.paper().await.body;
        let first = &state["questions"][0];
        let wrong: [(&str, Value); 6] = [
            ("number", json!("")), ("number", json!("x".repeat(61))), ("text", json!("x".repeat(20_001))),
            ("marks", json!(0.3)), ("marks", json!(-1)), ("kind", json!("riddle")),
        ];
        for (member, value) in wrong {
            let answer = browser.save(first, |question| question[member] = value.clone()).await;
            assert_eq!((answer.status, &answer.body["error"]["param"]), (400, &json!(format!("steps[0].{member}"))), "{value} {}", answer.text);
        }
        let answer = browser.save(first, |question| question["answer_key"]["points"][0]["text"] = json!("")).await;
        assert_eq!(answer.body["error"]["param"], "steps[0].answer_key.points[0].text");
        let delete = |question: &Value| json!({"delete": {"id": question["id"], "version": 1}});
        let all = json!({"action": "delete", "steps": [delete(first), delete(&state["questions"][1])]});
        assert_eq!(browser.edit(all).await.body["error"]["param"], "questions", "a paper keeps one question");
        for body in [json!({"action": "approve", "steps": [delete(first)]}), json!({"action": "edit", "steps": []}), json!([]), json!({"action": "edit"})] {
            assert_eq!(browser.edit(body).await.status, 400);
        }
        let twice = json!({"action": "delete", "steps": [delete(first), delete(first)]});
        assert_eq!(browser.edit(twice).await.status, 409);
        assert_eq!(browser.numbers().await, ["1", "2"], "nothing of it happened");
        assert!(record(&app, &paper).await.is_empty());
    }

    async fn approval_on_the_page_is_the_same_as_by_api(app: App) {
        let paper = read_paper(&app, json!({"test_outcome": "empty_question"})).await;
        let browser = Browser::on(&app, &paper, "Ms Okafor").await;
        let refused = browser.approve().await;
        assert_eq!(refused.problem(), "409 paper_has_empty_question -");
        assert!(refused.body["error"]["message"].as_str().unwrap().contains("Question 2"));
        let state = browser.paper().await.body;
        let delete = json!({"action": "delete", "steps": [{"delete": {"id": state["questions"][1]["id"], "version": 1}}]});
        browser.edit(delete).await;
        app.clock.advance_seconds(1);
        assert_eq!(browser.approve().await.body["status"], "ready");
        let events = app.get("/v1/events?type=paper.ready").key(&app.test_key).send().await;
        assert_eq!(events.ids().len(), 1);
        assert_eq!(record(&app, &paper).await.last().unwrap(), &(Some("Ms Okafor".into()), "approve".into(), None));
        let late = browser.save(&state["questions"][0], |question| question["text"] = json!("late")).await;
        assert_eq!(late.problem(), "409 paper_not_awaiting_review -");
        assert_eq!(browser.approve().await.problem(), "409 paper_not_awaiting_review -");
        assert_eq!(browser.paper().await.body["paper"]["status"], "ready", "what was approved can still be looked at");
    }

    async fn pages_are_drawn_once_and_deleted_with_the_paper(app: App) {
        let paper = read_paper(&app, json!({})).await;
        let browser = Browser::on(&app, &paper, "R").await;
        let id = paper["id"].as_str().unwrap();
        let picture = |document: &str, page: &str| browser.ask(Method::GET, &format!("/review/pages/{id}/{document}/{page}")).send();
        let (one, other) = tokio::join!(picture("question_paper", "1"), picture("question_paper", "1"));
        for answer in [&one, &other] {
            assert_eq!((answer.status, answer.header("content-type")), (200, Some("image/jpeg")));
            assert_eq!(answer.bytes[..3], [0xff, 0xd8, 0xff]);
            assert_eq!(answer.header("cache-control"), Some("no-store"));
        }
        let file = app.folder().join(format!("blobs/papers/{id}/pages/question_paper-1.jpg"));
        let kept = std::fs::metadata(&file).unwrap().modified().unwrap();
        assert_eq!(picture("question_paper", "1").await.bytes, one.bytes);
        assert_eq!(std::fs::metadata(&file).unwrap().modified().unwrap(), kept, "it is not drawn again");
        assert_eq!(picture("marking_scheme", "1").await.status, 200);
        for (document, page) in [("question_paper", "2"), ("question_paper", "0"), ("question_paper", "x"), ("answers", "1")] {
            assert_eq!(picture(document, page).await.status, 404, "{document} {page}");
        }
        let elsewhere = "/review/pages/pap_00000000000000000000000000/question_paper/1";
        assert_eq!(browser.ask(Method::GET, elsewhere).send().await.status, 409);

        let deleted = app.ask(Method::DELETE, &format!("/v1/papers/{id}")).key(&app.test_key).send().await;
        assert_eq!(deleted.status, 204);
        app.run_jobs().await;
        assert!(!app.folder().join(format!("blobs/papers/{id}")).exists());
        assert_eq!(browser.paper().await.status, 401);
        for table in ["review_links", "review_sessions", "review_changes"] {
            assert_eq!(app.dump(table, &paper, "paper_id").await, "", "{table}");
        }
    }

    async fn a_page_that_cannot_be_drawn_is_missing(app: App) {
        let question_paper = app.upload("question_paper", "application/pdf", b"no PDF at all").await;
        let marking_scheme = app.upload("marking_scheme", "application/pdf", b"nor this").await;
        let body = json!({
            "title": "T", "subject_id": app.subject().await, "test_outcome": "succeed",
            "question_paper": {"file_id": question_paper}, "marking_scheme": {"file_id": marking_scheme},
        });
        let paper = app.post("/v1/papers").key(&app.test_key).once("p").json(&body).send().await.body;
        app.run_jobs().await;
        let browser = Browser::on(&app, &paper, "R").await;
        let path = format!("/review/pages/{}/question_paper/1", paper["id"].as_str().unwrap());
        assert_eq!(browser.ask(Method::GET, &path).send().await.problem(), "404 resource_missing -");
    }
}

#[tokio::test]
async fn edits_and_approval_at_the_same_moment_come_one_after_the_other() {
    for engine in [testkit::Engine::Sqlite, testkit::Engine::Postgres] {
        let app = App::start(engine).await;
        let paper = read_paper(&app, json!({"test_outcome": "succeed"})).await;
        let browser = Browser::on(&app, &paper, "R").await;
        let state = browser.paper().await.body;
        let marks = |index: usize, marks: i64| {
            browser.save(&state["questions"][index], move |question| question["marks"] = json!(marks))
        };
        let (one, other) = tokio::join!(marks(0, 10), marks(1, 20));
        assert_eq!((one.status, other.status), (200, 200));
        assert_eq!(
            browser.paper().await.body["paper"]["total_marks"],
            30,
            "neither sum misses the other's change"
        );

        let fresh = browser.paper().await.body;
        let emptied = browser.save(&fresh["questions"][0], |question| question["answer_key"] = Value::Null);
        let (emptied, approved) = tokio::join!(emptied, browser.approve());
        let is_one = (emptied.status, approved.status) == (409, 200)
            || (emptied.status, approved.status) == (200, 409);
        assert!(is_one, "{} {}", emptied.text, approved.text);
    }
}
