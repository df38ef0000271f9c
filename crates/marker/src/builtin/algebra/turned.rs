//! A formula that the answer writes otherwise: of the same names, and another.

use super::judge::AlgebraKey;
use super::parse::{Expression, Side, Statement};
use std::ops::Range;

/// With fewer names, what looks like another formula may be a step on the way.
const NAMES_MIN: usize = 2;
/// What parts the formulae of a wording, and those of an answer.
const BETWEEN: [char; 6] = [':', ';', '⇒', '⟹', '→', '∴'];

/// Where the answer has a formula of a wording with the same names, and other than it, unless it has it rightly
/// elsewhere. No likeness of words tells "u + at" from "a + ut".
pub(crate) fn written_otherwise(wording: &str, answer: &str) -> Option<Range<usize>> {
    // Typesetters leave a blank before a prime.
    let wording = wording.replace(" '", "'");
    let keys: Vec<AlgebraKey> =
        wording.split(BETWEEN).filter_map(|text| AlgebraKey::parse(text, false)).collect();
    let wanted: Vec<(&Expression, bool)> =
        keys.iter().flat_map(AlgebraKey::statements).flat_map(formulae).collect();
    let is_right = |(given, is_nothing): &(&Expression, bool)| {
        wanted
            .iter()
            .any(|(key, also)| given.equals(key) || (*is_nothing && *also && given.ratio(key).is_some()))
    };
    let is_rival =
        |(given, _): &(&Expression, bool)| wanted.iter().any(|(key, _)| key.variables() == given.variables());
    let written: Vec<(Range<usize>, Statement)> =
        keys.iter().flat_map(|key| key.written_in(answer)).collect();
    if written.iter().any(|(_, given)| formulae(given).iter().any(is_right)) {
        return None;
    }
    written.into_iter().find(|(_, given)| formulae(given).iter().any(is_rival)).map(|(span, _)| span)
}

/// The formulae of a statement, each with whether it is said to be nothing: then any multiple of it is as good.
fn formulae(statement: &Statement) -> Vec<(&Expression, bool)> {
    let sides = || statement.sides.iter().filter_map(Side::expression);
    let is_nothing = sides().any(|side| side.constant() == Some(0.0));
    sides().filter(|side| is_formula(side)).map(|side| (side, is_nothing)).collect()
}

/// More than a name and what it is the name of: "L(t)" is none.
fn is_formula(side: &Expression) -> bool {
    !side.is_label() && side.length() > NAMES_MIN && side.variables().len() >= NAMES_MIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_names_in_another_formula_are_told_from_the_formula() {
        for (wording, answer) in [
            ("tangent: T(x) = f(2) + f'(2)(x - 2)", "T(x) = f'(2) + f(2)(x - 2)"),
            ("q'(x) = (3xp'(x) - 3p(x))/(9x^2)", "q'(x) = (3p(x) - 3xp'(x))/(9x^2) = 1/3"),
            ("balance: mg = kv ⇒ v = mg/k", "the forces are equal so v = 2mg/k"),
        ] {
            assert!(written_otherwise(wording, answer).is_some(), "{wording} / {answer}");
        }
        for (wording, answer) in [
            ("tangent: T(x) = f(2) + f'(2)(x - 2)", "T(x) = f'(2)(x - 2) + f(2)"),
            ("tangent: T(x) = f(2) + f'(2)(x - 2)", "T(x) = 0.4 - 0.1(x - 2)"),
            ("q'(x) = (3xp'(x) - 3p(x))/(9x^2)", "q'(x) = (xp'(x) - p(x))/(3x^2) = -1/3"),
            ("balance: mg = kv ⇒ v = mg/k", "v = 2mg/k\nno: v = mg/k"),
            ("ends: g'(3) - g'(1) = 0", "(g'(3) - g'(1))/2 = 0"),
            ("v = mg/(2R)", "v = mg/2R"),
            ("the rate is higher", "the rate is lower"),
        ] {
            assert!(written_otherwise(wording, answer).is_none(), "{wording} / {answer}");
        }
    }
}
