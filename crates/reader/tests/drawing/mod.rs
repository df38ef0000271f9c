//! Draws the pages that the tests read.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use image::{Rgb, RgbImage};

static FONT: &[u8] = include_bytes!("../fonts/ComicNeue-Regular.otf");

/// White paper.
pub(crate) fn paper(width: u32, height: u32) -> RgbImage {
    RgbImage::from_pixel(width, height, Rgb([255; 3]))
}

/// Writes a line of text with its baseline at `y`, and tells where it ends.
pub(crate) fn write(page: &mut RgbImage, text: &str, x: f32, y: f32, size: f32) -> f32 {
    let font = FontRef::try_from_slice(FONT).unwrap();
    let scaled = font.as_scaled(PxScale::from(size));
    let mut at = x;
    for character in text.chars() {
        let glyph = scaled.scaled_glyph(character);
        let advance = scaled.h_advance(glyph.id);
        let glyph = ab_glyph::Glyph { position: point(at, y), ..glyph };
        if let Some(outline) = font.outline_glyph(glyph) {
            let corner = outline.px_bounds().min;
            outline.draw(|dx, dy, cover| {
                let (px, py) = ((corner.x + dx as f32) as u32, (corner.y + dy as f32) as u32);
                if px < page.width() && py < page.height() {
                    let pixel = page.get_pixel_mut(px, py);
                    pixel.0 = pixel.0.map(|value| value.min((255.0 - cover * 235.0) as u8));
                }
            });
        }
        at += advance;
    }
    at
}
