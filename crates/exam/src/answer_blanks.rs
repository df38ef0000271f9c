//! What fills the blanks beside the numbers of questions in a scheme that is a copy of the paper: "__F__ 9. urbanization"
//! answers "_____ 9. urbanization", and "9. __F__ urbanization" answers "9. _____ urbanization".

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
    let begins = |pair: &&[Word]| {
        let (first, next) = (&pair[0].text, &pair[1].text);
        let counts = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        fills(first) && counts(next) || counts(first) && fills_blank(next)
    };
    let pairs = scheme.pages.iter().flat_map(|page| page.words.windows(2));
    if pairs.filter(begins).count() < LEAST {
        return Cow::Borrowed(scheme);
    }
    let both = |page| {
        let mut found = fronted(page, 1);
        found.extend(fronted(page, 0).into_iter().filter(|front| front.is_filled));
        found.sort_by_key(|front| front.line.start);
        found
    };
    let found: Vec<Vec<Front>> = scheme.pages.iter().map(both).collect();
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
            let own = &page.words[front.line.clone()];
            let answer = if front.is_filled { beside(own) } else { behind(own) };
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
    /// A blank stands between the two, and is filled in.
    is_filled: bool,
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
        let is_blank = |text: &&str| text.bytes().all(|byte| byte == b'_');
        let is_filled = before == 0 && texts.get(1).is_some_and(|text| fills_blank(text));
        let room = is_filled || texts.get(1).is_some_and(is_blank);
        let first = *texts.get(1 + usize::from(room)).filter(|_| closed && only.kind == Kind::Number)?;
        Some(Front { line, number: only.value, first, is_filled })
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

/// The number and what fills the blank behind it.
fn beside(words: &[Word]) -> Vec<Word> {
    let mut own: Vec<Word> = words.iter().take(2).cloned().collect();
    own.iter_mut().for_each(|word| word.text = word.text.trim_matches('_').to_owned());
    own
}

/// "__F__"
fn fills_blank(text: &str) -> bool {
    text.starts_with('_') && text.ends_with('_') && fills(text)
}

/// "__F__", "C", "True"
fn fills(text: &str) -> bool {
    let bare = text.trim_matches('_');
    let capitals = bare.chars().count() <= LETTERS_MAX && bare.chars().all(|c| c.is_ascii_uppercase());
    !bare.is_empty() && (capitals || lexicon::is(Concept::Verdict, &bare.to_lowercase()))
}
