//! Sheets of bubbles: what the lines of text are without the bubbles, and the numbers that stand left of their rows.
//!
//! A column of bubbles or of numbers looks like a line that runs down the page; read as one it says nothing, and the
//! page would be turned by it. The numbers are read one by one, where they must stand.

use super::detect::Line;
use crate::image::geometry::Quad;
use crate::image::ink::Ink;
use crate::page::{Bubble, Rect};
use image::{RgbImage, imageops};
use std::collections::BTreeMap;

/// Fewer bubbles may be letters that happen to stand in rows.
const BLOCK_MIN: usize = 20;
/// A line that lies in blocks by more than this share of its area is no line of text.
const SHARED_MAX: f32 = 0.5;
/// A number stands at most so many columns left of its row.
const REACH: f32 = 3.5;
/// Rows of a block whose numbers are read: enough to be sure of the others.
const ROWS_READ: usize = 4;
/// A gap this many times as wide as a bubble ends the number.
const GAP_MAX: f32 = 0.9;
/// Ink in so many of a column's pixels is a rule.
const RULE_SHARE: f32 = 0.9;
/// Paper that is shown around a number, as a share of its height.
const MARGIN: f32 = 0.22;

/// A block of bubbles, row by row, each from the left.
struct Block<'b> {
    rows: Vec<Vec<&'b Bubble>>,
    /// From one column to the next, and from one row to the next.
    pitch: (f32, f32),
}

/// The blocks that are large enough to be sure of.
fn blocks(bubbles: &[Bubble]) -> Vec<Block<'_>> {
    let mut rows: BTreeMap<u32, BTreeMap<u32, Vec<&Bubble>>> = BTreeMap::new();
    for bubble in bubbles {
        rows.entry(bubble.block).or_default().entry(bubble.row).or_default().push(bubble);
    }
    let large = rows.into_values().filter(|rows| rows.values().map(Vec::len).sum::<usize>() >= BLOCK_MIN);
    large.map(|rows| Block::of(rows.into_values().collect())).collect()
}

impl<'b> Block<'b> {
    fn of(mut rows: Vec<Vec<&'b Bubble>>) -> Block<'b> {
        rows.iter_mut().for_each(|row| row.sort_by_key(|bubble| bubble.column));
        let across = rows.iter().flat_map(|row| row.windows(2)).map(|two| two[1].place.x0 - two[0].place.x0);
        let down = rows.windows(2).map(|two| two[1][0].place.y0 - two[0][0].place.y0);
        let mean = |values: &mut dyn Iterator<Item = f32>| {
            let (sum, count) = values.fold((0.0, 0.0f32), |(sum, count), value| (sum + value, count + 1.0));
            sum / count.max(1.0)
        };
        let pitch = (mean(&mut across.into_iter()), mean(&mut down.into_iter()));
        Block { rows, pitch }
    }

    /// Where its bubbles and their numbers stand.
    fn place(&self) -> Rect {
        let start = Rect { x0: f32::MAX, y0: f32::MAX, x1: f32::MIN, y1: f32::MIN };
        let all = self.rows.iter().flatten().fold(start, |whole, bubble| whole.union(&bubble.place));
        Rect { x0: all.x0 - REACH * self.pitch.0, ..all }
    }

    /// Some rows, first and last among them.
    fn sample(&self) -> impl Iterator<Item = &Vec<&'b Bubble>> {
        let last = self.rows.len().saturating_sub(1);
        let mut picked: Vec<usize> = (0..ROWS_READ).map(|at| at * last / (ROWS_READ - 1)).collect();
        picked.dedup();
        picked.into_iter().filter_map(|row| self.rows.get(row))
    }
}

/// The lines that are text: not those that run over bubbles and their numbers.
pub(super) fn text(lines: Vec<Line>, bubbles: &[Bubble]) -> Vec<Line> {
    let places: Vec<Rect> = blocks(bubbles).iter().map(Block::place).collect();
    let is_text = |line: &Line| {
        let (x0, y0, x1, y1) = line.place.bounds();
        let own = Rect { x0, y0, x1, y1 };
        let shared: f32 = places.iter().map(|place| place.intersection(&own).area()).sum();
        shared <= SHARED_MAX * own.area()
    };
    lines.into_iter().filter(is_text).collect()
}

/// Where the numbers of some rows of each block stand.
pub(super) fn numbers(page: &RgbImage, bubbles: &[Bubble]) -> Vec<Quad> {
    let blocks = blocks(bubbles);
    let rows = blocks.iter().flat_map(|block| block.sample().map(move |row| (block, row[0].place)));
    rows.filter_map(|(block, first)| number(page, bubbles, block, &first)).collect()
}

