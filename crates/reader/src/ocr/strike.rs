//! Tells words that were struck out.

use crate::image::ink::Ink;

/// A stroke through a word covers at least this share of its columns.
const COVERED_MIN: f32 = 0.93;
/// Of the covered columns, this share must hold no more ink at the stroke than a pen is wide: elsewhere
/// it runs through letters, but between them it stands alone.
const THIN_MIN: f32 = 0.35;
/// As wide as a pen may be, in rows of a line that is 48 high.
const PEN_MAX: usize = 7;
/// The stroke runs within this part of the word's height: under the tops of tall letters, above the baseline.
const ZONE: std::ops::Range<f32> = 0.22..0.7;
/// It climbs or falls by at most this share of its length.
const SLOPE_MAX: f32 = 0.18;
/// More ink than this in a word's box is a scribble over it.
const SCRIBBLED_MIN: f32 = 0.6;
/// Narrower words have no room to tell a stroke from a letter's own bar.
const WIDTH_OF_HEIGHT_MIN: f32 = 1.2;

/// True when a line runs through the word between the given columns and rows, or it is scribbled over.
pub(super) fn is_struck_out(ink: &Ink, columns: (usize, usize), rows: (usize, usize), text: &str) -> bool {
    let width = columns.1.saturating_sub(columns.0);
    let height = rows.1.saturating_sub(rows.0);
    if (width as f32) < WIDTH_OF_HEIGHT_MIN * height as f32 || height < 8 || is_a_stroke_itself(text) {
        return false;
    }
    let inked =
        (rows.0..rows.1).map(|y| ink.row(y)[columns.0..columns.1].iter().filter(|mark| **mark).count());
    if inked.sum::<usize>() as f32 > SCRIBBLED_MIN * (width * height) as f32 {
        return true;
    }
    let zone = |share: f32| rows.0 + (height as f32 * share) as usize;
    let zone = zone(ZONE.start)..zone(ZONE.end);
    let climb_max = (width as f32 * SLOPE_MAX) as usize;
    zone.clone().step_by(2).any(|left| {
        let ends = zone.clone().step_by(2).filter(|right| right.abs_diff(left) <= climb_max);
        ends.into_iter().any(|right| is_stroke(ink, columns, left, right))
    })
}

/// Dashes, bars and equals signs are strokes without being struck out.
fn is_a_stroke_itself(text: &str) -> bool {
    text.chars().all(|character| !character.is_alphanumeric())
}

/// True when ink follows the straight line from the first column to the last, and thin ink often enough.
fn is_stroke(ink: &Ink, columns: (usize, usize), left: usize, right: usize) -> bool {
    let width = columns.1 - columns.0;
    let missing_max = (width as f32 * (1.0 - COVERED_MIN)) as usize;
    let (mut missing, mut thin) = (0, 0);
    for offset in 0..width {
        let along = offset as f32 / width as f32;
        let row = (left as f32 + (right as f32 - left as f32) * along).round() as usize;
        let near = [row, row.saturating_sub(1), row + 1];
        match near.into_iter().find(|y| ink.at(columns.0 + offset, *y)) {
            Some(y) => thin += usize::from(thickness(ink, columns.0 + offset, y) <= PEN_MAX),
            None => missing += 1,
        }
        if missing > missing_max {
            return false;
        }
    }
    thin as f32 >= THIN_MIN * (width - missing) as f32
}

/// How many rows of ink stand on one another at a pixel.
fn thickness(ink: &Ink, x: usize, y: usize) -> usize {
    let above = (0..y).rev().take_while(|row| ink.at(x, *row)).count();
    let below = (y..ink.height).take_while(|row| ink.at(x, *row)).count();
    above + below
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, RgbImage};

    /// Upright strokes as letters, with or without a line through them.
    fn word(line: impl Fn(u32) -> Option<u32>) -> Ink {
        Ink::of(&RgbImage::from_fn(160, 48, |x, y| {
            let letter = x % 14 < 3 && (8..40).contains(&y) || (36..39).contains(&y) && x % 14 < 9;
            let struck = line(x).is_some_and(|row| y.abs_diff(row) <= 1);
            Rgb([if letter || struck { 30 } else { 245 }; 3])
        }))
    }

    #[test]
    fn a_line_through_a_word_strikes_it_out_also_when_it_climbs() {
        assert!(is_struck_out(&word(|_| Some(24)), (0, 158), (8, 40), "word"));
        assert!(is_struck_out(&word(|x| Some(27 - x / 20)), (0, 158), (8, 40), "word"));
    }

    #[test]
    fn letters_underlines_and_dashes_do_not() {
        assert!(!is_struck_out(&word(|_| None), (0, 158), (8, 40), "word"));
        assert!(!is_struck_out(&word(|_| Some(45)), (0, 158), (8, 40), "word"));
        assert!(!is_struck_out(&word(|_| Some(24)), (0, 158), (8, 40), "——"));
        assert!(!is_struck_out(&word(|x| (x < 70).then_some(24)), (0, 158), (8, 40), "word"));
    }
}
