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

fn mended(page: &Page) -> Page {
    let mut page = page.clone();
    let closing: Vec<usize> = breaks(&page).collect();
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
        for (above, below) in [("[3", "apples]"), ("3", "marks)"), ("[3]", "marks]"), ("(see", "points)")] {
            assert_eq!(count(above, below), 0, "{above} {below}");
        }
    }
}
