//! Pieces of the drawn page look for themselves in the picture.

use super::super::geometry::Point;
use super::super::maps::{Map, Pyramid, products};

/// A piece that is less like the picture than this is not found.
const ALIKE_MIN: f32 = 0.4;

/// The picture as it lies under the drawn page, in cells of a level, with as many more cells on every side as a piece may
/// reach into.
pub(super) struct Seen {
    map: Map,
    pad: usize,
    /// Sums of all cells above and left, and of their squares: what any piece comes to is found in them.
    sums: Vec<(f64, f64)>,
}

impl Seen {
    pub(super) fn through(
        picture: &Pyramid,
        onto: impl Fn(Point) -> Point,
        drawn: &Map,
        level: usize,
        cut: Cut,
    ) -> Seen {
        let pad = cut.pad();
        let cell = (1usize << level) as f32;
        let middle = Point::new(drawn.width as f32 * cell / 2.0, drawn.height as f32 * cell / 2.0);
        let step = onto(middle).distance(onto(Point::new(middle.x + cell, middle.y)));
        let around = picture.around(step);
        let map = Map::from_fn(drawn.width + 2 * pad, drawn.height + 2 * pad, |x, y| {
            let along = |at: usize| (at as f32 + 0.5 - pad as f32) * cell;
            around(onto(Point::new(along(x), along(y))))
        });
        let map = map.blurred();
        let mut sums = vec![(0.0, 0.0); (map.width + 1) * (map.height + 1)];
        for y in 0..map.height {
            let mut row = (0.0, 0.0);
            for (x, value) in map.row(y).iter().map(|value| f64::from(*value)).enumerate() {
                row = (row.0 + value, row.1 + value * value);
                let above = sums[y * (map.width + 1) + x + 1];
                sums[(y + 1) * (map.width + 1) + x + 1] = (above.0 + row.0, above.1 + row.1);
            }
        }
        Seen { map, pad, sums }
    }

    /// What the cells of a square that begins at a place of the drawn page come to, and their squares.
    fn square(&self, left: isize, top: isize, side: usize) -> (f32, f32) {
        let (left, top) = ((left + self.pad as isize) as usize, (top + self.pad as isize) as usize);
        let corner = |x: usize, y: usize| self.sums[y * (self.map.width + 1) + x];
        let (first, last) = (corner(left, top), corner(left + side, top + side));
        let (right, below) = (corner(left + side, top), corner(left, top + side));
        ((last.0 - right.0 - below.0 + first.0) as f32, (last.1 - right.1 - below.1 + first.1) as f32)
    }

    /// A row of the cells that begin at a place of the drawn page.
    fn row(&self, left: isize, y: isize, count: usize) -> &[f32] {
        let from = (left + self.pad as isize) as usize;
        &self.map.row((y + self.pad as isize) as usize)[from..from + count]
    }
}

/// How pieces are cut and looked for, in cells.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub(super) side: usize,
    pub(super) stride: usize,
    pub(super) reach: isize,
}

impl Cut {
    /// Cells around the page that a piece at its edge may reach into.
    pub(super) fn pad(self) -> usize {
        self.side + self.reach as usize + 2
    }
}

/// A piece of the drawn page and how far, in its pixels, the picture has it from where it should be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) middle: Point,
    pub(super) off: (f32, f32),
    pub(super) alike: f32,
}

/// Looks for all pieces of a page.
pub(super) fn pieces(drawn: &Map, seen: &Seen, level: usize, cut: Cut) -> Vec<Piece> {
    let cell = (1usize << level) as f32;
    let half = cut.side / 2;
    let mut found = Vec::new();
    for top in (0..drawn.height.saturating_sub(half)).step_by(cut.stride) {
        for left in (0..drawn.width.saturating_sub(half)).step_by(cut.stride) {
            if let Some((off, alike)) = look(drawn, seen, (left as isize, top as isize), cut) {
                let middle = Point::new((left + half) as f32 * cell, (top + half) as f32 * cell);
                found.push(Piece { middle, off: (off.0 * cell, off.1 * cell), alike });
            }
        }
    }
    found
}

/// Where a piece fits best, in cells; `None` when it is bare or found nowhere.
fn look(drawn: &Map, seen: &Seen, (left, top): (isize, isize), cut: Cut) -> Option<((f32, f32), f32)> {
    let side = cut.side as isize;
    let own: Vec<f32> = (top..top + side)
        .flat_map(|y| (left..left + side).map(move |x| (x, y)))
        .map(|(x, y)| drawn.at(x, y))
        .collect();
    let count = own.len() as f32;
    let sum: f32 = own.iter().sum();
    let spread = own.iter().map(|value| value * value).sum::<f32>() - sum * sum / count;
    if spread < 0.0004 * count {
        return None;
    }
    let alike = |across: isize, down: isize| {
        let rows = (top + down..).zip(own.chunks_exact(cut.side));
        let product: f32 = rows.map(|(row, own)| products(own, seen.row(left + across, row, cut.side))).sum();
        let (total, squares) = seen.square(left + across, top + down, cut.side);
        let seen_spread = squares - total * total / count;
        (product - sum * total / count) / (spread * seen_spread.max(1e-4 * count)).sqrt()
    };
    let mut best = (-1.0, 0, 0);
    for down in -cut.reach..=cut.reach {
        for across in -cut.reach..=cut.reach {
            // Of equals the nearest: a long rule fits everywhere along itself.
            let value = alike(across, down) - 0.004 * (across.abs() + down.abs()) as f32;
            if value > best.0 {
                best = (value, across, down);
            }
        }
    }
    let (value, across, down) = best;
    if value < ALIKE_MIN {
        return None;
    }
    let exact = alike(across, down);
    let peak = |before: f32, after: f32| {
        let bend = before + after - 2.0 * exact;
        if bend < -1e-4 { (0.5 * (before - after) / bend).clamp(-0.5, 0.5) } else { 0.0 }
    };
    let fine = (
        across as f32 + peak(alike(across - 1, down), alike(across + 1, down)),
        down as f32 + peak(alike(across, down - 1), alike(across, down + 1)),
    );
    Some((fine, value))
}
