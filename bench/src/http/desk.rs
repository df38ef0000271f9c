//! The marking desk of a large class: what its views, a decision, grouping and a preview of an amended scheme cost.

mod exam;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use domain::grading::Grading;
use domain::question::PointChange;
use domain::web_url::Reach;
use futures_util::future::try_join_all;
use http_body_util::Full;
use marker::Builtin;
use marker::meaning::Semantic;
use reader::isolate::{Isolation, Limits, ReadOptions};
use reader::ocr::Weights;
use serde_json::{Value, json};
use service::marking::{Beside, Understood, mark_some};
use store::{Location, Store};

use self::exam::{PARTS, QUESTIONS};
use super::load;
use super::partner::Partner;
use super::process::Process;
use super::server::{Arguments, Kind};
use super::setup;
use crate::cpu::Stopwatch;
use crate::table::{Row, Target};

const SCRIPTS: usize = 500;
/// Clients that upload at once.
const CLIENTS: usize = 4;
/// Enough that the kernel's hundredths of a second do not show.
const VIEWS: usize = 20;
const DECISIONS: usize = 200;
/// The place of the question whose scheme is amended and whose answers are grouped: no two of its first part are the same.
const AMENDED: u32 = 0;
/// A wording that nobody used.
const ALSO: &str = "green plants build up glucose in daylight";

pub(crate) async fn measure() -> anyhow::Result<Vec<Row>> {
    let scripts: Vec<Bytes> = (0..SCRIPTS).map(exam::script).collect();
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("desk.db").display().to_string();
    let store = setup::open(&Location::parse(&place)).await?;
    let customer = setup::customers(&store, 1).await?.remove(0);
    let server = Process::start(&Arguments::new(Kind::Real, &*place, customer.account)).await?;
    let partner = Partner::new(server.address(), customer);
    // What marks cost when they follow decisions is not what a decision costs.
    let more = json!({"results_release": "after_review", "grading": {"learning": false}});
    let paper = partner.paper([exam::paper(), exam::scheme()], more).await?;
    let clients = (0..CLIENTS).map(async |client| {
        let mut ids = Vec::new();
        for number in (0..SCRIPTS).skip(client).step_by(CLIENTS) {
            ids.push(partner.submit(&paper, number, &scripts[number]).await?);
        }
        anyhow::Ok(ids)
    });
    let ids: Vec<String> = try_join_all(clients).await?.concat();
    partner.until_count(&paper, "graded", SCRIPTS).await?;
    let desk = Desk::open(&partner, &paper, &store, folder.path()).await?;
    let mut rows = views(&server, &desk, &ids).await?;
    rows.push(agreed(&server, &desk, &ids).await?);
    let previewed = preview(&server, &partner, &paper).await?;
    let alone = tokio::task::spawn_blocking(move || alone(&scripts)).await??;
    let each = |time: Duration| format!("{:.1} ms CPU", milliseconds(time, SCRIPTS));
    rows.push(Row {
        what: format!("preview of an amended question on {SCRIPTS} scripts, each: marking it alone"),
        measured: each(previewed),
        baseline: each(alone),
        value: previewed.as_secs_f64() / alone.as_secs_f64(),
        target: Some(Target::AtMost(1.2)),
        note: format!("{:.1} s in all", previewed.as_secs_f64()),
    });
    Ok(rows)
}

/// A browser on the paper's desk.
struct Desk<'p> {
    partner: &'p Partner,
    paper: String,
    cookie: String,
}

impl Desk<'_> {
    async fn open<'p>(
        partner: &'p Partner,
        paper: &str,
        store: &Store,
        folder: &std::path::Path,
    ) -> anyhow::Result<Desk<'p>> {
        let links = format!("{paper}/review_links");
        let link = partner.ask("POST", &links, Some(json!({"reviewer": "Ada"}))).await?;
        let token = link["url"].as_str().and_then(|url| url.split_once('#')).context("it has a token")?.1;
        let service = setup::service(store, Reach::Public, folder)?;
        let (_, cookie) = service.open_review(token).await?;
        let paper = paper.rsplit('/').next().unwrap_or_default().to_owned();
        Ok(Desk { partner, paper, cookie })
    }

    async fn ask(&self, method: &str, path: &str, body: Option<Value>) -> anyhow::Result<Bytes> {
        let request = load::request(method, &format!("/review/desk/{path}"), "")
            .header("cookie", format!("__Host-tickmark_review={}", self.cookie))
            .header("x-tickmark-review", &self.paper)
            .header("content-type", "application/json");
        let bytes = body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
        load::once(self.partner.address, request.body(Full::from(bytes))?).await
    }
}

