//! Marks in a column at the left edge, under a heading that names their unit ("BE", "Pts"): set behind their lines, where
//! other papers print them.

use lexicon::Concept;
use reader::page::{Document, Page, Rect, Word};
use std::borrow::Cow;
use std::ops::Range;

/// Fewer numbers are no column.
const LEAST: usize = 2;
/// Fewer may be marks that happen to be 1 and 2.
const COUNTING: usize = 3;
/// The column stands in this part of the page.
const LEFT_PART: f32 = 0.25;
/// How far from the middle of the heading the middle of a number may lie, in sizes of its type.
const REACH: f32 = 1.6;
/// White behind a number, in sizes of its type.
const APART: f32 = 0.6;
/// Nothing is worth more.
const MOST: u32 = 60;

/// The document with its marks behind their lines; itself where it has no such column.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    let lines = |page: &Page| -> Vec<Range<usize>> {
        reader::lines::lines(page).into_iter().map(|line| line.words).collect()
    };
    let mut column: Option<f32> = None;
    let mut found: Vec<(usize, Range<usize>)> = Vec::new();
    for (at, page) in document.pages.iter().enumerate() {
        for line in lines(page) {
            let words = &page.words[line.clone()];
            if let Some(x) = heads(words, page.width) {
                column = Some(x);
            } else if column.is_some_and(|x| is_price(words, x)) {
                found.push((at, line));
            }
        }
    }
    let number =
        |(at, line): &(usize, Range<usize>)| document.pages[*at].words[line.start].text.parse::<u32>().ok();
    let numbers: Vec<u32> = found.iter().filter_map(number).collect();
    // What counts 1, 2, 3 are the questions, below a heading of something else.
    let counts = numbers.len() >= COUNTING
        && numbers.first() == Some(&1)
        && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1);
    if found.len() < LEAST || counts {
        return Cow::Borrowed(document);
    }
    let mut document = document.clone();
    for (at, line) in found {
        let page = &mut document.pages[at];
        let edge = page.width * (1.0 - LEFT_PART / 2.0);
        let own = &mut page.words[line];
        own.rotate_left(1);
        let Some(price) = own.last_mut() else { continue };
        let width = price.place.width() + price.size;
        price.text = format!("[{}]", price.text);
        price.place = Rect { x0: edge, x1: edge + width, ..price.place };
    }
    Cow::Owned(document)
}

/// The middle of a unit of marks at the left, in a line that says hardly more.
fn heads(words: &[Word], width: f32) -> Option<f32> {
    const WORDS_MAX: usize = 3;
    let first = words.first().filter(|_| words.len() <= WORDS_MAX)?;
    let unit = first.text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let apart = words.get(1).is_none_or(|next| next.place.x0 - first.place.x1 > APART * first.size);
    let named = lexicon::is(Concept::MarkUnit, &unit) || lexicon::is(Concept::MarksColumn, &unit);
    (named && apart && first.place.x1 < LEFT_PART * width).then(|| first.place.centre().0)
}

/// True for a line that begins with a number in the column, and goes on behind white.
fn is_price(words: &[Word], column: f32) -> bool {
    let [first, next, ..] = words else { return false };
    let number = first.text.parse().is_ok_and(|number: u32| (1..=MOST).contains(&number));
    let below = (first.place.centre().0 - column).abs() <= REACH * first.size;
    number && below && next.place.x0 - first.place.x1 > APART * first.size
}
