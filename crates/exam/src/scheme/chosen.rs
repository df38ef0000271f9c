//! How many chose each option, beside the right one: "3 C 6 5 83 6", as reports on an examination tell it, with remarks
//! in the last column.

use super::grid::Grids;
use super::known::Known;
use crate::flow::Line;
use crate::labels::{Kind, Token};
use reader::page::Word;

/// Fewer rows are no table.
const ROWS_MIN: usize = 3;
/// Fewer options are none.
const SHARES_MIN: usize = 3;
/// Shares of a hundred, which were rounded and may leave out who chose none.
const SUMS: std::ops::RangeInclusive<u32> = 80..=105;
/// So many lines may stand between two rows: remarks that wrap.
const BETWEEN: usize = 8;
/// So many lines may head the table.
const HEAD: usize = 5;
/// No question offers more letters.
const LAST_LETTER: char = 'H';

/// A row: where it stands among the lines, its number, and the right letter.
struct Row {
    at: usize,
    number: u32,
    letter: char,
}

/// Takes such tables out of a scheme's lines, each from its head to its last row.
pub(super) fn take(all: &mut [(Line<'_>, bool)], known: &Known, grids: &mut Grids) {
    let rows: Vec<Row> =
        (0..all.len()).filter(|at| !all[*at].1).filter_map(|at| row(at, &all[at].0)).collect();
    let follows = |one: &Row, next: &Row| next.number == one.number + 1 && next.at - one.at <= BETWEEN;
    for table in rows.chunk_by(follows).filter(|table| table.len() >= ROWS_MIN) {
        let path = |row: &Row| vec![Token::new(Kind::Number, row.number)];
        let paths: Vec<Vec<Token>> = table.iter().map(path).collect();
        let Some(section) = known.choosing_all(&paths) else { continue };
        for (row, path) in table.iter().zip(paths) {
            grids.say(section, path, row.letter.to_string(), all[row.at].0.page);
        }
        let (first, last) = (table[0].at, table[table.len() - 1].at);
        let heads =
            |at: &usize| all[*at].0.words.iter().filter(|word| word.text.starts_with('%')).count() > 1;
        let head = (first.saturating_sub(HEAD)..first).find(heads).unwrap_or(first);
        // What stands beside the head or the last row in lines of its own is one of its cells.
        let beside = |line: &Line<'_>, row: usize| {
            let own = &all[row].0;
            line.page == own.page
                && (line.place.centre().1 - own.place.centre().1).abs() < 2.0 * own.place.height()
        };
        let above = (head.saturating_sub(2)..head).find(|at| beside(&all[*at].0, head)).unwrap_or(head);
        let remarks = |at: usize| beside(&all[at].0, last) && is_behind(&all[at].0, &all[last].0);
        let below = (last + 1..all.len().min(last + HEAD)).take_while(|at| remarks(*at)).count();
        all[above..=last + below].iter_mut().for_each(|(_, furniture)| *furniture = true);
    }
}

/// True where a line begins behind the shares of a row, in the column of remarks.
fn is_behind(line: &Line<'_>, row: &Line<'_>) -> bool {
    let shares = row.words.iter().rev().find(|word| share(word).is_some());
    shares.is_some_and(|last| last.place.x1 < line.place.x0)
}

/// "3 C 6 5 83 6 …", "3 6 5 83 6 C": the right letter before the shares or behind them.
fn row(at: usize, line: &Line<'_>) -> Option<Row> {
    let number = line.words.first()?.text.trim_end_matches('.').parse().ok()?;
    let rest = &line.words[1..];
    let leads = usize::from(rest.first().and_then(letter).is_some());
    let shares: Vec<u32> = rest[leads..].iter().map_while(share).collect();
    let found = if leads == 1 { rest.first() } else { rest.get(shares.len()) };
    let fits = shares.len() >= SHARES_MIN && SUMS.contains(&shares.iter().sum());
    found.and_then(letter).filter(|_| fits).map(|letter| Row { at, number, letter })
}

fn letter(word: &Word) -> Option<char> {
    word.text.parse().ok().filter(|letter| ('A'..=LAST_LETTER).contains(letter))
}

fn share(word: &Word) -> Option<u32> {
    word.text.trim_end_matches('%').parse().ok().filter(|share| *share <= 100)
}
