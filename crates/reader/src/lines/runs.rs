//! Rows of words that were found run by run: each run stands in one row, whichever way it climbs.

use super::same_row;
use crate::page::{Rect, Word};

/// The share of the narrower of two runs that may stand above or below the other in one row.
const ABOVE_MAX: f32 = 0.2;

/// Rows from top to bottom, each from left to right.
pub(super) fn rows(mut runs: Vec<Vec<Word>>) -> Vec<Vec<Word>> {
    runs.retain(|run| !run.is_empty());
    for run in &mut runs {
        run.sort_by(|a, b| a.place.x0.total_cmp(&b.place.x0));
    }
    // Long runs first: they say how their row climbs, and signs beside them join it.
    runs.sort_by(|a, b| {
        let (a, b) = (around(a), around(b));
        b.width().total_cmp(&a.width()).then(a.y0.total_cmp(&b.y0)).then(a.x0.total_cmp(&b.x0))
    });
    let mut rows: Vec<Vec<Vec<Word>>> = Vec::new();
    for run in runs {
        let home = rows
            .iter_mut()
            .filter_map(|row| Some((beside(row, &run)?, row)))
            .max_by(|(a, _), (b, _)| a.total_cmp(b));
        match home {
            Some((_, row)) => row.push(run),
            None => rows.push(vec![run]),
        }
    }
    let mut rows: Vec<Vec<Word>> = rows.into_iter().map(|row| row.into_iter().flatten().collect()).collect();
    rows.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    for row in &mut rows {
        row.sort_by(|a, b| a.place.x0.total_cmp(&b.place.x0));
    }
    rows
}

/// By how much of their height a run stands beside the nearest words of a row; `None` when it stands in another.
fn beside(row: &[Vec<Word>], run: &[Word]) -> Option<f32> {
    let own = around(run);
    let is_above = |other: &Vec<Word>| {
        let other = around(other);
        let shared = own.x1.min(other.x1) - own.x0.max(other.x0);
        shared > ABOVE_MAX * own.width().min(other.width())
    };
    if row.iter().any(is_above) {
        return None;
    }
    let (first, last) = (&run.first()?.place, &run.last()?.place);
    let gap = |word: &Rect| (first.x0 - word.x1).max(word.x0 - last.x1);
    let words = row.iter().flatten().map(|word| &word.place);
    let nearest = words.min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    let end = if nearest.x0 < first.x0 { first } else { last };
    same_row(nearest, end).then(|| {
        let shared = nearest.y1.min(end.y1) - nearest.y0.max(end.y0);
        shared / nearest.height().min(end.height()).max(f32::MIN_POSITIVE)
    })
}

fn around(run: &[Word]) -> Rect {
    let first = run.first().map_or_else(Rect::default, |word| word.place);
    run.iter().fold(first, |whole, word| whole.union(&word.place))
}

/// How far down a row stands on average, long words counting for more.
fn middle(row: &[Word]) -> f32 {
    let (sum, width) = row.iter().fold((0.0, 0.0), |(sum, width), word| {
        (sum + word.place.centre().1 * word.place.width(), width + word.place.width())
    });
    sum / width.max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of ten points each from a place on, each lower than the one before.
    fn run(texts: &str, x: f32, y: f32, fall: f32) -> Vec<Word> {
        let word = |(index, text): (usize, &str)| {
            let (x0, y0) = (x + 50.0 * index as f32, y + fall * index as f32);
            let place = Rect { x0, y0, x1: x0 + 40.0, y1: y0 + 20.0 };
            Word { text: text.to_owned(), place, size: 16.0, ..Word::default() }
        };
        texts.split(' ').enumerate().map(word).collect()
    }

    fn read(runs: Vec<Vec<Word>>) -> Vec<String> {
        let text = |row: &Vec<Word>| row.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        rows(runs).iter().map(text).collect()
    }

    #[test]
    fn words_of_a_falling_line_stay_in_it() {
        let first = run("heat flows from the warm", 0.0, 100.0, 4.0);
        let second = run("end of the rod to", 0.0, 122.0, 0.0);
        assert_eq!(read(vec![second, first]), ["heat flows from the warm", "end of the rod to"]);
    }

    #[test]
    fn a_line_that_was_found_in_two_pieces_is_one_row() {
        let (left, right) = (run("the copper", 0.0, 100.0, 5.0), run("gets hot", 100.0, 108.0, 5.0));
        let below = run("in the flame", 0.0, 126.0, 0.0);
        assert_eq!(read(vec![right, below, left]), ["the copper gets hot", "in the flame"]);
    }

    #[test]
    fn nothing_and_runs_without_words_are_no_rows() {
        assert_eq!(read(vec![Vec::new()]), Vec::<String>::new());
    }
}
