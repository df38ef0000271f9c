//! Levels of response that stand in a ruled table: "Level | Descriptor | Marks", or several such side by side, one for
//! each thing that is assessed.

use super::{carried, level_cells};
use crate::marks;
use domain::marks::Marks;
use domain::question::Level;
use lexicon::Concept;
use reader::page::{Page, Rect};
use reader::tables::{self, Cell, Table};

/// A table of levels on a page.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    /// Where it stands.
    pub(super) place: Rect,
    /// Best first.
    pub(super) levels: Vec<Level>,
    /// Answers that stood in it as examples of a level.
    pub(super) examples: Vec<String>,
}

/// Fewer levels are a remark about one.
const LEAST_LEVELS: usize = 2;
/// No level is worth more.
const MOST_MARKS: u32 = 60;

/// The tables of levels on a page, from top to bottom.
pub(super) fn find(page: &Page) -> Vec<Scale> {
    let scales = |table: &Table| {
        let rows = rows(table, page);
        let are_levels = level_cells::are_levels(&rows);
        let rows = level_cells::apart(rows, true);
        match scale(&rows, LEAST_LEVELS, are_levels) {
            Some(scale) => vec![scale],
            None => {
                let mut found: Vec<Scale> = stretches(&rows).into_iter().filter_map(longest).collect();
                found.extend(cut_off(&rows, page).filter(|_| found.is_empty()));
                found
            }
        }
    };
    tables::tables(page).iter().flat_map(scales).collect()
}

/// The rows below each that names the columns of levels: one ruled table may hold the levels of several questions.
fn stretches(rows: &[Row]) -> Vec<&[Row]> {
    let heads: Vec<usize> = (0..rows.len()).filter(|row| heads_levels(&rows[*row])).collect();
    // "[6]" among plain numbers is what the next question earns.
    let asks = |row: &Row| row.cells.iter().any(|cell| cell.trim().starts_with('[') && range(cell).is_some());
    let stretch = |from: &usize| {
        let below = rows[from + 1..].iter().take_while(|row| !heads_levels(row) && !asks(row)).count();
        &rows[*from..=from + below]
    };
    heads.iter().map(stretch).collect()
}

/// The scale that the first of some rows make: the next question may stand below it.
fn longest(rows: &[Row]) -> Option<Scale> {
    (LEAST_LEVELS + 1..=rows.len()).rev().find_map(|end| scale(&rows[..end], LEAST_LEVELS, false))
}

/// The best level alone below the names of the columns: the page ends there, and the others stand on the next.
fn cut_off(rows: &[Row], page: &Page) -> Option<Scale> {
    /// Below this share of a page stands what is printed on each.
    const FOOT: f32 = 0.9;
    let found = scale(rows, 1, false).filter(|_| rows.first().is_some_and(heads_levels))?;
    let above = found.levels.first().is_some_and(|level| level.marks_from > Marks::whole(1));
    let below = |word: &&reader::page::Word| !word.turned && word.place.y0 >= found.place.y1;
    let ends = page.words.iter().filter(below).all(|word| word.place.y0 > FOOT * page.height);
    (found.levels.len() == 1 && above && ends).then_some(found)
}

/// "Levels | Descriptors | Mark range"
pub(super) fn heads_levels(row: &Row) -> bool {
    let named = |cell: &&String| !cell.contains(|c: char| c.is_ascii_digit());
    let names = || row.cells.iter().filter(named);
    names().any(|cell| names_level(cell)) && names().any(|cell| is_unit(cell))
}

/// A row of a table: for each column, what its cell says and where it stands.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) cells: Vec<String>,
    pub(super) place: Rect,
}

