//! What a delivery costs: against a bare client that signs and posts the same bodies, and with much that waits.
//!
//! The receiver is a process of its own, so that only the sender's processor time is counted.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use bytes::Bytes;
use domain::clock::{Clock as _, SystemClock};
use domain::event::{Event, EventType};
use domain::id::{AccountId, EventId, Identifier as _, KeyId};
use domain::mode::Mode;
use domain::random::Random;
use domain::web_url::{Reach, WebUrl};
use domain::webhook::{SigningSecret, Subscription, sign};
use futures_util::future::join_all;
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use jiff::{SignedDuration, Timestamp};
use server::random::SystemRandom;
use service::deliveries::Deliveries;
use service::webhooks::NewEndpoint;
use service::{Caller, Service};
use store::{Location, events, sql, turns};
use testdb::{Durability, Postgres};

use crate::cpu::{self, Stopwatch};
use crate::http::{process, setup};
use crate::table::{Row, Target};

/// One account with five endpoints and one with three: eight deliveries at once to each are 64.
const ENDPOINTS: [usize; 2] = [5, 3];
const IN_FLIGHT: usize = 64;
/// Events of each account in one measurement.
const EVENTS: usize = 1_000;
/// Rounds of each; the cheapest counts.
const ROUNDS: usize = 3;
/// What waits in the second measurement.
const STORED_EVENTS: usize = 1_000_000;
const WAITING_RETRIES: usize = 100_000;
/// A tenth of what Svix takes on the same machine with PostgreSQL and Redis.
const ACCEPTED_AND_DELIVERED_US: f64 = 340.0;
/// Rows written in one transaction.
const BATCH: usize = 1_000;

pub(crate) fn run() -> anyhow::Result<Vec<Row>> {
    tokio::runtime::Runtime::new()?.block_on(measure())
}

async fn measure() -> anyhow::Result<Vec<Row>> {
    let sink = Sink::start()?;
    let folder = tempfile::tempdir()?;
    let store = setup::open(&Location::Sqlite(folder.path().join("bench.db"))).await?;
    let service = setup::service(&store, Reach::Development, folder.path())?;
    let customers = setup::customers(&store, ENDPOINTS.len() + 1).await?;
    for (customer, count) in customers.iter().zip(ENDPOINTS) {
        add_endpoints(&service, customer.account, count, sink.address).await?;
    }
    let [first, second, other] = [0, 1, 2].map(|index| customers[index].account);
    let senders = [first, second];

    // Connections are made and code is warm before anything is counted.
    bare(sink.address, IN_FLIGHT * 20).await?;
    deliver(&service, &senders, EVENTS / 10).await?;
    let (mut baseline, mut fresh) = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        baseline = baseline.min(bare(sink.address, EVENTS * ENDPOINTS.iter().sum::<usize>()).await?);
        fresh = fresh.min(deliver(&service, &senders, EVENTS).await?);
    }
    say(&format!("bare client {baseline:.1} µs, delivery {fresh:.1} µs a piece\n"))?;
    fill(&service, other, sink.address).await?;
    let mut burdened = f64::MAX;
    for _ in 0..ROUNDS {
        burdened = burdened.min(deliver(&service, &senders, EVENTS).await?);
    }
    let memory = cpu::memory_mb(std::process::id())?;
    let shared = on_postgres(sink.address).await?;
    let micros = |value: f64| format!("{value:.1} µs CPU");
    Ok(vec![
        Row {
            what: format!("a delivery, {IN_FLIGHT} in flight, everything recorded: a bare client"),
            measured: micros(fresh),
            baseline: micros(baseline),
            value: fresh / baseline,
            target: Some(Target::AtMost(3.0)),
            note: String::new(),
        },
        Row {
            what: format!("the same with {STORED_EVENTS} events and {WAITING_RETRIES} retries: without"),
            measured: micros(burdened),
            baseline: micros(fresh),
            value: burdened / fresh,
            target: Some(Target::AtMost(1.5)),
            note: String::new(),
        },
        Row {
            what: "memory of the sender then".to_owned(),
            measured: format!("{memory:.0} MB"),
            baseline: String::new(),
            value: memory,
            target: Some(Target::AtMost(100.0)),
            note: String::new(),
        },
        shared,
    ])
}

