//! The operator's console: the door, the pages, the changes and their record.

use crate::flow::read_paper;
use domain::id::{AccountId, Identifier as _, OperatorKeyId};
use domain::mode::Mode;
use domain::operator::{Action, Entry};
use domain::paging::{Limit, Seal};
use domain::text::ShortLine;
use serde_json::json;
use service::operator::Operator;
use testkit::{App, Browser, Shown, pdf};

async fn make_key(app: &App, name: &str) -> (OperatorKeyId, String) {
    let name = ShortLine::parse(name.to_owned()).unwrap();
    let (key, secret) = app.service.create_operator_key(&Operator::command_line(), name).await.unwrap();
    (key.id, secret.reveal().to_owned())
}

/// A browser that is logged in, with the key it used.
async fn logged_in<'a>(app: &'a App, name: &str) -> (Browser<'a>, OperatorKeyId) {
    let (id, key) = make_key(app, name).await;
    let console = Browser::console(app);
    let mut browser = Browser::new(app, &console);
    let page = browser.post("/login", &[("key", &key)]).await;
    assert_eq!((page.status, page.path.as_str()), (200, "/"), "{}", page.text);
    (browser, id)
}

async fn record(app: &App) -> Vec<Entry> {
    let page = app.service.operator_log(None, Limit::new(100).unwrap(), None, &Seal::new("test")).await;
    page.unwrap().items
}

/// The last line about this. The clock stands still, so that only lines of different kinds can be told apart.
async fn last(app: &App, action: Action) -> Entry {
    let found = record(app).await.into_iter().find(|entry| entry.action == action);
    found.unwrap_or_else(|| panic!("{action:?} is not in the record"))
}

async fn count(app: &App, action: Action) -> usize {
    record(app).await.iter().filter(|entry| entry.action == action).count()
}

fn is_door(page: &Shown) -> bool {
    page.path.starts_with("/login") && page.text.contains("Operator key")
}

