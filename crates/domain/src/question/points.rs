//! Changing single points of a key that was approved.

use super::{Point, Question, Wrong};
use crate::marks::Marks;

/// What becomes of one mark point; what is not given stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointChange {
    /// The part's label; `None` for a question that is marked as a whole.
    pub part: Option<String>,
    /// The point's place in the key, counted from 0.
    pub point: usize,
    /// In the scheme's words.
    pub text: Option<String>,
    /// What it is worth.
    pub marks: Option<Marks>,
    /// Other wordings that are as good.
    pub alternatives: Option<Vec<String>>,
    /// Weaker wordings that still earn it.
    pub accept: Option<Vec<String>>,
    /// Wordings that lose it.
    pub reject: Option<Vec<String>>,
}

impl Question {
    /// The question with some of its points changed; what is wrong is named as `points[0].part`.
    pub fn with_points(&self, changes: &[PointChange]) -> Result<Question, Wrong> {
        let mut question = self.clone();
        for (index, change) in changes.iter().enumerate() {
            let path = format!("points[{index}]");
            let wrong = |member: &str, problem: String| Wrong { path: format!("{path}.{member}"), problem };
            let key = match &change.part {
                None => question.answer_key.as_mut(),
                Some(label) => {
                    let part = question.parts.iter_mut().find(|part| part.label == *label);
                    let part = part.ok_or_else(|| wrong("part", "is not in the question".to_owned()))?;
                    part.answer_key.as_mut()
                }
            };
            let count = key.as_ref().map_or(0, |key| key.points.len());
            let Some(key) = key.filter(|_| change.point < count) else {
                let problem = match count {
                    0 => "names none: the scheme has no points there".to_owned(),
                    _ => format!("must be from 0 to {}", count - 1),
                };
                return Err(wrong("point", problem));
            };
            change.apply(&mut key.points[change.point]);
            question.check().map_err(|Wrong { problem, .. }| Wrong { path, problem })?;
        }
        Ok(question)
    }
}

impl PointChange {
    fn apply(&self, point: &mut Point) {
        fn put<T: Clone>(place: &mut T, wanted: Option<&T>) {
            if let Some(wanted) = wanted {
                place.clone_from(wanted);
            }
        }
        put(&mut point.text, self.text.as_ref());
        put(&mut point.marks, self.marks.as_ref());
        put(&mut point.alternatives, self.alternatives.as_ref());
        put(&mut point.accept, self.accept.as_ref());
        put(&mut point.reject, self.reject.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::{AnswerKey, Part};

    fn question() -> Question {
        let point = Point { text: "light".to_owned(), marks: Marks::halves(2), ..Point::default() };
        let key = AnswerKey { points: vec![point.clone(), point], ..AnswerKey::default() };
        let part = Part { label: "(a)".to_owned(), answer_key: Some(key), ..Part::default() };
        Question { number: "1".to_owned(), parts: vec![part], ..Question::default() }
    }

    fn change(part: Option<&str>, point: usize) -> PointChange {
        PointChange { part: part.map(str::to_owned), point, ..PointChange::default() }
    }

    #[test]
    fn what_is_not_given_stays_as_it_is() {
        let accept = Some(vec!["sunshine".to_owned()]);
        let change = PointChange { accept, ..change(Some("(a)"), 1) };
        let amended = question().with_points(&[change]).unwrap();
        let mut wanted = question();
        wanted.parts[0].answer_key.as_mut().unwrap().points[1].accept.push("sunshine".to_owned());
        assert_eq!(amended, wanted);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let path = |changes: &[PointChange]| question().with_points(changes).unwrap_err().path;
        assert_eq!(path(&[change(Some("(b)"), 0)]), "points[0].part");
        assert_eq!(path(&[change(Some("(a)"), 0), change(Some("(a)"), 2)]), "points[1].point");
        assert_eq!(path(&[change(None, 0)]), "points[0].point", "the question has no key of its own");
        let long = PointChange { text: Some("x".repeat(5000)), ..change(Some("(a)"), 0) };
        assert_eq!(path(&[long]), "points[0]");
    }
}
