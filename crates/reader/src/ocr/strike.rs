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

/// Words that are read more surely than this are struck out by nothing but a stroke that runs past them: what seems to be
/// one are round letters that blur has joined.
const SURE: f32 = 0.97;
/// A stroke runs past a word when it goes on by itself for so many columns of a line that is 48 high.
const PAST_MIN: usize = 4;
/// A stroke that runs past a word by this much in all is told by that, however thick the letters under it are...
const FAR_PAST_MIN: usize = 8;
/// ...when it covers this share of the columns.
const COVERED_ALL: f32 = 0.97;

/// What a stroke does to a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Struck {
    No,
    /// A stroke may run through it that does not run past it: it is struck out where a neighbour is that it hangs on.
    Perhaps,
    Yes,
}

/// Whether a line runs through the word between the given columns and rows, or it is scribbled over.
pub(super) fn struck(
    ink: &Ink,
    columns: (usize, usize),
    rows: (usize, usize),
    text: &str,
    confidence: f32,
) -> Struck {
    let width = columns.1.saturating_sub(columns.0);
    let height = rows.1.saturating_sub(rows.0);
    if (width as f32) < WIDTH_OF_HEIGHT_MIN * height as f32 || height < 8 || is_a_stroke_itself(text) {
        return Struck::No;
    }
    let is_sure = confidence >= SURE;
    let inked =
        (rows.0..rows.1).map(|y| ink.row(y)[columns.0..columns.1].iter().filter(|mark| **mark).count());
    if !is_sure && inked.sum::<usize>() as f32 > SCRIBBLED_MIN * (width * height) as f32 {
        return Struck::Yes;
    }
    let zone = |share: f32| rows.0 + (height as f32 * share) as usize;
    let zone = zone(ZONE.start)..zone(ZONE.end);
    let climb_max = (width as f32 * SLOPE_MAX) as usize;
    let mut most = Struck::No;
    for left in zone.clone().step_by(2) {
        for right in zone.clone().step_by(2).filter(|right| right.abs_diff(left) <= climb_max) {
            let stroke = Stroke::along(ink, columns, rows, (left, right));
            most = most.max(stroke.map_or(Struck::No, |stroke| stroke.strikes(is_sure)));
            if most == Struck::Yes {
                return most;
            }
        }
    }
    most
}

/// Dashes, bars and equals signs are strokes without being struck out.
fn is_a_stroke_itself(text: &str) -> bool {
    text.chars().all(|character| !character.is_alphanumeric())
}

/// Ink that follows a straight line from a word's first column to its last.
struct Stroke {
    width: usize,
    /// Columns without ink at the line.
    missing: usize,
    /// Columns in which it is as thin as a pen.
    thin: usize,
    /// Columns at the word's beginning and end that hold nothing else.
    before: usize,
    behind: usize,
}

impl Stroke {
    fn along(
        ink: &Ink,
        columns: (usize, usize),
        rows: (usize, usize),
        (left, right): (usize, usize),
    ) -> Option<Stroke> {
        let width = columns.1 - columns.0;
        let missing_max = (width as f32 * (1.0 - COVERED_MIN)) as usize;
        let followed = |offset: usize| {
            let along = offset as f32 / width as f32;
            // Rounded; both ends are rows of the picture.
            let row = (left as f32 + (right as f32 - left as f32) * along + 0.5) as usize;
            let near = [row, row.saturating_sub(1), row + 1];
            near.into_iter().find(|y| ink.at(columns.0 + offset, *y))
        };
        // Most lines follow no stroke, and that alone is soon seen.
        if (0..width).filter(|offset| followed(*offset).is_none()).nth(missing_max).is_some() {
            return None;
        }
        let mut stroke = Stroke { width, missing: 0, thin: 0, before: 0, behind: 0 };
        for offset in 0..width {
            let x = columns.0 + offset;
            let Some(y) = followed(offset) else {
                (stroke.missing, stroke.behind) = (stroke.missing + 1, 0);
                continue;
            };
            let thick = thickness(ink, x, y);
            stroke.thin += usize::from(thick <= PEN_MAX);
            let is_alone =
                thick <= PEN_MAX && (rows.0..rows.1).filter(|row| ink.at(x, *row)).count() <= thick;
            stroke.behind = if is_alone { stroke.behind + 1 } else { 0 };
            if stroke.behind == offset + 1 {
                stroke.before = stroke.behind;
            }
        }
        Some(stroke)
    }

    fn strikes(&self, is_sure: bool) -> Struck {
        let covered = self.width - self.missing;
        let is_thin = self.thin as f32 >= THIN_MIN * covered as f32;
        let past = self.before + self.behind;
        let is_struck = match is_sure {
            true => is_thin && self.before.min(self.behind) >= PAST_MIN,
            false => {
                is_thin && past >= PAST_MIN
                    || past >= FAR_PAST_MIN && covered as f32 >= COVERED_ALL * self.width as f32
            }
        };
        match (is_struck, is_thin) {
            (true, _) => Struck::Yes,
            (false, true) => Struck::Perhaps,
            (false, false) => Struck::No,
        }
    }
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
            let within = (8..150).contains(&x);
            let upright = (x + 6) % 14 < 3 && (8..40).contains(&y);
            let letter = within && (upright || (36..39).contains(&y) && (x + 6) % 14 < 9);
            let struck = line(x).is_some_and(|row| y.abs_diff(row) <= 1);
            Rgb([if letter || struck { 30 } else { 245 }; 3])
        }))
    }

    /// What a stroke does that is there where `line` gives a row; a word ends before the columns 8 and 150.
    fn seen(confidence: f32, line: impl Fn(u32) -> Option<u32>) -> Struck {
        struck(&word(line), (0, 158), (8, 40), "word", confidence)
    }

    #[test]
    fn a_line_through_a_word_strikes_it_out_also_when_it_climbs() {
        assert_eq!(seen(0.8, |_| Some(24)), Struck::Yes);
        assert_eq!(seen(0.8, |x| Some(27 - x / 20)), Struck::Yes);
        assert_eq!(seen(0.99, |_| Some(24)), Struck::Yes);
    }

    #[test]
    fn a_line_that_ends_with_a_word_strikes_it_out_only_beside_a_struck_one() {
        let within = |confidence, to| {
            let through = word(|x| (14..to).contains(&x).then_some(24));
            struck(&through, (14, to as usize), (8, 40), "word", confidence)
        };
        assert_eq!(within(0.99, 143), Struck::Perhaps);
        assert_eq!((within(0.99, 156), within(0.8, 156)), (Struck::Perhaps, Struck::Yes));
    }

    #[test]
    fn letters_underlines_and_dashes_do_not() {
        assert_eq!(seen(0.8, |_| None), Struck::No);
        assert_eq!(seen(0.8, |_| Some(45)), Struck::No);
        assert_eq!(struck(&word(|_| Some(24)), (0, 158), (8, 40), "——", 0.8), Struck::No);
        assert_eq!(seen(0.8, |x| (x < 70).then_some(24)), Struck::No);
    }
}
