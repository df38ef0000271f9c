//! Proof under fire: clients work while the server is killed, its disk is filled, its database is cut off and its clock
//! is moved; at the end the laws must hold. Nothing that was acknowledged is lost, nothing is doubled, the ledger balances,
//! every event arrived, every object is in a final state.

mod api;
mod disk;
mod laws;
mod place;
mod sink;

use anyhow::Context as _;
use api::Api;
use clap::{Args, ValueEnum};
use disk::Disk;
use place::Place;
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
    /// Which database; without it one after the other
    #[arg(long)]
    database: Option<Database>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Database {
    Sqlite,
    Postgres,
}

/// Clients at once.
const CLIENTS: u64 = 4;
/// Between two blows.
const PAUSE: Duration = Duration::from_millis(1500);
/// Until everything must be final after the fire.
const SETTLE_WITHIN: Duration = Duration::from_secs(120);

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let disk = Disk::of_this_run();
    if disk.is_none() {
        match Disk::run_on_one()? {
            Some(status) => {
                return if status.success() { Ok(()) } else { anyhow::bail!("the run ended with {status}") };
            }
            None => say("The disk is not filled: this system lets nobody mount one for himself."),
        }
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let both = [Database::Sqlite, Database::Postgres];
    for database in both.into_iter().filter(|one| arguments.database.is_none_or(|wanted| wanted == *one)) {
        runtime.block_on(burn(database, Duration::from_secs(arguments.seconds), disk.as_ref()))?;
    }
    Ok(())
}

async fn burn(database: Database, lasting: Duration, disk: Option<&Disk>) -> anyhow::Result<()> {
    let mut place = Place::new(database)?;
    let burnt = burn_down(database, &mut place, lasting, disk).await;
    burnt.with_context(|| format!("{database:?}; the end of the log:\n{}", place.log()))
}

async fn burn_down(
    database: Database,
    place: &mut Place,
    lasting: Duration,
    disk: Option<&Disk>,
) -> anyhow::Result<()> {
    let sink = Sink::start().await?;
    place.start().await?;
    let api = Arc::new(place.api()?);
    api.settled(api.post("/v1/webhook_endpoints", "", &json!({"url": sink.url, "events": ["*"]}))).await?;
    let paper = api.ready_paper().await?;

    let is_over = Arc::new(AtomicBool::new(false));
    let number = Arc::new(AtomicU64::new(0));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (api, paper) = (Arc::clone(&api), paper.clone());
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
    wait_until_final(&api, &paper).await?;
    let told = laws::check(&api, &paper, &acknowledged, &sink).await?;
    say(&format!("{database:?}: {blows} blows in {} s. {told}", lasting.as_secs()));
    Ok(())
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
    while Instant::now() < end {
        tokio::time::sleep(PAUSE).await;
        match (blows % 4, disk) {
            (0, _) => {
                place.kill().await?;
                place.start().await?;
            }
            (1, Some(disk)) => disk.fill(place, api).await?,
            (1, None) => {}
            (2, _) => place.cut_database().await?,
            _ => api.advance(61).await?,
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
