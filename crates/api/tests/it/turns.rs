//! Order: what a poller has passed stays behind it, and each line of the ledger follows from the one before.

use crate::papers::{again, path, with_outcome};
use crate::submissions::{approve, ready_paper, submit};
use futures_util::future::join_all;
use http::Method;
use serde_json::{Value, json};
use service::accounts::AccountChanges;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::App;

/// Papers that are changed, and how often each of the patchers changes one.
const PAPERS: usize = 5;
const PATCHES: usize = 20;
/// Scripts that are charged for at once.
const SCRIPTS: usize = 24;

async fn without_limit(app: &App) {
    let wanted = AccountChanges { rate_limit_test: Some(1_000_000), ..AccountChanges::default() };
    app.service.update_account(app.account.id, wanted).await.unwrap();
}

/// A client that asks for what changed since what it saw last.
struct Poller<'a> {
    app: &'a App,
    since: String,
    /// What it knows of each paper.
    known: BTreeMap<String, Value>,
}

impl Poller<'_> {
    async fn poll(&mut self) {
        let list = format!("/v1/papers?limit=2&updated_after={}", self.since);
        let mut cursor = String::new();
        loop {
            let page = self.app.get(&format!("{list}{cursor}")).key(&self.app.test_key).send().await;
            assert_eq!(page.status, 200, "{}", page.text);
            for paper in page.body["data"].as_array().unwrap() {
                self.since = paper["updated_at"].as_str().unwrap().to_owned();
                self.known.insert(paper["id"].as_str().unwrap().to_owned(), paper.clone());
            }
            let Some(next) = page.body["next_cursor"].as_str() else { return };
            cursor = format!("&cursor={next}");
        }
    }
}

async fn patch(app: &App, paper: &Value, title: String) {
    let patched = app.ask(Method::PATCH, &path(paper)).key(&app.test_key).json(&json!({"title": title}));
    let answer = patched.send().await;
    assert_eq!(answer.status, 200, "{}", answer.text);
}

/// The lines of the ledger in test mode, oldest first: amount and balance after it.
async fn ledger(app: &App) -> Vec<(i64, i64)> {
    let mut lines = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = format!("/v1/credit_transactions?limit=7{cursor}");
        let page = app.get(&page).key(&app.test_key).send().await.body;
        for line in page["data"].as_array().unwrap() {
            lines.push((line["amount"].as_i64().unwrap(), line["balance_after"].as_i64().unwrap()));
        }
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    lines.reverse();
    lines
}

fn assert_in_order(ledger: &[(i64, i64)]) {
    let mut before = 0;
    for (amount, after) in ledger {
        assert_eq!(before + amount, *after, "a line follows from the one before: {ledger:?}");
        before = *after;
    }
}

testkit::on_both_engines! {
    async fn the_ledger_is_in_order_under_parallel_charges(app: App) {
        without_limit(&app).await;
        let other = app.sibling().await;
        let paper = ready_paper(&app).await;
        for round in 0..2 {
            let submitted = (0..SCRIPTS).map(|number| {
                let app = if number % 2 == 0 { &app } else { &other };
                let paper = &paper;
                async move { submit(app, paper, &format!("s-{round}-{number}"), json!({"test_outcome": "succeed"})).await }
            });
            join_all(submitted).await;
            tokio::join!(app.run_jobs(), other.run_jobs(), app.run_jobs(), other.run_jobs());
        }
        let lines = ledger(&app).await;
        assert!(lines.len() > 2 * SCRIPTS, "every script was charged for: {}", lines.len());
        assert_in_order(&lines);
    }

    async fn a_poller_misses_nothing_during_parallel_changes(app: App) {
        without_limit(&app).await;
        let other = app.sibling().await;
        let mut papers = Vec::new();
        for number in 0..PAPERS {
            let body = crate::flow::paper_body(&app, json!({"test_outcome": "succeed"})).await;
            let made = app.post("/v1/papers").key(&app.test_key).once(&format!("p-{number}")).json(&body).send().await;
            assert_eq!(made.status, 201, "{}", made.text);
            papers.push(made.body);
        }
        let left = AtomicUsize::new(4);
        let patchers = join_all((0..4).map(|patcher| {
            let (papers, left) = (&papers, &left);
            let app = if patcher % 2 == 0 { &app } else { &other };
            async move {
                for number in 0..PATCHES {
                    app.clock.advance_seconds(1);
                    let paper = &papers[(number * 3 + patcher) % PAPERS];
                    patch(app, paper, format!("{patcher}-{number}")).await;
                }
                left.fetch_sub(1, Ordering::SeqCst);
            }
        }));
        let mut poller = Poller { app: &app, since: "2026-11-01T00:00:00Z".to_owned(), known: BTreeMap::new() };
        let polling = async {
            while left.load(Ordering::SeqCst) > 0 {
                // All share one thread here.
                tokio::task::yield_now().await;
                poller.poll().await;
            }
            poller.poll().await;
        };
        tokio::join!(patchers, polling, app.run_jobs());
        poller.poll().await;
        for paper in &papers {
            let known = &poller.known[paper["id"].as_str().unwrap()];
            assert_eq!(known, &again(&app, paper).await, "the poller was left behind");
        }
    }

    async fn a_clock_that_is_set_back_hides_no_change(app: App) {
        let papers = [with_outcome(&app, "succeed").await, with_outcome(&app, "empty_question").await];
        app.run_jobs().await;
        app.clock.advance_seconds(60);
        patch(&app, &papers[0], "First".to_owned()).await;
        let mut poller = Poller { app: &app, since: "2026-11-01T00:00:00Z".to_owned(), known: BTreeMap::new() };
        poller.poll().await;
        app.clock.advance_seconds(-50);
        patch(&app, &papers[1], "Second".to_owned()).await;
        poller.poll().await;
        assert_eq!(poller.known[papers[1]["id"].as_str().unwrap()]["title"], "Second");
        // What falls due follows the clock, not the changes.
        let paper = approve(&app, &papers[0]).await;
        submit(&app, &paper, "s", json!({"test_outcome": "succeed"})).await;
        app.run_jobs().await;
        assert_in_order(&ledger(&app).await);
    }
}
