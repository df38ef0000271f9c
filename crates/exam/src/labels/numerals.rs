//! Letters and roman numerals as numbers.

use super::MAX_VALUE;
use super::han::parse_han;

/// Roman numerals beyond this are words or units.
const MAX_ROMAN: u32 = 20;

/// The value of a small roman numeral in lower case, written the usual way.
pub fn parse_roman(text: &str) -> Option<u32> {
    if text.is_empty() || text.len() > 5 || !text.bytes().all(|byte| matches!(byte, b'i' | b'v' | b'x')) {
        return None;
    }
    (1..=MAX_ROMAN).find(|value| roman(*value) == text)
}

/// The value of a Roman numeral in capitals: `IV`.
pub(super) fn parse_capital_roman(text: &str) -> Option<u32> {
    let capital = text.bytes().all(|byte| byte.is_ascii_uppercase());
    capital.then(|| parse_roman(&text.to_ascii_lowercase())).flatten()
}

/// A question's number as papers print it: `3`, `III`, `三`, or `3` in its group, `II.3`.
pub fn parse_question_number(text: &str) -> Option<u32> {
    let grouped = text.split_once('.').filter(|(group, _)| parse_capital_roman(group).is_some());
    let text = grouped.map_or(text, |(_, number)| number);
    text.parse().ok().or_else(|| parse_capital_roman(text)).or_else(|| parse_han(text))
}

/// A number in capital Roman numerals.
pub fn print_capital(value: u32) -> String {
    roman(value).to_ascii_uppercase()
}

pub(super) fn roman(value: u32) -> String {
    const STEPS: [(u32, &str); 5] = [(10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")];
    let mut rest = value.min(MAX_VALUE);
    let mut out = String::new();
    for (step, text) in STEPS {
        while rest >= step {
            out.push_str(text);
            rest -= step;
        }
    }
    out
}

pub(super) fn letters(value: u32) -> String {
    let index = u8::try_from(value.saturating_sub(1) % 26).unwrap_or(0);
    char::from(b'a' + index).to_string()
}

/// A question's number in words: "One", "TWO".
pub(super) fn spelt(word: &str) -> Option<u32> {
    let lower = word.to_lowercase();
    // Scripts without capitals have no small letters either.
    let capital = !word.starts_with(char::is_lowercase);
    lexicon::number(&lower).filter(|value| capital && *value <= MAX_ROMAN)
}
