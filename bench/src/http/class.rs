//! A class of typed scripts through upload, marking and result, against what reading and marking alone take.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use bytes::Bytes;
use domain::grading::Grading;
use futures_util::future::try_join_all;
use marker::Builtin;
use marker::meaning::Semantic;
use reader::isolate::{Isolation, Limits, ReadOptions};
use reader::ocr::Weights;
use serde::Deserialize;
use serde_json::json;
use service::marking::{Beside, Understood, mark_script};
use store::{Location, Store, sql};

use super::partner::Partner;
use super::process::Process;
use super::server::{Arguments, Kind};
use super::setup;
use crate::cpu::Stopwatch;
use crate::table::{Row, Target};

const SCRIPTS: usize = 200;
/// Clients that upload at once.
const CLIENTS: usize = 4;
/// How a typed line is broken, and where it stands.
const CHARACTERS: usize = 78;
const LINE_POINTS: f32 = 16.0;

pub(crate) async fn measure() -> anyhow::Result<Vec<Row>> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/biology");
    let scripts = scripts(&samples)?;
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("class.db").display().to_string();
    let store = setup::open(&Location::parse(&place)).await?;
    let customer = setup::customers(&store, 1).await?.remove(0);
    let server = Process::start(&Arguments::new(Kind::Real, &*place, customer.account)).await?;
    let partner = Partner::new(server.address(), customer);
    let documents = [read(&samples, "paper.pdf")?, read(&samples, "scheme.pdf")?];
    let paper = partner.paper(documents, json!({"results_release": "automatic"})).await?;
    // The first script makes the server load its models, and is not counted; the baseline's is neither.
    partner.submit(&paper, 0, &scripts[0]).await?;
    partner.until_count(&paper, "released", 1).await?;
    let before = server.cpu().await?;
    let began = std::time::Instant::now();
    let clients = (0..CLIENTS).map(async |client| {
        for number in (1..=SCRIPTS).skip(client).step_by(CLIENTS) {
            partner.submit(&paper, number, &scripts[number]).await?;
        }
        anyhow::Ok(())
    });
    try_join_all(clients).await?;
    partner.until_count(&paper, "released", SCRIPTS + 1).await?;
    let wall = began.elapsed();
    let marks = partner.results(&paper).await?;
    let served = server.cpu().await?.saturating_sub(before);
    let busy = busy_share(&store).await?;
    let (bare, own_marks) = tokio::task::spawn_blocking(move || bare(&samples, &scripts)).await??;
    ensure!(marks == own_marks, "the server gave {marks} half marks, the marker {own_marks}");
    let each = |time: Duration| format!("{:.1} ms CPU", time.as_secs_f64() * 1e3 / SCRIPTS as f64);
    Ok(vec![
        Row {
            what: format!("a typed script of two pages, {SCRIPTS} of them: the reader and the marker alone"),
            measured: each(served),
            baseline: each(bare),
            value: served.as_secs_f64() / bare.as_secs_f64(),
            target: Some(Target::AtMost(1.5)),
            note: format!("{:.1} s in all, {:.1} of CPU", wall.as_secs_f64(), served.as_secs_f64()),
        },
        Row {
            what: "share of the time from the first script to the last with one in marking for each core"
                .to_owned(),
            measured: format!("{busy:.2}"),
            baseline: String::new(),
            value: busy,
            target: Some(Target::AtLeast(0.9)),
            note: String::new(),
        },
    ])
}

/// Of the time from the first script's start to the last one's end, the part in which at least as many scripts as
/// there are processors were being marked.
async fn busy_share(store: &Store) -> anyhow::Result<f64> {
    let statement = "SELECT started_at, graded_at FROM submissions WHERE student_external_id <> 'student-0'";
    let spans = store.read().await?.all::<(i64, i64)>(sql(statement)).await?;
    let mut turns: Vec<(i64, i32)> = spans.iter().flat_map(|&(start, end)| [(start, 1), (end, -1)]).collect();
    turns.sort_unstable();
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    let (mut running, mut busy) = (0_i32, 0);
    for pair in turns.windows(2) {
        running += pair[0].1;
        if usize::try_from(running).is_ok_and(|running| running >= processors) {
            busy += pair[1].0 - pair[0].0;
        }
    }
    let (first, last) = turns.first().zip(turns.last()).context("there are submissions")?;
    Ok(busy as f64 / (last.0 - first.0).max(1) as f64)
}

