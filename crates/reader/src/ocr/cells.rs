//! Writing in the small cells of a printed table: each cell holds a line of its own, though the lines nearly touch.

use crate::image::ink::Ink;
use crate::image::residue::{self, Residue};
use crate::image::rules;
use crate::page::{Direction, Page, Rect, Ruling};
use crate::print::{self, Print};
use crate::tables;
use image::{Rgb, RgbImage};

/// A cell that is higher, in pixels of the page laid flat, may hold several lines: 11 mm.
const HEIGHT_MAX: f32 = 65.0;
/// A cell that is lower holds no writing: 3 mm.
const HEIGHT_MIN: f32 = 18.0;
/// Rows end together when their ends differ by less, in pixels.
const ENDS_OFF_MAX: f32 = 7.0;
/// A table has at least so many lines across.
const ROWS_MIN: usize = 3;
/// A part of ink this many times as high as its cell belongs to several.
const PART_MAX: f32 = 1.6;
/// Less ink, in pixels, is a speck or what is left of a rule.
const INK_MIN: usize = 40;
/// Paper that is shown around a cell's ink, as a share of its height.
const MARGIN: f32 = 0.12;

/// What stands in one cell.
pub(super) struct Inked {
    /// The cell's ink alone, on white.
    pub(super) picture: RgbImage,
    /// Where that stands on the page.
    pub(super) place: Rect,
}

/// The small cells of the tables that are drawn on the page, in pixels of the page laid flat.
pub(super) fn small(print: &Print) -> Vec<Rect> {
    let scale = residue::DPI / print::DPI;
    let rulings = rules::find(&print.ink()).into_iter().map(|rule| Ruling {
        place: Rect {
            x0: rule.place.x0 * scale,
            y0: rule.place.y0 * scale,
            x1: rule.place.x1 * scale,
            y1: rule.place.y1 * scale,
        },
        direction: rule.direction,
    });
    let mut rulings: Vec<Ruling> = rulings.collect();
    rulings.extend(borders(&rulings));
    let page = Page { rulings, ..Page::default() };
    let cells = tables::tables(&page).into_iter().flat_map(|table| table.cells).map(|cell| cell.place);
    cells.filter(|place| (HEIGHT_MIN..HEIGHT_MAX).contains(&place.height())).collect()
}

/// The left and right borders of tables whose rows end together: a thin border is easily lost in a coarse drawing.
fn borders(rulings: &[Ruling]) -> Vec<Ruling> {
    let is_same = |one: &Ruling, other: &Ruling| {
        (one.place.x0 - other.place.x0).abs() < ENDS_OFF_MAX
            && (one.place.x1 - other.place.x1).abs() < ENDS_OFF_MAX
    };
    let across: Vec<&Ruling> =
        rulings.iter().filter(|rule| rule.direction == Direction::Horizontal).collect();
    let mut borders = Vec::new();
    for (index, first) in across.iter().enumerate() {
        let own = || across.iter().filter(|rule| is_same(rule, first));
        let is_known = across[..index].iter().any(|rule| is_same(rule, first));
        let whole = own().fold(first.place, |whole, rule| whole.union(&rule.place));
        // Lines to write on end together, too; a table has columns.
        let is_parted = rulings.iter().any(|rule| {
            let within = rule.place.x0 > whole.x0 + ENDS_OFF_MAX && rule.place.x1 < whole.x1 - ENDS_OFF_MAX;
            let reaches = rule.place.y0 < whole.y0 + ENDS_OFF_MAX && rule.place.y1 > whole.y1 - ENDS_OFF_MAX;
            rule.direction == Direction::Vertical && within && reaches
        });
        if !is_known && own().count() >= ROWS_MIN && is_parted {
            borders.extend([whole.x0, whole.x1].map(|x| Ruling {
                place: Rect { x0: x - 0.5, y0: whole.y0, x1: x + 0.5, y1: whole.y1 },
                direction: Direction::Vertical,
            }));
        }
    }
    borders
}

/// Takes the writing in these cells out of the residue, cell by cell.
pub(super) fn take_out(residue: &mut Residue, cells: &[Rect]) -> Vec<Inked> {
    if cells.is_empty() {
        return Vec::new();
    }
    let width = residue.ink.width;
    let cell_of = |at: usize| {
        let spot = ((at % width) as f32 + 0.5, (at / width) as f32 + 0.5);
        cells.iter().position(|cell| cell.contains(spot))
    };
    let mut own: Vec<Vec<usize>> = vec![Vec::new(); cells.len()];
    for part in residue.ink.parts() {
        let homes: Vec<Option<usize>> = part.iter().map(|at| cell_of(*at)).collect();
        let Some(home) = usual(&homes, cells.len()) else { continue };
        let rows = part.iter().map(|at| at / width);
        let height = rows.clone().max().unwrap_or(0) - rows.min().unwrap_or(0);
        let is_whole = (height as f32) < PART_MAX * cells[home].height();
        for (at, cell) in part.iter().zip(homes) {
            let cell = if is_whole { Some(home) } else { cell };
            cell.into_iter().for_each(|cell| own[cell].push(*at));
        }
    }
    own.retain(|pixels| pixels.len() >= INK_MIN);
    let inked: Vec<Inked> = own.iter().map(|pixels| shown(residue, pixels)).collect();
    let mut marks: Vec<bool> = (0..residue.ink.height).flat_map(|y| residue.ink.row(y).to_vec()).collect();
    own.iter().flatten().for_each(|at| marks[*at] = false);
    residue.ink = Ink::from_marks(width, residue.ink.height, marks);
    own.iter().flatten().for_each(|at| whiten(&mut residue.picture, *at));
    inked
}

