//! Numbers inside statements: a statement of the scheme that turns on a number is made only by an answer that says it.

use super::compare::{Context, compare};
use super::judge::is_span;
use super::key::NumberKey;
use crate::builtin::verdict::STANDARD;
use signs::number::bound_before;
use signs::number::{Form, Quantity};

/// The numbers that a statement turns on: in digits, and not given by the question, unless as one end of a range of which
/// the other is not.
pub(crate) fn decisive(statement: &str, given: &[f64]) -> Vec<Quantity> {
    let found = Quantity::all(statement);
    let turns = |quantity: &Quantity| is_telling(quantity) && !is_name(statement, quantity.span.start);
    let is_new = |quantity: &Quantity| !given.contains(&quantity.value);
    let is_range = |low: usize| {
        let ends = found.get(low).zip(found.get(low + 1));
        ends.is_some_and(|(low, high)| {
            statement.get(low.number_end..high.number_end).is_some_and(is_span)
                && turns(low)
                && turns(high)
                && (is_new(low) || is_new(high))
        })
    };
    let is_end = |at: usize| is_range(at) || at.checked_sub(1).is_some_and(is_range);
    let kept = |(at, quantity): &(usize, &Quantity)| turns(quantity) && (is_new(quantity) || is_end(*at));
    found.iter().enumerate().filter(kept).map(|(_, quantity)| quantity.clone()).collect()
}

/// "base-16", "type-2": the number is part of a name, which may be said in other words. Its sign may count as the number's.
fn is_name(text: &str, at: usize) -> bool {
    let (before, number) = text.split_at(at);
    let word = before.strip_suffix('-').or_else(|| number.starts_with('-').then_some(before));
    word.is_some_and(|word| word.ends_with(char::is_alphabetic))
}

/// A small whole number may be said in other words: "doubles", "in twos".
fn is_telling(quantity: &Quantity) -> bool {
    let is_small = quantity.form == Form::Integer && quantity.unit.is_none() && quantity.value.abs() <= SMALL;
    quantity.form != Form::Word && !is_small
}

const SMALL: f64 = 12.0;

/// True when the answer says a number within the range that a statement gives from this one to the next: "10 - 20 cm apart".
pub(crate) fn says_between(answer: &str, ends: [&Quantity; 2], statement: &str) -> bool {
    let [low, high] = ends;
    let Some(between) = statement.get(low.number_end..high.number_end) else { return false };
    let unit = high.unit.or(low.unit);
    let is_alike = |written: &Quantity| match (unit, written.unit) {
        (Some(wanted), Some(unit)) => wanted.convert_from(written.value, unit),
        _ => Some(written.value),
    };
    let top = high.value.abs();
    is_span(between)
        && low.value >= 0.0
        && Quantity::all(answer)
            .iter()
            .filter(|written| written.form != Form::Word)
            .any(|written| is_alike(written).is_some_and(|value| (low.value..=top).contains(&value)))
}

/// True when some number of the answer is this one, and not said to be above or below it.
pub(crate) fn says(answer: &str, wanted: &Quantity, statement: &str, context: Context<'_>) -> bool {
    let key = NumberKey::of(wanted.clone());
    let is_bounded = bound_before(statement, wanted.span.start).is_some();
    Quantity::all(answer).iter().any(|written| {
        compare(&key, written, context).0 >= STANDARD
            && (is_bounded || bound_before(answer, written.span.start).is_none())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::demand::Demands;
    use crate::instructions::Rules;

    fn made(wording: &str, answer: &str) -> bool {
        let (demands, rules) = (Demands::default(), Rules::default());
        let context = Context { demands: &demands, rules: &rules, exact_only: false, ignores_sign: false };
        decisive(wording, &[5.0]).iter().all(|wanted| says(answer, wanted, wording, context))
    }

    #[test]
    fn a_statement_turns_on_its_numbers() {
        assert!(made("the herd doubled to 84 animals", "it went up to 84"));
        assert!(!made("the herd doubled to 84 animals", "it went up to 48"));
        assert!(!made("the bridge carries 60 kN", "the bridge carries less than 60 kN"));
        assert!(made("the bridge carries less than 60 kN", "it holds less than 60 kN"));
        // What the question says decides nothing, but as the end of a range.
        assert!(made("after 5 days they wilt", "they wilt"));
        let ends = |statement: &str| decisive(statement, &[5.0]).len();
        assert_eq!((ends("within 5.0 to 6.5 m"), ends("5.0 m and 6.5 m")), (2, 1));
        let between = |answer: &str| {
            let statement = "plant them 10 - 20 cm apart";
            let ends = Quantity::all(statement);
            says_between(answer, [&ends[0], &ends[1]], statement)
        };
        assert!(between("about 15 cm from each other") && between("10 cm to 20 cm") && !between("90 cm"));
        // A number in a name is no quantity.
        assert!(made("written in base-16", "it counts in sixteens"));
        assert!(!made("the herd fell to -16", "it fell"));
    }
}
