//! Labels of Arabic papers as Latin letters and digits, and back as they are printed.

use super::words;
use crate::renamed::{self, Names};
use domain::question::{Question, Region};
use lexicon::arabic::{LETTERS, OTHER_WAYS};

fn value(letter: &str) -> Option<usize> {
    let other = || OTHER_WAYS.iter().find(|(own, _)| *own == letter).map(|(_, value)| *value);
    LETTERS.iter().position(|own| *own == letter).or_else(other)
}

fn latin_letter(value: usize) -> Option<char> {
    char::from_digit(10 + u32::try_from(value).ok()?, 36)
}

/// True for a letter or a number that a closing sign makes a label.
pub(super) fn is_bare(text: &str) -> bool {
    let number = !text.is_empty() && text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    number || value(text).is_some()
}

/// A label in Latin letters: `أ)` is `a)`, `(ب)` is `(b)`, `ج-` is `c)`; a letter that stands apart is one without any
/// sign.
pub(super) fn latin(text: &str, apart: bool) -> Option<String> {
    let opened = text.strip_prefix('(');
    let body = opened.unwrap_or(text);
    let end = body.find([')', '-', '.', ':', ']']).unwrap_or(body.len());
    let letter = latin_letter(value(&body[..end])?)?;
    let closing = &body[end..];
    let open = if opened.is_some() { "(" } else { "" };
    match closing {
        "" if opened.is_none() => apart.then(|| letter.to_string()),
        "" => None,
        "-" | ".-" | ")-" | "." | ":" if opened.is_none() => Some(format!("{letter})")),
        // "أ-ب" names a line.
        _ if closing.starts_with([')', ']']) => Some(format!("{open}{letter}{closing}")),
        _ => None,
    }
}

/// Marks that a word says by its own form, as a number and their unit: "علامتان" are two.
pub(super) fn spelt_marks(text: &str) -> Option<(String, String)> {
    let bare = text.trim_matches(|sign: char| !sign.is_alphabetic());
    let at = text.find(bare).filter(|_| !bare.is_empty())?;
    let (before, after) = (&text[..at], &text[at + bare.len()..]);
    let alone = before.ends_with('(') && after.starts_with(')');
    let (number, unit) = match lexicon::arabic::two_marks(bare) {
        Some(unit) => (2, unit),
        None => (1, lexicon::arabic::one_mark(bare).filter(|_| alone)?),
    };
    Some((format!("{before}{number}"), format!("{unit}{after}")))
}

/// "(درجة" and "واحدة)" as "(1" and "درجة)".
pub(super) fn one_mark(unit: &str, number: &str) -> Option<(String, String)> {
    let unit = lexicon::arabic::one_mark(unit.strip_prefix('(')?)?;
    let after = number.strip_prefix(lexicon::arabic::ONE).filter(|after| after.starts_with(')'))?;
    Some(("(1".to_owned(), format!("{unit}{after}")))
}

/// Labels as the paper prints them, and places where they are on the page.
pub(crate) fn name(questions: &mut [Question], own_digits: bool) {
    renamed::all(questions, &Printed { own_digits });
    for question in questions {
        flip(&mut question.regions);
        question.parts.iter_mut().for_each(|part| flip(&mut part.regions));
    }
}

struct Printed {
    own_digits: bool,
}

impl Names for Printed {
    fn part(&self, label: &str) -> String {
        printed(label, self.own_digits)
    }

    fn option(&self, label: &str) -> String {
        printed(label, false)
    }
}

/// The places of keys where they are in the scheme.
pub(crate) fn flip_keys(questions: &mut [Question]) {
    for question in questions {
        let parts = question.parts.iter_mut().map(|part| &mut part.answer_key);
        for key in parts.chain([&mut question.answer_key]).flatten() {
            flip(&mut key.regions);
        }
    }
}

fn flip(regions: &mut [Region]) {
    for region in regions {
        region.x = (1.0 - region.x - region.width).max(0.0);
    }
}

/// A label with Arabic letters, and with Arabic-Indic digits where the document has them.
fn printed(label: &str, own_digits: bool) -> String {
    let sign = |sign: char| -> String {
        let letter = sign.to_ascii_lowercase();
        let letter =
            letter.is_ascii_alphabetic().then(|| LETTERS.get(usize::from(letter as u8 - b'a'))).flatten();
        let digit = sign.to_digit(10).filter(|_| own_digits).and_then(|value| char::from_u32(0x0660 + value));
        letter.map_or_else(|| digit.unwrap_or(sign).to_string(), |letter| (*letter).to_owned())
    };
    label.chars().map(sign).collect()
}

/// The same back: a label in Latin letters and digits, as it counts.
pub(crate) fn plain_label(label: &str) -> String {
    if label.is_ascii() {
        return label.to_owned();
    }
    let sign = |sign: char| {
        let letter = value(sign.encode_utf8(&mut [0; 4])).and_then(latin_letter);
        let digit = words::digit(sign).and_then(|value| char::from_digit(value, 10));
        letter.or(digit).unwrap_or(sign)
    };
    label.chars().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_written_in_latin_letters_and_back() {
        assert_eq!(latin("أ)", false).as_deref(), Some("a)"));
        assert_eq!(latin("(ب)", false).as_deref(), Some("(b)"));
        assert_eq!(latin("د-", false).as_deref(), Some("d)"));
        assert_eq!(latin("ج", true).as_deref(), Some("c"));
        assert_eq!(latin("و", false), None);
        assert_eq!(latin("(د", false), None);
        assert_eq!(latin("أ-ب", false), None);
        assert_eq!(printed("(c)(1)", true), "(ج)(١)");
        assert_eq!(printed("(c)(1)", false), "(ج)(1)");
        assert_eq!(plain_label("(ج)(١)"), "(c)(1)");
    }

    #[test]
    fn marks_in_words_are_counted() {
        let read = |text: &str| spelt_marks(text).map(|(number, unit)| format!("{number} {unit}"));
        assert_eq!(read("(علامتان)").as_deref(), Some("(2 علامات)"));
        assert_eq!(read("علامتان:").as_deref(), Some("2 علامات:"));
        assert_eq!(read("(درجة)").as_deref(), Some("(1 درجة)"));
        assert_eq!(read("درجة"), None);
        let one = one_mark("(درجة", "واحدة)").map(|(number, unit)| format!("{number} {unit}"));
        assert_eq!(one.as_deref(), Some("(1 درجة)"));
    }
}
