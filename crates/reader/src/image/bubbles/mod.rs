//! Finds rows of bubbles to be filled in, knowing nothing of the sheet: circles of one size that stand in rows and
//! columns, and how dark each is inside.
//!
//! Every edge votes for the middle of a circle that it may be the rim of. What gets brighter outwards all around, at
//! one distance, is a circle, filled or not; letters and digits are not. Circles at equal distances make blocks, and a
//! place in a block where none was seen is looked at all the same.

mod blocks;
mod circles;
mod grey;
mod rays;

use super::ink::luminance;
use crate::page::{Bubble, Rect};
use blocks::Block;
use circles::{Circle, Circles};
use grey::Grey;
use image::RgbImage;

/// Sheets are looked at with at most this many pixels across.
const WIDTH_MAX: u32 = 1000;
/// Circles of different sizes that a sheet may have: an example is smaller than what is to be filled in.
const SIZES_MAX: usize = 3;
/// Of a block some circles are clear: their middles have as many votes as the circle is long. Where those make no block,
/// others are not looked at: letters have a thousand places that could be small circles.
const VOTES_CLEAR: f32 = 1.0;
/// Circles within these bounds of a size are of that size.
const SAME_SIZE: std::ops::Range<f32> = 0.84..1.19;

type Spot = (f32, f32);

/// The bubbles of an evenly lit page, by block, row and column; none on most pages. Places are in the page's pixels.
pub fn find(page: &RgbImage) -> Vec<Bubble> {
    let scale = (f64::from(WIDTH_MAX) / f64::from(page.width().max(1))).min(1.0);
    let grey = Grey::of(&luminance(page), scale);
    let stretch = (1.0 / scale) as f32;
    let mut circles = Circles::on(&grey);
    if blocks_of(&grey, circles.with(VOTES_CLEAR)).is_empty() {
        return Vec::new();
    }
    let mut blocks = apart(blocks_of(&grey, circles.with(circles::VOTES_MIN)));
    blocks.sort_by(|a, b| blocks::top(&a.0).total_cmp(&blocks::top(&b.0)));
    let mut bubbles = Vec::new();
    for (index, (places, radius)) in (0..).zip(blocks) {
        for ((row, column), at) in places {
            let place = Rect {
                x0: (at.0 - radius) * stretch,
                y0: (at.1 - radius) * stretch,
                x1: (at.0 + radius) * stretch,
                y1: (at.1 + radius) * stretch,
            };
            let (fill, row, column) = (grey.fill(at, radius), row as u32, column as u32);
            bubbles.push(Bubble { place, fill, block: index, row, column });
        }
    }
    bubbles
}

/// Blocks of circles, with the radius of each.
fn blocks_of(grey: &Grey, mut circles: Vec<Circle>) -> Vec<(Block, f32)> {
    let mut blocks = Vec::new();
    for _ in 0..SIZES_MAX {
        let Some(radius) = usual_radius(&circles) else { break };
        let (own, other): (Vec<Circle>, Vec<Circle>) =
            circles.into_iter().partition(|circle| SAME_SIZE.contains(&(circle.radius / radius)));
        let middles: Vec<Spot> = own.iter().map(|circle| circle.at).collect();
        let found = blocks::of(grey, &middles, radius);
        blocks.extend(found.into_iter().map(|block| (block, radius)));
        circles = other;
    }
    blocks
}

/// Without those that reach into a larger one: digits between two columns of bubbles stand in rows, too.
fn apart(mut blocks: Vec<(Block, f32)>) -> Vec<(Block, f32)> {
    let reach = |(block, radius): &(Block, f32)| {
        let start = Rect { x0: f32::MAX, y0: f32::MAX, x1: f32::MIN, y1: f32::MIN };
        block.values().fold(start, |whole, (x, y)| {
            let own = Rect { x0: x - radius, y0: y - radius, x1: x + radius, y1: y + radius };
            whole.union(&own)
        })
    };
    blocks.sort_by_key(|(block, _)| std::cmp::Reverse(block.len()));
    let mut kept: Vec<(Block, f32)> = Vec::new();
    for block in blocks {
        if !kept.iter().any(|other| reach(other).overlaps(&reach(&block))) {
            kept.push(block);
        }
    }
    kept
}

