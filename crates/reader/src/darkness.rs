//! How dark a recognised page is, coarsely, cell by cell: enough to find marks that are no words, such as ticks,
//! crosses and rings, and small enough to travel with the page.

use crate::image::ink::Ink;
use crate::page::Rect;
use serde::{Deserialize, Serialize};

/// Cells across a page: three points wide on A4.
const COLUMNS: usize = 200;

/// The share of ink in each cell of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Darkness {
    columns: u32,
    rows: u32,
    /// Row by row, 255 for a cell full of ink.
    cells: Vec<u8>,
}

impl Darkness {
    /// Counts the ink of a picture.
    pub fn of(ink: &Ink) -> Darkness {
        let side = ink.width.div_ceil(COLUMNS).max(1);
        let (columns, rows) = (ink.width.div_ceil(side), ink.height.div_ceil(side));
        let mut counts = vec![0_usize; columns * rows];
        for y in 0..ink.height {
            for (x, _) in ink.row(y).iter().enumerate().filter(|(_, mark)| **mark) {
                counts[y / side * columns + x / side] += 1;
            }
        }
        let share = |count: usize| u8::try_from(count * 255 / (side * side)).unwrap_or(u8::MAX);
        let cells = counts.into_iter().map(share).collect();
        Darkness {
            columns: u32::try_from(columns).unwrap_or(0),
            rows: u32::try_from(rows).unwrap_or(0),
            cells,
        }
    }

    /// How much memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.cells.len()
    }

    /// The area of ink within a place and outside all the others, in the page's units; `page` is its width and height.
    pub fn area(&self, place: &Rect, without: &[Rect], page: (f32, f32)) -> f32 {
        let (across, down) = (page.0 / self.columns.max(1) as f32, page.1 / self.rows.max(1) as f32);
        let columns = span(place.x0 / across, place.x1 / across, self.columns);
        let mut sum = 0.0;
        for row in span(place.y0 / down, place.y1 / down, self.rows) {
            for column in columns.clone() {
                let (x, y) = ((column as f32 + 0.5) * across, (row as f32 + 0.5) * down);
                let is_hidden =
                    |other: &Rect| (other.x0..other.x1).contains(&x) && (other.y0..other.y1).contains(&y);
                let cell = self.cells.get((row * self.columns + column) as usize).copied().unwrap_or(0);
                if cell > 0 && !without.iter().any(is_hidden) {
                    sum += f32::from(cell) / 255.0 * across * down;
                }
            }
        }
        sum
    }
}

/// The cells whose middle lies between two ordinates.
fn span(from: f32, to: f32, count: u32) -> std::ops::Range<u32> {
    let cell = |at: f32| (at.round().max(0.0) as u32).min(count);
    cell(from)..cell(to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, RgbImage};

    #[test]
    fn ink_is_counted_where_it_stands() {
        let picture = RgbImage::from_fn(600, 800, |x, y| {
            let inked = (300..330).contains(&x) && (400..410).contains(&y);
            Rgb([if inked { 20 } else { 250 }; 3])
        });
        let darkness = Darkness::of(&Ink::of(&picture));
        let whole = Rect { x0: 0.0, y0: 0.0, x1: 600.0, y1: 800.0 };
        let page = (600.0, 800.0);
        assert!((darkness.area(&whole, &[], page) - 300.0).abs() < 30.0);
        let elsewhere = Rect { x0: 0.0, y0: 0.0, x1: 200.0, y1: 800.0 };
        assert!(darkness.area(&elsewhere, &[], page) < 1.0);
        let hidden = Rect { x0: 290.0, y0: 390.0, x1: 340.0, y1: 420.0 };
        assert!(darkness.area(&whole, &[hidden], page) < 1.0);
    }
}
