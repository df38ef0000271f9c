//! Relations that are not the same the other way round: "A is hotter than B", "from A to B", and one of two that the
//! question offers.

use crate::words::{Token, is_negation, tokens};
use lexicon::Words;
use lexicon::english::{comparing, is_opposite, is_synonym, spelling};
use std::collections::HashSet;

/// How an answer stands to a relation that a point states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The point states none, or the answer none of the kind.
    Unsaid,
    /// Stated as the point does, or by its converse: "B is colder than A".
    Kept,
    /// Stated the other way round.
    Turned,
}

/// Holds an answer against the relations of a wording, given what was asked.
pub(crate) fn relation(wording: &str, answer: &str, question: &str) -> Relation {
    let (wanted, said) = (tokens(wording), tokens(answer));
    let own = Pair::all(&wanted);
    let given = Pair::all(&said);
    let held: Vec<Relation> =
        own.iter().flat_map(|one| given.iter().map(|other| one.held_against(other))).collect();
    if held.contains(&Relation::Kept) {
        Relation::Kept
    } else if held.contains(&Relation::Turned) || takes_the_other(&wanted, &said, &tokens(question)) {
        Relation::Turned
    } else {
        Relation::Unsaid
    }
}

/// Two sides of a relation, by the words that only one of them has.
#[derive(Debug)]
struct Pair<'t> {
    /// "hotter", "more"; `None` for a way from one to the other.
    comparing: Option<&'t str>,
    one: Vec<&'t Token>,
    other: Vec<&'t Token>,
}

/// What is compared stands within so many words.
const SIDE_WORDS_MAX: usize = 8;

