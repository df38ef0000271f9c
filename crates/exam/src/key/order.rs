//! What must be earned before what, and several ways to one result: "… 960 … 960".

use domain::question::{AnswerKey, Notation, PointKind};
use std::ops::Range;

/// The place of the point that must be earned first: the one named, else an accuracy mark's method mark.
pub(super) fn needs(key: &AnswerKey, index: usize, has_special_case: bool) -> Option<usize> {
    let point = &key.points[index];
    if let Some(named) = point.depends_on {
        return Some(named as usize).filter(|named| *named < key.points.len() && *named != index);
    }
    let accuracy = point.kind == PointKind::Accuracy
        && !point.notation.contains(&Notation::Independent)
        && !has_special_case;
    if !accuracy && !point.notation.contains(&Notation::Dependent) {
        return None;
    }
    (0..index).rev().find(|before| key.points[*before].kind == PointKind::Method)
}

/// The ways of a key whose steps have letters: each ends with the same result. Empty where there is one.
pub(super) fn routes(key: &AnswerKey) -> Vec<Range<usize>> {
    let points = &key.points;
    let is_result = |at: &usize| matches!(points[*at].kind, PointKind::Accuracy | PointKind::Independent);
    let Some(last) = points.len().checked_sub(1).filter(is_result) else { return Vec::new() };
    let result = points[last].text.trim();
    let ends = (0..points.len()).filter(|at| is_result(at) && points[*at].text.trim() == result);
    let mut found: Vec<Range<usize>> = Vec::new();
    for end in ends {
        let start = found.last().map_or(0, |route| route.end);
        found.push(start..end + 1);
    }
    // A result that stands twice behind one step is one result.
    let has_steps =
        found.iter().all(|route| points[route.clone()].iter().any(|one| one.kind == PointKind::Method));
    if found.len() > 1 && has_steps { found } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::question::Point;

    fn key(points: &[(&str, PointKind)]) -> AnswerKey {
        let point = |(text, kind): &(&str, PointKind)| Point {
            text: (*text).to_owned(),
            kind: *kind,
            ..Point::default()
        };
        AnswerKey { points: points.iter().map(point).collect(), ..AnswerKey::default() }
    }

    #[test]
    fn a_result_that_stands_again_behind_other_steps_ends_another_way() {
        use PointKind::{Accuracy, Method};
        let two =
            [("9! × 2", Method), ("840", Accuracy), ("7 × 6", Method), ("× 5!", Method), ("840", Accuracy)];
        assert_eq!(routes(&key(&two)), [0..2, 2..5]);
        let one = [("9! × 2", Method), ("840", Accuracy), ("answer in words", Method), ("2", Accuracy)];
        assert!(routes(&key(&one)).is_empty());
        assert!(routes(&key(&[("9! × 2", Method), ("840", Accuracy), ("840", Accuracy)])).is_empty());
    }

    #[test]
    fn an_accuracy_mark_needs_the_method_before_it() {
        let key = key(&[("× 3", PointKind::Method), ("6", PointKind::Accuracy), ("7", PointKind::Point)]);
        let of = |index| needs(&key, index, false);
        assert_eq!([of(0), of(1), of(2)], [None, Some(0), None]);
        assert_eq!(needs(&key, 1, true), None, "a special case stands by itself");
    }
}
