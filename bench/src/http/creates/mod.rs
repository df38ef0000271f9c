//! Papers and submissions: created over HTTP and by the same statements directly, and while many papers wait.

mod seed;
mod statements;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use bytes::Bytes;
use domain::clock::{Clock as _, SystemClock};
use domain::id::{Identifier as _, JobId};
use http_body_util::Full;
use jiff::SignedDuration;
use serde_json::json;
use server::random::SystemRandom;
use store::{Location, Store, jobs, sql};
use testdb::{Durability, Postgres};

use self::seed::{FILES_EACH, Seed, file_id};
use super::cost::Cost;
use super::direct;
use super::load::{self, Load};
use super::process::{Process, connections};
use super::server::{Arguments, Kind};
use super::setup;
use crate::cpu::Stopwatch;
use crate::table::{Row, Target};

const CONNECTIONS: usize = 64;
/// Papers that wait to be read.
const WAITING: i64 = 10_000;
/// Few enough for the queue of the other contestant to stay short.
const CREATED_A_ROUND: u64 = 1_000;
const CLAIMED_A_ROUND: usize = 500;
const LEASE: SignedDuration = SignedDuration::from_secs(30);

/// What is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    Paper,
    Submission,
}

impl Thing {
    fn name(self) -> &'static str {
        match self {
            Thing::Paper => "paper",
            Thing::Submission => "submission",
        }
    }

    fn files(self) -> usize {
        match self {
            Thing::Paper => 2,
            Thing::Submission => 1,
        }
    }
}

pub(crate) async fn on_sqlite() -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let new = |name: &str| folder.path().join(name).display().to_string();
    let mut rows = Vec::new();
    for thing in [Thing::Paper, Thing::Submission] {
        let places = [0, 1].map(|number| new(&format!("{}-{number}.db", thing.name())));
        rows.push(against_statements(thing, &places).await?);
    }
    let places = [new("long.db"), new("short.db")];
    rows.extend(while_many_wait("SQLite", &places, |_| ()).await?);
    Ok(rows)
}

pub(crate) async fn on_postgres() -> anyhow::Result<Vec<Row>> {
    let cluster = Postgres::start(Durability::Full);
    let databases = [cluster.only_database(), cluster.only_database()];
    let places = databases.each_ref().map(|database| database.url().to_owned());
    // What the server does by itself before long, and must not do while we measure.
    let tidy = |number: usize| cluster.run(databases[number].name(), "VACUUM ANALYZE");
    while_many_wait("PostgreSQL", &places, tidy).await
}

/// Creating over HTTP against the same statements, each on a database of its own.
async fn against_statements(thing: Thing, places: &[String; 2]) -> anyhow::Result<Row> {
    let served = Seed::sow(&places[0], CONNECTIONS, thing).await?;
    let direct = Arc::new(Seed::sow(&places[1], CONNECTIONS, thing).await?);
    let store = setup::open(&Location::parse(&places[1])).await?;
    let server = Process::start(&Arguments::new(Kind::Api, &*places[0], served.customers[0].account)).await?;
    let load = creations(thing, &served);
    let done = Arc::new(Counters::new());
    let round = async |contestant: usize| match contestant {
        0 => Cost::measure(&server, &load).await,
        _ => {
            let (direct, done) = (Arc::clone(&direct), Arc::clone(&done));
            let each_max = FILES_EACH / thing.files() / (super::cost::ROUNDS + 1);
            direct::round(&store, CONNECTIONS, each_max, move |store, client, _| {
                let wanted = statements::Wanted::new(thing, &direct, client, done.next(client));
                async move { store.write(wanted, |tx, wanted| Box::pin(wanted.write(tx))).await }
            })
            .await
        }
    };
    let [http, direct] = Cost::in_turns(round).await?;
    let name = thing.name();
    let what = format!("POST /v1/{name}s, {CONNECTIONS} connections, SQLite: the same statements directly");
    Ok(http.against(direct, what, Some(Target::AtMost(2.0))))
}

/// How many things each client has made.
#[derive(Debug)]
struct Counters(Vec<AtomicUsize>);

impl Counters {
    fn new() -> Counters {
        Counters((0..CONNECTIONS).map(|_| AtomicUsize::new(0)).collect())
    }

    fn next(&self, client: usize) -> usize {
        self.0[client].fetch_add(1, Ordering::Relaxed)
    }
}

