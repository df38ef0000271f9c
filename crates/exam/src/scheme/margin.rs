//! Marks in the left margin, before the labels of what they price: "2   1. By induction …", "1,5   (b) …". Nothing heads
//! them, so they count only where they make up what the paper prints.

use super::column::bare_number;
use crate::flow::Line;
use crate::labels::{self, Style};
use crate::paper::Paper;
use domain::marks::Marks;
use reader::page::{Document, Page, Word};
use std::borrow::Cow;

/// Fewer numbers are no column.
const LEAST: usize = 3;
/// The column stands in this part of the page.
const LEFT_PART: f32 = 0.25;
/// White behind a number, in sizes of its type.
const APART: f32 = 0.6;
/// How far the numbers of one column stand from each other.
const SLACK: f32 = 4.0;

/// Marks that stood before labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Margin {
    prices: Vec<Price>,
}

#[derive(Clone, Debug, PartialEq)]
struct Price {
    /// Of the document's pages, and of the page's words.
    page: usize,
    word: usize,
    /// As the page is numbered.
    number: u32,
    /// Its left edge, its middle and its right edge.
    edges: [f32; 3],
    middle: f32,
    marks: Marks,
    /// "1,5" is no question.
    is_broken: bool,
}

impl Margin {
    /// The marks before the label of a line.
    pub(super) fn price(&self, line: &Line<'_>) -> Option<Marks> {
        let beside = |price: &&Price| {
            price.number == line.page && (line.place.y0..=line.place.y1).contains(&price.middle)
        };
        self.prices.iter().find(beside).map(|price| price.marks)
    }
}

/// The document without such marks, and the marks.
pub(super) fn apart<'d>(document: &'d Document, paper: &Paper) -> (Cow<'d, Document>, Margin) {
    let prices =
        document.pages.iter().enumerate().flat_map(|(at, page)| on_page(at, page)).collect::<Vec<Price>>();
    let prices = aligned(&prices);
    if prices.len() < LEAST || !makes_up(&prices, paper) {
        return (Cow::Borrowed(document), Margin::default());
    }
    let mut document = document.clone();
    for price in prices.iter().rev() {
        document.pages[price.page].words.remove(price.word);
    }
    (Cow::Owned(document), Margin { prices })
}

/// Numbers that begin lines, with white and a label behind them.
fn on_page(at: usize, page: &Page) -> Vec<Price> {
    let mut found = Vec::new();
    for line in reader::lines::lines(page) {
        let words = &page.words[line.words.clone()];
        let Some((marks, is_broken)) = before_label(words, page.width) else { continue };
        let place = words[0].place;
        let (edges, middle) = ([place.x0, place.centre().0, place.x1], place.centre().1);
        found.push(Price {
            page: at,
            word: line.words.start,
            number: page.number,
            edges,
            middle,
            marks,
            is_broken,
        });
    }
    found.sort_by_key(|price| price.word);
    found
}

fn before_label(words: &[Word], width: f32) -> Option<(Marks, bool)> {
    let [first, rest @ ..] = words else { return None };
    let apart = rest.first()?.place.x0 - first.place.x1 > APART * first.size;
    let marks = bare_number(&first.text).filter(|_| apart && first.place.x1 < LEFT_PART * width)?;
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let label = labels::parse(&texts).filter(|label| label.style != Style::Bare && label.words < texts.len());
    label.map(|_| (marks, first.text.contains([',', '½'])))
}

/// Those that stand in one column.
fn aligned(found: &[Price]) -> Vec<Price> {
    let near = |edge: usize| {
        let mut edges: Vec<f32> = found.iter().map(|price| price.edges[edge]).collect();
        edges.sort_by(f32::total_cmp);
        let median = edges.get(edges.len() / 2).copied().unwrap_or(0.0);
        let own = found.iter().filter(|price| (price.edges[edge] - median).abs() <= SLACK);
        own.cloned().collect::<Vec<Price>>()
    };
    (0..3).map(near).max_by_key(Vec::len).unwrap_or_default()
}

/// True where the marks make up what the paper prints for all of it. "1  (a)", "2  (a)" may number questions otherwise,
/// unless some of them are halves and nearly all parts have their own.
fn makes_up(prices: &[Price], paper: &Paper) -> bool {
    let sum: Marks = prices.iter().map(|price| price.marks).sum();
    let questions: Option<Vec<Marks>> = paper.questions.iter().map(|question| question.marks).collect();
    let printed = questions.map(|questions| questions.into_iter().sum::<Marks>());
    let parts = paper.leaves().count();
    let priced = paper.leaves().filter(|leaf| leaf.marks.is_some()).count();
    let halves = || prices.iter().any(|price| price.is_broken) && prices.len() * 5 >= parts * 4;
    priced * 2 <= parts && (paper.total == Some(sum) || printed == Some(sum) || halves())
}
