//! What fills the blanks before the numbers of questions in a scheme that is a copy of the paper: "__F__ 9. urbanization"
//! answers "_____ 9. urbanization".

use crate::labels::{self, Kind, Style};
use lexicon::Concept;
use reader::lines::lines;
use reader::page::{Document, Page, Word};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// Fewer are no way to answer.
const LEAST: usize = 3;
/// An answer that is no verdict has no more letters.
const LETTERS_MAX: usize = 3;

/// The scheme with such answers behind their numbers, the question's words left out; itself where it has none.
pub(crate) fn prepared<'d>(paper: &Document, scheme: &'d Document) -> Cow<'d, Document> {
    // Lines are made only where there may be such answers.
    let begins =
        |pair: &&[Word]| fills(&pair[0].text) && pair[1].text.starts_with(|c: char| c.is_ascii_digit());
    let pairs = scheme.pages.iter().flat_map(|page| page.words.windows(2));
    if pairs.filter(begins).count() < LEAST {
        return Cow::Borrowed(scheme);
    }
    let found: Vec<Vec<Front>> = scheme.pages.iter().map(|page| fronted(page, 1)).collect();
    // Each section may count from 1 again.
    let asked: HashSet<(u32, &str)> = paper
        .pages
        .iter()
        .flat_map(|page| fronted(page, 0))
        .map(|front| (front.number, front.first))
        .collect();
    let repeats = |front: &&Front<'_>| asked.contains(&(front.number, front.first));
    let copied = found.iter().flatten().filter(repeats).count();
    if copied < LEAST {
        return Cow::Borrowed(scheme);
    }
    let mut answered = scheme.clone();
    for (page, fronts) in answered.pages.iter_mut().zip(&found) {
        // From the last on, since words become fewer.
        for front in fronts.iter().rev().filter(repeats) {
            let answer = behind(&page.words[front.line.clone()]);
            page.words.splice(front.line.clone(), answer);
        }
    }
    Cow::Owned(answered)
}

/// A line whose number stands behind what fills a blank, or begins it.
struct Front<'d> {
    line: Range<usize>,
    number: u32,
    /// The question's first word.
    first: &'d str,
}

/// Such lines of a page, in the order of their words. `before`: how many words stand before the number.
fn fronted(page: &Page, before: usize) -> Vec<Front<'_>> {
    let of_line = |line: Range<usize>| {
        let words = page.words.get(line.clone())?;
        let (front, rest) = words.split_at_checked(before)?;
        let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
        let label = labels::parse(&texts).filter(|_| front.iter().all(|word| fills(&word.text)))?;
        let closed = matches!(label.style, Style::Dot | Style::Close) && label.words == 1 && !label.glued;
        let [only] = label.tokens[..] else { return None };
        let first = *texts.get(1).filter(|_| closed && only.kind == Kind::Number)?;
        Some(Front { line, number: only.value, first })
    };
    let mut found: Vec<Front<'_>> = lines(page).into_iter().filter_map(|line| of_line(line.words)).collect();
    found.sort_by_key(|front| front.line.start);
    found
}

/// The number where the line begins, and the answer behind it.
fn behind(words: &[Word]) -> Vec<Word> {
    let [answer, number, first, ..] = words else { return words.to_vec() };
    let at = |word: &Word, x0: f32, text: &str| {
        let mut place = word.place;
        (place.x0, place.x1) = (x0, x0 + word.place.width());
        Word { text: text.to_owned(), place, ..word.clone() }
    };
    let bare = answer.text.trim_matches('_');
    vec![at(number, answer.place.x0, &number.text), at(answer, first.place.x0, bare)]
}

/// "__F__", "C", "True"
fn fills(text: &str) -> bool {
    let bare = text.trim_matches('_');
    let capitals = bare.chars().count() <= LETTERS_MAX && bare.chars().all(|c| c.is_ascii_uppercase());
    !bare.is_empty() && (capitals || lexicon::is(Concept::Verdict, &bare.to_lowercase()))
}
