//! Draws a picture anew: each pixel of the new one says where on the old one it lies.

use super::geometry::{Point, Projection};
use image::{Rgb, RgbImage};
use rten_simd::{Isa, SimdOp};

/// Over so many pixels of a new picture the old one is taken to lie straight.
const STRAIGHT: usize = 8;
/// So far from the picture's edge no rounding reaches over it.
const EDGE: f32 = 0.01;
/// Bits behind the point of a place on the picture: before it there is room for pictures of 32,768 pixels.
const PLACE_BITS: u32 = 16;
/// Bits of what a row of pixels counts for: a level has room in 16 with them.
const DOWN_BITS: u32 = 8;
/// Bits of what one of two pixels beside each other counts for after that.
const ACROSS_BITS: u32 = 12;

/// Draws a new picture by asking, for each of its pixels, where in the old one it lies. White outside.
pub fn warp(picture: &RgbImage, to_source: &Projection, width: u32, height: u32) -> RgbImage {
    // When the new picture is coarser than the old one, each pixel is the mean of several samples,
    // or thin strokes would fall between them.
    let middle = Point::new(width as f32 / 2.0, height as f32 / 2.0);
    let step = to_source.apply(middle).distance(to_source.apply(Point::new(middle.x, middle.y + 1.0)));
    let samples = if step > 1.4 { (step.round() as u32).clamp(2, 4) } else { 1 };
    if samples == 1 {
        return redrawn(picture, width, height, |at| to_source.apply(at));
    }
    let mut target = RgbImage::new(width, height);
    for (x, y, pixel) in target.enumerate_pixels_mut() {
        let mut sum = [0.0f32; 3];
        for sub in 0..samples * samples {
            let offset = |index: u32| (index as f32 + 0.5) / samples as f32;
            let at = Point::new(x as f32 + offset(sub % samples), y as f32 + offset(sub / samples));
            let colour = sample(picture, to_source.apply(at));
            sum.iter_mut().zip(colour).for_each(|(total, value)| *total += value);
        }
        *pixel = Rgb(sum.map(|total| (total / (samples * samples) as f32 + 0.5) as u8));
    }
    target
}

/// Draws a new picture of which `onto` says where on the old one its points lie. White outside.
pub(super) fn redrawn(
    picture: &RgbImage,
    width: u32,
    height: u32,
    onto: impl Fn(Point) -> Point,
) -> RgbImage {
    let places = |row: usize| -> Vec<Point> {
        let columns = 0..=(width as usize).div_ceil(STRAIGHT);
        columns.map(|column| onto(Point::new((column * STRAIGHT) as f32, (row * STRAIGHT) as f32))).collect()
    };
    let mut page = RgbImage::new(width, height);
    let (mut upper, mut lower) = (places(0), places(1));
    for (y, out) in page.as_mut().chunks_exact_mut(3 * (width as usize).max(1)).enumerate() {
        if y > 0 && y.is_multiple_of(STRAIGHT) {
            upper = std::mem::replace(&mut lower, places(y / STRAIGHT + 1));
        }
        let ends: Vec<Point> =
            upper.iter().zip(&lower).map(|(above, below)| above.towards(*below, along(y))).collect();
        Row { picture, ends: &ends, out }.dispatch();
    }
    page
}

/// How far along its straight piece the middle of a pixel lies.
fn along(at: usize) -> f32 {
    ((at % STRAIGHT) as f32 + 0.5) / STRAIGHT as f32
}

/// The colour at a point by bilinear interpolation.
#[inline]
fn sample(picture: &RgbImage, at: Point) -> [f32; 3] {
    let (width, height) = picture.dimensions();
    let (x, y) = (at.x - 0.5, at.y - 0.5);
    if !(x > -1.0 && y > -1.0 && x < width as f32 && y < height as f32) {
        return [255.0; 3];
    }
    // Half a pixel beyond the edge is still the edge's colour.
    let (x, y) = (x.max(0.0), y.max(0.0));
    let (left, top) = (x as usize, y as usize);
    let (across, down) = (x - left as f32, y - top as f32);
    let (pixels, _) = picture.as_raw().as_chunks::<3>();
    let (width, height) = (width as usize, height as usize);
    // Beyond the last column and row there is nothing to mix with.
    let right = usize::from(left + 1 < width);
    let (upper, lower) = (top * width + left, (top + 1).min(height - 1) * width + left);
    let corners = [pixels[upper], pixels[upper + right], pixels[lower], pixels[lower + right]];
    std::array::from_fn(|channel| {
        let [upper_left, upper_right, lower_left, lower_right] =
            corners.map(|pixel| f32::from(pixel[channel]));
        let above = upper_left * (1.0 - across) + upper_right * across;
        let below = lower_left * (1.0 - across) + lower_right * across;
        above * (1.0 - down) + below * down
    })
}

/// A row of the new picture.
struct Row<'r> {
    picture: &'r RgbImage,
    /// Where on the old picture its straight pieces begin and end.
    ends: &'r [Point],
    out: &'r mut [u8],
}

impl SimdOp for Row<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        let (width, height) = (self.picture.width() as f32, self.picture.height() as f32);
        let is_within = |at: Point| {
            at.x > 0.5 + EDGE && at.y > 0.5 + EDGE && at.x < width - 0.5 - EDGE && at.y < height - 0.5 - EDGE
        };
        let side_max = (1 << (31 - PLACE_BITS)) as f32;
        let is_small = width < side_max && height < side_max;
        for (piece, ends) in self.out.chunks_mut(3 * STRAIGHT).zip(self.ends.windows(2)) {
            let (from, to) = (ends[0], ends[1]);
            match piece.as_mut_array::<{ 3 * STRAIGHT }>() {
                Some(piece) if is_small && is_within(from) && is_within(to) => {
                    inner(self.picture, from, to, piece);
                }
                _ => {
                    for (x, pixel) in piece.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                        *pixel =
                            sample(self.picture, from.towards(to, along(x))).map(|level| (level + 0.5) as u8);
                    }
                }
            }
        }
    }
}

