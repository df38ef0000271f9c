//! Students' answers that a key shows below its points: "Exemplar  Mark  Rationale", "Common answers". They say what
//! others earned, and earn nothing by themselves where the points above them are worth all the marks.

use super::meta::is_meta;
use super::verdict::Verdict;
use crate::rule::Rule;
use domain::marks::Marks;
use domain::scheme::TypedKey;
use lexicon::english::headings;

/// How sure it is that an example is none of the points.
const CONFIDENCE: f32 = 0.9;
/// A longer heading says more than that examples follow.
const HEADING_WORDS_MAX: usize = 4;

/// Sets aside what stands below a heading of examples.
pub(super) fn set_aside(key: &TypedKey, available: Marks, verdicts: &mut [Verdict]) {
    let is_point = |at: &usize| !is_meta(&key.points[*at].text);
    let worth = |until: usize| (0..until).filter(is_point).map(|at| key.points[at].marks).sum::<Marks>();
    let heading =
        (1..key.points.len()).find(|at| heads_examples(&key.points[*at].text) && worth(*at) >= available);
    if let Some(heading) = heading {
        verdicts[heading..].fill(Verdict::refused(CONFIDENCE, None).by(Rule::Example));
    }
}

fn heads_examples(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let is_short = lower.split_whitespace().count() <= HEADING_WORDS_MAX;
    is_short && headings::OTHERS_ANSWERS.begin(&lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::verdict::{ALWAYS, NEVER};
    use domain::scheme::TypedPoint;

    fn aside(texts: &[&str], available: u32) -> Vec<bool> {
        let point = |text: &&str| TypedPoint {
            text: (*text).to_owned(),
            marks: Marks::whole(1),
            ..TypedPoint::default()
        };
        let key = TypedKey { points: texts.iter().map(point).collect(), ..TypedKey::default() };
        let mut verdicts = vec![Verdict::given(ALWAYS, 0.9, 0..1); texts.len()];
        set_aside(&key, Marks::whole(available), &mut verdicts);
        verdicts.iter().map(|verdict| verdict.grant == NEVER).collect()
    }

    #[test]
    fn what_stands_below_a_heading_of_examples_is_set_aside() {
        let key = ["owed to others", "within a year", "Common answers", "a debt"];
        assert_eq!(aside(&key, 2), [false, false, true, true]);
        assert_eq!(aside(&key, 3), [false; 4], "the points above it are worth less than the marks");
        assert_eq!(aside(&["rust", "Exemplar Mark Rationale", "iron oxide 1 vague"], 1), [false, true, true]);
        assert_eq!(aside(&["an acid", "Example:", "nitric acid"], 1), [false; 3], "a right answer");
    }
}
