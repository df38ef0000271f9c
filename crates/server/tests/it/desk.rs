//! The marking desk of the built program, killed in the middle: of a preview, of an applied amendment, of a decision about
//! a group. Nothing is lost, and nothing is half done.

use crate::client::{Connection, PATIENCE};
use crate::partner::{PAPER, Partner, SCHEME};
use crate::process::{Place, Server};
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use testkit::pdf;

const SCRIPTS: usize = 16;
/// Longer than the lease of a worker that died.
const LEASE_SECONDS: u64 = 60;

#[tokio::test(flavor = "multi_thread")]
async fn kills_during_a_preview_an_application_and_a_group_decision() {
    let [sqlite, postgres] = Place::both();
    tokio::join!(killed_all_the_time(sqlite), killed_all_the_time(postgres));
}

async fn killed_all_the_time(place: Place) {
    let mut desk = Desk::set_up(place).await;
    let path = desk.paper.clone();
    let wanted = json!({"question": "1", "points": [{"point": 0, "alternatives": ["respiration"]}]});
    let amendment = desk.partner.post(&format!("{path}/amendment"), "", &wanted).await;
    desk.kill().await;
    desk.until(&format!("{path}/amendment"), |shown| shown["tried"] != 0).await;
    desk.kill().await;
    let tried = desk.until(&format!("{path}/amendment"), |shown| shown["status"] == "previewed").await;
    assert_eq!((&tried["tried"], &tried["changed"]), (&json!(SCRIPTS), &json!(SCRIPTS)), "{tried}");
    for script in &desk.scripts {
        let result = desk.partner.get(&format!("/v1/submissions/{script}/result")).await;
        assert_eq!(
            (&result["scheme_version"], mark(&result, 0)),
            (&json!(1), 0.0),
            "a preview changes nothing"
        );
    }

    let named = json!({"amendment_id": amendment["id"]});
    desk.partner.post(&format!("{path}/amendment/apply"), "apply", &named).await;
    desk.kill().await;
    let again = desk.partner.post(&format!("{path}/amendment/apply"), "apply", &named).await;
    assert_eq!(again["version"], 2, "what was answered is answered again");
    desk.until(&format!("{path}/scheme"), |shown| shown["outdated"] != SCRIPTS).await;
    desk.kill().await;
    let scheme = desk.until(&format!("{path}/scheme"), |shown| shown["outdated"] == 0).await;
    assert_eq!(
        (&scheme["version"], scheme["versions"].as_array().unwrap().len()),
        (&json!(2), 2),
        "{scheme}"
    );
    for script in &desk.scripts {
        let result = desk.partner.get(&format!("/v1/submissions/{script}/result")).await;
        assert_eq!((&result["scheme_version"], mark(&result, 0)), (&json!(2), 1.0), "{script}");
        let shown = desk.partner.get(&format!("/v1/submissions/{script}")).await;
        assert_eq!((&shown["status"], &shown["score"]), (&json!("graded"), &result["score"]));
    }

    let cookie = desk.open().await;
    let mut decided = 0;
    for (attempt, milliseconds) in [2, 12, 40].into_iter().enumerate() {
        let given = if attempt % 2 == 0 { 2 } else { 0 };
        let request = desk.group(&cookie, given).await;
        let address = desk.partner.address;
        let asked = tokio::spawn(async move { Connection::plain(address).await.send(request).await });
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        desk.kill().await;
        let was_answered = matches!(asked.await, Ok(Ok(answer)) if answer.status() == 200);
        decided = desk.decided(decided, given, was_answered).await;
    }
    let answer = desk.send(desk.group(&cookie, 1).await).await;
    assert_eq!(answer.status(), 200, "{:?}", answer.body());
    desk.decided(decided, 1, true).await;
    let verified = desk.place.json(&["submission", "verify", &desk.scripts[0]]);
    assert_eq!(verified["same"], true, "{verified}");
    let lines = desk.place.json(&["paper", "audit", path.rsplit('/').next().unwrap()]);
    let count =
        |action: &str| lines.as_array().unwrap().iter().filter(|line| line["action"] == action).count();
    assert_eq!((count("amend"), count("apply"), count("decide") % SCRIPTS), (1, 1, 0));
}

/// A paper with marked scripts, and the server that is killed.
struct Desk {
    place: Place,
    server: Server,
    partner: Partner,
    kills: u64,
    /// Its path.
    paper: String,
    /// Their ids.
    scripts: Vec<String>,
}