/// The first page of each view, the picture of a page, and all answers to a part grouped.
async fn views(server: &Process, desk: &Desk<'_>, ids: &[String]) -> anyhow::Result<Vec<Row>> {
    let part = format!("answers?question={AMENDED}&part={}", encoded(PARTS[0]));
    let grouped: Value =
        serde_json::from_slice(&desk.ask("GET", &format!("{part}&grouped=true"), None).await?)?;
    ensure!(grouped["all"] == SCRIPTS, "the question view knows {} answers", grouped["all"]);
    let opening: Value = serde_json::from_slice(&desk.ask("GET", "opening", None).await?)?;
    let parts = SCRIPTS * QUESTIONS * PARTS.len();
    ensure!(opening["totals"]["parts"] == parts, "the class has {} answers", opening["totals"]["parts"]);
    let mut rows = Vec::new();
    let script = |round: usize| format!("scripts/{}", ids[round % ids.len()]);
    let first = |what: &str, cost: f64, target| Row {
        what: format!("the desk of {SCRIPTS} scripts of {} parts: {what}", QUESTIONS * PARTS.len()),
        measured: format!("{cost:.1} ms CPU"),
        baseline: String::new(),
        value: cost,
        target,
        note: String::new(),
    };
    let view = Some(Target::AtMost(60.0));
    let cost = each(server, VIEWS, async |_| {
        desk.ask("GET", "opening", None).await?;
        desk.ask("GET", "class?sort=student&page=0", None).await
    });
    rows.push(first("the class", cost.await?, view));
    let cost = each(server, VIEWS, async |_| desk.ask("GET", &part, None).await).await?;
    rows.push(first("a question", cost, view));
    let cost = each(server, VIEWS, async |round| desk.ask("GET", &script(round), None).await).await?;
    rows.push(first("a script", cost, view));
    let cost = each(server, VIEWS, async |round| {
        desk.ask("GET", &format!("{}/pages/0/1", script(round)), None).await
    });
    rows.push(first("the picture of a page, drawn", cost.await?, None));
    let cost = each(server, VIEWS, async |_| desk.ask("GET", &format!("{part}&grouped=true"), None).await);
    let groups = grouped["groups"].as_array().map_or(0, Vec::len);
    rows.push(Row {
        note: format!("{groups} groups"),
        ..first("a question's answers grouped", cost.await?, Some(Target::AtMost(1000.0)))
    });
    Ok(rows)
}

/// An answer that a person agrees with.
async fn agreed(server: &Process, desk: &Desk<'_>, ids: &[String]) -> anyhow::Result<Row> {
    let cost = each(server, DECISIONS, async |round| {
        let step = json!({
            "question": 1 + round / ids.len(), "part": PARTS[1], "say": "agree", "seen": null,
        });
        let body = json!({"submission_id": ids[round % ids.len()], "steps": [step]});
        desk.ask("POST", "decisions", Some(body)).await
    });
    let cost = cost.await?;
    Ok(Row {
        what: "an answer agreed with on the desk".to_owned(),
        measured: format!("{cost:.2} ms CPU"),
        baseline: String::new(),
        value: cost,
        target: Some(Target::AtMost(2.0)),
        note: String::new(),
    })
}

/// What the server spends on an amendment until it was tried on every script.
async fn preview(server: &Process, partner: &Partner, paper: &str) -> anyhow::Result<Duration> {
    let path = format!("{paper}/amendment");
    let change = json!({"part": PARTS[0], "point": 0, "alternatives": [ALSO]});
    let wanted = json!({"question": (AMENDED + 1).to_string(), "points": [change]});
    let before = server.cpu().await?;
    partner.ask("POST", &path, Some(wanted)).await?;
    partner.until(&path, |amendment| amendment["status"] == "previewed").await?;
    let spent = server.cpu().await?.saturating_sub(before);
    let tried = partner.ask("GET", &path, None).await?["tried"].clone();
    ensure!(tried == SCRIPTS, "the amendment was tried on {tried} scripts");
    Ok(spent)
}

/// Marks the amended question of all scripts in this thread, from what was read, with an engine that has marked them by
/// the scheme as it was; gives the time.
fn alone(scripts: &[Bytes]) -> anyhow::Result<Duration> {
    let reader = Isolation::in_process(Limits::default(), Weights::default());
    let read_one = |bytes: &Bytes| reader.read(&bytes[..], &ReadOptions::default());
    let template = read_one(&exam::paper())?;
    let questions = ::exam::read(&template, &read_one(&exam::scheme())?).questions;
    let scripts =
        scripts.iter().map(|bytes| Ok(::exam::script::read(&template, &questions, &[read_one(bytes)?])));
    let scripts: Vec<::exam::script::Script> = scripts.collect::<anyhow::Result<_>>()?;
    let marker = Builtin::new(Arc::new(Semantic::load()?));
    let grading = Grading::default();
    let mark = |questions: &Understood| -> anyhow::Result<Duration> {
        let watch = Stopwatch::start()?;
        for script in &scripts {
            let marked = mark_some(questions, &[AMENDED], script, &marker, &grading, Beside::default())?;
            std::hint::black_box(marked);
        }
        Ok(watch.stop()?.cpu)
    };
    mark(&questions.clone().into())?;
    let mut amended = questions;
    let change = PointChange {
        part: Some(PARTS[0].to_owned()),
        alternatives: Some(vec![ALSO.to_owned()]),
        ..PointChange::default()
    };
    let own = amended.get_mut(AMENDED as usize).context("the paper was read")?;
    *own = own.with_points(&[change]).map_err(|wrong| anyhow::anyhow!("{} {}", wrong.path, wrong.problem))?;
    mark(&amended.into())
}

/// Milliseconds of processor time of one round of something.
async fn each(
    server: &Process,
    rounds: usize,
    mut ask: impl AsyncFnMut(usize) -> anyhow::Result<Bytes>,
) -> anyhow::Result<f64> {
    let before = server.cpu().await?;
    for round in 0..rounds {
        ask(round).await?;
    }
    Ok(milliseconds(server.cpu().await?.saturating_sub(before), rounds))
}

fn milliseconds(cpu: Duration, count: usize) -> f64 {
    cpu.as_secs_f64() * 1e3 / count.max(1) as f64
}

/// A part's label in an address.
fn encoded(label: &str) -> String {
    label.replace('(', "%28").replace(')', "%29")
}