/// The cell that holds most of a part's pixels, if one holds half of them.
fn usual(homes: &[Option<usize>], cells: usize) -> Option<usize> {
    let mut counts = vec![0; cells];
    homes.iter().flatten().for_each(|cell| counts[*cell] += 1);
    let (best, count) = counts.into_iter().enumerate().max_by_key(|(_, count)| *count)?;
    (2 * count >= homes.len()).then_some(best)
}

fn shown(residue: &Residue, pixels: &[usize]) -> Inked {
    let width = residue.ink.width;
    let start = (usize::MAX, 0, usize::MAX, 0);
    let reach = pixels.iter().fold(start, |reach, at| {
        let (x, y) = (at % width, at / width);
        (reach.0.min(x), reach.1.max(x), reach.2.min(y), reach.3.max(y))
    });
    let margin = (MARGIN * (reach.3 - reach.2) as f32) as usize + 2;
    let (left, top) = (reach.0.saturating_sub(margin), reach.2.saturating_sub(margin));
    let (right, bottom) = ((reach.1 + margin).min(width - 1), (reach.3 + margin).min(residue.ink.height - 1));
    let mut picture =
        RgbImage::from_pixel((right - left + 1) as u32, (bottom - top + 1) as u32, Rgb([250; 3]));
    for at in pixels {
        // A pixel's half tones stand beside it.
        let (x, y) = (at % width, at / width);
        for near_y in y.saturating_sub(1).max(top)..=(y + 1).min(bottom) {
            for near_x in x.saturating_sub(1).max(left)..=(x + 1).min(right) {
                let colour = *residue.picture.get_pixel(near_x as u32, near_y as u32);
                picture.put_pixel((near_x - left) as u32, (near_y - top) as u32, colour);
            }
        }
    }
    let place = Rect { x0: left as f32, y0: top as f32, x1: right as f32 + 1.0, y1: bottom as f32 + 1.0 };
    Inked { picture, place }
}

fn whiten(picture: &mut RgbImage, at: usize) {
    let (x, y) = (at as u32 % picture.width(), at as u32 / picture.width());
    for near_y in y.saturating_sub(1)..=(y + 1).min(picture.height() - 1) {
        for near_x in x.saturating_sub(1)..=(x + 1).min(picture.width() - 1) {
            picture.put_pixel(near_x, near_y, Rgb([250; 3]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_without_its_outer_borders_has_cells_and_lines_to_write_on_have_none() {
        let drawn = |is_table: bool| {
            let marks = (0..850 * 1100).map(|at: usize| {
                let (x, y) = (at % 850, at / 850);
                let row = (100..750).contains(&x) && (300..401).contains(&y) && (y - 300).is_multiple_of(25);
                row || is_table && x == 400 && (300..401).contains(&y)
            });
            Print::of(&Ink::from_marks(850, 1100, marks.collect())).unwrap()
        };
        assert_eq!(small(&drawn(true)).len(), 8);
        assert_eq!(small(&drawn(false)), []);
    }

    #[test]
    fn lines_that_nearly_touch_go_to_their_own_cells() {
        let cell = |row: f32| Rect { x0: 20.0, y0: 20.0 + 30.0 * row, x1: 180.0, y1: 50.0 + 30.0 * row };
        let is_ink = |x: u32, y: u32| {
            let first = (40..60).contains(&x) && (25..52).contains(&y) && x % 6 < 3;
            let second = (70..95).contains(&x) && (54..76).contains(&y) && x % 5 < 3;
            let outside = (40..60).contains(&x) && (120..140).contains(&y);
            first || second || outside
        };
        let picture = RgbImage::from_fn(200, 160, |x, y| Rgb([if is_ink(x, y) { 20 } else { 250 }; 3]));
        let mut residue = Residue { ink: Ink::of(&picture), whole: picture.clone(), picture };
        let inked = take_out(&mut residue, &[cell(0.0), cell(1.0)]);
        assert_eq!(inked.len(), 2);
        assert!(inked[0].place.y1 < 60.0 && inked[0].place.x1 < 70.0, "{:?}", inked[0].place);
        assert!(inked[1].place.y0 > 45.0 && inked[1].place.x0 > 60.0, "{:?}", inked[1].place);
        assert!(residue.ink.at(50, 130) && !residue.ink.at(42, 30) && !residue.ink.at(71, 60));
        assert!(take_out(&mut residue, &[]).is_empty());
    }
}
