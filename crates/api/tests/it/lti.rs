//! Launches by a learning platform (LTI 1.3): who is let in, to what, and who is not.

use crate::flow::read_paper;
use crate::review::Browser;
use domain::id::{Identifier as _, PaperId};
use domain::lti::{Platform as Registered, Registration};
use domain::mode::Mode;
use serde_json::{Value, json};
use service::operator::Operator;
use std::collections::HashMap;
use std::sync::Arc;
use testkit::platform::{CLIENT_ID, DEPLOYMENT_ID, Platform, Signature, TOOL_KEY};
use testkit::{Answer, App};

pub(crate) const TARGET: &str = "https://tickmark.test/lti/launch";

/// An app that knows a platform, for the papers of its test mode.
pub(crate) struct School {
    pub(crate) app: App,
    pub(crate) platform: Platform,
    pub(crate) registered: Registered,
}

/// A login that a browser has begun.
pub(crate) struct Begun {
    cookie: String,
    state: String,
    pub(crate) nonce: String,
}

pub(crate) fn new_platform(app: &App, platform: &Platform) -> Registration {
    Registration {
        owner: (app.account.id, Mode::Test),
        issuer: platform.issuer(),
        client_id: CLIENT_ID.to_owned(),
        deployment_id: DEPLOYMENT_ID.to_owned(),
        login_url: platform.url("/auth?tenant=1"),
        keys_url: platform.url("/jwks"),
        token_url: platform.url("/token"),
        audience: None,
    }
}

impl School {
    pub(crate) async fn set_up(app: &App) -> School {
        let app = app.reaching_here().await;
        let platform = Platform::start(Arc::clone(&app.clock) as _, &["s-1", "s-2"]).await;
        let by = Operator::command_line();
        app.service.set_lti_key(&by, TOOL_KEY).await.unwrap();
        platform.trust(&app.get("/lti/jwks").no_key().send().await.body);
        let registered = app.service.add_lti_platform(&by, new_platform(&app, &platform)).await.unwrap();
        School { app, platform, registered }
    }

    /// What a login with these parameters answers.
    async fn log_in(&self, changes: &[(&str, &str)]) -> Answer {
        self.app.get(&format!("/lti/login?{}", self.login(changes))).no_key().send().await
    }

    fn login(&self, changes: &[(&str, &str)]) -> String {
        let issuer = self.platform.issuer();
        let mut fields: Vec<(&str, &str)> = vec![
            ("iss", &issuer),
            ("login_hint", "u 1"),
            ("target_link_uri", TARGET),
            ("lti_message_hint", "m&1"),
            ("client_id", CLIENT_ID),
        ];
        for change in changes {
            fields.retain(|(name, _)| *name != change.0);
        }
        fields.extend(changes.iter().filter(|(_, value)| !value.is_empty()));
        form(&fields)
    }

    pub(crate) async fn begin(&self) -> Begun {
        let answer = self.log_in(&[]).await;
        assert_eq!(answer.status, 303, "{}", answer.text);
        let query = query(answer.header("location").unwrap());
        let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        Begun { cookie, state: query["state"].clone(), nonce: query["nonce"].clone() }
    }

    /// What a teacher's launch says that names this paper.
    pub(crate) fn claims(&self, begun: &Begun, paper: &Value) -> Value {
        let mut claims = self.platform.claims(&begun.nonce, TARGET, "Instructor");
        claims[Platform::claim("custom")] = json!({"paper_id": paper["id"]});
        claims
    }

    pub(crate) async fn send(&self, begun: &Begun, token: &str) -> Answer {
        let fields = form(&[("state", &begun.state), ("id_token", token)]);
        let ask = self.app.post("/lti/launch").no_key().header("cookie", &begun.cookie);
        ask.header("content-type", "application/x-www-form-urlencoded").body(fields).send().await
    }

    /// A right launch of a paper by a teacher; where it leads.
    pub(crate) async fn launch(&self, paper: &Value) -> String {
        let begun = self.begin().await;
        let token = self.platform.token(&self.claims(&begun, paper), Signature::Right);
        let answer = self.send(&begun, &token).await;
        assert_eq!(answer.status, 303, "{}", answer.text);
        answer.header("location").unwrap().to_owned()
    }

