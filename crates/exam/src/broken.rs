//! Statements about marks that the end of a line breaks: "[3" with "pts]" on the next line becomes one again.

use crate::marks;
use reader::page::{Document, Page, Word};
use std::borrow::Cow;

/// A word stands so far behind the one before it, in sizes of its type.
const SPACE: f32 = 0.3;

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
    let pairs: Vec<(usize, usize)> = lines
        .windows(2)
        .filter_map(|pair| Some((pair[0].words.clone().last()?, pair[1].words.clone().next()?)))
        .collect();
    let closes = |(opening, closing): (usize, usize)| {
        let (opening, closing) = (page.words.get(opening)?, page.words.get(closing)?);
        is_broken(&opening.text, &closing.text).then_some(())
    };
    pairs.into_iter().filter(move |pair| closes(*pair).is_some()).map(|(_, closing)| closing)
}

/// True for "[3" before "pts]".
fn is_broken(opening: &str, closing: &str) -> bool {
    let number = opening.strip_prefix(['[', '(']).unwrap_or_default();
    let counts =
        !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '½'));
    let unit = closing.trim_end_matches(['.', ',', ';']).strip_suffix([']', ')']).unwrap_or_default();
    counts && marks::is_unit(&unit.to_lowercase())
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
    fn a_number_in_an_open_bracket_goes_on_with_its_unit() {
        for (opening, closing) in [("[3", "pts]"), ("(12", "marks)."), ("[2½", "Punkte]")] {
            assert!(is_broken(opening, closing), "{opening} {closing}");
        }
        for (opening, closing) in [("[3", "apples]"), ("3", "marks)"), ("[3]", "marks]"), ("(see", "points)")]
        {
            assert!(!is_broken(opening, closing), "{opening} {closing}");
        }
    }
}
