//! Rating guides whose rows begin with what they earn, below labels in brackets: "(9) [2] x ≤ −5, and correct work is
//! shown.", "[1] One error is made." Each such number is read as a label or as marks with their unit.

use lexicon::english::schemes::{PART_OF_GUIDE, UNIT_OF_ROWS};
use reader::lines::lines;
use reader::page::{Document, Page, Word};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// Fewer labels in brackets may be anything.
const LEAST: usize = 3;
/// No part earns more.
const MOST: u32 = 30;

/// The document with such labels and marks as others print them; itself where it has none.
pub(super) fn prepared(document: &Document) -> Cow<'_, Document> {
    let labels: Vec<u32> = document.pages.iter().flat_map(labels_of).collect();
    if labels.len() < LEAST || labels.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Cow::Borrowed(document);
    }
    let mut document = document.clone();
    document.pages.iter_mut().for_each(name);
    Cow::Owned(document)
}

/// The labels of a page that marks in brackets follow.
fn labels_of(page: &Page) -> Vec<u32> {
    let rows = rows(page);
    (0..rows.len()).filter_map(|at| head(&page.words, &rows, at)).collect()
}

fn rows(page: &Page) -> Vec<Range<usize>> {
    lines(page).into_iter().map(|line| line.words).collect()
}

/// The number that a row begins with where marks follow it, behind it or below it: "(9) [2] x is 5", "(9)" over "[2] x is 5".
fn head(words: &[Word], rows: &[Range<usize>], at: usize) -> Option<u32> {
    let (first, rest) = words[rows[at].clone()].split_first()?;
    let earns = |word: &Word| marks(&word.text).is_some();
    // The sign of a root that the next row goes on with may stand beside the number.
    let says = |word: &Word| word.text.contains(char::is_alphanumeric);
    let below = || rows.get(at + 1).is_some_and(|next| words[next.clone()].first().is_some_and(earns));
    let priced = rest.first().is_some_and(earns) || !rest.iter().any(says) && below();
    label(&first.text).filter(|_| priced)
}

/// Names the labels and marks of a page so.
fn name(page: &mut Page) {
    let rows = rows(page);
    let named: HashMap<usize, Vec<Word>> =
        (0..rows.len()).flat_map(|at| named(&page.words, &rows, at)).collect();
    let words = std::mem::take(&mut page.words).into_iter().enumerate();
    let own = |(at, word)| named.get(&at).cloned().unwrap_or_else(|| vec![word]);
    page.words = words.flat_map(own).collect();
}

/// What stands in the place of a row's first words: where, and the words.
fn named(words: &[Word], rows: &[Range<usize>], at: usize) -> Vec<(usize, Vec<Word>)> {
    let with = |word: &Word, text: String| Word { text, ..word.clone() };
    let earned = |at: usize| {
        let earned = marks(&words.get(at)?.text)?;
        Some((at, vec![with(&words[at], format!("({earned} {UNIT_OF_ROWS})"))]))
    };
    let start = rows[at].start;
    let Some(number) = head(words, rows, at) else { return earned(start).into_iter().collect() };
    // Any word for a question says that this is a label, wherever it stands.
    let heading = [with(&words[start], PART_OF_GUIDE.to_owned()), with(&words[start], format!("{number}."))];
    std::iter::once((start, heading.to_vec()))
        .chain(earned(start + 1).filter(|_| rows[at].len() > 1))
        .collect()
}

/// "(9)"
fn label(word: &str) -> Option<u32> {
    word.strip_prefix('(')?.strip_suffix(')')?.parse().ok()
}

/// "[2]"
fn marks(word: &str) -> Option<u32> {
    word.strip_prefix('[')?.strip_suffix(']')?.parse().ok().filter(|marks| *marks <= MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reader::page::Rect;

    fn guide(rows: &[&str]) -> Document {
        let mut page = Page { width: 600.0, height: 800.0, ..Page::default() };
        for (at, row) in rows.iter().enumerate() {
            let (mut x0, y0) = (50.0, 60.0 + 14.0 * at as f32);
            for text in row.split(' ') {
                let place = Rect { x0, y0, x1: x0 + 5.0 * text.len() as f32, y1: y0 + 10.0 };
                let word =
                    Word { text: text.to_owned(), place, size: 10.0, baseline: y0 + 8.0, ..Word::default() };
                x0 = word.place.x1 + 3.0;
                page.words.push(word);
            }
        }
        Document { pages: vec![page] }
    }

    fn texts(document: &Document) -> String {
        document.pages[0].words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn labels_and_what_rows_earn_are_named() {
        let rows = ["(9) [2] x is 5", "[1] One error.", "(10) [2] x is 7", "(11) [2] x is 8", "[0] Nothing."];
        let document = guide(&rows);
        let read = prepared(&document);
        assert!(
            texts(&read).starts_with("Question 9. (2 credits) x is 5 (1 credits) One error. Question 10.")
        );
        let below = ["(9)", "[2] x is 5", "(10) √", "[2] 3 is right", "(11)", "[2] x is 8"];
        assert!(
            texts(&prepared(&guide(&below)))
                .starts_with("Question 9. (2 credits) x is 5 Question 10. √ (2 credits) 3")
        );
        let falling = guide(&["(9) [2] x", "(3) [2] y", "(4) [2] z"]);
        assert_eq!(texts(&prepared(&falling)), texts(&falling));
    }
}
