//! Letters to ring before the numbers of statements, "T  F  12. Plates move.": set behind the statements, where other papers
//! print them.

use crate::labels::{self, Kind, Style};
use reader::page::{Document, Page, Rect};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// Fewer such lines may be anything.
const LEAST: usize = 3;
/// A longer word is no verdict: "False", "wrong".
const LETTERS_MAX: usize = 6;
/// So many words stand before each number.
const VERDICTS: usize = 2;

/// The document with such letters behind their statements; itself where they stand elsewhere.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    let found: Vec<Vec<(Range<usize>, u32)>> = document.pages.iter().map(lines).collect();
    let mut counts: HashMap<[&str; VERDICTS], Vec<u32>> = HashMap::new();
    for (page, lines) in document.pages.iter().zip(&found) {
        for (line, number) in lines {
            counts.entry(verdicts(page, line)).or_default().push(*number);
        }
    }
    let counted =
        |numbers: &Vec<u32>| numbers.len() >= LEAST && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1);
    counts.retain(|_, numbers| counted(numbers));
    if counts.is_empty() {
        return Cow::Borrowed(document);
    }
    let mut moved = document.clone();
    for ((page, source), lines) in moved.pages.iter_mut().zip(&document.pages).zip(found) {
        let own = lines.into_iter().filter(|(line, _)| counts.contains_key(&verdicts(source, line)));
        own.for_each(|(line, _)| move_behind(page, line));
    }
    Cow::Owned(moved)
}

/// The lines of a page that begin with two short words and a number, which is given too.
fn lines(page: &Page) -> Vec<(Range<usize>, u32)> {
    let number = |line: &Range<usize>| {
        let texts: Vec<&str> = page.words[line.clone()].iter().map(|word| word.text.as_str()).collect();
        let (before, rest) = texts.split_at_checked(VERDICTS)?;
        let short = |word: &&str| {
            let letters = word.chars().filter(|c| c.is_alphabetic()).count();
            (1..=LETTERS_MAX).contains(&letters) && word.starts_with(char::is_uppercase)
        };
        let label = labels::parse(rest).filter(|label| matches!(label.style, Style::Dot | Style::Close))?;
        let [only] = label.tokens[..] else { return None };
        let told = before.iter().all(short) && before[0] != before[1] && rest.len() > label.words;
        (told && only.kind == Kind::Number).then_some(only.value)
    };
    let all = reader::lines::lines(page).into_iter().map(|line| line.words);
    all.filter_map(|line| number(&line).map(|number| (line, number))).collect()
}

fn verdicts<'p>(page: &'p Page, line: &Range<usize>) -> [&'p str; VERDICTS] {
    [0, 1].map(|at| page.words[line.start + at].text.as_str())
}

/// Moves the first words of a line behind its last.
fn move_behind(page: &mut Page, line: Range<usize>) {
    let words = &mut page.words[line];
    words.rotate_left(VERDICTS);
    let at = words.len() - VERDICTS;
    for index in at..words.len() {
        let last = words[index - 1].place;
        let word = &mut words[index];
        let x0 = last.x1 + word.size;
        word.place = Rect { x0, x1: x0 + word.place.width(), ..word.place };
    }
}
