//! Proof under fire: clients work while the server is killed, its disk is filled, its database is cut off and its clock
//! is moved; at the end the laws must hold. Nothing that was acknowledged is lost, nothing is doubled, the ledger balances
//! and is in order, a poller has missed nothing, every event arrived, every object is in a final state, and no request
//! failed but while something was down. On PostgreSQL there are two servers.

mod api;
mod disk;
mod laws;
mod outage;
mod place;
mod poller;
mod racers;
mod sink;

use anyhow::Context as _;
use api::Api;
use clap::{Args, ValueEnum};
use disk::Disk;
use place::Place;
use poller::Poller;
use racers::Member;
use serde_json::{Value, json};
use sink::Sink;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long, and on what.
#[derive(Debug, Clone, Args)]
pub(crate) struct Arguments {
    /// How long the fire lasts
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// Clients at once: those who send scripts, those who race for members of papers, and two who poll
    #[arg(long, value_name = "N", default_value_t = 64)]
    clients: usize,
    /// Which database; without it one after the other
    #[arg(long)]
    database: Option<Database>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Database {
    Sqlite,
    Postgres,
}

/// Papers whose members are raced for.
const RACED: usize = 4;
/// Between two blows: in a short run all follow closely, in a long one there is calm between them, in which no request
/// may fail.
const PAUSE: Duration = Duration::from_millis(1500);
const CALM: Duration = Duration::from_secs(8);
const LONG: Duration = Duration::from_secs(60);
/// Until everything must be final after the fire.
const SETTLE_WITHIN: Duration = Duration::from_secs(300);

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let disk = Disk::of_this_run();
    if disk.is_none() {
        match Disk::run_on_one(Duration::from_secs(arguments.seconds) >= LONG)? {
            Some(status) => {
                return if status.success() { Ok(()) } else { anyhow::bail!("the run ended with {status}") };
            }
            None => say("The disk is not filled: this system lets nobody mount one for himself."),
        }
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let both = [Database::Sqlite, Database::Postgres];
    for database in both.into_iter().filter(|one| arguments.database.is_none_or(|wanted| wanted == *one)) {
        runtime.block_on(burn(database, arguments, disk.as_ref()))?;
    }
    Ok(())
}

async fn burn(database: Database, arguments: &Arguments, disk: Option<&Disk>) -> anyhow::Result<()> {
    let mut place = Place::new(database)?;
    let burnt = burn_down(&mut place, arguments, disk).await;
    let told = burnt.with_context(|| format!("{database:?}; the end of the log:\n{}", place.log()))?;
    say(&format!("{database:?}: {told}"));
    Ok(())
}

async fn burn_down(place: &mut Place, arguments: &Arguments, disk: Option<&Disk>) -> anyhow::Result<String> {
    let lasting = Duration::from_secs(arguments.seconds);
    let sink = Sink::start().await?;
    place.start().await?;
    let api = place.api()?;
    api.settled(api.post("/v1/webhook_endpoints", "", &json!({"url": sink.url, "events": ["*"]}))).await?;
    let mut papers = vec![api.ready_paper("Under fire").await?];
    for number in 0..RACED {
        papers.push(api.ready_paper(&format!("Raced {number}")).await?);
    }

    let (is_over, number) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let mut racers = Vec::new();
    for (place, paper) in papers.iter().skip(1).enumerate() {
        for (nth, member) in Member::ALL.into_iter().enumerate() {
            let (api, paper, is_over) = (api.of_client(place + nth), paper.clone(), Arc::clone(&is_over));
            racers.push(tokio::spawn(async move { racers::race(&api, &paper, member, &is_over).await }));
        }
    }
    let pollers = ["papers", "submissions"].map(|list| {
        let (api, is_over) = (api.clone(), Arc::clone(&is_over));
        tokio::spawn(async move { Poller::of(list).follow(&api, &is_over).await })
    });
    let others = racers.len() + pollers.len();
    let clients: Vec<_> = (0..arguments.clients.saturating_sub(others).max(1))
        .map(|client| {
            let (api, paper) = (api.of_client(client), papers[0].clone());
            let (is_over, number) = (Arc::clone(&is_over), Arc::clone(&number));
            tokio::spawn(async move { work(&api, &paper, &is_over, &number).await })
        })
        .collect();
    let blows = fire(place, &api, disk, lasting).await?;
    is_over.store(true, Ordering::Relaxed);
    let mut acknowledged = Vec::new();
    for client in clients {
        acknowledged.extend(client.await??);
    }
    let mut changed = Vec::new();
    for racer in racers {
        changed.push(racer.await??);
    }
    wait_until_final(&api, &papers[0]).await?;
    let mut told = vec![format!("{blows} blows in {} s", lasting.as_secs())];
    told.push(laws::check(&api, &papers, &acknowledged, &sink).await?);
    told.push(format!(
        "{} changes acknowledged, the last of each there",
        racers::check(&api, &changed).await?
    ));
    for poller in pollers {
        told.push(poller.await??.check(&api).await?);
    }
    let (faults, unexcused) = place.outages().told();
    anyhow::ensure!(unexcused.is_empty(), "requests failed though nothing was down: {unexcused:#?}");
    told.push(format!("{faults} requests failed, all while something was down"));
    Ok(format!("{}.", told.join("; ")))
}

/// A client: sends scripts, sometimes takes one back, and repeats what it does not know the end of.
async fn work(
    api: &Api,
    paper: &str,
    is_over: &AtomicBool,
    number: &AtomicU64,
) -> anyhow::Result<Vec<Value>> {
    let mut acknowledged = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        let number = number.fetch_add(1, Ordering::Relaxed);
        let outcome = ["succeed", "no_readable_answers", "file_unreadable"][usize::try_from(number % 3)?];
        let file = api.settled(api.upload()).await?;
        let student = format!("student-{number}");
        let body = json!({
            "paper_id": paper, "student": {"external_id": student}, "files": [{"file_id": file}],
            "test_outcome": outcome,
        });
        let made = api.settled(api.post("/v1/submissions", &student, &body)).await?;
        if number.is_multiple_of(7) {
            let path = format!("/v1/submissions/{}/cancel", made["id"].as_str().context("an id")?);
            // Too late is as good.
            let _ = api.settled(api.post(&path, "", &json!({}))).await;
        }
        acknowledged.push(made);
    }
    Ok(acknowledged)
}

