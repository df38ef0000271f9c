//! Answers to several versions of a paper in columns beside each other: "Item | Version 1 | Version 2 | Marks". The
//! first version's count; those of the others would be read into its lines.

use lexicon::Concept;
use reader::page::{Page, Rect, Word};
use std::ops::Range;

/// A word that names versions has at least so many letters.
const NAME_LETTERS: usize = 4;
/// How a column's name may be counted.
const COUNTED: [[&str; 4]; 3] = [["1", "2", "3", "4"], ["A", "B", "C", "D"], ["I", "II", "III", "IV"]];
/// White between two columns, in sizes of the type.
const APART: f32 = 1.5;
/// The same between two of its cells.
const WHITE: f32 = 0.6;
/// So many lines below the names tell where the columns part, in so many steps.
const ROWS: usize = 12;
const STEPS: usize = 60;

/// Takes the columns of all versions but the first off a page, and the names of all.
pub(super) fn keep_first(page: &mut Page) {
    let mut gone = vec![false; page.words.len()];
    let lines: Vec<Range<usize>> = reader::lines::lines(page).into_iter().map(|line| line.words).collect();
    for (at, line) in lines.iter().enumerate() {
        let rows: Vec<&Word> =
            lines[at + 1..].iter().take(ROWS).flat_map(|row| &page.words[row.clone()]).collect();
        let Some(table) = heads(&page.words[line.clone()], &rows) else { continue };
        gone[line.clone()].fill(true);
        for row in &lines[at + 1..] {
            let words = &page.words[row.clone()];
            let others = |word: &Word| table.contains(&word.place.centre().0);
            // A line of text crosses the columns' edges, and a row of a single version is no row.
            let crosses = |word: &Word| {
                [table.start, table.end].iter().any(|edge| word.place.x0 < *edge && word.place.x1 > *edge)
            };
            if words.iter().any(crosses) || !words.iter().any(others) || !is_row(words, &table) {
                break;
            }
            row.clone().filter(|at| others(&page.words[*at])).for_each(|at| gone[at] = true);
        }
    }
    let mut gone = gone.into_iter();
    page.words.retain(|_| !gone.next().unwrap_or(false));
}

/// True for words with something left of the columns and white before them.
fn is_row(words: &[Word], table: &Range<f32>) -> bool {
    let first = words.iter().find(|word| table.contains(&word.place.centre().0));
    let before = words.iter().rfind(|word| word.place.x1 <= table.start);
    first.zip(before).is_some_and(|(first, before)| first.place.x0 - before.place.x1 > WHITE * first.size)
}

/// Where the columns of the later versions stand, below a line that names at least two and other columns beside them.
fn heads(words: &[Word], rows: &[&Word]) -> Option<Range<f32>> {
    let name = |at: usize| -> Option<(String, Rect, &str)> {
        let (name, count) = (words.get(at)?, words.get(at + 1)?);
        let long = name.text.chars().count() >= NAME_LETTERS && name.text.chars().all(char::is_alphabetic);
        let close = count.place.x0 - name.place.x1 < APART * name.size;
        let place = Rect { x1: count.place.x1, ..name.place };
        (long && close).then(|| (name.text.to_lowercase(), place, count.text.as_str()))
    };
    let first = (0..words.len()).find(|at| {
        name(*at).zip(name(at + 2)).is_some_and(|(one, other)| {
            one.0 == other.0 && COUNTED.iter().any(|counted| [one.2, other.2] == counted[..2])
        })
    })?;
    let alike = (first..words.len()).step_by(2).map_while(name);
    let own: Vec<(String, Rect, &str)> = alike.collect();
    let own: Vec<&Rect> = own.iter().take_while(|one| one.0 == own[0].0).map(|(_, place, _)| place).collect();
    let named = |word: &Word| {
        let lower = word.text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        [Concept::LabelColumn, Concept::MarksColumn, Concept::Label]
            .iter()
            .any(|own| lexicon::is(*own, &lower))
    };
    let beside = words[..first].iter().chain(&words[first + 2 * own.len()..]).any(named);
    // The columns part in the middle of the widest white that the rows below leave.
    let between = |left: &Rect, right: &Rect| {
        let at = |step: usize| left.x1 + (right.x0 - left.x1) * step as f32 / STEPS as f32;
        let is_white = |step: &usize| {
            let x = at(*step);
            !rows.iter().any(|word| word.place.x0 - 1.0 < x && word.place.x1 + 1.0 > x)
        };
        let steps: Vec<usize> = (0..=STEPS).filter(is_white).collect();
        let runs = steps.chunk_by(|one, next| *next == one + 1);
        let widest = runs.max_by_key(|run| run.len()).unwrap_or(&[STEPS / 2]);
        at(widest[widest.len() / 2])
    };
    let end = words.get(first + 2 * own.len()).map(|next| between(own[own.len() - 1], &next.place));
    beside.then(|| between(own[0], own[1])..end.unwrap_or(f32::MAX))
}
