//! Where labels and statements about marks are parted from the text that they are set against.

use crate::labels;
use reader::page::{Rect, Word};

/// Full-width signs are the same signs in another dress.
pub(super) fn plain(text: &str) -> String {
    let sign = |sign: char| match sign {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(sign) - 0xFEE0).unwrap_or(sign),
        '【' => '[',
        '】' => ']',
        '\u{3000}' => ' ',
        other => other,
    };
    text.chars().map(sign).collect()
}

/// A word cut where a label or a statement about marks ends or begins, each piece with its share of the place.
/// `expected`: the number that a label at the beginning of a line would have, so that "12.3" is "12." and "3".
pub(super) fn pieces(word: &Word, expected: Option<u32>) -> Vec<Word> {
    let text = plain(&word.text);
    let counted =
        expected.map(|number| format!("{number}.")).filter(|label| text.starts_with(label.as_str()));
    let cut = match counted {
        Some(own) if text[own.len()..].starts_with(|next: char| next.is_ascii_digit()) => {
            let (label, rest) = text.split_at(own.len());
            std::iter::once((label, label.to_owned())).chain(cuts(rest)).collect()
        }
        _ => cuts(&text),
    };
    let whole: f32 = cut.iter().map(|(printed, _)| breadth(printed)).sum();
    let mut x = word.place.x0;
    let place = |(printed, said): (&str, String)| {
        let width = word.place.width() * breadth(printed) / whole.max(1.0);
        let own = Rect { x0: x, x1: x + width, ..word.place };
        x += width;
        Word { text: said, place: own, ..word.clone() }
    };
    cut.into_iter().map(place).collect()
}

/// How broad a text is set: a Chinese sign takes two letters' room.
fn breadth(text: &str) -> f32 {
    text.chars().map(|sign| if sign.is_ascii() { 1.0 } else { 2.0 }).sum()
}

/// The pieces of a text, each as it is printed and as it is read.
fn cuts(text: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(length) = label(rest).filter(|length| *length < rest.len() || found.is_empty()) {
        let (own, after) = rest.split_at(length);
        let after = without_lead(after);
        // "1、" is "1." elsewhere, and "A、" is "A.".
        let counted = own.strip_suffix('、').filter(|bare| bare.is_ascii());
        found.push((own, counted.map_or_else(|| own.to_owned(), |bare| format!("{bare}."))));
        rest = after;
    }
    while let Some((open, close, said)) = statement(rest) {
        if open > 0 {
            found.push((&rest[..open], rest[..open].to_owned()));
        }
        found.push((&rest[open..close], said));
        rest = &rest[close..];
        // "12.(26分)(1)流量"
        if let Some(length) = label(rest).filter(|length| rest.starts_with('(') && *length < rest.len()) {
            found.push((&rest[..length], rest[..length].to_owned()));
            rest = &rest[length..];
        }
    }
    if !rest.is_empty() {
        found.push((rest, rest.to_owned()));
    }
    found
}

/// What stands behind "解:", which only says that a solution begins, and behind what each blank below is worth.
fn without_lead(text: &str) -> &str {
    let each = text
        .strip_prefix('(')
        .filter(|inner| inner.starts_with('每'))
        .and_then(|inner| inner.split_once(')'));
    let text = each.map_or(text, |(_, rest)| rest);
    let lead = text.strip_prefix(['解', '答']).and_then(|rest| rest.strip_prefix([':', '.']));
    lead.filter(|rest| !rest.is_empty()).unwrap_or(text)
}

/// How long the label is that a text begins with: `一、`, `第三题`, `2.`, `2、`, `(1)`, `A.`.
fn label(text: &str) -> Option<usize> {
    const LONGEST: usize = 8;
    let ends: Vec<usize> = text.char_indices().take(LONGEST).map(|(at, sign)| at + sign.len_utf8()).collect();
    let han = ends.iter().copied().find(|end| labels::han_numeral(&text[..*end]).is_some());
    if han.is_some() {
        return han;
    }
    // "A.教室", but not "A.B" or "C.".
    let mut signs = text.chars();
    if let (Some('A'..='H'), Some('.' | '、'), Some(next)) = (signs.next(), signs.next(), signs.next()) {
        let end = text.len() - signs.as_str().len() - next.len_utf8();
        return (!next.is_ascii_alphabetic()).then_some(end);
    }
    let opened = usize::from(text.starts_with('('));
    let digits =
        text[opened..].find(|sign: char| !sign.is_ascii_digit()).filter(|count| (1..=2).contains(count))?;
    let sign = text[opened + digits..].chars().next()?;
    let closes = match opened {
        1 => sign == ')',
        _ => matches!(sign, '.' | '、' | ')'),
    };
    let end = opened + digits + sign.len_utf8();
    // "1.5" is a number.
    let decimal = sign == '.' && text[end..].starts_with(|next: char| next.is_ascii_digit());
    (closes && !decimal).then_some(end)
}

/// The first bracket that speaks of marks: where it begins and ends, and what it says: `(本题15分)` is `(15分)`.
fn statement(text: &str) -> Option<(usize, usize, String)> {
    text.match_indices(['(', '[']).find_map(|(open, _)| {
        let close = open + text[open..].find([')', ']'])? + 1;
        let inner = &text[open + 1..close - 1];
        let before = &inner[..inner.rfind('分')?];
        let digits = before.bytes().rev().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let number = &before[before.len() - digits..];
        // "5 for each" is no mark of the whole.
        let spread = inner.contains('每') && !inner.contains('共');
        (!number.is_empty() && !spread).then(|| (open, close, format!("({number}分)")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        cuts(&plain(text)).into_iter().map(|(_, said)| said).collect()
    }

    #[test]
    fn labels_and_marks_are_parted_from_their_text() {
        assert_eq!(read("一、（本题15分）"), ["一、", "(15分)"]);
        assert_eq!(read("二、证明题（每小题5分，共20分）"), ["二、", "证明题", "(20分)"]);
        assert_eq!(read("1．叙述定义"), ["1.", "叙述定义"]);
        assert_eq!(read("（2）求极限。（10分）"), ["(2)", "求极限。", "(10分)"]);
        assert_eq!(read("第三题计算"), ["第三题", "计算"]);
        assert_eq!(read("A．教室门"), ["A.", "教室门"]);
        assert_eq!(read("12．（6分）（1）流量大（2分）"), ["12.", "(6分)", "(1)", "流量大", "(2分)"]);
        assert_eq!(read("17．解：（1）路程"), ["17.", "(1)", "路程"]);
        assert_eq!(read("14.（每空2分）（1）98"), ["14.", "(1)", "98"]);
    }

    #[test]
    fn numbers_in_a_text_are_no_labels() {
        assert_eq!(read("1.5倍"), ["1.5倍"]);
        assert_eq!(read("一个集合"), ["一个集合"]);
        assert_eq!(read("在(a,b)上"), ["在(a,b)上"]);
        assert_eq!(read("D.E两点"), ["D.E两点"]);
    }

    #[test]
    fn a_number_that_a_label_would_have_is_one() {
        let word = Word { text: "12.3".to_owned(), ..Word::default() };
        let read = |expected| pieces(&word, expected).into_iter().map(|own| own.text).collect::<Vec<_>>();
        assert_eq!(read(Some(12)), ["12.", "3"]);
        assert_eq!(read(Some(13)), ["12.3"]);
    }
}