/// Events that are accepted one by one, each in a transaction of its own, and delivered to one endpoint. The processor
/// time of the database's connections counts.
async fn on_postgres(address: SocketAddr) -> anyhow::Result<Row> {
    let cluster = Postgres::start(Durability::Full);
    let database = cluster.only_database();
    let (folder, store) = (tempfile::tempdir()?, setup::open(&Location::parse(database.url())).await?);
    let service = setup::service(&store, Reach::Development, folder.path())?;
    let customers = setup::customers(&store, IN_FLIGHT).await?;
    for customer in &customers {
        add_endpoints(&service, customer.account, 1, address).await?;
    }
    let (mut accepted, mut delivered) = (f64::MAX, f64::MAX);
    for round in 0..=ROUNDS {
        let before = process::connections(&store).await?;
        let watch = Stopwatch::start()?;
        let each = EVENTS * 2 / IN_FLIGHT;
        let clients = customers.iter().map(|customer| accept(&service, customer.account, each));
        join_all(clients).await.into_iter().collect::<anyhow::Result<()>>()?;
        let accepting = watch.stop()?.cpu + process::connections(&store).await?.saturating_sub(before);
        let before = process::connections(&store).await?;
        let watch = Stopwatch::start()?;
        Deliveries::new(service.clone()).run_due().await?;
        let delivering = watch.stop()?.cpu + process::connections(&store).await?.saturating_sub(before);
        let micros = |time: Duration| time.as_secs_f64() * 1e6 / (each * IN_FLIGHT) as f64;
        if round > 0 && micros(accepting) + micros(delivering) < accepted + delivered {
            (accepted, delivered) = (micros(accepting), micros(delivering));
        }
    }
    let both = accepted + delivered;
    Ok(Row {
        what: "an event accepted by itself and delivered, PostgreSQL, with the database's own time, µs"
            .to_owned(),
        measured: format!("{both:.0} µs CPU"),
        baseline: String::new(),
        value: both,
        target: Some(Target::AtMost(ACCEPTED_AND_DELIVERED_US)),
        note: format!("{accepted:.0} accepted, {delivered:.0} delivered"),
    })
}

/// Lets events happen one after the other, as requests do.
async fn accept(service: &Service, account: AccountId, count: usize) -> anyhow::Result<()> {
    for _ in 0..count {
        happen(service, account, 1).await?;
    }
    Ok(())
}

fn caller(account_id: AccountId) -> Caller {
    Caller { account_id, mode: Mode::Live, key_id: KeyId::from_number(0) }
}

async fn add_endpoints(
    service: &Service,
    account: AccountId,
    count: usize,
    address: SocketAddr,
) -> anyhow::Result<()> {
    for number in 0..count {
        let url = WebUrl::parse_endpoint(&format!("http://{address}/{number}"), Reach::Development);
        let url = url.map_err(|problem| anyhow::anyhow!("the url {problem}"))?;
        let events = Subscription::parse("*").context("it is a list of events")?;
        service.create_endpoint(&caller(account), NewEndpoint { url, events, description: None }).await?;
    }
    Ok(())
}

/// Lets events happen and delivers them; gives the processor time of one delivery in microseconds.
async fn deliver(service: &Service, accounts: &[AccountId], count: usize) -> anyhow::Result<f64> {
    for &account in accounts {
        happen(service, account, count).await?;
    }
    let watch = Stopwatch::start()?;
    Deliveries::new(service.clone()).run_due().await?;
    let deliveries = count * ENDPOINTS.iter().sum::<usize>();
    Ok(watch.stop()?.cpu.as_secs_f64() * 1e6 / deliveries as f64)
}

async fn happen(service: &Service, account: AccountId, count: usize) -> anyhow::Result<()> {
    let random = SystemRandom::default();
    for start in (0..count).step_by(BATCH) {
        let batch: Vec<Event> =
            (start..count.min(start + BATCH)).map(|_| event(account, service.now(), &random)).collect();
        let write = service.store().write(batch, |tx, batch| {
            Box::pin(async move {
                for event in batch {
                    turns::take(tx, (event.account_id, event.mode), event.created_at).await?;
                    let event = Event { created_at: tx.time()?, ..event.clone() };
                    events::record(tx, &event).await?;
                }
                Ok::<_, store::Error>(())
            })
        });
        write.await?;
    }
    Ok(())
}

