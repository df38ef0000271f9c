//! Large pictures made smaller right after decoding, a few rows at a time: what is decoded and what is kept
//! are the only two copies that memory ever holds.

use super::on_white;
use image::{DynamicImage, Rgb, RgbImage};

/// The picture without transparency, made smaller by a whole factor as long as its shorter side keeps
/// `short_side` pixels.
pub(super) fn reduced(picture: DynamicImage, short_side: u32) -> RgbImage {
    let factor = picture.width().min(picture.height()) / short_side.max(1);
    if factor < 2 {
        return opaque(picture);
    }
    let (width, height) = (picture.width() / factor, picture.height() / factor);
    let mut small = RgbImage::new(width, height);
    for row in 0..height {
        let band = opaque(picture.crop_imm(0, row * factor, width * factor, factor));
        for column in 0..width {
            small.put_pixel(column, row, mean(&band, column * factor, factor));
        }
    }
    small
}

fn opaque(picture: DynamicImage) -> RgbImage {
    if picture.color().has_alpha() { on_white(&picture.into_rgba8()) } else { picture.into_rgb8() }
}

/// The mean of a square of pixels that is as high as the band.
fn mean(band: &RgbImage, left: u32, side: u32) -> Rgb<u8> {
    let mut sums = [0u32; 3];
    for y in 0..side {
        let from = 3 * (y as usize * band.width() as usize + left as usize);
        for pixel in band.as_raw()[from..from + 3 * side as usize].chunks_exact(3) {
            for (sum, value) in sums.iter_mut().zip(pixel) {
                *sum += u32::from(*value);
            }
        }
    }
    Rgb(sums.map(|sum| (sum / (side * side)) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_picture_keeps_its_look_and_the_side_that_was_asked_for() {
        let shade = |x: u32, y: u32| Rgb([(x / 2) as u8, (y / 2) as u8, 7]);
        let picture = RgbImage::from_fn(400, 300, shade);
        let small = reduced(DynamicImage::ImageRgb8(picture.clone()), 90);
        assert_eq!(small.dimensions(), (133, 100));
        assert!(small.get_pixel(100, 50).0[0].abs_diff(151) <= 1);
        assert_eq!(reduced(DynamicImage::ImageRgb8(picture.clone()), 200), picture);
    }
}
