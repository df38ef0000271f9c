//! Codes of outcomes and levels in columns at the right edge of a paper, "6  CO1  L2": they are no words of the questions
//! beside them, and leave the marks at the edge.

use reader::lines::lines;
use reader::page::{Document, Page};
use std::borrow::Cow;
use std::ops::Range;

/// Fewer are no column.
const LEAST: usize = 4;
/// White before a code, in sizes of its type.
const APART: f32 = 1.2;
/// The columns stand behind this part of the page.
const RIGHT_PART: f32 = 0.6;
/// How far the middles of one column lie from each other.
const SLACK: f32 = 8.0;
/// So many such columns stand side by side.
const COLUMNS_MAX: usize = 3;
/// "CO", "BTL"
const LETTERS_MAX: usize = 3;

/// A code at the end of a line.
struct Code {
    page: usize,
    word: usize,
    letters: String,
    middle: f32,
}

/// The paper without such columns; itself where it has none.
pub(crate) fn without(document: &Document) -> Cow<'_, Document> {
    let mut own = Cow::Borrowed(document);
    let words = || document.pages.iter().flat_map(|page| &page.words);
    // Lines are made only where there may be such a column.
    if words().filter(|word| letters(&word.text).is_some()).count() < LEAST {
        return own;
    }
    for _ in 0..COLUMNS_MAX {
        let codes = column(&own);
        if codes.is_empty() {
            break;
        }
        let pages = &mut own.to_mut().pages;
        // From the last on, since words become fewer.
        for code in codes.into_iter().rev() {
            pages[code.page].words.remove(code.word);
        }
    }
    own
}

/// The codes of one column, in their order.
fn column(document: &Document) -> Vec<Code> {
    let mut found: Vec<Code> =
        document.pages.iter().enumerate().flat_map(|(at, page)| on_page(at, page)).collect();
    let mut middles: Vec<(String, f32)> =
        found.iter().map(|code| (code.letters.clone(), code.middle)).collect();
    middles.sort_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let before = |letters: &str, x: f32| {
        middles.partition_point(|(own, middle)| (own.as_str(), *middle) < (letters, x))
    };
    let is_column = |code: &Code| {
        let (from, to) =
            (before(&code.letters, code.middle - SLACK), before(&code.letters, code.middle + SLACK));
        to - from >= LEAST
    };
    found.retain(is_column);
    found.sort_by_key(|code| (code.page, code.word));
    found
}

/// The codes that end lines of a page.
fn on_page(at: usize, page: &Page) -> Vec<Code> {
    let of_line = |words: Range<usize>| {
        let (last, before) = page.words[words.clone()].split_last()?;
        let letters = letters(&last.text)?;
        let apart = before.last().is_none_or(|word| last.place.x0 - word.place.x1 > APART * last.size);
        let middle = last.place.centre().0;
        let code = Code { page: at, word: words.end - 1, letters: letters.to_owned(), middle };
        (apart && middle > RIGHT_PART * page.width).then_some(code)
    };
    lines(page).into_iter().filter_map(|line| of_line(line.words)).collect()
}

/// The "CO" of "CO1": capitals before a number.
fn letters(text: &str) -> Option<&str> {
    let digits = text.find(|c: char| c.is_ascii_digit())?;
    let (letters, number) = text.split_at(digits);
    let capitals =
        (1..=LETTERS_MAX).contains(&letters.len()) && letters.bytes().all(|c| c.is_ascii_uppercase());
    (capitals && number.len() <= 2 && number.bytes().all(|c| c.is_ascii_digit())).then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reader::page::{Rect, Word};

    fn page(rows: &[&[(&str, f32)]]) -> Document {
        let mut words: Vec<Word> = Vec::new();
        for (row, y) in rows.iter().zip((80_u16..).step_by(20)) {
            for (text, x0) in *row {
                let y0 = f32::from(y);
                let place = Rect { x0: *x0, y0, x1: x0 + 5.0 * text.len() as f32, y1: y0 + 10.0 };
                words.push(Word {
                    text: (*text).to_owned(),
                    place,
                    size: 10.0,
                    baseline: y0 + 8.0,
                    ..Word::default()
                });
            }
        }
        Document { pages: vec![Page { number: 1, width: 600.0, height: 800.0, words, ..Page::default() }] }
    }

    fn left(document: &Document) -> Vec<String> {
        without(document).pages[0].words.iter().map(|word| word.text.clone()).collect()
    }

    #[test]
    fn columns_of_codes_are_left_out() {
        let rows: Vec<Vec<(&str, f32)>> = ["a", "b", "c", "d"]
            .iter()
            .map(|part| vec![(*part, 60.0), ("2", 460.0), ("CO1", 500.0), ("L2", 545.0)])
            .collect();
        let rows: Vec<&[(&str, f32)]> = rows.iter().map(Vec::as_slice).collect();
        assert_eq!(left(&page(&rows)), ["a", "2", "b", "2", "c", "2", "d", "2"]);
        assert_eq!(left(&page(&rows[..3])).len(), 12);
    }

    #[test]
    fn names_at_the_end_of_sentences_stay() {
        let rows: Vec<Vec<(&str, f32)>> = (0..5).map(|_| vec![("vitamin", 460.0), ("B12", 496.0)]).collect();
        let rows: Vec<&[(&str, f32)]> = rows.iter().map(Vec::as_slice).collect();
        assert_eq!(left(&page(&rows)).len(), 10);
    }
}
