//! `tickmark eval`: how well it reads and marks, against material that humans read and marked.

mod pages;
mod scripts;

use super::{Failure, Global, output};
use clap::{Args, Subcommand};
use exam::eval::{self as reading, PairScore, Totals, ratio};
use indicatif::{ProgressBar, ProgressStyle};
use marker::eval as marking;
use marker::meaning::Semantic;
use reader::ocr::{Recogniser, Weights};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Score the reader on question papers with their schemes and what a human read in them
    #[command(after_help = READING_HELP)]
    Reading(Reading),
    /// Score the reading and marking of photographed and scanned answers
    #[command(after_help = pages::HELP)]
    Pages(pages::Pages),
    /// Score the marker on answers that humans marked
    #[command(after_help = MARKING_HELP)]
    Marking(Marking),
    /// Score reading and marking together, on scripts that were marked point by point
    #[command(after_help = scripts::HELP)]
    Scripts(scripts::Scripts),
}

const READING_HELP: &str = "\
DIR holds one folder a pair: paper.pdf, scheme.pdf and truth.json. Printed per pair and overall:
  leaf   F1 of the questions and parts that were found
  marks  share of the parts whose marks are right
  keys   share of the parts whose answer key was found
  page   share of the found parts that start on the right page
  total  whether the paper's total is right
  doubts whether the reading asks for a reviewer; overall of the readings with an error, then of those without

Example:
  tickmark eval reading papers/ --predictions out/";

const MARKING_HELP: &str = "\
Each FILE holds one JSON object a line: dataset, question_id, answer_id, question, reference_answers,
rubric, max_marks, student_answer, human_marks. Printed per dataset: Pearson's r without blank answers, with
them (r all) and within questions, RMSE beside a constant's, quadratic weighted kappa, accuracy and F1 of
right-or-wrong data, the share flagged low_confidence and r without them (r rest), answers a second on one
core, and what each confidence was worth. With --taught K a person has marked K answers of every question, drawn by
a fixed seed; the others follow them and are scored. With --points it is also looked which statements of the
model answers each answer makes, as the desk knows it of a scheme's points: better marks, for some tenths of a
second of CPU an answer. Without it a model answer is judged as a whole, as the desk does where a scheme has no points.

Example:
  tickmark eval marking answers.jsonl --predictions out.jsonl";

#[derive(Debug, Args)]
pub(super) struct Marking {
    /// Files of marked answers
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write a mark for each answer into this file, one JSON object a line
    #[arg(long, value_name = "OUT")]
    predictions: Option<PathBuf>,
    /// Give so many answers of every question with their human mark, and score how the rest follow them
    #[arg(long, value_name = "K", default_value_t = 0)]
    taught: usize,
    /// With --taught, also look which statements of the model answers each answer makes
    #[arg(long, requires = "taught")]
    points: bool,
}

impl Marking {
    fn run(&self, global: &Global) -> Result<(), Failure> {
        let judge = Semantic::load().map_err(|error| failed(&error))?;
        let out =
            self.predictions.as_ref().map(fs::File::create).transpose().map_err(|error| failed(&error))?;
        let mut out = out.map(BufWriter::new);
        let writer = out.as_mut().map(|file| file as &mut dyn Write);
        let progress = progress(0, "marking");
        let heard = |done: usize, all: usize| {
            progress.set_length(all as u64);
            progress.set_position(done as u64);
        };
        let taught = marking::Taught { answers: self.taught, by_points: self.points };
        let scores = marking::marking(&judge, exam::key::rubric, &self.files, taught, writer, heard);
        let scores = scores.map_err(|error| failed(&error))?;
        if let Some(mut out) = out {
            out.flush().map_err(|error| failed(&error))?;
        }
        progress.finish_and_clear();
        let printed =
            if global.json { output::document(&scores) } else { output::text(&marking::table(&scores)) };
        Ok(printed?)
    }
}

