//! A step that a point tells in words, of a value that it does not state: "the measured width divided by 4".

use super::number::{Form, Quantity, decimals_joined};
use super::script::Script;
use super::sums::is_near;
use super::verdict::{STANDARD, Verdict};
use crate::rule::Rule;
use domain::scheme::TypedPoint;
use lexicon::english::steps;
use std::ops::Range;

/// How sure a step is of which the answer shows both ends.
const CONFIDENCE: f32 = 0.7;
/// Numbers that are tried with each other; more are in no answer.
const NUMBERS_MAX: usize = 40;

/// Judges a point by two numbers of the answer of which the second is what the step makes of the first: "it is 9.2 cm, so
/// really 2.3 cm".
pub(super) fn judge(script: &Script<'_>, point: &TypedPoint) -> Verdict {
    let span = point.wordings.iter().filter_map(|wording| factor(&wording.text)).find_map(|factor| {
        shown(script.answer, factor).or_else(|| shown(&decimals_joined(script.answer)?, factor))
    });
    match span {
        Some(span) => Verdict::given(STANDARD, CONFIDENCE, span).by(Rule::Method),
        None => Verdict::refused(CONFIDENCE, None),
    }
}

/// By what the step multiplies; `None` where the point states what it multiplies, or no such step.
fn factor(wording: &str) -> Option<f64> {
    let lower = wording.to_lowercase();
    let cut = |signs: lexicon::Words| signs.iter().find_map(|sign| lower.split_once(sign));
    let (of, by, is_divided) = match (cut(steps::DIVIDED), cut(steps::MULTIPLIED)) {
        (Some((of, by)), _) => (of, by, true),
        (None, Some((of, by))) => (of, by, false),
        (None, None) => return None,
    };
    let is_named = of.chars().filter(|c| c.is_alphabetic()).count() > 2
        && !Quantity::all(of).iter().any(|one| one.form != Form::Word);
    let by = Quantity::all(by).into_iter().next().filter(|_| is_named).map(|one| one.value)?;
    (by > 0.0 && by != 1.0).then_some(if is_divided { 1.0 / by } else { by })
}

/// Where the answer says two measured values, the later one so many times the earlier.
fn shown(answer: &str, factor: f64) -> Option<Range<usize>> {
    let is_measured = |one: &Quantity| {
        one.form != Form::Word && one.value != 0.0 && (one.unit.is_some() || one.figures > 1)
    };
    let values: Vec<Quantity> =
        Quantity::all(answer).into_iter().filter(is_measured).take(NUMBERS_MAX).collect();
    values.iter().enumerate().find_map(|(at, first)| {
        let last = values[at + 1..].iter().find(|last| is_near(last.value, first.value * factor))?;
        Some(first.span.start..last.span.end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_told_in_words_states_no_value() {
        assert_eq!(factor("the measured width divided by 4"), Some(0.25));
        assert_eq!(factor("mass of one tile times 12"), Some(12.0));
        for kept in ["18.4 divided by 4", "the width of the gate", "divided by 4", "it happens many times"] {
            assert_eq!(factor(kept), None, "{kept}");
        }
    }

    #[test]
    fn both_ends_of_a_step_show_it() {
        assert_eq!(shown("it is 9.2 cm, so really 2.3 cm", 0.25), Some(6..30));
        for other in ["it is 9.2 cm", "2.3 cm, which is 9.2 cm drawn", "9.2 cm becomes 3.2 cm", "8 then 2"] {
            assert_eq!(shown(other, 0.25), None, "{other}");
        }
    }
}
