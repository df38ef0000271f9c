//! What must hold after the fire.

use super::api::Api;
use super::sink::Sink;
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// Credits that test mode begins with and those that were added.
const CREDITS: i64 = 10_000 + 1_000_000;
/// The pages of each paper.
const PAPER_PAGES: i64 = 2;
/// Looks for the last deliveries.
const LOOKS: u32 = 60;

/// Checks every law and says what was checked.
pub(super) async fn check(
    api: &Api,
    papers: &[String],
    acknowledged: &[Value],
    sink: &Sink,
) -> anyhow::Result<String> {
    let made = api.all("/v1/submissions").await?;
    let by_id: HashMap<&str, &Value> =
        made.iter().map(|one| Ok((id(one)?, one))).collect::<anyhow::Result<_>>()?;
    for one in acknowledged {
        ensure!(by_id.contains_key(id(one)?), "{} was acknowledged and is lost", id(one)?);
    }
    let students: HashSet<&str> =
        made.iter().filter_map(|one| one["student"]["external_id"].as_str()).collect();
    ensure!(students.len() == made.len(), "a repeated request made a second submission");
    let charged = made.iter().filter(|one| one["billing"]["status"] == "charged").count();
    for one in &made {
        let (status, billing) = (&one["status"], &one["billing"]["status"]);
        let is_right = match status.as_str().unwrap_or_default() {
            "released" => billing == "charged",
            "failed" | "canceled" => billing == "not_charged",
            _ => false,
        };
        ensure!(is_right, "{} is {status} and {billing}", id(one)?);
    }
    let read = PAPER_PAGES * i64::try_from(papers.len())?;
    let lines = ledger(api, i64::try_from(charged)?, read).await?;
    let events = events(api, &made).await?;
    arrived(api, &events, sink).await?;
    Ok(format!(
        "{} submissions acknowledged, {} made, {charged} charged once each, {lines} lines of the ledger in order, \
         {} events, all delivered",
        acknowledged.len(),
        made.len(),
        events.len()
    ))
}

async fn ledger(api: &Api, charged: i64, read: i64) -> anyhow::Result<usize> {
    let balance = api.settled(api.get("/v1/balance")).await?;
    ensure!(balance["held"] == 0, "credits are still held: {balance}");
    ensure!(
        balance["available"] == CREDITS - charged - read,
        "{charged} were charged, but the balance is {balance}"
    );
    let lines = api.all("/v1/credit_transactions").await?;
    let mut before = 0;
    for line in lines.iter().rev() {
        let number = |name: &str| line[name].as_i64().context("a number");
        ensure!(before + number("amount")? == number("balance_after")?, "after {before} comes {line}");
        before = number("balance_after")?;
    }
    let movements: Vec<&Value> = lines.iter().filter(|line| line["type"] == "grading").collect();
    let sources: HashSet<&str> = movements.iter().filter_map(|one| one["source"]["id"].as_str()).collect();
    ensure!(sources.len() == movements.len(), "something was charged twice");
    ensure!(
        i64::try_from(movements.len())? == charged,
        "{} charges for {charged} submissions",
        movements.len()
    );
    Ok(lines.len())
}

/// Each submission has the events of its state, once each.
async fn events(api: &Api, made: &[Value]) -> anyhow::Result<Vec<Value>> {
    let events = api.all("/v1/events").await?;
    let mut seen: HashMap<(&str, &str), u64> = HashMap::new();
    for event in &events {
        let object = event["data"]["object"]["id"].as_str().unwrap_or_default();
        *seen.entry((object, event["type"].as_str().unwrap_or_default())).or_default() += 1;
    }
    for one in made {
        let expected: &[&str] = match one["status"].as_str().unwrap_or_default() {
            "released" => &["submission.graded", "submission.released"],
            "failed" => &["submission.failed"],
            _ => &[],
        };
        for kind in ["submission.graded", "submission.released", "submission.failed"] {
            let count = seen.get(&(id(one)?, kind)).copied().unwrap_or_default();
            ensure!(count == u64::from(expected.contains(&kind)), "{} has {count} {kind}", id(one)?);
        }
    }
    Ok(events)
}

async fn arrived(api: &Api, events: &[Value], sink: &Sink) -> anyhow::Result<()> {
    for _ in 0..LOOKS {
        let missing =
            events.iter().filter_map(|event| event["id"].as_str()).filter(|id| !sink.has(id)).count();
        if missing == 0 {
            return Ok(());
        }
        // What failed while the server died is sent again when its time comes.
        api.advance(3600).await?;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let missing: Vec<&str> =
        events.iter().filter_map(|event| event["id"].as_str()).filter(|id| !sink.has(id)).collect();
    anyhow::bail!("{} events never arrived, {:?} among them", missing.len(), missing.first())
}

fn id(object: &Value) -> anyhow::Result<&str> {
    object["id"].as_str().context("every object has an id")
}
