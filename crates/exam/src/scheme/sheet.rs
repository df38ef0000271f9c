//! A table of letters beside which the scheme gives more: "1  Book on a table  B  easy".
//!
//! A solution further down may hold any letter, so what such a table says of a choice counts first.

use super::known::Known;
use super::{Entry, Scheme};
use crate::flow::Line;
use crate::labels::{Kind, Token};
use reader::page::Word;

/// A shorter run of numbers may be anything.
const LEAST: usize = 5;
/// No question offers more letters.
const LAST_LETTER: char = 'H';
/// How far, in points, the letters of one column may stand apart.
const SLACK: f32 = 9.0;

/// Puts the letters of a table before what the scheme says of those questions.
pub(super) fn add(scheme: &mut Scheme, all: &[(Line<'_>, bool)], known: &Known) {
    let rows = rows(all);
    // A table that leaves out most questions is none of answers.
    if rows.len() < LEAST || rows.len() * 5 < known.leaves() * 3 || known.counts_again() {
        return;
    }
    for (number, letter, page) in rows.into_iter().filter(|(number, _, _)| known.offers(*number)) {
        let path = vec![Token::new(Kind::Number, number)];
        if !known.has(&path) {
            continue;
        }
        match scheme.entries.iter_mut().find(|entry| entry.path == path) {
            Some(entry) => entry.letter = Some(letter),
            None => scheme.entries.push(Entry { path, page, letter: Some(letter), ..Entry::default() }),
        }
    }
}

/// A row that may hold the answer to a question: its number, its single letters with their places, and its page.
struct Row {
    number: u32,
    letters: Vec<(char, f32)>,
    page: u32,
}

/// The longest run of lines that begin with 1, 2, 3 and hold a capital letter in the same column: number, letter and
/// page of each.
fn rows(all: &[(Line<'_>, bool)]) -> Vec<(u32, char, u32)> {
    let mut best: Vec<Row> = Vec::new();
    let mut run: Vec<Row> = Vec::new();
    for own in all.iter().filter_map(|(line, _)| row(line)) {
        let next = run.last().map_or(1, |last| last.number + 1);
        if own.number == 1 {
            best = longer(best, std::mem::take(&mut run));
        } else if own.number != next {
            continue;
        }
        run.push(own);
    }
    let best = longer(best, run);
    let column = best.iter().flat_map(|row| &row.letters).map(|(_, x)| *x);
    let filled = |x: f32| best.iter().filter(|row| letter_at(row, x).is_some()).count();
    let Some(x) = column.max_by_key(|x| filled(*x)) else { return Vec::new() };
    best.iter().filter_map(|row| Some((row.number, letter_at(row, x)?, row.page))).collect()
}

fn longer(one: Vec<Row>, other: Vec<Row>) -> Vec<Row> {
    if other.len() > one.len() { other } else { one }
}

/// A row's letter in a column.
fn letter_at(row: &Row, x: f32) -> Option<char> {
    row.letters.iter().find(|(_, own)| (own - x).abs() <= SLACK).map(|(letter, _)| *letter)
}

/// "3  Friction  C  **  Forces": a number, and words with single capital letters among them.
fn row(line: &Line<'_>) -> Option<Row> {
    let (first, rest) = line.words.split_first().filter(|(_, rest)| rest.len() > 1)?;
    let number = first.text.trim_end_matches(['.', ')']).parse().ok()?;
    let letter = |word: &Word| {
        let letter = word.text.parse::<char>().ok().filter(|letter| ('A'..=LAST_LETTER).contains(letter))?;
        Some((letter, word.place.x0))
    };
    let letters: Vec<(char, f32)> = rest.iter().filter_map(letter).collect();
    (!letters.is_empty()).then_some(Row { number, letters, page: line.page })
}
