//! Marks at the right edge of a scheme with the letter of their unit and without brackets, "3 P", or for so many points
//! alike, "2(3)": by itself either may be anything, but a column of them counts marks.

use crate::marks;
use domain::marks::Marks;
use lexicon::english::schemes;
use reader::page::{Document, Page, Rect};
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

/// The scheme with such marks as others print them, numbers in a column; itself where it has no such column.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    let found: Vec<Mark> =
        document.pages.iter().enumerate().flat_map(|(at, page)| on_page(at, page)).collect();
    let mut edges: Vec<f32> = found.iter().map(|own| own.right).collect();
    edges.sort_by(f32::total_cmp);
    let is_column = |own: &Mark| {
        let from = edges.partition_point(|edge| *edge < own.right - SLACK);
        let to = edges.partition_point(|edge| *edge <= own.right + SLACK);
        to - from >= LEAST
    };
    let column: Vec<Mark> = found.into_iter().filter(is_column).collect();
    if column.is_empty() {
        return Cow::Borrowed(document);
    }
    let mut document = document.clone();
    // From the last on, since two words become one.
    for Mark { page, words, said, right } in column.into_iter().rev() {
        let own = &mut document.pages[page].words;
        let mut mark = own[words.start].clone();
        mark.place = Rect { x1: right, ..mark.place };
        mark.text = said;
        own.splice(words, [mark]);
    }
    Cow::Owned(document)
}

/// Such marks, perhaps of a column.
struct Mark {
    page: usize,
    words: Range<usize>,
    /// As it is read everywhere: "3", "2(3m)".
    said: String,
    right: f32,
}

/// Such marks on a page, in the order of their words.
fn on_page(at: usize, page: &Page) -> Vec<Mark> {
    let of_line = |line: reader::lines::Line| {
        let own = &page.words[line.words.clone()];
        let last: Vec<&str> =
            own[own.len().saturating_sub(2)..].iter().map(|word| word.text.as_str()).collect();
        let (count, said) = lettered(&last).or_else(|| Some((1, for_each(last.last()?)?)))?;
        let (before, mark) = own.split_at(own.len() - count);
        let apart = before.last().is_none_or(|word| mark[0].place.x0 - word.place.x1 > APART * mark[0].size);
        let stands_right = mark[0].place.x0 > RIGHT_PART * page.width;
        let words = line.words.end - count..line.words.end;
        (apart && stands_right).then(|| Mark { page: at, words, said, right: mark[count - 1].place.x1 })
    };
    let mut found: Vec<Mark> = reader::lines::lines(page).into_iter().filter_map(of_line).collect();
    found.sort_by_key(|mark| mark.words.start);
    found
}

/// "3 P" and how many words it is.
fn lettered(words: &[&str]) -> Option<(usize, String)> {
    let (count, marks) = marks::with_letter(words).filter(|(_, marks)| *marks <= Marks::whole(MOST))?;
    Some((count, marks.to_string()))
}

/// "2(3)", two points of three marks each, with its unit.
fn for_each(word: &str) -> Option<String> {
    let (points, each) = word.strip_suffix(')')?.split_once('(')?;
    let number =
        |digits: &str| digits.len() <= 2 && digits.parse().is_ok_and(|own: u32| (1..=MOST).contains(&own));
    (number(points) && number(each)).then(|| format!("{points}({each}{})", schemes::CODE_UNIT))
}
