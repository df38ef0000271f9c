//! Questions that are numbered with capital Roman numerals: `I.`, `II)`, `III (a)`, `IV.2`.

use super::{Kind, Label, Style, Token, leading_number, numerals, parse_parts};

/// Reads the capital numeral that a sequence of words begins with, and the levels that follow it.
///
/// "I" is a word as well: whether a document counts in this way is for its numbering to say.
pub fn parse_capital(words: &[&str]) -> Option<Label> {
    let first = words.first()?;
    let (inner, bracketed) = match first.strip_prefix(['(', '[']) {
        Some(inner) => (inner, true),
        None => (*first, false),
    };
    let end = inner.find(|c: char| !matches!(c, 'I' | 'V' | 'X')).unwrap_or(inner.len());
    let value = numerals::parse_capital_roman(&inner[..end])?;
    let mut tokens = vec![Token::new(Kind::Number, value)];
    let (style, rest) = match inner[end..].chars().next() {
        None => (Style::Bare, ""),
        Some(')' | ']') if bracketed => (Style::Brackets, &inner[end + 1..]),
        Some(')') => (Style::Close, &inner[end + 1..]),
        Some('.' | ':' | '-') => (Style::Dot, &inner[end + 1..]),
        Some(_) => return None,
    };
    if bracketed != (style == Style::Brackets) {
        return None;
    }
    match leading_number(rest).filter(|(_, after)| matches!(*after, "" | "." | ")")) {
        Some((number, _)) => tokens.push(Token::new(Kind::Inner, number)),
        None if !rest.is_empty() => return None,
        None => {}
    }
    let mut label = Label { tokens, style, words: 1, glued: false };
    if let Some(parts) = parse_parts(&words[1..]) {
        label.words += parts.words;
        label.tokens.extend(parts.tokens);
        label.glued = parts.glued;
    }
    Some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(Vec<(Kind, u32)>, Style)> {
        let words: Vec<&str> = text.split(' ').collect();
        let label = parse_capital(&words)?;
        Some((label.tokens.iter().map(|token| (token.kind, token.value)).collect(), label.style))
    }

    #[test]
    fn capital_numerals_are_numbers_of_questions() {
        assert_eq!(read("I."), Some((vec![(Kind::Number, 1)], Style::Dot)));
        assert_eq!(read("IV) State"), Some((vec![(Kind::Number, 4)], Style::Close)));
        assert_eq!(read("(III)"), Some((vec![(Kind::Number, 3)], Style::Brackets)));
        assert_eq!(read("II (a) Find"), Some((vec![(Kind::Number, 2), (Kind::Letter, 1)], Style::Bare)));
        assert_eq!(read("II.3"), Some((vec![(Kind::Number, 2), (Kind::Inner, 3)], Style::Dot)));
    }

    #[test]
    fn words_and_units_are_none() {
        for text in ["In", "IIII", "Vx", "X-ray", "I'm", "i.", "(I", "V.A", "C."] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
