//! What a page costs to read and an answer to mark, with the samples that ship with the project.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use domain::grading::Grading;
use exam::script::Script;
use marker::Builtin;
use marker::meaning::Semantic;
use reader::isolate::{Isolation, Limits, ReadOptions};
use reader::ocr::Weights;
use reader::page::Document;
use reader::print::Prints;
use service::marking::{Beside, Understood, mark_script};

use crate::cpu;
use crate::table::{Row, Target};

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../samples/biology");
/// Enough that the kernel's hundredths of a second do not show.
const TYPED_ROUNDS: u32 = 8;
const ENGINES: u32 = 4;
const ROUNDS_AGAIN: u32 = 10;
const TYPED: [&str; 4] =
    ["script-excellent.pdf", "script-middling.pdf", "script-weak.pdf", "script-boastful.pdf"];

const PHOTOGRAPHED: [&str; 2] = ["script-photographed-1.jpg", "script-photographed-2.jpg"];
/// What a photographed page of the paper may cost, in milliseconds.
const BOOKLET_MAX: f64 = 800.0;
/// What a photographed sheet of twenty lines may cost, in milliseconds.
const SHEET_MAX: f64 = 1600.0;
/// Photographed pages that are read to tell what one costs.
const PAGES_READ: usize = 4;
/// What a typed script of this many parts may cost to mark, in milliseconds.
const SCRIPT_PARTS: f64 = 40.0;
const SCRIPT_MAX: f64 = 6000.0;
/// What an answer may cost that came before, in milliseconds.
const AGAIN_MAX: f64 = 0.05;

pub(crate) fn run() -> anyhow::Result<Vec<Row>> {
    let reader = Isolation::new(Limits::default(), Weights::default());
    let mut rows = vec![
        reading(&reader, "typed", &TYPED, TYPED_ROUNDS)?,
        reading(&reader, "scanned", &["script-scanned.pdf"], 1)?,
        reading(&reader, "photographed", &PHOTOGRAPHED, 1)?,
    ];
    rows.extend(photographed(&reader)?);
    rows.extend(marking(&reader)?);
    Ok(rows)
}

fn read(reader: &Isolation, name: &str) -> anyhow::Result<Document> {
    let bytes = std::fs::read(Path::new(SAMPLES).join(name))?;
    reader.read(&bytes, &ReadOptions::default()).with_context(|| format!("{name} cannot be read"))
}

/// Processor time of this process and of its children that have ended.
fn spent() -> anyhow::Result<Duration> {
    cpu::time_with_children(std::process::id())
}

/// A page read in a child process of its document's own, which is started, given the file and ended.
fn reading(reader: &Isolation, kind: &str, files: &[&str], rounds: u32) -> anyhow::Result<Row> {
    let begun = spent()?;
    let mut pages = 0;
    for _ in 0..rounds {
        for file in files {
            pages += read(reader, file)?.pages.len();
        }
    }
    Ok(row(format!("page read, {kind}"), spent()?.saturating_sub(begun), pages, ""))
}

/// Photographed pages with the paper at hand, as scripts are read: one that is the paper's own, where only the student's
/// ink is looked at, and a sheet of twenty lines. Against the same pages read whole and with all letters.
fn photographed(reader: &Isolation) -> anyhow::Result<Vec<Row>> {
    let options = ReadOptions { keep_prints: true, ..ReadOptions::default() };
    let paper = std::fs::read(Path::new(SAMPLES).join("paper.pdf"))?;
    let prints = Prints::of(&reader.read(&paper, &options)?);
    let booklet = PHOTOGRAPHED.map(|name| Path::new(SAMPLES).join(name));
    let sheet = Path::new(env!("CARGO_MANIFEST_DIR")).join("pages/sheet.jpg");
    Ok(vec![
        with_paper(reader, &prints, "on the paper's own pages", &booklet, BOOKLET_MAX)?,
        with_paper(reader, &prints, "a sheet of 20 lines", &[sheet], SHEET_MAX)?,
    ])
}