/// A straight piece that lies within the picture, pixel by pixel, in whole numbers: to make such of numbers takes
/// as long as all the rest.
#[inline(always)]
fn inner(picture: &RgbImage, from: Point, to: Point, out: &mut [u8; 3 * STRAIGHT]) {
    let (pixels, row) = (picture.as_raw().as_slice(), 3 * picture.width() as usize);
    let part = |at: f32| (at * (1 << PLACE_BITS) as f32) as i32;
    let start_and_step = |from: f32, to: f32| {
        let step = part((to - from) / STRAIGHT as f32);
        (part(from - 0.5) + step / 2, step)
    };
    let ((mut x, across), (mut y, down)) = (start_and_step(from.x, to.x), start_and_step(from.y, to.y));
    for pixel in out.as_chunks_mut::<3>().0 {
        let start = (y >> PLACE_BITS) as usize * row + 3 * (x >> PLACE_BITS) as usize;
        let two = |start: usize| pixels.get(start..)?.first_chunk::<8>();
        *pixel = match (two(start), two(start + row)) {
            (Some(above), Some(below)) => mixed(*above, *below, share(x, ACROSS_BITS), share(y, DOWN_BITS)),
            // Right before the picture's end there are no two bytes more.
            _ => {
                let place = |at: i32| at as f32 / (1 << PLACE_BITS) as f32 + 0.5;
                sample(picture, Point::new(place(x), place(y))).map(|level| (level + 0.5) as u8)
            }
        };
        (x, y) = (x + across, y + down);
    }
}

/// How far beyond its pixel a place lies, in so many bits.
#[inline(always)]
fn share(place: i32, bits: u32) -> u64 {
    let rounding = 1 << (PLACE_BITS - bits - 1);
    u64::from(((place as u32 % (1 << PLACE_BITS)) + rounding) >> (PLACE_BITS - bits))
}

/// The colour between two pixels above and two below, of which there are two bytes more than is needed. A number of 64
/// bits holds several levels, each with room to be multiplied: so they are mixed together.
#[inline(always)]
fn mixed(above: [u8; 8], below: [u8; 8], across: u64, down: u64) -> [u8; 3] {
    const EVERY_OTHER: u64 = 0x00FF_00FF_00FF_00FF;
    const BITS: u32 = ACROSS_BITS + DOWN_BITS;
    let (above, below) = (u64::from_le_bytes(above), u64::from_le_bytes(below));
    let between = |above: u64, below: u64| {
        (above & EVERY_OTHER) * ((1 << DOWN_BITS) - down) + (below & EVERY_OTHER) * down
    };
    // The first pixel's red and blue and the second's green; the first's green and the second's red and blue.
    let (even, odd) = (between(above, below), between(above >> 8, below >> 8));
    let level = |pair: u64, at: u32| (pair >> (16 * at)) & 0xFFFF;
    let beside = |left: u64, right: u64| {
        let rounding = 1 << (BITS - 1);
        ((left * ((1 << ACROSS_BITS) - across) + right * across + rounding) >> BITS) as u8
    };
    [
        beside(level(even, 0), level(odd, 1)),
        beside(level(odd, 0), level(even, 2)),
        beside(level(even, 1), level(odd, 2)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::geometry::Quad;

    #[test]
    fn pixels_side_by_side_are_those_that_are_asked_for_one_by_one() {
        let picture =
            RgbImage::from_fn(61, 47, |x, y| Rgb([4 * x as u8, 5 * y as u8, 250 - 2 * (x + y) as u8]));
        // Leaning, but without perspective, in which pixels lie a little off the straight.
        let corners = |off: f32| {
            Quad([
                Point::new(2.0 - off, 3.0),
                Point::new(58.0 - off, 1.0 - off),
                Point::new(57.0 + off, 44.0 - off),
                Point::new(1.0 + off, 46.0),
            ])
        };
        for (off, width, height) in [(0.0, 61, 47), (6.0, 70, 59), (-15.0, 83, 9), (0.0, 3, 3)] {
            let page = Quad::upright(width as f32, height as f32);
            let onto = Projection::between(&page, &corners(off)).unwrap();
            let drawn = redrawn(&picture, width, height, |at| onto.apply(at));
            for (x, y, pixel) in drawn.enumerate_pixels() {
                let place = onto.apply(Point::new(x as f32 + 0.5, y as f32 + 0.5));
                let is_beside = |at: f32, side: f32| (at + 0.5).abs() < 0.5 || (at - side - 0.5).abs() < 0.5;
                if is_beside(place.x, 61.0) || is_beside(place.y, 47.0) {
                    continue;
                }
                let level = sample(&picture, place);
                let is_near = |(own, level): (&u8, f32)| (f32::from(*own) - level).abs() < 1.0;
                assert!(pixel.0.iter().zip(level).all(is_near), "{x}, {y}: {pixel:?} for {level:?}");
            }
        }
        assert_eq!(redrawn(&picture, 0, 4, |at| at).dimensions(), (0, 4));
        assert_eq!(redrawn(&picture, 61, 47, |at| at), picture);
        assert_eq!(redrawn(&RgbImage::new(0, 0), 9, 2, |at| at), RgbImage::from_pixel(9, 2, Rgb([255; 3])));
    }
}
