//! `tickmark marks`: a paper's marks as a table for other programs, and how sure the engine was of them.

mod csv;

use super::submission::submissions;
use super::values;
use super::{Global, open, output};
use crate::failure::Failure;
use clap::{Subcommand, ValueEnum};
use csv::Table;
use domain::id::PaperId;
use domain::paper::Paper;
use domain::result::{Flag, Result as Marked};
use domain::submission::{State, Submission, SubmissionFilter};
use serde::Serialize;
use service::Service;
use std::path::{Path, PathBuf};

/// More scripts than any paper has; what is more is refused, not cut off.
const SCRIPTS_MAX: usize = 1_000_000;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  tickmark marks export pap_… --csv > marks.csv
  tickmark marks export pap_… --csv --for canvas --output gradebook.csv
  tickmark marks confidence pap_…

A cell that a spreadsheet would take for a formula gets an apostrophe before it.")]
pub(super) enum Command {
    /// One line for each student
    Export {
        /// The paper's id
        #[arg(value_name = "PAPER", value_parser = values::id::<PaperId>)]
        id: PaperId,
        /// As comma-separated values, which is the only form so far
        #[arg(long, required = true)]
        csv: bool,
        /// Whose columns
        #[arg(long = "for", value_name = "PROGRAM", default_value = "spreadsheet")]
        program: Program,
        /// Results that are not released yet too
        #[arg(long)]
        provisional: bool,
        /// Where to, instead of the terminal
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// How sure the engine was, question by question
    Confidence {
        /// The paper's id
        #[arg(value_name = "PAPER", value_parser = values::id::<PaperId>)]
        id: PaperId,
    },
}

/// Which program reads the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Program {
    /// Every question in a column of its own
    Spreadsheet,
    /// For "Import grades" of Moodle: the student's reference is the ID number
    Moodle,
    /// For the gradebook import of Canvas: the student's reference is the SIS User ID
    Canvas,
}

impl Command {
    pub(super) async fn run(self, global: &Global) -> Result<(), Failure> {
        let app = open(global).await?;
        match self {
            Command::Export { id, csv: _, program, provisional, output } => {
                let paper = app.service.any_paper(id).await?;
                let scripts = scripts(&app.service, &paper, provisional).await?;
                let text = match program {
                    Program::Spreadsheet => spreadsheet(&scripts),
                    Program::Moodle => moodle(&paper, &scripts),
                    Program::Canvas => canvas(&paper, &scripts),
                };
                write(output.as_deref(), &text)
            }
            Command::Confidence { id } => {
                let paper = app.service.any_paper(id).await?;
                let rows = confidence(&scripts(&app.service, &paper, true).await?);
                let headings = ["question", "scripts", "low confidence", "share", "mean confidence"];
                Ok(global.output().list(&rows, &headings, |row| {
                    vec![
                        row.question.clone(),
                        row.scripts.to_string(),
                        row.low_confidence.to_string(),
                        format!("{:.1} %", 100.0 * row.share),
                        format!("{:.2}", row.mean_confidence),
                    ]
                })?)
            }
        }
    }
}

/// A marked script.
struct Script {
    submission: Submission,
    result: Marked,
}

/// The paper's scripts that have a result, by student; of one who handed in twice, the newest.
async fn scripts(service: &Service, paper: &Paper, provisional: bool) -> Result<Vec<Script>, Failure> {
    let filter = SubmissionFilter { paper_id: Some(paper.id.to_string()), ..SubmissionFilter::default() };
    let found = submissions(service, paper.owner, &filter, SCRIPTS_MAX).await?;
    if found.len() == SCRIPTS_MAX {
        return Err(Failure::new(format!("The paper has {SCRIPTS_MAX} scripts or more; use the API.")));
    }
    let mut scripts: Vec<Script> = Vec::new();
    for submission in found {
        let is_wanted = submission.state == State::Released || provisional;
        if let Some(result) = service.any_result(&submission).await?.filter(|_| is_wanted) {
            scripts.push(Script { submission, result });
        }
    }
    // They come newest first, and the sort keeps that order among those of one student.
    scripts.sort_by(|one, other| one.student().cmp(other.student()));
    scripts.dedup_by(|later, first| later.student() == first.student());
    Ok(scripts)
}

impl Script {
    fn student(&self) -> &str {
        self.submission.student.external_id.as_str()
    }

