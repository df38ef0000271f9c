//! A subject of the samples, its typed scripts with their marks, and how a script of any kind is read and marked.

use domain::question::Question;
use exam::script::{self, Script};
use marker::outcome::Flag;
use marker::rest::{self, Rest};
use marker::{Answer, Builtin, LeafAnswer, Marker as _, Settings, Task};
use reader::isolate::{Isolation, Limits, ReadOptions};
use reader::ocr::Weights;
use reader::page::Document;
use reader::print::Prints;
use std::error::Error;
use std::path::Path;

/// Where nothing but ticks or nothing at all was read, an answer is flagged below this sureness, as the service does it.
const SURE_MIN: f32 = 0.6;

/// What was read and given for a question or part.
pub(crate) struct Leaf {
    pub(crate) label: String,
    pub(crate) text: String,
    pub(crate) selected: Vec<String>,
    pub(crate) awarded: f64,
    pub(crate) is_flagged: bool,
}

pub(crate) struct Subject {
    /// The paper's bytes, for its pages are drawn.
    pub(crate) file: Vec<u8>,
    pub(crate) paper: Document,
    questions: Vec<Question>,
    prints: Prints,
    reader: Isolation,
    /// The typed scripts.
    pub(crate) typed: Vec<Document>,
    /// The leaves of each.
    pub(crate) twins: Vec<Vec<Leaf>>,
}

impl Subject {
    pub(crate) fn new(folder: &Path, kinds: &[&str], engine: &Builtin) -> Result<Subject, Box<dyn Error>> {
        let reader = Isolation::in_process(Limits { threads: 1, ..Limits::default() }, Weights::Embedded);
        let file = std::fs::read(folder.join("paper.pdf"))?;
        let paper = reader.read(&file, &ReadOptions { keep_prints: true, ..ReadOptions::default() })?;
        let document = |name: &str| -> Result<Document, Box<dyn Error>> {
            Ok(reader.read(&std::fs::read(folder.join(name))?, &ReadOptions::default())?)
        };
        let questions = exam::read(&paper, &document("scheme.pdf")?).questions;
        let typed: Vec<Document> =
            kinds.iter().map(|kind| document(&format!("script-{kind}.pdf"))).collect::<Result<_, _>>()?;
        let prints = Prints::of(&paper);
        let mut subject = Subject { file, paper, questions, prints, reader, typed, twins: Vec::new() };
        for typed in &subject.typed {
            let script = script::read(&subject.paper, &subject.questions, std::slice::from_ref(typed));
            let twin = subject.marked(engine, &script)?;
            subject.twins.push(twin);
        }
        Ok(subject)
    }

    /// The answers on photographs, a page each.
    pub(crate) fn read(&self, shots: &[Vec<u8>]) -> Result<Script, Box<dyn Error>> {
        let read = |shot: &Vec<u8>| self.reader.read_over(shot, &ReadOptions::default(), &self.prints);
        let documents: Vec<Document> = shots.iter().map(read).collect::<Result<_, _>>()?;
        Ok(script::read(&self.paper, &self.questions, &documents))
    }

    /// Every question and part with its mark.
    pub(crate) fn marked(&self, engine: &Builtin, script: &Script) -> Result<Vec<Leaf>, Box<dyn Error>> {
        let mut outcomes = Vec::new();
        for question in &self.questions {
            let own = script.answers.iter().filter(|answer| answer.number == question.number);
            let keys = exam::key::typed(question);
            let task = Task {
                question,
                keys: &keys,
                answers: own.map(told).collect(),
                settings: &Settings::default(),
            };
            outcomes.push(engine.mark(&task)?);
        }
        rest::weigh(&mut outcomes, Rest::default());
        let mut leaves = Vec::new();
        for (question, outcome) in self.questions.iter().zip(outcomes) {
            for leaf in outcome.leaves {
                let label = leaf.label.unwrap_or_default();
                let own = script
                    .answers
                    .iter()
                    .find(|answer| answer.number == question.number && answer.label == label);
                let is_unsure =
                    own.is_some_and(|answer| answer.words.is_empty() && answer.legibility < SURE_MIN);
                leaves.push(Leaf {
                    label: format!("{}{label}", question.number),
                    text: own.map(|answer| answer.text.clone()).unwrap_or_default(),
                    selected: own.map(|answer| answer.selected.clone()).unwrap_or_default(),
                    awarded: leaf.awarded.as_number(),
                    is_flagged: is_unsure || leaf.flags.contains(&Flag::LowConfidence),
                });
            }
        }
        Ok(leaves)
    }
}

/// What the marker is told of an answer.
fn told(answer: &script::Answer) -> LeafAnswer {
    let mut lines: Vec<Vec<(&str, f32)>> = Vec::new();
    for word in &answer.words {
        let line = (word.text.as_str(), word.confidence);
        match lines.last_mut() {
            Some(last) if !word.starts_line => last.push(line),
            _ => lines.push(vec![line]),
        }
    }
    let label = (!answer.label.is_empty()).then(|| answer.label.clone());
    let told = Answer {
        selected: answer.selected.clone(),
        continues_elsewhere: answer.continues_elsewhere,
        ..Answer::from_words(lines)
    };
    LeafAnswer { label, answer: told }
}

/// The share of letters that two texts have in common, where lines end apart: 1 less those to add, drop or change.
pub(crate) fn alike(one: &str, other: &str) -> f32 {
    let plain =
        |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect::<Vec<char>>();
    let (one, other) = (plain(one), plain(other));
    let mut previous: Vec<usize> = (0..=other.len()).collect();
    for (row, left) in one.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, right) in other.iter().enumerate() {
            let changed = previous[column] + usize::from(left != right);
            current.push(changed.min(previous[column + 1] + 1).min(current[column] + 1));
        }
        previous = current;
    }
    1.0 - previous[other.len()] as f32 / one.len().max(other.len()).max(1) as f32
}
