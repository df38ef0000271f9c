//! A judge that counts shared words: no model, no weights, honest about how little it knows.

use super::{Expected, Grade, Judge, Judgement};
use crate::outcome::ModelIdentity;
use crate::words::{Token, is_negation, tokens};
use std::collections::HashSet;

/// Content-word recall, with numbers that must agree and negations that must match.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lexical;

impl Judge for Lexical {
    fn judge(&self, question: &str, point: &str, answer: &str) -> Judgement {
        let question = tokens(question);
        let asked = stems(&question);
        let wanted = tokens(point);
        let given = tokens(answer);
        let score = expressed(&asked, &wanted, &given);
        let evidence = evidence(&wanted, &given);
        Judgement { score, confidence: 0.5 + (score - 0.5).abs() * 0.6, evidence }
    }

    fn grade(&self, expected: &Expected<'_>, answer: &str) -> Grade {
        let question = tokens(expected.question);
        let asked = stems(&question);
        let given = tokens(answer);
        let best = expected
            .references
            .iter()
            .map(|reference| expressed(&asked, &tokens(reference), &given))
            .fold(0.0, f32::max);
        Grade { fraction: best, confidence: 0.5 }
    }

    fn models(&self) -> Vec<ModelIdentity> {
        Vec::new()
    }
}

/// The share of the wanted words that were given; words that the question already says count half.
fn expressed(asked: &HashSet<&str>, wanted: &[Token], given: &[Token]) -> f32 {
    let said = stems(given);
    let mut total = 0.0;
    let mut found = 0.0;
    for token in wanted.iter().filter(|token| token.is_content()) {
        let weight = if asked.contains(token.stem.as_str()) { 0.5 } else { 1.0 };
        total += weight;
        if said.contains(token.stem.as_str()) {
            found += weight;
        } else if token.is_number() {
            return 0.0;
        }
    }
    if total == 0.0 {
        return 0.0;
    }
    let recall: f32 = found / total;
    if negations(wanted) % 2 == negations(given) % 2 { recall } else { recall * 0.3 }
}

fn stems(tokens: &[Token]) -> HashSet<&str> {
    tokens.iter().map(|token| token.stem.as_str()).collect()
}

fn negations(tokens: &[Token]) -> usize {
    tokens.iter().filter(|token| is_negation(&token.folded)).count()
}

fn evidence(wanted: &[Token], given: &[Token]) -> Option<std::ops::Range<usize>> {
    let wanted: HashSet<&str> =
        wanted.iter().filter(|token| token.is_content()).map(|token| token.stem.as_str()).collect();
    let mut hits = given.iter().filter(|token| wanted.contains(token.stem.as_str()));
    let first = hits.next()?;
    let last = hits.next_back().unwrap_or(first);
    Some(first.span.start..last.span.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_words_count_and_a_negation_turns_them_round() {
        let judge = |answer| Lexical.judge("What happens to the rate?", "the rate increases", answer).score;
        assert!(judge("it increases the rate") > 0.9);
        assert!(judge("the rate does not increase") < 0.5);
        assert!(judge("it turns blue") < 0.1);
    }

    #[test]
    fn a_number_that_is_not_there_is_not_made_up() {
        assert_eq!(Lexical.judge("", "lasts 40 days", "lasts 30 days").score, 0.0);
    }
}
