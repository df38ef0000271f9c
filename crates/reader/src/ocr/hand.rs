//! Guesses whether a line was written by hand.
//!
//! There is no network for this among the embedded ones, so it is a rule of thumb: ink with a colour
//! is a pen's, and print stands on its baseline to the pixel while a hand does not. It is right on most
//! lines of several words, and says "print" when it cannot tell. Where it matters (a student's answer on
//! a printed paper) the template decides, not this.

use super::recognise::Strip;
use crate::image::ink::Ink;

/// The mean difference between the strongest and the weakest channel of coloured ink.
const COLOUR_MIN: f32 = 38.0;
/// Letters below this share that end on the same row, within a pixel, are not print.
const ON_BASELINE_PRINT_MIN: f32 = 0.5;
/// With fewer separate letters nothing can be said.
const LETTERS_MIN: usize = 6;

/// True when the line's ink is coloured or its letters do not stand on a common line.
pub(super) fn looks_handwritten(strip: &Strip, ink: &Ink) -> bool {
    mean_colour(strip, ink) > COLOUR_MIN
        || share_on_baseline(ink).is_some_and(|share| share < ON_BASELINE_PRINT_MIN)
}

fn mean_colour(strip: &Strip, ink: &Ink) -> f32 {
    let inked = strip.picture.enumerate_pixels().filter(|(x, y, _)| ink.at(*x as usize, *y as usize));
    let (sum, count) = inked.fold((0.0, 0.0f32), |(sum, count), (_, _, pixel)| {
        let strongest = pixel.0.iter().max().copied().unwrap_or(0);
        let weakest = pixel.0.iter().min().copied().unwrap_or(0);
        (sum + f32::from(strongest - weakest), count + 1.0)
    });
    sum / count.max(1.0)
}

/// The share of letters whose foot is within a pixel of the most common foot. Tails (g, p, y) and
/// commas are a sixth of English letters, so print comes to about 0.8.
fn share_on_baseline(ink: &Ink) -> Option<f32> {
    let feet = letter_feet(ink);
    if feet.len() < LETTERS_MIN {
        return None;
    }
    let on = |row: usize| feet.iter().filter(|foot| foot.abs_diff(row) <= 1).count();
    let most = (0..ink.height).map(on).max().unwrap_or(0);
    Some(most as f32 / feet.len() as f32)
}

/// The lowest row of each stretch of columns that holds ink: about one a letter.
fn letter_feet(ink: &Ink) -> Vec<usize> {
    let foot_at = |x: usize| (0..ink.height).rev().find(|y| ink.at(x, *y));
    let mut feet = Vec::new();
    let mut current: Option<usize> = None;
    for foot in (0..ink.width).map(foot_at) {
        match (foot, &mut current) {
            (Some(foot), Some(lowest)) => *lowest = foot.max(*lowest),
            (Some(foot), None) => current = Some(foot),
            (None, _) => feet.extend(current.take()),
        }
    }
    feet.extend(current);
    feet
}
