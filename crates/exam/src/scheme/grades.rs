//! Tables that say which points make which grade of a whole question, "N0 N1 N2 A3 A4 …" over "ONE point from Merit":
//! nobody answers so.

use super::stacked;
use reader::page::{Page, Word};

/// Fewer grades in a row may be anything.
const LEAST: usize = 5;

/// Takes such tables off a page, with what stands below them up to the next table's head.
pub(super) fn leave_out(page: &mut Page) {
    let mut kept = vec![true; page.words.len()];
    let mut at = 0;
    while at < page.words.len() {
        if !heads(&page.words[at..]) {
            at += 1;
            continue;
        }
        let end = stacked::next(&page.words, at).unwrap_or(page.words.len());
        kept[at..end].fill(false);
        at = end.max(at + 1);
    }
    let mut kept = kept.into_iter();
    page.words.retain(|_| kept.next().unwrap_or(true));
}

/// True for words that begin with a row of grades, which count from nothing.
fn heads(words: &[Word]) -> bool {
    let Some(first) = words.first() else { return false };
    let beside = words.iter().take_while(|word| (word.baseline - first.baseline).abs() < first.size / 2.0);
    let grades = beside.zip(0..).take_while(|(word, count)| grade(&word.text) == Some(*count));
    grades.count() >= LEAST
}

/// The 3 of "A3", and nothing of "NØ".
fn grade(word: &str) -> Option<u32> {
    let mut signs = word.chars();
    let (letter, count) = (signs.next()?, signs.next()?);
    let value = if matches!(count, 'Ø' | 'O' | '∅') { Some(0) } else { count.to_digit(10) };
    value.filter(|_| letter.is_ascii_uppercase() && signs.next().is_none())
}
