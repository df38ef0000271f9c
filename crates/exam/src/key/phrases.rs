//! A wording of a scheme as concepts: what must be said, what may be, and what is denied.

use super::headings::is_heading;
use domain::scheme::{Concept, Phrase};
use lexicon::english::{joints, wordings};
use signs::words::{NEGATION_REACH, carries_meaning, is_negation, tokens};

/// More variants of one wording than a scheme ever means.
const VARIANTS_MAX: usize = 16;

/// Every way to read a wording: whole alternatives apart, notation and brackets taken out.
pub(super) fn variants(wording: &str) -> Vec<Phrase> {
    let plain = without_notation(wording);
    let example = if is_heading(&plain) { example_of(wording) } else { None };
    let mut texts = alternatives(example.as_deref().unwrap_or(&plain));
    // "Line 9 / …": where something stands is no answer beside what stands there.
    if texts.iter().any(|text| !is_pointer(text)) {
        texts.retain(|text| !is_pointer(text));
    }
    if texts.iter().any(|text| wordings::CONSTANCY.has(&text.trim().to_lowercase())) {
        texts.extend(wordings::CONSTANCY.iter().map(str::to_owned));
    }
    let mut phrases: Vec<Phrase> = texts.iter().take(VARIANTS_MAX).filter_map(|text| phrase(text)).collect();
    if phrases.is_empty() {
        // Everything stood in brackets: then the brackets say nothing.
        phrases.extend(phrase(&wording.replace(['(', ')', '[', ']'], " ")));
    }
    phrases.dedup();
    phrases
}

/// True for a place by its number: "Line 09".
fn is_pointer(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    matches!(words.as_slice(), [word, number] if wordings::POINTERS.has(&word.to_lowercase()) && is_number(number))
}

/// What follows "for example" where nothing that could be said comes before it.
fn example_of(wording: &str) -> Option<String> {
    let lower = wording.to_ascii_lowercase();
    let (at, mark) = wordings::EXAMPLE_LEADS.iter().find_map(|mark| Some((lower.find(mark)?, mark)))?;
    let example = wording[at + mark.len()..].trim_start_matches([':', ',', ' ']);
    (!example.is_empty()).then(|| without_notation(example))
}

/// The wording without examiners' notation, examples and what stands in brackets.
pub(super) fn without_notation(wording: &str) -> String {
    let mut text = without_brackets(wording);
    for mark in wordings::EXAMPLES.iter() {
        if let Some(at) = text.to_lowercase().find(mark).filter(|at| *at > 8) {
            text.truncate(text.floor_char_boundary(at));
        }
    }
    let mut plain = text.trim().trim_matches([';', ',', '.', ':', '•', '-', ' ']).to_owned();
    for _ in 0..3 {
        let lower = plain.to_lowercase();
        if lower.len() != plain.len() {
            break;
        }
        let lead = wordings::LEADS
            .iter()
            .find(|lead| lower.starts_with(*lead) && lower[lead.len()..].starts_with([' ', ':']));
        let tail = wordings::TAILS.iter().find(|tail| {
            lower.ends_with(*tail) && lower[..lower.len() - tail.len()].ends_with([' ', ';', ','])
        });
        match (lead, tail) {
            (Some(lead), _) => plain = plain[lead.len()..].trim_start_matches([' ', ':']).to_owned(),
            (None, Some(tail)) => {
                plain = plain[..plain.len() - tail.len()].trim_end_matches([' ', ';', ',']).to_owned();
            }
            (None, None) => break,
        }
    }
    plain
}

/// "(outer) electron" without what may be left out; braces group alternatives and stay.
fn without_brackets(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0_u32;
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// Alternatives for the whole wording: "//", " / ", and short pieces parted by "/" or "or".
fn alternatives(text: &str) -> Vec<String> {
    if text.contains("//") {
        return text.split("//").flat_map(alternatives).collect();
    }
    if text.contains(" / ") && !text.contains('{') {
        return text.split(" / ").flat_map(alternatives).collect();
    }
    let words = |piece: &str| piece.split_whitespace().count();
    if text.contains('/') && !text.contains('{') {
        let pieces: Vec<&str> = text.split('/').map(str::trim).filter(|piece| !piece.is_empty()).collect();
        let most = pieces.iter().map(|piece| words(piece)).max().unwrap_or(0);
        let least = pieces.iter().map(|piece| words(piece)).min().unwrap_or(0);
        if pieces.len() > 1 && most <= 3 && most - least <= 1 && (pieces.len() > 2 || most == least) {
            return pieces.into_iter().map(str::to_owned).collect();
        }
    }
    if text.contains(joints::OR) && words(text) <= 7 {
        return text.split(joints::OR).map(str::to_owned).collect();
    }
    vec![text.to_owned()]
}

/// A piece of wording as concepts. Words joined by "/" or in braces are one concept in several words.
fn phrase(text: &str) -> Option<Phrase> {
    let mut concepts: Vec<Concept> = Vec::new();
    let mut reach = 0_u32;
    let mut previous_end = None;
    // A change is told in its order; a longer sentence may turn round.
    let is_change = text.split_whitespace().count() <= CHANGE_WORDS_MAX && text.contains(joints::TO);
    for token in tokens(text) {
        let joined = previous_end.is_some_and(|end: usize| text[end..token.span.start].trim() == "/");
        previous_end = Some(token.span.end);
        if token.starts_clause {
            reach = 0;
        }
        if is_negation(&token.folded) {
            reach = NEGATION_REACH;
            continue;
        }
        let negated = reach > 0;
        let comes_after_previous = is_change && !concepts.is_empty();
        reach = reach.saturating_sub(1);
        if !carries_meaning(&token) {
            continue;
        }
        match concepts.last_mut() {
            Some(last) if joined => last.words.push(token.folded),
            _ => concepts.push(Concept { words: vec![token.folded], negated, comes_after_previous }),
        }
    }
    if concepts.is_empty() {
        // "not" or "more" alone is all that the scheme says.
        concepts = tokens(text)
            .into_iter()
            .map(|token| Concept { words: vec![token.folded], ..Concept::default() })
            .collect();
    }
    (!concepts.is_empty()).then_some(Phrase { concepts })
}

/// "from orange to green".
const CHANGE_WORDS_MAX: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(wording: &str) -> Vec<Vec<String>> {
        let words = |concept: &Concept| {
            format!("{}{}", if concept.negated { "!" } else { "" }, concept.words.join("|"))
        };
        variants(wording).iter().map(|phrase| phrase.concepts.iter().map(words).collect()).collect()
    }

    #[test]
    fn schemes_wordings_become_concepts() {
        assert_eq!(read("(outer) electron is more easily lost"), [["electron", "more", "easily", "lost"]]);
        assert_eq!(read("heat/thermal energy"), [["heat|thermal", "energy"]]);
        assert_eq!(
            read("particles {slide/move/flow} past each other"),
            [["particles", "slide|move|flow", "past", "other"]]
        );
        assert_eq!(read("painting/oiling/greasing"), [["painting"], ["oiling"], ["greasing"]]);
        assert_eq!(read("Line 04 / PRINT Sum"), [["print", "sum"]]);
        assert_eq!(read("Line 4"), [["line", "4"]]);
        assert_eq!(
            read("Operating system // system software"),
            [["operating", "system"], ["system", "software"]]
        );
        assert_eq!(read("idea that it does not conduct owtte"), [["!conduct"]]);
        assert_eq!(read("(carbon dioxide)"), [["carbon", "dioxide"]]);
    }
}
