//! A paper and its scheme, read together, in a form that tests can compare.

use crate::sheet::Sheet;
use domain::marks::Marks;
use exam::Reading;
use reader::Options;

/// Where marks stand.
pub(crate) const RIGHT: f32 = 520.0;

pub(crate) fn read(paper: &Sheet, scheme: &Sheet) -> Reading {
    let options = Options::default();
    let paper = reader::pages(&paper.finish(), &options).expect("the paper is a PDF");
    let scheme = reader::pages(&scheme.finish(), &options).expect("the scheme is a PDF");
    exam::read(&paper, &scheme)
}

/// Each leaf as "1(a)(i):2".
pub(crate) fn leaves(reading: &Reading) -> Vec<String> {
    let show = |marks: Option<Marks>| marks.map_or("?".to_owned(), |marks| marks.to_string());
    let mut found = Vec::new();
    for question in &reading.questions {
        if question.parts.is_empty() {
            found.push(format!("{}:{}", question.number, show(question.marks)));
        }
        for part in &question.parts {
            let number = if part.label.starts_with('(') { question.number.as_str() } else { "" };
            found.push(format!("{number}{}:{}", part.label, show(part.marks)));
        }
    }
    found
}

/// All words of a leaf's key.
pub(crate) fn key(reading: &Reading, number: &str, label: &str) -> String {
    let question =
        reading.questions.iter().find(|question| question.number == number).expect("the question was read");
    let key = match question.parts.iter().find(|part| part.label == label) {
        Some(part) => part.answer_key.as_ref(),
        None => question.answer_key.as_ref(),
    };
    let Some(key) = key else { return String::new() };
    let points = key.points.iter().flat_map(|point| {
        let lists = [&point.alternatives, &point.accept, &point.reject, &point.ignore];
        std::iter::once(point.text.clone()).chain(lists.into_iter().flatten().cloned())
    });
    points.chain(key.notes.clone()).collect::<Vec<_>>().join(" ")
}

pub(crate) fn assert_holds(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word:?} is missing in {text:?}");
    }
}
