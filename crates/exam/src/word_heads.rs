//! Questions that a word announces which announces none elsewhere, "CARD 1", "Station 2", where the paper counts nothing
//! else: they are read as if a known word stood there.

use crate::codes::ANNOUNCING;
use crate::flow::{self, Line};
use crate::labels::{self, Kind, Style};
use reader::page::{Document, Word};
use std::borrow::Cow;
use std::collections::HashSet;

/// Fewer may be anything.
const LEAST: usize = 2;
/// A shorter word is a letter or a sign.
const LETTERS_MIN: usize = 3;

/// The paper and the scheme with the known word in place of such a one.
pub(crate) fn prepared<'d>(
    paper: &'d Document,
    scheme: &'d Document,
) -> (Cow<'d, Document>, Cow<'d, Document>) {
    let Some(word) = announcing(paper) else { return (Cow::Borrowed(paper), Cow::Borrowed(scheme)) };
    (Cow::Owned(renamed(paper, &word)), Cow::Owned(renamed(scheme, &word)))
}

/// The word, in small letters.
fn announcing(paper: &Document) -> Option<String> {
    // Lines are made only where a word stands before both 1 and 2.
    let pairs = || paper.pages.iter().flat_map(|page| page.words.windows(2)).filter_map(head);
    let first: HashSet<String> = pairs().filter(|(_, number)| *number == 1).map(|(word, _)| word).collect();
    if !pairs().any(|(word, number)| number == 2 && first.contains(&word)) {
        return None;
    }
    let lines = flow::lines(paper);
    let counted = |line: &Line<'_>| {
        let label = labels::parse(&line.texts());
        label.is_some_and(|label| label.tokens[0].kind == Kind::Number && label.style != Style::Bare)
    };
    let lettered = |line: &&Line<'_>| {
        labels::parse(&line.texts())
            .is_some_and(|label| label.tokens[0].kind == Kind::Letter && label.style != Style::Bare)
    };
    if lines.iter().any(counted) {
        return None;
    }
    let heads: Vec<(String, u32)> =
        lines.iter().filter(|line| line.words.len() == 2).filter_map(|line| head(line.words)).collect();
    let (word, _) = heads.first()?;
    let counts = heads.iter().zip(1..).all(|((own, number), next)| own == word && *number == next);
    let parted = lines.iter().filter(lettered).count() >= heads.len();
    (heads.len() >= LEAST && counts && parted).then(|| word.clone())
}

/// "CARD 1": a word that begins with a capital, in small letters, and its number.
fn head(words: &[Word]) -> Option<(String, u32)> {
    let [word, number, ..] = words else { return None };
    let letters = word.text.chars().count() >= LETTERS_MIN && word.text.chars().all(char::is_alphabetic);
    let number = number.text.trim_end_matches([':', '.']).parse().ok()?;
    (letters && word.text.starts_with(char::is_uppercase)).then(|| (word.text.to_lowercase(), number))
}

/// The document with the number announced in the known way wherever the word begins a line before one.
fn renamed(document: &Document, word: &str) -> Document {
    let mut document = document.clone();
    for page in &mut document.pages {
        let found: Vec<(usize, u32)> = flow::page_lines(page)
            .filter_map(|line| Some((line.range.start, head(line.words).filter(|(own, _)| own == word)?.1)))
            .collect();
        // From the last on, since words become fewer.
        for (start, number) in found.into_iter().rev() {
            let label = Word { text: format!("{ANNOUNCING}{number}"), ..page.words[start].clone() };
            page.words.splice(start..start + 2, [label]);
        }
    }
    document
}
