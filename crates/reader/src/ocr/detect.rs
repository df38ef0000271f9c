//! Finds lines of text: a network paints how likely each pixel is text, and the blobs become boxes.

use super::blobs::{Blob, blobs};
use super::frame::Frame;
use super::network::{self, Maps, Network};
use crate::image::geometry::Quad;
use crate::image::ink::{Ink, luminance};
use crate::image::scale;
use image::{RgbImage, imageops};
use std::ops::Range;

/// Pixels at least this likely are text.
const PIXEL_LIKELIHOOD_MIN: f32 = 0.3;
/// Boxes whose pixels are on average less likely are dropped.
const BOX_LIKELIHOOD_MIN: f32 = 0.5;
/// The network is trained to paint lines thinner than they are; boxes grow back by this ratio.
const GROWTH: f32 = 1.6;
/// A blob thinner than this many pixels of the network's map is dirt.
const THICKNESS_MIN: f32 = 3.0;
/// More lines than any page has; what is beyond it is noise.
const LINES_MAX: usize = 1000;
/// A page's shorter side is brought down to this before detection: large enough for handwriting, small
/// enough to be quick and for its memory to stay under 300 MB. A4 has then 116 pixels to the inch.
const SHORT_SIDE_MAX: f32 = 960.0;
/// A snippet's longer side is brought up to this, for small letters are not found.
const LONG_SIDE_MIN: f32 = 960.0;
/// The longer side is held below this, so that a till receipt cannot take all memory.
const LONG_SIDE_MAX: f32 = 2240.0;
/// Letters need not be higher than this for the network, in pixels: a page of larger writing is seen smaller...
const LETTER: f32 = 9.0;
/// ...as far down as this share of its size, for a little of what stands on it may be smaller...
const SMALLER_MIN: f32 = 0.65;
/// ...unless that would spare little.
const SMALLER_MAX: f32 = 0.85;
/// On a sheet of bubbles the ink is no letters, and those that it has are small. Fewer may be letters in rows.
const BUBBLES_MIN: usize = 30;
/// The share of a page's ink that may be in marks lower than its letters.
const LOWER_SHARE: f32 = 0.25;
/// Lower marks are dots and dust.
const DOT: usize = 4;
/// A mark that is wider, as a share of the page, is a rule or hangs together by one.
const MARK_WIDTH_MAX: f32 = 0.25;
/// Fewer marks say nothing about a page.
const MARKS_MIN: usize = 40;
/// The network halves its input five times.
const STRIDE: f32 = 32.0;

/// A line of text on the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// Its corners in picture coordinates.
    pub(super) place: Quad,
}

/// Every line of text on a picture with so many bubbles, in no particular order.
pub(super) fn lines(
    network: &Network,
    picture: &RgbImage,
    bubbles: usize,
) -> Result<Vec<Line>, rten::RunError> {
    let (mut width, mut height) = network_size(picture.width(), picture.height());
    let grey = luminance(picture);
    let mut seen = scale::grey(&grey, width, height);
    let letter = if bubbles < BUBBLES_MIN { letter_height(&Ink::of_grey(&seen)) } else { None };
    let share = letter.map_or(1.0, |height| LETTER / height).max(SMALLER_MIN);
    if share <= SMALLER_MAX {
        let side = |pixels: u32| in_strides(pixels as f32 * share);
        (width, height) = (side(width), side(height));
        seen = scale::grey(&grey, width, height);
    }
    let frame = Frame::around(&Ink::faint_of_grey(&seen), STRIDE as usize);
    frame.map_or(Ok(Vec::new()), |frame| lines_within(network, picture, (width, height), &frame))
}

/// The lines within a frame of a picture that is seen at this size.
fn lines_within(
    network: &Network,
    picture: &RgbImage,
    (width, height): (u32, u32),
    frame: &Frame,
) -> Result<Vec<Line>, rten::RunError> {
    let along = |at: usize, seen: u32, side: u32| (at as f32 * side as f32 / seen as f32).round() as u32;
    let across = |at: usize| along(at, width, picture.width());
    let down = |at: usize| along(at, height, picture.height());
    let (left, top) = (across(frame.columns.start), down(frame.rows.start));
    let (right, bottom) = (across(frame.columns.end), down(frame.rows.end));
    let part = cropped(picture, &(left..right), &(top..bottom));
    let seen = scale::rgb(&part, frame.columns.len() as u32, frame.rows.len() as u32);
    let mut lines = lines_on(network, &seen, part.dimensions())?;
    for corner in lines.iter_mut().flat_map(|line| &mut line.place.0) {
        (corner.x, corner.y) = (corner.x + left as f32, corner.y + top as f32);
    }
    Ok(lines)
}

/// A part of a picture, row by row: pixel by pixel takes several times as long.
fn cropped(picture: &RgbImage, columns: &Range<u32>, rows: &Range<u32>) -> RgbImage {
    let along = |column: u32| 3 * column as usize;
    let all = picture.as_raw().chunks_exact(along(picture.width()).max(1));
    let own = all.skip(rows.start as usize).take(rows.len());
    let own: Vec<&[u8]> = own.map(|row| &row[along(columns.start)..along(columns.end)]).collect();
    RgbImage::from_raw(columns.len() as u32, rows.len() as u32, own.concat()).unwrap_or_default()
}

