//! What rules of words have found, weighed by a judge that has read point and answer together.

use super::script::Script;
use super::verdict::{ALWAYS, Grant, LENIENT, Measured, NEVER, Reason, STANDARD, Verdict};
use super::wording::Match;
use crate::meaning::Opinion;
use crate::rule::Rule;
use crate::task::Strictness;
use crate::turn::Turn;
use crate::words::{Token, tokens};
use signs::list::items;
use std::ops::Range;

/// From these scores on, a judged meaning earns its mark under the strict, standard and lenient setting.
const SCORE_STRICT: f32 = 0.68;
const SCORE_STANDARD: f32 = 0.42;
const SCORE_LENIENT: f32 = 0.36;
/// All words of a point are there, and a judge that has read the whole gives it less than this: then it is refused.
const WORDS_DOUBTED: f32 = 0.3;
/// The words say the opposite, and only a judge that is surer than this of the point stands against them.
const OPPOSITE_DOUBTED: f32 = 0.6;
/// The same where the opposite is all that was found of the point, as "up" for "down": words can hardly be clearer.
const OPPOSITE_ALONE_DOUBTED: f32 = 0.9;
/// How sure a point is that the judge gives and the words turn.
const DISAGREED_CONFIDENCE: f32 = 0.6;

impl Script<'_> {
    /// What rules of words have found, weighed by a judge that has read point and answer together. Where they disagree
    /// the verdict is in doubt, and its confidence says so.
    pub(super) fn weigh(&self, by_words: Verdict, wordings: &[String], found: &Match) -> Verdict {
        let Some((text, others)) = wordings.split_first() else { return by_words };
        let Some(opinion) = self.opinions.on(text, others) else { return by_words };
        let measured = Measured { opinion: Some(opinion.clone()), coverage: Some(found.coverage) };
        let meant = self.judge_meaning(wordings, found);
        let doubted = opposite_doubted(Some(found.coverage));
        let is_said = by_words.rule == Rule::Words && by_words.grant > NEVER;
        if is_said && wordings.iter().any(|wording| is_alone(self.answer, wording, &by_words.evidence)) {
            // The judge reads sentences, and no term that was misspelled or stands among other answers.
            return Verdict { confidence: opinion.credited.max(0.6), measured, ..by_words };
        }
        Verdict { measured, ..weighed(by_words, &opinion, meant, doubted) }
    }

    /// What the words mean, where the words alone do not decide.
    pub(super) fn judge_meaning(&self, wordings: &[String], found: &Match) -> Verdict {
        let Some((text, others)) = wordings.split_first() else { return Verdict::default() };
        let Some(opinion) = self.opinions.on(text, others) else { return Verdict::default() };
        let grant: Grant = match opinion.credited {
            score if score >= SCORE_STRICT => ALWAYS,
            score if score >= SCORE_STANDARD => STANDARD,
            score if score >= SCORE_LENIENT => LENIENT,
            _ => NEVER,
        };
        let evidence = match opinion.evidence {
            Some(span) if span.end <= self.answer.len() => vec![span],
            _ => found.spans.clone(),
        };
        let confidence = opinion.credited.max(1.0 - opinion.credited).clamp(0.0, 1.0);
        Verdict { grant, confidence, evidence, rule: Rule::Meaning, ..Verdict::default() }
    }
}

/// True for a term that is said in its own words, one blurred letter aside, as a line or an item of a list and nothing beside it.
fn is_alone(answer: &str, term: &str, evidence: &[Range<usize>]) -> bool {
    let mut start = 0;
    let lines = answer.split('\n').map(|line| {
        let at = start;
        start += line.len() + 1;
        at..at + line.len()
    });
    let wanted: Vec<Token> = tokens(term).into_iter().filter(Token::is_content).collect();
    let is_wanted = |word: &Token| {
        wanted.iter().any(|one| word.stem == one.stem || is_blurred(&word.folded, &one.folded))
    };
    let is_term = |stretch: Range<usize>| {
        let words: Vec<Token> =
            tokens(&answer[stretch.clone()]).into_iter().filter(Token::is_content).collect();
        let is_found = |word: &Token| {
            let at = stretch.start + word.span.start;
            evidence.iter().any(|span| span.contains(&at))
        };
        words.len() == wanted.len() && words.iter().all(|word| is_wanted(word) && is_found(word))
    };
    (1..=TERM_WORDS_MAX).contains(&wanted.len()) && lines.chain(items(answer)).any(is_term)
}

