//! Labels in a table column of their own, where brackets are often left out.

use super::{Kind, MAX_DEPTH, Token, leading_number, level, parse_roman};

/// Reads the text of a table's label column, where levels may stand without brackets: `2 a ii`.
///
/// `None` when anything else stands there too.
pub fn parse_cell(text: &str) -> Option<Vec<Token>> {
    let lower = text.trim().to_lowercase();
    let bare = lexicon::without_prefix(lexicon::Concept::Label, &lower).unwrap_or(&lower);
    let bare = bare.strip_prefix(['q', '#']).unwrap_or(bare).trim_start_matches(['.', ':', ' ']);
    if bare.len() > 16 {
        return None;
    }
    // "ONE (a)"
    let (first, after) = bare.split_once([' ', '(']).unwrap_or((bare, ""));
    let spelt = lexicon::number(first).filter(|number| (1..=20).contains(number) && !first.is_empty());
    let counted = spelt
        .filter(|_| first.chars().all(char::is_alphabetic) && text.trim().starts_with(char::is_uppercase));
    let bare = &counted.map_or_else(|| bare.to_owned(), |number| format!("{number} {after}"));
    let separators = |c: char| matches!(c, ' ' | '(' | ')' | '[' | ']' | ':' | '*' | ',');
    let mut tokens: Vec<Token> = Vec::new();
    for piece in
        bare.split(separators).map(|piece| piece.trim_end_matches('.')).filter(|piece| !piece.is_empty())
    {
        let mut rest = piece;
        if tokens.is_empty()
            && let Some((number, after)) = leading_number(rest)
        {
            tokens.push(Token::new(Kind::Number, number));
            rest = after;
        } else if let ([_], Ok(number @ 1..=20)) = (tokens.as_slice(), piece.parse()) {
            // The question's number and the part's stand in columns of their own: "03" and "2".
            tokens.push(Token::new(Kind::Decimal, number));
            continue;
        }
        while let Some((value, after)) = rest.strip_prefix('.').and_then(leading_number) {
            tokens.push(Token::new(Kind::Decimal, value));
            rest = after;
        }
        let rest = rest.trim_start_matches('.');
        if !rest.is_empty() {
            push_levels(rest, &mut tokens)?;
        }
    }
    (!tokens.is_empty() && tokens.len() <= MAX_DEPTH).then_some(tokens)
}

/// `a`, `ii`, `aii`
fn push_levels(text: &str, tokens: &mut Vec<Token>) -> Option<()> {
    if let Some(token) = level(text) {
        tokens.push(token);
        return Some(());
    }
    let (letter, numeral) = text.split_at_checked(1)?;
    tokens.push(level(letter)?);
    tokens.push(Token::new(Kind::Roman, parse_roman(numeral)?));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::display;

    #[test]
    fn a_label_column_needs_no_brackets() {
        let cell = |text: &str| parse_cell(text).map(|path| path[0].value.to_string() + &display(&path));
        assert_eq!(cell("2 (a) (i)"), Some("2(a)(i)".into()));
        assert_eq!(cell("2 a i"), Some("2(a)(i)".into()));
        assert_eq!(cell("2aii"), Some("2(a)(ii)".into()));
        assert_eq!(cell("Question 4"), Some("4".into()));
        assert_eq!(parse_cell("01.2").map(|path| display(&path)), Some("1.2".into()));
        assert_eq!(parse_cell("03 2").map(|path| display(&path)), Some("3.2".into()));
        assert_eq!(cell("ONE (a)"), Some("1(a)".into()));
        assert_eq!(cell("Question Two(b)"), Some("2(b)".into()));
        assert_eq!(cell("#6a"), Some("6(a)".into()));
        assert_eq!(cell("one of them"), None);
        assert_eq!(cell("M1"), None);
        assert_eq!(cell("number"), None);
    }
}
