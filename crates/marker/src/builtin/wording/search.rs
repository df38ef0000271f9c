//! Looking for a phrase in an answer: which words say it, and whether they deny or reverse it.

use super::phrase::{Concept, Phrase};
use super::spelling::{is_slip, one_side_of_the_atlantic};
use crate::words::{NEGATION_REACH, Token, is_negation, tokens};
use lexicon::english::{clauses, comparing, is_opposite, is_synonym, spelling, substances};
use std::collections::HashSet;
use std::ops::Range;

/// An answer cut into words, each known as denied or not.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) tokens: Vec<Token>,
    negated: Vec<bool>,
    /// First token of each clause.
    clauses: Vec<usize>,
    /// Each word in one spelling.
    spelled: Vec<String>,
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
/// "increases or decreases": what is offered stands so near.
const HEDGE_REACH: usize = 2;
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
            let only = tokens.get(index + 1).is_some_and(|next| clauses::ONLY.has(&next.folded));
            if is_negation(&token.folded) && !only {
                reach = NEGATION_REACH + 1;
            } else if clauses::TURNS.has(&token.folded) {
                reach = 0;
            }
            reach = reach.saturating_sub(1);
            negated[index] = reach > 0 && !is_negation(&token.folded);
        }
        let spelled = tokens.iter().map(|token| one_side_of_the_atlantic(&token.folded)).collect();
        Said { tokens, negated, clauses, spelled }
    }

    /// The best match of a phrase in any few neighbouring clauses.
    pub(crate) fn find(&self, phrase: &Phrase, asked: &HashSet<String>) -> Match {
        let concepts: Vec<Sought<'_>> =
            phrase.concepts.iter().map(|concept| self.sought(concept, asked)).collect();
        let mut best = Match::default();
        for first in 0..self.clauses.len() {
            for width in 1..=WINDOW_CLAUSES.min(self.clauses.len() - first) {
                let start = self.clauses[first];
                let end = self.clauses.get(first + width).copied().unwrap_or(self.tokens.len());
                let found = self.find_between(&concepts, asked, start..end, width);
                // A clause that says nothing of it takes nothing back.
                let says_so = !found.contradicted && found.coverage > 0.0;
                let better = found.coverage > best.coverage + 1e-6
                    || (best.contradicted && says_so && found.coverage >= best.coverage - 1e-6);
                if better || best.clauses == 0 {
                    best = found;
                }
            }
        }
        best.contradicted |= best.is_complete && self.says_opposite_too(&concepts, asked);
        best
    }

    /// A right statement and its opposite, which earn nothing together: "increases or decreases", or a clause that says the
    /// same but for one word turned.
    fn says_opposite_too(&self, concepts: &[Sought<'_>], asked: &HashSet<String>) -> bool {
        let is_other = |index: usize| concepts.iter().all(|sought| sought.ties[index] <= Tie::Opposite);
        let turned = |sought: &Sought<'_>, index: usize| {
            sought.ties[index] == Tie::Opposite
                && self.negated[index] == sought.concept.negated
                && is_other(index)
        };
        let ends = self.clauses.iter().skip(1).copied().chain([self.tokens.len()]);
        self.clauses.iter().copied().zip(ends).any(|(start, end)| {
            let clause = start..end;
            let said = |word: &str| self.tokens[clause.clone()].iter().any(|token| token.folded == word);
            let is_hedged = comparing::OR.iter().any(said)
                && clause.clone().any(|index| {
                    let around = index.saturating_sub(HEDGE_REACH)..(index + HEDGE_REACH + 1).min(end);
                    let offers =
                        self.tokens[around.clone()].iter().any(|token| comparing::OR.has(&token.folded));
                    concepts.iter().any(|sought| {
                        turned(sought, index)
                            && offers
                            && around.clone().any(|other| sought.ties[other] > Tie::Opposite)
                    })
                });
            is_hedged
                || (!clauses::SEQUENCE.iter().any(said)
                    && self.is_turned_clause(concepts, asked, clause.clone(), &turned))
        })
    }

    /// True for a clause that says all of a phrase but one word, and of that the opposite, and speaks of nothing else.
    fn is_turned_clause(
        &self,
        concepts: &[Sought<'_>],
        asked: &HashSet<String>,
        clause: Range<usize>,
        turned: &impl Fn(&Sought<'_>, usize) -> bool,
    ) -> bool {
        let mut opposites = 0;
        for sought in concepts {
            if self
                .best_tie(sought, clause.clone())
                .is_some_and(|index| self.negated[index] == sought.concept.negated)
            {
                continue;
            }
            if clause.clone().any(|index| turned(sought, index)) {
                opposites += 1;
            } else if !sought.is_asked {
                return false;
            }
        }
        let is_strange = |index: usize| {
            let token = &self.tokens[index];
            token.is_content()
                && !asked.contains(&token.stem)
                && concepts.iter().all(|sought| sought.ties[index] == Tie::None)
        };
        opposites == 1 && !clause.clone().any(is_strange)
    }

    /// How each word of the answer stands to a concept, worked out once for all windows.
    fn sought<'c>(&self, concept: &'c Concept, asked: &HashSet<String>) -> Sought<'c> {
        let spelled: Vec<String> =
            concept.words.iter().map(|word| one_side_of_the_atlantic(&word.folded)).collect();
        let tie = |index: usize| {
            let said = &self.tokens[index];
            let best = concept.words.iter().zip(&spelled).map(|(word, spelled)| {
                if is_same_word(word, said) || (word.folded.len() > 4 && *spelled == self.spelled[index]) {
                    Tie::Same
                } else if is_synonym(&word.folded, &said.folded) {
                    Tie::Alike
                } else if is_slip(&said.folded, &word.folded) {
                    Tie::Slip
                } else if is_opposite(&word.folded, &said.folded) {
                    Tie::Opposite
                } else {
                    Tie::None
                }
            });
            best.max().unwrap_or(Tie::None)
        };
        Sought {
            concept,
            is_asked: concept.words.iter().all(|word| asked.contains(&word.stem)),
            ties: (0..self.tokens.len()).map(tie).collect(),
        }
    }

    fn find_between(
        &self,
        concepts: &[Sought<'_>],
        asked: &HashSet<String>,
        window: Range<usize>,
        clauses: usize,
    ) -> Match {
        let mut total = 0.0;
        let mut found = 0.0;
        let (mut said_new, mut missed_new, mut denied) = (false, false, false);
        let mut result = Match { clauses, ..Match::default() };
        for sought in concepts {
            let weight = if sought.is_asked { WEIGHT_ASKED } else { 1.0 };
            total += weight;
            if let Some(index) = self.best_tie(sought, window.clone()) {
                found += weight;
                said_new |= !sought.is_asked;
                result.misspelled |= sought.ties[index] == Tie::Slip;
                denied |= self.negated[index];
                result.spans.push(self.tokens[index].span.clone());
                continue;
            }
            missed_new |= !sought.is_asked;
            let turned = |&index: &usize| {
                sought.ties[index] == Tie::Opposite && self.negated[index] == sought.concept.negated
            };
            if let Some(index) = window.clone().find(turned) {
                result.contradicted = true;
                result.spans.push(self.tokens[index].span.clone());
            }
        }
        result.contradicted |= self.is_other_substance(concepts, &result.spans);
        result.contradicted |= is_out_of_order(concepts, &result.spans);
        // How far a "not" reaches is written in many ways; whether there is one is what counts.
        let to_be_denied = concepts.iter().any(|sought| sought.concept.negated);
        result.contradicted |= found > 0.0 && denied != to_be_denied;
        // "It increases" says all of "the rate increases" to a question about the rate.
        let understood = said_new && !missed_new && !self.has_other_subject(&window, &result.spans, asked);
        result.is_complete = total > 0.0 && (found >= total - 1e-6 || understood);
        result.coverage = if total > 0.0 { found / total } else { 0.0 };
        result
    }

    /// Before what was found stands something that neither the question nor the scheme speaks of: "the temperature
    /// increases" says nothing of the rate.
    fn has_other_subject(
        &self,
        window: &Range<usize>,
        spans: &[Range<usize>],
        asked: &HashSet<String>,
    ) -> bool {
        let Some(first) = spans.iter().map(|span| span.start).min() else { return false };
        self.tokens[window.clone()].iter().take_while(|token| token.span.start < first).any(|token| {
            let describes = spelling::ADVERB.end(&token.folded)
                || token.folded.len() <= 2
                || clauses::LIGHT_VERBS.has(&token.folded);
            token.is_content() && !describes && !is_negation(&token.folded) && !asked.contains(&token.stem)
        })
    }

    /// A single term that is only the first word of another substance's name.
    fn is_other_substance(&self, concepts: &[Sought<'_>], spans: &[Range<usize>]) -> bool {
        let ([only], [span]) = (concepts, spans) else { return false };
        let next = self.tokens.iter().find(|token| token.span.start > span.start);
        let wanted = |word: &str| only.concept.words.iter().any(|own| own.folded == word);
        next.is_some_and(|next| {
            next.span.start <= span.end + 1 && makes_compound(&next.folded) && !wanted(&next.folded)
        })
    }

    /// The word of a window that says a concept best; between equals, one that is not denied against the scheme.
    fn best_tie(&self, sought: &Sought<'_>, window: Range<usize>) -> Option<usize> {
        let rank = |index: usize| {
            let agrees = self.negated[index] == sought.concept.negated;
            (sought.ties[index], sought.ties[index] == Tie::Same && agrees, std::cmp::Reverse(index))
        };
        window.filter(|index| sought.ties[*index] > Tie::Opposite).max_by_key(|index| rank(*index))
    }

    /// Where this word was said, nearly or exactly.
    pub(crate) fn says(&self, word: &str) -> Option<Range<usize>> {
        let place = |want: &Token| {
            self.tokens.iter().find(|said| is_same_word(want, said) || is_slip(&said.folded, &want.folded))
        };
        let places: Option<Vec<&Token>> = tokens(word).iter().map(place).collect();
        places?.first().map(|token| token.span.clone())
    }
}

/// "orange to green" said the other way round.
fn is_out_of_order(concepts: &[Sought<'_>], spans: &[Range<usize>]) -> bool {
    let ordered = concepts.iter().any(|sought| sought.concept.comes_after_previous);
    ordered && spans.len() == concepts.len() && !spans.is_sorted_by_key(|span| span.start)
}

/// A concept and how each word of the answer stands to it.
struct Sought<'c> {
    concept: &'c Concept,
    /// The question says it already.
    is_asked: bool,
    ties: Vec<Tie>,
}

/// How a word of the answer stands to a concept, the closest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tie {
    None,
    Opposite,
    Slip,
    Alike,
    Same,
}

