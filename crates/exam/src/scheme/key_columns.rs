//! Tables of right options with columns of other things beside them, "A  1  3  MC  1": numbers that count down one column
//! and options of their questions in the next.

use super::grid::Grids;
use super::known::Known;
use crate::flow::Line;
use crate::labels::{Kind, Token};

/// Fewer rows are no table.
const ROWS_MIN: usize = 5;
/// Before the number stand cells that say what part or kind it is of, and no more of them.
const CELLS_BEFORE: std::ops::RangeInclusive<usize> = 1..=2;
/// No question offers more options.
const OPTIONS_MAX: u32 = 8;

/// Takes the rows of such tables out of a scheme's lines.
pub(super) fn take(all: &mut [(Line<'_>, bool)], known: &Known, grids: &mut Grids) {
    for before in CELLS_BEFORE {
        let rows: Vec<(usize, u32, String)> = (0..all.len())
            .filter(|at| !all[*at].1)
            .filter_map(|at| row(&all[at].0, before).map(|(number, said)| (at, number, said)))
            .collect();
        let follows = |one: &(usize, u32, String), next: &(usize, u32, String)| {
            next.1 == one.1 + 1 && next.0 - one.0 <= 2
        };
        for table in rows.chunk_by(follows).filter(|table| table.len() >= ROWS_MIN) {
            let path = |number: u32| vec![Token::new(Kind::Number, number)];
            let paths: Vec<Vec<Token>> = table.iter().map(|(_, number, _)| path(*number)).collect();
            let Some(section) = known.choosing_all(&paths) else { continue };
            for ((at, _, said), path) in table.iter().zip(paths) {
                grids.say(section, path, said.clone(), all[*at].0.page);
                all[*at].1 = true;
            }
        }
    }
}

/// The number of a row and the option behind it, so many cells from its beginning.
fn row(line: &Line<'_>, before: usize) -> Option<(u32, String)> {
    let words = line.words;
    let number = words.get(before)?.text.parse().ok()?;
    let said = &words.get(before + 1)?.text;
    let letter = said.len() == 1 && said.chars().all(|c| c.is_ascii_alphabetic());
    let counted = said.parse().is_ok_and(|own: u32| (1..=OPTIONS_MAX).contains(&own));
    // "1. B 1 2. C 1" are pairs that others read.
    let named = words[..before].iter().all(|word| word.text.chars().all(char::is_alphabetic));
    let more = words.len() > before + 2;
    ((letter || counted) && named && more).then(|| (number, said.clone()))
}
