//! The part of a page on which there is anything to read: margins are no work for the network that finds lines.

use crate::image::ink::Ink;
use std::ops::Range;

/// A page is looked at in squares of so many pixels.
const CELL: usize = 16;
/// A square with fewer pixels of ink holds dust or the paper's grain.
const INK_MIN: usize = 6;
/// Paper that is left around what is there, in pixels: the network wants to see where writing ends.
const MARGIN: usize = 64;
/// Of the page, so much must be spared, or it is taken whole.
const SPARED_MIN: f32 = 0.15;

/// Columns and rows of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) columns: Range<usize>,
    pub(super) rows: Range<usize>,
}

impl Frame {
    /// Around the ink of a page, its sides whole multiples of a stride; the page's sides are such. `None` where there is
    /// no ink at all.
    pub(super) fn around(ink: &Ink, stride: usize) -> Option<Frame> {
        let whole = Frame { columns: 0..ink.width, rows: 0..ink.height };
        let (mut columns, mut rows) = (ink.width..0, ink.height..0);
        let mut has_ink = false;
        for top in (0..ink.height).step_by(CELL) {
            let counts = counts(ink, top..(top + CELL).min(ink.height));
            for (column, _) in counts.iter().enumerate().filter(|(_, count)| **count >= INK_MIN) {
                has_ink = true;
                // The edge of a sheet is no writing; what begins within and goes on to the edge is in the margin.
                if top == 0 || column == 0 || top + CELL >= ink.height || column + 1 == counts.len() {
                    continue;
                }
                columns = columns.start.min(column * CELL)..columns.end.max((column + 1) * CELL);
                rows = rows.start.min(top)..rows.end.max(top + CELL);
            }
        }
        if columns.is_empty() {
            return has_ink.then_some(whole);
        }
        let own =
            Frame { columns: widened(&columns, ink.width, stride), rows: widened(&rows, ink.height, stride) };
        let spared = 1.0 - own.area() as f32 / whole.area().max(1) as f32;
        Some(if spared < SPARED_MIN { whole } else { own })
    }

    fn area(&self) -> usize {
        self.columns.len() * self.rows.len()
    }
}

/// How much ink each square of some rows has.
fn counts(ink: &Ink, rows: Range<usize>) -> Vec<usize> {
    let mut counts = vec![0; ink.width.div_ceil(CELL)];
    for y in rows {
        for (count, marks) in counts.iter_mut().zip(ink.row(y).chunks(CELL)) {
            *count += marks.iter().filter(|mark| **mark).count();
        }
    }
    counts
}

/// The same with a margin, as long as a multiple of the stride, within a side.
fn widened(range: &Range<usize>, side: usize, stride: usize) -> Range<usize> {
    let start = range.start.saturating_sub(MARGIN);
    let length = (range.end + MARGIN).min(side).saturating_sub(start).next_multiple_of(stride).min(side);
    let start = start.min(side - length);
    start..start + length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(is_ink: impl Fn(usize, usize) -> bool) -> Ink {
        let (width, height) = (640, 960);
        let marks = (0..width * height).map(|at| is_ink(at % width, at / width)).collect();
        Ink::from_marks(width, height, marks)
    }

    #[test]
    fn margins_are_left_out_and_what_is_written_is_not() {
        let written = |x: usize, y: usize| (100..400).contains(&x) && (200..500).contains(&y) && x % 7 < 2;
        let edge = |x: usize, _: usize| x < 3;
        let dust = |x: usize, y: usize| (x, y) == (600, 900);
        let frame = Frame::around(&page(|x, y| written(x, y) || edge(x, y) || dust(x, y)), 32).unwrap();
        assert!(frame.columns.start <= 40 && (460..530).contains(&frame.columns.end), "{frame:?}");
        assert!((90..=140).contains(&frame.rows.start) && (560..640).contains(&frame.rows.end), "{frame:?}");
        assert!(frame.columns.len().is_multiple_of(32) && frame.rows.len().is_multiple_of(32));
    }

    #[test]
    fn a_page_without_ink_has_no_frame_and_a_full_one_is_taken_whole() {
        assert_eq!(Frame::around(&page(|_, _| false), 32), None);
        let whole = Some(Frame { columns: 0..640, rows: 0..960 });
        assert_eq!(Frame::around(&page(|x, _| x % 9 < 2), 32), whole);
        assert_eq!(Frame::around(&page(|x, _| x < 3), 32), whole, "what stands at the edge alone");
    }
}
