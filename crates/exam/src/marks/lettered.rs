//! Marks with a letter for their word: `10M`, `(10M)`, `3P`, `3 P`, `2,5 p.`

use super::numbers::read_number;
use super::{Certainty, MarkNote, Scope, is_short_unit};
use domain::marks::Marks;
use lexicon::english::papers;

/// `3P`, `3 P` or `2,5 p.` at the end of some words: how many of them it is, and the marks. "60 m" is a length, and so
/// may "60m" be.
pub(crate) fn with_letter(words: &[&str]) -> Option<(usize, Marks)> {
    let (last, before) = words.split_last()?;
    let counts = |unit: &str| is_short_unit(&unit.to_lowercase()) && !unit.starts_with(['m', 'M']);
    let (digits, unit) = parted(last);
    if digits.is_empty() {
        return number(before.last()?).filter(|_| counts(last)).map(|marks| (2, marks));
    }
    number(digits).filter(|_| counts(unit)).map(|marks| (1, marks))
}

/// Such marks with no other word beside them, or with the one capital that may stand in brackets as well.
pub(super) fn statement(words: &[&str]) -> Option<MarkNote> {
    let whole = || with_letter(words).filter(|(count, _)| *count == words.len());
    let lettered = || whole().map(|(_, marks)| (marks, false));
    let (marks, bracketed) = if words.len() > 2 { None } else { lettered().or_else(|| capital(words)) }?;
    let (scope, certainty) = (Scope::Part, Certainty::ByPlace);
    Some(MarkNote { scope, marks, certainty, bracketed, shared: None, words: 0 })
}

/// `10M` and `(10M)`: whether brackets stand around it.
fn capital(words: &[&str]) -> Option<(Marks, bool)> {
    const DIGITS_MAX: usize = 2;
    let [only] = words else { return None };
    let inner = only.strip_prefix(['(', '[']).and_then(|own| own.strip_suffix([')', ']']));
    let (digits, unit) = parted(inner.unwrap_or(only));
    let plain = digits.len() <= DIGITS_MAX && digits.chars().all(|c| c.is_ascii_digit());
    let marks = number(digits).filter(|_| plain && unit.chars().eq([papers::MARK_CAPITAL]))?;
    Some((marks, inner.is_some()))
}

/// The number that a word begins with, and the rest.
fn parted(word: &str) -> (&str, &str) {
    word.split_at(word.find(|c: char| !c.is_ascii_digit() && c != ',' && c != '.').unwrap_or(word.len()))
}

fn number(digits: &str) -> Option<Marks> {
    const LENGTH_MAX: usize = 3;
    let short = digits.len() <= LENGTH_MAX || digits.contains([',', '.']);
    let marks = Marks::from_number(read_number(digits).filter(|_| short)?)?;
    (!marks.is_zero()).then_some(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_counts_marks_where_it_is_no_length_and_no_code() {
        let read = |text: &str| with_letter(&text.split(' ').collect::<Vec<_>>());
        assert_eq!(read("Nenne ein Gas. 3 P"), Some((2, Marks::whole(3))));
        assert_eq!(read("Nenne ein Gas. 3P."), Some((1, Marks::whole(3))));
        assert_eq!(read("Rechnung 2,5 P"), Marks::from_number(2.5).map(|marks| (2, marks)));
        for text in ["60 m", "60m", "1M", "Punkt P", "0 P", "P", "2019 p."] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(statement(&["(10M)"]).map(|note| note.bracketed), Some(true));
        assert_eq!(statement(&["10M"]).map(|note| note.marks), Some(Marks::whole(10)));
        assert_eq!(statement(&["so", "3", "P"]), None);
    }
}
