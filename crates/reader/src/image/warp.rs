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
/// Bits of what a pixel counts for: two such shares of a level have room in 32.
const SHARE_BITS: u32 = 12;

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

/// A straight piece that lies within the picture, all its pixels side by side: in whole numbers, for to make such of
/// numbers takes as long as all the rest.
#[inline(always)]
fn inner(picture: &RgbImage, from: Point, to: Point, out: &mut [u8; 3 * STRAIGHT]) {
    let (pixels, row) = (picture.as_raw().as_slice(), 3 * picture.width() as usize);
    let parts = |from: f32, to: f32| {
        let part = |at: f32| (at * (1 << PLACE_BITS) as f32) as i32;
        let (start, step) = (part(from - 0.5), part((to - from) / STRAIGHT as f32));
        std::array::from_fn::<i32, STRAIGHT, _>(|at| start + step / 2 + step * at as i32)
    };
    let (xs, ys) = (parts(from.x, to.x), parts(from.y, to.y));
    let starts =
        std::array::from_fn(|at| (ys[at] >> PLACE_BITS) as usize * row + 3 * (xs[at] >> PLACE_BITS) as usize);
    let corners = corners(pixels, row, &starts);
    let share = |place: i32| (place as u32 % (1 << PLACE_BITS)) >> (PLACE_BITS - SHARE_BITS);
    let (across, down) = (xs.map(share), ys.map(share));
    let [mut red, mut green, mut blue] = [[0u8; STRAIGHT]; 3];
    mix::<0>(&corners, &across, &down, &mut red);
    mix::<8>(&corners, &across, &down, &mut green);
    mix::<16>(&corners, &across, &down, &mut blue);
    for (at, pixel) in out.as_chunks_mut::<3>().0.iter_mut().enumerate() {
        *pixel = [red[at], green[at], blue[at]];
    }
}

/// Two pixels above and two below for each of some places. They have six bytes each: the first four, and the last four.
struct Corners {
    above: [[u32; STRAIGHT]; 2],
    below: [[u32; STRAIGHT]; 2],
}

/// Not for the widest instructions: those that fetch from many places at once are slower than one fetch after another.
#[inline(never)]
fn corners(pixels: &[u8], row: usize, starts: &[usize; STRAIGHT]) -> Corners {
    let mut corners = Corners { above: [[u32::MAX; STRAIGHT]; 2], below: [[u32::MAX; STRAIGHT]; 2] };
    for (at, start) in starts.iter().enumerate() {
        let both = |start: usize| pixels.get(start..)?.first_chunk::<6>();
        let (Some(above), Some(below)) = (both(*start), both(start + row)) else { continue };
        for (pair, [first, last]) in [(above, &mut corners.above), (below, &mut corners.below)] {
            let [a, b, c, d, e, f] = *pair;
            (first[at], last[at]) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([c, d, e, f]));
        }
    }
    corners
}

/// A channel of the pixels between their corners, by where it begins among the bits of the first pixel.
#[inline(always)]
fn mix<const BIT: u32>(
    Corners { above, below }: &Corners,
    across: &[u32; STRAIGHT],
    down: &[u32; STRAIGHT],
    out: &mut [u8; STRAIGHT],
) {
    const WHOLE: u32 = 1 << SHARE_BITS;
    for at in 0..STRAIGHT {
        let mixed = |[first, last]: &[[u32; STRAIGHT]; 2]| {
            let (left, right) = ((first[at] >> BIT) & 255, (last[at] >> (BIT + 8)) & 255);
            left * (WHOLE - across[at]) + right * across[at]
        };
        let level = mixed(above) * (WHOLE - down[at]) + mixed(below) * down[at];
        out[at] = ((level + WHOLE * WHOLE / 2) >> (2 * SHARE_BITS)) as u8;
    }
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
