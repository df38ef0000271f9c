//! A row of writing with its fractions, laid out anew as one line.

use super::{Fraction, Part, Piece, Stack, around};
use crate::image::geometry::Quad;
use crate::image::ink::Ink;
use crate::ocr::recognise::{HEIGHT, Strip};
use crate::page::Rect;
use image::{Rgb, RgbImage, imageops};

/// Paper.
const WHITE: Rgb<u8> = Rgb([250; 3]);
/// The share of a strip's height that a number of a fraction takes.
const FILLS: f32 = 0.8;
/// Pixels of a strip between the numbers of a fraction and its stroke, and around the fraction.
const WITHIN: u32 = 3;
const AROUND: u32 = 12;
/// The width of the stroke between them.
const STROKE: u32 = 18;

/// The row as one line.
pub(super) fn strip(page: &RgbImage, width: usize, parts: &[Part], row: &[Piece]) -> Option<Strip> {
    let mut line = RgbImage::new(0, HEIGHT);
    let mut fractions = Vec::new();
    for pieces in row.chunk_by(|a, b| matches!((a, b), (Piece::Text(_), Piece::Text(_)))) {
        match pieces {
            [Piece::Fraction(Stack { over, under, .. })] => {
                let gap = if line.width() == 0 { WITHIN } else { AROUND };
                line = joined(&line, &paper(gap));
                let from = line.width();
                line = joined(&line, &scaled(&shown(page, width, parts, over)));
                let between = line.width();
                line = joined(&joined(&joined(&line, &paper(WITHIN)), &stroke()), &paper(WITHIN));
                let after = line.width();
                line = joined(&line, &scaled(&shown(page, width, parts, under)));
                fractions.push(Fraction {
                    over: (from as f32, between as f32),
                    under: (after as f32, line.width() as f32),
                });
                line = joined(&line, &paper(AROUND));
            }
            text => {
                let own: Vec<usize> = text.iter().flat_map(Piece::parts).collect();
                line = joined(&line, &beside(page, width, parts, &own, row));
            }
        }
    }
    let whole = row.iter().map(|piece| piece.reach(parts)).reduce(|whole, part| whole.union(&part))?;
    let (x0, y0, x1, y1) = (whole.x0 as f32, whole.y0 as f32, whole.x1 as f32, whole.y1 as f32);
    let place = Quad::from(Rect { x0, y0, x1, y1 });
    Some(Strip { picture: line, place, letters: Vec::new(), fractions })
}

/// These parts alone, on white.
fn shown(page: &RgbImage, width: usize, parts: &[Part], own: &[usize]) -> RgbImage {
    let Part { x0, y0, x1, y1, .. } = around(parts, own);
    let mut picture = RgbImage::from_pixel((x1 - x0) as u32 + 2, (y1 - y0) as u32 + 2, WHITE);
    for at in own.iter().flat_map(|part| &parts[*part].pixels) {
        // A pixel's half tones stand beside it.
        for (near_x, near_y) in near(at % width, at / width, page) {
            let (x, y) = ((near_x + 1).checked_sub(x0), (near_y + 1).checked_sub(y0));
            if let (Some(x), Some(y)) = (x, y)
                && x < x1 - x0 + 2
                && y < y1 - y0 + 2
            {
                picture.put_pixel(x as u32, y as u32, *page.get_pixel(near_x as u32, near_y as u32));
            }
        }
    }
    picture
}

/// Text of a row, as high beside the fractions as it is in the row.
fn beside(page: &RgbImage, width: usize, parts: &[Part], own: &[usize], row: &[Piece]) -> RgbImage {
    let text: Vec<usize> =
        row.iter().filter(|piece| matches!(piece, Piece::Text(_))).flat_map(Piece::parts).collect();
    let (whole, here) = (around(parts, &text), around(parts, own));
    // A sign alone, a dash or two, would be blown up without what else is as high as numbers are.
    let numbers = row.iter().filter_map(|piece| match piece {
        Piece::Fraction(Stack { over, .. }) => Some(around(parts, over).height()),
        Piece::Text(_) => None,
    });
    let high = numbers.fold(whole.height(), f32::max).max(1.0);
    let picture = shown(page, width, parts, own);
    let scale = FILLS * HEIGHT as f32 / high;
    let size = |side: u32| ((side as f32 * scale).round() as u32).clamp(1, 4000);
    let small = imageops::resize(
        &picture,
        size(picture.width()),
        size(picture.height()).min(HEIGHT),
        imageops::FilterType::Triangle,
    );
    let middle = whole.middle().1;
    let top = (HEIGHT as f32 / 2.0 + (here.y0 as f32 - middle) * scale) as i64;
    let mut shown = paper(small.width());
    imageops::replace(&mut shown, &small, 0, top.clamp(0, i64::from(HEIGHT - small.height())));
    shown
}

/// A number as high as a line's letters are.
fn scaled(number: &RgbImage) -> RgbImage {
    let high = (FILLS * HEIGHT as f32) as u32;
    let wide = (number.width() as f32 * high as f32 / number.height().max(1) as f32).round() as u32;
    let number = imageops::resize(number, wide.clamp(2, 2000), high, imageops::FilterType::Triangle);
    let mut shown = paper(number.width());
    imageops::replace(&mut shown, &number, 0, i64::from((HEIGHT - high) / 2));
    shown
}

fn paper(width: u32) -> RgbImage {
    RgbImage::from_pixel(width, HEIGHT, WHITE)
}

/// The stroke that a fraction has in a line.
fn stroke() -> RgbImage {
    let mut shown = paper(STROKE);
    for y in 4..HEIGHT - 4 {
        let x = (STROKE - 3) * (HEIGHT - 4 - y) / (HEIGHT - 8);
        (x..x + 3).for_each(|x| shown.put_pixel(x, y, Rgb([40; 3])));
    }
    shown
}

fn joined(left: &RgbImage, right: &RgbImage) -> RgbImage {
    let mut both = paper(left.width() + right.width());
    imageops::replace(&mut both, left, 0, 0);
    imageops::replace(&mut both, right, i64::from(left.width()), 0);
    both
}

fn near(x: usize, y: usize, page: &RgbImage) -> impl Iterator<Item = (usize, usize)> {
    let (last_x, last_y) = (page.width() as usize - 1, page.height() as usize - 1);
    let columns = x.saturating_sub(1)..=(x + 1).min(last_x);
    (y.saturating_sub(1)..=(y + 1).min(last_y)).flat_map(move |y| columns.clone().map(move |x| (x, y)))
}

pub(super) fn clear(picture: &mut RgbImage, ink: &mut Ink, pixels: &[usize]) {
    let mut marks: Vec<bool> = (0..ink.height).flat_map(|y| ink.row(y).to_vec()).collect();
    for at in pixels {
        marks[*at] = false;
        let spots: Vec<(usize, usize)> = near(at % ink.width, at / ink.width, picture).collect();
        spots.into_iter().for_each(|(x, y)| picture.put_pixel(x as u32, y as u32, WHITE));
    }
    *ink = Ink::from_marks(ink.width, ink.height, marks);
}
