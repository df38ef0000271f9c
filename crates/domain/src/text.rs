//! Texts that clients send: parsed once against their bounds, then trusted.

use serde::Serialize;
use std::fmt;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Why a text was refused; reads as the end of a sentence that begins with the parameter's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Outside its bounds, in characters.
    Length {
        /// The fewest allowed.
        min: usize,
        /// The most allowed.
        max: usize,
    },
    /// A control or bidirectional override character.
    Forbidden(char),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Length { min, max } => write!(f, "must have {min} to {max} characters"),
            Problem::Forbidden(character) => write!(
                f,
                "must not contain the character U+{:04X}: control and bidirectional override characters are not allowed",
                u32::from(*character)
            ),
        }
    }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// Control characters and those that turn the direction of the text that follows (2.2).
pub const fn is_forbidden(character: char) -> bool {
    matches!(character, '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Checks one line of text.
pub fn check_line(text: &str, min: usize, max: usize) -> Result<(), Problem> {
    check(text, min, max, is_forbidden)
}

/// Checks a text that may hold tabs and line ends.
pub fn check_lines(text: &str, min: usize, max: usize) -> Result<(), Problem> {
    check(text, min, max, |character| is_forbidden(character) && !matches!(character, '\t' | '\n' | '\r'))
}

fn check(text: &str, min: usize, max: usize, forbidden: impl Fn(char) -> bool) -> Result<(), Problem> {
    // Counting stops just past the bound, so that a long text costs no more than it must.
    let length = text.chars().take(max + 1).count();
    if length < min || length > max {
        return Err(Problem::Length { min, max });
    }
    text.chars()
        .find(|&character| forbidden(character))
        .map_or(Ok(()), |character| Err(Problem::Forbidden(character)))
}

/// A line of 1 to `MAX` characters without control or bidirectional override characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Line<const MAX: usize>(String);

impl<const MAX: usize> Line<MAX> {
    /// Takes the text if it keeps the bounds.
    pub fn parse(text: String) -> Result<Line<MAX>, Problem> {
        check_line(&text, 1, MAX)?;
        Ok(Line(text))
    }

    /// Trusts a text that was checked before it was stored.
    pub fn trusted(text: String) -> Line<MAX> {
        Line(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Gives the text away.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl<const MAX: usize> fmt::Display for Line<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A paper's title, an external id, a student's or reviewer's name, a filename, a description.
pub type ShortLine = Line<255>;

/// A text made comparable: no case, no accents, single spaces.
pub fn fold(text: &str) -> String {
    let plain: String =
        text.nfkd().filter(|character| !is_combining_mark(*character)).flat_map(char::to_lowercase).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_counted_in_characters() {
        assert!(ShortLine::parse("é".repeat(255)).is_ok());
        assert_eq!(ShortLine::parse("é".repeat(256)), Err(Problem::Length { min: 1, max: 255 }));
        assert_eq!(ShortLine::parse(String::new()), Err(Problem::Length { min: 1, max: 255 }));
    }

    #[test]
    fn characters_that_hide_or_turn_text_are_refused() {
        for character in ['\0', '\n', '\u{1f}', '\u{7f}', '\u{9f}', '\u{202e}', '\u{2066}'] {
            let text = format!("exam{character}fdp.exe");
            assert_eq!(ShortLine::parse(text), Err(Problem::Forbidden(character)));
        }
        assert!(ShortLine::parse("Prüfung «1» \u{200f}עברית".into()).is_ok());
    }

    #[test]
    fn instructions_may_hold_tabs_and_line_ends() {
        assert!(check_lines("one\n\ttwo\r\n", 1, 5000).is_ok());
        assert_eq!(check_lines("one\u{202e}", 1, 5000), Err(Problem::Forbidden('\u{202e}')));
    }

    #[test]
    fn folding_takes_case_and_accents_away() {
        assert_eq!(fold("  Économie   POLITIQUE "), "economie politique");
        assert_eq!(fold("Ｍａｔｈｓ"), "maths");
    }
}
