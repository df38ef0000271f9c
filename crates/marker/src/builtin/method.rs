//! Method marks: a step that was shown, or that a right result implies.

use super::algebra::{AlgebraKey, constant_of, has_step, recalculated};
use super::follow::is_carried;
use super::number::{self, Quantity};
use super::script::Script;
use super::sums::{Sum, is_near, is_scaled};
use super::verdict::{ALWAYS, NEVER, STANDARD, Verdict};
use crate::rule::Rule;
use domain::scheme::{TypedPoint, Wording};
use signs::form::normal;
use std::borrow::Cow;

/// Judges a method point by the working that the answer shows.
pub(crate) fn judge(script: &Script<'_>, point: &TypedPoint) -> Verdict {
    point
        .wordings
        .iter()
        .map(|wording| judge_step(script, &step_of(wording), script.follows_on(point)).by(Rule::Method))
        .fold(Verdict::refused(0.75, None), Verdict::or)
}

/// True when the point is a sum to be shown.
pub(crate) fn is_sum(point: &TypedPoint) -> bool {
    point.wordings.iter().any(|wording| constant_of(arithmetic_of(&step_of(wording))).is_some())
}

/// A wording as a step, without what square brackets say need not be written: "[P(X > 2) =] 1 - 0.3".
fn step_of(wording: &Wording) -> Cow<'_, str> {
    let is_shorter = wording.is_bracketed && !wording.needed.is_empty();
    if is_shorter { Cow::Borrowed(&wording.needed) } else { Cow::Owned(normal(&wording.text)) }
}

/// True for a sum that does not say what it comes to: "bonds broken = 436 + 242".
pub(crate) fn is_bare_sum(point: &TypedPoint) -> bool {
    let sums = Sum::all(&normal(&point.own.text));
    !sums.is_empty() && sums.iter().all(|sum| sum.claimed.is_none())
}

/// Judges a point that shows a sum ("22 × 10", "0.5 ÷ 2 = 0.25") by the sums of the answer. A fraction and a power of
/// ten are numbers, and no sums.
pub(crate) fn shown(script: &Script<'_>, point: &TypedPoint) -> Verdict {
    let is_number = |wording: &str| Quantity::all(wording).len() < 2 || wording.contains("10^");
    let found = point
        .wordings
        .iter()
        .map(|wording| normal(&wording.text))
        .filter(|wording| !is_number(wording))
        .find_map(|wording| shown_sum(script, &wording, script.follows_on(point)));
    match found {
        Some(span) => Verdict::given(STANDARD, 0.8, span).by(Rule::Method),
        None => Verdict::refused(0.75, None),
    }
}

/// The student's sum that comes to the same as one of the scheme's, in whatever power of ten, also with the student's
/// own values from before.
fn shown_sum(script: &Script<'_>, wording: &str, carries: bool) -> Option<std::ops::Range<usize>> {
    let sums = Sum::all(wording);
    let own = Sum::all(script.answer);
    // What stands beside the sums belongs to the point too: "mean 65 = …, variance 31.2".
    let beside = |one: &Quantity| {
        !sums.iter().any(|sum| sum.span.contains(&one.span.start) || sum.claimed == Some(one.value))
    };
    let said = |wanted: &Quantity| {
        let written = Quantity::all(script.answer).into_iter().map(|one| one.value);
        written.chain(own.iter().map(|sum| sum.value)).any(|value| is_near(value, wanted.value))
    };
    if !Quantity::all(wording).iter().filter(|one| beside(one)).all(said) {
        return None;
    }
    let is_shown = |own: &&Sum| {
        sums.iter().any(|sum| {
            let theirs = script
                .earlier
                .iter()
                .flat_map(|earlier| recalculated(&wording[sum.span.clone()], earlier.right, earlier.given));
            let mut values = std::iter::once(sum.value).chain(theirs.map(|(_, theirs)| theirs));
            let worked_out = sum.claimed.is_none() || own.claimed.is_none() || own.is_worked_out();
            // What came out wrong on the way there counts where errors are carried forward.
            let is_carried = || carries && is_carried(script, own, sum);
            worked_out && (values.any(|value| is_scaled(own.value, value)) || is_carried())
        })
    };
    own.iter().find(is_shown).map(|own| own.span.clone())
}

fn judge_step(script: &Script<'_>, wording: &str, carries: bool) -> Verdict {
    let step = arithmetic_of(wording);
    if let Some(span) = has_step(script.answer, step) {
        return Verdict::given(ALWAYS, 0.88, span);
    }
    if let Some(span) = shown_sum(script, wording, carries) {
        return Verdict::given(STANDARD, 0.8, span);
    }
    let working_wanted = script.demands.working || script.rules.require_working;
    if let Some((value, _)) = constant_of(step).filter(|_| !working_wanted) {
        // The step's result without the step: seen or implied.
        let shown = number::results(script.answer).into_iter().find(|result| {
            Quantity::all(&script.answer[result.clone()])
                .iter()
                .any(|one| (one.value - value).abs() <= value.abs() * 0.005)
        });
        return shown
            .map_or_else(|| Verdict::refused(0.75, None), |span| Verdict::given(STANDARD, 0.75, span));
    }
    match AlgebraKey::parse(step, true) {
        Some(key) => {
            let verdict = key.appears_in(script.answer, &super::demand::Demands::default());
            if verdict.grant > NEVER { verdict } else { Verdict::refused(0.7, None) }
        }
        None => Verdict::refused(0.7, None),
    }
}

/// The sum in a wording such as "substitution, e.g. 0.5 × 4 × 3^2" or "for 12 / 0.3 oe".
pub(crate) fn arithmetic_of(wording: &str) -> &str {
    let text = wording.rsplit([':', ';']).next().unwrap_or(wording);
    let is_sum = |c: char| c.is_ascii_digit() || matches!(c, '(' | '√' | '-' | '[' | 'π');
    let start = text.find(is_sum).unwrap_or(0);
    let end = text
        .rfind(|c: char| c.is_ascii_digit() || matches!(c, ')' | ']' | '%' | '°'))
        .map_or(text.len(), |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let sum = text.get(start..end).unwrap_or(text).trim();
    if constant_of(sum).is_some() { sum } else { text.trim() }
}