/// Kills, fills the disk, cuts off, moves the clock, in turn.
async fn fire(place: &mut Place, api: &Api, disk: Option<&Disk>, lasting: Duration) -> anyhow::Result<usize> {
    let end = Instant::now() + lasting;
    let mut blows = 0;
    let outages = place.outages().clone();
    while Instant::now() < end {
        tokio::time::sleep(if lasting < LONG { PAUSE } else { CALM }).await;
        match blows % 4 {
            3 => api.advance(61).await?,
            blow => {
                outages.begin();
                match (blow, disk) {
                    (0, _) => place.kill(blows / 4).await?,
                    (1, Some(disk)) => disk.fill(place, api).await?,
                    (1, None) => {}
                    _ => place.cut_database().await?,
                }
                outages.end();
            }
        }
        blows += 1;
    }
    Ok(blows)
}

async fn wait_until_final(api: &Api, paper: &str) -> anyhow::Result<()> {
    let end = Instant::now() + SETTLE_WITHIN;
    loop {
        // The leases of dead workers end, and what was put off comes due.
        api.advance(61).await?;
        let paper = api.settled(api.get(&format!("/v1/papers/{paper}"))).await?;
        let counts = &paper["submission_counts"];
        if counts["queued"] == 0 && counts["processing"] == 0 {
            return Ok(());
        }
        anyhow::ensure!(Instant::now() < end, "not everything became final: {counts}");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

#[expect(clippy::print_stdout, reason = "this is what the run found")]
fn say(text: &str) {
    println!("{text}");
}
