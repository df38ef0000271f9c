//! What is left of a page when its print is taken away as a picture: the ink of the student, and nothing else.

use super::faint;
use super::geometry::Point;
use super::ink::{Ink, luminance};
use super::maps::Map;
use super::register::Lay;
use super::warp::redrawn;
use crate::print::{self, Print};
use image::{Rgb, RgbImage};
use std::ops::Range;

/// The resolution at which a page is laid flat, in pixels to the inch.
pub(crate) const DPI: f32 = 150.0;
/// Print is widened by this many pixels, for no photo is quite where it should be.
const WIDENED: usize = 1;
/// Between the dots of a line to write on there are at most so many pixels: blurred, they join.
const DOTS_APART: usize = 3;
/// Blurred, print is as faint as pencil so many pixels beside it.
const RIM: usize = 2;
/// A stroke goes on under print that is no thicker than this, in pixels.
const BRIDGE_MAX: usize = 12;
/// Smaller spots than this, in pixels, are dust...
const DUST: usize = 3;
/// ...and up to this size they are only ink beside more of it: full stops, the dots of letters, a stroke that a scanner
/// broke into pieces...
const SMALL: usize = 9;
/// ...of so many pixels.
const BESIDE_MIN: usize = 24;
/// Spots no larger than a letter that lie at print for the most part are what is left of it, where the paper was printed
/// a little otherwise.
const LETTER: usize = 26;
const AT_PRINT_MIN: f32 = 0.7;
/// A stroke of so many pixels each way may be a tick in a box that is as large...
const STROKE_MIN: usize = 12;
/// ...when in the middle of its place nothing is printed, and it has so many pixels there...
const MIDDLE_MIN: usize = 9;
/// ...and a share of all: a tick's strokes may meet below the middle third, but hardly below the middle half.
const MIDDLES: [(usize, f32); 2] = [(3, 0.05), (4, 0.1)];
/// So many pixels beside the print are still at it.
const AT_PRINT: usize = 4;
/// Print is at least this share as high and as wide as what is left of it; a letter rises above the rule it stands on.
const AS_LARGE_MIN: f32 = 0.8;
/// What stands around ink and is shown with it, in pixels: its own half tones.
const HALO: usize = 2;
/// Ink that lies within so many pixels of the page's edge is what the page lies on, seen past it: 2 mm.
const EDGE: usize = 12;
/// Cells of so many pixels say where larger ink is.
const NEAR: usize = 24;

/// A page laid flat without its print.
pub(crate) struct Residue {
    /// White but for the student's ink.
    pub(crate) picture: RgbImage,
    pub(crate) ink: Ink,
    /// The page laid flat with all that stands on it.
    pub(crate) whole: RgbImage,
}

impl Residue {
    /// Takes the print away from an evenly lit picture.
    pub(crate) fn of(picture: &RgbImage, lay: &Lay, print: &Print) -> Residue {
        let scale = DPI / print::DPI;
        let (width, height) = print.size();
        let side = |pixels: usize| ((pixels as f32 * scale).round() as u32).max(1);
        let onto = |at: Point| lay.apply(Point::new(at.x / scale, at.y / scale));
        let whole = redrawn(picture, side(width), side(height), onto);
        let drawn = Map::of(&print.ink());
        let (width, height) = (whole.width() as usize, whole.height() as usize);
        let marks = drawn.enlarged((width, height), scale, 0.2);
        let mask = closed(&widened(&Ink::from_marks(width, height, marks), WIDENED));
        let clear = student_ink(&Ink::beside(&whole, &mask), &mask);
        let ink = faint::grown(&clear, &luminance(&whole), &widened(&mask, RIM));
        let ink = without_spots(&ink, &mask);
        let shown = widened(&ink, HALO);
        let mut picture = RgbImage::from_pixel(whole.width(), whole.height(), Rgb([250; 3]));
        for (x, y, pixel) in picture.enumerate_pixels_mut() {
            if shown.at(x as usize, y as usize) {
                *pixel = *whole.get_pixel(x, y);
            }
        }
        Residue { picture, ink, whole }
    }
}

