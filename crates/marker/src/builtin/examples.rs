//! Students' answers that a key shows below its points: "Exemplar  Mark  Rationale", "Common answers". They say what
//! others earned, and earn nothing by themselves where the points above them are worth all the marks.

use super::verdict::Verdict;
use crate::rule::Rule;
use domain::marks::Marks;
use domain::scheme::TypedKey;

/// How sure it is that an example is none of the points.
const CONFIDENCE: f32 = 0.9;

/// Sets aside what stands below a heading of examples.
pub(super) fn set_aside(key: &TypedKey, available: Marks, verdicts: &mut [Verdict]) {
    let is_point = |at: &usize| !key.points[*at].is_heading;
    let worth = |until: usize| (0..until).filter(is_point).map(|at| key.points[at].marks).sum::<Marks>();
    let heading = (1..key.points.len()).find(|at| key.points[*at].heads_examples && worth(*at) >= available);
    if let Some(heading) = heading {
        verdicts[heading..].fill(Verdict::refused(CONFIDENCE, None).by(Rule::Example));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::verdict::{ALWAYS, NEVER};
    use domain::scheme::TypedPoint;

    /// A point for each letter: a point, a heading, a heading of examples.
    fn aside(points: &str, available: u32) -> Vec<bool> {
        let point = |letter: char| TypedPoint {
            marks: Marks::whole(1),
            is_heading: letter != 'p',
            heads_examples: letter == 'e',
            ..TypedPoint::default()
        };
        let key = TypedKey { points: points.chars().map(point).collect(), ..TypedKey::default() };
        let mut verdicts = vec![Verdict::given(ALWAYS, 0.9, 0..1); key.points.len()];
        set_aside(&key, Marks::whole(available), &mut verdicts);
        verdicts.iter().map(|verdict| verdict.grant == NEVER).collect()
    }

    #[test]
    fn what_stands_below_a_heading_of_examples_is_set_aside() {
        assert_eq!(aside("ppep", 2), [false, false, true, true]);
        assert_eq!(aside("ppep", 3), [false; 4], "the points above it are worth less than the marks");
        assert_eq!(aside("phep", 2), [false; 4], "a heading is worth nothing");
        assert_eq!(aside("php", 1), [false; 3], "a right answer");
    }
}