/// Each connection creates for one of the customers, with new files and a new key each time.
fn creations(thing: Thing, seed: &Seed) -> Load {
    let (seed, done) = (seed.clone(), Counters::new());
    Load::new(CONNECTIONS, move |connection, _| {
        let number = done.next(connection);
        let file = |index| file_id(connection, number * thing.files() + index).to_string();
        let body = match thing {
            Thing::Paper => json!({
                "title": "Cells and transport", "subject_id": seed.subject.to_string(),
                "question_paper": {"file_id": file(0)}, "marking_scheme": {"file_id": file(1)},
            }),
            Thing::Submission => json!({
                "paper_id": seed.papers[connection].to_string(),
                "student": {"external_id": format!("student-{number}")},
                "files": [{"file_id": file(0)}],
            }),
        };
        load::request("POST", &format!("/v1/{}s", thing.name()), &seed.customers[connection].key)
            .header("content-type", "application/json")
            .header("idempotency-key", statements::idempotency_key(connection, number))
            .body(Full::from(Bytes::from(body.to_string())))
            .expect("the parts are well formed")
    })
}

/// Creating and claiming with 10,000 papers that wait, against none.
async fn while_many_wait(
    engine: &str,
    places: &[String; 2],
    tidy: impl Fn(usize),
) -> anyhow::Result<Vec<Row>> {
    let mut queues = Vec::new();
    for (number, (place, waiting)) in places.iter().zip([WAITING, 0]).enumerate() {
        let seed = Seed::sow(place, CONNECTIONS, Thing::Paper).await?;
        let store = setup::open(&Location::parse(place)).await?;
        seed::fill_queue(&store, &seed, waiting).await?;
        tidy(number);
        let server = Process::start(&Arguments::new(Kind::Api, &**place, seed.customers[0].account)).await?;
        queues.push(Queue { load: creations(Thing::Paper, &seed).at_most(CREATED_A_ROUND), store, server });
    }
    let round = async |contestant: usize| {
        let queue = &queues[contestant];
        let cost = Cost::measure(&queue.server, &queue.load).await?;
        queue.forget_new().await?;
        Ok(cost)
    };
    let [long, short] = Cost::in_turns(round).await?;
    let what = format!("POST /v1/papers while {WAITING} wait, {engine}: while none does");
    let mut rows = vec![long.against(short, what, Some(Target::AtMost(1.5)))];
    for queue in &mut queues {
        // As many as are claimed in a round wait in the other contestant, too.
        queue.refill().await?;
    }
    let round = async |contestant: usize| queues[contestant].claim().await;
    let [long, short] = Cost::in_turns(round).await?;
    let what = format!("claim of a job while {WAITING} papers wait, {engine}: while {CLAIMED_A_ROUND} do");
    rows.push(long.against(short, what, Some(Target::AtMost(1.5))));
    Ok(rows)
}

/// A server with its queue.
struct Queue {
    load: Load,
    store: Store,
    server: Process,
}

impl Queue {
    /// Takes away what a round has added.
    async fn forget_new(&self) -> anyhow::Result<()> {
        self.write("DELETE FROM jobs WHERE NOT subject LIKE 'waiting%'").await
    }

    async fn refill(&self) -> anyhow::Result<()> {
        let count = self.store.read().await?.one::<i64>(sql("SELECT COUNT(*) FROM jobs")).await?;
        let waiting = count.context("it counts")?;
        let missing = i64::try_from(CLAIMED_A_ROUND)? - waiting;
        seed::fill_jobs(&self.store, missing).await
    }

    /// A worker's claims, one after the other; then all wait again.
    async fn claim(&self) -> anyhow::Result<Cost> {
        let (clock, random) = (SystemClock::default(), SystemRandom::default());
        let backends = self.backends().await?;
        let watch = Stopwatch::start()?;
        let mut latencies = Vec::new();
        for _ in 0..CLAIMED_A_ROUND {
            let (now, began) = (clock.now(), std::time::Instant::now());
            let input = (JobId::new(now, &random), now);
            let claimed = self.store.write(input, |tx, &(id, now)| {
                Box::pin(async move {
                    jobs::ensure_singleton(tx, id, "sweep", "sweep", now).await?;
                    jobs::reclaim(tx, now).await?;
                    jobs::wake_delayed(tx, now).await?;
                    jobs::claim(tx, "work", "bench", now + LEASE, &[]).await
                })
            });
            claimed.await?.context("a job waits")?;
            latencies.push(began.elapsed());
        }
        let spent = watch.stop()?;
        let cpu = spent.cpu + self.backends().await?.saturating_sub(backends);
        self.write("UPDATE jobs SET status = 'waiting', lease_owner = NULL, lease_until = NULL").await?;
        Ok(Cost::of(load::Outcome { wall: spent.wall, latencies }, cpu))
    }

    async fn backends(&self) -> anyhow::Result<std::time::Duration> {
        match self.store.engine_name() {
            "postgres" => connections(&self.store).await,
            _ => Ok(std::time::Duration::ZERO),
        }
    }

    async fn write(&self, statement: &'static str) -> anyhow::Result<()> {
        let written = self.store.write(statement, |tx, statement| {
            Box::pin(async move { tx.execute(sql(*statement)).await.map(drop) })
        });
        Ok(written.await.map_err(|error: store::Error| error)?)
    }
}
