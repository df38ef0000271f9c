//! Keys whose points may have run together: fewer points than marks, one of them of several sentences.

use super::names::leaf_name;
use domain::marks::Marks;
use domain::question::{AnswerKey, Point, PointKind, Question};

/// What such a note ends with. It is worth a look, but nothing is missing.
pub(crate) const MAY_BE_SEVERAL: &str = "what it says may be several.";

/// A shorter point is one thing to say.
const WORDS_MIN: usize = 18;
/// A point that holds several is worth at least so much.
const WORTH_MIN: Marks = Marks::whole(2);

/// More of one question are not listed.
const LISTED: usize = 6;

/// Notes on the questions which of their keys may hold several points in one.
pub(super) fn note(questions: &mut [Question]) {
    for question in questions {
        let own = question.answer_key.iter().map(|key| ("", question.marks, key));
        let parts = question.parts.iter();
        let parts =
            parts.filter_map(|part| Some((part.label.as_str(), part.marks, part.answer_key.as_ref()?)));
        let joined = own.chain(parts).filter(|(_, marks, key)| has_run_together(key, *marks));
        let said = |(label, marks, key): (&str, Option<Marks>, &AnswerKey)| {
            let name = leaf_name(&question.number, label);
            let (marks, count) = (marks.unwrap_or_default(), key.points.len());
            let points = if count == 1 { "one point".to_owned() } else { format!("{count} points") };
            format!("The key of {name} has {points} for {marks} marks: {MAY_BE_SEVERAL}")
        };
        let notes: Vec<String> = joined.take(LISTED).map(said).collect();
        question.warnings.extend(notes);
    }
}

fn has_run_together(key: &AnswerKey, marks: Option<Marks>) -> bool {
    let chosen = key.points.iter().any(|point| point.kind == PointKind::Option);
    let count = u32::try_from(key.points.len()).unwrap_or(u32::MAX);
    let few = marks.is_some_and(|marks| Marks::whole(count) < marks);
    few && !chosen && key.levels.is_empty() && key.points.iter().any(holds_several)
}

/// True for a long point with the end of a sentence inside it.
fn holds_several(point: &Point) -> bool {
    let words: Vec<&str> = point.text.split_whitespace().collect();
    let ends = |pair: &[&str]| {
        let next = pair[1].starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == '(');
        pair[0].ends_with(';') || (pair[0].len() > 2 && pair[0].ends_with(['.', '?', '!']) && next)
    };
    point.marks >= WORTH_MIN && words.len() >= WORDS_MIN && words.windows(2).any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(texts: &[&str], marks: u32) -> Vec<String> {
        let each = Marks::halves(2 * marks / u32::try_from(texts.len()).expect("a few"));
        let point = |text: &&str| Point { text: (*text).to_owned(), marks: each, ..Point::default() };
        let key = AnswerKey { points: texts.iter().map(point).collect(), ..AnswerKey::default() };
        let (number, marks) = ("4".to_owned(), Some(Marks::whole(marks)));
        let mut questions = [Question { number, marks, answer_key: Some(key), ..Question::default() }];
        note(&mut questions);
        let [question] = questions;
        question.warnings
    }

    #[test]
    fn several_sentences_in_one_point_are_worth_a_look() {
        let said = "Rain falls on the hills and runs into the river. The river rises and floods the low \
                    fields beside it. People move their animals.";
        assert_eq!(
            noted(&[said], 3),
            ["The key of 4 has one point for 3 marks: what it says may be several."]
        );
        assert!(noted(&[said], 1).is_empty(), "one mark is one point");
        assert!(noted(&["The river rises. It floods the fields."], 3).is_empty(), "short");
        assert!(noted(&["rain falls", "the river rises", said], 3).is_empty(), "as many as marks");
    }
}
