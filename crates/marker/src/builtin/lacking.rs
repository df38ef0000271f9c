//! What a scheme tells to add where something is to be mended, said to be missing: "there is no key" names the fault of
//! which "add a key" is the mend.

use super::script::Script;
use super::verdict::{NEVER, STANDARD, Verdict};
use crate::rule::Rule;
use crate::words::{Token, is_negation, stem, tokens};
use domain::scheme::TypedPoint;
use lexicon::english::{clauses, mending, number};
use std::ops::Range;

/// How sure a mend is of which the answer names the fault.
const CONFIDENCE: f32 = 0.75;
/// What is lacking is named in so many words.
const OBJECT_WORDS_MAX: usize = 4;
/// So far behind the word that says so it may begin.
const REACH: usize = 4;
/// A shared beginning this long, with endings no longer than that, is a shared root.
const ROOT_LETTERS_MIN: usize = 5;
const ENDING_LETTERS_MAX: usize = 3;

/// Judges a point that tells to add something by an answer that says it is not there.
pub(super) fn judge(script: &Script<'_>, point: &TypedPoint) -> Verdict {
    let refused = Verdict { grant: NEVER, ..Verdict::default() };
    if !mending::ASKED.within(&script.question.to_lowercase()) {
        return refused;
    }
    let Some(objects) = objects(point) else { return refused };
    let found = objects.iter().find_map(|object| lacked(&script.said.tokens, object));
    found.map_or(refused, |span| Verdict::given(STANDARD, CONFIDENCE, span).by(Rule::Words))
}

/// What the point tells to add, in each of its wordings; `None` where it tells something else.
fn objects(point: &TypedPoint) -> Option<Vec<Vec<Token>>> {
    let is_adding = |words: &[Token]| {
        let [verb, next, ..] = words else { return false };
        mending::ADDING.has(&verb.folded) && !mending::NAMING.has(&next.folded)
    };
    let own = tokens(&point.own.text);
    if !is_adding(&own) {
        return None;
    }
    let object = |text: &str| -> Vec<Token> {
        let words = tokens(text);
        let from = usize::from(is_adding(&words));
        words
            .into_iter()
            .skip(from)
            .filter(|word| word.is_content() || number(&word.folded).is_some())
            .collect()
    };
    let objects = point.wordings.iter().map(|wording| object(&wording.text));
    Some(objects.filter(|object| (1..=OBJECT_WORDS_MAX).contains(&object.len())).collect())
}

/// Where an answer says that this is not there.
fn lacked(said: &[Token], object: &[Token]) -> Option<Range<usize>> {
    let starts: Vec<usize> = (0..said.len()).filter(|at| *at == 0 || said[*at].starts_clause).collect();
    let ends = starts.iter().skip(1).copied().chain([said.len()]);
    starts.iter().zip(ends).find_map(|(start, end)| {
        let clause = &said[*start..end];
        let is_wish = clause.iter().any(|word| mending::WISHING.has(&word.folded));
        let found = (0..clause.len()).filter(|_| !is_wish).find_map(|at| lacked_at(clause, at, object))?;
        Some(clause[found.start].span.start..clause[found.end - 1].span.end)
    })
}

/// The words from here on that say so.
fn lacked_at(clause: &[Token], at: usize, object: &[Token]) -> Option<Range<usize>> {
    let word = &clause[at];
    let denies = |word: &Token| is_negation(&word.folded) || mending::LACKING.has(&word.folded);
    let since = clause[..at].iter().rposition(|word| mending::JOINTS.has(&word.folded)).unwrap_or(0);
    if clause[since..at].iter().any(denies) {
        return None;
    }
    // "unlabelled"
    if let ([only], Some(root)) = (object, mending::DENYING.after(&word.folded))
        && is_same_root(&stem(root), &only.stem)
    {
        return Some(at..at + 1);
    }
    if denies(word) {
        if clause.get(at + 1).is_some_and(|next| clauses::ONLY.has(&next.folded)) {
            return None;
        }
        let led = clause[at + 1..].iter().take(REACH);
        let led = led.take_while(|word| mending::BETWEEN.has(&word.folded)).count();
        return (0..=led)
            .find_map(|skipped| Some(at..at + 1 + skipped + run(&clause[at + 1 + skipped..], object)?));
    }
    // "the key is missing", "the key is not shown"
    let end = at + run(&clause[at..], object)?;
    let [is, rest @ ..] = clause.get(end..)? else { return None };
    let behind = |words: &[Token]| match words {
        [word, ..] if mending::ABSENT.has(&word.folded) => Some(1),
        [not, there, ..] if is_negation(&not.folded) && mending::THERE.has(&there.folded) => Some(2),
        [not, _, there, ..] if is_negation(&not.folded) && mending::THERE.has(&there.folded) => Some(3),
        _ => None,
    };
    match rest {
        [there, ..] if is_negation(&is.folded) && mending::THERE.has(&there.folded) => Some(at..end + 2),
        _ if mending::BETWEEN.has(&is.folded) => Some(at..end + 1 + behind(rest)?),
        _ => None,
    }
}

/// How many words the object takes where it begins here, in order.
fn run(words: &[Token], object: &[Token]) -> Option<usize> {
    let mut at = 0;
    for (index, wanted) in object.iter().enumerate() {
        let skipped = words[at.min(words.len())..].iter();
        let light = if index == 0 {
            0
        } else {
            skipped.take_while(|word| mending::BETWEEN.has(&word.folded)).count()
        };
        at += light;
        let word = words.get(at)?;
        let is_same = is_same_root(&word.stem, &wanted.stem)
            || number(&wanted.folded).is_some_and(|value| word.folded == value.to_string());
        if !is_same {
            return None;
        }
        at += 1;
    }
    Some(at)
}

fn is_same_root(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    one == other
        || short.len() >= ROOT_LETTERS_MIN
            && long.starts_with(short)
            && long.len() - short.len() <= ENDING_LETTERS_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_lacked(object: &str, answer: &str) -> bool {
        let object: Vec<Token> = tokens(object);
        lacked(&tokens(answer), &object).is_some()
    }

    #[test]
    fn what_is_not_there_is_lacking() {
        for (object, answer) in [
            ("key", "There is no key."),
            ("key", "the map doesn't have a key"),
            ("key", "it is drawn in pen, and the key is missing"),
            ("key", "the key isn't shown anywhere"),
            ("key", "a key has not been drawn"),
            ("colours", "it is uncoloured"),
            ("colours", "it isn't drawn to scale and is uncoloured"),
            ("four sections", "the plan is not in four sections"),
            ("four sections", "it isn't 4 sectional"),
            ("compass", "the circle was drawn without a compass"),
            ("compass", "the circle was not drawn with a compass"),
        ] {
            assert!(is_lacked(object, answer), "{answer}");
        }
    }

    #[test]
    fn what_is_there_or_not_wanted_is_not() {
        for (object, answer) in [
            ("key", "there is a key"),
            ("key", "the key is not wrong"),
            ("key", "it does not need a key"),
            ("key", "do not add a key"),
            ("key", "it should have no key"),
            ("key", "it isn't without a key"),
            ("key", "there is no problem with the key"),
            ("key", "no, the key is there"),
            ("key", "not only the key, the title too"),
            ("colours", "it isn't uncoloured"),
            ("colours", "under the colours"),
            ("four sections", "there are no sections of four colours"),
        ] {
            assert!(!is_lacked(object, answer), "{answer}");
        }
    }
}
