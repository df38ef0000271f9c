//! A text prepared for comparison: its terms with their weight, its pairs of words, its letters, its numbers.

use super::wordpiece::rarity;
use crate::words::{Token, fold, is_negation, tokens};
use lexicon::english::rubrics;
use std::collections::HashSet;

/// A text prepared for comparison. Texts longer than this many words are cut: no short answer needs more.
const TOKENS_MAX: usize = 600;

/// A text prepared for comparison.
#[derive(Clone, Debug, Default)]
pub(super) struct Wording {
    /// The words that carry meaning, in order.
    pub(super) terms: Vec<Term>,
    /// Stems of neighbouring terms.
    pub(super) pairs: HashSet<(String, String)>,
    /// Runs of three letters, spaces included, as one number each.
    pub(super) trigrams: HashSet<u64>,
    /// How many words turn the meaning round.
    pub(super) negations: usize,
    /// All words, the empty ones included.
    pub(super) words: usize,
}

/// A word that carries meaning.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    pub(super) stem: String,
    /// From 0.2 for the commonest words to 1 for terms of the subject.
    pub(super) weight: f32,
    pub(super) is_number: bool,
    /// The bytes of the text that it covers.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Wording {
    /// Prepares a text.
    pub(super) fn of(text: &str) -> Wording {
        let mut tokens = tokens(text);
        tokens.truncate(TOKENS_MAX);
        let negations = tokens.iter().filter(|token| is_negation(&token.folded)).count();
        let terms: Vec<Term> = tokens.iter().filter(|token| token.is_content()).map(term).collect();
        let pairs = terms.windows(2).map(|two| (two[0].stem.clone(), two[1].stem.clone())).collect();
        Wording { pairs, trigrams: trigrams(&tokens), negations, words: tokens.len(), terms }
    }

    /// The stems, for asking whether a word is there.
    pub(super) fn stems(&self) -> HashSet<&str> {
        self.terms.iter().map(|term| term.stem.as_str()).collect()
    }
}

fn term(token: &Token) -> Term {
    // A word of another script or with a foreign letter has no place in the table of frequencies.
    let rarity = if token.folded.is_ascii() && !token.is_number() { rarity(&token.folded) } else { 0.8 };
    Term {
        stem: token.stem.clone(),
        weight: 0.2 + 0.8 * rarity,
        is_number: token.is_number(),
        start: token.span.start,
        end: token.span.end,
    }
}

fn trigrams(tokens: &[Token]) -> HashSet<u64> {
    let mut found = HashSet::new();
    for token in tokens.iter().filter(|token| token.is_content()) {
        let letters: Vec<char> = std::iter::once(' ').chain(token.folded.chars()).chain([' ']).collect();
        for three in letters.windows(3) {
            found.insert(three.iter().fold(0, |sum, &c| (sum << 21) | u64::from(u32::from(c))));
        }
    }
    // Scripts without spaces give one letter a token: their neighbours tell more than they alone.
    for two in tokens.windows(2) {
        if !two[0].folded.is_ascii() && two[0].span.end == two[1].span.start {
            let both = two.iter().flat_map(|token| token.folded.chars());
            found.insert(both.fold(1, |sum, c| (sum << 21) | u64::from(u32::from(c))));
        }
    }
    found
}

/// A key's text without the marks that are printed in it: "(0.25 P)", "[2]", "(1 mark)".
pub(super) fn without_marks(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find(['(', '[']) {
        let closing = if rest[open..].starts_with('(') { ')' } else { ']' };
        let Some(length) = rest[open..].find(closing) else { break };
        let inside = &rest[open + 1..open + length];
        kept.push_str(&rest[..open]);
        if !is_mark(inside) {
            kept.push_str(&rest[open..=open + length]);
        }
        rest = &rest[open + length + 1..];
    }
    kept.push_str(rest);
    kept
}

fn is_mark(inside: &str) -> bool {
    let folded = fold(inside);
    let mut words = folded.split_whitespace();
    let is_amount = words.next().is_some_and(|word| word.replace(',', ".").parse::<f32>().is_ok());
    let unit = words.next();
    let is_unit = unit.is_none_or(|word| rubrics::PRINTED_UNITS.has(word));
    // A bare number in brackets can be part of the answer; in square brackets or with a unit it is a mark.
    is_amount && is_unit && unit.is_some() && words.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_reduced_to_what_carries_meaning() {
        let wording = Wording::of("The water does not evaporate at 20 degrees.");
        let stems: Vec<&str> = wording.terms.iter().map(|term| term.stem.as_str()).collect();
        assert!(stems.contains(&"water") && stems.contains(&"20") && !stems.contains(&"the"));
        assert_eq!(wording.negations, 1);
        assert!(wording.terms.iter().any(|term| term.is_number));
    }

    #[test]
    fn printed_marks_are_no_part_of_the_key() {
        assert_eq!(without_marks("heat flows (0.5 P) to cold (1 mark)"), "heat flows  to cold ");
        assert_eq!(without_marks("f(x) = 2 (see above"), "f(x) = 2 (see above");
    }

    #[test]
    fn every_script_has_letters_to_compare() {
        for text in ["光合作用", "الطاقة", "Größe"] {
            assert!(!Wording::of(text).trigrams.is_empty(), "{text}");
        }
    }
}
