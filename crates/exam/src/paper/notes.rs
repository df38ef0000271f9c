//! Which of the bracketed numbers on a paper are marks.

use crate::flow::Line;
use crate::marks::{self, Certainty, MarkNote};
use reader::page::Document;

/// A statement about marks at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Note {
    pub(super) note: MarkNote,
    /// Index within its line of its first word.
    pub(super) word: usize,
}

/// Marks stand in the right part of the page.
const RIGHT_PART: f32 = 0.6;
/// How far apart, in points, the edges of one column may lie.
const COLUMN_SLACK: f32 = 6.0;

/// For each line, the statement about marks that it ends with.
pub(super) fn find(lines: &[Line<'_>], document: &Document) -> Vec<Option<Note>> {
    let width = document.pages.iter().map(|page| page.width).fold(1.0, f32::max);
    let found: Vec<Option<Note>> = lines.iter().map(|line| at_line_end(line, width)).collect();
    // A number in round brackets is a mark only in a column of such numbers, set to its left or right edge.
    let edges: Vec<(f32, f32)> = lines
        .iter()
        .zip(&found)
        .filter_map(|(line, note)| {
            note.filter(|note| note.note.certainty == Certainty::ByPlace).map(|note| edges(line, note))
        })
        .collect();
    let in_column = |line: &Line<'_>, note: Note| {
        let (left, right) = self::edges(line, note);
        let near =
            |(x0, x1): &&(f32, f32)| (x0 - left).abs() <= COLUMN_SLACK || (x1 - right).abs() <= COLUMN_SLACK;
        edges.iter().filter(near).count() >= 2
    };
    lines
        .iter()
        .zip(found)
        .map(|(line, note)| {
            note.filter(|note| note.note.certainty != Certainty::ByPlace || in_column(line, *note))
        })
        .collect()
}

/// Where a note begins and ends.
fn edges(line: &Line<'_>, note: Note) -> (f32, f32) {
    (line.words[note.word].place.x0, line.place.x1)
}

fn at_line_end(line: &Line<'_>, width: f32) -> Option<Note> {
    let note = marks::at_end(&line.texts())?;
    let word = line.words.len() - note.words;
    let first = &line.words[word];
    let right = line.place.x1 > RIGHT_PART * width;
    let alone = word == 0;
    let gap = if alone { f32::INFINITY } else { first.place.x0 - line.words[word - 1].place.x1 };
    let placed = match note.certainty {
        // "3 points for a win" ends a sentence; marks without brackets stand apart.
        Certainty::Sure => note.bracketed || gap > 1.5 * first.size,
        Certainty::Likely => right || alone,
        Certainty::ByPlace => right && gap > 1.5 * first.size,
    };
    placed.then_some(Note { note, word })
}