/// True for a long word in which one letter was read as another of nearly the same shape.
fn is_blurred(read: &str, meant: &str) -> bool {
    let apart: Vec<(char, char)> =
        read.chars().zip(meant.chars()).filter(|(one, other)| one != other).collect();
    let is_alike = |(one, other): (char, char)| {
        LIKE_LETTERS.contains(&(one, other)) || LIKE_LETTERS.contains(&(other, one))
    };
    meant.len() >= TERM_LETTERS_MIN && read.len() == meant.len() && apart.len() == 1 && is_alike(apart[0])
}

/// Letters that handwriting makes of each other.
const LIKE_LETTERS: [(char, char); 12] = [
    ('g', 'y'),
    ('g', 'q'),
    ('u', 'n'),
    ('u', 'v'),
    ('u', 'a'),
    ('e', 'c'),
    ('o', 'a'),
    ('i', 'l'),
    ('t', 'l'),
    ('h', 'b'),
    ('m', 'n'),
    ('r', 'v'),
];

/// A longer wording is a statement, and has a meaning.
const TERM_WORDS_MAX: usize = 2;
/// Shorter words have too many neighbours.
const TERM_LETTERS_MIN: usize = 6;

/// How sure the judge must be of a point whose opposite the words say, given how much of it they say.
fn opposite_doubted(coverage: Option<f32>) -> f32 {
    if coverage == Some(0.0) { OPPOSITE_ALONE_DOUBTED } else { OPPOSITE_DOUBTED }
}

/// What rules of words say, beside the judge's opinion and what it means by itself.
fn weighed(by_words: Verdict, opinion: &Opinion, meant: Verdict, opposite_doubted: f32) -> Verdict {
    let is_said = by_words.rule == Rule::Words && by_words.grant > NEVER;
    let is_turned = by_words.rule == Rule::Opposite;
    match (is_said, is_turned) {
        (true, _) if opinion.credited >= WORDS_DOUBTED => {
            Verdict { confidence: opinion.credited.max(0.6), ..by_words }
        }
        (true, _) => Verdict { confidence: 0.6, ..meant },
        (_, true) if opinion.credited < opposite_doubted => {
            Verdict { confidence: 1.0 - opinion.credited * 0.5, ..by_words }
        }
        (_, true) => Verdict { confidence: meant.confidence.min(DISAGREED_CONFIDENCE), ..meant },
        _ if meant.grant == NEVER && opinion.contradicted > opinion.missing + opinion.vague => {
            meant.because(Reason::Contradicted)
        }
        _ => meant,
    }
}

/// What the judge of meaning would have had to say for another verdict under this setting; `None` where it was not the judge
/// that decided, or where it decided by degrees.
pub(super) fn turn_of(verdict: &Verdict, strictness: Strictness) -> Option<Turn> {
    let said = verdict.measured.opinion.as_ref()?.credited;
    let needed = match (verdict.rule, strictness) {
        (Rule::Meaning, Strictness::Strict) => SCORE_STRICT,
        (Rule::Meaning, Strictness::Standard) => SCORE_STANDARD,
        (Rule::Meaning, Strictness::Lenient) => SCORE_LENIENT,
        (Rule::Words, _) => WORDS_DOUBTED,
        (Rule::Opposite, _) => opposite_doubted(verdict.measured.coverage),
        _ => return None,
    };
    let decided = (said >= needed) == verdict.gives(strictness) && verdict.shares.is_empty();
    decided.then_some(Turn::Judge { said, needed })
}

/// The surer of two judgements that both refuse, else the better.
pub(super) fn better_judged(best: Verdict, judged: Verdict) -> Verdict {
    if judged.grant == NEVER && best.grant == NEVER {
        // The judge has weighed the meaning: its doubt counts, also against a rule that found too few words.
        return Verdict {
            confidence: best.confidence.min(judged.confidence),
            evidence: best.evidence,
            ..judged
        };
    }
    best.or(judged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(answer: &str, term: &str, said: &str) -> bool {
        let at = answer.find(said).unwrap();
        let evidence = at..at + said.len();
        is_alone(answer, term, std::slice::from_ref(&evidence))
    }

    #[test]
    fn a_term_on_its_own_line_or_in_a_list_stands_alone() {
        assert!(alone("Botany\nPhysics", "Botany", "Botany"));
        assert!(alone("physics, botauy and music", "botany", "botauy"), "a blurred letter");
        assert!(!alone("Rhyming\nMusic", "thyming", "Rhyming"), "no likeness of letters");
        assert!(!alone("physics, botanny and music", "botany", "botanny"), "a slip is for the judge");
        assert!(!alone("Botany is done indoors", "botany", "Botany"), "a sentence has a meaning");
        assert!(!alone("Botany\nPhysics", "botany and zoology of the sea", "Botany"));
        assert!(!alone("plants", "botany", "plants"), "another word for it is for the judge");
        assert!(!alone("cot", "cat", "cot"));
    }
}
