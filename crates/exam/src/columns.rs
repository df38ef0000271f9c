//! Pages whose columns were read across: where the numbers of questions count down the left column and on down the right,
//! or sections are headed side by side, each column's words are put together again.

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

/// Two columns below headings have at least so many lines, more of them so many.
const LINES_MIN: f32 = 4.0;
const LINES_OF_MANY: f32 = 2.5;
/// Three and more columns begin at least so far apart, as a share of the page's width.
const APART_OF_MANY: f32 = 0.1;

/// Where columns part.
struct Gutter {
    /// Where each column but the first begins.
    edges: Vec<f32>,
    /// What stands above and below is set across all of them.
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
        edges: vec![leftmost(&right) - MARGIN],
        top: f32::NEG_INFINITY,
        bottom: f32::INFINITY,
    })
}

/// The heading of a section: where its name begins and ends, and its upper and lower edge.
struct SectionHead {
    x: f32,
    end: f32,
    top: f32,
    bottom: f32,
}

/// The same below "Section A … Section B …" on one line, down to the first word that crosses from one to the other.
fn between_sections(page: &Page) -> Option<Gutter> {
    let heads = |pair: &[Word]| {
        let [word, name] = pair else { return None };
        let announced = [Concept::Section, Concept::SectionOfTests];
        let named = word.text.starts_with(char::is_uppercase)
            && announced.iter().any(|own| lexicon::is(*own, &word.text.to_lowercase()));
        let bare = name.text.trim_end_matches([':', '.', '–', '-']);
        let short = !bare.is_empty() && bare.chars().count() <= 3 && bare.chars().all(char::is_alphanumeric);
        let (x, top, bottom) = (word.place.x0, word.place.y0, word.place.y1);
        let end = name.place.x1;
        (named && short && !word.turned).then_some(SectionHead { x, end, top, bottom })
    };
    let found: Vec<SectionHead> = page.words.windows(2).filter_map(heads).collect();
    let level = |one: &SectionHead, next: &SectionHead| {
        (one.top - next.top).abs() < (next.bottom - next.top) / 2.0 && next.x > one.x
    };
    let row = found.chunk_by(level).find(|row| row.len() > 1)?;
    let (least, lines) = if row.len() > 2 { (APART_OF_MANY, LINES_OF_MANY) } else { (APART, LINES_MIN) };
    let height = row[0].bottom - row[0].top;
    let apart = row
        .windows(2)
        .all(|pair| pair[1].x - pair[0].x > least * page.width && pair[1].x - pair[0].end > height / 2.0);
    // Two headings among others may be spoken of.
    let alone = row.len() > 2 || found.len() == row.len();
    let edges: Vec<f32> = row[1..].iter().map(|head| head.x - MARGIN).collect();
    let SectionHead { top, bottom: bottom_of_head, .. } = row[1];
    let crosses =
        |word: &&Word| word.place.y0 > top && edges.iter().any(|x| word.place.x0 < *x && word.place.x1 > *x);
    let crossed = page.words.iter().filter(crosses).map(|word| word.place.y0);
    let headed = found.iter().map(|head| head.top).filter(|own| *own > bottom_of_head);
    let bottom = crossed.chain(headed).fold(f32::INFINITY, f32::min);
    let high = bottom - top > lines * (bottom_of_head - top);
    (apart && alone && high).then_some(Gutter { edges, top: top - MARGIN, bottom: bottom - MARGIN })
}

/// The page with its columns one after the other. Each keeps its own order.
fn in_columns(page: &Page, gutter: &Gutter) -> Page {
    let below = gutter.edges.len() + 2;
    let mut parts: Vec<Vec<Word>> = vec![Vec::new(); below + 1];
    for word in &page.words {
        let part = match word.place.y0 {
            y if y < gutter.top => 0,
            y if y >= gutter.bottom => below,
            _ => 1 + gutter.edges.iter().filter(|x| word.place.centre().0 >= **x).count(),
        };
        parts[part].push(word.clone());
    }
    Page { words: parts.into_iter().flatten().collect(), ..page.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reader::page::Rect;

    #[test]
    fn sections_that_are_headed_side_by_side_are_read_one_after_the_other() {
        let word = |text: &str, x0: f32, y0: f32| {
            let place = Rect { x0, y0, x1: x0 + 5.0 * text.len() as f32, y1: y0 + 10.0 };
            Word { text: text.to_owned(), place, size: 10.0, baseline: y0 + 8.0, ..Word::default() }
        };
        let mut words = vec![word("Answers", 60.0, 40.0)];
        for (row, y) in [80.0, 100.0, 120.0].into_iter().enumerate() {
            for (name, x) in ["A", "B", "C"].into_iter().zip([60.0, 200.0, 340.0]) {
                let text = if row == 0 { "Part".to_owned() } else { format!("{name}{row}") };
                words.push(word(&text, x, y));
                words.extend((row == 0).then(|| word(name, x + 30.0, y)));
            }
        }
        words.push(word("The end of all of these, set across the columns of it", 60.0, 150.0));
        let document =
            Document { pages: vec![Page { width: 595.0, height: 842.0, words, ..Page::default() }] };
        let read = prepared(&document);
        let texts: Vec<&str> = read.pages[0].words.iter().map(|word| word.text.as_str()).collect();
        let parts = ["Part", "A", "A1", "A2", "Part", "B", "B1", "B2", "Part", "C", "C1", "C2"];
        assert_eq!(texts[1..13], parts);
        assert!(texts[0] == "Answers" && texts[13].starts_with("The end"));
    }
}
