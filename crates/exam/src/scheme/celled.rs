//! The head of a table some of whose columns have names that nobody knows, "Q.No. | Key points | Split | Marks": what such a
//! column holds is told by its place and its width, where labels stand below the first name.

use super::layout::{Heading, Zone, cells, zone_named};
use crate::flow::Line;
use crate::labels;
use reader::page::Word;

/// A head has no more cells, and no fewer.
const CELLS: std::ops::RangeInclusive<usize> = 3..=7;
/// So many of the lines below begin with a label of their own.
const LABELS_MIN: usize = 2;
/// The same below a name that nobody knows.
const UNNAMED_MIN: usize = 4;
/// So many lines below are asked for them.
const REACH: usize = 30;
/// A column of answers is wider, as a share of the table.
const WIDE: f32 = 0.25;

/// The cells of such a head, each with what its column holds.
pub(super) fn headings(line: &Line<'_>, below: &[&Line<'_>], right: f32) -> Option<Vec<Heading>> {
    let cells = cells(line.words);
    let least = match named(cells[0]) {
        Some(Zone::Label) => LABELS_MIN,
        // "Card" over "1a": what the questions are called.
        None if is_name(cells[0]) => UNNAMED_MIN,
        _ => return None,
    };
    if !CELLS.contains(&cells.len()) {
        return None;
    }
    let titled = |cell: &&[Word]| cell[0].text.starts_with(|c: char| c.is_uppercase());
    let labelled = below.iter().take(REACH).filter(|line| begins_with_label(line));
    if !cells.iter().all(titled) || labelled.count() < least {
        return None;
    }
    let mut zones: Vec<Option<Zone>> = cells.iter().map(|cell| named(cell)).collect();
    zones[0] = Some(Zone::Label);
    if !zones.iter().any(|zone| matches!(zone, Some(Zone::Answer | Zone::Marks))) {
        return None;
    }
    let ends = cells.iter().skip(1).map(|cell| cell[0].place.x0).chain([right]);
    let widths: Vec<f32> = cells.iter().zip(ends).map(|(cell, end)| end - cell[0].place.x0).collect();
    let wide = |at: usize| widths[at] > WIDE * (right - cells[0][0].place.x0);
    let open: Vec<usize> = (0..cells.len()).filter(|at| zones[*at].is_none()).collect();
    if !zones.contains(&Some(Zone::Answer)) {
        let widest = open.iter().copied().max_by(|one, other| widths[*one].total_cmp(&widths[*other]))?;
        zones[widest] = Some(Zone::Answer);
    }
    let heading = |(at, cell): (usize, &&[Word])| Heading {
        x0: cell[0].place.x0,
        x1: cell[cell.len() - 1].place.x1,
        // What is no answer, and has room for words, is said to examiners.
        zone: zones[at].unwrap_or(if wide(at) { Zone::Guidance } else { Zone::Other }),
        is_objective: false,
        is_total: false,
    };
    Some(cells.iter().enumerate().map(heading).collect())
}

/// True for one word: "Card".
fn is_name(cell: &[Word]) -> bool {
    cell.len() == 1 && cell[0].text.chars().all(char::is_alphabetic)
}

/// What a cell is surely the name of. A column of marks is named by nothing else: "Otherwise 1 mark for" tells more.
fn named(cell: &[Word]) -> Option<Zone> {
    let zones: Vec<Option<Zone>> = cell.iter().map(|word| zone_named(&word.text)).collect();
    let all = |wanted: Zone| zones.iter().all(|zone| *zone == Some(wanted));
    let sure = [Zone::Label, Zone::Marks, Zone::Guidance, Zone::Other].into_iter().find(|zone| all(*zone));
    sure.or_else(|| zones.contains(&Some(Zone::Answer)).then_some(Zone::Answer))
}

/// True where the first cell of a row is a label.
fn begins_with_label(line: &Line<'_>) -> bool {
    let [label, _, ..] = cells(line.words)[..] else { return false };
    let texts: Vec<&str> = label.iter().map(|word| word.text.as_str()).collect();
    labels::parse_cell(&texts.join(" ")).is_some()
}
