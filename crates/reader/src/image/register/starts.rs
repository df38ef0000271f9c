//! Where a page may lie on the picture: all drawn pages are tried at a few sizes and leans, coarsely.

use super::super::geometry::{Point, Projection, Quad};
use super::super::maps::{Map, Pyramid};
use super::COARSE;
use super::book::Book;
use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

/// Sizes at which pages are tried, of what fills the picture's width.
const SIZES: &[f32] = &[0.74, 0.8, 0.86, 0.92, 0.98, 1.04, 1.1, 1.17];
/// Leans in degrees at which pages are tried.
const LEANS: &[f32] = &[-4.5, -3.0, -1.5, 0.0, 1.5, 3.0, 4.5];
/// How far from the middle pages are tried, in cells across and down.
const SHIFT: (isize, isize) = (5, 6);
/// Pages are followed from so many beginnings.
const FINALISTS: usize = 16;
/// A page without print cannot be told from another.
const PRINT_MIN: f32 = 0.002;

/// Where a page may lie, and how much speaks for it.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub(super) page: usize,
    pub(super) projection: Projection,
    turn: usize,
    alike: f32,
}

/// The most likely beginnings, not more than two a page.
pub(super) fn finalists(book: &Book, picture: &Pyramid) -> Vec<Start> {
    let (width, height) = picture.size();
    let size = (width as f32, height as f32);
    let mut best: Vec<Option<Start>> = vec![None; 4 * book.pages.len()];
    for (width, height) in book.sizes() {
        for turn in turns((width as f32, height as f32), size) {
            for scale in SIZES {
                for lean in LEANS {
                    let pose = pose((width as f32, height as f32), size, turn, *scale, *lean);
                    let around = Around::seen(picture, &pose, (width, height));
                    for (page, drawn) in book.pages.iter().map(|page| page.drawn.as_ref()).enumerate() {
                        let Some(drawn) = drawn.filter(|drawn| drawn.size == (width, height)) else {
                            continue;
                        };
                        let (alike, shift) = around.best(drawn);
                        let known = &mut best[4 * page + turn];
                        if known.is_none_or(|known| alike > known.alike) {
                            let projection = Projection::shift(shift.0, shift.1).then(&pose);
                            *known = Some(Start { page, projection, turn, alike });
                        }
                    }
                }
            }
        }
    }
    let mut starts: Vec<Start> = best.into_iter().flatten().collect();
    starts.sort_by(|a, b| b.alike.total_cmp(&a.alike).then((a.page, a.turn).cmp(&(b.page, b.turn))));
    starts.truncate(FINALISTS);
    starts
}

/// The quarter turns that may set the page upright: a tall page lies tall on the picture, or on its side.
fn turns(page: (f32, f32), picture: (f32, f32)) -> [usize; 2] {
    if (page.0 > page.1) == (picture.0 > picture.1) { [0, 2] } else { [1, 3] }
}

/// The page in the middle of the picture, turned, sized and leaning.
fn pose(page: (f32, f32), picture: (f32, f32), turn: usize, scale: f32, lean: f32) -> Projection {
    let across = if turn.is_multiple_of(2) { picture.0 } else { picture.1 };
    let scale = scale * across / page.0;
    let angle = lean.to_radians() + turn as f32 * std::f32::consts::FRAC_PI_2;
    let (sin, cos) = angle.sin_cos();
    let (middle, onto) = ((page.0 / 2.0, page.1 / 2.0), (picture.0 / 2.0, picture.1 / 2.0));
    let placed = |x: f32, y: f32| {
        let (x, y) = (scale * (x - middle.0), scale * (y - middle.1));
        Point::new(onto.0 + x * cos - y * sin, onto.1 + x * sin + y * cos)
    };
    let corners = Quad::upright(page.0, page.1);
    let placed = Quad(corners.0.map(|corner| placed(corner.x, corner.y)));
    Projection::between(&corners, &placed).unwrap_or(Projection::IDENTITY)
}

/// A drawn page at its coarsest, without its mean.
#[derive(Debug)]
pub(super) struct Drawn {
    size: (usize, usize),
    map: Map,
    norm: f32,
}

impl Drawn {
    pub(super) fn of(size: (usize, usize), coarsest: &Map) -> Option<Drawn> {
        let coarse = coarsest.softened().blurred();
        let (sum, count) = (coarse.sum(), (coarse.width * coarse.height) as f32);
        let mean = sum / count.max(1.0);
        let map = Map::from_fn(coarse.width, coarse.height, |x, y| coarse.at(x as isize, y as isize) - mean);
        let norm = map.sum_of_squares().sqrt();
        (mean > PRINT_MIN && norm > 0.0).then_some(Drawn { size, map, norm })
    }
}

/// How many shifts there are across and down, none among them.
const SHIFTS: (usize, usize) = (2 * SHIFT.0 as usize + 1, 2 * SHIFT.1 as usize + 1);
/// Shifts across that are worked on together: as many numbers as the widest instructions take.
const LANES: usize = 16;
const _: () = assert!(SHIFTS.0 <= LANES);

/// The picture as a pose shows it, in the cells of the coarsest map, with a margin for shifts.
struct Around {
    width: usize,
    /// Its cells, with as many bare ones after each row as there are shifts worked on together.
    cells: Vec<f32>,
    /// Sums of all cells above and left, and of their squares.
    sums: Vec<(f32, f32)>,
}