/// The same with the gaps of its rows closed that are no wider than those between the dots of a line to write on.
fn closed(mask: &Ink) -> Ink {
    let mut marks = Vec::with_capacity(mask.width * mask.height);
    for y in 0..mask.height {
        let start = marks.len();
        marks.extend_from_slice(mask.row(y));
        let row = &mut marks[start..];
        let mut last: Option<usize> = None;
        for x in 0..mask.width {
            if row[x] {
                if let Some(last) = last.filter(|last| x - last <= DOTS_APART + 1) {
                    row[last..x].fill(true);
                }
                last = Some(x);
            }
        }
    }
    Ink::from_marks(mask.width, mask.height, marks)
}

/// Every pixel within a square of ink.
fn widened(ink: &Ink, by: usize) -> Ink {
    let mut marks = vec![false; ink.width * ink.height];
    let mut along = vec![false; ink.width];
    for y in 0..ink.height {
        along.fill(false);
        for (x, _) in ink.row(y).iter().enumerate().filter(|(_, mark)| **mark) {
            along[x.saturating_sub(by)..(x + by + 1).min(ink.width)].fill(true);
        }
        let near = y.saturating_sub(by)..(y + by + 1).min(ink.height);
        for row in marks[near.start * ink.width..near.end * ink.width].chunks_exact_mut(ink.width.max(1)) {
            row.iter_mut().zip(&along).for_each(|(mark, own)| *mark |= own);
        }
    }
    Ink::from_marks(ink.width, ink.height, marks)
}

/// Ink outside the print, and where a stroke crosses thin print, the stroke.
fn student_ink(ink: &Ink, mask: &Ink) -> Ink {
    let across = bridged(ink, mask);
    let down = bridged(&ink.transposed(), &mask.transposed()).transposed();
    let mut marks = Vec::with_capacity(ink.width * ink.height);
    for y in 0..ink.height {
        let bridged = across.row(y).iter().zip(down.row(y)).map(|(across, down)| across | down);
        let own = ink.row(y).iter().zip(mask.row(y)).zip(bridged);
        marks.extend(own.map(|((ink, mask), bridged)| ink & (!mask | bridged)));
    }
    Ink::from_marks(ink.width, ink.height, marks)
}

/// The ink under print that has ink on both sides of the print, along its row.
fn bridged(ink: &Ink, mask: &Ink) -> Ink {
    let mut marks = vec![false; ink.width * ink.height];
    for y in 0..ink.height {
        let (inked, printed) = (ink.row(y), mask.row(y));
        let mut x = 0;
        while x < ink.width {
            if !(inked[x] && printed[x]) {
                x += 1;
                continue;
            }
            let end = (x..ink.width).find(|at| !(inked[*at] && printed[*at])).unwrap_or(ink.width);
            let is_own = |at: usize| inked[at] && !printed[at];
            if end - x <= BRIDGE_MAX && x > 0 && is_own(x - 1) && end < ink.width && is_own(end) {
                marks[y * ink.width + x..y * ink.width + end].fill(true);
            }
            x = end;
        }
    }
    Ink::from_marks(ink.width, ink.height, marks)
}

/// Connected ink.
struct Spot {
    pixels: Vec<usize>,
    columns: Range<usize>,
    rows: Range<usize>,
    side: usize,
    is_at_edge: bool,
    /// Pixels beside print.
    beside: usize,
}

