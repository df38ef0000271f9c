//! Scores the marker against answers that people marked (`tickmark eval marking`).

mod report;
mod scores;
pub mod scripts;
mod teaching;

pub use report::table;
pub use scores::{Bin, Scores};

use crate::meaning::{Expected, Semantic};
use domain::scheme::Rubric;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::time::Instant;

/// Understands a rubric in an examiner's words.
pub type UnderstoodRubric = fn(&str) -> Rubric;

/// One answer that people marked.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    /// Which collection it belongs to; scores are told apart by it.
    pub dataset: String,
    /// Which question it answers.
    pub question_id: String,
    /// Its own name in the collection, when it has one.
    #[serde(default)]
    pub answer_id: Option<String>,
    /// What was asked.
    pub question: String,
    /// Model answers.
    #[serde(default)]
    pub reference_answers: Vec<String>,
    /// What an answer must have: text, or an object whose values are text.
    #[serde(default)]
    pub rubric: serde_json::Value,
    /// What the answer could earn.
    pub max_marks: f64,
    /// What the student wrote.
    pub student_answer: String,
    /// One mark for each person who marked it.
    pub human_marks: Vec<f64>,
    /// The published mark, where it is not the mean of the others.
    #[serde(default)]
    pub gold: Option<f64>,
    /// Right or wrong, where that is what was published.
    #[serde(default)]
    pub label_2way: Option<String>,
    /// Said to be blank by the collection.
    #[serde(default)]
    pub is_blank: Option<bool>,
}

/// What the marker said of one answer.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// The answer's collection.
    pub dataset: String,
    /// The answer's name there.
    pub answer_id: Option<String>,
    /// Out of the answer's `max_marks`.
    pub mark: f64,
    /// How likely the mark is right.
    pub confidence: f64,
    /// "low_confidence", "not_attempted".
    pub flags: Vec<&'static str>,
}

/// One answer with both marks, as shares of what it could earn.
#[derive(Clone, Debug)]
pub struct Marked {
    /// The question's name.
    pub question: String,
    /// What people gave.
    pub human: f64,
    /// What the marker gave.
    pub given: f64,
    /// How likely the marker says that it is right.
    pub confidence: f64,
    /// Flagged for a person to look at.
    pub is_doubtful: bool,
    /// Nothing was written.
    pub is_blank: bool,
    /// Right or wrong is all that was published.
    pub is_two_way: bool,
    /// What the answer could earn.
    pub max_marks: f64,
    /// How long marking took, in seconds.
    pub seconds: f64,
}

impl Row {
    /// The mark to be met: the published one, else the mean of what people gave.
    pub fn human_mark(&self) -> f64 {
        let mean = || self.human_marks.iter().sum::<f64>() / self.human_marks.len().max(1) as f64;
        self.gold.unwrap_or_else(mean)
    }

    /// True when there is nothing to mark.
    pub fn is_blank(&self) -> bool {
        self.is_blank == Some(true) || self.student_answer.trim().is_empty()
    }

    /// The rubric as text, each of its levels or lines on its own line.
    pub fn rubric_text(&self) -> Option<String> {
        match &self.rubric {
            serde_json::Value::String(text) => Some(text.clone()),
            serde_json::Value::Object(levels) => {
                Some(levels.values().filter_map(|level| level.as_str()).collect::<Vec<_>>().join("\n"))
            }
            _ => None,
        }
    }

    /// Marks it and says how the marker did.
    pub fn mark(&self, judge: &Semantic, understood: UnderstoodRubric) -> (Marked, Prediction) {
        let references: Vec<&str> = self.reference_answers.iter().map(String::as_str).collect();
        let rubric = self.rubric_text().map(|text| understood(&text));
        let worth = if self.max_marks > 0.0 { self.max_marks } else { 1.0 };
        let expected = Expected {
            question: &self.question,
            references: &references,
            rubric: rubric.as_ref(),
            marks: Some(worth as f32),
            is_content: false,
        };
        let started = Instant::now();
        let graded = judge.graded(&expected, &self.student_answer);
        let seconds = started.elapsed().as_secs_f64();
        let is_blank = self.is_blank();
        let given = if is_blank { 0.0 } else { f64::from(graded.grade.fraction) };
        let is_doubtful = graded.is_doubtful && !is_blank;
        let marked = Marked {
            question: self.question_id.clone(),
            human: self.human_mark() / worth,
            given,
            confidence: f64::from(graded.grade.confidence),
            is_doubtful,
            is_blank,
            is_two_way: self.label_2way.is_some(),
            max_marks: worth,
            seconds,
        };
        let flags = [(is_doubtful, "low_confidence"), (is_blank, "not_attempted")];
        let prediction = Prediction {
            dataset: self.dataset.clone(),
            answer_id: self.answer_id.clone(),
            mark: given * worth,
            confidence: marked.confidence,
            flags: flags.iter().filter(|(holds, _)| *holds).map(|(_, flag)| *flag).collect(),
        };
        (marked, prediction)
    }
}

/// Reads a file of marked answers, one JSON object a line.
pub fn rows(path: &Path) -> io::Result<Vec<Row>> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(named)?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines
        .map(|(line, number)| {
            serde_json::from_str(line).map_err(|error| {
                io::Error::new(io::ErrorKind::InvalidData, format!("{}:{number}: {error}", path.display()))
            })
        })
        .collect()
}

/// What a person teaches before the rest is scored.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taught {
    /// So many answers of every question are given with their human mark.
    pub answers: usize,
    /// Look which statements of the model answers each answer makes, as the desk knows it of a scheme's points.
    pub by_points: bool,
}

/// Marks every answer of the files in turn and scores each collection. `progress` hears of every answer. With `taught`,
/// some answers of every question are given with their human mark; the rest follow them and are scored.
pub fn marking(
    judge: &Semantic,
    understood: UnderstoodRubric,
    files: &[impl AsRef<Path>],
    taught: Taught,
    mut predictions: Option<&mut dyn io::Write>,
    mut progress: impl FnMut(usize, usize),
) -> io::Result<Vec<Scores>> {
    let mut all = Vec::new();
    for file in files {
        all.extend(rows(file.as_ref())?);
    }
    let (mut marked, mut told) = (Vec::with_capacity(all.len()), Vec::with_capacity(all.len()));
    for (index, row) in all.iter().enumerate() {
        let (mark, prediction) = row.mark(judge, understood);
        marked.push(mark);
        told.push(prediction);
        progress(index + 1, all.len());
    }
    let is_scored = teaching::teach(judge, &all, &mut marked, taught);
    let mut collections: Vec<(String, Vec<Marked>)> = Vec::new();
    for (index, (marked, mut prediction)) in
        marked.into_iter().zip(told).enumerate().filter(|(place, _)| is_scored[*place])
    {
        prediction.mark = marked.given * marked.max_marks;
        if let Some(out) = predictions.as_deref_mut() {
            writeln!(out, "{}", serde_json::to_string(&prediction)?)?;
        }
        let dataset = &all[index].dataset;
        match collections.iter_mut().find(|(known, _)| known == dataset) {
            Some((_, known)) => known.push(marked),
            None => collections.push((dataset.clone(), vec![marked])),
        }
    }
    Ok(collections.iter().map(|(dataset, marked)| Scores::of(dataset, marked)).collect())
}
