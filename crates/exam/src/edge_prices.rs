//! Marks with their unit in the left margin of a scheme, "1,5 pt   2. a. Two roots": set behind the line that they stand
//! beside, where other schemes print them.

use crate::labels::{self, Style};
use crate::marks;
use reader::page::{Document, Page, Rect, Word};
use std::borrow::Cow;
use std::ops::Range;

/// Fewer are no margin.
const LEAST: usize = 3;
/// The margin is this part of the page.
const LEFT_PART: f32 = 0.25;
/// How far the right edges of two marks may lie apart, and how far a mark may stand above or below its line, in sizes of type.
const REACH: f32 = 1.5;
/// White behind a mark, in sizes of its type.
const APART: f32 = 0.6;
/// What is set behind a line stands in this part of the page.
const RIGHT_PART: f32 = 0.9;

/// The scheme with its marks behind their lines; itself where it has no such margin.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    let prices: Vec<Vec<Price>> = document.pages.iter().map(prices).collect();
    let edges: Vec<f32> = prices.iter().flatten().map(|price| price.edge).collect();
    let Some(edge) = edges.first() else { return Cow::Borrowed(document) };
    let all = || prices.iter().flatten();
    let aligned = all().all(|price| (price.edge - edge).abs() <= REACH * price.size);
    let labelled = all().filter(|price| price.labels).count();
    if edges.len() < LEAST || !aligned || labelled * 2 <= edges.len() {
        return Cow::Borrowed(document);
    }
    let pages = document.pages.iter().zip(&prices).map(|(page, prices)| set_behind(page, prices));
    Cow::Owned(Document { pages: pages.collect() })
}

/// Marks in the margin of a page.
struct Price {
    words: Range<usize>,
    /// The line that they stand in: its words behind them.
    line: Range<usize>,
    text: String,
    edge: f32,
    size: f32,
    /// A label stands behind them.
    labels: bool,
}

fn prices(page: &Page) -> Vec<Price> {
    let lines = reader::lines::lines(page).into_iter().map(|line| line.words);
    lines.filter_map(|line| price(page, line)).collect()
}

fn price(page: &Page, line: Range<usize>) -> Option<Price> {
    let words = &page.words[line.clone()];
    let is_unit = |unit: &str| marks::is_unit(&unit.to_lowercase()) || marks::is_short_unit(unit);
    let (number, count) = match words {
        [number, unit, ..] if is_unit(&unit.text) => (number.text.as_str(), 2),
        [glued, ..] => {
            let (digits, unit) = glued.text.split_at(glued.text.find(char::is_alphabetic)?);
            (Some(digits).filter(|_| is_unit(unit))?, 1)
        }
        [] => return None,
    };
    let plain = number.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.' | '½'));
    let last = &words[count - 1];
    let apart = words.get(count).is_none_or(|next| next.place.x0 - last.place.x1 > APART * last.size);
    let inside = last.place.x1 < LEFT_PART * page.width;
    let behind: Vec<&str> = words[count..].iter().map(|word| word.text.as_str()).collect();
    let labels = labels::parse(&behind).is_some_and(|label| label.style != Style::Bare);
    (plain && !number.is_empty() && apart && inside).then(|| Price {
        words: line.start..line.start + count,
        line: line.start + count..line.end,
        text: format!("[{number}]"),
        edge: last.place.x1,
        size: last.size,
        labels,
    })
}

/// The page with its marks behind the lines that they stand beside: their own, or the nearest without any.
fn set_behind(page: &Page, prices: &[Price]) -> Page {
    let mut lines: Vec<(Rect, Vec<Word>)> = Vec::new();
    let mut taken: Vec<bool> = Vec::new();
    for line in reader::lines::lines(page) {
        let own = prices.iter().find(|price| price.words.start == line.words.start);
        let from = own.map_or(line.words.start, |price| price.line.start);
        lines.push((line.place, page.words[from..line.words.end].to_vec()));
        taken.push(own.is_some());
    }
    let set = |(place, words): &mut (Rect, Vec<Word>), text: &str| {
        let Some(last) = words.last().cloned() else { return };
        let edge = (RIGHT_PART * page.width).max(last.place.x1 + last.size);
        let own = Rect { x0: edge, x1: edge + last.size * text.len() as f32 / 2.0, ..last.place };
        *place = place.union(&own);
        words.push(Word { text: text.to_owned(), place: own, bold: false, underlined: false, ..last });
    };
    for price in prices {
        let Some(at) = (0..lines.len()).find(|at| taken[*at] && beside(&lines[*at], page, price)) else {
            continue;
        };
        if !lines[at].1.is_empty() {
            set(&mut lines[at], &price.text);
            continue;
        }
        let middle = lines[at].0.centre().1;
        let distance = |other: &usize| (lines[*other].0.centre().1 - middle).abs();
        let free = (0..lines.len()).filter(|other| !taken[*other] && begins_label(&lines[*other].1));
        let near = free.filter(|other| distance(other) <= REACH * price.size);
        if let Some(nearest) = near.min_by(|one, other| distance(one).total_cmp(&distance(other))) {
            set(&mut lines[nearest], &price.text);
            taken[nearest] = true;
        }
    }
    let turned = page.words.iter().filter(|word| word.turned).cloned();
    let words = lines.into_iter().flat_map(|(_, words)| words).chain(turned).collect();
    Page { words, ..page.clone() }
}

/// True for the line whose beginning these marks were.
fn beside((place, _): &(Rect, Vec<Word>), page: &Page, price: &Price) -> bool {
    page.words.get(price.words.start).is_some_and(|word| place.contains(word.place.centre()))
}

fn begins_label(words: &[Word]) -> bool {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    labels::parse(&texts).is_some_and(|label| label.style != Style::Bare)
}
