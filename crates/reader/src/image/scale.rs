//! Pictures made smaller or larger, each new pixel the mean of those around it, nearer ones counting for more.
//!
//! The same as the `image` crate's triangle filter, pixel for pixel, but row by row: that one goes down the columns of a
//! picture of floats, which takes several times as long.

use image::{GrayImage, RgbImage};
use rten_simd::{Isa, SimdOp};

/// A picture in colours at another size.
pub(crate) fn rgb(picture: &RgbImage, width: u32, height: u32) -> RgbImage {
    let pixels = scaled::<3>(picture.as_raw(), picture.dimensions(), (width, height));
    RgbImage::from_raw(width, height, pixels).unwrap_or_default()
}

/// A grey picture at another size.
pub(crate) fn grey(picture: &GrayImage, width: u32, height: u32) -> GrayImage {
    let pixels = scaled::<1>(picture.as_raw(), picture.dimensions(), (width, height));
    GrayImage::from_raw(width, height, pixels).unwrap_or_default()
}

/// Which pixels along a side a new one is made of, and how much each counts.
struct Part {
    first: usize,
    shares: Vec<f32>,
}

fn parts(from: u32, to: u32) -> Vec<Part> {
    let ratio = from as f32 / to as f32;
    let reach = ratio.max(1.0);
    let part = |index: u32| {
        let middle = (index as f32 + 0.5) * ratio;
        let first = ((middle - reach).floor().max(0.0) as u32).min(from - 1);
        let last = ((middle + reach).ceil() as u32).clamp(first + 1, from);
        let share = |at: u32| (1.0 - ((at as f32 - (middle - 0.5)) / reach).abs()).max(0.0);
        let sum: f32 = (first..last).map(share).sum();
        Part { first: first as usize, shares: (first..last).map(|at| share(at) / sum).collect() }
    };
    (0..to).map(part).collect()
}

fn scaled<const CHANNELS: usize>(pixels: &[u8], from: (u32, u32), to: (u32, u32)) -> Vec<u8> {
    if from == to || from.0 == 0 || from.1 == 0 {
        return pixels.to_vec();
    }
    let (across, down) = (parts(from.0, to.0), parts(from.1, to.1));
    let length = from.0 as usize * CHANNELS;
    let mut row = vec![0.0f32; length];
    let mut out = vec![0; to.0 as usize * to.1 as usize * CHANNELS];
    for (part, out) in down.iter().zip(out.chunks_exact_mut((to.0 as usize * CHANNELS).max(1))) {
        let rows = &pixels[part.first * length..];
        Row::<CHANNELS> { rows, shares: &part.shares, row: &mut row, across: &across, out }.dispatch();
    }
    out
}

/// A row of the new picture.
struct Row<'r, const CHANNELS: usize> {
    /// The rows that it is made of.
    rows: &'r [u8],
    shares: &'r [f32],
    /// Their mean.
    row: &'r mut [f32],
    across: &'r [Part],
    out: &'r mut [u8],
}

impl<const CHANNELS: usize> SimdOp for Row<'_, CHANNELS> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        self.row.fill(0.0);
        for (from, share) in self.rows.chunks_exact(self.row.len()).zip(self.shares) {
            for (sum, level) in self.row.iter_mut().zip(from) {
                *sum += f32::from(*level) * share;
            }
        }
        let (row, _) = self.row.as_chunks::<CHANNELS>();
        let (out, _) = self.out.as_chunks_mut::<CHANNELS>();
        for (part, pixel) in self.across.iter().zip(out) {
            let mut sums = [0.0f32; CHANNELS];
            for (levels, share) in row[part.first..].iter().zip(&part.shares) {
                for channel in 0..CHANNELS {
                    sums[channel] += levels[channel] * share;
                }
            }
            *pixel = sums.map(|sum| (sum + 0.5) as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Luma, Rgb, imageops};

    #[test]
    fn pictures_are_scaled_as_by_the_triangle_filter() {
        let noise = |x: u32, y: u32| ((x * 7919 + y * 104_729) % 251) as u8;
        let colours = RgbImage::from_fn(61, 47, |x, y| Rgb([noise(x, y), noise(y, x), noise(x + y, 3)]));
        let greys = GrayImage::from_fn(61, 47, |x, y| Luma([noise(x, y)]));
        for (width, height) in [(61, 47), (30, 20), (122, 50), (7, 90), (1, 1)] {
            let expected = imageops::resize(&colours, width, height, imageops::FilterType::Triangle);
            assert_eq!(rgb(&colours, width, height), expected, "{width} x {height}");
            let expected = imageops::resize(&greys, width, height, imageops::FilterType::Triangle);
            assert_eq!(grey(&greys, width, height), expected, "{width} x {height}");
        }
    }
}
