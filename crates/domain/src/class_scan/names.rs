//! Whose name stands at the head of a page, as far as it can be told from what was recognised there.

use super::NameSeen;
use crate::roster::{Enrolled, Roster};
use crate::text::fold;

/// A name that fits less well is none.
const FIT_MIN: f64 = 0.6;
/// Two students whose names fit so alike cannot be told apart.
const MARGIN: f64 = 0.1;
/// What is left of a fit when they cannot.
const AMBIGUOUS: f64 = 0.6;
/// A part of a name that fits less well than this was not read at all.
const PART_MIN: f64 = 0.6;
/// Words at the head of a page that are looked at; more are no head.
const WORDS_MAX: usize = 150;
/// How well a student is known by the reference instead of the name.
const BY_REFERENCE: f64 = 0.97;
/// References shorter than this stand on pages for other reasons.
const REFERENCE_MIN: usize = 3;

/// The student of the roster who is named by these words, if one is.
pub fn named_in(roster: &Roster, words: &[String]) -> Option<NameSeen> {
    let words: Vec<String> = words.iter().take(WORDS_MAX).map(|word| bare(word)).collect();
    let mut fits: Vec<NameSeen> = roster
        .students()
        .iter()
        .enumerate()
        .map(|(student, enrolled)| NameSeen { student, fit: fit(enrolled, &words) })
        .filter(|name| name.fit >= FIT_MIN)
        .collect();
    fits.sort_by(|one, other| other.fit.total_cmp(&one.fit));
    let rival = fits.get(1).map(|name| name.fit);
    let mut best = fits.into_iter().next()?;
    if rival.is_some_and(|rival| best.fit - rival < MARGIN) {
        best.fit *= AMBIGUOUS;
    }
    Some(best)
}

/// How well a student's name or reference is found among the words, from 0 to 1.
fn fit(enrolled: &Enrolled, words: &[String]) -> f64 {
    let reference = bare(enrolled.student.external_id.as_str());
    if reference.chars().count() >= REFERENCE_MIN && words.contains(&reference) {
        return BY_REFERENCE;
    }
    let Some(name) = &enrolled.student.name else { return 0.0 };
    let parts: Vec<String> =
        fold(name.as_str()).split([' ', ',']).map(bare).filter(|part| part.chars().count() > 1).collect();
    if parts.is_empty() {
        return 0.0;
    }
    // A part that was not found counts against the others by its length.
    let length = |part: &String| part.chars().count() as f64;
    let whole: f64 = parts.iter().map(length).sum();
    let found = parts.iter().map(|part| length(part) * best(part, words, PART_MIN)).sum::<f64>() / whole;
    // Handwriting often runs together.
    found.max(best(&parts.concat(), words, PART_MIN))
}

/// How alike the most similar word is, or 0 where none is at least so alike.
fn best(part: &str, words: &[String], least: f64) -> f64 {
    let alike = words.iter().map(|word| similarity(part, word)).fold(0.0, f64::max);
    if alike >= least { alike } else { 0.0 }
}

/// 1 less the share of letters that differ.
fn similarity(one: &str, other: &str) -> f64 {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let longest = one.len().max(other.len());
    // Lengths that differ by half cannot be alike, and need no table.
    if longest == 0 || 2 * one.len().abs_diff(other.len()) > longest {
        return 0.0;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    1.0 - row[other.len()] as f64 / longest as f64
}

/// Letters and digits alone, without case and accents.
fn bare(word: &str) -> String {
    fold(word).chars().filter(|letter| letter.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submission::Student;
    use crate::text::ShortLine;

    fn named(head: &str) -> Option<(usize, bool)> {
        let line = |text: &str| ShortLine::parse(text.to_owned()).unwrap();
        let student = |(id, name): (&str, &str)| Enrolled {
            student: Student { external_id: line(id), name: Some(line(name)) },
            class: None,
        };
        let all = [
            ("s-1071", "Ada Lovelace"),
            ("s-1072", "Hopper, Grace"),
            ("s-1073", "Zoë Müller"),
            ("s-1074", "Lea Müller"),
            ("s-1075", "An Li"),
        ];
        let roster = Roster::of(all.map(student).to_vec()).unwrap();
        let words: Vec<String> = head.split_whitespace().map(str::to_owned).collect();
        named_in(&roster, &words).map(|name| (name.student, name.fit >= 0.8))
    }

    #[test]
    fn names_are_found_however_they_are_written() {
        assert_eq!(named("Name: Ada Lovelace Class 7b"), Some((0, true)));
        assert_eq!(named("LOVELACE, ada"), Some((0, true)));
        assert_eq!(named("Grace Hoppcr"), Some((1, true)), "a letter was misread");
        assert_eq!(named("zoe muller"), Some((2, true)), "accents are often left out");
        assert_eq!(named("AdaLovelace"), Some((0, true)));
        assert_eq!(named("Candidate s-1072"), Some((1, true)), "a reference will do");
    }

    #[test]
    fn what_fits_two_or_hardly_one_is_doubtful_or_none() {
        assert_eq!(named("Muller"), Some((2, false)), "there are two");
        assert_eq!(named("1. State the law of Hooke. [2]"), None);
        assert_eq!(named("Lovelace"), Some((0, false)), "only a part of the name");
        assert_eq!(named(""), None);
    }
}