impl Around {
    fn seen(picture: &Pyramid, pose: &Projection, size: (usize, usize)) -> Around {
        let cell = (1usize << COARSE) as f32;
        let (width, height) = (size.0.div_ceil(1 << COARSE), size.1.div_ceil(1 << COARSE));
        let (across, down) = (2 * SHIFT.0 as usize + width, 2 * SHIFT.1 as usize + height);
        let step = pose.apply(Point::new(cell, 0.0)).distance(pose.apply(Point::new(0.0, 0.0)));
        let around = picture.around(step);
        let map = Map::from_fn(across, down, |x, y| {
            let at = Point::new(
                (x as f32 + 0.5 - SHIFT.0 as f32) * cell,
                (y as f32 + 0.5 - SHIFT.1 as f32) * cell,
            );
            around(pose.apply(at))
        });
        let map = map.softened().blurred();
        let mut cells = Vec::with_capacity((across + LANES) * down);
        let mut sums = vec![(0.0, 0.0); (across + 1) * (down + 1)];
        for y in 0..down {
            cells.extend_from_slice(map.row(y));
            cells.extend([0.0; LANES]);
            let mut row = (0.0, 0.0);
            for (x, value) in map.row(y).iter().enumerate() {
                row = (row.0 + value, row.1 + value * value);
                let above = sums[y * (across + 1) + x + 1];
                sums[(y + 1) * (across + 1) + x + 1] = (above.0 + row.0, above.1 + row.1);
            }
        }
        Around { width: across, cells, sums }
    }

    /// How alike the page is at its best shift, and that shift in its pixels.
    fn best(&self, drawn: &Drawn) -> (f32, (f32, f32)) {
        let cell = (1usize << COARSE) as f32;
        let mut best = (-1.0, (0.0, 0.0));
        let products = Products { own: &drawn.map, around: self }.dispatch();
        for (down, products) in products.iter().enumerate() {
            for (across, product) in products[..SHIFTS.0].iter().enumerate() {
                let alike = product / (drawn.norm * self.spread(&drawn.map, across, down).sqrt());
                if alike > best.0 {
                    let off = |at: usize, middle: isize| (at as isize - middle) as f32 * cell;
                    best = (alike, (off(across, SHIFT.0), off(down, SHIFT.1)));
                }
            }
        }
        best
    }

    /// How much the cells under the page differ from their mean.
    fn spread(&self, own: &Map, left: usize, top: usize) -> f32 {
        let stride = self.width + 1;
        let corner = |x: usize, y: usize| self.sums[y * stride + x];
        let over = |pick: fn((f32, f32)) -> f32| {
            pick(corner(left + own.width, top + own.height))
                - pick(corner(left, top + own.height))
                - pick(corner(left + own.width, top))
                + pick(corner(left, top))
        };
        let count = (own.width * own.height) as f32;
        (over(|sums| sums.1) - over(|sums| sums.0).powi(2) / count).max(1e-6)
    }
}

/// What the products of a page's cells with those under it come to, for all shifts: each cell is fetched once.
struct Products<'p> {
    own: &'p Map,
    around: &'p Around,
}

impl SimdOp for Products<'_> {
    type Output = [[f32; LANES]; SHIFTS.1];

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) -> Self::Output {
        let (ops, stride) = (isa.f32(), self.around.width + LANES);
        let mut products = [[0.0; LANES]; SHIFTS.1];
        for first in (0..LANES).step_by(ops.len()) {
            let mut sums = [ops.zero(); SHIFTS.1];
            for y in 0..self.own.height {
                let rows: [&[f32]; SHIFTS.1] = std::array::from_fn(
                    #[inline(always)]
                    |down| &self.around.cells[(y + down) * stride..(y + down + 1) * stride],
                );
                for (x, own) in self.own.row(y).iter().enumerate() {
                    let (own, start) = (ops.splat(*own), x + first);
                    for (sum, row) in sums.iter_mut().zip(rows) {
                        *sum = ops.mul_add(own, ops.load(&row[start..start + ops.len()]), *sum);
                    }
                }
            }
            for (products, sum) in products.iter_mut().zip(sums) {
                ops.store(sum, &mut products[first..first + ops.len()]);
            }
        }
        products
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_each_shift() {
        let (own, width, height) = (Map::from_fn(7, 5, |x, y| (x * 3 + y) as f32), 17, 17);
        let seen = Map::from_fn(width, height, |x, y| ((x * 5 + y * 7) % 11) as f32);
        let mut cells = Vec::new();
        for y in 0..height {
            cells.extend_from_slice(seen.row(y));
            cells.extend([0.0; LANES]);
        }
        let around = Around { width, cells, sums: Vec::new() };
        let products = Products { own: &own, around: &around }.dispatch();
        for (down, products) in products.iter().enumerate() {
            for (across, product) in products[..SHIFTS.0].iter().enumerate() {
                let cells = (0..5).flat_map(|y| (0..7).map(move |x| (x, y)));
                let each = cells.map(|(x, y): (usize, usize)| {
                    own.row(y)[x] * seen.at((x + across) as isize, (y + down) as isize)
                });
                assert_eq!(*product, each.sum::<f32>(), "{across}, {down}");
            }
        }
    }
}