testkit::on_both_engines! {
    async fn a_key_opens_the_console_until_it_is_revoked(app: App) {
        let (id, key) = make_key(&app, "Ada").await;
        let mut browser = Browser::new(&app, &Browser::console(&app));
        let door = browser.get("/accounts?done=suspended").await;
        assert!(is_door(&door), "{}", door.path);
        assert_eq!(door.hidden("next"), "/accounts?done=suspended");
        let wrong = browser.post("/login", &[("key", "tm_op_wrong"), ("next", "/accounts")]).await;
        assert_eq!(wrong.status, 401);
        assert!(wrong.text.contains("opens nothing here") && browser.cookie.is_none());
        assert_eq!(last(&app, Action::LoginFailed).await.operator, "");

        let answer = browser.submit("/login", &[("key", &key), ("next", "//evil.example")]).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some("/")));
        let cookie = answer.header("set-cookie").unwrap();
        assert!(cookie.starts_with("__Host-tickmark_console="), "{cookie}");
        for part in ["Path=/", "HttpOnly", "SameSite=Strict", "Secure", "Max-Age=43200"] {
            assert!(cookie.contains(part), "{cookie} has no {part}");
        }
        let page = browser.get("/").await;
        assert_eq!(page.status, 200);
        assert!(page.text.contains("<bdi>Ada</bdi>") && page.text.contains("aria-current=\"page\">Overview"));
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("form-action 'self'"), "{policy}");
        assert_eq!(page.header("cache-control"), Some("no-store"));

        app.service.revoke_operator_key(&Operator::command_line(), id).await.unwrap();
        assert!(is_door(&browser.get("/").await), "a revoked key loses its session at once");
        let again = browser.post("/login", &[("key", &key)]).await;
        assert_eq!(again.status, 401);
        let failed = record(&app).await.into_iter().filter(|entry| entry.action == Action::LoginFailed);
        let entry = failed.max_by_key(|entry| entry.operator.len()).unwrap();
        assert_eq!((entry.operator.as_str(), entry.details.as_str()), ("Ada", "With the revoked key of Ada"));
        assert_eq!(entry.address.as_deref(), Some("198.51.100.9"));
    }

    async fn a_session_ends_by_rest_by_age_and_by_logging_out(app: App) {
        let (mut browser, _) = logged_in(&app, "Ada").await;
        app.clock.advance_seconds(1740);
        assert_eq!(browser.get("/log").await.path, "/log");
        app.clock.advance_seconds(1740);
        assert_eq!(browser.get("/log").await.path, "/log", "a use keeps it open");
        app.clock.advance_seconds(1200);
        assert_eq!(browser.look("/live.json").await.status, 200);
        app.clock.advance_seconds(660);
        assert!(is_door(&browser.get("/log").await), "what a page asks for by itself does not");

        let (mut browser, _) = logged_in(&app, "Bea").await;
        for _ in 0..36 {
            app.clock.advance_seconds(1200);
            browser.get("/log").await;
        }
        assert!(is_door(&browser.get("/log").await), "twelve hours are the most");

        let (mut browser, _) = logged_in(&app, "Cem").await;
        let cookie = browser.cookie.clone();
        let page = browser.get("/").await;
        assert!(is_door(&browser.post_from(&page, "/logout", &[]).await));
        browser.cookie = cookie;
        assert!(is_door(&browser.get("/").await), "the cookie opens nothing any more");
        assert_eq!(last(&app, Action::Logout).await.operator, "Cem");
    }

    async fn guessing_is_slow_and_recorded_within_bounds(app: App) {
        let (_, key) = make_key(&app, "Ada").await;
        let mut browser = Browser::new(&app, &Browser::console(&app));
        for _ in 0..10 {
            assert_eq!(browser.submit("/login", &[("key", "guess")]).await.status, 401);
        }
        let refused = browser.submit("/login", &[("key", &key)]).await;
        assert_eq!(refused.status, 429, "even the right key waits");
        assert!(refused.header("retry-after").is_some());
        assert_eq!(count(&app, Action::LoginFailed).await, 10);
        app.clock.advance_seconds(60);
        assert_eq!(browser.post("/login", &[("key", &key)]).await.path, "/");
    }

    async fn only_forms_of_the_same_session_and_origin_change_something(app: App) {
        let (mut browser, _) = logged_in(&app, "Ada").await;
        let query = format!("change=suspend&account={}", app.account.id);
        let page = browser.get(&format!("/confirm?{query}")).await;
        let account = app.account.id.to_string();
        let once = page.hidden("once");
        let fields = [("change", "suspend"), ("account", account.as_str()), ("once", once.as_str()), ("reason", "x")];
        assert_eq!(browser.post("/confirm", &fields).await.status, 403, "no seal");
        let (mut other, _) = logged_in(&app, "Eve").await;
        let others_page = other.get("/").await;
        let foreign = browser.post_from(&others_page, "/confirm", &fields).await;
        assert_eq!(foreign.status, 403, "another session's seal");
        for origin in [Some("https://evil.example"), Some("null"), None] {
            browser.origin = origin.map(str::to_owned);
            assert_eq!(browser.post_from(&page, "/confirm", &fields).await.status, 403, "{origin:?}");
        }
        assert!(app.service.account(app.account.id).await.unwrap().suspended_at.is_none());
        browser.origin = Some("https://console.test".to_owned());
        assert_eq!(browser.post_from(&page, "/confirm", &fields).await.status, 200);
        assert!(app.service.account(app.account.id).await.unwrap().suspended_at.is_some());
        browser.origin = Some("https://evil.example".to_owned());
        assert_eq!(browser.submit("/login", &[("key", "x")]).await.status, 403, "nor can one be logged in");
    }

    async fn an_account_is_made_given_keys_and_credits_and_suspended(app: App) {
        let (mut browser, key_id) = logged_in(&app, "Ada").await;
        let made = browser.change("change=create-account&name=Hill+<b>School</b>&contact=it@hill.example", "new").await;
        assert!(made.text.contains("The account is made."), "{}", made.text);
        assert!(made.text.contains("Hill &lt;b&gt;School&lt;/b&gt;") && !made.text.contains("<b>School"));
        let id = made.path.split(['/', '?']).nth(2).unwrap().to_owned();
        let account = AccountId::parse(&id).unwrap();
        let entry = last(&app, Action::AccountCreated).await;
        assert_eq!(entry.account_id, Some(account));
        assert_eq!((entry.key_id, entry.reason.as_deref()), (Some(key_id), Some("new")));

        let query = format!("change=issue-key&account={id}&mode=live&name=backup&scope=papers:read&networks=192.0.2.0/24");
        let ask = browser.get(&format!("/confirm?{query}")).await;
        assert!(ask.text.contains("A live key &quot;backup&quot; that may do papers:read, from 192.0.2.0/24"), "{}", ask.text);
        assert!(app.service.keys_of(account).await.unwrap().is_empty(), "asking changes nothing");
        let issued = browser.confirm(&ask, &query, "").await;
        let secret = issued.text.split("class=\"secret\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
        assert!(secret.starts_with("tm_sk_live_"), "{secret}");
        let again = browser.confirm(&ask, &query, "").await;
        assert_eq!(again.status, 409, "a confirmation does it once");
        let keys = app.service.keys_of(account).await.unwrap();
        assert_eq!(keys.len(), 1);
        let page = browser.get(&format!("/accounts/{id}/keys")).await;
        assert!(page.text.contains("backup") && !page.text.contains(&secret), "it is shown once");
        assert!(app.service.recognise(&secret, app.service.now()).await.unwrap().is_some());

        let revoked = browser.change(&format!("change=revoke-key&key={}", keys[0].id), "leaked").await;
        assert!(revoked.text.contains("The key is revoked."), "{}", revoked.text);
        let known = app.service.recognise(&secret, app.service.now()).await.unwrap().unwrap();
        assert!(known.key.revoked_at.is_some());
        assert_eq!(last(&app, Action::KeyRevoked).await.account_id, Some(account));

        let query = format!("change=top-up&account={id}&mode=live&amount=500&valid_until=2027-07-31&reference=INV-7");
        let page = browser.change(&query, "").await;
        assert!(page.text.contains("The credits are topped up."), "{}", page.text);
        let query = format!("change=adjust&account={id}&mode=live&amount=-20&description=Counted+twice");
        let page = browser.change(&query, "").await;
        assert!(page.text.contains("Counted twice") && page.text.contains("INV-7"), "{}", page.text);
        let balance = app.service.balance((account, Mode::Live)).await.unwrap();
        assert_eq!(balance.available.0, 480);
        let page = browser.get(&format!("/confirm?change=adjust&account={id}&mode=live&amount=-9000&description=x")).await;
        let refused = browser
            .confirm(&page, &format!("change=adjust&account={id}&mode=live&amount=-9000&description=x"), "")
            .await;
        assert_eq!(refused.status, 402, "{}", refused.text);
        assert_eq!(count(&app, Action::CreditsAdjusted).await, 1, "what was refused is not in the record");

        // So that the last line is the last.
        app.clock.advance_seconds(1);
        let query = format!("change=suspend&account={id}");
        let page = browser.get(&format!("/confirm?{query}")).await;
        assert_eq!(browser.confirm(&page, &query, "").await.status, 400, "a reason is asked for");
        let page = browser.confirm(&page, &query, "invoice not paid").await;
        assert!(page.text.contains("The account is suspended.") && page.text.contains("invoice not paid"));
        let page = browser.change(&format!("change=resume&account={id}"), "").await;
        assert!(page.text.contains("The account goes on."), "{}", page.text);
        assert!(app.service.account(account).await.unwrap().suspended_at.is_none());
    }

    async fn accounts_are_found_by_words_and_everything_by_its_id(app: App) {
        let (mut browser, _) = logged_in(&app, "Ada").await;
        for name in ["École Supérieure", "Hill \u{2067}School", "<script>alert(1)</script>"] {
            app.service.create_account(name.to_owned(), None).await.unwrap();
        }
        app.service.note_account_words().await.unwrap();
        let page = browser.get("/find?q=ecole%20sup").await;
        assert!(page.text.contains("École Supérieure") && !page.text.contains("Northfield"), "{}", page.text);
        let page = browser.get("/find?q=northfield.example").await;
        assert!(page.text.contains("Northfield"), "by the contact's words: {}", page.text);
        let page = browser.get("/find?q=hill").await;
        assert!(page.text.contains("Hill \u{fffd}School"), "what would turn the text is made visible");
        let page = browser.get("/accounts").await;
        assert!(page.text.contains("&lt;script&gt;alert(1)") && !page.text.contains("<script>alert"));
        let page = browser.get(&format!("/find?q={}", app.account.id)).await;
        assert_eq!(page.path, format!("/accounts/{}", app.account.id));
        let key = app.service.keys_of(app.account.id).await.unwrap().remove(0);
        let page = browser.get(&format!("/find?q={}", key.id)).await;
        assert_eq!(page.path, format!("/accounts/{}/keys", app.account.id));
        for path in ["/find?q=", "/find?q=%25", "/find?q=sub_00000000000000000000000000"] {
            assert!([200, 404].contains(&browser.get(path).await.status), "{path}");
        }
    }

    async fn lists_go_on_by_pages_and_refuse_cursors_of_others(app: App) {
        let (mut browser, _) = logged_in(&app, "Ada").await;
        for number in 0..60 {
            app.clock.advance_seconds(1);
            app.service.create_account(format!("School {number:02}"), None).await.unwrap();
        }
        let first = browser.get("/accounts").await;
        assert!(first.text.contains("School 59") && !first.text.contains("School 09"));
        let next = first.text.split("rel=\"next\" href=\"").nth(1).unwrap().split('"').next().unwrap();
        let next = next.replace("&amp;", "&");
        let second = browser.get(&next).await;
        assert!(second.text.contains("School 09") && second.text.contains("Northfield"), "{}", second.text);
        assert!(!second.text.contains("rel=\"next\"") && second.text.contains("First page"));
        let foreign = next.replace("/accounts", "/log");
        assert_eq!(browser.get(&foreign).await.status, 400);
        assert_eq!(browser.get("/events?cursor=nonsense").await.status, 400);
    }

    async fn a_students_script_is_shown_for_a_recorded_reason_only(app: App) {
        let paper = read_paper(&app, json!({})).await;
        let paper_id = paper["id"].as_str().unwrap();
        app.post(&format!("/v1/papers/{paper_id}/approve")).key(&app.test_key).send().await;
        let file = app.upload("answer_script", "application/pdf", &pdf::of_text("1. photosynthesis")).await;
        let body = json!({"paper_id": paper_id, "student": {"external_id": "s-77", "name": "Zo\u{eb} <i>Q</i>"},
            "files": [{"file_id": file}], "test_outcome": "succeed"});
        let made = app.post("/v1/submissions").key(&app.test_key).once("one").json(&body).send().await;
        assert_eq!(made.status, 201, "{}", made.text);
        app.run_jobs().await;
        let id = made.body["id"].as_str().unwrap();
        let (mut browser, key_id) = logged_in(&app, "Ada").await;
        let account = app.account.id;
        let list = browser.get(&format!("/accounts/{account}/submissions?mode=test&student=s-77")).await;
        assert!(list.text.contains(id) && !list.text.contains("Zo\u{eb}"), "{}", list.text);
        let path = format!("/submissions/{id}");
        let page = browser.get(&path).await;
        assert!(page.text.contains("graded") || page.text.contains("released"), "{}", page.text);
        assert!(!page.text.contains("s-77") && !page.text.contains("Zo\u{eb}"));
        let student = format!("{path}/student");
        assert!(!browser.get(&student).await.text.contains("Zo\u{eb}"));
        assert_eq!(browser.post_from(&page, &student, &[("reason", " ")]).await.status, 400);
        let shown = browser.post_from(&page, &student, &[("reason", "ticket 12")]).await;
        assert!(shown.text.contains("Zo\u{eb} &lt;i&gt;Q&lt;/i&gt;") && shown.text.contains("s-77"), "{}", shown.text);
        let entry = last(&app, Action::StudentShown).await;
        assert_eq!(entry.key_id, Some(key_id));
        assert_eq!((entry.reason.as_deref(), entry.object_id.as_deref()), (Some("ticket 12"), Some(id)));
        assert_eq!(entry.account_id, Some(account));

        let (mut other, _) = logged_in(&app, "Bea").await;
        assert!(!other.get(&shown.path).await.text.contains("Zo\u{eb}"), "the reason is one person's");
        app.clock.advance_seconds(960);
        assert!(!browser.get(&shown.path).await.text.contains("Zo\u{eb}"), "and holds for a while");
        for path in [format!("/accounts/{account}/papers?mode=test"), format!("/papers/{paper_id}"),
            format!("/accounts/{account}/events?mode=test"), "/events".to_owned(), "/log".to_owned()] {
            let page = browser.get(&path).await;
            assert_eq!(page.status, 200, "{path}");
            assert!(!page.text.contains("Zo\u{eb}") && !page.text.contains("s-77"), "{path}");
        }
    }

    async fn failures_are_told_with_their_reasons_and_every_page_opens(app: App) {
        let file = app.upload("question_paper", "application/pdf", &pdf::of_text("1 Why?")).await;
        let scheme = app.upload("marking_scheme", "application/pdf", &pdf::of_text("1 So")).await;
        let body = json!({"title": "Broken", "subject_id": app.subject().await,
            "question_paper": {"file_id": file}, "marking_scheme": {"file_id": scheme}, "test_outcome": "file_unreadable"});
        let made = app.post("/v1/papers").key(&app.test_key).once("p").json(&body).send().await;
        assert_eq!(made.status, 201, "{}", made.text);
        app.run_jobs().await;
        let (mut browser, _) = logged_in(&app, "Ada").await;
        let page = browser.get("/failures?of=papers").await;
        assert!(page.text.contains("file_unreadable") && page.text.contains(made.body["id"].as_str().unwrap()));
        assert!(browser.get("/failures").await.text.contains("Nothing failed."));
        let event = browser.get("/events").await;
        assert!(event.text.contains("paper.failed"), "{}", event.text);
        let path = event.text.split("href=\"/events/").nth(1).unwrap().split('"').next().unwrap().to_owned();
        assert_eq!(browser.get(&format!("/events/{path}")).await.status, 200);
        let page = browser.change(&format!("change=resend&event={path}"), "asked by mail").await;
        assert!(page.text.contains("The event is sent again."), "{}", page.text);
        assert_eq!(last(&app, Action::EventResent).await.account_id, Some(app.account.id));
        let account = app.account.id;
        for path in ["/".to_owned(), "/accounts/new".to_owned(), "/settings".to_owned(), format!("/accounts/{account}"),
            format!("/accounts/{account}/credits?mode=test&type=top_up"), format!("/accounts/{account}/endpoints"),
            format!("/accounts/{account}/papers?mode=test&status=failed&external_id=x"), format!("/accounts/{account}/log"),
            format!("/accounts/{account}/submissions?paper_id=x&status=failed&student=y")] {
            let page = browser.get(&path).await;
            assert_eq!((page.status, page.path.as_str()), (200, path.as_str()));
            assert!(page.text.starts_with("<!doctype html>") && page.text.contains("<h1>"), "{path}");
        }
        for path in ["/nothing", "/papers/x", "/confirm?change=retry&job=job_1", "/submissions/sub_00000000000000000000000000"] {
            assert!([400, 404].contains(&browser.get(path).await.status), "{path}");
        }
    }

    async fn the_settings_and_checks_are_shown_and_secrets_are_not(app: App) {
        let (mut browser, _) = logged_in(&app, "Ada").await;
        let page = browser.get("/settings").await;
        assert!(page.text.contains("master_key") && page.text.contains("(hidden)"));
        assert!(page.text.contains("not run since"));
        let page = browser.post_from(&page, "/settings/check", &[]).await;
        assert!(page.text.contains("little is &lt;left&gt;") && page.text.contains("make room"), "{}", page.text);
    }

    async fn two_operators_confirm_the_same_page_and_it_happens_twice_only_if_asked_twice(app: App) {
        let (mut ada, _) = logged_in(&app, "Ada").await;
        let (mut bea, _) = logged_in(&app, "Bea").await;
        let query = format!("change=top-up&account={}&mode=live&amount=100", app.account.id);
        let page = ada.get(&format!("/confirm?{query}")).await;
        let others = bea.get(&format!("/confirm?{query}")).await;
        let (one, two) = tokio::join!(ada.confirm(&page, &query, ""), bea.confirm(&others, &query, ""));
        assert_eq!((one.status, two.status), (200, 200));
        assert_eq!(ada.confirm(&page, &query, "").await.status, 409);
        assert_eq!(app.service.balance(app.owner()).await.unwrap().available.0, 1_200);
    }
}

