//! Marks at the right edge of a scheme with the letter of their unit and without brackets, "3 P": by itself such a letter
//! may be anything, but a column of them counts marks.

use lexicon::Concept;
use reader::page::{Document, Page, Rect, Word};
use std::borrow::Cow;
use std::ops::Range;

/// Fewer are no column.
const LEAST: usize = 4;
/// The column stands behind this part of the page.
const RIGHT_PART: f32 = 0.6;
/// White before a number, in sizes of its type.
const APART: f32 = 1.5;
/// How far the right edges of one column lie from each other.
const SLACK: f32 = 3.0;
/// Nothing is worth more.
const MOST: u32 = 60;
/// Behind a number it is a length.
const METRES: &str = "m";

/// The scheme with such marks as others print them, numbers in a column; itself where it has no such column.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    let found: Vec<(usize, Range<usize>, u32)> = document
        .pages
        .iter()
        .enumerate()
        .flat_map(|(at, page)| on_page(page).into_iter().map(move |(words, marks)| (at, words, marks)))
        .collect();
    let edge =
        |(at, words, _): &(usize, Range<usize>, u32)| document.pages[*at].words[words.end - 1].place.x1;
    let is_column = |own: &&(usize, Range<usize>, u32)| {
        found.iter().filter(|other| (edge(other) - edge(own)).abs() <= SLACK).count() >= LEAST
    };
    let column: Vec<_> = found.iter().filter(is_column).cloned().collect();
    if column.is_empty() {
        return Cow::Borrowed(document);
    }
    let mut document = document.clone();
    // From the last on, since two words become one.
    for (at, words, marks) in column.into_iter().rev() {
        let own = &mut document.pages[at].words;
        let right = own[words.end - 1].place.x1;
        let mut mark = own[words.start].clone();
        mark.place = Rect { x1: right, ..mark.place };
        mark.text = marks.to_string();
        own.splice(words, [mark]);
    }
    Cow::Owned(document)
}

/// The words of such marks on a page, in their order.
fn on_page(page: &Page) -> Vec<(Range<usize>, u32)> {
    let of_line = |line: reader::lines::Line| {
        let own = &page.words[line.words.clone()];
        let (count, marks) = at_end(own)?;
        let (before, mark) = own.split_at(own.len() - count);
        let apart = before.last().is_none_or(|word| mark[0].place.x0 - word.place.x1 > APART * mark[0].size);
        let right = mark[0].place.x0 > RIGHT_PART * page.width;
        (apart && right).then(|| (line.words.end - count..line.words.end, marks))
    };
    let mut found: Vec<(Range<usize>, u32)> =
        reader::lines::lines(page).into_iter().filter_map(of_line).collect();
    found.sort_by_key(|(words, _)| words.start);
    found
}

/// "3 P" or "3P" at the end of some words: how many they are, and the number.
fn at_end(words: &[Word]) -> Option<(usize, u32)> {
    let is_unit = |text: &str| {
        let bare = text.trim_end_matches('.').to_lowercase();
        bare != METRES && lexicon::is(Concept::ShortUnit, &bare)
    };
    let number = |text: &str| text.parse().ok().filter(|number| (1..=MOST).contains(number));
    let last = words.last()?.text.as_str();
    let digits = last.find(|c: char| !c.is_ascii_digit()).unwrap_or(last.len());
    if digits > 0 {
        return number(&last[..digits]).filter(|_| is_unit(&last[digits..])).map(|marks| (1, marks));
    }
    let before = words.len().checked_sub(2).map(|at| words[at].text.as_str())?;
    number(before).filter(|_| is_unit(last)).map(|marks| (2, marks))
}
