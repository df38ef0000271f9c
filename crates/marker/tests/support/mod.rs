//! What the tests of whole schemes share: keys in few words, and answers marked in one call.

use domain::marks::Marks;
use domain::question::{AnswerKey, Kind, Part, Point, Question};
use marker::{Answer, Builtin, LeafAnswer, LeafOutcome, Marker, Outcome, Settings, Strictness, Task};

pub(crate) fn point(text: &str) -> Point {
    Point { text: text.into(), marks: Marks::whole(1), ..Point::default() }
}

pub(crate) fn part(label: &str, kind: Kind, text: &str, points: Vec<Point>) -> Part {
    let marks = points.iter().map(|point| point.marks).sum();
    let key = AnswerKey { points, ..AnswerKey::default() };
    Part {
        label: label.into(),
        text: text.into(),
        kind,
        marks: Some(marks),
        answer_key: Some(key),
        ..Part::default()
    }
}

pub(crate) fn question(parts: Vec<Part>) -> Question {
    Question { number: "1".into(), parts, ..Question::default() }
}

pub(crate) fn mark_with(question: &Question, answers: &[(&str, &str)], settings: &Settings) -> Outcome {
    let answers = answers
        .iter()
        .map(|(label, text)| LeafAnswer { label: Some((*label).into()), answer: Answer::from_text(*text) })
        .collect();
    Builtin::default()
        .mark(&Task { question, keys: &exam::key::typed(question), answers, settings })
        .expect("the built-in engine always marks")
}

pub(crate) fn leaf(part: &Part, answer: &str) -> LeafOutcome {
    leaf_at(part, answer, Strictness::Standard)
}

pub(crate) fn leaf_at(part: &Part, answer: &str, strictness: Strictness) -> LeafOutcome {
    let settings = Settings { strictness, ..Settings::default() };
    mark_with(&question(vec![part.clone()]), &[(&part.label, answer)], &settings).leaves.remove(0)
}

pub(crate) fn marks(part: &Part, answer: &str) -> f64 {
    leaf(part, answer).awarded.as_number()
}