/// Why an evaluation stopped, as one sentence.
fn failed(error: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("The evaluation stopped: {error}."))
}

#[derive(Debug, Args)]
pub(super) struct Reading {
    /// Folder of pairs
    dir: PathBuf,
    /// Write what was read into this folder, a JSON file a pair, as the API lists questions
    #[arg(long, value_name = "OUT")]
    predictions: Option<PathBuf>,
}

impl Command {
    pub(super) fn run(self, global: &Global) -> Result<(), Failure> {
        match self {
            Command::Reading(command) => command.run(global),
            Command::Marking(command) => command.run(global),
            Command::Scripts(command) => command.run(global),
            Command::Pages(command) => command.run(global),
        }
    }
}

impl Reading {
    fn run(&self, global: &Global) -> Result<(), Failure> {
        let pairs = reading::pairs(&self.dir).map_err(|error| failed(&error))?;
        if pairs.is_empty() {
            let dir = self.dir.display();
            return Err(Failure::new(format!("There is no pair with a truth.json in {dir}.")));
        }
        if let Some(out) = &self.predictions {
            fs::create_dir_all(out).map_err(|error| failed(&error))?;
        }
        // Pages that are pictures are recognised, as the service does it.
        let recogniser = Recogniser::load(&Weights::default(), 1).map_err(|error| failed(&error))?;
        let progress = progress(pairs.len(), "reading");
        let mut totals = Totals::default();
        let mut scores = Vec::new();
        for path in pairs {
            let evaluated = reading::pair(&path, Some(&recogniser)).map_err(|error| failed(&error))?;
            if let Some(out) = &self.predictions {
                let file = out.join(format!("{}.json", evaluated.score.name));
                let text = reading::predictions(&evaluated.reading).to_string();
                fs::write(file, text).map_err(|error| failed(&error))?;
            }
            totals.add(&evaluated.score);
            let doubts = Value::from(evaluated.score.doubts);
            scores.push(row(&evaluated.score, &evaluated.score.total.map(Value::from), &doubts));
            progress.inc(1);
        }
        progress.finish_and_clear();
        let (right, printed) = totals.total;
        let ((doubted, wrong), (alarmed, perfect)) = (totals.doubted, totals.alarmed);
        let doubts = json!(format!("{doubted}/{wrong} {alarmed}/{perfect}"));
        let overall = PairScore { name: "overall".to_owned(), ..totals.sum };
        scores.push(row(&overall, &(printed > 0).then(|| json!(format!("{right}/{printed}"))), &doubts));
        let headings = ["pair", "leaf", "marks", "keys", "page", "total", "doubts", "s/page"];
        Ok(global.output().list(&scores, &headings, cells)?)
    }
}

fn row(score: &PairScore, total: &Option<Value>, doubts: &Value) -> Value {
    json!({
        "pair": score.name,
        "leaf_f1": score.leaf_f1(),
        "marks": ratio(score.marks),
        "keys": ratio(score.keys),
        "page": ratio(score.page),
        "total": total,
        "doubts": doubts,
        "seconds_per_page": score.seconds / score.pages.max(1) as f64,
    })
}

fn cells(row: &Value) -> Vec<String> {
    let number = |name: &str, digits: usize| format!("{:.digits$}", row[name].as_f64().unwrap_or_default());
    let told = |name: &str| match &row[name] {
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        _ => "-".to_owned(),
    };
    let name = row["pair"].as_str().unwrap_or_default().to_owned();
    let shares = ["leaf_f1", "marks", "keys", "page"].map(|name| number(name, 3));
    std::iter::once(name)
        .chain(shares)
        .chain([told("total"), told("doubts"), number("seconds_per_page", 4)])
        .collect()
}

/// A bar on the terminal; nothing when the output goes elsewhere.
fn progress(steps: usize, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len}, {eta} left");
    let bar = ProgressBar::new(steps as u64).with_message(what);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