impl Desk {
    async fn set_up(place: Place) -> Desk {
        let server = start(&place);
        let partner = Partner::of(&place, &server);
        let more = json!({"results_release": "after_review", "grading": {"learning": false}});
        let paper = partner.create_paper_with("p", pdf::of_text(PAPER), pdf::of_text(SCHEME), more).await;
        let id = partner.settled(&paper).await["id"].as_str().unwrap().to_owned();
        partner.post(&format!("/v1/papers/{id}/approve"), "", &json!({})).await;
        let mut made = Vec::new();
        for number in 0..SCRIPTS {
            let script = pdf::of_text("1. respiration\n2. light");
            made.push(partner.submit(&paper, &format!("s{number}"), "application/pdf", script).await);
        }
        let mut scripts = Vec::new();
        for script in &made {
            assert_eq!(partner.settled(script).await["status"], "graded");
            scripts.push(script["id"].as_str().unwrap().to_owned());
        }
        scripts.sort();
        Desk { place, server, partner, kills: 0, paper: format!("/v1/papers/{id}"), scripts }
    }

    /// Kills the server and starts another, when the leases of the dead one have ended.
    async fn kill(&mut self) {
        self.server.signal("-KILL");
        assert_eq!(self.server.ended(), None);
        self.server = start(&self.place);
        self.partner.address = self.server.address;
        // Each server begins with the real time.
        self.kills += 1;
        self.partner.advance(self.kills * LEASE_SECONDS).await;
    }

    /// What is shown once this is so of it.
    async fn until(&self, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let shown = self.partner.get(path).await;
            if is_so(&shown) {
                return shown;
            }
            assert!(Instant::now() < deadline, "{path} stays {shown}");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    async fn send(&self, request: Request<Full<Bytes>>) -> Response<Bytes> {
        crate::client::soon(Connection::plain(self.partner.address).await.send(request)).await.unwrap()
    }

    /// The cookie of a browser that opened a link to the desk.
    async fn open(&self) -> String {
        let links = format!("{}/review_links", self.paper);
        let link = self.partner.post(&links, "", &json!({"reviewer": "Ms Okafor"})).await;
        let token = link["url"].as_str().unwrap().split_once('#').unwrap().1;
        let answer = self.send(self.request("/review/session", "", Some(&json!({"token": token})))).await;
        assert_eq!(answer.status(), 200, "{:?}", answer.body());
        let cookie = answer.headers()["set-cookie"].to_str().unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }

    fn request(&self, path: &str, cookie: &str, body: Option<&Value>) -> Request<Full<Bytes>> {
        let request = Request::builder().method(if body.is_some() { "POST" } else { "GET" }).uri(path);
        let request = request.header("host", "localhost").header("content-type", "application/json");
        let request = request.header("cookie", cookie).header("x-forwarded-proto", "https");
        let request = request.header("x-tickmark-review", self.paper.rsplit('/').next().unwrap());
        let bytes = body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
        request.body(Full::new(bytes)).unwrap()
    }

    /// A decision about the second question of all scripts, as they are now.
    async fn group(&self, cookie: &str, mark: u32) -> Request<Full<Bytes>> {
        let seen = self.send(self.request("/review/desk/answers?question=1&part=", cookie, None)).await;
        let seen: Value = serde_json::from_slice(seen.body()).unwrap();
        let members: Vec<Value> = seen["answers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|answer| json!({"submission_id": answer["submission_id"], "seen": answer["version"]}))
            .collect();
        assert_eq!(members.len(), SCRIPTS, "{seen}");
        let body = json!({"question": 1, "part": "", "say": {"mark": mark}, "scripts": members});
        self.request("/review/desk/groups", cookie, Some(&body))
    }

    /// How often every script was decided about by now: once more, or as often as before where nobody was told.
    async fn decided(&self, before: usize, given: u32, was_answered: bool) -> usize {
        let mut all = Vec::new();
        for script in &self.scripts {
            let made = self.partner.get(&format!("/v1/submissions/{script}/adjustments")).await;
            let made = made["data"].as_array().unwrap().len();
            let result = self.partner.get(&format!("/v1/submissions/{script}/result")).await;
            assert_eq!(result["adjusted"], made > 0);
            assert!(made == before || mark(&result, 1) == f64::from(given), "{script}: {result}");
            all.push(made);
        }
        assert!(all.iter().all(|made| *made == all[0]), "all or none: {all:?}");
        assert!(all[0] == before + 1 || all[0] == before && !was_answered, "{before} and then {}", all[0]);
        all[0]
    }
}

fn start(place: &Place) -> Server {
    Server::start(place.command(&["dev", "--listen", "127.0.0.1:0"]))
}

fn mark(result: &Value, question: usize) -> f64 {
    result["questions"][question]["awarded"].as_f64().unwrap()
}
