//! Tables of levels whose first cells hold the name of a level and its marks: "5" over "13–15 marks". The marks are put
//! into a column of their own, the last.

use super::scales::{Row, is_name, is_unit, range};
use crate::marks;

/// The longest name: "Mark Band 3".
const NAME_WORDS_MAX: usize = 3;

/// True for rows of levels without a head, as the next page goes on with them: each has its level's name over its marks.
pub(super) fn are_levels(rows: &[Row]) -> bool {
    const LEAST: usize = 3;
    let said: Option<Vec<Priced>> =
        rows.iter().map(|row| row.cells.first().and_then(|cell| priced(cell))).collect();
    let told = said.filter(|said| said.len() >= LEAST && said.iter().all(|own| own.unit.is_some()));
    told.is_some_and(|said| said.iter().filter(|own| !own.name.is_empty()).count() >= LEAST)
}

/// The rows with the marks of their levels apart; as they are where no first cell holds both. `headed`: only below a row
/// that names the columns of levels.
pub(super) fn apart(mut rows: Vec<Row>, headed: bool) -> Vec<Row> {
    let columns = rows.first().map_or(0, |row| row.cells.len());
    let names = |row: &Row| row.cells.first().is_some_and(|cell| super::scales::names_level(cell));
    let from = rows.iter().position(|row| names(row) && !row.cells.iter().any(|cell| is_unit(cell)));
    let from = match from {
        Some(at) => at + 1,
        None if headed && !are_levels(&rows) => return rows,
        None => 0,
    };
    let said: Vec<Option<Priced>> = rows.iter().map(|row| priced(row.cells.first()?)).collect();
    if columns < 2 || !said[from..].iter().flatten().any(|own| !own.name.is_empty()) {
        return rows;
    }
    let unit = said.iter().flatten().find_map(|own| own.unit.clone()).unwrap_or_default();
    for (index, (row, own)) in rows.iter_mut().zip(said).enumerate() {
        let mut last = String::new();
        if let Some(own) = own.filter(|_| index >= from) {
            (row.cells[0], last) = (own.name, own.marks);
        } else if index + 1 == from {
            last.clone_from(&unit);
        }
        row.cells.push(last);
    }
    rows
}

/// What a first cell holds.
#[derive(Clone, Debug, PartialEq)]
struct Priced {
    /// Empty in the row for nothing.
    name: String,
    marks: String,
    /// The word that counts the marks.
    unit: Option<String>,
}

/// "5 13–15 marks", "Band 5 13–15", "0 marks"
fn priced(cell: &str) -> Option<Priced> {
    let words: Vec<&str> = cell.split_whitespace().collect();
    (0..words.len().min(NAME_WORDS_MAX + 1)).find_map(|at| {
        let (name, rest) = (words[..at].join(" "), words[at..].join(" "));
        let (from, to) = range(&rest)?;
        let unit = words[at..].iter().find(|word| marks::is_unit(&word.to_lowercase()));
        let told = if at == 0 { to.is_zero() } else { is_name(&name) };
        let counts = unit.is_some() || from < to;
        (told && counts).then(|| Priced { name, marks: rest, unit: unit.map(|word| (*word).to_owned()) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reader::page::Rect;

    fn rows(cells: &[[&str; 2]]) -> Vec<Row> {
        let row = |own: &[&str; 2]| Row { cells: own.map(str::to_owned).to_vec(), place: Rect::default() };
        cells.iter().map(row).collect()
    }

    fn read(cells: &[[&str; 2]], headed: bool) -> Vec<String> {
        apart(rows(cells), headed).iter().map(|row| row.cells.join(" | ")).collect()
    }

    #[test]
    fn marks_below_the_name_of_their_level_get_a_column() {
        let table = [
            ["Band", "Reasons"],
            ["2 3–4 marks", "linked"],
            ["1 1–2 marks", "named"],
            ["0 marks", "nothing"],
        ];
        assert_eq!(
            read(&table, true),
            [
                "Band | Reasons | marks",
                "2 | linked | 3–4 marks",
                "1 | named | 1–2 marks",
                " | nothing | 0 marks"
            ]
        );
        assert!(!are_levels(&rows(&table)) && are_levels(&rows(&[table[1], table[2], table[1], table[3]])));
        assert_eq!(read(&table[2..], false), ["1 | named | 1–2 marks", " | nothing | 0 marks"]);
    }

    #[test]
    fn other_cells_stay_as_they_are() {
        let table = [["Year", "Rain"], ["1 2", "dry"], ["2 3–4", "wet"]];
        assert_eq!(read(&table, true), ["Year | Rain", "1 2 | dry", "2 3–4 | wet"]);
    }
}
