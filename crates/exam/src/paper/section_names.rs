//! Lines that name a section of a paper: "Section B", "PART II (20 marks)", "Part IV. Short Answer. …".

use super::rubric::{choice, cleaned};
use super::spread;
use crate::flow::Line;
use crate::labels;
use crate::marks;
use lexicon::Concept;

/// True for a line that names a section and is no part of a sentence.
pub(super) fn is_section_heading(line: &Line<'_>) -> bool {
    section_name(line).is_some()
}

/// The name of the section that a line is the heading of.
pub(super) fn section_name(line: &Line<'_>) -> Option<String> {
    section_of(line).filter(|_| stands_out(line))
}

/// The section that a line names. "BLOQUE 1. Responda a una de las dos preguntas: A.1 o B.1" and "Part II – Matching (1 pt
/// each). Write the letter" name one, however long they are.
pub(super) fn section_of(line: &Line<'_>) -> Option<String> {
    if labels::name_part(&line.texts()) {
        return None;
    }
    let texts = cleaned(line);
    let words: Vec<&str> = texts.iter().map(String::as_str).collect();
    let short = &words[..words.len().min(SECTION_WORDS)];
    // "Section A – ALL TEN questions are compulsory and MUST be attempted"
    let compulsory = || words.iter().any(|word| lexicon::is(Concept::Compulsory, word));
    let titled = || choice(&words).is_some() || is_priced_title(line) || is_kind_title(line) || compulsory();
    let named = section(&words).or_else(|| section(short).filter(|_| titled()));
    named.or_else(|| test(&line.texts()))
}

/// "Test II. Identification. Directions: …", "Test II" alone: a capital numeral and a title tell such a section from a
/// paper, or nothing but the numeral.
pub(super) fn test(texts: &[&str]) -> Option<String> {
    let [word, numeral, rest @ ..] = texts else { return None };
    let name = numeral.trim_end_matches(['.', ':']);
    let counted = !name.is_empty() && name.chars().all(|c| matches!(c, 'I' | 'V' | 'X'));
    let titled = |title: &&str| {
        numeral.len() > name.len() && (title.starts_with('(') || title.starts_with(char::is_uppercase))
    };
    let alone = rest.first().is_none_or(titled);
    (counted && alone && lexicon::is(Concept::SectionOfTests, &word.to_lowercase())).then(|| name.to_owned())
}

/// "Part IV. Short Answer. Complete sentences are not needed, but be specific.": the kind of its questions behind its name.
fn is_kind_title(line: &Line<'_>) -> bool {
    /// The name of a section and the longest name of a kind.
    const WORDS_MAX: usize = 8;
    let words: Vec<&str> = line.words.iter().take(WORDS_MAX).map(|word| word.text.as_str()).collect();
    let named = words.get(1).is_some_and(|name| name.ends_with([':', '.']));
    let title = words.get(2..).unwrap_or_default().join(" ").to_lowercase();
    let end = lexicon::begins_with(Concept::KindHeading, &title).filter(|_| named);
    end.and_then(|end| title.get(end..))
        .is_some_and(|rest| rest.starts_with(['.', ':']) || rest.starts_with(" ("))
}

/// "Part II – Matching (1 pt each). …": a title parted from its name, and what it or each of its questions is worth.
fn is_priced_title(line: &Line<'_>) -> bool {
    let texts = line.texts();
    let dash = |word: &&str| matches!(*word, "-" | "–" | "—");
    let parted =
        texts.get(2).is_some_and(dash) || texts.get(1).is_some_and(|name| name.ends_with([':', '.']));
    parted && (spread::of_text(&line.text()).is_some() || marks::within(&texts).is_some())
}

/// True for the heading of a first section: "Section A", "PART 1", "Part I".
pub(super) fn is_first_section(line: &Line<'_>) -> bool {
    const FIRST: [&str; 3] = ["A", "I", "1"];
    let texts = cleaned(line);
    let words: Vec<&str> = texts.iter().map(String::as_str).collect();
    let named = section(&words).filter(|_| stands_out(line));
    named.is_some_and(|name| {
        FIRST.contains(&name.as_str()) || lexicon::small_number(&name.to_lowercase()) == Some(1)
    })
}

/// "Section B", "SECTION B: Long answers", "Part II (20 marks)", but not "part 2 of the circuit".
pub(super) fn stands_out(line: &Line<'_>) -> bool {
    let first = &line.words[0];
    let named = line.words.get(1).map_or("", |word| word.text.as_str());
    let parted = line.words.get(2).is_none_or(|next| {
        named.ends_with([':', '.', '-']) || !next.text.starts_with(|c: char| c.is_lowercase())
    });
    // Scripts without capitals have no small letters either.
    first.text.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase()) && parted
}

/// A line that names a section has no more words.
const SECTION_WORDS: usize = 10;

/// "Section A", "PART II": a short line that names a section.
pub(super) fn section(words: &[&str]) -> Option<String> {
    let (first, second) = (words.first()?, words.get(1)?);
    // "SEGUNDA PARTE. Fuentes históricas (3 puntos)"
    if let Some(place) = lexicon::ordinal(first).filter(|_| lexicon::is(Concept::Section, second)) {
        return (words.len() <= SECTION_WORDS).then(|| place.to_string());
    }
    // "II. rész", "III ДЕО – ТЕОРИЈА"
    let counted = !first.is_empty() && first.chars().all(|c| "ivx".contains(c));
    if counted && lexicon::is(Concept::Section, second) {
        return (words.len() <= SECTION_WORDS).then(|| first.to_uppercase());
    }
    // "Section A(2)" is cleaned to "a(2"; "Part B–1" is a name as well.
    let second = &second.replace(['(', ')', '-', '–'], "");
    let name = second.len() <= 3 && second.chars().all(|c| c.is_ascii_alphanumeric());
    let lettered = second.len() == 2
        && second.starts_with(|c: char| c.is_ascii_lowercase())
        && second.ends_with(|c: char| c.is_ascii_digit());
    let numeral =
        name && (second.len() == 1 || lettered || second.chars().all(|c| "ivx0123456789".contains(c)));
    // "PART FOUR"
    let numeral = numeral || lexicon::small_number(second).is_some();
    (words.len() <= SECTION_WORDS && lexicon::is(Concept::Section, first) && numeral)
        .then(|| second.to_uppercase())
}