#[tokio::test]
async fn plain_http_is_for_this_machine_only() {
    let app = App::start(testkit::Engine::Sqlite).await;
    let (_, key) = make_key(&app, "Ada").await;
    let mut browser = Browser::new(&app, &Browser::console(&app));
    browser.connection.tls = false;
    assert_eq!(browser.look("/login").await.status, 403);
    browser.connection.peer.set_ip("127.0.0.1".parse().unwrap());
    let page = browser.submit("/login", &[("key", &key)]).await;
    let cookie = page.header("set-cookie").unwrap();
    assert!(cookie.starts_with("tickmark_console=") && !cookie.contains("Secure"), "{cookie}");
    assert_eq!(browser.get("/").await.status, 200);
}

#[tokio::test]
async fn forms_have_bounds() {
    let app = App::start(testkit::Engine::Sqlite).await;
    let (mut browser, _) = logged_in(&app, "Ada").await;
    let long = "x".repeat(20_000);
    assert_eq!(browser.submit("/login", &[("key", &long)]).await.status, 400);
    let many: Vec<(&str, &str)> = (0..70).map(|_| ("scope", "papers:read")).collect();
    assert_eq!(browser.submit("/login", &many).await.status, 400);
    for query in [
        "change=nothing",
        "change=top-up&account=acct_x",
        "change=create-account&name=",
        "change=create-account&name=a%00b",
        "change=create-account&name=x&contact=nobody",
    ] {
        assert!([400, 404].contains(&browser.get(&format!("/confirm?{query}")).await.status), "{query}");
    }
}
