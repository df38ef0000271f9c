//! Pages whose two columns were read across: where the numbers of announced questions count down the left column and on
//! down the right, each column's words are put together again.

use crate::labels::{self, Kind, Style};
use lexicon::Concept;
use reader::page::{Document, Page, Word};
use std::borrow::Cow;

/// The columns of a page begin at least so far apart, as a share of its width.
const APART: f32 = 0.3;
/// How far left of its questions, in points, the right column begins.
const MARGIN: f32 = 3.0;

/// A document whose columns are read one after the other.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    let gutters: Vec<Option<f32>> = document.pages.iter().map(gutter).collect();
    if gutters.iter().all(Option::is_none) {
        return Cow::Borrowed(document);
    }
    let page = |(page, gutter): (&Page, &Option<f32>)| match gutter {
        Some(gutter) => in_columns(page, *gutter),
        None => page.clone(),
    };
    Cow::Owned(Document { pages: document.pages.iter().zip(&gutters).map(page).collect() })
}

/// A question's number on a page, and where the word that announces it stands.
struct Head {
    number: u32,
    x: f32,
    y: f32,
}

fn heads(page: &Page) -> Vec<Head> {
    let announces = |word: &Word| {
        word.text.starts_with(char::is_uppercase) && lexicon::is(Concept::Label, &word.text.to_lowercase())
    };
    let read = |pair: &[Word]| {
        let [word, number] = pair else { return None };
        let beside = (word.baseline - number.baseline).abs() < word.size && number.place.x0 > word.place.x0;
        let label = labels::parse(&[word.text.as_str(), number.text.as_str()]).filter(|_| announces(word))?;
        let plain = label.style == Style::Keyword && label.words == 2;
        let [only] = label.tokens[..] else { return None };
        let own = beside && plain && only.kind == Kind::Number && !word.turned;
        own.then_some(Head { number: only.value, x: word.place.x0, y: word.place.y0 })
    };
    page.words.windows(2).filter_map(read).collect()
}

/// Where the right column of a page begins that was read across.
fn gutter(page: &Page) -> Option<f32> {
    let heads = heads(page);
    let counts = |numbers: &[u32]| numbers.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let read: Vec<u32> = heads.iter().map(|head| head.number).collect();
    if heads.len() < 3 || counts(&read) {
        return None;
    }
    let middle = page.width / 2.0;
    let (mut left, mut right): (Vec<&Head>, Vec<&Head>) = heads.iter().partition(|head| head.x < middle);
    left.sort_by(|one, other| one.y.total_cmp(&other.y));
    right.sort_by(|one, other| one.y.total_cmp(&other.y));
    let down: Vec<u32> = left.iter().chain(&right).map(|head| head.number).collect();
    let leftmost = |side: &[&Head]| side.iter().map(|head| head.x).fold(f32::INFINITY, f32::min);
    let apart = leftmost(&right) - leftmost(&left) > APART * page.width;
    (!left.is_empty() && !right.is_empty() && counts(&down) && apart).then(|| leftmost(&right) - MARGIN)
}

/// The page with the words left of the gutter first. Both columns keep their own order.
fn in_columns(page: &Page, gutter: f32) -> Page {
    let (left, right): (Vec<Word>, Vec<Word>) =
        page.words.iter().cloned().partition(|word| word.place.centre().0 < gutter);
    Page { words: left.into_iter().chain(right).collect(), ..page.clone() }
}