    /// A launch that something is wrong with; what the page says.
    async fn refused(&self, paper: &Value, change: impl FnOnce(&mut Value), how: Signature) -> (u16, String) {
        let begun = self.begin().await;
        let mut claims = self.claims(&begun, paper);
        change(&mut claims);
        let answer = self.send(&begun, &self.platform.token(&claims, how)).await;
        assert!(answer.header("location").is_none(), "{}", answer.text);
        assert!(answer.header("set-cookie").unwrap().contains("Max-Age=0"), "the login is over");
        (answer.status, answer.text)
    }
}

fn form(fields: &[(&str, &str)]) -> String {
    let mut url = url::Url::parse("http://form/").unwrap();
    url.query_pairs_mut().extend_pairs(fields);
    url.query().unwrap().to_owned()
}

fn query(url: &str) -> HashMap<String, String> {
    url::Url::parse(url).unwrap().query_pairs().into_owned().collect()
}

testkit::on_both_engines! {
    async fn a_teacher_comes_to_the_desk_by_a_link_like_any_other(app: App) {
        let school = School::set_up(&app).await;
        let paper = read_paper(&school.app, json!({"test_outcome": "succeed"})).await;
        let answer = school.log_in(&[]).await;
        let location = answer.header("location").unwrap();
        assert!(location.starts_with(&school.platform.url("/auth?tenant=1&")), "{location}");
        let query = query(location);
        for (name, value) in [
            ("scope", "openid"), ("response_type", "id_token"), ("response_mode", "form_post"), ("prompt", "none"),
            ("client_id", CLIENT_ID), ("redirect_uri", TARGET), ("login_hint", "u 1"), ("lti_message_hint", "m&1"),
        ] {
            assert_eq!(query[name], value, "{name}");
        }
        let cookie = answer.header("set-cookie").unwrap();
        for part in ["__Host-tickmark_lti=", "Path=/", "Max-Age=600", "HttpOnly", "SameSite=None", "Secure", "Partitioned"] {
            assert!(cookie.contains(part), "{cookie} has no {part}");
        }
        assert!(!cookie.contains(&query["state"]) && !cookie.contains(&query["nonce"]), "it is sealed");

        let path = school.launch(&paper).await;
        assert!(path.starts_with("/review#"), "{path}");
        let browser = Browser::open(&school.app, &path).await;
        assert_eq!(browser.paper().await.body["paper"]["id"], paper["id"]);
        assert_eq!(browser.paper().await.body["reviewer"], "Ms Okafor");
        app.clock.advance_seconds(12 * 3600);
        assert_eq!(browser.paper().await.body["error"]["code"], "review_link_expired");
        school.platform.assert_obeyed();
    }

    async fn a_link_that_was_opened_or_bound_needs_no_parameter(app: App) {
        let school = School::set_up(&app).await;
        let paper = read_paper(&school.app, json!({"test_outcome": "succeed"})).await;
        let without = |claims: &mut Value| claims[Platform::claim("custom")] = json!({});
        let (status, text) = school.refused(&paper, without, Signature::Right).await;
        assert_eq!(status, 404);
        assert!(text.contains("link-1") && text.contains(&school.registered.id.to_string()), "{text}");
        let id = PaperId::parse(paper["id"].as_str().unwrap()).unwrap();
        let by = Operator::command_line();
        app.service.bind_lti_link(&by, school.registered.id, "link-1".to_owned(), id).await.unwrap();
        let begun = school.begin().await;
        let mut claims = school.claims(&begun, &paper);
        without(&mut claims);
        let answer = school.send(&begun, &school.platform.token(&claims, Signature::Right)).await;
        assert_eq!(answer.status, 303, "{}", answer.text);
        let seal = domain::paging::Seal::new("test");
        let log = app.service.operator_log(None, domain::paging::Limit::DEFAULT, None, &seal);
        let actions: Vec<&str> = log.await.unwrap().items.iter().map(|entry| entry.action.name()).collect();
        for action in ["lti.link_bound", "lti.platform_added", "lti.key_set"] {
            assert!(actions.contains(&action), "{action} is in {actions:?}");
        }
    }

    async fn whoever_does_not_teach_sees_that_marks_come_to_the_course(app: App) {
        let school = School::set_up(&app).await;
        let paper = read_paper(&school.app, json!({"test_outcome": "succeed"})).await;
        let begun = school.begin().await;
        let mut claims = school.claims(&begun, &paper);
        claims[Platform::claim("roles")] = json!(["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"]);
        let token = school.platform.token(&claims, Signature::Right);
        let answer = school.send(&begun, &token).await;
        assert_eq!(answer.status, 200);
        assert!(answer.text.contains("Your mark comes to your learning platform"), "{}", answer.text);
        assert!(!answer.text.contains("<a ") && !answer.text.contains("pap_"), "{}", answer.text);
        assert_eq!(school.app.dump("review_links", &paper, "token_hash").await, "");
        assert_eq!(school.send(&begun, &token).await.status, 401, "used");
    }

    async fn within_a_frame_the_desk_is_offered_in_a_window_of_its_own(app: App) {
        let school = School::set_up(&app).await;
        let paper = read_paper(&school.app, json!({"test_outcome": "succeed"})).await;
        let begun = school.begin().await;
        let token = school.platform.token(&school.claims(&begun, &paper), Signature::Right);
        let fields = form(&[("state", &begun.state), ("id_token", &token)]);
        let ask = school.app.post("/lti/launch").no_key().header("cookie", &begun.cookie).header("sec-fetch-dest", "iframe");
        let answer = ask.header("content-type", "application/x-www-form-urlencoded").body(fields).send().await;
        assert_eq!(answer.status, 200);
        assert!(answer.text.contains("href=\"/review#") && answer.text.contains("target=\"_blank\""), "{}", answer.text);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }

    async fn hostile_launches_are_refused(app: App) {
        let school = School::set_up(&app).await;
        let paper = read_paper(&school.app, json!({"test_outcome": "succeed"})).await;
        for how in [Signature::None, Signature::Hmac, Signature::UnknownKey, Signature::WrongKey] {
            let (status, text) = school.refused(&paper, |_| (), how).await;
            assert_eq!(status, 401, "{how:?}: {text}");
        }
        let now = app.service.now().as_second();
        for (name, value, says) in [
            ("nonce".to_owned(), json!("another"), "was used before"),
            ("iss".to_owned(), json!("https://evil.example"), "not from your learning platform"),
            ("aud".to_owned(), json!("another-client"), "not from your learning platform"),
            ("aud".to_owned(), json!([CLIENT_ID, "another-client"]), "not from your learning platform"),
            ("azp".to_owned(), json!("another-client"), "not from your learning platform"),
            ("exp".to_owned(), json!(now - 61), "took too long"),
            ("iat".to_owned(), json!(now + 3600), "clock"),
            (Platform::claim("deployment_id"), json!("another"), "not registered"),
            (Platform::claim("message_type"), json!("LtiDeepLinkingRequest"), "no launch of a link"),
            (Platform::claim("version"), json!("1.1.0"), "no launch of a link"),
            (Platform::claim("target_link_uri"), json!("javascript:alert(1)"), "leads elsewhere"),
            (Platform::claim("target_link_uri"), json!("https://evil.example/lti/launch"), "leads elsewhere"),
            (Platform::claim("custom"), json!({"paper_id": "<script>"}), "does not exist"),
            (Platform::claim("custom"), json!({"paper_id": PaperId::from_number(7).to_string()}), "does not exist"),
        ] {
            let (status, text) = school.refused(&paper, |claims| claims[&name] = value.clone(), Signature::Right).await;
            assert!((400..500).contains(&status) && text.contains(says), "{name} {value}: {status} {text}");
        }
        assert_eq!(school.app.dump("review_links", &paper, "token_hash").await, "", "none of them opened anything");
    }

    async fn a_launch_follows_a_login_in_the_same_browser_and_once(app: App) {
        let school = School::set_up(&app).await;
        let paper = read_paper(&school.app, json!({"test_outcome": "succeed"})).await;
        let (one, other) = (school.begin().await, school.begin().await);
        let token = school.platform.token(&school.claims(&one, &paper), Signature::Right);
        let crossed = Begun { cookie: other.cookie.clone(), state: one.state.clone(), nonce: String::new() };
        assert_eq!(school.send(&crossed, &token).await.status, 401, "another browser's cookie");
        let stateless = Begun { cookie: one.cookie.clone(), state: "x".to_owned(), nonce: String::new() };
        assert_eq!(school.send(&stateless, &token).await.status, 401, "another state");
        let forged = Begun { cookie: "__Host-tickmark_lti=1.AAAA".to_owned(), state: one.state.clone(), nonce: String::new() };
        assert_eq!(school.send(&forged, &token).await.status, 401, "a cookie that we did not seal");
        assert_eq!(school.send(&one, &token).await.status, 303);
        let again = school.send(&one, &token).await;
        assert_eq!(again.status, 401, "a replay");
        assert!(again.text.contains("used before"), "{}", again.text);
        let sibling = School { app: school.app.sibling().await, platform: school.platform.clone(), registered: school.registered.clone() };
        assert_eq!(sibling.send(&one, &token).await.status, 401, "also in another process");

        let late = school.begin().await;
        let token = school.platform.token(&school.claims(&late, &paper), Signature::Right);
        app.clock.advance_seconds(600);
        assert_eq!(school.send(&late, &token).await.status, 401, "too late");
        app.run_jobs().await;
        let left = store::sql("SELECT COUNT(*) FROM lti_nonces WHERE expires_at > 0");
        let left = app.service.store().read().await.unwrap().one::<i64>(left).await.unwrap();
        assert_eq!(left, Some(0), "used launches are forgotten once their login has ended");
    }

    async fn what_is_no_launch_at_all_is_refused_with_a_page(app: App) {
        let school = School::set_up(&app).await;
        let begun = school.begin().await;
        let big = "x".repeat(40_000);
        for (fields, status) in [
            (vec![("state", begun.state.as_str())], 400),
            (vec![("id_token", "a.b.c")], 400),
            (vec![("state", &begun.state), ("id_token", "a.b.c")], 401),
            (vec![("state", &begun.state), ("id_token", "")], 400),
            (vec![("state", &begun.state), ("id_token", &big)], 400),
            (vec![("state", &begun.state), ("state", "y"), ("id_token", "a.b.c")], 400),
            (vec![("error", "login_required"), ("error_description", "<b>Log in</b>"), ("state", &begun.state)], 400),
        ] {
            let ask = school.app.post("/lti/launch").no_key().header("cookie", &begun.cookie);
            let ask = ask.header("content-type", "application/x-www-form-urlencoded").body(form(&fields));
            let answer = ask.send().await;
            assert_eq!(answer.status, status, "{fields:.200?}: {}", answer.text);
            assert!(answer.text.contains("<h1>This could not be opened</h1>") && !answer.text.contains("<b>"), "{}", answer.text);
        }
        let huge = school.app.post("/lti/launch").no_key().header("content-type", "application/x-www-form-urlencoded");
        assert_eq!(huge.body("x".repeat(100_000)).send().await.status, 401);
        let json = school.app.post("/lti/launch").no_key().json(&json!({"state": "s", "id_token": "t"})).send().await;
        assert_eq!(json.status, 400);
        assert_eq!(school.app.get("/lti/launch").no_key().send().await.status, 405);
        assert_eq!(school.app.get("/lti/login").no_key().plain().send().await.problem(), "403 https_required -");
    }

    async fn a_login_leads_to_the_registered_platform_and_back_to_us_alone(app: App) {
        let school = School::set_up(&app).await;
        for (changes, status) in [
            (vec![("iss", "https://evil.example")], 403),
            (vec![("client_id", "another")], 403),
            (vec![("lti_deployment_id", "another")], 403),
            (vec![("iss", "")], 400),
            (vec![("login_hint", "")], 400),
            (vec![("target_link_uri", "javascript:alert(1)")], 400),
            (vec![("target_link_uri", "https://evil.example/lti/launch")], 400),
            (vec![("target_link_uri", "https://tickmark.test/lti/launch/..")], 400),
            (vec![("login_hint", "a\r\nSet-Cookie: x=y")], 400),
        ] {
            let answer = school.log_in(&changes).await;
            assert_eq!(answer.status, status, "{changes:?}: {}", answer.text);
            assert!(answer.header("location").is_none() && answer.header("set-cookie").is_none());
        }
        assert_eq!(school.log_in(&[("client_id", ""), ("lti_message_hint", "")]).await.status, 303, "one registration");
        let posted = school.app.post("/lti/login").no_key().header("content-type", "application/x-www-form-urlencoded");
        assert_eq!(posted.body(school.login(&[])).send().await.status, 303, "by a form");
        let by = Operator::command_line();
        let second = Registration { client_id: "second".to_owned(), ..new_platform(&app, &school.platform) };
        let second = app.service.add_lti_platform(&by, second).await.unwrap();
        assert_eq!(school.log_in(&[("client_id", "")]).await.status, 400, "which of the two is not known");
        app.service.remove_lti_platform(&by, second.id).await.unwrap();
        let again = app.service.add_lti_platform(&by, new_platform(&app, &school.platform)).await;
        assert!(again.is_err(), "a deployment belongs to one account");
        app.service.remove_lti_platform(&by, school.registered.id).await.unwrap();
        assert_eq!(school.log_in(&[]).await.status, 403, "removed");
    }

    async fn keys_are_fetched_seldom_and_again_for_a_new_one(app: App) {
        let school = School::set_up(&app).await;
        let paper = read_paper(&school.app, json!({"test_outcome": "succeed"})).await;
        school.launch(&paper).await;
        school.launch(&paper).await;
        assert_eq!(school.platform.fetched(), 1);
        for _ in 0..3 {
            school.refused(&paper, |_| (), Signature::UnknownKey).await;
        }
        assert_eq!(school.platform.fetched(), 1, "an unknown name fetches nothing so soon");
        app.clock.advance_seconds(31);
        school.platform.rotate_key();
        school.launch(&paper).await;
        assert_eq!(school.platform.fetched(), 2, "the new key");
        app.clock.advance_seconds(3600);
        school.launch(&paper).await;
        assert_eq!(school.platform.fetched(), 3, "after an hour all are fetched again");
    }

    async fn a_platform_inside_is_not_visited(app: App) {
        let school = School::set_up(&app).await;
        let paper = read_paper(&school.app, json!({"test_outcome": "succeed"})).await;
        let begun = school.begin().await;
        let token = school.platform.token(&school.claims(&begun, &paper), Signature::Right);
        // The same database, but a process that reaches public addresses only.
        let outside = School { app: app.sibling().await, platform: school.platform.clone(), registered: school.registered.clone() };
        let answer = outside.send(&begun, &token).await;
        assert_eq!(answer.status, 503, "{}", answer.text);
        assert_eq!(school.platform.fetched(), 0);
    }

    async fn papers_of_others_and_suspended_accounts_stay_closed(app: App) {
        let school = School::set_up(&app).await;
        let body = crate::flow::paper_body(&school.app, json!({"test_outcome": "succeed", "title": "Early"})).await;
        let early = school.app.post("/v1/papers").key(&app.test_key).once("early").json(&body).send().await.body;
        let (status, text) = school.refused(&early, |_| (), Signature::Right).await;
        assert_eq!(status, 409, "{text}");
        assert!(text.contains("processing"), "{text}");
        school.app.run_jobs().await;
        school.launch(&early).await;
        let other = app.service.create_account("Southfield".to_owned(), None).await.unwrap();
        let by = Operator::command_line();
        let deployed = Registration {
            owner: (other.id, Mode::Test),
            deployment_id: "deployment-2".to_owned(),
            ..new_platform(&app, &school.platform)
        };
        app.service.add_lti_platform(&by, deployed).await.unwrap();
        let theirs = |claims: &mut Value| claims[Platform::claim("deployment_id")] = json!("deployment-2");
        assert_eq!(school.refused(&early, theirs, Signature::Right).await.0, 404, "another account's paper");
        app.service.suspend_account(app.account.id, Some(app.service.now())).await.unwrap();
        assert_eq!(school.refused(&early, |_| (), Signature::Right).await.0, 403, "suspended");
    }

    async fn refused_launches_are_counted_like_guessed_links(app: App) {
        let school = School::set_up(&app).await;
        let paper = read_paper(&school.app, json!({"test_outcome": "succeed"})).await;
        let begun = school.begin().await;
        let token = school.platform.token(&school.claims(&begun, &paper), Signature::None);
        for _ in 0..120 {
            assert_eq!(school.send(&begun, &token).await.status, 401);
        }
        assert_eq!(school.send(&begun, &token).await.status, 429);
    }
}
