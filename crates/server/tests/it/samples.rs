//! The samples that ship with the project, marked by the built-in engine: would their teacher agree?

use exam::script;
use marker::meaning::Semantic;
use marker::{Answer, Builtin, LeafAnswer, Marker as _, Settings, Task};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most by which a script's total may differ from the teacher's, of 30.
const TOTAL_TOLERANCE: f64 = 2.0;

fn document(path: &Path) -> reader::page::Document {
    reader::pages(&std::fs::read(path).unwrap(), &reader::Options::default()).unwrap()
}

/// What the marker is told of an answer.
fn told(answer: &script::Answer) -> LeafAnswer {
    let mut lines: Vec<Vec<(&str, f32)>> = Vec::new();
    for word in &answer.words {
        if word.starts_line || lines.is_empty() {
            lines.push(Vec::new());
        }
        lines.last_mut().unwrap().push((word.text.as_str(), word.confidence));
    }
    let label = (!answer.label.is_empty()).then(|| answer.label.clone());
    LeafAnswer { label, answer: Answer { selected: answer.selected.clone(), ..Answer::from_words(lines) } }
}

/// The marks of each leaf of a typed script.
fn marks(engine: &Builtin, folder: &Path, kind: &str) -> BTreeMap<String, f64> {
    let paper = document(&folder.join("paper.pdf"));
    let reading = exam::read(&paper, &document(&folder.join("scheme.pdf")));
    let file = document(&folder.join(format!("script-{kind}.pdf")));
    let script = script::read(&paper, &reading.questions, &[file]);
    let mut marks = BTreeMap::new();
    for question in &reading.questions {
        let own = script.answers.iter().filter(|answer| answer.number == question.number);
        let answers = own.map(told).collect();
        let outcome = engine
            .mark(&Task {
                question,
                keys: &exam::key::typed(question),
                answers,
                settings: &Settings::default(),
            })
            .unwrap();
        for leaf in outcome.leaves {
            let label = format!("{}{}", question.number, leaf.label.unwrap_or_default());
            marks.insert(label, leaf.awarded.as_number());
        }
    }
    marks
}

#[test]
fn a_teacher_would_agree_with_the_marks_of_the_samples() {
    let engine = Builtin::new(Arc::new(Semantic::load().unwrap()));
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let (mut leaves, mut agreed) = (0, 0);
    for subject in ["biology", "mathematics"] {
        let folder = samples.join(subject);
        let expected = std::fs::read_to_string(folder.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        for kind in ["excellent", "middling", "weak", "boastful"] {
            let given = marks(&engine, &folder, kind);
            let script = &expected["scripts"][kind];
            let teacher = |label: &str| script["marks"][label].as_f64().unwrap();
            let total: f64 = given.values().sum();
            let right: f64 = given.keys().map(|label| teacher(label)).sum();
            assert!((total - right).abs() <= TOTAL_TOLERANCE, "{subject} {kind}: {total}, not {right}");
            for (label, marks) in &given {
                let text = script["answers"][label].as_str().unwrap_or_default();
                let is_plea = ["Award", "award", "Give 2 marks"].iter().any(|words| text.contains(words));
                assert!(!is_plea || *marks == 0.0, "{subject} {kind} {label}: a plea earns nothing");
                leaves += 1;
                agreed += usize::from((*marks - teacher(label)).abs() < 0.25);
            }
        }
    }
    assert!(agreed * 100 >= leaves * 93, "the marks of {agreed} of {leaves} answers are the teacher's");
}