fn is_same_word(wanted: &Token, said: &Token) -> bool {
    if wanted.is_number() || said.is_number() {
        return wanted.folded == said.folded
            || wanted.folded.parse::<f64>().ok().is_some_and(|value| said.folded.parse() == Ok(value));
    }
    (wanted.stem == said.stem && !names_other_substance(&wanted.folded, &said.folded))
        || is_latin_plural(&wanted.folded, &said.folded)
}

/// "carbon" and "carbonate" share a stem and are two things.
fn names_other_substance(one: &str, other: &str) -> bool {
    let (long, short) = if one.len() >= other.len() { (one, other) } else { (other, one) };
    long.strip_prefix(short).is_some_and(|ending| substances::ENDINGS.has(ending))
}

/// "alveoli" and "alveolus", "bacteria" and "bacterium".
fn is_latin_plural(one: &str, other: &str) -> bool {
    let pair = |singular: &str, plural: &str| {
        spelling::LATIN_PLURALS.iter().any(|(single, several)| {
            let stems = (singular.strip_suffix(single), plural.strip_suffix(several));
            matches!(stems, (Some(mine), Some(theirs)) if mine == theirs && mine.len() >= 3)
        })
    };
    one != other && (pair(one, other) || pair(other, one))
}

/// The word after a term makes another substance of it: "carbon dioxide" is not carbon.
fn makes_compound(word: &str) -> bool {
    let (british, american) = spelling::SULPHUR;
    substances::COMPOUNDS.end(&word.replace(british, american))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::marks::Marks;
    use domain::question::{AnswerKey, Point, Question};

    fn find(wording: &str, answer: &str) -> Match {
        let point = Point { text: wording.into(), marks: Marks::whole(1), ..Point::default() };
        let answer_key = Some(AnswerKey { points: vec![point], ..AnswerKey::default() });
        let key = exam::key::typed(&Question { answer_key, ..Question::default() }).own.unwrap();
        let phrase = Phrase::of(&key.points[0].own.ways[0]);
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
        assert!(find("direction: down(wards)", "8 N upwards, the other way").contradicted);
        assert!(!find("does not conduct electricity", "it doesn't conduct electricity").contradicted);
        assert!(find("does not conduct electricity", "it conducts electricity").contradicted);
        assert!(!find("the rate increases", "not only does the rate increase").contradicted);
        assert!(!find("rate increases", "it does not stop, the rate increases").contradicted);
    }
}
