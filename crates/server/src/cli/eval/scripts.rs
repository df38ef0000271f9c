//! `tickmark eval scripts`: papers are read as the service reads them, and typed scripts marked by what was read.

use super::{Failure, Global, failed, output, progress};
use crate::config::Settings;
use clap::Args;
use exam::eval as reading;
use marker::Builtin;
use marker::eval::scripts::{self, MarkedAnswer, Score};
use reader::ocr::{Recogniser, Weights};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

pub(super) const HELP: &str = "\
EXAMS holds one folder a pair (paper.pdf, scheme.pdf), POINTS a folder of the same name for some of them with
script-*.json: {exam, student, answers: [{number, label, max, answer, mark, points: [{text, marks, awarded,
why}], case, sure}]}. Each answer goes to its part directly. Printed per paper, per student, per case and over
all: answers, those whose part was not read (-), share with the examiner's mark (exact), at most one mark off
(in 1), r of mark over maximum, mean distance in marks (error), share with too much (over) and too little
(under), flagged low_confidence (flag), wrong and not flagged (wrong), precision and recall of points where the
reading's can be matched with the examiner's; then the same over the answers where two examiners would agree.

Example:
  tickmark eval scripts papers/ scripts/ --misses";

#[derive(Debug, Args)]
pub(in crate::cli) struct Scripts {
    /// Folder of pairs
    exams: PathBuf,
    /// Folder of scripts, by the same names
    points: PathBuf,
    /// List every answer with another mark, with the rule that decided each point
    #[arg(long)]
    misses: bool,
    /// Write every answer with both marks, its points and their rules, one JSON object a line
    #[arg(long, value_name = "OUT")]
    predictions: Option<PathBuf>,
}

impl Scripts {
    pub(super) fn run(&self, global: &Global) -> Result<(), Failure> {
        let answers = self.marked(&global.settings()?)?;
        if let Some(path) = &self.predictions {
            write(path, &answers)
                .map_err(|error| Failure::new(format!("Cannot write {}: {error}.", path.display())))?;
        }
        let groups = [
            ("papers", Score::each(&answers, |one| &one.exam)),
            ("students", Score::each(&answers, |one| &one.student)),
            ("cases", most_first(Score::each(&answers, |one| &one.truth.case))),
            ("all", vec![Score::of("all", &answers.iter().collect::<Vec<_>>())]),
        ];
        if global.json {
            let scores: serde_json::Map<_, _> =
                groups.iter().map(|(name, scores)| ((*name).to_owned(), json!(scores))).collect();
            let rules = self.misses.then(|| scripts::by_rule(&answers));
            return Ok(output::document(&json!({ "scores": scores, "rules": rules }))?);
        }
        let mut text: String =
            groups.iter().map(|(_, scores)| scripts::table(scores) + "\n").collect::<Vec<_>>().concat();
        if self.misses {
            text.push_str(&scripts::misses(&answers));
        }
        Ok(output::text(&text)?)
    }

    fn marked(&self, settings: &Settings) -> Result<Vec<MarkedAnswer>, Failure> {
        let mut folders: Vec<PathBuf> = std::fs::read_dir(&self.points)
            .map_err(|error| Failure::new(format!("Cannot read {}: {error}.", self.points.display())))?
            .filter_map(|entry| entry.ok().map(|entry| entry.path()).filter(|path| path.is_dir()))
            .collect();
        folders.sort();
        if folders.is_empty() {
            let points = self.points.display();
            return Err(Failure::new(format!("There is no folder of scripts in {points}.")));
        }
        let recogniser = Recogniser::load(&Weights::default(), 1).map_err(|error| failed(&error))?;
        let judge = crate::judge::load(settings.larger_judge.as_deref()).map_err(|error| failed(&error))?;
        let engine = Builtin::new(Arc::new(judge));
        let bar = progress(folders.len(), "marking");
        let mut answers = Vec::new();
        for folder in folders {
            let name = folder.file_name().unwrap_or_default();
            let (read, _) = reading::reading(&self.exams.join(name), Some(&recogniser))
                .map_err(|error| failed(&error))?;
            for script in scripts::read(&folder).map_err(|error| failed(&error))? {
                let marked =
                    scripts::mark(&engine, &read.questions, &script, reading::identity, exam::key::typed);
                answers.extend(marked.map_err(|error| failed(&error))?);
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(answers)
    }
}

fn write(path: &std::path::Path, answers: &[MarkedAnswer]) -> std::io::Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for answer in answers {
        writeln!(file, "{}", serde_json::to_string(answer)?)?;
    }
    file.flush()
}

/// The commonest cases, each with enough answers to say something.
fn most_first(mut scores: Vec<Score>) -> Vec<Score> {
    scores.retain(|score| score.answers >= CASE_ANSWERS_MIN);
    scores.sort_by_key(|score| std::cmp::Reverse(score.answers));
    scores
}

const CASE_ANSWERS_MIN: usize = 3;
