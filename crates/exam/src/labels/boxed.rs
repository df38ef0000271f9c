//! Labels whose digits stand in boxes of their own.

use super::{Kind, Label, Style, Token};

/// `0 1 . 2`: boards that print each digit of a label in its own box.
pub(crate) fn digits(words: &[&str]) -> Option<Label> {
    let digit = |word: &&str| (word.len() == 1).then(|| word.parse::<u32>().ok()).flatten();
    let tens = words.first().and_then(digit)?;
    let ones = words.get(1).and_then(digit)?;
    let number = tens * 10 + ones;
    if tens > 3 || number == 0 {
        return None;
    }
    let mut tokens = vec![Token::new(Kind::Number, number)];
    let mut used = 2;
    let part = match words.get(2) {
        Some(&".") => words.get(3).and_then(digit).map(|value| (value, 4)),
        Some(word) => word.strip_prefix('.').and_then(|rest| rest.parse().ok()).map(|value| (value, 3)),
        None => None,
    };
    if let Some((value, words)) = part.filter(|(value, _)| *value > 0) {
        tokens.push(Token::new(Kind::Decimal, value));
        used = words;
    }
    // Two digits in a row are a label only where the first is the leading zero or a part follows.
    (tens == 0 || tokens.len() > 1).then_some(Label { tokens, style: Style::Path, words: used, glued: false })
}

/// `1 0` in a document that prints each digit of its labels in a box.
pub(crate) fn pair(words: &[&str]) -> Option<Label> {
    let digit = |word: &&str| (word.len() == 1).then(|| word.parse::<u32>().ok()).flatten();
    let (tens, ones) = (words.first().and_then(digit)?, words.get(1).and_then(digit)?);
    let tokens = vec![Token::new(Kind::Number, tens * 10 + ones)];
    (1..=3).contains(&tens).then_some(Label { tokens, style: Style::Path, words: 2, glued: false })
}
