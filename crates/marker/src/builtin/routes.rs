//! Several ways to one result in one key: "… 960 … 960". An answer goes one of them, and steps of two do not add up.

use domain::marks::Marks;
use domain::question::PointKind;
use domain::scheme::TypedKey;
use std::ops::Range;

/// Takes away what was earned on other ways than the best.
pub(super) fn keep_best(key: &TypedKey, earned: &mut [Marks]) {
    let routes = routes(key);
    let sum = |route: &Range<usize>, earned: &[Marks]| earned[route.clone()].iter().copied().sum::<Marks>();
    let best = (0..routes.len()).rev().max_by_key(|at| sum(&routes[*at], earned));
    for (at, route) in routes.into_iter().enumerate() {
        if Some(at) != best {
            earned[route].fill(Marks::ZERO);
        }
    }
}

/// The ways of a key whose steps have letters: each ends with the same result. Empty where there is one.
fn routes(key: &TypedKey) -> Vec<Range<usize>> {
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
    use domain::scheme::TypedPoint;

    fn key(points: &[(&str, PointKind)]) -> TypedKey {
        let point = |(text, kind): &(&str, PointKind)| TypedPoint {
            text: (*text).to_owned(),
            kind: *kind,
            marks: Marks::whole(1),
            ..TypedPoint::default()
        };
        TypedKey { points: points.iter().map(point).collect(), ..TypedKey::default() }
    }

    fn kept(points: &[(&str, PointKind)], earned: &[u32]) -> Vec<u32> {
        let mut earned: Vec<Marks> = earned.iter().copied().map(Marks::whole).collect();
        keep_best(&key(points), &mut earned);
        earned.into_iter().map(|marks| marks.as_halves() / 2).collect()
    }

    #[test]
    fn steps_of_one_way_count() {
        use PointKind::{Accuracy, Method};
        let two =
            [("9! × 2", Method), ("840", Accuracy), ("7 × 6", Method), ("× 5!", Method), ("840", Accuracy)];
        assert_eq!(kept(&two, &[1, 0, 1, 1, 0]), [0, 0, 1, 1, 0]);
        assert_eq!(kept(&two, &[1, 1, 0, 0, 1]), [1, 1, 0, 0, 0]);
        let one = [("9! × 2", Method), ("840", Accuracy), ("answer in words", Method), ("2", Accuracy)];
        assert_eq!(kept(&one, &[1, 1, 1, 1]), [1, 1, 1, 1]);
    }
}