fn with_paper(
    reader: &Isolation,
    prints: &Prints,
    kind: &str,
    files: &[PathBuf],
    most: f64,
) -> anyhow::Result<Row> {
    let per_page = |prints: &Prints| -> anyhow::Result<f64> {
        let begun = spent()?;
        let mut pages = 0;
        for path in files.iter().cycle().take(PAGES_READ.next_multiple_of(files.len())) {
            pages += reader.read_over(&std::fs::read(path)?, &ReadOptions::default(), prints)?.pages.len();
        }
        Ok(milliseconds(spent()?.saturating_sub(begun), pages))
    };
    let (own, whole) = (per_page(prints)?, per_page(&Prints::default())?);
    Ok(Row {
        what: format!("page read, photographed, {kind}"),
        measured: format!("{own:.0} ms"),
        baseline: format!("{whole:.0} ms"),
        value: own / whole.max(f64::MIN_POSITIVE),
        target: Some(Target::AtMost(most / whole.max(f64::MIN_POSITIVE))),
        note: format!("at most {most} ms; against the page read whole, with all letters"),
    })
}

/// An answer marked: by an engine that has not met it, and again by one that has.
fn marking(reader: &Isolation) -> anyhow::Result<Vec<Row>> {
    let paper = read(reader, "paper.pdf")?;
    let questions = Understood::from(exam::read(&paper, &read(reader, "scheme.pdf")?).questions);
    let scripts: Vec<Script> = TYPED
        .iter()
        .map(|name| Ok(exam::script::read(&paper, &questions, &[read(reader, name)?])))
        .collect::<anyhow::Result<_>>()?;
    let mut engines = Vec::new();
    for _ in 0..ENGINES {
        engines.push(Builtin::new(Arc::new(Semantic::load()?)));
    }
    let begun = spent()?;
    let first = mark_all(&engines, &questions, &scripts)?;
    let once = spent()?;
    let mut again = 0;
    for _ in 0..ROUNDS_AGAIN {
        again += mark_all(&engines, &questions, &scripts)?;
    }
    let twice = spent()?;
    let anew = row("answer marked".to_owned(), once.saturating_sub(begun), first, "the first of its wording");
    let known = row("answer marked".to_owned(), twice.saturating_sub(once), again, "one that came before");
    let script = SCRIPT_PARTS * anew.value;
    let whole = Row {
        what: format!("typed script of {SCRIPT_PARTS} parts marked"),
        measured: format!("{:.2} s", script / 1e3),
        value: script,
        target: Some(Target::AtMost(SCRIPT_MAX)),
        note: "in ms; every answer the first of its wording".to_owned(),
        ..anew.clone()
    };
    Ok(vec![anew, whole, Row { target: Some(Target::AtMost(AGAIN_MAX)), ..known }])
}

/// Every script by every engine; gives the number of answers.
fn mark_all(engines: &[Builtin], questions: &Understood, scripts: &[Script]) -> anyhow::Result<usize> {
    let mut answers = 0;
    for engine in engines {
        for script in scripts {
            let marked = mark_script(questions, script, engine, &Grading::default(), Beside::default())?;
            std::hint::black_box(marked);
            answers += script.answers.len();
        }
    }
    Ok(answers)
}

#[expect(clippy::cast_precision_loss, reason = "a count of pages or answers")]
fn milliseconds(cpu: Duration, count: usize) -> f64 {
    cpu.as_secs_f64() * 1e3 / count.max(1) as f64
}

fn row(what: String, cpu: Duration, count: usize, note: &str) -> Row {
    let milliseconds = milliseconds(cpu, count);
    Row {
        what,
        measured: if milliseconds < 1.0 {
            format!("{:.0} µs", milliseconds * 1e3)
        } else {
            format!("{milliseconds:.1} ms")
        },
        baseline: String::new(),
        value: milliseconds,
        target: None,
        note: note.to_owned(),
    }
}
