//! Looking for a phrase in an answer: which words say it, and whether they deny or reverse it.

use super::opposite::{is_opposite, is_synonym};
use super::phrase::{Concept, NEGATION_REACH, Phrase};
use super::spelling::{is_slip, one_side_of_the_atlantic};
use crate::words::{Token, is_negation, tokens};
use std::collections::HashSet;
use std::ops::Range;

/// An answer cut into words, each known as denied or not.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) tokens: Vec<Token>,
    negated: Vec<bool>,
    /// First token of each clause.
    clauses: Vec<usize>,
}

/// How much of a phrase was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Match {
    /// Share of the concepts found, what the question already says weighing less.
    pub(crate) coverage: f32,
    /// Some word was only nearly spelled.
    pub(crate) misspelled: bool,
    /// The words say the opposite.
    pub(crate) contradicted: bool,
    /// How many clauses it is spread over.
    pub(crate) clauses: usize,
    pub(crate) spans: Vec<Range<usize>>,
    /// Everything was said that the question does not say itself.
    pub(crate) is_complete: bool,
}

/// Wider than this, words that belong together are strangers.
const WINDOW_CLAUSES: usize = 3;
/// What a word weighs that the question already says.
const WEIGHT_ASKED: f32 = 0.35;

impl Said {
    pub(crate) fn of(answer: &str) -> Said {
        let tokens = tokens(answer);
        let mut negated = vec![false; tokens.len()];
        let mut reach = 0_u32;
        let mut clauses = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            if token.starts_clause {
                clauses.push(index);
                reach = 0;
            }
            let only =
                tokens.get(index + 1).is_some_and(|next| matches!(next.folded.as_str(), "only" | "just"));
            if is_negation(&token.folded) && !only {
                reach = NEGATION_REACH + 1;
            } else if matches!(token.folded.as_str(), "but" | "however" | "because" | "so") {
                reach = 0;
            }
            reach = reach.saturating_sub(1);
            negated[index] = reach > 0 && !is_negation(&token.folded);
        }
        // The reach is counted from the negation itself, which is not denied.
        Said { tokens, negated, clauses }
    }

    /// The best match of a phrase in any few neighbouring clauses.
    pub(crate) fn find(&self, phrase: &Phrase, asked: &HashSet<String>) -> Match {
        let mut best = Match::default();
        for first in 0..self.clauses.len() {
            for width in 1..=WINDOW_CLAUSES.min(self.clauses.len() - first) {
                let start = self.clauses[first];
                let end = self.clauses.get(first + width).copied().unwrap_or(self.tokens.len());
                let found = self.find_between(phrase, asked, start..end, width);
                let better = found.coverage > best.coverage + 1e-6
                    || (best.contradicted && !found.contradicted && found.coverage >= best.coverage - 1e-6);
                if better || best.clauses == 0 {
                    best = found;
                }
            }
        }
        best
    }

    fn find_between(
        &self,
        phrase: &Phrase,
        asked: &HashSet<String>,
        window: Range<usize>,
        clauses: usize,
    ) -> Match {
        let mut total = 0.0;
        let mut found = 0.0;
        let (mut said_new, mut missed_new) = (false, false);
        let mut result = Match { clauses, ..Match::default() };
        for concept in &phrase.concepts {
            let is_asked = concept.words.iter().all(|word| asked.contains(&word.stem));
            let weight = if is_asked { WEIGHT_ASKED } else { 1.0 };
            total += weight;
            match self.find_concept(concept, window.clone()) {
                Some((index, slip)) => {
                    found += weight;
                    said_new |= !is_asked;
                    result.misspelled |= slip;
                    result.contradicted |= self.negated[index] != concept.negated;
                    result.spans.push(self.tokens[index].span.clone());
                }
                None => {
                    let opposite = window.clone().find(|&index| {
                        let said = &self.tokens[index].folded;
                        concept.words.iter().any(|word| is_opposite(&word.folded, said))
                            && self.negated[index] == concept.negated
                    });
                    if let Some(index) = opposite {
                        result.contradicted = true;
                        result.spans.push(self.tokens[index].span.clone());
                    }
                    missed_new |= !is_asked;
                }
            }
        }
        // "It increases" says all of "the rate increases" to a question about the rate.
        result.is_complete = total > 0.0 && (found >= total - 1e-6 || (said_new && !missed_new));
        result.coverage = if total > 0.0 { found / total } else { 0.0 };
        result
    }

    /// The token that says a concept, exactly if possible, and whether it is only nearly spelled.
    fn find_concept(&self, concept: &Concept, window: Range<usize>) -> Option<(usize, bool)> {
        let say = |test: &dyn Fn(&Token, &Token) -> bool, negation_matters: bool| {
            window.clone().find(|&index| {
                let polarity = !negation_matters || self.negated[index] == concept.negated;
                polarity && concept.words.iter().any(|word| test(word, &self.tokens[index]))
            })
        };
        let exact = |word: &Token, said: &Token| is_same_word(word, said);
        let alike = |word: &Token, said: &Token| is_synonym(&word.folded, &said.folded);
        let slip = |word: &Token, said: &Token| is_slip(&said.folded, &word.folded);
        say(&exact, true)
            .or_else(|| say(&exact, false))
            .or_else(|| say(&alike, false))
            .map(|index| (index, false))
            .or_else(|| say(&slip, false).map(|index| (index, true)))
    }

    /// True when this word was said, nearly or exactly.
    pub(crate) fn says(&self, word: &str) -> Option<Range<usize>> {
        let wanted = tokens(word);
        let first = wanted.first()?;
        let all = wanted.iter().all(|want| {
            self.tokens.iter().any(|said| is_same_word(want, said) || is_slip(&said.folded, &want.folded))
        });
        let at = self
            .tokens
            .iter()
            .find(|said| is_same_word(first, said) || is_slip(&said.folded, &first.folded))?;
        all.then(|| at.span.clone())
    }
}