/// Without dust, the rests of print and what lies around the page.
fn without_spots(ink: &Ink, mask: &Ink) -> Ink {
    let near_print = widened(mask, AT_PRINT);
    let width = ink.width;
    let spots: Vec<Spot> = ink
        .parts()
        .into_iter()
        .map(|pixels| Spot::of(pixels, &near_print))
        .filter(|spot| spot.side >= DUST && !spot.is_at_edge && !spot.is_rest_of(mask))
        .collect();
    let (columns, rows) = (width / NEAR + 1, ink.height / NEAR + 1);
    let mut inked = vec![0; columns * rows];
    for at in spots.iter().flat_map(|spot| &spot.pixels) {
        inked[at / width / NEAR * columns + at % width / NEAR] += 1;
    }
    let has_neighbour = |spot: &Spot| {
        let (column, row) = (spot.pixels[0] % width / NEAR, spot.pixels[0] / width / NEAR);
        let rows = row.saturating_sub(1)..=(row + 1).min(rows - 1);
        let columns_near = column.saturating_sub(1)..=(column + 1).min(columns - 1);
        let near = rows.flat_map(|row| columns_near.clone().map(move |column| row * columns + column));
        near.map(|cell| inked[cell]).sum::<usize>() >= spot.pixels.len() + BESIDE_MIN
    };
    let mut marks = vec![false; width * ink.height];
    for spot in spots.iter().filter(|spot| spot.side > SMALL || has_neighbour(spot)) {
        spot.pixels.iter().for_each(|at| marks[*at] = true);
    }
    Ink::from_marks(width, ink.height, marks)
}

impl Spot {
    fn of(pixels: Vec<usize>, near_print: &Ink) -> Spot {
        let Ink { width, height, .. } = *near_print;
        let start = (usize::MAX, 0, usize::MAX, 0);
        let reach = pixels.iter().fold(start, |reach, at| {
            let (x, y) = (at % width, at / width);
            (reach.0.min(x), reach.1.max(x), reach.2.min(y), reach.3.max(y))
        });
        let side = (reach.1 - reach.0).max(reach.3 - reach.2) + 1;
        let is_at_edge =
            reach.1 < EDGE || reach.3 < EDGE || reach.0 + EDGE >= width || reach.2 + EDGE >= height;
        let beside = pixels.iter().filter(|at| near_print.at(*at % width, *at / width)).count();
        let (columns, rows) = (reach.0..reach.1 + 1, reach.2..reach.3 + 1);
        Spot { pixels, columns, rows, side, is_at_edge, beside }
    }

    /// True for what the print leaves where it is not quite where it should be.
    fn is_rest_of(&self, mask: &Ink) -> bool {
        let is_at_print = self.beside as f32 >= AT_PRINT_MIN * self.pixels.len() as f32;
        if self.side > LETTER || !is_at_print || self.runs_through_a_gap_of(mask) {
            return false;
        }
        let around = |own: &Range<usize>, end: usize| {
            own.start.saturating_sub(AT_PRINT)..(own.end + AT_PRINT).min(end)
        };
        let (columns, rows) = (around(&self.columns, mask.width), around(&self.rows, mask.height));
        let high = rows.clone().filter(|y| columns.clone().any(|x| mask.at(x, *y))).count();
        let wide = columns.filter(|x| rows.clone().any(|y| mask.at(*x, y))).count();
        let is_as_large = |print: usize, own: usize| print as f32 >= AS_LARGE_MIN * own as f32;
        is_as_large(high, self.rows.len()) && is_as_large(wide, self.columns.len())
    }

    /// True for a stroke through the middle of its place where nothing is printed: a tick in its box. What print leaves
    /// lies along the print.
    fn runs_through_a_gap_of(&self, mask: &Ink) -> bool {
        let is_stroke = self.columns.len().min(self.rows.len()) >= STROKE_MIN;
        is_stroke && MIDDLES.iter().any(|(part, share)| self.fills_the_middle_of(mask, *part, *share))
    }