impl<'t> Pair<'t> {
    fn all(tokens: &'t [Token]) -> Vec<Pair<'t>> {
        let at = |word: Words| (0..tokens.len()).filter(move |at| word.has(&tokens[*at].folded));
        let compared = at(comparing::THAN).filter_map(|than| Pair::compared(tokens, than));
        let moved = at(comparing::FROM).filter_map(|from| Pair::moved(tokens, from));
        compared.chain(moved).collect()
    }

    /// "the copper wire has a lower resistance than the iron wire".
    fn compared(tokens: &'t [Token], than: usize) -> Option<Pair<'t>> {
        let start = clause_start(tokens, than);
        let comparing = (start..than).rev().find(|at| is_comparative(&tokens[*at].folded))?;
        let is_denied = tokens[start..than].iter().any(|token| is_negation(&token.folded));
        let end = clause_end(tokens, than + 1);
        let one = side(&tokens[start..comparing]);
        let other = side(&tokens[than + 1..end]);
        (!is_denied).then(|| Pair::of(Some(&tokens[comparing].folded), &one, &other))
    }

    /// "moves from high to low concentration".
    fn moved(tokens: &'t [Token], from: usize) -> Option<Pair<'t>> {
        let end = clause_end(tokens, from + 1);
        let to = (from + 1..end).find(|at| comparing::TO.has(&tokens[*at].folded))?;
        let is_denied = tokens[clause_start(tokens, from)..to].iter().any(|token| is_negation(&token.folded));
        let one = side(&tokens[from + 1..to]);
        let other = side(&tokens[to + 1..end]);
        (!is_denied && !one.is_empty() && !other.is_empty()).then(|| Pair::of(None, &one, &other))
    }

    fn of(comparing: Option<&'t str>, one: &[&'t Token], other: &[&'t Token]) -> Pair<'t> {
        let lacks = |side: &[&Token], token: &Token| side.iter().all(|known| known.stem != token.stem);
        Pair {
            comparing,
            one: one.iter().copied().filter(|token| lacks(other, token)).collect(),
            other: other.iter().copied().filter(|token| lacks(one, token)).collect(),
        }
    }

    fn held_against(&self, given: &Pair<'_>) -> Relation {
        let is_converse = match (self.comparing, given.comparing) {
            (None, None) => false,
            (Some(mine), Some(theirs)) if mine == theirs || is_synonym(mine, theirs) => false,
            (Some(mine), Some(theirs)) if is_opposite(mine, theirs) => true,
            _ => return Relation::Unsaid,
        };
        // A side that is "it" or was left out says nothing; the other one then decides.
        let straight = [(&self.one, &given.one), (&self.other, &given.other)].map(|(a, b)| shares(a, b));
        let crossed = [(&self.one, &given.other), (&self.other, &given.one)].map(|(a, b)| shares(a, b));
        // Both sides agree, or one does and nothing speaks against it: a verb may stand on the same side in both.
        let agrees = |these: [bool; 2], those: [bool; 2]| {
            (these == [true; 2] && those != [true; 2]) || (these.contains(&true) && !those.contains(&true))
        };
        let (is_straight, is_crossed) = (agrees(straight, crossed), agrees(crossed, straight));
        match (is_straight, is_crossed) {
            (true, _) if is_converse => Relation::Turned,
            (true, _) => Relation::Kept,
            (_, true) if is_converse => Relation::Kept,
            (_, true) => Relation::Turned,
            _ => Relation::Unsaid,
        }
    }
}

fn shares(one: &[&Token], other: &[&Token]) -> bool {
    one.iter().any(|mine| {
        other.iter().any(|theirs| mine.stem == theirs.stem || is_synonym(&mine.folded, &theirs.folded))
    })
}

fn side(tokens: &[Token]) -> Vec<&Token> {
    tokens.iter().filter(|token| token.is_content() || token.is_number()).take(SIDE_WORDS_MAX).collect()
}

fn clause_start(tokens: &[Token], at: usize) -> usize {
    (0..=at).rev().find(|index| tokens[*index].starts_clause).unwrap_or(0)
}

fn clause_end(tokens: &[Token], at: usize) -> usize {
    let ends = |token: &Token| token.starts_clause || comparing::SIDE_ENDS.has(&token.folded);
    (at..tokens.len()).find(|index| ends(&tokens[*index])).unwrap_or(tokens.len())
}

/// "more", "less" and words in "-er" that have an opposite or are compared by.
fn is_comparative(folded: &str) -> bool {
    comparing::COMPARATIVES.has(folded) || (folded.len() > 4 && spelling::COMPARATIVE.end(folded))
}

/// True when the question offers "A or B", the wording names one of them, and the answer only the other.
fn takes_the_other(wanted: &[Token], said: &[Token], question: &[Token]) -> bool {
    let says = |tokens: &[Token], stem: &str| tokens.iter().any(|token| token.stem == stem);
    if said.iter().any(|token| is_negation(&token.folded)) {
        return false;
    }
    let known: HashSet<&str> = wanted.iter().map(|token| token.stem.as_str()).collect();
    (1..question.len().saturating_sub(1)).filter(|at| comparing::OR.has(&question[*at].folded)).any(|at| {
        let (one, other) = (&question[at - 1], &question[at + 1]);
        let is_offer = one.is_content() && other.is_content() && one.stem != other.stem;
        let taken = |mine: &Token, theirs: &Token| {
            known.contains(mine.stem.as_str())
                && !known.contains(theirs.stem.as_str())
                && says(said, &theirs.stem)
                && !says(said, &mine.stem)
        };
        is_offer && (taken(one, other) || taken(other, one))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(wording: &str, answer: &str) -> Relation {
        relation(wording, answer, "Compare the two.")
    }

    #[test]
    fn comparisons_are_told_from_their_converse() {
        let point = "the valley is colder than the ridge";
        for answer in [
            "the valley is colder than the ridge",
            "The ridge is warmer than the valley.",
            "It is colder in the valley than on the ridge",
            "it is colder than the ridge",
        ] {
            assert_eq!(of(point, answer), Relation::Kept, "{answer}");
        }
        for answer in [
            "The ridge is colder than the valley.",
            "the valley is warmer than the ridge",
            "it is colder than the valley",
        ] {
            assert_eq!(of(point, answer), Relation::Turned, "{answer}");
        }
        for answer in
            ["the valley is cold", "the valley is taller than the ridge", "the valley is not warmer than it"]
        {
            assert_eq!(of(point, answer), Relation::Unsaid, "{answer}");
        }
        assert_eq!(
            of(
                "a wide road carries more traffic than a narrow road",
                "narrow roads carry more traffic than wide roads"
            ),
            Relation::Turned
        );
    }

    #[test]
    fn ways_are_told_from_the_way_back() {
        let point = "money flows from households to firms";
        assert_eq!(of(point, "the money moves from households to the firms"), Relation::Kept);
        assert_eq!(of(point, "money goes from firms to households"), Relation::Turned);
        assert_eq!(
            of("spreads from high to low pressure", "it goes from low pressure to high pressure"),
            Relation::Turned
        );
        assert_eq!(of(point, "firms sell goods"), Relation::Unsaid);
    }

    #[test]
    fn the_wrong_one_of_two_is_seen() {
        let asked = "State whether the metal is brass or bronze, and why.";
        assert_eq!(relation("it is bronze", "It is brass because it shines", asked), Relation::Turned);
        assert_eq!(relation("it is bronze", "bronze", asked), Relation::Unsaid);
        assert_eq!(relation("it is bronze", "it is not brass", asked), Relation::Unsaid);
        assert_eq!(relation("contains tin", "it is brass", asked), Relation::Unsaid);
    }
}
