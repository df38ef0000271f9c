//! Statements about marks that the end of a line breaks: "[3" with "pts]" on the next line becomes one again.

use crate::marks::{self, Certainty};
use reader::page::{Document, Page, Word};
use std::borrow::Cow;

/// A word stands so far behind the one before it, in sizes of its type.
const SPACE: f32 = 0.3;
/// A statement has no more words before the break, and no more behind it.
const OPENING_MAX: usize = 5;
const CLOSING_MAX: usize = 3;

/// A document whose statements about marks stand each on one line.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    if !document.pages.iter().any(|page| breaks(page).next().is_some()) {
        return Cow::Borrowed(document);
    }
    Cow::Owned(Document { pages: document.pages.iter().map(mended).collect() })
}

/// The words that close a statement which the line above them opens.
fn breaks(page: &Page) -> impl Iterator<Item = usize> {
    let lines = reader::lines::lines(page);
    let texts = |words: std::ops::Range<usize>| -> Vec<&str> {
        page.words.get(words).unwrap_or_default().iter().map(|word| word.text.as_str()).collect()
    };
    let found: Vec<usize> = lines
        .windows(2)
        .flat_map(|pair| {
            let count = closing(&texts(pair[0].words.clone()), &texts(pair[1].words.clone()));
            pair[1].words.clone().take(count)
        })
        .collect();
    found.into_iter()
}

/// How many words at the beginning of a line close the statement about marks that the line above opens: one for "[3"
/// before "pts]", none where there is no such.
fn closing(above: &[&str], below: &[&str]) -> usize {
    let last = above.last().and_then(|last| Some(&last[glued(last)?..]));
    if let Some(last) = last {
        return closing(&[last], below);
    }
    let near = above.len().saturating_sub(OPENING_MAX);
    let Some(open) = (near..above.len()).rev().find(|at| above[*at].starts_with(['[', '('])) else {
        return 0;
    };
    if above[open..].iter().any(|word| word.contains([']', ')'])) {
        return 0;
    }
    let Some(count) = below.iter().take(CLOSING_MAX).position(|word| word.contains([']', ')'])) else {
        return 0;
    };
    let whole = [&above[open..], &below[..=count]].concat();
    let note = marks::at_end(&whole).filter(|note| note.certainty == Certainty::Sure && note.bracketed);
    if note.is_some_and(|note| note.words == whole.len()) { count + 1 } else { 0 }
}

/// Where a number in a bracket begins that stands so close behind a sentence's end that both are one word:
/// "elephant.(1".
fn glued(word: &str) -> Option<usize> {
    let at = word.rfind(['(', '['])?;
    let (said, number) = word.split_at(at);
    let counts = number.len() > 1 && number[1..].bytes().all(|digit| digit.is_ascii_digit());
    (counts && said.len() > 1 && said.ends_with(['.', '?', '!', ':'])).then_some(at)
}

/// Parts the word at a place in two where it is glued.
fn part(page: &mut Page, at: usize) {
    let Some(from) = page.words.get(at).and_then(|word| glued(&word.text)) else { return };
    let own = &mut page.words[at];
    let number = own.text.split_off(from);
    let letters = own.text.chars().count() + number.len();
    let middle = own.place.x1 - own.place.width() * number.len() as f32 / letters as f32;
    let mut second = Word { text: number, ..own.clone() };
    (own.place.x1, second.place.x0) = (middle - SPACE * own.size, middle);
    page.words.insert(at + 1, second);
}

fn mended(page: &Page) -> Page {
    let mut page = page.clone();
    let mut closing: Vec<usize> = breaks(&page).collect();
    for index in 0..closing.len() {
        let before = page.words.len();
        if let Some(above) = closing[index].checked_sub(1) {
            part(&mut page, above);
        }
        let more = page.words.len() - before;
        closing[index..].iter_mut().for_each(|at| *at += more);
    }
    for at in closing {
        let Some(before) = at.checked_sub(1).and_then(|before| page.words.get(before)).cloned() else {
            continue;
        };
        let own: &mut Word = &mut page.words[at];
        let (width, space) = (own.place.width(), SPACE * before.size);
        own.place = before.place;
        own.place.x0 = before.place.x1 + space;
        own.place.x1 = own.place.x0 + width;
        (own.baseline, own.size) = (before.baseline, before.size);
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_goes_on_where_the_line_above_left_it_open() {
        let count = |above: &'static str, below: &'static str| {
            let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
            closing(&words(above), &words(below))
        };
        assert_eq!(count("give the unit. [3", "pts]"), 1);
        assert_eq!(count("State why. (12", "marks). And then"), 1);
        assert_eq!(count("cite dos criterios. (Puntuación máxima:", "1,5 puntos)"), 2);
        assert_eq!(count("cite dos criterios. (Puntuación máxima: 1", "punto) b)"), 1);
        assert_eq!(count("the hind leg of an elephant.(1", "mark)"), 1);
        for (above, below) in
            [("[3", "apples]"), ("3", "marks)"), ("[3]", "marks]"), ("(see", "points)"), ("f(3", "marks)")]
        {
            assert_eq!(count(above, below), 0, "{above} {below}");
        }
    }
    #[test]
    fn a_bracket_that_touches_the_sentence_before_it_is_parted() {
        let word = |text: &str, x0: f32, y0: f32| {
            let place = reader::page::Rect { x0, y0, x1: x0 + 6.0 * text.len() as f32, y1: y0 + 10.0 };
            Word { text: text.into(), place, size: 10.0, baseline: y0 + 8.0, ..Word::default() }
        };
        let words = vec![word("Why?(2", 400.0, 80.0), word("marks)", 60.0, 94.0)];
        let page = Page { number: 1, width: 595.0, height: 842.0, words, ..Page::default() };
        let document = Document { pages: vec![page] };
        let read = prepared(&document);
        let texts: Vec<&str> = read.pages[0].words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["Why?", "(2", "marks)"]);
        assert!(read.pages[0].words[2].place.y0 < 90.0);
    }
}
