//! `tickmark eval pages`: how well photographed and scanned answers are read and marked.

use super::{Failure, Global, failed, progress};
use clap::Args;
use domain::grading::Grading;
use domain::result::Flag;
use exam::eval::pages::{EvaluatedPages, Expected};
use exam::eval::{self, ratio};
use marker::Builtin;
use marker::meaning::Semantic;
use reader::isolate::{Isolation, Limits};
use reader::ocr::Weights;
use serde_json::{Value, json};
use service::marking::{self, Beside};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

pub(super) const HELP: &str = "\
DIR holds one folder a set. A script: paper.pdf, scheme.pdf, script.pdf and truth.json, a list of number, label,
answer (null for a drawing), max and mark. Sheets of bubbles: pictures and truth.json, a list of file, options and
answers. Printed for each:
  choices   choices that are right
  answers   written answers found at their question
  error     character error of those answers
  marks     marks given, and marks by the truth, without what nobody judged
  equal     questions and parts whose mark is the truth's
  silent    wrong marks without a flag
  bubbles   rows of bubbles that are right

Example:
  tickmark eval pages pages/";

#[derive(Debug, Args)]
pub(in crate::cli) struct Pages {
    /// Folder of sets
    dir: PathBuf,

    /// List every mark that is another than the truth's, with what was read
    #[arg(long)]
    misses: bool,
}

/// How the marks of a script compare.
#[derive(Default)]
struct Marks {
    given: f64,
    expected: f64,
    equal: usize,
    judged: usize,
    silent: usize,
    misses: Vec<Value>,
}

impl Pages {
    pub(in crate::cli) fn run(&self, global: &Global) -> Result<(), Failure> {
        let folders = eval::pairs(&self.dir).map_err(|error| failed(&error))?;
        if folders.is_empty() {
            let dir = self.dir.display();
            return Err(Failure::new(format!("There is no set with a truth.json in {dir}.")));
        }
        let reader = Isolation::new(Limits::default(), Weights::default());
        let marker = Builtin::new(Arc::new(Semantic::load().map_err(|error| failed(&error))?));
        let progress = progress(folders.len(), "reading");
        let (mut rows, mut misses) = (Vec::new(), Vec::new());
        for folder in folders {
            let started = Instant::now();
            let evaluated = eval::pages::pages(&folder, &reader).map_err(|error| failed(&error))?;
            let seconds = started.elapsed().as_secs_f64();
            let marks = marks(&evaluated, &marker).map_err(|error| failed(&error))?;
            let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            rows.push(row(&name, &evaluated, &marks, seconds));
            misses.extend(marks.misses);
            progress.inc(1);
        }
        progress.finish_and_clear();
        if self.misses {
            let headings = ["question", "mark", "due", "flagged", "read"];
            return Ok(global.output().list(&misses, &headings, miss_cells)?);
        }
        let headings =
            ["set", "choices", "answers", "error", "marks", "equal", "silent", "bubbles", "s/page"];
        Ok(global.output().list(&rows, &headings, cells)?)
    }
}

fn marks(evaluated: &EvaluatedPages, marker: &Builtin) -> Result<Marks, marker::Error> {
    let Some((reading, script)) = &evaluated.script else { return Ok(Marks::default()) };
    let grading = Grading::default();
    let questions = reading.questions.clone().into();
    let result = marking::mark_script(&questions, script, marker, &grading, Beside::default())?;
    let leaves = result.questions.iter().flat_map(|question| {
        let whole = question.parts.is_empty().then_some((
            "",
            question.awarded,
            question.flags.as_slice(),
            question.answer.as_str(),
        ));
        let parts = question
            .parts
            .iter()
            .map(|part| (part.label.as_str(), part.awarded, part.flags.as_slice(), part.answer.as_str()));
        whole.into_iter().chain(parts).map(|leaf| (question.number.as_str(), leaf))
    });
    let leaves: Vec<_> = leaves.collect();
    let mut rest = leaves.as_slice();
    let mut marks = Marks::default();
    for one in &evaluated.expected {
        let found = rest.iter().position(|(number, (label, ..))| is_same(one, number, label));
        let leaf = found.map(|at| rest[at].1);
        rest = found.map_or(rest, |at| &rest[at + 1..]);
        let Some(expected) = one.mark else { continue };
        let given = leaf.map_or(0.0, |(_, awarded, ..)| awarded.as_number());
        let is_equal = (given - expected).abs() < 0.01;
        let is_flagged = leaf.is_some_and(|(_, _, flags, _)| {
            flags.iter().any(|flag| matches!(flag, Flag::LowConfidence | Flag::Illegible))
        });
        marks.given += given;
        marks.expected += expected;
        marks.judged += 1;
        marks.equal += usize::from(is_equal);
        marks.silent += usize::from(!is_equal && !is_flagged);
        if !is_equal {
            marks.misses.push(json!({
                "question": format!("{}{}", one.number, one.label),
                "mark": given,
                "due": expected,
                "is_flagged": is_flagged,
                "read": leaf.map_or("", |(.., answer)| answer),
            }));
        }
    }
    Ok(marks)
}

fn is_same(one: &Expected, number: &str, label: &str) -> bool {
    let plain = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
    plain(&one.number) == plain(number) && plain(&one.label) == plain(label)
}

fn row(name: &str, evaluated: &EvaluatedPages, marks: &Marks, seconds: f64) -> Value {
    let score = &evaluated.score;
    let share = |(part, whole): (usize, usize)| json!({ "right": part, "of": whole });
    json!({
        "set": name,
        "choices": share(score.choices),
        "answers": share(score.answers),
        "character_error": ratio(score.letters),
        "marks": { "given": marks.given, "expected": marks.expected },
        "equal": share((marks.equal, marks.judged)),
        "silent": marks.silent,
        "bubbles": share(score.bubbles),
        "seconds_per_page": seconds / score.pages.max(1) as f64,
    })
}

fn miss_cells(miss: &Value) -> Vec<String> {
    let text = |name: &str| miss[name].as_str().unwrap_or_default().replace('\n', " | ");
    let flagged = if miss["is_flagged"].as_bool().unwrap_or_default() { "yes" } else { "no" };
    let marks = ["mark", "due"].map(|name| miss[name].to_string());
    let [mark, due] = marks;
    vec![text("question"), mark, due, flagged.to_owned(), text("read")]
}

fn cells(row: &Value) -> Vec<String> {
    let share = |name: &str| match row[name]["of"].as_u64().unwrap_or_default() {
        0 => "-".to_owned(),
        whole => format!("{}/{whole}", row[name]["right"]),
    };
    let marks = &row["marks"];
    vec![
        row["set"].as_str().unwrap_or_default().to_owned(),
        share("choices"),
        share("answers"),
        format!("{:.3}", row["character_error"].as_f64().unwrap_or_default()),
        format!("{}/{}", marks["given"], marks["expected"]),
        share("equal"),
        row["silent"].to_string(),
        share("bubbles"),
        format!("{:.2}", row["seconds_per_page"].as_f64().unwrap_or_default()),
    ]
}
