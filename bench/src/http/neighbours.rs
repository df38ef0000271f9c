//! What one account sees of another that asks for as much as it can: the slowest of its requests, with and without.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use domain::account::Account;
use domain::mode::Mode;
use domain::web_url::Reach;
use http::Request;
use http_body_util::Full;
use serde_json::{Value, json};
use service::accounts::AccountChanges;
use service::keys::NewKey;
use store::Location;
use testdb::{Durability, Postgres};

use super::load::{self, Load};
use super::process::Process;
use super::server::{Arguments, Kind};
use super::setup::{self, Customer};
use crate::table::{Row, Target};

/// Connections of the hostile account, each with one request after the other, refused or not.
const HOSTILE: usize = 16;
/// Rounds with and without; the best of each counts, because the machine only ever adds.
const ROUNDS: usize = 3;
/// Papers of a round.
const PAPERS: usize = 40;
/// Longer than any paper takes that nobody reads.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(5);
const TIMES_MAX: f64 = 2.0;

pub(crate) async fn on_sqlite() -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    compare("SQLite", &folder.path().join("neighbours.db").display().to_string()).await
}

pub(crate) async fn on_postgres() -> anyhow::Result<Vec<Row>> {
    let cluster = Postgres::start(Durability::Full);
    let database = cluster.only_database();
    compare("PostgreSQL", database.url()).await
}

async fn compare(engine: &str, place: &str) -> anyhow::Result<Vec<Row>> {
    let (neighbour, hostile) = people(place).await?;
    let server = Process::start(&Arguments::new(Kind::Real, place, neighbour.customer.account)).await?;
    let address = server.address();
    let paper = neighbour.paper(address, "first").await?;
    let mut best = [[Duration::MAX; 3]; 2];
    for _ in 0..=ROUNDS {
        for (is_attacked, best) in [false, true].into_iter().zip(&mut best) {
            let is_over = Arc::new(AtomicBool::new(false));
            let attack = is_attacked.then(|| attack(address, &hostile, &is_over));
            let seen = neighbour.round(address, &paper).await;
            is_over.store(true, Ordering::Relaxed);
            for attacker in attack.into_iter().flatten() {
                attacker.await??;
            }
            for (best, seen) in best.iter_mut().zip(seen?) {
                *best = seen.min(*best);
            }
        }
    }
    let [alone, attacked] = best;
    let millis = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
    let row = |what: &str, index: usize| Row {
        what: format!("p99 of {what} beside a hostile account, {engine}: without it"),
        measured: millis(attacked[index]),
        baseline: millis(alone[index]),
        value: attacked[index].as_secs_f64() / alone[index].as_secs_f64(),
        target: Some(Target::AtMost(TIMES_MAX)),
        note: String::new(),
    };
    Ok(vec![row("a read", 0), row("a change", 1), row("a paper in test mode until it is read", 2)])
}

/// Who is measured: an account with a key of each mode.
struct Neighbour {
    customer: Customer,
    test_key: String,
}

/// The neighbour, who may ask as often as he likes, and the hostile account with the limits that all begin with.
async fn people(place: &str) -> anyhow::Result<(Neighbour, Customer)> {
    let store = setup::open(&Location::parse(place)).await?;
    let folder = tempfile::tempdir()?;
    let service = setup::service(&store, Reach::Public, folder.path())?;
    service.fill_catalogue().await?;
    let mut customers = setup::customers(&store, 2).await?;
    let (hostile, customer) = (customers.remove(0), customers.remove(0));
    let usual =
        AccountChanges { rate_limit_live: Some(Account::RATE_LIMIT_LIVE), ..AccountChanges::default() };
    service.update_account(hostile.account, usual).await?;
    let free = AccountChanges { rate_limit_test: Some(1_000_000), ..AccountChanges::default() };
    service.update_account(customer.account, free).await?;
    let (_, key) = service.issue_key(customer.account, Mode::Test, NewKey::default()).await?;
    Ok((Neighbour { customer, test_key: key.reveal().to_owned() }, hostile))
}

