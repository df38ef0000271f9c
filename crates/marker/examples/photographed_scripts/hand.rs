//! A student's hand: a font whose letters never stand quite alike.

use crate::photograph::Chance;
use ab_glyph::{Font, FontVec, PxScale, ScaleFont, point};
use image::RgbImage;
use reader::page::Word;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Signs that a hand's font lacks are taken from this one, where it is installed.
const SIGNS: &str = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
/// Pens and a pencil, and how much of their colour they leave.
const INKS: [([u8; 3], f32); 5] = [
    ([20, 24, 34], 0.95),
    ([24, 40, 130], 0.9),
    ([30, 66, 168], 0.85),
    ([92, 92, 96], 0.75),
    ([110, 108, 112], 0.7),
];
/// How large writing is, of the type that stands in its place.
const SIZES: (f32, f32) = (1.0, 1.45);

/// The tests' hand, the ones given, and last the signs.
pub(crate) fn fonts(given: &[PathBuf]) -> Result<Vec<FontVec>, Box<dyn Error>> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reader/tests/fonts/ComicNeue-Regular.otf");
    let signs = Some(PathBuf::from(SIGNS)).filter(|path| path.exists()).unwrap_or_else(|| own.clone());
    let paths = std::iter::once(&own).chain(given).chain(std::iter::once(&signs));
    paths.map(|path| Ok(FontVec::try_from_vec(std::fs::read(path)?)?)).collect()
}

pub(crate) struct Hand<'f> {
    font: &'f FontVec,
    signs: &'f FontVec,
    colour: [u8; 3],
    cover: f32,
    /// How far a line climbs or falls, and how far letters leave it, of their size.
    slope: f32,
    unrest: f32,
}

impl<'f> Hand<'f> {
    /// `None` where there is no font.
    pub(crate) fn new(fonts: &'f [FontVec], chance: &mut Chance) -> Option<Hand<'f>> {
        let (signs, hands) = fonts.split_last()?;
        let mut pick = |count: usize| (chance.next() * count as f32) as usize % count.max(1);
        let (font, (colour, cover)) = (hands.get(pick(hands.len()))?, INKS[pick(INKS.len())]);
        Some(Hand {
            font,
            signs,
            colour,
            cover,
            slope: chance.between(-0.012, 0.012),
            unrest: chance.between(0.0, 0.05),
        })
    }

    /// Writes a word where it was typed; `scale` makes pixels of points.
    pub(crate) fn write(&self, page: &mut RgbImage, word: &Word, scale: f32, chance: &mut Chance) {
        if word.text == "✓" || word.text == "✔" {
            return self.tick(page, word, scale, chance);
        }
        let typed = word.place.width() * scale * chance.between(0.97, 1.03);
        let wide: f32 = word.text.chars().map(|sign| self.advance(sign, 1.0)).sum();
        let size = word.size * scale;
        let size = (typed / wide.max(0.1)).clamp(SIZES.0 * size, SIZES.1 * size);
        let (start, baseline) =
            (word.place.x0 * scale, word.baseline * scale + size * chance.between(-0.06, 0.06));
        let mut x = start;
        for sign in word.text.chars() {
            let unrest = self.unrest * size * chance.between(-1.0, 1.0);
            let y = baseline + self.slope * (x - start) + unrest;
            self.draw(page, sign, x, y, size * chance.between(0.97, 1.03));
            x += self.advance(sign, size);
        }
    }

    fn font(&self, sign: char) -> &FontVec {
        if self.font.glyph_id(sign).0 == 0 { self.signs } else { self.font }
    }

    fn advance(&self, sign: char, size: f32) -> f32 {
        let scaled = self.font(sign).as_scaled(PxScale::from(size));
        scaled.h_advance(scaled.glyph_id(sign))
    }

    fn draw(&self, page: &mut RgbImage, sign: char, x: f32, y: f32, size: f32) {
        let font = self.font(sign);
        let glyph = font.glyph_id(sign).with_scale_and_position(PxScale::from(size), point(x, y));
        let Some(outline) = font.outline_glyph(glyph) else { return };
        let corner = outline.px_bounds().min;
        outline.draw(|dx, dy, cover| self.stain(page, corner.x + dx as f32, corner.y + dy as f32, cover));
    }

    fn stain(&self, page: &mut RgbImage, x: f32, y: f32, cover: f32) {
        let (x, y) = (x as u32, y as u32);
        if x >= page.width() || y >= page.height() {
            return;
        }
        let cover = self.cover * cover.min(1.0);
        let pixel = page.get_pixel_mut(x, y);
        for (level, ink) in pixel.0.iter_mut().zip(self.colour) {
            *level = (*level).min((f32::from(*level) * (1.0 - cover) + f32::from(ink) * cover) as u8);
        }
    }

    /// Two strokes, short and down, long and up.
    fn tick(&self, page: &mut RgbImage, word: &Word, scale: f32, chance: &mut Chance) {
        let (x, y) = word.place.centre();
        let mut at = |dx: f32, dy: f32| {
            ((x + dx + chance.between(-0.7, 0.7)) * scale, (y + dy + chance.between(-0.7, 0.7)) * scale)
        };
        let strokes = [at(-4.0, -1.0), at(-1.0, 4.0), at(7.0, -8.0)];
        for two in strokes.windows(2) {
            let (from, to) = (two[0], two[1]);
            let steps = (2.0 * (to.0 - from.0).hypot(to.1 - from.1)).ceil().max(1.0);
            for step in 0..=steps as u32 {
                let part = step as f32 / steps;
                let (x, y) = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
                for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (1.0, 2.0)] {
                    self.stain(page, x + dx, y + dy, 1.0);
                }
            }
        }
    }
}
