//! Pages whose two columns were read across: where the numbers of questions count down the left column and on down the
//! right, or two sections are headed side by side, each column's words are put together again.

mod numbers;

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
    let gutters: Vec<Option<Gutter>> = document
        .pages
        .iter()
        .map(|page| gutter(page).or_else(|| between_sections(page)).or_else(|| numbers::between(page)))
        .collect();
    if gutters.iter().all(Option::is_none) {
        return Cow::Borrowed(document);
    }
    let page = |(page, gutter): (&Page, &Option<Gutter>)| match gutter {
        Some(gutter) => in_columns(page, gutter),
        None => page.clone(),
    };
    Cow::Owned(Document { pages: document.pages.iter().zip(&gutters).map(page).collect() })
}

/// Columns below two headings have at least so many lines.
const LINES_MIN: f32 = 4.0;

/// Where two columns part.
struct Gutter {
    x: f32,
    /// What stands above and below is set across both.
    top: f32,
    bottom: f32,
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
fn gutter(page: &Page) -> Option<Gutter> {
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
    (!left.is_empty() && !right.is_empty() && counts(&down) && apart).then(|| Gutter {
        x: leftmost(&right) - MARGIN,
        top: f32::NEG_INFINITY,
        bottom: f32::INFINITY,
    })
}

/// The same below "Section A … Section B …" on one line, down to the first word that crosses from one to the other.
fn between_sections(page: &Page) -> Option<Gutter> {
    let heads = |pair: &[Word]| {
        let [word, name] = pair else { return None };
        let named = word.text.starts_with(char::is_uppercase)
            && lexicon::is(Concept::Section, &word.text.to_lowercase());
        let bare = name.text.trim_end_matches([':', '.', '–', '-']);
        let short = !bare.is_empty() && bare.chars().count() <= 3 && bare.chars().all(char::is_alphanumeric);
        (named && short && !word.turned).then_some((word.place.x0, word.place.y0, word.place.y1))
    };
    let found: Vec<(f32, f32, f32)> = page.words.windows(2).filter_map(heads).collect();
    let [(left, level_of_left, _), (right, top, bottom_of_head)] = found[..] else { return None };
    let (x, level) = (right - MARGIN, (level_of_left - top).abs() < (bottom_of_head - top) / 2.0);
    let crosses = |word: &&Word| word.place.y0 > top && word.place.x0 < x && word.place.x1 > x;
    let bottom = page.words.iter().filter(crosses).map(|word| word.place.y0).fold(f32::INFINITY, f32::min);
    let high = bottom - top > LINES_MIN * (bottom_of_head - top);
    let apart = level && right - left > APART * page.width;
    (apart && high).then_some(Gutter { x, top: top - MARGIN, bottom: bottom - MARGIN })
}

/// The page with the words left of the gutter first. Both columns keep their own order.
fn in_columns(page: &Page, gutter: &Gutter) -> Page {
    let mut parts: [Vec<Word>; 4] = Default::default();
    for word in &page.words {
        let part = match word.place.y0 {
            y if y < gutter.top => 0,
            y if y >= gutter.bottom => 3,
            _ => 1 + usize::from(word.place.centre().0 >= gutter.x),
        };
        parts[part].push(word.clone());
    }
    Page { words: parts.into_iter().flatten().collect(), ..page.clone() }
}
