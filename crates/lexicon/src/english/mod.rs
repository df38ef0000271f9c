//! What is read in English alone so far: tables of words by what they mean to a rule, each named by that meaning.
//!
//! A table that other languages have too is a [`Concept`](crate::Concept), and then no longer one of these.

pub mod algebra;
pub mod attempts;
pub mod clauses;
pub mod code;
pub mod comparing;
pub mod demands;
pub mod examiners;
pub mod headings;
pub mod instructions;
pub mod joints;
pub mod lists;
pub mod mending;
pub mod notes;
pub mod numbers;
pub mod opposites;
pub mod papers;
pub mod rubrics;
pub mod schemes;
pub mod scripts;
pub mod spelling;
mod stem;
pub mod steps;
pub mod substances;
pub mod times;
pub mod units;
pub mod verdicts;
pub mod wordings;

pub use opposites::{is_opposite, is_synonym};
pub use stem::stem;

use crate::{ALL, Words, number_in};
use std::collections::HashSet;
use std::sync::LazyLock;

/// Negations of other languages that answers in English papers are read with, too.
const FOREIGN_NEGATIONS: Words = Words::of(&["kein", "keine", "nicht", "ne", "pas", "非", "不"]);

static NEGATIONS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| ALL[0].negations.split_whitespace().chain(FOREIGN_NEGATIONS.iter()).collect());

/// True for a word in lower case, without accents, that turns the meaning of its clause round.
pub fn is_negation(folded: &str) -> bool {
    folded.ends_with("n't") || NEGATIONS.contains(folded)
}

/// The value of a number's word in lower case: "three" is 3, "thousand" is 1000.
pub fn number(word: &str) -> Option<u32> {
    number_in(ALL[0], word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_and_numbers_are_those_of_english() {
        assert!(is_negation("not") && is_negation("doesn't") && is_negation("nicht"));
        assert!(!is_negation("note") && !is_negation("inte"));
        assert_eq!(number("three"), Some(3));
        assert_eq!(number("drei"), None);
    }
}