    /// True for a part of its place from the middle on, within print on all sides, without print and with this share of
    /// its pixels.
    fn fills_the_middle_of(&self, mask: &Ink, part: usize, share: f32) -> bool {
        let middle = |own: &Range<usize>| own.start + own.len() / part..own.end - own.len() / part;
        let (columns, rows) = (middle(&self.columns), middle(&self.rows));
        let is_bare = rows.clone().all(|y| columns.clone().all(|x| !mask.at(x, y)));
        let within = self.pixels.iter().map(|at| (at % mask.width, at / mask.width));
        let within = within.filter(|(x, y)| columns.contains(x) && rows.contains(y)).count();
        let least = (share * self.pixels.len() as f32).max(MIDDLE_MIN as f32);
        // A box has print on all sides of the stroke's middle; its ends may lie on the box or beyond.
        let (x, y) = (usize::midpoint(columns.start, columns.end), usize::midpoint(rows.start, rows.end));
        let (left, above) = (x.saturating_sub(LETTER), y.saturating_sub(LETTER));
        let is_boxed = (left..x).any(|x| mask.at(x, y))
            && (x..x + LETTER).any(|x| mask.at(x, y))
            && (above..y).any(|y| mask.at(x, y))
            && (y..y + LETTER).any(|y| mask.at(x, y));
        is_bare && is_boxed && within as f32 >= least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(width: usize, height: usize, is_ink: impl Fn(usize, usize) -> bool) -> Ink {
        let marks = (0..width * height).map(|at| is_ink(at % width, at / width)).collect();
        Ink::from_marks(width, height, marks)
    }

    #[test]
    fn print_goes_and_strokes_across_it_stay_whole() {
        let rule = |y: usize| (50..53).contains(&y);
        let mask = widened(&drawn(200, 100, |_, y| rule(y)), WIDENED);
        // A stroke down across the rule, another that stands on it, and the rule's blurred rim.
        let stroke = |x: usize, y: usize| (60..64).contains(&x) && (20..80).contains(&y);
        let standing = |x: usize, y: usize| (100..104).contains(&x) && (20..52).contains(&y);
        let rim = |x: usize, y: usize| y == 48 && (130..137).contains(&x);
        let ink = drawn(200, 100, |x, y| rule(y) || stroke(x, y) || standing(x, y) || rim(x, y));
        let left = without_spots(&student_ink(&ink, &mask), &mask);
        assert!(left.at(61, 51) && left.at(61, 30) && left.at(61, 70), "the crossing stroke is whole");
        assert!(left.at(101, 40) && !left.at(101, 51), "what stands on the rule ends there");
        assert!(!left.at(20, 51) && !left.at(133, 48), "the rule and its rim are gone");
    }

    #[test]
    fn dust_goes_and_full_stops_stay() {
        let mask = drawn(400, 100, |_, _| false);
        let ink = drawn(400, 100, |x, y| {
            let word = (50..110).contains(&x) && (40..60).contains(&y) && x % 6 < 3;
            let word = word || (50..110).contains(&x) && y == 50;
            let stop = (114..118).contains(&x) && (56..60).contains(&y);
            let speck = (300..305).contains(&x) && (20..24).contains(&y);
            let table = x < 4 && (20..70).contains(&y);
            word || stop || speck || table
        });
        let left = without_spots(&student_ink(&ink, &mask), &mask);
        assert!(left.at(55, 45) && left.at(115, 57) && !left.at(302, 22));
        assert!(!left.at(2, 40), "what lies beside the page");
    }

    #[test]
    fn small_letters_on_a_dotted_line_stay_and_its_rests_go() {
        let dots = |x: usize, y: usize| x % 8 < 4 && (50..54).contains(&y);
        let mask = closed(&widened(&drawn(200, 100, dots), WIDENED));
        // A low letter that stands on the dots, and dots that were printed two pixels lower than they were drawn.
        let letter = |x: usize, y: usize| (60..72).contains(&x) && (43..50).contains(&y) && x % 10 < 3;
        let letter = |x: usize, y: usize| letter(x, y) || (60..72).contains(&x) && y == 45;
        let ink = drawn(200, 100, |x, y| letter(x, y) || x > 100 && y > 2 && dots(x, y - 2));
        let left = without_spots(&student_ink(&ink, &mask), &mask);
        assert!(left.at(61, 43) && left.at(66, 45), "the letter stays");
        assert!((100..200).all(|x| !left.at(x, 55)), "the dots go");
    }

    #[test]
    fn a_tick_in_its_box_stays_and_the_rim_of_a_printed_ring_goes() {
        let rim = |x: usize, y: usize, side: usize| x.min(y).min(side - 1 - x).min(side - 1 - y) < 2;
        let boxed = |x: usize, y: usize| {
            let is_inside = (40..63).contains(&x) && (40..63).contains(&y);
            is_inside && rim(x - 40, y - 40, 23)
        };
        let ring = |x: usize, y: usize, off: f32| {
            let reach = (x as f32 - 120.0 - off).hypot(y as f32 - 50.0);
            (8.0..11.0).contains(&reach)
        };
        let mask = closed(&widened(&drawn(200, 100, |x, y| boxed(x, y) || ring(x, y, 0.0)), WIDENED));
        // Down to the right and up again, and a ring that was printed a little beside where it was drawn.
        let tick = |x: usize, y: usize| {
            let (down, up) = (y as i32 - x as i32 - 6, y as i32 + x as i32 - 108);
            (43..50).contains(&x) && (0..4).contains(&down) || (49..62).contains(&x) && (-2..2).contains(&up)
        };
        let ink = drawn(200, 100, |x, y| boxed(x, y) || tick(x, y) || ring(x, y, 3.0));
        let left = without_spots(&student_ink(&ink, &mask), &mask);
        assert!((52..56).any(|x| (48..58).any(|y| left.at(x, y))), "the tick");
        assert!((100..145).all(|x| (30..70).all(|y| !left.at(x, y))), "what the ring left");
    }

    #[test]
    fn a_tick_whose_strokes_meet_low_in_its_box_stays_and_a_side_of_a_box_goes() {
        let side = |x: usize, y: usize, left: usize| {
            let is_inside = (left..left + 24).contains(&x) && (40..64).contains(&y);
            is_inside && (x - left).min(y - 40).min(left + 23 - x).min(63 - y) < 2
        };
        let mask = closed(&widened(&drawn(200, 100, |x, y| side(x, y, 40) || side(x, y, 120)), WIDENED));
        let tick = |x: usize, y: usize| {
            let (down, up) = (y as i32 - x as i32 - 4, y as i32 + x as i32 - 108);
            (44..52).contains(&x) && (4..7).contains(&down) || (51..61).contains(&x) && (-2..2).contains(&up)
        };
        // The second box was printed a little to the left of where it was drawn.
        let ink = drawn(200, 100, |x, y| side(x, y, 40) || tick(x, y) || side(x, y, 117));
        let left = without_spots(&student_ink(&ink, &mask), &mask);
        assert!((44..61).any(|x| (46..61).any(|y| left.at(x, y))), "the tick");
        assert!((110..150).all(|x| (30..70).all(|y| !left.at(x, y))), "the side");
    }

    #[test]
    fn blurred_dots_are_not_taken_for_a_stroke_across_them() {
        let dots = |x: usize, y: usize| x % 8 < 4 && (50..54).contains(&y);
        let mask = closed(&widened(&drawn(200, 100, dots), WIDENED));
        let ink = drawn(200, 100, |_, y| (50..54).contains(&y));
        let left = student_ink(&ink, &mask);
        assert!((20..180).all(|x| !left.at(x, 52)));
    }

    #[test]
    fn a_stroke_that_fell_to_pieces_stays() {
        let mask = drawn(200, 100, |_, _| false);
        let ink = drawn(200, 100, |x, y| {
            let broken = (50..90).contains(&x) && (40..70).contains(&y) && (x + y) % 10 < 5 && y % 8 < 5;
            broken || (150..155).contains(&x) && (20..24).contains(&y)
        });
        let left = without_spots(&ink, &mask);
        assert!((50..90).any(|x| left.at(x, 57)), "pieces beside each other");
        assert!(!left.at(152, 22), "a speck by itself");
    }
}