/// The same, the picture seen at a given scale.
pub(super) fn lines_at(
    network: &Network,
    picture: &RgbImage,
    scale: f32,
) -> Result<Vec<Line>, rten::RunError> {
    let side = |pixels: u32| (pixels as f32 * scale / STRIDE).ceil().max(1.0) * STRIDE;
    let (width, height) = (side(picture.width()), side(picture.height()));
    // Each side is seen at the same scale, or letters would be stretched.
    let mut whole =
        RgbImage::from_pixel((width / scale) as u32, (height / scale) as u32, image::Rgb([250; 3]));
    imageops::replace(&mut whole, picture, 0, 0);
    lines_on(network, &scale::rgb(&whole, width as u32, height as u32), whole.dimensions())
}

/// The lines on a picture of this size that the network sees so.
fn lines_on(network: &Network, seen: &RgbImage, size: (u32, u32)) -> Result<Vec<Line>, rten::RunError> {
    let (width, height) = seen.dimensions();
    let map = network.run(maps(seen))?.numbers();
    if map.len() != width as usize * height as usize {
        return Ok(Vec::new());
    }
    let stretch = (size.0 as f32 / width as f32, size.1 as f32 / height as f32);
    let found = blobs(&map, width as usize, PIXEL_LIKELIHOOD_MIN);
    Ok(found.iter().filter_map(|blob| line(blob, stretch)).take(LINES_MAX).collect())
}

/// The size at which the network sees a picture: multiples of its stride.
fn network_size(width: u32, height: u32) -> (u32, u32) {
    let (short, long) = (width.min(height) as f32, width.max(height) as f32);
    let grown = (LONG_SIDE_MIN / long).max(1.0);
    let scale = grown.min(SHORT_SIDE_MAX / short).min(LONG_SIDE_MAX / long);
    (in_strides(width as f32 * scale), in_strides(height as f32 * scale))
}

fn in_strides(pixels: f32) -> u32 {
    ((pixels / STRIDE).round().max(1.0) * STRIDE) as u32
}

/// How high the lower ones of a page's letters are, in pixels; `None` when there are too few to tell.
fn letter_height(ink: &Ink) -> Option<f32> {
    let wide = (MARK_WIDTH_MAX * ink.width as f32) as usize;
    let mut marks: Vec<(usize, usize)> = Vec::new();
    for part in ink.parts() {
        let over = |along: fn(usize, usize) -> usize| {
            let places = part.iter().map(|at| along(*at, ink.width));
            places.fold((usize::MAX, 0), |(low, high), at| (low.min(at), high.max(at + 1)))
        };
        let ((top, bottom), (left, right)) = (over(|at, width| at / width), over(|at, width| at % width));
        if bottom - top >= DOT && right - left <= wide {
            marks.push((bottom - top, part.len()));
        }
    }
    if marks.len() < MARKS_MIN {
        return None;
    }
    marks.sort_unstable();
    let lower = LOWER_SHARE * marks.iter().map(|(_, size)| size).sum::<usize>() as f32;
    let mut passed = 0;
    let letter = marks.iter().find(|(_, size)| {
        passed += size;
        passed as f32 >= lower
    });
    letter.map(|(height, _)| *height as f32)
}

fn maps(picture: &RgbImage) -> Maps {
    let mut maps = Maps::new(1, picture.height() as usize, picture.width() as usize, 3);
    for (to, pixel) in maps.values.chunks_exact_mut(3).zip(picture.pixels()) {
        to.copy_from_slice(&network::levels(pixel.0));
    }
    maps
}

fn line(blob: &Blob, stretch: (f32, f32)) -> Option<Line> {
    if blob.mean < BOX_LIKELIHOOD_MIN {
        return None;
    }
    let rectangle = blob.tight_rectangle()?;
    let (long, thick) = (rectangle.length, rectangle.thickness);
    if thick < THICKNESS_MIN {
        return None;
    }
    let growth = long * thick * GROWTH / (2.0 * (long + thick));
    let mut place = rectangle.grown(growth).corners();
    for corner in &mut place.0 {
        corner.x *= stretch.0;
        corner.y *= stretch.1;
    }
    Some(Line { place })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Upright strokes of one height in rows, with a dot beside each.
    fn strokes(height: usize) -> Ink {
        let (width, pitch) = (600, 2 * height);
        let marks = (0..width * 800).map(|at| {
            let (x, y) = (at % width % 20, at / width % pitch);
            x < 3 && y < height || (8..10).contains(&x) && y < 2
        });
        Ink::from_marks(width, 800, marks.collect())
    }

    #[test]
    fn letters_are_measured_without_dots_and_rules() {
        assert_eq!(letter_height(&strokes(16)), Some(16.0));
        assert_eq!(letter_height(&strokes(40)), Some(40.0));
        let marks = (0..600 * 800).map(|at| at / 600 % 30 < 5);
        assert_eq!(letter_height(&Ink::from_marks(600, 800, marks.collect())), None, "rules alone");
    }

    #[test]
    fn pages_are_seen_at_a_bounded_size_in_strides() {
        for (width, height) in [(1, 1), (2480, 3508), (600, 90_000), (1240, 1754), (20_000, 17)] {
            let (wide, high) = network_size(width, height);
            assert!(wide % 32 == 0 && high % 32 == 0 && wide > 0 && high > 0);
            assert!(wide <= 2240 && high <= 2240, "{width} x {height} became {wide} x {high}");
        }
    }
}
