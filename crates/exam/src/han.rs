//! Chinese text made ready to be read: full-width signs as plain ones, and labels and marks parted from the text that
//! they are set against, which has no spaces.

use crate::labels;
use reader::page::{Document, Page, Rect, Word};
use std::borrow::Cow;

/// A document whose Chinese words can be read one by one; one without any is left as it is.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    let words = document.pages.iter().flat_map(|page| &page.words);
    if !words.into_iter().any(|word| word.text.contains(is_han)) {
        return Cow::Borrowed(document);
    }
    let page = |page: &Page| Page { words: page.words.iter().flat_map(pieces).collect(), ..page.clone() };
    Cow::Owned(Document { pages: document.pages.iter().map(page).collect() })
}

fn is_han(sign: char) -> bool {
    ('\u{4E00}'..='\u{9FFF}').contains(&sign)
}

/// Full-width signs are the same signs in another dress.
fn plain(text: &str) -> String {
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
fn pieces(word: &Word) -> Vec<Word> {
    let text = plain(&word.text);
    let cut = cuts(&text);
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
        // "1、" is "1." elsewhere.
        let counted = own.strip_suffix('、').filter(|bare| bare.bytes().all(|byte| byte.is_ascii_digit()));
        found.push((own, counted.map_or_else(|| own.to_owned(), |bare| format!("{bare}."))));
        rest = after;
    }
    while let Some((open, close, said)) = statement(rest) {
        if open > 0 {
            found.push((&rest[..open], rest[..open].to_owned()));
        }
        found.push((&rest[open..close], said));
        rest = &rest[close..];
    }
    if !rest.is_empty() {
        found.push((rest, rest.to_owned()));
    }
    found
}

/// How long the label is that a text begins with: `一、`, `第三题`, `2.`, `2、`, `(1)`.
fn label(text: &str) -> Option<usize> {
    const LONGEST: usize = 8;
    let ends: Vec<usize> = text.char_indices().take(LONGEST).map(|(at, sign)| at + sign.len_utf8()).collect();
    let han = ends.iter().copied().find(|end| labels::han_numeral(&text[..*end]).is_some());
    if han.is_some() {
        return han;
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
    }

    #[test]
    fn numbers_in_a_text_are_no_labels() {
        assert_eq!(read("1.5倍"), ["1.5倍"]);
        assert_eq!(read("一个集合"), ["一个集合"]);
        assert_eq!(read("在(a,b)上"), ["在(a,b)上"]);
    }
}