/// The radius that speaks from most circles, clear ones before others.
fn usual_radius(circles: &[Circle]) -> Option<f32> {
    let weight = |radius: f32| {
        let own = circles.iter().filter(|circle| SAME_SIZE.contains(&(circle.radius / radius)));
        own.map(|circle| circle.radius * circle.steep.min(circles::STEEP_CLEAR)).sum::<f32>()
    };
    let best = circles::RADII.iter().copied().max_by(|a, b| weight(*a).total_cmp(&weight(*b)))?;
    let mut own: Vec<f32> = circles
        .iter()
        .map(|circle| circle.radius)
        .filter(|radius| SAME_SIZE.contains(&(radius / best)))
        .collect();
    own.sort_by(f32::total_cmp);
    own.get(own.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    /// Four columns of ten circles, two of them filled, on a sheet that leans a little.
    fn sheet(filled: &[(u32, u32)]) -> RgbImage {
        let mut page = RgbImage::from_pixel(400, 500, Rgb([250; 3]));
        for row in 0..10u32 {
            for column in 0..4u32 {
                let middle =
                    (80.0 + 30.0 * column as f32 - row as f32, 90.0 + 28.0 * row as f32 + column as f32);
                for (x, y, pixel) in page.enumerate_pixels_mut() {
                    let reach = (x as f32 - middle.0).hypot(y as f32 - middle.1);
                    let is_rim = (7.5..9.2).contains(&reach);
                    if is_rim || reach < 9.0 && filled.contains(&(row, column)) {
                        *pixel = Rgb([90; 3]);
                    }
                }
            }
        }
        page
    }

    #[test]
    fn circles_in_rows_are_found_and_the_filled_ones_are_dark() {
        let filled = [(0, 3), (4, 1), (9, 0)];
        let bubbles = find(&sheet(&filled));
        assert_eq!(bubbles.len(), 40);
        for bubble in &bubbles {
            let is_filled = filled.contains(&(bubble.row, bubble.column));
            assert_eq!(bubble.fill > 0.4, is_filled, "{bubble:?}");
        }
        let at =
            |row, column| bubbles.iter().find(|bubble| (bubble.row, bubble.column) == (row, column)).unwrap();
        assert!((at(2, 1).place.centre().0 - 108.0).abs() < 2.0);
    }

    #[test]
    fn circles_are_found_in_the_grain_of_a_photo() {
        let mut page = sheet(&[(3, 2)]);
        let mut state = 0x2545_F491_u32;
        for pixel in page.pixels_mut() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let level = i32::from(pixel.0[0]) + (state >> 24) as i32 % 61 - 40;
            *pixel = Rgb([level.clamp(0, 255) as u8; 3]);
        }
        let bubbles = find(&page);
        assert_eq!(bubbles.len(), 40);
        let filled: Vec<(u32, u32)> = bubbles
            .iter()
            .filter(|bubble| bubble.fill > 0.45)
            .map(|bubble| (bubble.row, bubble.column))
            .collect();
        assert_eq!(filled, [(3, 2)]);
    }

    #[test]
    fn a_missing_circle_keeps_its_place() {
        let mut page = sheet(&[]);
        for (x, y, pixel) in page.enumerate_pixels_mut() {
            if (95..125).contains(&x) && (190..215).contains(&y) {
                *pixel = Rgb([250; 3]);
            }
        }
        assert_eq!(find(&page).len(), 40);
    }

    #[test]
    fn a_page_without_circles_has_none() {
        let squares = RgbImage::from_fn(400, 500, |x, y| {
            let on_rim = x % 30 < 2 && x % 90 < 70 || y % 28 < 2;
            Rgb([if on_rim { 60 } else { 250 }; 3])
        });
        assert_eq!(find(&squares), []);
        assert_eq!(find(&RgbImage::from_pixel(300, 300, Rgb([250; 3]))), []);
        assert_eq!(find(&RgbImage::new(1, 1)), []);
    }
}
