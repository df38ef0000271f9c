//! Questions that are counted in Chinese: `一、`, `第三题`, `第 2 题`.

use super::{Kind, Label, MAX_VALUE, Style, Token};

const DIGITS: &str = "一二三四五六七八九";

/// The value of a Chinese numeral up to 99.
pub(crate) fn parse_han(text: &str) -> Option<u32> {
    let digit = |text: &str| {
        let mut signs = text.chars();
        let value = signs.next().and_then(|sign| DIGITS.chars().position(|own| own == sign))?;
        signs.next().is_none().then_some(value as u32 + 1)
    };
    match text.split_once('十') {
        None => digit(text),
        Some((tens, ones)) => {
            let tens = if tens.is_empty() { 1 } else { digit(tens)? };
            let ones = if ones.is_empty() { 0 } else { digit(ones)? };
            Some(10 * tens + ones)
        }
    }
}

/// The numeral of a word that is a label, as it is printed: the `三` of `三、` and of `第三题`.
pub(crate) fn numeral(word: &str) -> Option<&str> {
    let counted = |text: &&str| parse_han(text).is_some();
    if let Some(bare) = word.strip_suffix('、') {
        return Some(bare).filter(counted);
    }
    let bare = word.strip_prefix('第')?.trim_end_matches(['、', '.', ':']);
    let bare = bare.strip_suffix('题')?.trim_end_matches('大');
    Some(bare).filter(|bare| counted(bare) || bare.parse::<u32>().is_ok())
}

/// `一、` and `第三题` head questions as a word does that announces them.
pub(super) fn heading(word: &str) -> Option<Label> {
    let numeral = numeral(word)?;
    let value = parse_han(numeral).or_else(|| numeral.parse().ok())?;
    (1..=MAX_VALUE).contains(&value).then(|| Label {
        tokens: vec![Token::new(Kind::Number, value)],
        style: Style::Keyword,
        words: 1,
        glued: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_have_their_values() {
        for (text, value) in [("一", 1), ("九", 9), ("十", 10), ("十二", 12), ("二十", 20), ("三十五", 35)]
        {
            assert_eq!(parse_han(text), Some(value), "{text}");
        }
        for text in ["", "分", "一一", "十十", "二十三四"] {
            assert_eq!(parse_han(text), None, "{text}");
        }
    }

    #[test]
    fn headings_are_told_from_text() {
        let value = |word: &str| heading(word).map(|label| label.tokens[0].value);
        assert_eq!(value("二、"), Some(2));
        assert_eq!(value("第四题"), Some(4));
        assert_eq!(value("第12题"), Some(12));
        assert_eq!(value("一个"), None);
        assert_eq!(value("第一"), None);
    }
}
