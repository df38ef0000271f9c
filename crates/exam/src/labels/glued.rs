//! Levels that are glued to a number: the letter of `1a`, the numeral of `1.b.ii`, both of `1cii`.

use super::{Kind, Token, parse_roman};

/// The letter of `1a`, `1a)` or `1.b`, when nothing but a closing sign or a bracket follows.
pub(super) fn glued_letter(rest: &str) -> Option<(Token, &str)> {
    let letter = rest.strip_prefix(['.', '-']).unwrap_or(rest);
    let first = letter.chars().next().filter(char::is_ascii_lowercase)?;
    let after = &letter[1..];
    // "3x" is algebra; a bare letter counts only at the start of the alphabet.
    let closed = after.starts_with([')', '.', '(', ':']) || (after.is_empty() && first <= 'h');
    closed.then(|| (Token::new(Kind::Letter, u32::from(first) - u32::from('a') + 1), after))
}

/// The letter and the numeral of `1cii`, when nothing but a closing sign follows.
pub(super) fn glued_both(rest: &str) -> Option<(Token, Token, &str)> {
    let letter = rest.bytes().next().filter(|letter| (b'a'..=b'h').contains(letter))?;
    let (numeral, after) = closed_numeral(&rest[1..]).filter(|_| rest[1..].starts_with(['i', 'v']))?;
    Some((Token::new(Kind::Letter, u32::from(letter - b'a') + 1), numeral, after))
}

/// The numeral of `1.b.ii`, when nothing but a closing sign follows.
pub(super) fn glued_numeral(rest: &str) -> Option<(Token, &str)> {
    closed_numeral(rest.strip_prefix('.')?)
}

pub(super) fn closed_numeral(numeral: &str) -> Option<(Token, &str)> {
    let end = numeral.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(numeral.len());
    let value = parse_roman(&numeral[..end])?;
    let after = &numeral[end..];
    let closed = after.is_empty() || matches!(after, "." | ")" | ":");
    closed.then(|| (Token::new(Kind::Roman, value), after))
}
