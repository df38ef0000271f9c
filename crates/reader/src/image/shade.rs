//! Evens out the light: shadows and yellow lamps fall away, paper becomes white.

use super::ink::luminance;
use image::{GrayImage, RgbImage};
use rten_simd::{Isa, SimdOp};

/// Cells across the page in which the paper's brightness is measured; a shadow is wider than a cell,
/// a line of writing narrower.
const CELLS_ACROSS: usize = 48;
/// In each cell this share of the pixels is darker than the paper's brightness that is taken.
const PAPER_SHARE: f32 = 0.85;
/// What the paper's brightness becomes.
pub(super) const WHITE: f32 = 250.0;
/// Below this the paper cannot be told from ink, and noise would be made bright.
const PAPER_MIN: f32 = 50.0;
/// Bits behind the point of what levels are multiplied with: to make whole numbers of others takes longer.
const GAIN_BITS: u32 = 16;
/// Over so many rows the light is taken to be the same.
const BAND: usize = 4;
/// A page whose cells differ by less is left as it is.
const EVEN_ENOUGH: f32 = 12.0;

/// The picture as if evenly lit.
pub fn even(picture: RgbImage) -> RgbImage {
    let paper = Paper::measure(&luminance(&picture));
    if paper.is_even() {
        return picture;
    }
    let mut even = picture;
    let (width, height) = even.dimensions();
    let places: Vec<(usize, usize, f32)> =
        (0..width).map(|x| between(x as f32 / width as f32, paper.columns)).collect();
    let mut gains = vec![0; 3 * width as usize];
    for (band, rows) in even.as_mut().chunks_mut(BAND * 3 * width as usize).enumerate() {
        let row = paper.row((band * BAND + BAND / 2) as f32 / height as f32);
        for (gains, (left, right, part)) in gains.as_chunks_mut::<3>().0.iter_mut().zip(&places) {
            let level = row[*left] * (1.0 - part) + row[*right] * part;
            *gains = [(WHITE / level.max(PAPER_MIN) * (1 << GAIN_BITS) as f32) as u32; 3];
        }
        Brightened { rows, gains: &gains }.dispatch();
    }
    even
}

/// Rows of pixels, each number times that of its column.
struct Brightened<'b> {
    rows: &'b mut [u8],
    gains: &'b [u32],
}

impl SimdOp for Brightened<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        for row in self.rows.chunks_exact_mut(self.gains.len().max(1)) {
            for (value, gain) in row.iter_mut().zip(self.gains) {
                *value = ((u32::from(*value) * gain) >> GAIN_BITS).min(255) as u8;
            }
        }
    }
}

/// How bright the paper is, cell by cell.
struct Paper {
    columns: usize,
    rows: usize,
    cells: Vec<f32>,
}

impl Paper {
    fn measure(grey: &GrayImage) -> Paper {
        let (width, height) = (grey.width() as usize, grey.height() as usize);
        let side = (width / CELLS_ACROSS).max(8);
        let (columns, rows) = (width.div_ceil(side), height.div_ceil(side));
        let mut cells = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                cells.push(cell_brightness(grey, column * side, row * side, side));
            }
        }
        Paper { columns, rows, cells }.without_writing()
    }

    /// Dark print can fill a cell; it then takes the brightness of its brighter neighbours.
    fn without_writing(self) -> Paper {
        let brightest = self.over_neighbours(|values| values.fold(0.0, f32::max));
        brightest.over_neighbours(|values| {
            let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
            sum / count
        })
    }

    fn over_neighbours(&self, reduce: impl Fn(&mut dyn Iterator<Item = f32>) -> f32) -> Paper {
        let mut cells = Vec::with_capacity(self.cells.len());
        for row in 0..self.rows {
            for column in 0..self.columns {
                let rows = row.saturating_sub(1)..=(row + 1).min(self.rows - 1);
                let columns = column.saturating_sub(1)..=(column + 1).min(self.columns - 1);
                let mut near = rows
                    .flat_map(|row| columns.clone().map(move |column| (row, column)))
                    .map(|(row, column)| self.cells[row * self.columns + column]);
                cells.push(reduce(&mut near));
            }
        }
        Paper { cells, ..*self }
    }

    fn is_even(&self) -> bool {
        let darkest = self.cells.iter().copied().fold(f32::MAX, f32::min);
        WHITE - darkest < EVEN_ENOUGH
    }

    /// The brightness along one height of the page, from interpolated rows of cells.
    fn row(&self, share: f32) -> Vec<f32> {
        let (upper, lower, part) = between(share, self.rows);
        let cell = |row: usize, column: usize| self.cells[row * self.columns + column];
        (0..self.columns)
            .map(|column| cell(upper, column) * (1.0 - part) + cell(lower, column) * part)
            .collect()
    }
}

/// The two cells whose middles surround a place, and how far it lies towards the second.
fn between(share: f32, count: usize) -> (usize, usize, f32) {
    let at = (share * count as f32 - 0.5).clamp(0.0, count as f32 - 1.0);
    let first = at as usize;
    (first, (first + 1).min(count - 1), at - first as f32)
}

fn cell_brightness(grey: &GrayImage, left: usize, top: usize, side: usize) -> f32 {
    let mut counts = [0u32; 256];
    let mut total = 0;
    for y in (top..(top + side).min(grey.height() as usize)).step_by(2) {
        for x in (left..(left + side).min(grey.width() as usize)).step_by(2) {
            counts[usize::from(grey.get_pixel(x as u32, y as u32).0[0])] += 1;
            total += 1;
        }
    }
    let wanted = (total as f32 * PAPER_SHARE) as u32;
    let mut below = 0;
    let level = counts.iter().position(|count| {
        below += count;
        below > wanted
    });
    level.unwrap_or(255) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shadow_falls_away_and_the_writing_stays() {
        let shadowed = RgbImage::from_fn(400, 300, |x, y| {
            let light = 1.0 - 0.6 * x as f32 / 400.0;
            let paper = if x % 40 < 4 && y % 30 < 15 { 40.0 } else { 240.0 };
            image::Rgb([(paper * light) as u8; 3])
        });
        let even = even(shadowed);
        for x in [50, 210, 330, 375] {
            assert!(even.get_pixel(x, 160).0[0] > 225, "paper at {x}: {:?}", even.get_pixel(x, 160));
        }
        assert!(even.get_pixel(361, 5).0[0] < 90);
    }

    #[test]
    fn a_clean_scan_is_left_alone() {
        let clean = RgbImage::from_fn(200, 200, |x, y| {
            if (x + y) % 30 < 2 { image::Rgb([0; 3]) } else { image::Rgb([255; 3]) }
        });
        assert_eq!(even(clean.clone()), clean);
    }
}
