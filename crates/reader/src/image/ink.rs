//! Which pixels are ink.

use super::geometry::Quad;
use crate::transposed::transposed;
use image::{GrayImage, RgbImage};
use rten_simd::{Isa, SimdOp};

/// Marks the ink of an evenly lit picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ink {
    /// In pixels.
    pub width: usize,
    /// In pixels.
    pub height: usize,
    marks: Vec<bool>,
}

/// A pencil on white paper is lighter than this only in its faintest strokes.
const THRESHOLD_MAX: u8 = 205;
/// Where there is writing, paper is brighter than this.
const LINE_THRESHOLD_MAX: u8 = 230;
/// Print is darker than this even when blurred.
const THRESHOLD_MIN: u8 = 110;

impl Ink {
    /// Ink is what is darker than the level that parts the picture's dark from its light pixels best.
    pub fn of(picture: &RgbImage) -> Ink {
        Ink::of_grey(&luminance(picture))
    }

    /// The same of a picture without colours.
    pub(crate) fn of_grey(grey: &GrayImage) -> Ink {
        Ink::darker_than(grey, parting_level(grey).clamp(THRESHOLD_MIN, THRESHOLD_MAX))
    }

    /// The same of a line that is cut out, on which there is writing, however faint.
    pub(crate) fn of_line(picture: &RgbImage) -> Ink {
        let grey = luminance(picture);
        Ink::darker_than(&grey, parting_level(&grey).clamp(THRESHOLD_MIN, LINE_THRESHOLD_MAX))
    }

    /// The same where the level is sought beside what is known to be there: black print would draw it so far down that
    /// pencil counts as paper.
    pub(crate) fn beside(picture: &RgbImage, known: &Ink) -> Ink {
        let grey = luminance(picture);
        let levels = grey.as_raw().iter().zip(&known.marks).filter(|(_, is_known)| !**is_known);
        let threshold = level_between(levels.map(|(level, _)| *level)).clamp(THRESHOLD_MIN, THRESHOLD_MAX);
        Ink::darker_than(&grey, threshold)
    }

    /// Ink is what is clearly darker than white paper: faint rules count too.
    pub fn faint(picture: &RgbImage) -> Ink {
        Ink::faint_of_grey(&luminance(picture))
    }

    /// The same of a picture without colours.
    pub(crate) fn faint_of_grey(grey: &GrayImage) -> Ink {
        Ink::darker_than(grey, THRESHOLD_MAX)
    }

    /// Ink that is known already, row by row.
    pub fn from_marks(width: usize, height: usize, mut marks: Vec<bool>) -> Ink {
        marks.resize(width * height, false);
        Ink { width, height, marks }
    }

    fn darker_than(grey: &GrayImage, threshold: u8) -> Ink {
        let marks = grey.as_raw().iter().map(|level| *level < threshold).collect();
        Ink { width: grey.width() as usize, height: grey.height() as usize, marks }
    }

    /// True where there is ink; false outside the picture.
    pub fn at(&self, x: usize, y: usize) -> bool {
        x < self.width && y < self.height && self.marks[y * self.width + x]
    }

    /// One row, from left to right.
    pub fn row(&self, y: usize) -> &[bool] {
        &self.marks[y * self.width..(y + 1) * self.width]
    }

    /// How many of the pixels around a shape are ink.
    pub(crate) fn within(&self, place: &Quad) -> f32 {
        let (x0, y0, x1, y1) = place.bounds();
        let along = |at: f32, end: usize| (at.max(0.0) as usize).min(end);
        let (left, right) = (along(x0, self.width), along(x1, self.width));
        let rows = along(y0, self.height)..along(y1, self.height);
        rows.map(|y| self.row(y)[left..right].iter().filter(|mark| **mark).count()).sum::<usize>() as f32
    }

