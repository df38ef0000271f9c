//! The samples that ship with the project: papers, schemes, and scripts that were typed, scanned and photographed.

use crate::reading::leaves;
use domain::question::Kind;
use exam::Reading;
use exam::script::{self, Script};
use reader::Options;
use reader::ocr::{Recogniser, Weights};
use reader::page::Document;
use serde_json::Value;
use std::path::PathBuf;

/// A subject's files, and what they hold.
struct Sample {
    folder: PathBuf,
    expected: Value,
    paper: Document,
    reading: Reading,
}

impl Sample {
    fn new(subject: &str) -> Sample {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(subject);
        let expected = std::fs::read_to_string(folder.join("expected.json")).expect("it is there");
        let expected = serde_json::from_str(&expected).expect("it is JSON");
        let document = |name: &str| {
            let bytes = std::fs::read(folder.join(name)).expect("it is there");
            reader::pages(&bytes, &Options::default()).expect("it can be read")
        };
        let paper = document("paper.pdf");
        let reading = exam::read(&paper, &document("scheme.pdf"));
        Sample { folder, expected, paper, reading }
    }

    /// The answers in the files whose name begins so.
    fn script(&self, kind: &str, options: &Options<'_>) -> Script {
        let entries = std::fs::read_dir(&self.folder).expect("the folder is there");
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
        let named = format!("script-{kind}");
        files.retain(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&named)));
        files.sort();
        let documents: Vec<Document> = files
            .iter()
            .map(|file| {
                reader::pages(&std::fs::read(file).expect("it is there"), options).expect("it can be read")
            })
            .collect();
        script::read(&self.paper, &self.reading.questions, &documents)
    }

    /// Each leaf with what was written and what was read; of a choice the letters alone.
    fn compared(&self, kind: &str, script: &Script) -> Vec<(String, String, String)> {
        let written = &self.expected["scripts"][kind]["answers"];
        let of = |answer: &script::Answer| {
            let label = format!("{}{}", answer.number, answer.label);
            let read =
                if self.is_choice(&answer.number) { answer.selected.join(" ") } else { plain(&answer.text) };
            let written = plain(written[&label].as_str().unwrap_or_default());
            (label, written, read)
        };
        script.answers.iter().map(of).collect()
    }

    fn is_choice(&self, number: &str) -> bool {
        let mut questions = self.reading.questions.iter();
        questions.any(|question| question.number == number && question.kind == Kind::MultipleChoice)
    }
}

/// The text without line breaks and double spaces.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn questions_marks_and_keys_are_found_exactly() {
    for subject in ["biology", "mathematics"] {
        let sample = Sample::new(subject);
        let expected: Vec<String> = sample.expected["leaves"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|leaf| format!("{}:{}", leaf["label"].as_str().expect("a label"), leaf["marks"]))
            .collect();
        assert_eq!(leaves(&sample.reading), expected, "{subject}");
        assert_eq!(sample.reading.warnings, [], "{subject}");
        for question in &sample.reading.questions {
            assert!(!question.is_empty(), "{subject} {}", question.number);
            assert!(question.warnings.is_empty(), "{subject} {}", question.number);
            for part in &question.parts {
                let key = part.answer_key.as_ref();
                assert!(
                    key.is_some_and(|key| !key.is_empty()),
                    "{subject} {}{}",
                    question.number,
                    part.label
                );
            }
            assert!(
                !question.options.iter().any(|option| option.text.contains('[')),
                "{:?}",
                question.options
            );
        }
    }
}

#[test]
fn typed_scripts_are_read_word_for_word() {
    for subject in ["biology", "mathematics"] {
        let sample = Sample::new(subject);
        for kind in ["excellent", "middling", "weak", "boastful"] {
            let script = sample.script(kind, &Options::default());
            for (label, written, read) in sample.compared(kind, &script) {
                assert_eq!(read, written, "{subject} {kind} {label}");
            }
        }
    }
}

#[test]
fn scanned_and_photographed_scripts_are_read_by_recognition() {
    let recogniser = Recogniser::load(&Weights::default(), 1).expect("the weights are sound");
    let options = Options { recogniser: Some(&recogniser), ..Options::default() };
    for (subject, kind) in [("biology", "photographed"), ("mathematics", "scanned")] {
        let sample = Sample::new(subject);
        let script = sample.script(kind, &options);
        let (mut letters, mut wrong) = (0, 0);
        for (label, written, read) in sample.compared(kind, &script) {
            if sample.is_choice(&label) {
                assert_eq!(read, written, "{subject} {kind} {label}: the box that was ticked");
                continue;
            }
            // Whether there is a space between two signs is nobody's mark.
            let (written, read) = (written.replace(' ', ""), read.replace(' ', ""));
            let errors = distance(&written, &read);
            // A sign that was crossed out may be read as more of a short answer.
            let errors_max = (written.chars().count() / 2).max(2);
            assert!(errors <= errors_max, "{subject} {kind} {label}: {read:?} for {written:?}");
            letters += written.chars().count();
            wrong += errors;
        }
        assert!(wrong * 25 <= letters, "{subject} {kind}: {wrong} of {letters} letters are wrong");
    }
}

/// The least number of letters to change, add or drop.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut previous: Vec<usize> = (0..=other.len()).collect();
    for (row, left) in one.chars().enumerate() {
        let mut current = vec![row + 1];
        for (column, right) in other.iter().enumerate() {
            let changed = previous[column] + usize::from(left != *right);
            current.push(changed.min(previous[column + 1] + 1).min(current[column] + 1));
        }
        previous = current;
    }
    previous.last().copied().unwrap_or_default()
}