/// Reads and marks all scripts but the first in this thread; gives the time and the half marks.
fn bare(samples: &Path, scripts: &[Bytes]) -> anyhow::Result<(Duration, u64)> {
    let reader = Isolation::in_process(Limits::default(), Weights::default());
    let read_one = |bytes: &Bytes| reader.read(&bytes[..], &ReadOptions::default());
    let (template, scheme) =
        (read_one(&read(samples, "paper.pdf")?)?, read_one(&read(samples, "scheme.pdf")?)?);
    let questions = Understood::from(exam::read(&template, &scheme).questions);
    let marker = Builtin::new(Arc::new(Semantic::load()?));
    let grading = Grading::default();
    let mark = |script: &Bytes| -> anyhow::Result<u64> {
        let documents = [read_one(script)?];
        let script = exam::script::read(&template, &questions, &documents);
        let result = mark_script(&questions, &script, &marker, &grading, Beside::default())?;
        Ok(u64::from(result.score.awarded.as_halves()))
    };
    let first = mark(&scripts[0])?;
    let watch = Stopwatch::start()?;
    let mut half_marks = first;
    for script in &scripts[1..] {
        half_marks += mark(script)?;
    }
    Ok((watch.stop()?.cpu, half_marks))
}

fn read(samples: &Path, name: &str) -> anyhow::Result<Bytes> {
    let path: PathBuf = samples.join(name);
    let bytes = std::fs::read(&path).with_context(|| format!("{} is missing", path.display()))?;
    Ok(bytes.into())
}

/// What the sample students wrote.
#[derive(Deserialize)]
struct Expected {
    leaves: Vec<Leaf>,
    scripts: BTreeMap<String, Written>,
}

#[derive(Deserialize)]
struct Leaf {
    label: String,
}

#[derive(Deserialize)]
struct Written {
    answers: BTreeMap<String, String>,
}

/// Typed scripts of two pages: the sample students' answers mixed anew, and no longer answer twice the same.
fn scripts(samples: &Path) -> anyhow::Result<Vec<Bytes>> {
    let expected: Expected = serde_json::from_slice(&read(samples, "expected.json")?)?;
    let students: Vec<&Written> = expected.scripts.values().collect();
    let script = |number: usize| {
        let mut pages = [String::new(), String::new()];
        for (index, leaf) in expected.leaves.iter().enumerate() {
            let student = students[(number + index * (number / students.len() + 1)) % students.len()];
            let mut answer = student.answers.get(&leaf.label).map_or("", String::as_str).to_owned();
            if answer.split_whitespace().count() > 3 {
                answer.push_str(&format!(" I saw this with plant {number}."));
            }
            let page = &mut pages[usize::from(index * 2 >= expected.leaves.len())];
            page.push_str(&format!("{}|{}\n", leaf.label, ascii(&answer)));
        }
        let laid_out = pages.each_ref().map(|page| lay_out(page));
        let lines: Vec<Vec<(f32, f32, &str)>> = laid_out
            .iter()
            .map(|page| page.iter().map(|(x, y, text)| (*x, *y, text.as_str())).collect())
            .collect();
        Bytes::from(testkit::pdf::of_lines(&lines))
    };
    Ok((0..=SCRIPTS).map(script).collect())
}

/// The font of these pages has no other letters.
fn ascii(text: &str) -> String {
    let text = text.replace('→', "->").replace('÷', "/").replace('×', "x").replace('³', "3");
    text.chars().map(|letter| if letter.is_ascii() && !letter.is_control() { letter } else { ' ' }).collect()
}

/// Labels in the margin, answers beside them.
fn lay_out(page: &str) -> Vec<(f32, f32, String)> {
    let (mut lines, mut y) = (Vec::new(), 60.0);
    for entry in page.lines() {
        let (label, answer) = entry.split_once('|').unwrap_or(("", entry));
        lines.push((50.0, y, label.to_owned()));
        let mut line = String::new();
        for word in answer.split_whitespace() {
            if line.len() + word.len() >= CHARACTERS {
                lines.push((110.0, y, std::mem::take(&mut line)));
                y += LINE_POINTS;
            }
            line.push_str(word);
            line.push(' ');
        }
        lines.push((110.0, y, line));
        y += 2.0 * LINE_POINTS;
    }
    lines
}