impl Neighbour {
    /// The p99 of reads, of changes, and of papers from their making until they are read.
    async fn round(&self, address: SocketAddr, paper: &str) -> anyhow::Result<[Duration; 3]> {
        let reads = load::run(address, &Load::get(2, "/v1/papers?limit=20", &self.customer.key)).await?;
        let (path, key) = (paper.to_owned(), self.test_key.clone());
        let changes = Load::new(2, move |_, number| {
            with_body("PATCH", &path, &key, &json!({"metadata": {"round": number.to_string()}}))
        });
        let changes = load::run(address, &changes).await?;
        let mut papers = Vec::new();
        for number in 0..PAPERS {
            let began = Instant::now();
            self.paper(address, &format!("{number} {:?}", Instant::now())).await?;
            papers.push(began.elapsed());
        }
        Ok([p99(reads.latencies), p99(changes.latencies), p99(papers)])
    }

    /// Makes a paper that is read at once, and waits until it is; gives its path.
    async fn paper(&self, address: SocketAddr, name: &str) -> anyhow::Result<String> {
        let key = &self.test_key;
        let ask = async |request| anyhow::Ok(serde_json::from_slice(&load::once(address, request).await?)?);
        let subjects: Value = ask(load::get("/v1/subjects?limit=1", key)).await?;
        let file = json!({"url": "https://example.com/a.pdf"});
        let body = json!({
            "title": name, "subject_id": subjects["data"][0]["id"], "question_paper": file, "marking_scheme": file,
            "test_outcome": "succeed",
        });
        let made: Value = ask(with_body("POST", "/v1/papers", key, &body)).await?;
        let path = format!("/v1/papers/{}", made["id"].as_str().context("an id")?);
        let end = Instant::now() + PATIENCE;
        loop {
            let shown: Value = ask(load::get(&path, key)).await?;
            if shown["status"] != "processing" {
                return Ok(path);
            }
            ensure!(Instant::now() < end, "{path} stays {shown}");
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

/// Asks for everything that is dear, again and again, refused or not.
fn attack(
    address: SocketAddr,
    hostile: &Customer,
    is_over: &Arc<AtomicBool>,
) -> Vec<tokio::task::JoinHandle<anyhow::Result<u64>>> {
    let attacker = |_| {
        let (key, is_over) = (hostile.key.clone(), Arc::clone(is_over));
        tokio::spawn(load::flood(address, move |number| demand(&key, number), is_over))
    };
    (0..HOSTILE).map(attacker).collect()
}

fn demand(key: &str, number: u64) -> Request<Full<Bytes>> {
    let file = json!({"url": format!("https://example.com/{number}.pdf")});
    match number % 4 {
        0 => load::get("/v1/submissions?limit=100&updated_after=2020-01-01T00:00:00Z&status=failed", key),
        1 => load::get("/v1/events?limit=100", key),
        2 => {
            let body = json!({
                "purpose": "answer_script", "filename": "a.pdf", "content_type": "application/pdf",
                "size_bytes": 100_000_000,
            });
            with_body("POST", "/v1/files", key, &body)
        }
        _ => {
            let body = json!({
                "title": "x".repeat(200), "subject_id": "subj_00000000000000000000000001", "question_paper": file,
                "marking_scheme": file,
            });
            with_body("POST", "/v1/papers", key, &body)
        }
    }
}

fn with_body(method: &str, path: &str, key: &str, body: &Value) -> Request<Full<Bytes>> {
    static SENT: AtomicU64 = AtomicU64::new(0);
    // Only what creates something asks for a key.
    let once = (method == "POST").then(|| format!("neighbours-{}", SENT.fetch_add(1, Ordering::Relaxed)));
    once.into_iter()
        .fold(load::request(method, path, key), |request, once| request.header("idempotency-key", once))
        .header("content-type", "application/json")
        .body(Full::from(Bytes::from(body.to_string())))
        .expect("the parts are well formed")
}

fn p99(mut latencies: Vec<Duration>) -> Duration {
    latencies.sort_unstable();
    latencies.get(latencies.len() * 99 / 100).copied().unwrap_or_default()
}