    fn name(&self) -> &str {
        self.submission.student.name.as_ref().map_or("", |name| name.as_str())
    }

    fn needs_a_look(&self) -> bool {
        self.result.questions.iter().any(|question| question.flags.contains(&Flag::LowConfidence))
    }
}

fn spreadsheet(scripts: &[Script]) -> String {
    let numbers: Vec<&str> = scripts
        .first()
        .map(|script| script.result.questions.iter().map(|question| question.number.as_str()).collect())
        .unwrap_or_default();
    let mut table = Table::default();
    let before = ["student", "name", "submission", "status", "awarded", "available", "percentage"];
    table.row(
        before.into_iter().map(str::to_owned).chain(
            numbers.iter().map(|number| format!("question {number}")).chain(["look at it".to_owned()]),
        ),
    );
    for script in scripts {
        let score = script.result.score;
        let mut cells = vec![
            script.student().to_owned(),
            script.name().to_owned(),
            script.submission.id.to_string(),
            script.submission.state.status().name().to_owned(),
            score.awarded.to_string(),
            score.available.to_string(),
            score.percentage.to_string(),
        ];
        // By number, not by place: a paper that was changed later keeps its columns.
        cells.extend(numbers.iter().map(|number| {
            let question = script.result.questions.iter().find(|question| question.number == *number);
            question.map(|question| question.awarded.to_string()).unwrap_or_default()
        }));
        cells.push(if script.needs_a_look() { "yes" } else { "" }.to_owned());
        table.row(cells);
    }
    table.finish()
}

fn moodle(paper: &Paper, scripts: &[Script]) -> String {
    let mut table = Table::default();
    table.row([
        "ID number".to_owned(),
        "Full name".to_owned(),
        paper.title.to_string(),
        "Feedback".to_owned(),
    ]);
    for script in scripts {
        table.row([
            script.student().to_owned(),
            script.name().to_owned(),
            script.result.score.awarded.to_string(),
            script.result.explanation.clone(),
        ]);
    }
    table.finish()
}

fn canvas(paper: &Paper, scripts: &[Script]) -> String {
    let mut table = Table::default();
    let row = |first: &str, reference: &str, last: String| {
        let empty = String::new;
        [first.to_owned(), empty(), reference.to_owned(), empty(), empty(), last]
    };
    let headings = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"].map(str::to_owned);
    table.row(headings.into_iter().chain([paper.title.to_string()]));
    let most = scripts.iter().map(|script| script.result.score.available).max();
    let most = most.or(paper.total_marks).map(|marks| marks.to_string()).unwrap_or_default();
    // Canvas knows the line of the most points by these words with spaces before them.
    table.row(row("    Points Possible", "", most));
    for script in scripts {
        let name = if script.name().is_empty() { script.student() } else { script.name() };
        table.row(row(name, script.student(), script.result.score.awarded.to_string()));
    }
    table.finish()
}

#[derive(Debug, Default, Serialize)]
struct Row {
    question: String,
    scripts: usize,
    low_confidence: usize,
    share: f64,
    mean_confidence: f64,
}

/// One row for each question in the order of the paper, and one for all of them.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of scripts are far below what a fraction can tell apart"
)]
fn confidence(scripts: &[Script]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for question in scripts.iter().flat_map(|script| &script.result.questions) {
        let place = rows.iter().position(|row| row.question == question.number);
        let place = place.unwrap_or_else(|| {
            rows.push(Row { question: question.number.clone(), ..Row::default() });
            rows.len() - 1
        });
        let row = &mut rows[place];
        row.scripts += 1;
        row.low_confidence += usize::from(question.flags.contains(&Flag::LowConfidence));
        row.mean_confidence += question.confidence;
    }
    rows.push(Row {
        question: "all".to_owned(),
        scripts: rows.iter().map(|row| row.scripts).sum(),
        low_confidence: rows.iter().map(|row| row.low_confidence).sum(),
        mean_confidence: rows.iter().map(|row| row.mean_confidence).sum(),
        share: 0.0,
    });
    for row in &mut rows {
        let count = row.scripts.max(1) as f64;
        row.share = row.low_confidence as f64 / count;
        row.mean_confidence /= count;
    }
    rows
}

fn write(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(output::text(text)?) };
    std::fs::write(path, text)
        .map_err(|error| Failure::new(format!("{} cannot be written: {error}.", path.display())))
}
