//! Class scans: one stack of pages for a class, parted, corrected, confirmed, deleted.

use crate::flow::read_paper;
use crate::papers::path;
use crate::review::Browser;
use domain::cover::Cover;
use domain::id::{Identifier as _, PaperId};
use domain::text::ShortLine;
use http::Method;
use serde_json::{Value, json};
use testkit::pdf::Sheet::{self, Blank, Code, Text};
use testkit::{Answer, App, pdf};

const ONE: &str = "1. photosynthesis";
const TWO: &str = "2. light and carbon dioxide\n3. they reflect green light";
const DAY: i64 = 24 * 3600;

/// A paper that takes scripts.
pub(crate) async fn ready_paper(app: &App) -> Value {
    let paper = read_paper(app, json!({})).await;
    let approved = app.post(&format!("{}/approve", path(&paper))).key(&app.test_key).send().await;
    assert_eq!(approved.status, 200, "{}", approved.text);
    approved.body
}

/// What the code on a student's cover sheet says.
pub(crate) fn token(paper: &Value, student: &str) -> String {
    let paper_id = PaperId::parse(paper["id"].as_str().unwrap()).unwrap();
    Cover { paper_id, external_id: ShortLine::parse(student.to_owned()).unwrap() }.token()
}

pub(crate) async fn upload(app: &App, sheets: &[Sheet<'_>]) -> String {
    app.upload("answer_script", "application/pdf", &pdf::of_sheets(sheets)).await
}

async fn scan(app: &App, paper: &Value, key: &str, body: &Value) -> Answer {
    let class_scans = format!("{}/class_scans", path(paper));
    app.post(&class_scans).key(&app.test_key).once(key).json(body).send().await
}

/// A scan whose pages were looked at.
pub(crate) async fn looked_at(app: &App, paper: &Value, file: &str, more: Value) -> Value {
    let mut body = json!({"files": [{"file_id": file}], "split": {"by": "covers"}});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = scan(app, paper, file, &body).await;
    assert_eq!((made.status, &made.body["status"]), (201, &json!("processing")), "{}", made.text);
    app.run_jobs().await;
    show(app, &made.body).await
}

pub(crate) async fn show(app: &App, scan: &Value) -> Value {
    let shown = app.get(&scan_path(scan)).key(&app.test_key).send().await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    shown.body
}

fn scan_path(scan: &Value) -> String {
    format!("/v1/class_scans/{}", scan["id"].as_str().unwrap())
}

pub(crate) async fn confirm(app: &App, scan: &Value, body: &Value) -> Answer {
    app.post(&format!("{}/confirm", scan_path(scan))).key(&app.test_key).json(body).send().await
}

async fn delete(app: &App, path: &str) -> Answer {
    app.ask(Method::DELETE, path).key(&app.test_key).send().await
}

/// Students, pages and warnings, script by script.
fn told(scan: &Value) -> Vec<String> {
    let script = |script: &Value| {
        let warnings: Vec<&str> =
            script["warnings"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        let student = script["student"]["external_id"].as_str().unwrap_or("-");
        format!("{student} {} {}", script["pages"], warnings.join("+")).trim_end().to_owned()
    };
    scan["scripts"].as_array().unwrap().iter().map(script).collect()
}

/// The paper's submissions by student, with their pages.
async fn submitted(app: &App, paper: &Value) -> Vec<(String, Value)> {
    let list = format!("/v1/submissions?paper_id={}&limit=100", paper["id"].as_str().unwrap());
    let list = app.get(&list).key(&app.test_key).send().await.body;
    let own = |one: &Value| (one["student"]["external_id"].as_str().unwrap().to_owned(), one.clone());
    let mut all: Vec<_> = list["data"].as_array().unwrap().iter().map(own).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

testkit::on_both_engines! {
    async fn a_stack_with_covers_becomes_one_submission_for_each_student(app: App) {
        let paper = ready_paper(&app).await;
        let (ada, ben) = (token(&paper, "s-1"), token(&paper, "s-2"));
        let stack = [Code(&ada), Text(ONE), Text(TWO), Code(&ben), Text(ONE), Blank];
        let file = upload(&app, &stack).await;
        let students = json!([{"external_id": "s-1", "name": "Ada"}, {"external_id": "s-2"}, {"external_id": "s-3"}]);
        let scan = looked_at(&app, &paper, &file, json!({"students": students})).await;
        assert_eq!(scan["status"], "awaiting_confirmation", "{scan:#}");
        assert_eq!(told(&scan), ["s-1 [2,3]", "s-2 [5,6] blank_pages"]);
        assert_eq!(scan["scripts"][0]["student"]["name"], "Ada");
        assert_eq!(scan["absent"], json!([{"external_id": "s-3", "name": null}]));
        assert_eq!([&scan["pages"][3]["is_cover"], &scan["pages"][5]["is_blank"]], [true, true]);
        assert!(submitted(&app, &paper).await.is_empty(), "nothing is submitted before it is confirmed");

        let confirmed = confirm(&app, &scan, &json!({})).await;
        assert_eq!((confirmed.status, &confirmed.body["status"]), (200, &json!("confirming")), "{}", confirmed.text);
        assert_eq!(confirm(&app, &scan, &json!({})).await.status, 200, "asking again is as good");
        app.run_jobs().await;
        let done = show(&app, &scan).await;
        assert_eq!((&done["status"], &done["expires_at"]), (&json!("confirmed"), &Value::Null), "{done:#}");
        assert!(done["scripts"].as_array().unwrap().iter().all(|script| script["student"].is_null()));
        let made = submitted(&app, &paper).await;
        assert_eq!(made.len(), 2);
        for ((student, submission), (name, pages)) in made.iter().zip([("s-1", 2), ("s-2", 2)]) {
            assert_eq!((student.as_str(), &submission["files"][0]["pages"]), (name, &json!(pages)));
            assert_eq!(submission["status"], "released", "{submission:#}");
            assert_eq!(submission["billing"], json!({"status": "charged", "pages": pages, "credits": pages}));
        }
        assert_eq!(made[0].1["score"]["awarded"], 4, "{:#}", made[0].1);
        assert_eq!(made[1].1["score"]["awarded"], 1);
        assert_eq!(confirm(&app, &scan, &json!({})).await.body["status"], "confirmed");
        assert_eq!(submitted(&app, &paper).await.len(), 2);
        let script = app.get(&format!("/v1/files/{file}")).key(&app.test_key).send().await;
        assert_eq!(script.status, 404, "the stack is not kept");
    }

    async fn photographs_are_handed_over_as_they_are(app: App) {
        let paper = ready_paper(&app).await;
        let reader = reader::isolate::Isolation::in_process(Default::default(), Default::default());
        let drawing = reader::isolate::Drawing { page: 1, width: 1240, corners: None, lossless: false };
        let mut files = Vec::new();
        for sheet in [Code(&token(&paper, "s-1")), Text(ONE), Code(&token(&paper, "s-2")), Text(TWO)] {
            let photograph = reader.draw(&pdf::of_sheets(&[sheet]), &drawing).unwrap();
            files.push(json!({"file_id": app.upload("answer_script", "image/jpeg", &photograph).await}));
        }
        let made = scan(&app, &paper, "photographs", &json!({"files": files, "split": {"by": "covers"}})).await;
        app.run_jobs().await;
        let looked = show(&app, &made.body).await;
        assert_eq!(told(&looked), ["s-1 [2]", "s-2 [4]"]);
        assert_eq!(confirm(&app, &looked, &json!({})).await.status, 200);
        app.run_jobs().await;
        let made = submitted(&app, &paper).await;
        assert_eq!([&made[0].1["files"][0]["file_id"], &made[1].1["files"][0]["file_id"]], [&files[1]["file_id"], &files[3]["file_id"]]);
        for (place, status) in [(0, 404), (1, 200)] {
            let file = format!("/v1/files/{}", files[place]["file_id"].as_str().unwrap());
            assert_eq!(app.get(&file).key(&app.test_key).send().await.status, status, "covers are not kept");
        }
    }

    async fn a_split_by_pages_is_corrected_and_what_stands_in_the_way_is_said(app: App) {
        let paper = ready_paper(&app).await;
        let file = upload(&app, &[Text(ONE), Text(TWO), Text(ONE), Text(TWO)]).await;
        let scan = looked_at(&app, &paper, &file, json!({"split": {"by": "pages", "pages_per_script": 2}})).await;
        assert_eq!(told(&scan), ["- [1,2]", "- [3,4]"]);
        let of = |scripts: &[(&str, &[u32])]| {
            let script = |(id, pages): &(&str, &[u32])| json!({"pages": pages, "student": {"external_id": id}});
            json!({"scripts": scripts.iter().map(script).collect::<Vec<_>>()})
        };
        for (body, problem) in [
            (json!({}), "400 parameter_invalid scripts[0].student"),
            (of(&[]), "400 parameter_invalid scripts"),
            (of(&[("a", &[5])]), "400 parameter_invalid scripts[0].pages"),
            (of(&[("a", &[1, 1])]), "400 parameter_invalid scripts[0].pages"),
            (of(&[("a", &[1]), ("a", &[2])]), "400 parameter_invalid scripts[1].student.external_id"),
            (json!({"scripts": [{"pages": [1]}]}), "400 parameter_missing scripts[0].student"),
            (json!({"split": 1}), "400 parameter_unknown split"),
        ] {
            assert_eq!(confirm(&app, &scan, &body).await.problem(), problem, "{body}");
        }
        // One of them has a script already.
        let own = upload(&app, &[Text(ONE)]).await;
        let body = json!({"paper_id": paper["id"], "student": {"external_id": "b"}, "files": [{"file_id": own}]});
        let before = app.post("/v1/submissions").key(&app.test_key).once("own").json(&body).send().await;
        assert_eq!(before.status, 201, "{}", before.text);
        assert_eq!(confirm(&app, &scan, &of(&[("a", &[1, 2]), ("b", &[4])])).await.status, 200);
        app.run_jobs().await;
        let partly = show(&app, &scan).await;
        assert_eq!((&partly["status"], &partly["scripts"][1]["obstacle"]), (&json!("awaiting_confirmation"), &json!("submission_exists")));
        let first = partly["scripts"][0]["submission_id"].clone();
        assert!(first.is_string(), "{partly:#}");
        assert_eq!(confirm(&app, &scan, &of(&[("c", &[4, 3])])).await.status, 200);
        app.run_jobs().await;
        let done = show(&app, &scan).await;
        assert_eq!(done["status"], "confirmed", "{done:#}");
        assert!(done["scripts"].as_array().unwrap().iter().any(|script| script["submission_id"] == first));
        let students: Vec<String> = submitted(&app, &paper).await.into_iter().map(|(student, _)| student).collect();
        assert_eq!(students, ["a", "b", "c"]);
        assert_eq!(confirm(&app, &scan, &of(&[("d", &[3])])).await.problem(), "409 class_scan_not_confirmable -");
    }

    async fn names_are_found_on_the_roster(app: App) {
        let paper = ready_paper(&app).await;
        let (ada, ben) = (format!("Name: Ada Lovelace\n{ONE}"), format!("benjamin franklin\n{TWO}"));
        let file = upload(&app, &[Text(&ada), Text(TWO), Text(&ben)]).await;
        let students = json!([{"external_id": "1", "name": "Franklin, Benjamin"}, {"external_id": "2", "name": "Ada Lovelace"}]);
        let scan = looked_at(&app, &paper, &file, json!({"split": {"by": "names"}, "students": students})).await;
        assert_eq!(told(&scan), ["2 [1,2]", "1 [3]"], "{scan:#}");
    }

    async fn credits_must_do_for_the_whole_class(app: App) {
        let paper = ready_paper(&app).await;
        let file = upload(&app, &[Text(ONE), Text(TWO)]).await;
        let scan = looked_at(&app, &paper, &file, json!({"split": {"by": "pages", "pages_per_script": 1}})).await;
        let pricing = service::accounts::AccountChanges { grading_price: Some(domain::credit::Credits(9_000)), ..Default::default() };
        app.service.update_account(app.account.id, pricing).await.unwrap();
        let script = |page: u32| json!({"pages": [page], "student": {"external_id": format!("s{page}")}});
        let scripts = json!({"scripts": [script(1), script(2)]});
        assert_eq!(confirm(&app, &scan, &scripts).await.problem(), "402 insufficient_credits -");
        assert_eq!(show(&app, &scan).await["status"], "awaiting_confirmation");
        assert!(submitted(&app, &paper).await.is_empty());
    }

    async fn wrong_scans_are_refused_and_unreadable_ones_fail(app: App) {
        let paper = ready_paper(&app).await;
        let file = upload(&app, &[Text(ONE)]).await;
        let files = json!([{"file_id": file}]);
        for (body, problem) in [
            (json!({"split": {"by": "covers"}}), "400 parameter_missing files"),
            (json!({"files": [], "split": {"by": "covers"}}), "400 parameter_invalid files"),
            (json!({"files": [{"file_id": file}, {"file_id": file}], "split": {"by": "covers"}}), "400 parameter_invalid files[1].file_id"),
            (json!({"files": [{"url": "https://example.com/a.pdf"}], "split": {"by": "covers"}}), "400 parameter_unknown files[0].url"),
            (json!({"files": files}), "400 parameter_missing split"),
            (json!({"files": files, "split": {"by": "colour"}}), "400 parameter_invalid split.by"),
            (json!({"files": files, "split": {"by": "pages"}}), "400 parameter_missing split.pages_per_script"),
            (json!({"files": files, "split": {"by": "pages", "pages_per_script": 0}}), "400 parameter_invalid split.pages_per_script"),
            (json!({"files": files, "split": {"by": "covers", "pages_per_script": 2}}), "400 parameter_invalid split.pages_per_script"),
            (json!({"files": files, "split": {"by": "names"}}), "400 parameter_missing students"),
            (json!({"files": [{"file_id": "file_x"}], "split": {"by": "covers"}}), "404 resource_missing files[0].file_id"),
        ] {
            assert_eq!(scan(&app, &paper, "k", &body).await.problem(), problem, "{body}");
        }
        let body = json!({"files": files, "split": {"by": "covers"}});
        assert_eq!(app.post(&format!("{}/class_scans", path(&paper))).key(&app.test_key).json(&body).send().await.problem(), "400 idempotency_key_missing -");
        let made = scan(&app, &paper, "k", &body).await;
        assert_eq!(made.status, 201);
        assert_eq!(scan(&app, &paper, "k", &body).await.body, made.body, "a repeated request is answered as before");
        assert_eq!(scan(&app, &paper, "l", &body).await.problem(), "409 file_already_attached files[0].file_id");
        assert_eq!(confirm(&app, &made.body, &json!({})).await.problem(), "409 class_scan_not_confirmable -");
        let broken = app.upload("answer_script", "application/pdf", b"%PDF-1.7\nnothing").await;
        let failed = looked_at(&app, &paper, &broken, json!({})).await;
        assert_eq!((&failed["status"], &failed["failure"]["code"]), (&json!("failed"), &json!("file_unreadable")));
    }

    async fn scans_are_deleted_alone_with_their_paper_and_by_time(app: App) {
        let paper = ready_paper(&app).await;
        let mut scans = Vec::new();
        for _ in 0..3 {
            let file = upload(&app, &[Text(ONE)]).await;
            scans.push(looked_at(&app, &paper, &file, json!({})).await);
        }
        let (first, second) = (scan_path(&scans[0]), scan_path(&scans[1]));
        let other = app.get(&first).send().await;
        assert_eq!(other.status, 404, "the other mode does not see it");
        assert_eq!(delete(&app, &first).await.status, 204);
        assert_eq!(delete(&app, &first).await.status, 404);
        app.clock.advance_seconds(31 * DAY);
        app.run_jobs().await;
        assert_eq!(app.get(&second).key(&app.test_key).send().await.status, 404, "nobody confirmed it in time");
        let file = upload(&app, &[Text(ONE), Text(TWO)]).await;
        let split = json!({"split": {"by": "pages", "pages_per_script": 1}, "students": [{"external_id": "a"}, {"external_id": "b"}]});
        let last = looked_at(&app, &paper, &file, split).await;
        assert_eq!(confirm(&app, &last, &json!({})).await.status, 200);
        assert_eq!(delete(&app, &scan_path(&last)).await.problem(), "409 class_scan_in_progress -");
        assert_eq!(delete(&app, &path(&paper)).await.problem(), "409 paper_in_progress -");
        app.run_jobs().await;
        assert_eq!(delete(&app, &path(&paper)).await.status, 204);
        assert_eq!(app.get(&scan_path(&last)).key(&app.test_key).send().await.status, 404);
    }

    async fn two_workers_at_once_make_no_double(app: App) {
        let paper = ready_paper(&app).await;
        let sheets: Vec<Sheet<'_>> = std::iter::repeat_n(Text(ONE), 6).collect();
        let file = upload(&app, &sheets).await;
        let students: Vec<Value> = (0..6).map(|number| json!({"external_id": format!("s{number}")})).collect();
        let split = json!({"split": {"by": "pages", "pages_per_script": 1}, "students": students});
        let scan = looked_at(&app, &paper, &file, split).await;
        assert_eq!(confirm(&app, &scan, &json!({})).await.status, 200);
        let sibling = app.sibling().await;
        let works = [&app, &sibling].map(|app| service::jobs::Worker::new(app.service.clone()));
        let (one, other) = tokio::join!(works[0].run_due(), works[1].run_due());
        one.unwrap();
        other.unwrap();
        app.run_jobs().await;
        assert_eq!(show(&app, &scan).await["status"], "confirmed");
        assert_eq!(submitted(&app, &paper).await.len(), 6);
    }

    async fn the_desk_shows_a_split_and_confirms_it(app: App) {
        let paper = ready_paper(&app).await;
        let file = upload(&app, &[Code(&token(&paper, "s-1")), Text(ONE), Text(TWO)]).await;
        let scan = looked_at(&app, &paper, &file, json!({"students": [{"external_id": "s-1", "name": "Ada"}]})).await;
        let desk = Browser::on(&app, &paper, "Ms Okafor").await;
        let list = desk.ask(Method::GET, "/review/desk/scans").send().await;
        assert_eq!((list.status, &list.body["scans"][0]["id"]), (200, &scan["id"]), "{}", list.text);
        let own = format!("/review/desk/scans/{}", scan["id"].as_str().unwrap());
        let shown = desk.ask(Method::GET, &own).send().await.body;
        assert_eq!((&shown["scan"]["scripts"], &shown["students"][0]["name"]), (&scan["scripts"], &json!("Ada")));
        for (page, status) in [("1", 200), ("3", 200), ("4", 404), ("x", 404)] {
            let picture = desk.ask(Method::GET, &format!("{own}/pages/{page}")).send().await;
            assert_eq!(picture.status, status, "{page}");
        }
        let wrong = desk.ask(Method::POST, &format!("{own}/confirm")).json(&json!({"scripts": []})).send().await;
        assert_eq!(wrong.status, 400);
        let scripts = json!({"scripts": [{"pages": [2], "student": {"external_id": "s-9", "name": "Zoë"}}]});
        let confirmed = desk.ask(Method::POST, &format!("{own}/confirm")).json(&scripts).send().await;
        assert_eq!((confirmed.status, &confirmed.body["scan"]["status"]), (200, &json!("confirming")), "{}", confirmed.text);
        app.run_jobs().await;
        let made = submitted(&app, &paper).await;
        assert_eq!((made.len(), &made[0].1["student"]["name"]), (1, &json!("Zoë")));
        let nobody = app.get(&own).no_key().send().await;
        assert_eq!(nobody.status, 401, "the desk needs its cookie");
    }
}
