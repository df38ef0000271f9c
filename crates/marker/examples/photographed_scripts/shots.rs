//! The pages of a script, written by hand and photographed.

use crate::hand::Hand;
use crate::photograph::{Chance, Faults, photograph};
use crate::twin::Subject;
use ab_glyph::FontVec;
use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage, imageops};
use reader::image::from_pixels;
use reader::page::{Page, Word};
use reader::pdf;
use std::error::Error;

/// Pages are drawn with so many pixels to the inch.
const DPI: f32 = 150.0;
const SCALE: f32 = DPI / 72.0;
/// A word of the paper and one of the script at the same place are the same, in points.
const SAME_PLACE: f32 = 2.0;
/// A page on which this share of the paper's words stands is the paper's.
const PRINTED_MIN: f32 = 0.6;
/// Rules of a sheet lie so far below the writing, in points.
const RULE_BELOW: f32 = 3.0;
/// Of the scripts, so many are photographed turned.
const TURNED: f32 = 0.15;

/// Photographs of a typed script as somebody else wrote it, by its seed.
pub(crate) fn shots(
    subject: &Subject,
    kind: usize,
    fonts: &[FontVec],
    seed: u64,
) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut chance = Chance::new(seed);
    // The first numbers of neighbouring seeds are alike.
    for _ in 0..8 {
        chance.next();
    }
    let hand = Hand::new(fonts, &mut chance).ok_or("no font to write with")?;
    let (is_ruled, turn) = (chance.next() < 0.5, chance.next());
    let mut shots = Vec::new();
    for page in &subject.typed[kind].pages {
        let mut drawn = match background(subject, page)? {
            Some((drawn, printed)) => {
                let is_own = |word: &&Word| !printed.words.iter().any(|other| is_same(word, other));
                write(drawn, page.words.iter().filter(is_own), &hand, &mut chance)
            }
            None => write(sheet(page, is_ruled), page.words.iter(), &hand, &mut chance),
        };
        drawn = photograph(&drawn, &faults(&mut chance), seed * 100 + u64::from(page.number));
        if turn < TURNED {
            drawn = match (turn * 3.0 / TURNED) as u32 {
                0 => imageops::rotate90(&drawn),
                1 => imageops::rotate180(&drawn),
                _ => imageops::rotate270(&drawn),
            };
        }
        let mut bytes = Vec::new();
        JpegEncoder::new_with_quality(&mut bytes, chance.between(45.0, 88.0) as u8).encode_image(&drawn)?;
        shots.push(bytes);
    }
    Ok(shots)
}

fn faults(chance: &mut Chance) -> Faults {
    Faults {
        perspective: chance.between(0.0, 0.035),
        curl: chance.between(0.0, 7.0),
        shadow: chance.between(0.0, 0.5),
        blur: i32::from(chance.next() < 0.5),
        grain: chance.between(0.0, 8.0),
    }
}

/// The paper's page that a page was typed into, drawn, when it is one.
fn background<'s>(subject: &'s Subject, page: &Page) -> Result<Option<(RgbImage, &'s Page)>, Box<dyn Error>> {
    let Some(printed) = subject.paper.pages.iter().find(|printed| printed.number == page.number) else {
        return Ok(None);
    };
    let kept = printed.words.iter().filter(|word| page.words.iter().any(|other| is_same(word, other)));
    if (kept.count() as f32) < PRINTED_MIN * printed.words.len() as f32 {
        return Ok(None);
    }
    let drawn =
        from_pixels(pdf::render(&subject.file, page.number - 1, DPI)?).ok_or("a page without pixels")?;
    Ok(Some((drawn, printed)))
}

fn is_same(word: &Word, other: &Word) -> bool {
    let (one, two) = (word.place.centre(), other.place.centre());
    word.text == other.text && (one.0 - two.0).hypot(one.1 - two.1) < SAME_PLACE
}

/// A sheet of the student's own.
fn sheet(page: &Page, is_ruled: bool) -> RgbImage {
    let (width, height) = ((page.width * SCALE) as u32, (page.height * SCALE) as u32);
    let mut sheet = RgbImage::from_pixel(width, height, Rgb([250, 249, 246]));
    for word in page.words.iter().filter(|_| is_ruled) {
        let y = ((word.baseline + RULE_BELOW) * SCALE) as u32;
        if y < height {
            (0..width).for_each(|x| sheet.put_pixel(x, y, Rgb([186, 204, 226])));
        }
    }
    sheet
}

fn write<'w>(
    mut page: RgbImage,
    words: impl Iterator<Item = &'w Word>,
    hand: &Hand<'_>,
    chance: &mut Chance,
) -> RgbImage {
    words.for_each(|word| hand.write(&mut page, word, SCALE, chance));
    page
}