fn is_same_word(wanted: &Token, said: &Token) -> bool {
    if wanted.is_number() || said.is_number() {
        return wanted.folded.parse::<f64>().ok().is_some_and(|value| said.folded.parse() == Ok(value))
            || wanted.folded == said.folded;
    }
    wanted.stem == said.stem && !is_different_noun(&wanted.folded, &said.folded)
        || (wanted.folded.len() > 4
            && one_side_of_the_atlantic(&wanted.folded) == one_side_of_the_atlantic(&said.folded))
}

/// Words that share a stem and no meaning: "organ", "organic", "organism" do not share one; "oxide" and "oxidation" do not either.
fn is_different_noun(one: &str, other: &str) -> bool {
    let (long, short) = if one.len() >= other.len() { (one, other) } else { (other, one) };
    long.ends_with("ium") && short.ends_with("ia")
}

#[cfg(test)]
mod tests {
    use super::super::phrase::variants;
    use super::*;

    fn find(wording: &str, answer: &str) -> Match {
        let phrase = variants(wording).remove(0);
        Said::of(answer).find(&phrase, &HashSet::new())
    }

    #[test]
    fn a_phrase_is_found_in_other_forms_and_orders() {
        let found = find("the rate of reaction increases", "it increased the reaction rate");
        assert!((found.coverage - 1.0).abs() < 1e-6 && !found.contradicted);
    }

    #[test]
    fn denial_and_reversal_are_seen() {
        assert!(find("the rate increases", "the rate does not increase").contradicted);
        assert!(find("the rate increases", "the rate decreases").contradicted);
        assert!(!find("does not conduct electricity", "it doesn't conduct electricity").contradicted);
        assert!(find("does not conduct electricity", "it conducts electricity").contradicted);
        assert!(!find("the rate increases", "not only does the rate increase").contradicted);
        assert!(!find("rate increases", "it does not stop, the rate increases").contradicted);
    }
}
