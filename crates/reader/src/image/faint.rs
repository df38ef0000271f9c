//! Faint strokes that clear ones go on in: a pencil that is photographed in the light leaves letters of which only pieces
//! are dark enough to be ink by themselves.

use super::ink::Ink;
use image::GrayImage;

/// What is darker than this hangs on to ink beside it; paper is brighter even where it is grainy.
const LEVEL: u8 = 226;
/// A stroke goes on for at most so many pixels: half of a letter.
const REACH: usize = 10;

/// The ink with what it goes on in. Nothing goes on where `kept_from` is: the rim of print is as faint.
pub(super) fn grown(ink: &Ink, grey: &GrayImage, kept_from: &Ink) -> Ink {
    let (width, height) = (ink.width, ink.height);
    let mut marks: Vec<bool> = (0..height).flat_map(|y| ink.row(y)).copied().collect();
    let levels = grey.as_raw();
    let mut ends: Vec<usize> = (0..marks.len()).filter(|at| marks[*at]).collect();
    for _ in 0..REACH {
        let mut next = Vec::new();
        for at in ends {
            let (x, y) = (at % width, at / width);
            for near_y in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                for near_x in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                    let near = near_y * width + near_x;
                    if !marks[near] && levels[near] < LEVEL && !kept_from.at(near_x, near_y) {
                        marks[near] = true;
                        next.push(near);
                    }
                }
            }
        }
        ends = next;
    }
    Ink::from_marks(width, height, marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::ink::luminance;
    use image::{Rgb, RgbImage};

    #[test]
    fn a_stroke_goes_on_where_it_is_faint_and_not_along_print() {
        let picture = RgbImage::from_fn(60, 30, |x, y| {
            let stroke = (10..13).contains(&x) && (5..20).contains(&y);
            let level = match (stroke, y) {
                (true, 10..14) => 180,
                (true, _) => 215,
                // The rim of a printed rule on which it stands.
                (false, 20..22) => 220,
                _ => 245,
            };
            Rgb([level; 3])
        });
        let print = Ink::from_marks(60, 30, (0..60 * 30).map(|at| at / 60 >= 20).collect());
        let grey = luminance(&picture);
        let clear = Ink::from_marks(60, 30, grey.as_raw().iter().map(|level| *level < 200).collect());
        let whole = grown(&clear, &grey, &print);
        assert!(whole.at(11, 5) && whole.at(11, 19) && !whole.at(11, 20) && !whole.at(14, 12));
        let nothing = Ink::from_marks(60, 30, Vec::new());
        assert_eq!(grown(&nothing, &grey, &print), nothing, "faint spots by themselves are no ink");
    }
}
