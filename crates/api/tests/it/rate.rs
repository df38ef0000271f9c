//! The account's minute, and the limit on unrecognised keys.

use domain::mode::Mode;
use service::accounts::AccountChanges;
use service::keys::NewKey;
use testkit::App;

async fn limit_live(app: &App, limit: u32) -> App {
    let changes = AccountChanges { rate_limit_live: Some(limit), ..AccountChanges::default() };
    app.service.update_account(app.account.id, changes).await.unwrap();
    app.sibling().await
}

testkit::on_both_engines! {
    async fn all_keys_of_a_mode_share_the_minute(app: App) {
        let app = &limit_live(&app, 3).await;
        let second = app.issue_key(Mode::Live, NewKey::default()).await;
        for (key, remaining) in [(&app.live_key, "2"), (&second, "1"), (&app.live_key, "0")] {
            let answer = app.get("/v1/account").key(key).send().await;
            assert_eq!(answer.status, 200);
            assert_eq!(answer.header("ratelimit-limit"), Some("3"));
            assert_eq!(answer.header("ratelimit-remaining"), Some(remaining));
            assert_eq!(answer.header("ratelimit-reset"), Some("53"), "the clock stands at 03:05:07");
        }
        let refused = app.get("/v1/account").key(&second).send().await;
        assert_eq!(refused.problem(), "429 rate_limit_exceeded -");
        assert_eq!(refused.header("retry-after"), Some("53"));
        assert_eq!(refused.header("ratelimit-remaining"), Some("0"));
        let test = app.get("/v1/account").key(&app.test_key).send().await;
        assert_eq!(test.header("ratelimit-remaining"), Some("119"), "the other mode has its own");
        app.clock.advance_seconds(53);
        assert_eq!(app.get("/v1/account").send().await.header("ratelimit-remaining"), Some("2"));
    }

    async fn refusals_before_the_limit_use_none_of_it(app: App) {
        let networks = vec!["203.0.113.0/24".parse().unwrap()];
        let elsewhere = app.issue_key(Mode::Live, NewKey { allowed_networks: networks, ..NewKey::default() }).await;
        let none = app.issue_key(Mode::Live, NewKey { scopes: Some([].into_iter().collect()), ..NewKey::default() }).await;
        app.get("/v1/account").key(&elsewhere).send().await;
        app.get("/v1/account").key(&none).send().await;
        app.get("/v1/account").no_key().send().await;
        assert_eq!(app.get("/v1/account").send().await.header("ratelimit-remaining"), Some("599"));
        assert_eq!(app.get("/v1/nothing").send().await.header("ratelimit-remaining"), Some("598"));
        let wrong = app.get("/v1/events?limit=0").send().await;
        assert_eq!(wrong.header("ratelimit-remaining"), Some("597"));
    }

    async fn the_121st_unrecognised_request_closes_the_address(app: App) {
        for number in 0..120 {
            let ask = if number % 2 == 0 { app.get("/v1/account").key("tm_sk_live_x") } else { app.get("/x").no_key() };
            assert_eq!(ask.send().await.status, 401, "{number}");
        }
        let refused = app.get("/v1/account").key("tm_sk_live_x").send().await;
        assert_eq!(refused.problem(), "429 rate_limit_exceeded -");
        assert_eq!(refused.header("retry-after"), Some("53"));
        let valid = app.get("/v1/account").send().await;
        assert_eq!(valid.problem(), "429 rate_limit_exceeded -", "a valid key from there too");
        assert_eq!(valid.header("ratelimit-limit"), None);
        assert_eq!(app.get("/v1/account").from("198.51.100.8").send().await.status, 200);
        app.clock.advance_seconds(53);
        assert_eq!(app.get("/v1/account").send().await.status, 200);
    }

    async fn known_keys_never_count_as_guessing(app: App) {
        let none = app.issue_key(Mode::Live, NewKey { scopes: Some([].into_iter().collect()), ..NewKey::default() }).await;
        let revoked = app.issue_key(Mode::Live, NewKey::default()).await;
        app.post("/v1/api_key/revoke").key(&revoked).send().await;
        for _ in 0..61 {
            assert_eq!(app.get("/v1/account").key(&none).send().await.status, 403);
            assert_eq!(app.get("/v1/account").key(&revoked).send().await.status, 401);
        }
        assert_eq!(app.get("/v1/account").send().await.status, 200);
    }

    async fn an_ipv6_network_counts_as_one(app: App) {
        for number in 0..120 {
            app.get("/v1/account").no_key().from(&format!("2001:db8::{number:x}")).send().await;
        }
        assert_eq!(app.get("/v1/account").from("2001:db8::ffff").send().await.status, 429);
        assert_eq!(app.get("/v1/account").from("2001:db8:0:1::1").send().await.status, 200);
    }
}

/// Two processes on one PostgreSQL: together they grant the limit, never more, and not less either.
#[tokio::test]
async fn processes_share_the_minute_exactly() {
    let first = App::start(testkit::Engine::Postgres).await;
    let first = limit_live(&first, 100).await;
    let second = first.sibling().await;
    let mut granted = 0;
    for number in 0..160 {
        let app = if number % 2 == 0 { &first } else { &second };
        granted += usize::from(app.get("/v1/account").send().await.status == 200);
    }
    assert_eq!(granted, 100);
}

/// What one process took and left unused, another can use.
#[tokio::test]
async fn an_idle_process_gives_its_share_back() {
    let first = App::start(testkit::Engine::Postgres).await;
    let first = limit_live(&first, 120).await;
    let second = first.sibling().await;
    assert_eq!(first.get("/v1/account").send().await.status, 200);
    first.service.give_back_requests(true).await.unwrap();
    let mut granted = 0;
    for _ in 0..130 {
        granted += usize::from(second.get("/v1/account").send().await.status == 200);
    }
    assert_eq!(granted, 119);
}