/// The levels that some rows hold, where they are enough. `are_levels`: another sign says that they are.
fn scale(rows: &[Row], least: usize, are_levels: bool) -> Option<Scale> {
    let found = marks_columns(rows, rows.first()?.cells.len(), least);
    let begin = found.iter().filter_map(|column| column.rows.first()).min().copied()?;
    // The row of names above and the row for nothing below are part of the table, a question's text is not.
    let from = (0..begin).rev().take_while(|row| is_head(&rows[*row])).last().unwrap_or(begin);
    let heads = &rows[from..begin];
    let headed_by = |column: &Column, says: fn(&str) -> bool| {
        heads.iter().any(|row| row.cells.get(column.at).is_some_and(|cell| says(cell)))
    };
    // Levels are counted in a column of their own.
    let found: Vec<Column> = found
        .into_iter()
        .filter(|column| !headed_by(column, names_level) || headed_by(column, is_unit))
        .collect();
    // Without a head the marks stand in the last.
    let last = rows.first().map_or(0, |row| row.cells.len() - 1);
    let found: Vec<Column> = found.into_iter().filter(|column| !are_levels || column.at == last).collect();
    let any_named = found.iter().any(|column| headed_by(column, is_unit));
    let columns: Vec<Column> =
        found.into_iter().filter(|column| !any_named || headed_by(column, is_unit)).collect();
    let first = columns.iter().filter_map(|column| column.rows.first()).min().copied()?;
    let last = columns.iter().filter_map(|column| column.rows.last()).max().copied()?;
    let headed = heads.iter().any(|row| row.cells.iter().any(|cell| names_level(cell)));
    let named =
        rows[first..=last].iter().filter(|row| row.cells.iter().any(|cell| is_full_name(cell))).count();
    let priced = columns.iter().all(|column| headed_by(column, is_unit));
    // A table that only has falling marks may price points; levels are named, or stand side by side.
    if !(are_levels || headed || named >= LEAST_LEVELS || (columns.len() > 1 && priced)) {
        return None;
    }
    let strands: Vec<Vec<Option<Step>>> =
        (0..columns.len()).map(|index| strand(&rows[first..=last], &columns, index)).collect();
    let mut levels = levels(&strands);
    let examples = carried::take_examples(&mut levels);
    let nothing = rows[last + 1..].iter().take_while(|row| earns_nothing(row)).count();
    let place = rows[from..=last + nothing].iter().map(|row| row.place).reduce(|all, row| all.union(&row))?;
    let told = levels.iter().all(|level| !level.descriptor.is_empty());
    (levels.len() >= least && told).then_some(Scale { place, levels, examples })
}

/// The table row by row; what spans columns stands in the first of them, what spans rows in the first of those.
pub(super) fn rows(table: &Table, page: &Page) -> Vec<Row> {
    let empty = Rect { x0: f32::INFINITY, y0: f32::INFINITY, x1: f32::NEG_INFINITY, y1: f32::NEG_INFINITY };
    let mut rows: Vec<Row> =
        (0..table.rows).map(|_| Row { cells: vec![String::new(); table.columns], place: empty }).collect();
    let text = |cell: &Cell| {
        cell.words.iter().map(|word| page.words[*word].text.as_str()).collect::<Vec<_>>().join(" ")
    };
    let single = |cell: &&Cell| cell.rows.len() == 1;
    for cell in &table.cells {
        let row = &mut rows[cell.rows.start];
        let has_single = || {
            table.cells.iter().filter(single).any(|own| own.rows == (cell.rows.start..cell.rows.start + 1))
        };
        // What spans rows may go around another table: a row is as high as what stands in it alone.
        if single(&cell) || !has_single() {
            row.place = row.place.union(&cell.place);
        }
        row.cells[cell.columns.start] = text(cell);
    }
    rows
}

/// A column of marks, and in which rows it has some.
struct Column {
    at: usize,
    rows: Vec<usize>,
}

/// Columns whose cells are marks that fall from row to row, or rise.
fn marks_columns(rows: &[Row], columns: usize, least: usize) -> Vec<Column> {
    let falling = |at: usize| {
        let found: Vec<(usize, (Marks, Marks))> = rows
            .iter()
            .enumerate()
            .filter_map(|(index, row)| Some((index, range(&row.cells[at])?)))
            .filter(|(_, (_, to))| !to.is_zero())
            .collect();
        // Neighbours may share a mark: "2–3", "3–4".
        let below = |low: &(Marks, Marks), high: &(Marks, Marks)| low.1 < high.1 && low.0 < high.0;
        let falls = found.windows(2).all(|pair| below(&pair[1].1, &pair[0].1));
        let rises = found.windows(2).all(|pair| below(&pair[0].1, &pair[1].1));
        let falls = falls || rises;
        // The lowest of named levels may earn half of the marks.
        let named = || {
            rows.iter().any(|row| heads_levels(row) && row.cells.get(at).is_some_and(|cell| is_unit(cell)))
        };
        let low = found.iter().any(|(_, (from, _))| *from <= Marks::whole(2)) || named();
        let rows: Vec<usize> = found.into_iter().map(|(index, _)| index).collect();
        (falls && low && rows.len() >= least).then_some(Column { at, rows })
    };
    (0..columns).filter_map(falling).collect()
}

/// What one column of marks says in a row.
#[derive(Clone, Debug)]
struct Step {
    name: String,
    from: Marks,
    to: Marks,
    descriptor: String,
}

