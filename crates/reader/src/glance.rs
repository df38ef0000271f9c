//! A first look at a page, before anything is read of it: the QR codes on it, and whether it is blank.
//!
//! What a code says is whatever somebody printed. It is handed on as text, and nothing here follows it.

use crate::image::ink::luminance;
use image::{GrayImage, RgbImage, imageops};
use serde::{Deserialize, Serialize};

/// Codes of one page that are looked at.
pub const CODES_MAX: usize = 8;
/// The longest text of a code that is handed on, in bytes.
pub const CODE_BYTES_MAX: usize = 2048;
/// The width at which a page is looked at: a module of a cover sheet's code is three pixels wide on it, and more.
pub const WIDTH: u32 = 1600;

/// The widths at which codes are looked for. What is too noisy or too large at one is found at another.
const CODE_WIDTHS: [u32; 3] = [1000, 1600, 640];
/// No code can be read on a picture that is smaller than this one way: two pixels for each of its modules.
const CODE_SIDE_MIN: u32 = 42;
/// How blurred the picture is at last, for one that is full of grain.
const BLUR: f32 = 1.6;

/// The width at which ink is counted.
const INK_WIDTH: u32 = 400;
/// The side of the squares in which paper is told from ink, in pixels of that width.
const SQUARE: u32 = 20;
/// How much darker than the paper around it ink is at least.
const INK_DEPTH: u8 = 45;
/// Scanners leave shadows and holes leave rings this near to the edge, as a part of the width.
const EDGE: u32 = 25;
/// A page with less ink than one part in so many is blank: less than two letters, which may be a whole answer.
const BLANK_PARTS: usize = 10_000;

/// What a page shows at first sight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Glance {
    /// What its QR codes say, at most [`CODES_MAX`] of at most [`CODE_BYTES_MAX`] bytes.
    pub codes: Vec<String>,
    /// True when there is something like a code on it, and none that can be read.
    pub has_unread_code: bool,
    /// True when nothing is written on it.
    pub is_blank: bool,
}

impl Glance {
    /// Looks at the picture of a page.
    pub fn of(picture: &RgbImage) -> Glance {
        let grey = luminance(picture);
        let is_blank = is_blank(&grey);
        let (codes, has_unread_code) = if is_blank { (Vec::new(), false) } else { codes(&grey) };
        Glance { codes, has_unread_code, is_blank }
    }

    /// True when it keeps its bounds.
    pub(crate) fn is_within_bounds(&self) -> bool {
        self.codes.len() <= CODES_MAX && self.codes.iter().all(|code| code.len() <= CODE_BYTES_MAX)
    }
}

/// What the codes say, and whether there is only one that says nothing.
fn codes(grey: &GrayImage) -> (Vec<String>, bool) {
    let mut is_any_unread = false;
    for width in CODE_WIDTHS {
        let (found, is_unread) = codes_in(&scaled(grey, width));
        is_any_unread |= is_unread;
        if !found.is_empty() {
            return (found, false);
        }
    }
    let smaller = scaled(grey, CODE_WIDTHS[0]);
    let (found, is_unread) =
        if holds_code(&smaller) { codes_in(&imageops::blur(&smaller, BLUR)) } else { (Vec::new(), false) };
    let has_unread = found.is_empty() && (is_any_unread || is_unread);
    (found, has_unread)
}

/// Whether a code has room on it.
fn holds_code(grey: &GrayImage) -> bool {
    grey.width().min(grey.height()) >= CODE_SIDE_MIN
}

fn codes_in(grey: &GrayImage) -> (Vec<String>, bool) {
    if !holds_code(grey) {
        return (Vec::new(), false);
    }
    let (width, height) = (grey.width() as usize, grey.height() as usize);
    let levels = grey.as_raw();
    let mut prepared =
        rqrr::PreparedImage::prepare_from_greyscale(width, height, |x, y| levels[y * width + x]);
    let (mut found, mut is_any_unread): (Vec<String>, bool) = (Vec::new(), false);
    for grid in prepared.detect_grids() {
        match grid.decode() {
            Ok((_, text)) if text.len() <= CODE_BYTES_MAX && !found.contains(&text) => found.push(text),
            Ok(_) => {}
            // A code that is damaged too far, or a crossword.
            Err(_) => is_any_unread = true,
        }
        if found.len() == CODES_MAX {
            break;
        }
    }
    (found, is_any_unread)
}

/// The picture so wide, never larger than it is.
fn scaled(grey: &GrayImage, width: u32) -> GrayImage {
    if grey.width() <= width {
        return grey.clone();
    }
    let height = (u64::from(grey.height()) * u64::from(width) / u64::from(grey.width())).max(1);
    imageops::resize(grey, width, u32::try_from(height).unwrap_or(width), imageops::FilterType::Triangle)
}

/// Whether there is hardly anything that is darker than the paper around it.
fn is_blank(grey: &GrayImage) -> bool {
    let grey = scaled(grey, INK_WIDTH);
    let edge = grey.width() / EDGE;
    let (right, bottom) = (grey.width().saturating_sub(edge), grey.height().saturating_sub(edge));
    let (mut ink, mut all) = (0_usize, 0_usize);
    let step = SQUARE as usize;
    for top in (edge..bottom).step_by(step) {
        for left in (edge..right).step_by(step) {
            let square = (top..(top + SQUARE).min(bottom))
                .flat_map(|y| (left..(left + SQUARE).min(right)).map(move |x| (x, y)));
            let mut levels: Vec<u8> = square.map(|(x, y)| grey.get_pixel(x, y).0[0]).collect();
            levels.sort_unstable();
            // The paper is what most of the lighter half of a square is.
            let paper = levels.get(levels.len() * 3 / 4).copied().unwrap_or(u8::MAX);
            ink += levels.iter().take_while(|level| **level < paper.saturating_sub(INK_DEPTH)).count();
            all += levels.len();
        }
    }
    ink * BLANK_PARTS <= all
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    fn page(dots: u32) -> GrayImage {
        GrayImage::from_fn(800, 1100, |x, y| {
            // Unevenly lit paper, and a stroke.
            let paper = 235 - (x / 20) as u8 - (y / 40) as u8;
            let inked = (400..400 + dots).contains(&x) && (500..506).contains(&y);
            Luma([if inked { 60 } else { paper }])
        })
    }

    #[test]
    fn a_page_is_blank_until_a_word_stands_on_it() {
        assert!(is_blank(&page(0)), "shade is no ink");
        assert!(is_blank(&page(10)), "nor is a speck");
        assert!(!is_blank(&page(30)), "a letter may be an answer");
        assert!(!is_blank(&page(200)));
        assert!(is_blank(&GrayImage::from_pixel(3, 3, Luma([200]))));
        assert!(is_blank(&GrayImage::new(0, 0)));
    }

    #[test]
    fn pictures_of_any_size_are_looked_at() {
        for (width, height) in [(0, 0), (1, 1), (1, 4000), (4000, 1), (33, 70)] {
            let noise = RgbImage::from_fn(width, height, |x, y| {
                image::Rgb([(x.wrapping_mul(2_654_435_761).wrapping_add(y * 40_503) >> 7) as u8; 3])
            });
            assert_eq!(Glance::of(&noise).codes, Vec::<String>::new());
        }
    }
}
