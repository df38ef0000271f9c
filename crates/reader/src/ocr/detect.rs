//! Finds lines of text: a network paints how likely each pixel is text, and the blobs become boxes.

use super::blobs::{Blob, blobs};
use super::network::{self, Maps, Network};
use crate::image::geometry::Quad;
use crate::image::scale;
use image::{RgbImage, imageops};

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
/// The network halves its input five times.
const STRIDE: f32 = 32.0;

/// A line of text on the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// Its corners in picture coordinates.
    pub(super) place: Quad,
}

/// Every line of text on the picture, in no particular order.
pub(super) fn lines(network: &Network, picture: &RgbImage) -> Result<Vec<Line>, rten::RunError> {
    lines_in(network, picture, network_size(picture.width(), picture.height()))
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
    lines_in(network, &whole, (width as u32, height as u32))
}

fn lines_in(
    network: &Network,
    picture: &RgbImage,
    (width, height): (u32, u32),
) -> Result<Vec<Line>, rten::RunError> {
    let map = network.run(maps(&scale::rgb(picture, width, height)))?;
    if map.len() != width as usize * height as usize {
        return Ok(Vec::new());
    }
    let stretch = (picture.width() as f32 / width as f32, picture.height() as f32 / height as f32);
    let found = blobs(&map, width as usize, PIXEL_LIKELIHOOD_MIN);
    Ok(found.iter().filter_map(|blob| line(blob, stretch)).take(LINES_MAX).collect())
}

/// The size at which the network sees a picture: multiples of its stride.
fn network_size(width: u32, height: u32) -> (u32, u32) {
    let (short, long) = (width.min(height) as f32, width.max(height) as f32);
    let grown = (LONG_SIDE_MIN / long).max(1.0);
    let scale = grown.min(SHORT_SIDE_MAX / short).min(LONG_SIDE_MAX / long);
    let side = |pixels: u32| ((pixels as f32 * scale / STRIDE).round().max(1.0) * STRIDE) as u32;
    (side(width), side(height))
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

    #[test]
    fn pages_are_seen_at_a_bounded_size_in_strides() {
        for (width, height) in [(1, 1), (2480, 3508), (600, 90_000), (1240, 1754), (20_000, 17)] {
            let (wide, high) = network_size(width, height);
            assert!(wide % 32 == 0 && high % 32 == 0 && wide > 0 && high > 0);
            assert!(wide <= 2240 && high <= 2240, "{width} x {height} became {wide} x {high}");
        }
    }
}
