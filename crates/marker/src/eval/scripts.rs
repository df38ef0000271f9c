//! Scores the marker on whole scripts that were marked point by point (`tickmark eval scripts`).

mod misses;
mod pairs;
mod scores;

pub use misses::{Fired, by_rule, misses};
pub use scores::{Score, table};

use crate::answer::Answer;
use crate::outcome::{Flag, LeafOutcome};
use crate::rest::{self, Rest};
use crate::rule::Rule;
use crate::task::{Leaf, LeafAnswer, Settings, Task};
use crate::turn::Behind;
use crate::{Error, Marker};
use domain::question::Question;
use domain::scheme::Keys;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// A typed script with what a careful examiner gave.
#[derive(Clone, Debug, Deserialize)]
pub struct TrueScript {
    /// The paper that it answers.
    pub exam: String,
    /// The student's letter.
    pub student: String,
    /// One for each part.
    pub answers: Vec<TrueAnswer>,
}

/// One answer with the examiner's marks.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct TrueAnswer {
    /// The question's number.
    pub number: String,
    /// The part's label; empty for the question itself.
    #[serde(default)]
    pub label: Option<String>,
    /// What it could earn.
    pub max: f64,
    /// What was written.
    pub answer: String,
    /// What the examiner gave.
    pub mark: f64,
    /// Point by point.
    #[serde(default)]
    pub points: Vec<TruePoint>,
    /// What the answer tries.
    #[serde(default)]
    pub case: String,
    /// False where two good examiners could differ.
    #[serde(default = "certain")]
    pub sure: bool,
}

fn certain() -> bool {
    true
}

/// One point as the examiner saw it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct TruePoint {
    /// In the scheme's words.
    pub text: String,
    /// What it is worth.
    #[serde(default)]
    pub marks: f64,
    /// What it earned.
    #[serde(default)]
    pub awarded: f64,
    /// Why.
    #[serde(default)]
    pub why: String,
}

/// One answer with both marks.
#[derive(Clone, Debug, Serialize)]
pub struct MarkedAnswer {
    /// The paper.
    pub exam: String,
    /// The student's letter.
    pub student: String,
    /// What the examiner had.
    pub truth: TrueAnswer,
    /// What the marker gave.
    pub given: f64,
    /// How likely the marker says that it is right.
    pub confidence: f64,
    /// Flagged `low_confidence`.
    pub is_flagged: bool,
    /// What decided each point of the key, in its order; empty where the leaf was not read.
    pub points: Vec<MarkedPoint>,
    /// False when the reading has no such part.
    pub is_read: bool,
}

/// A point of the key as it was read, with both verdicts.
#[derive(Clone, Debug, Serialize)]
pub struct MarkedPoint {
    /// In the scheme's words.
    pub text: String,
    /// Whether the marker gave it.
    pub given: f64,
    /// How sure it was.
    pub confidence: f64,
    /// What decided it.
    pub rule: Rule,
    /// Whether the examiner gave it; `None` where no point of the truth is this one.
    pub truly: Option<bool>,
    /// The numbers behind it.
    pub behind: Behind,
}

/// Names a part by number and label, in one spelling for all documents.
pub type Identity = fn(&str, &str) -> String;

/// Understands a question's keys.
pub type Understood = fn(&Question) -> Keys;

/// The scripts of a paper's folder, in order.
pub fn read(folder: &Path) -> io::Result<Vec<TrueScript>> {
    let named =
        |path: &Path, error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| named(folder, error))? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with("script-") && path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    let script = |path: &std::path::PathBuf| {
        let bytes = std::fs::read(path).map_err(|error| named(path, error))?;
        serde_json::from_slice(&bytes).map_err(|error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
        })
    };
    files.iter().map(script).collect()
}

/// Marks a script: every answer goes to its leaf directly.
pub fn mark(
    marker: &dyn Marker,
    questions: &[Question],
    script: &TrueScript,
    identity: Identity,
    understood: Understood,
) -> Result<Vec<MarkedAnswer>, Error> {
    let settings = Settings::default();
    let name = |answer: &TrueAnswer| identity(&answer.number, answer.label.as_deref().unwrap_or_default());
    let (mut outcomes, mut owned) = (Vec::new(), Vec::new());
    let mut seen = vec![false; script.answers.len()];
    for question in questions {
        let leaves = Leaf::all(question);
        let mut owners = Vec::new();
        let mut answers = Vec::new();
        for leaf in &leaves {
            let id = identity(&question.number, leaf.label.unwrap_or_default());
            let own = (0..script.answers.len()).find(|at| !seen[*at] && name(&script.answers[*at]) == id);
            owners.push(own);
            if let Some(at) = own {
                seen[at] = true;
                let answer = Answer::from_text(script.answers[at].answer.clone());
                answers.push(LeafAnswer { label: leaf.label.map(str::to_owned), answer });
            }
        }
        if answers.is_empty() {
            continue;
        }
        let keys = understood(question);
        outcomes.push(marker.mark(&Task { question, keys: &keys, answers, settings: &settings })?);
        owned.push((leaves, owners));
    }
    rest::weigh(&mut outcomes, Rest::default());
    let mut marked = Vec::new();
    for (outcome, (leaves, owners)) in outcomes.iter().zip(owned) {
        for ((leaf, outcome), own) in leaves.iter().zip(&outcome.leaves).zip(owners) {
            if let Some(at) = own {
                marked.push(with_outcome(script, &script.answers[at], leaf, outcome));
            }
        }
    }
    let unread = script.answers.iter().zip(&seen).filter(|(_, seen)| !**seen);
    marked.extend(unread.map(|(truth, _)| MarkedAnswer {
        exam: script.exam.clone(),
        student: script.student.clone(),
        truth: truth.clone(),
        given: 0.0,
        confidence: 1.0,
        is_flagged: false,
        points: Vec::new(),
        is_read: false,
    }));
    Ok(marked)
}

fn with_outcome(
    script: &TrueScript,
    truth: &TrueAnswer,
    leaf: &Leaf<'_>,
    outcome: &LeafOutcome,
) -> MarkedAnswer {
    let texts: Vec<String> =
        leaf.key.iter().flat_map(|key| &key.points).map(|point| point.text.clone()).collect();
    let same = pairs::matched(&texts, &truth.points);
    let point = |found: &crate::outcome::PointOutcome| {
        let index = found.index as usize;
        MarkedPoint {
            text: texts.get(index).cloned().unwrap_or_default(),
            given: found.awarded.as_number(),
            confidence: f64::from(found.confidence),
            rule: found.rule,
            behind: found.behind.clone(),
            truly: same.get(index).copied().flatten().map(|at| truth.points[at].awarded > 0.0),
        }
    };
    MarkedAnswer {
        exam: script.exam.clone(),
        student: script.student.clone(),
        truth: truth.clone(),
        given: outcome.awarded.as_number(),
        confidence: f64::from(outcome.confidence),
        is_flagged: outcome.flags.contains(&Flag::LowConfidence),
        points: outcome.points.iter().map(point).collect(),
        is_read: true,
    }
}

impl MarkedAnswer {
    /// The examiner's mark to the half mark.
    pub fn is_exact(&self) -> bool {
        (self.given - self.truth.mark).abs() < 0.25
    }
}