/// About as large as a submission's.
fn event(account_id: AccountId, now: Timestamp, random: &dyn Random) -> Event {
    let snapshot =
        format!(r#"{{"id":"sub_1","object":"submission","metadata":{{"note":"{}"}}}}"#, "x".repeat(800));
    Event {
        id: EventId::new(now, random),
        account_id,
        mode: Mode::Live,
        kind: EventType::SubmissionReleased,
        object_id: Some("sub_1".to_owned()),
        snapshot,
        created_at: now,
    }
}

/// The baseline: tasks that each sign and post the same body again and again, and remember nothing.
async fn bare(address: SocketAddr, count: usize) -> anyhow::Result<f64> {
    let client: Client<HttpConnector, Full<Bytes>> =
        Client::builder(TokioExecutor::new()).pool_max_idle_per_host(IN_FLIGHT).build_http();
    let random = SystemRandom::default();
    let secret = SigningSecret::new(&random);
    let one = event(AccountId::from_number(1), SystemClock::default().now(), &random);
    let body = (api::wire().event)(&one).context("an event can be written")?;
    let left = Arc::new(AtomicUsize::new(count));
    let watch = Stopwatch::start()?;
    let tasks = (0..IN_FLIGHT).map(|_| {
        let (client, secret, body) = (client.clone(), secret.clone(), body.clone());
        let left = Arc::clone(&left);
        tokio::spawn(async move {
            let clock = SystemClock::default();
            let take = |left: usize| left.checked_sub(1);
            while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok() {
                let body = Bytes::from(body.clone());
                let signature = sign([&secret], clock.now().as_second(), &body);
                let request = http::Request::post(format!("http://{address}/0"))
                    .header("content-type", "application/json")
                    .header("user-agent", "Service-Webhooks/1")
                    .header("service-signature", signature)
                    .body(Full::new(body))?;
                client.request(request).await?.into_body().collect().await?;
            }
            anyhow::Ok(())
        })
    });
    for task in join_all(tasks).await {
        task??;
    }
    Ok(watch.stop()?.cpu.as_secs_f64() * 1e6 / count as f64)
}

/// Stores a million events of another account, a tenth of which wait to be tried again.
async fn fill(service: &Service, account: AccountId, address: SocketAddr) -> anyhow::Result<()> {
    say("storing what is to be in the way …\n")?;
    happen(service, account, STORED_EVENTS).await?;
    add_endpoints(service, account, 5, address).await?;
    let later = service.now() + SignedDuration::from_hours(6);
    let input = (account, later, i64::try_from(WAITING_RETRIES / 5)?);
    let write = service.store().write(input, |tx, (account, later, each)| {
        Box::pin(async move {
            let waiting = "INSERT INTO deliveries (event_id, endpoint_id, status, attempts, first_at, next_at, is_resend) \
                           SELECT events.id, webhook_endpoints.id, 'waiting', 5, $2, $2, FALSE \
                           FROM webhook_endpoints, (SELECT id FROM events WHERE account_id = $1 LIMIT $3) AS events \
                           WHERE webhook_endpoints.account_id = $1";
            tx.execute(sql(waiting).bind(account.to_string()).bind(*later).bind(*each)).await?;
            let queues = "INSERT INTO delivery_queues (endpoint_id, due_at) \
                          SELECT id, $2 FROM webhook_endpoints WHERE account_id = $1";
            tx.execute(sql(queues).bind(account.to_string()).bind(*later)).await?;
            Ok::<_, store::Error>(())
        })
    });
    Ok(write.await?)
}

fn say(text: &str) -> std::io::Result<()> {
    std::io::stdout().lock().write_all(text.as_bytes())
}

/// The receiver: a process of its own that answers 200 to everything.
struct Sink {
    child: Child,
    address: SocketAddr,
}

impl Sink {
    fn start() -> anyhow::Result<Sink> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("sink")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().context("its output is ours")?).read_line(&mut line)?;
        Ok(Sink { child, address: line.trim().parse()? })
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the receiver's process does.
pub(crate) fn receive() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        say(&format!("{}\n", socket.local_addr()?))?;
        let router = axum::Router::new().fallback(|body: Bytes| async move { drop(body) });
        // It ends with the process that asked for it, or after the longest measurement.
        let _ = tokio::time::timeout(Duration::from_secs(3600), axum::serve(socket, router)).await;
        Ok(())
    })
}
