//! Where in the marking scheme each answer key stands, for the outlines of the review page.
//!
//! It looks the key's own words up on the scheme's pages, in the order of both, so that it needs to know nothing
//! of how the key was read, and a key that was joined from several places gets all of them.

use domain::question::{AnswerKey, Question, Region};
use reader::page::{Document, Page};

/// So many words of a wording must be there: the rest may be parted by other columns.
const PHRASE: usize = 5;
/// Words of one key that stand farther apart than this, in heights of a line, are two places.
const LINES_APART: f32 = 4.0;
/// A key begins within so many words behind the one before it.
const FAR: usize = 600;
/// White around the words.
const RIM: f32 = 0.004;

/// A word of the scheme as it is looked for.
struct Place<'d> {
    bare: String,
    page: &'d Page,
    rect: reader::page::Rect,
}

/// Writes into every key where it stands. What is not found stays without a place.
pub fn locate(questions: &mut [Question], scheme: &Document) {
    let words: Vec<Place<'_>> = scheme.pages.iter().flat_map(of_page).collect();
    let mut from = 0;
    for question in questions {
        let own = question.answer_key.iter_mut();
        for key in own.chain(question.parts.iter_mut().filter_map(|part| part.answer_key.as_mut())) {
            from = locate_key(key, &words, from);
        }
    }
}

fn of_page(page: &Page) -> impl Iterator<Item = Place<'_>> {
    let upright = page.words.iter().filter(|word| !word.turned);
    upright
        .map(move |word| Place { bare: bare(&word.text), page, rect: word.place })
        .filter(|one| !one.bare.is_empty())
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Finds one key's words behind `from`; gives where the next key is to be looked for.
fn locate_key(key: &mut AnswerKey, words: &[Place<'_>], from: usize) -> usize {
    let points = key.points.iter().map(|point| point.text.as_str());
    let texts = points.chain(key.levels.iter().map(|level| level.descriptor.as_str()));
    let mut found: Vec<usize> = Vec::new();
    let mut next = from;
    for text in texts {
        let wording: Vec<String> =
            text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
        let phrase = &wording[..wording.len().min(PHRASE)];
        let Some(at) = find(words, phrase, next).or_else(|| find(words, phrase, from)) else { continue };
        // A word that comes next only far away is another key's.
        if at - from <= FAR {
            let alike = words[at..].iter().zip(&wording).take_while(|(word, wanted)| word.bare == **wanted);
            let end = at + alike.count();
            found.extend(at..end);
            next = end;
        }
    }
    key.regions = regions(words, &found);
    next.max(from)
}

fn find(words: &[Place<'_>], phrase: &[String], from: usize) -> Option<usize> {
    let behind = words.get(from..)?;
    let is_it = |window: &[Place<'_>]| window.iter().map(|word| &word.bare).eq(phrase);
    if phrase.is_empty() {
        return None;
    }
    behind.windows(phrase.len()).position(is_it).map(|at| from + at)
}

/// The rectangles that hold these words: one for each page, and for each stretch of lines.
fn regions(words: &[Place<'_>], found: &[usize]) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    for word in found.iter().filter_map(|at| words.get(*at)) {
        let (width, height) = (word.page.width.max(1.0), word.page.height.max(1.0));
        let own = Region {
            page: word.page.number,
            x: word.rect.x0 / width - RIM,
            y: word.rect.y0 / height - RIM,
            width: word.rect.width() / width + 2.0 * RIM,
            height: word.rect.height() / height + 3.0 * RIM,
        };
        let is_near = |known: &Region| {
            let apart = (own.y - (known.y + known.height)).max(known.y - (own.y + own.height));
            known.page == own.page && apart < LINES_APART * own.height
        };
        match regions.iter_mut().find(|known| is_near(known)) {
            Some(known) => *known = union(known, &own),
            None => regions.push(own),
        }
    }
    regions
}

fn union(one: &Region, other: &Region) -> Region {
    let (x, y) = (one.x.min(other.x), one.y.min(other.y));
    let right = (one.x + one.width).max(other.x + other.width);
    let bottom = (one.y + one.height).max(other.y + other.height);
    Region { page: one.page, x, y, width: right - x, height: bottom - y }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::question::{Part, Point};
    use reader::page::{Rect, Word};

    fn scheme(lines: &[&str]) -> Document {
        let word = |row: usize, column: usize, text: &str| {
            let (x, y) = (50.0 + 60.0 * column as f32, 50.0 + 20.0 * row as f32);
            Word {
                text: text.to_owned(),
                place: Rect { x0: x, y0: y, x1: x + 50.0, y1: y + 12.0 },
                ..Word::default()
            }
        };
        let words = lines.iter().enumerate().flat_map(|(row, line)| {
            line.split_whitespace().enumerate().map(move |(column, text)| word(row, column, text))
        });
        let page = Page { number: 1, width: 600.0, height: 800.0, words: words.collect(), ..Page::default() };
        Document { pages: vec![page] }
    }

    fn key(points: &[&str]) -> Option<AnswerKey> {
        let point = |text: &&str| Point { text: (*text).to_owned(), ..Point::default() };
        Some(AnswerKey { points: points.iter().map(point).collect(), ..AnswerKey::default() })
    }

    fn rows(key: Option<&AnswerKey>) -> Vec<(u32, u32)> {
        let row = |y: f32| ((y * 800.0 - 50.0) / 20.0).round() as u32;
        let regions = key.map(|key| key.regions.as_slice()).unwrap_or_default();
        regions.iter().map(|region| (row(region.y + RIM), row(region.y + region.height - RIM))).collect()
    }

    #[test]
    fn each_key_is_found_behind_the_one_before() {
        let scheme = scheme(&["1 B 1", "2 (a) photosynthesis 1", "(b) light; carbon", "dioxide 2", "3 B 1"]);
        let part = |points: &[&str]| Part { answer_key: key(points), ..Part::default() };
        let mut questions = [
            Question { answer_key: key(&["B"]), ..Question::default() },
            Question {
                parts: vec![part(&["photosynthesis"]), part(&["light", "carbon dioxide"])],
                ..Question::default()
            },
            Question { answer_key: key(&["B"]), ..Question::default() },
        ];
        locate(&mut questions, &scheme);
        assert_eq!(rows(questions[0].answer_key.as_ref()), [(0, 1)]);
        assert_eq!(rows(questions[1].parts[0].answer_key.as_ref()), [(1, 2)]);
        assert_eq!(rows(questions[1].parts[1].answer_key.as_ref()), [(2, 4)]);
        assert_eq!(rows(questions[2].answer_key.as_ref()), [(4, 5)]);
    }

    #[test]
    fn what_is_not_there_has_no_place() {
        let mut questions = [Question { answer_key: key(&["osmosis", ""]), ..Question::default() }];
        locate(&mut questions, &scheme(&["1 photosynthesis"]));
        assert_eq!(rows(questions[0].answer_key.as_ref()), []);
        locate(&mut questions, &Document::default());
        assert_eq!(rows(questions[0].answer_key.as_ref()), []);
    }
}