fn number(page: &RgbImage, bubbles: &[Bubble], block: &Block<'_>, first: &Rect) -> Option<Quad> {
    let (_, middle) = first.centre();
    let half = (0.5 * block.pitch.1).min(first.height());
    let before = bubbles
        .iter()
        .map(|bubble| bubble.place)
        .filter(|place| (place.centre().1 - middle).abs() < half && place.x1 < first.x0);
    let from = before.map(|place| place.x1).fold(first.x0 - REACH * block.pitch.0, f32::max).max(0.0);
    let (left, top) = (from as u32, (middle - half).max(0.0) as u32);
    let right = (first.x0 - 0.1 * first.width()).max(0.0) as u32;
    let bottom = ((middle + half) as u32).min(page.height());
    if right <= left + 4 || bottom <= top + 4 || right > page.width() {
        return None;
    }
    let strip = imageops::crop_imm(page, left, top, right - left, bottom - top).to_image();
    let (x0, x1, y0, y1) = last_cluster(&Ink::of(&strip), GAP_MAX * first.width())?;
    let margin = MARGIN * (y1 - y0);
    let (x0, x1) = (left as f32 + x0 - margin, left as f32 + x1 + margin);
    let (y0, y1) = (top as f32 + y0 - margin, top as f32 + y1 + margin);
    Some(Quad::from(Rect { x0, y0, x1, y1 }))
}

/// Left, right, top and bottom of the rightmost ink that hangs together, rules left out.
fn last_cluster(ink: &Ink, gap_max: f32) -> Option<(f32, f32, f32, f32)> {
    let count = |x: usize| (0..ink.height).filter(|y| ink.at(x, *y)).count();
    let is_rule = |x: usize| count(x) as f32 >= RULE_SHARE * ink.height as f32;
    let mut reach: Option<(usize, usize)> = None;
    for x in (0..ink.width).rev() {
        if is_rule(x) {
            if reach.is_some() {
                break;
            }
        } else if count(x) > 0 {
            match &mut reach {
                Some((first, _)) if (*first - x) as f32 <= gap_max => *first = x,
                Some(_) => break,
                None => reach = Some((x, x)),
            }
        }
    }
    let (first, last) = reach?;
    let inked = |y: &usize| (first..=last).any(|x| ink.at(x, *y));
    let (top, bottom) = ((0..ink.height).find(inked)?, (0..ink.height).rev().find(inked)?);
    let is_number = bottom - top >= ink.height / 4 && last - first >= 1;
    is_number.then_some((first as f32, last as f32 + 1.0, top as f32, bottom as f32 + 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    fn sheet() -> Vec<Bubble> {
        let place = |row: u32, column: u32| {
            let (x, y) = (100.0 + 30.0 * column as f32, 50.0 + 24.0 * row as f32);
            Rect { x0: x, y0: y, x1: x + 16.0, y1: y + 16.0 }
        };
        let all = (0..10).flat_map(|row| (0..4).map(move |column| (row, column)));
        all.map(|(row, column)| Bubble { place: place(row, column), fill: 0.0, block: 0, row, column })
            .collect()
    }

    fn line(x0: f32, y0: f32, x1: f32, y1: f32) -> Line {
        Line { place: Quad::from(Rect { x0, y0, x1, y1 }) }
    }

    #[test]
    fn columns_of_bubbles_and_of_numbers_are_no_lines() {
        let (heading, column, numbers) =
            (line(20.0, 5.0, 200.0, 25.0), line(98.0, 50.0, 118.0, 290.0), line(70.0, 50.0, 90.0, 290.0));
        assert_eq!(text(vec![heading, column, numbers], &sheet()), [heading]);
        assert_eq!(text(vec![column], &sheet()[..12]), [column], "too few to be sure");
    }

    #[test]
    fn a_number_is_found_left_of_its_row_and_a_rule_is_none() {
        let page = RgbImage::from_fn(300, 320, |x, y| {
            let is_number = (76..90).contains(&x) && (54..64).contains(&y) && x % 5 != 0;
            let is_rule = x == 60;
            Rgb([if is_number || is_rule { 30 } else { 250 }; 3])
        });
        let found = numbers(&page, &sheet());
        assert_eq!(found.len(), 1);
        let (x0, y0, x1, y1) = found[0].bounds();
        assert!(x0 > 70.0 && x1 < 95.0 && y0 > 49.0 && y1 < 69.0, "{:?}", found[0]);
        assert_eq!(numbers(&RgbImage::new(20, 20), &sheet()), []);
    }
}
