//! Photographs of a drawn page, each by its seed: on a dark table, from the side, curled, in shadow, out of focus, with
//! the grain of a small lens.

use image::{Rgb, RgbImage};
use reader::image::geometry::{Point, Projection, Quad};

/// What is wrong with a photograph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faults {
    /// How far each corner may lie from where it should, of the picture's width.
    pub(crate) perspective: f32,
    /// How far the paper bends, in pixels.
    pub(crate) curl: f32,
    /// How dark a shadow is, 0 for none.
    pub(crate) shadow: f32,
    /// How far a point is spread, in pixels.
    pub(crate) blur: i32,
    /// By how many levels pixels are off.
    pub(crate) grain: f32,
}

/// Numbers that look like chance and are the same for a seed.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Between 0 and 1.
    pub(crate) fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// Between two values.
    pub(crate) fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.next()
    }
}

/// A photograph of the page, with a table around it.
pub(crate) fn photograph(page: &RgbImage, faults: &Faults, seed: u64) -> RgbImage {
    let mut chance = Chance::new(seed);
    let (across, down) = (page.width() as f32, page.height() as f32);
    let (width, height) = (across * 1.16, down * 1.16);
    let mut corner = |x: f32, y: f32| {
        let off = faults.perspective * across;
        Point::new(x + chance.between(-off, off), y + chance.between(-off, off))
    };
    let (left, top, right, bottom) = (0.08 * across, 0.08 * down, 1.08 * across, 1.08 * down);
    let corners = Quad([corner(left, top), corner(right, top), corner(right, bottom), corner(left, bottom)]);
    let back = Projection::between(&corners, &Quad::upright(across, down)).unwrap();
    let (wave, edge) = (chance.between(0.5, 1.2), chance.between(0.3, 0.7));
    let table = [92, 66, 48].map(|level| (level as f32 * chance.between(0.7, 1.2)) as u8);
    let sharp = RgbImage::from_fn(width as u32, height as u32, |x, y| {
        let at = back.apply(Point::new(x as f32 + 0.5, y as f32 + 0.5));
        let bent = faults.curl * (at.x / across * std::f32::consts::TAU * wave).sin();
        let at = Point::new(at.x, at.y + bent);
        let is_page = at.x >= 0.0 && at.y - bent >= 0.0 && at.x < across && at.y - bent < down;
        let colour = if is_page { colour(page, at) } else { table };
        // A shadow lies across the picture, soft at its edge.
        let beyond = (x as f32 / width - edge + 0.3 * (y as f32 / height - 0.5)) / 0.08;
        let light = 1.0 - faults.shadow / (1.0 + (-beyond).exp());
        Rgb(colour.map(|level| (f32::from(level) * light) as u8))
    });
    let mut photo = blurred(&sharp, faults.blur);
    for pixel in photo.pixels_mut() {
        let off = chance.between(-faults.grain, faults.grain);
        pixel.0 = pixel.0.map(|level| (f32::from(level) + off).clamp(0.0, 255.0) as u8);
    }
    photo
}

/// The colour at a point, between its four pixels.
fn colour(page: &RgbImage, at: Point) -> [u8; 3] {
    let within = |at: f32, side: u32| at.clamp(0.0, side as f32 - 1.0);
    let (x, y) = (within(at.x - 0.5, page.width()), within(at.y - 0.5, page.height()));
    let (left, top) = (x as u32, y as u32);
    let (right, bottom) = ((left + 1).min(page.width() - 1), (top + 1).min(page.height() - 1));
    let (across, down) = (x - left as f32, y - top as f32);
    std::array::from_fn(|channel| {
        let level = |x: u32, y: u32| f32::from(page.get_pixel(x, y).0[channel]);
        let upper = level(left, top) * (1.0 - across) + level(right, top) * across;
        let lower = level(left, bottom) * (1.0 - across) + level(right, bottom) * across;
        (upper * (1.0 - down) + lower * down) as u8
    })
}

fn blurred(picture: &RgbImage, by: i32) -> RgbImage {
    if by == 0 {
        return picture.clone();
    }
    let (width, height) = (picture.width() as i32, picture.height() as i32);
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let (mut sums, mut count) = ([0u32; 3], 0);
        for row in (y as i32 - by).max(0)..=(y as i32 + by).min(height - 1) {
            for column in (x as i32 - by).max(0)..=(x as i32 + by).min(width - 1) {
                let pixel = picture.get_pixel(column as u32, row as u32).0;
                sums.iter_mut().zip(pixel).for_each(|(sum, level)| *sum += u32::from(level));
                count += 1;
            }
        }
        Rgb(sums.map(|sum| (sum / count) as u8))
    })
}
