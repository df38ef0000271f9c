//! Keys whose numbers are written with decimal commas, in the form that everything else understands.

use domain::question::{AnswerKey, Question};
use signs::number::Separators;

/// How a question and its keys write their numbers.
pub(super) fn of(question: &Question) -> Separators {
    let parts = question.parts.iter();
    let texts = std::iter::once(&question.text).chain(parts.clone().map(|part| &part.text));
    let keys = parts.map(|part| &part.answer_key).chain([&question.answer_key]).flatten();
    let worded = keys.flat_map(|key| {
        let own = key.points.iter().flat_map(|point| std::iter::once(&point.text).chain(&point.alternatives));
        own.chain(&key.notes)
    });
    Separators::of(texts.chain(worded).map(String::as_str))
}

/// The key with decimal points.
pub(super) fn in_english(key: &AnswerKey, separators: Separators) -> AnswerKey {
    let mut key = key.clone();
    let change = |text: &mut String| *text = separators.in_english(text);
    for point in &mut key.points {
        change(&mut point.text);
        let wordings = point.alternatives.iter_mut().chain(&mut point.accept);
        wordings.chain(&mut point.reject).chain(&mut point.ignore).for_each(change);
    }
    key.notes.iter_mut().for_each(change);
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::typed;
    use domain::question::Point;

    #[test]
    fn wordings_have_points_and_people_read_what_the_scheme_prints() {
        let point = Point { text: "a = 3,50 m/s²".into(), ..Point::default() };
        let marks = domain::marks::Marks::whole(1);
        let answer_key = Some(AnswerKey { points: vec![Point { marks, ..point }], ..AnswerKey::default() });
        let key = typed(&Question { answer_key, ..Question::default() }).own.unwrap();
        assert!(key.has_decimal_commas && !key.has_dotted_thousands);
        assert_eq!(key.points[0].text, "a = 3,50 m/s²");
        assert_eq!(key.points[0].own.number.as_ref().map(|number| number.value), Some(3.5));
    }
}
