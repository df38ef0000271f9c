//! Rating guides whose rows begin with what they earn, below labels in brackets: "(9) [2] x ≤ −5, and correct work is
//! shown.", "[1] One error is made." Each such number is read as a label or as marks with their unit.

use lexicon::english::schemes::{PART_OF_GUIDE, UNIT_OF_ROWS};
use reader::lines::lines;
use reader::page::{Document, Page, Word};
use std::borrow::Cow;
use std::cmp::Reverse;
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
    let label = |line: reader::lines::Line| {
        let [first, second, ..] = &page.words[line.words] else { return None };
        marks(&second.text).and(label(&first.text))
    };
    lines(page).into_iter().filter_map(label).collect()
}

/// Names the labels and marks of a page so.
fn name(page: &mut Page) {
    let rows = lines(page).into_iter().map(|line| line.words);
    let mut named: Vec<(usize, usize, Vec<Word>)> = rows.filter_map(|row| named(&page.words, row)).collect();
    // From the last on, since words become more.
    named.sort_by_key(|(first, _, _)| Reverse(*first));
    for (first, count, words) in named {
        page.words.splice(first..first + count, words);
    }
}

/// What stands in the place of a row's first words: where, how many, and the words.
fn named(words: &[Word], row: Range<usize>) -> Option<(usize, usize, Vec<Word>)> {
    let with = |word: &Word, text: String| Word { text, ..word.clone() };
    let earned = |word: &Word| marks(&word.text).map(|marks| with(word, format!("({marks} {UNIT_OF_ROWS})")));
    let (first, rest) = words[row.clone()].split_first()?;
    if let Some(marks) = earned(first) {
        return Some((row.start, 1, vec![marks]));
    }
    let (number, marks) = label(&first.text).zip(earned(rest.first()?))?;
    // Any word for a question says that this is a label, wherever it stands.
    let heading = [with(first, PART_OF_GUIDE.to_owned()), with(first, format!("{number}."))];
    Some((row.start, 2, heading.into_iter().chain([marks]).collect()))
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
        let falling = guide(&["(9) [2] x", "(3) [2] y", "(4) [2] z"]);
        assert_eq!(texts(&prepared(&falling)), texts(&falling));
    }
}