    /// Ink that hangs together, each part as its pixels counted along the rows.
    pub fn parts(&self) -> Vec<Vec<usize>> {
        let width = self.width;
        let mut seen = vec![false; self.marks.len()];
        let mut parts = Vec::new();
        for start in 0..self.marks.len() {
            if seen[start] || !self.marks[start] {
                continue;
            }
            seen[start] = true;
            let (mut part, mut waiting) = (Vec::new(), vec![start]);
            while let Some(at) = waiting.pop() {
                part.push(at);
                let (x, y) = (at % width, at / width);
                for near_y in y.saturating_sub(1)..=(y + 1).min(self.height - 1) {
                    for near_x in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                        let near = near_y * width + near_x;
                        if !seen[near] && self.marks[near] {
                            seen[near] = true;
                            waiting.push(near);
                        }
                    }
                }
            }
            parts.push(part);
        }
        parts
    }

    /// The same with rows and columns exchanged.
    #[must_use]
    pub fn transposed(&self) -> Ink {
        let marks = transposed(&self.marks, self.height, self.width);
        Ink { width: self.height, height: self.width, marks }
    }
}

/// How bright each pixel is.
pub fn luminance(picture: &RgbImage) -> GrayImage {
    let (pixels, _) = picture.as_raw().as_chunks::<3>();
    let mut levels = vec![0; pixels.len()];
    Luminance { pixels, levels: &mut levels }.dispatch();
    GrayImage::from_raw(picture.width(), picture.height(), levels).unwrap_or_default()
}

struct Luminance<'l> {
    pixels: &'l [[u8; 3]],
    levels: &'l mut [u8],
}

impl SimdOp for Luminance<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        for (level, [red, green, blue]) in self.levels.iter_mut().zip(self.pixels) {
            // The shares come to 256, so that sixteen bits hold the sum.
            let sum = u16::from(*red) * 77 + u16::from(*green) * 150 + u16::from(*blue) * 29;
            *level = (sum >> 8) as u8;
        }
    }
}

/// The level between a picture's dark and its light pixels.
pub fn parting_level(grey: &GrayImage) -> u8 {
    level_between(grey.as_raw().iter().copied())
}

/// Otsu's level: between the two groups of pixels whose means lie furthest apart.
fn level_between(levels: impl Iterator<Item = u8>) -> u8 {
    let mut counts = [0u64; 256];
    levels.for_each(|level| counts[usize::from(level)] += 1);
    let total: u64 = counts.iter().sum();
    let weighted: u64 = counts.iter().enumerate().map(|(level, count)| level as u64 * count).sum();
    let (mut dark, mut dark_weighted) = (0u64, 0u64);
    let (mut best, mut best_spread) = (128u8, -1.0f64);
    for level in 0..255u8 {
        dark += counts[usize::from(level)];
        dark_weighted += u64::from(level) * counts[usize::from(level)];
        if dark == 0 || dark == total {
            continue;
        }
        let apart =
            dark_weighted as f64 / dark as f64 - (weighted - dark_weighted) as f64 / (total - dark) as f64;
        let spread = dark as f64 * (total - dark) as f64 * apart * apart;
        if spread > best_spread {
            (best, best_spread) = (level + 1, spread);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_is_parted_from_paper() {
        let picture = RgbImage::from_fn(30, 10, |x, _| {
            if x % 5 == 0 { image::Rgb([60, 60, 80]) } else { image::Rgb([240; 3]) }
        });
        let ink = Ink::of(&picture);
        assert!(ink.at(5, 3) && !ink.at(6, 3) && !ink.at(300, 3));
        assert_eq!(ink.transposed().row(10), &[true; 10]);
    }

    #[test]
    fn pencil_beside_black_print_is_ink() {
        let level = |x: u32, y: u32| match (x % 5, y) {
            (0, 0..60) => 10,
            (0, 60..70) => 170,
            _ => 245,
        };
        let picture = RgbImage::from_fn(100, 100, |x, y| image::Rgb([level(x, y); 3]));
        let print = Ink::from_marks(100, 100, (0..100 * 100).map(|at| at / 100 < 60).collect());
        assert!(!Ink::of(&picture).at(5, 65), "beside print, pencil looks like paper");
        let beside = Ink::beside(&picture, &print);
        assert!(beside.at(5, 65) && beside.at(5, 5) && !beside.at(6, 65) && !beside.at(5, 80));
        let blank = RgbImage::from_fn(100, 100, |x, y| image::Rgb([240 + ((x + y) % 8) as u8; 3]));
        let none = Ink::from_marks(100, 100, Vec::new());
        assert_eq!(Ink::beside(&blank, &none).parts(), Vec::<Vec<usize>>::new(), "the grain of paper");
    }
}
