//! A learning platform and the built program: registered by command, launched over HTTP, killed while marks are on their
//! way. The platform has every mark once.

use crate::client::{Connection, PATIENCE};
use crate::partner::{PAPER, Partner, SCHEME};
use crate::process::{Place, Server, told};
use bytes::Bytes;
use domain::clock::{Clock as _, SystemClock};
use http::{Request, Response};
use http_body_util::Full;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use testkit::pdf;
use testkit::platform::{CLIENT_ID, DEPLOYMENT_ID, Platform, Signature, TOOL_KEY};

/// Longer than the lease of a worker that died, and than it waits after its first tries.
const LATER_SECONDS: i64 = 120;
const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_between_release_and_score_loses_and_doubles_nothing() {
    for place in Place::both() {
        let mut school = School::set_up(place).await;
        let paper = school.paper().await;
        school.launch(&paper).await;
        // The platform takes the first mark, and the process never hears of it.
        school.platform.take_scores_in_secret(true);
        let one = school.script(&paper, "s-1").await;
        school.release(&one).await;
        school.until(|platform| platform.accepted().len() == 1).await;
        // The second one is released just before the end.
        school.platform.answer_scores_with(Some(503));
        let two = school.script(&paper, "s-2").await;
        school.release(&two).await;
        school.kill().await;
        school.platform.take_scores_in_secret(false);
        school.platform.answer_scores_with(None);
        let taken = |platform: &Platform, student: &str| {
            platform.accepted().iter().filter(|score| score.user == student).count()
        };
        let before = taken(&school.platform, "s-1");
        school.until(|platform| taken(platform, "s-1") > before && taken(platform, "s-2") > 0).await;
        let all_sent = |lines: &Value| lines.as_array().unwrap().iter().all(|line| line["status"] == "sent");
        let deadline = Instant::now() + PATIENCE;
        while !all_sent(&school.place.json(&["lti", "scores"])) {
            assert!(Instant::now() < deadline);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let sent = school.platform.scores_sent();
        school.kill().await;
        school.advance(100_000).await;
        assert_eq!(school.platform.scores_sent(), sent, "what has arrived is not sent again");
        assert_eq!((taken(&school.platform, "s-2"), school.platform.gradebook().len()), (1, 2));
        school.platform.assert_obeyed();
        let shown = school.place.text(&["lti", "scores", "--paper", paper["id"].as_str().unwrap()]);
        assert!(shown.contains("s-1") && shown.contains("s-2") && shown.contains("sent"), "{shown}");
    }
}

#[test]
fn platforms_are_registered_and_removed_by_command() {
    for place in Place::both() {
        let account = place.account();
        let add = |issuer: &str, url: &str| {
            let fixed =
                ["--json", "lti", "add", "--account", &account, "--client-id", "c", "--deployment-id", "d"];
            let urls = ["--issuer", issuer, "--login-url", url, "--keys-url", url, "--token-url", url];
            place.run(&[&fixed[..], &urls[..]].concat())
        };
        let added = add("https://moodle.example", "https://moodle.example/x");
        let added: Value = serde_json::from_slice(&added.stdout).unwrap();
        assert_eq!((&added["mode"], &added["issuer"]), (&json!("live"), &json!("https://moodle.example")));
        let (code, sentence) = told(&add("https://moodle.example", "https://moodle.example/x"));
        assert!(code == 1 && sentence.contains("registered already"), "{sentence}");
        for wrong in
            ["http://moodle.example/x", "https://127.0.0.1/x", "javascript:alert(1)", "https://intranet/"]
        {
            let (code, sentence) = told(&add("https://other.example", wrong));
            assert!(code == 2 && sentence.starts_with("The --login-url must"), "{wrong}: {sentence}");
        }
        let listed = place.json(&["lti", "list"]);
        assert_eq!(listed[0]["id"], added["id"]);
        let id = added["id"].as_str().unwrap();
        place.text(&["lti", "remove", id]);
        assert_eq!(place.json(&["lti", "list"]), json!([]));
        assert_eq!(place.failure(&["lti", "remove", id]), (1, format!("There is no platform {id}.")));
        let file = place.folder.path().join("key.pem");
        std::fs::write(&file, TOOL_KEY).unwrap();
        assert!(place.json(&["lti", "set-key", file.to_str().unwrap()])["kid"].is_string());
        std::fs::write(&file, "-----BEGIN PRIVATE KEY-----").unwrap();
        assert_eq!(place.failure(&["lti", "set-key", file.to_str().unwrap()]).0, 2);
        let log = place.json(&["operator", "log"]);
        let actions: Vec<&str> =
            log.as_array().unwrap().iter().map(|line| line["action"].as_str().unwrap()).collect();
        assert_eq!(actions, ["lti.key_set", "lti.platform_removed", "lti.platform_added"]);
    }
}

/// A server, a partner with papers, and the platform that it is registered with.
struct School {
    place: Place,
    server: Server,
    partner: Partner,
    platform: Platform,
    clock: Arc<SystemClock>,
}

fn start(place: &Place) -> Server {
    Server::start(place.command(&["dev", "--listen", "127.0.0.1:0"]))
}

impl School {
    async fn set_up(place: Place) -> School {
        let server = start(&place);
        let partner = Partner::of(&place, &server);
        let clock = Arc::new(SystemClock::default());
        let platform = Platform::start(Arc::clone(&clock) as _, &["s-1", "s-2"]).await;
        let key = place.folder.path().join("key.pem");
        std::fs::write(&key, TOOL_KEY).unwrap();
        place.text(&["lti", "set-key", key.to_str().unwrap()]);
        let accounts = place.json(&["account", "list"]);
        let add = [
            "lti",
            "add",
            "--development",
            "--mode",
            "test",
            "--account",
            accounts[0]["id"].as_str().unwrap(),
        ];
        let names =
            ["--issuer", &platform.issuer(), "--client-id", CLIENT_ID, "--deployment-id", DEPLOYMENT_ID];
        let urls = ["--login-url", &platform.url("/auth"), "--keys-url", &platform.url("/jwks")];
        place.text(&[&add[..], &names[..], &urls[..], &["--token-url", &platform.url("/token")]].concat());
        let school = School { place, server, partner, platform, clock };
        let keys = school.send(school.request("GET", "/lti/jwks", "").body(Full::default()).unwrap()).await;
        school.platform.trust(&serde_json::from_slice(keys.body()).unwrap());
        school
    }

    fn request(&self, method: &str, path: &str, cookie: &str) -> http::request::Builder {
        let host = self.server.address.to_string();
        Request::builder().method(method).uri(path).header("host", host).header("cookie", cookie)
    }

    async fn send(&self, request: Request<Full<Bytes>>) -> Response<Bytes> {
        Connection::plain(self.server.address).await.send(request).await.unwrap()
    }

    async fn paper(&self) -> Value {
        let more = json!({"results_release": "after_review"});
        let paper =
            self.partner.create_paper_with("p", pdf::of_text(PAPER), pdf::of_text(SCHEME), more).await;
        let paper = self.partner.settled(&paper).await;
        self.partner
            .post(&format!("/v1/papers/{}/approve", paper["id"].as_str().unwrap()), "", &json!({}))
            .await;
        paper
    }

    async fn script(&self, paper: &Value, student: &str) -> Value {
        let script = pdf::of_text("1. photosynthesis\n2. light");
        let made = self.partner.submit(paper, student, "application/pdf", script).await;
        let marked = self.partner.settled(&made).await;
        assert_eq!(marked["status"], "graded", "{marked}");
        marked
    }

    async fn release(&self, submission: &Value) {
        let path = format!("/v1/submissions/{}/release", submission["id"].as_str().unwrap());
        self.partner.post(&path, "", &json!({})).await;
    }

    /// A teacher's click in the platform's course.
    async fn launch(&self, paper: &Value) {
        let target = format!("http://{}/lti/launch", self.server.address);
        let login =
            form(&[("iss", &self.platform.issuer()), ("login_hint", "u"), ("target_link_uri", &target)]);
        let begun = self.request("GET", &format!("/lti/login?{login}"), "").body(Full::default()).unwrap();
        let begun = self.send(begun).await;
        assert_eq!(begun.status(), 303, "{:?}", begun.body());
        let header = |name: &str| begun.headers()[name].to_str().unwrap().to_owned();
        let query = url::Url::parse(&header("location")).unwrap();
        let field = |name: &str| query.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned();
        let mut claims = self.platform.claims(&field("nonce"), &target, "Instructor");
        claims[Platform::claim("custom")] = json!({"paper_id": paper["id"]});
        let token = self.platform.token(&claims, Signature::Right);
        let body = form(&[("state", &field("state")), ("id_token", &token)]);
        let cookie = header("set-cookie");
        let launch = self.request("POST", "/lti/launch", cookie.split(';').next().unwrap());
        let launch = launch.header("content-type", FORM).body(Full::from(body)).unwrap();
        let opened = self.send(launch).await;
        assert_eq!(opened.status(), 303, "{:?}", opened.body());
        assert!(opened.headers()["location"].to_str().unwrap().starts_with("/review#"));
    }

    /// Kills the server and starts another.
    async fn kill(&mut self) {
        self.server.signal("-KILL");
        assert_eq!(self.server.ended(), None);
        self.server = start(&self.place);
        self.partner.address = self.server.address;
    }

    /// Moves the server's clock, and the platform's with it, which never falls behind.
    async fn advance(&self, seconds: i64) {
        let shown = self.partner.post("/dev/clock", "", &json!({"advance_seconds": 0})).await;
        let now: jiff::Timestamp = shown["now"].as_str().unwrap().parse().unwrap();
        let then = now.as_microsecond() + seconds * 1_000_000;
        self.clock.set_offset_us(then - SystemClock::default().now().as_microsecond());
        self.partner.advance(seconds.unsigned_abs()).await;
    }

    /// Lets time pass until this is so of the platform.
    async fn until(&self, is_so: impl Fn(&Platform) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        let mut rounds = 0;
        while !is_so(&self.platform) {
            assert!(Instant::now() < deadline, "{:?}", self.platform.gradebook());
            tokio::time::sleep(Duration::from_millis(20)).await;
            rounds += 1;
            if rounds % 50 == 0 {
                self.advance(LATER_SECONDS).await;
            }
        }
    }
}

fn form(fields: &[(&str, &str)]) -> String {
    let mut url = url::Url::parse("http://form/").unwrap();
    url.query_pairs_mut().extend_pairs(fields);
    url.query().unwrap().to_owned()
}
