//! Answers that the scheme itself prices: "an answer of 0.36 scores 1 mark".

use super::number::{self, NumberKey, Quantity, compare};
use super::script::Script;
use super::settle::settle;
use super::sums::Sum;
use super::verdict::{ALWAYS, Grant, NEVER, STANDARD, Verdict};
use crate::rule::Rule;
use crate::task::Strictness;
use domain::marks::Marks;
use domain::scheme::{Priced, TypedKey};
use std::ops::Range;

/// How sure a mark is that the scheme gives by name.
const CONFIDENCE: f32 = 0.9;

/// Gives an answer with a result that the scheme prices just what it is worth: to the points that it made, then to the
/// first ones that it did not.
pub(crate) fn judge(script: &Script<'_>, key: &TypedKey, verdicts: &mut [Verdict]) {
    let Some((worth, span)) = worth(script, key) else { return };
    let earned = settle(key, verdicts, script.leaf.available(), Strictness::Standard, script.rules);
    let made: Marks = earned.iter().copied().sum();
    if made == worth {
        return;
    }
    let mut left = worth;
    let (first, later): (Vec<usize>, Vec<usize>) =
        (0..verdicts.len()).partition(|index| !earned[*index].is_zero());
    for index in first.into_iter().chain(later) {
        let marks = key.points[index].marks;
        let given = marks.min(left);
        left = left.less(given);
        verdicts[index] = if given == marks && !given.is_zero() {
            Verdict::given(ALWAYS, CONFIDENCE, span.clone()).by(Rule::Ruling)
        } else {
            Verdict { shares: shares(given, marks), ..Verdict::refused(CONFIDENCE, None).by(Rule::Ruling) }
        };
    }
}

/// So many half marks of a point's.
fn shares(given: Marks, of: Marks) -> Vec<Grant> {
    if given.is_zero() {
        return Vec::new();
    }
    (0..of.as_halves()).map(|half| if half < given.as_halves() { ALWAYS } else { NEVER }).collect()
}

/// What the scheme says that the answer's final number is worth.
fn worth(script: &Script<'_>, key: &TypedKey) -> Option<(Marks, Range<usize>)> {
    let priced = &key.remarks.priced;
    if priced.is_empty() {
        return None;
    }
    let written = number::final_value(script.answer)?;
    let is_bare = Sum::all(script.answer).is_empty();
    let point = key.points.last()?;
    let is_it = |one: &&Priced| {
        let stated = Quantity::all(&one.stated).into_iter().next().map(NumberKey::of);
        let is_same =
            stated.is_some_and(|stated| compare(&stated, &written, script.context(point)).0 >= STANDARD);
        is_same && (is_bare || !one.is_without_working)
    };
    priced.iter().find(is_it).map(|one| (one.marks.min(script.leaf.available()), written.span.clone()))
}