/// The steps of one column of marks, row by row.
fn strand(rows: &[Row], columns: &[Column], index: usize) -> Vec<Option<Step>> {
    let at = columns[index].at;
    let before = index.checked_sub(1).map_or(0, |before| columns[before].at + 1);
    let after = columns.get(index + 1).map_or(usize::MAX, |next| next.at);
    let step = |row: &Row| {
        let (from, to) = range(&row.cells[at]).filter(|(_, to)| !to.is_zero())?;
        let own = |cells: &[String]| {
            let said = cells.iter().filter(|cell| !is_name(cell)).map(|cell| cell.trim());
            said.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let mut descriptor = own(&row.cells[before..at]);
        // Marks may stand before what earns them.
        if descriptor.is_empty() || columns.len() == 1 {
            let behind = own(&row.cells[at + 1..after.min(row.cells.len())]);
            descriptor = [descriptor, behind].join(" ").trim().to_owned();
        }
        let other = |(column, _): &(usize, &String)| columns.iter().all(|marks| marks.at != *column);
        let named = row.cells.iter().enumerate().filter(other).find(|(_, cell)| is_name(cell));
        let name = named.map(|(_, cell)| cell.trim().to_owned()).unwrap_or_default();
        Some(Step { name, from, to, descriptor })
    };
    rows.iter().map(step).collect()
}

/// One scale of several strands: each row earns the sum of its steps. Where a strand has none, its best is meant.
fn levels(strands: &[Vec<Option<Step>>]) -> Vec<Level> {
    let count = strands.iter().map(Vec::len).max().unwrap_or(0);
    let best =
        |strand: &[Option<Step>]| strand.iter().flatten().map(|step| step.to).max().unwrap_or_default();
    let mut found: Vec<(Level, bool)> = Vec::new();
    for row in 0..count {
        let steps: Vec<Option<&Step>> = strands.iter().map(|strand| strand[row].as_ref()).collect();
        if steps.iter().all(Option::is_none) {
            continue;
        }
        let marks_to =
            steps.iter().zip(strands).map(|(step, strand)| step.map_or_else(|| best(strand), |step| step.to));
        let marks_from = steps.iter().flatten().map(|step| step.from).sum();
        let said: Vec<&str> = steps.iter().flatten().map(|step| step.descriptor.as_str()).collect();
        let name = steps.iter().flatten().map(|step| step.name.clone()).find(|name| !name.is_empty());
        let level = Level {
            name: name.unwrap_or_default(),
            marks_from,
            marks_to: marks_to.sum(),
            descriptor: said.join("; "),
        };
        found.push((level, strands.len() == 1));
    }
    found.sort_by_key(|(level, _)| std::cmp::Reverse(level.marks_to));
    for index in 0..found.len() {
        let below = found.get(index + 1).map_or(Marks::ZERO, |(level, _)| level.marks_to);
        let (level, single) = &mut found[index];
        if !*single {
            level.marks_from = below + Marks::whole(1);
        }
        if level.name.is_empty() {
            level.name = level.marks_to.to_string();
        }
    }
    found.into_iter().map(|(level, _)| level).filter(|level| level.marks_from <= level.marks_to).collect()
}

/// "7–9", "(1–2)", "3 marks", "4": nothing but marks.
pub(super) fn range(cell: &str) -> Option<(Marks, Marks)> {
    let spaced = cell.replace(['–', '-', '—', '−'], " – ");
    let mut numbers: Vec<u32> = Vec::new();
    for word in spaced.split_whitespace() {
        let bare = word.trim_matches(['(', ')', '[', ']', ':', ',', '.']);
        match bare.parse::<u32>() {
            Ok(number) if number <= MOST_MARKS => numbers.push(number),
            Ok(_) => return None,
            Err(_) if matches!(bare, "–" | "") => {}
            Err(_) if marks::is_unit(&bare.to_lowercase()) => {}
            Err(_) => return None,
        }
    }
    match numbers.as_slice() {
        [from, to] if from <= to => Some((Marks::whole(*from), Marks::whole(*to))),
        // Best first: "9–7".
        [to, from] => Some((Marks::whole(*from), Marks::whole(*to))),
        [only] => Some((Marks::whole(*only), Marks::whole(*only))),
        _ => None,
    }
}

/// True for a cell that names a column of levels.
pub(super) fn names_level(cell: &str) -> bool {
    let lower = cell.trim().to_lowercase();
    lower.split_whitespace().count() <= 2
        && lower.split(|c: char| !c.is_alphanumeric()).any(|word| lexicon::is(Concept::Level, word))
}

pub(super) fn is_unit(cell: &str) -> bool {
    let lower = cell.to_lowercase();
    let counts = |word: &str| marks::is_unit(word) || lexicon::is(Concept::MarksColumn, word);
    cell.split_whitespace().count() <= 3 && lower.split_whitespace().any(counts)
}

/// "Level 2", "L3", "2b", "Band 4": what a level is called.
pub(super) fn is_name(cell: &str) -> bool {
    let lower = cell.trim().to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let counted = |word: &str| {
        let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let roman = word.chars().all(|c| matches!(c, 'i' | 'v' | 'x'));
        (digits.len() == 1 && word.len() <= 2 && digits.chars().all(|c| c.is_ascii_digit())) || roman
    };
    match words.as_slice() {
        [only] => counted(only) || only.strip_prefix('l').is_some_and(counted),
        [level, number] => lexicon::is(Concept::Level, level) && counted(number),
        [unit, level, number] => {
            marks::is_unit(unit) && lexicon::is(Concept::Level, level) && counted(number)
        }
        _ => false,
    }
}

/// True for a name that says by itself that it is one of a level.
fn is_full_name(cell: &str) -> bool {
    let lower = cell.to_lowercase();
    let lower = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    is_name(cell) && !lower.starts_with(|c: char| c.is_ascii_digit() || matches!(c, 'i' | 'v' | 'x'))
}

/// True for a row of names of columns.
fn is_head(row: &Row) -> bool {
    row.cells.iter().any(|cell| names_level(cell) || is_unit(cell))
        || row.cells.iter().all(|cell| cell.trim().is_empty())
}

/// True for a row that earns nothing.
pub(super) fn earns_nothing(row: &Row) -> bool {
    let zero = |cell: &String| range(cell).is_some_and(|(_, to)| to.is_zero());
    let said = |cell: &String| {
        let lower = cell.trim().to_lowercase();
        lexicon::begins_with(Concept::EarnsNothing, &lower).is_some()
    };
    row.cells.iter().any(|cell| zero(cell) || said(cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reader::page::{Direction, Ruling, Word};

    /// A ruled table, each row as high as the last.
    fn page(rows: &[&[&str]]) -> Page {
        const WIDTH: f32 = 100.0;
        const HEIGHT: f32 = 30.0;
        let columns = rows[0].len();
        let (right, bottom) = (WIDTH * columns as f32, HEIGHT * rows.len() as f32);
        let flat = |y: f32| Ruling {
            place: Rect { x0: 0.0, y0: y, x1: right, y1: y + 0.5 },
            direction: Direction::Horizontal,
        };
        let upright = |x: f32| Ruling {
            place: Rect { x0: x, y0: 0.0, x1: x + 0.5, y1: bottom },
            direction: Direction::Vertical,
        };
        let rulings = (0..=rows.len())
            .map(|row| flat(HEIGHT * row as f32))
            .chain((0..=columns).map(|column| upright(WIDTH * column as f32)))
            .collect();
        let mut words = Vec::new();
        for (row, cells) in rows.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                for (index, text) in cell.split_whitespace().enumerate() {
                    let (x, y) =
                        (WIDTH * column as f32 + 4.0 + 12.0 * index as f32, HEIGHT * row as f32 + 10.0);
                    let place = Rect { x0: x, y0: y, x1: x + 10.0, y1: y + 10.0 };
                    words.push(Word { text: text.to_owned(), place, size: 10.0, ..Word::default() });
                }
            }
        }
        Page { rulings, words, width: 600.0, height: 800.0, number: 1, ..Page::default() }
    }

    fn read(rows: &[&[&str]]) -> Vec<String> {
        let shown = |level: &Level| {
            format!("{} {}-{} {}", level.name, level.marks_from, level.marks_to, level.descriptor)
        };
        find(&page(rows)).iter().flat_map(|scale| &scale.levels).map(shown).collect()
    }

    #[test]
    fn a_table_of_levels_is_read_best_first_whichever_way_it_counts() {
        let falling: &[&[&str]] = &[
            &["Level", "Descriptor", "Marks"],
            &["2", "reasons are linked", "3–4"],
            &["1", "facts are named", "1–2"],
            &["0", "nothing", "0"],
        ];
        let expected = ["2 3-4 reasons are linked", "1 1-2 facts are named"];
        assert_eq!(read(falling), expected);
        let rising: &[&[&str]] = &[
            &["Levels", "Descriptor", "Mark Range"],
            &["1", "facts are named", "1–2"],
            &["2", "reasons are linked", "3–4"],
        ];
        assert_eq!(read(rising), expected);
    }

    #[test]
    fn two_things_that_are_assessed_side_by_side_are_one_scale() {
        let rows: &[&[&str]] = &[
            &["Knowledge", "Marks", "Analysis", "Marks"],
            &["", "", "a conclusion", "3"],
            &["two facts", "2", "good", "2"],
            &["one fact", "1", "weak", "1"],
        ];
        assert_eq!(read(rows), ["5 5-5 a conclusion", "4 3-4 two facts; good", "2 1-2 one fact; weak"]);
    }

    #[test]
    fn points_with_their_prices_are_no_levels() {
        let rows: &[&[&str]] = &[
            &["Question", "Answer", "Marks"],
            &["1", "a right definition", "[2]"],
            &["(i)", "a name", "[1]"],
        ];
        assert!(read(rows).is_empty());
    }
}
