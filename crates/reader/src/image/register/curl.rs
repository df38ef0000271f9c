//! How paper curls: each part of the page may lie a little off its projection.

use super::super::geometry::{Point, Projection};
use super::super::maps::Pyramid;
use super::pieces::{Cut, Piece, Seen, pieces};

/// How far, in the drawn page's pixels, each part of it lies off its projection.
#[derive(Clone, Debug, Default)]
pub(super) struct Curl {
    columns: usize,
    rows: usize,
    offs: Vec<(f32, f32)>,
}

/// Pixels of the drawn page from one place where its curl is known to the next.
const CURL_STEP: usize = 32;

impl Curl {
    /// What a coarse look says, made finer.
    pub(super) fn seen(drawn: &Pyramid, picture: &Pyramid, projection: &Projection) -> Curl {
        let mut curl = Curl::default();
        for (level, side, reach) in [(2, 14, 4), (1, 28, 2)] {
            let map = drawn.level(level).blurred();
            let cut = Cut { side, stride: CURL_STEP >> level, reach };
            let onto = |at: Point| {
                let (x, y) = curl.at(at);
                projection.apply(Point::new(at.x + x, at.y + y))
            };
            let seen = Seen::through(picture, onto, &map, level, cut);
            curl = curl.and(&pieces(&map, &seen, level, cut), drawn.size());
        }
        curl
    }

    /// The same with what the pieces say besides.
    fn and(&self, found: &[Piece], (width, height): (usize, usize)) -> Curl {
        let (columns, rows) = (width / CURL_STEP + 2, height / CURL_STEP + 2);
        let mut offs = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                let at = Point::new((column * CURL_STEP) as f32, (row * CURL_STEP) as f32);
                let (known, more) = (self.at(at), around(found, at));
                offs.push((known.0 + more.0, known.1 + more.1));
            }
        }
        Curl { columns, rows, offs }
    }

    pub(super) fn at(&self, at: Point) -> (f32, f32) {
        if self.columns < 2 || self.rows < 2 {
            return (0.0, 0.0);
        }
        let along = |at: f32, count: usize| {
            let at = (at / CURL_STEP as f32).clamp(0.0, count as f32 - 1.001);
            (at as usize, at - at.floor())
        };
        let ((column, across), (row, down)) = (along(at.x, self.columns), along(at.y, self.rows));
        let off = |column: usize, row: usize| self.offs[row * self.columns + column];
        let mix = |pick: fn((f32, f32)) -> f32| {
            let upper = pick(off(column, row)) * (1.0 - across) + pick(off(column + 1, row)) * across;
            let lower = pick(off(column, row + 1)) * (1.0 - across) + pick(off(column + 1, row + 1)) * across;
            upper * (1.0 - down) + lower * down
        };
        (mix(|off| off.0), mix(|off| off.1))
    }
}

/// What the pieces around a place say together; those that disagree with the middle one of them do not count.
fn around(found: &[Piece], at: Point) -> (f32, f32) {
    const REACH: f32 = 110.0;
    const AGREE: f32 = 2.5;
    let near: Vec<&Piece> = found.iter().filter(|piece| piece.middle.distance(at) < REACH).collect();
    let median = |pick: fn(&Piece) -> f32| {
        let mut values: Vec<f32> = near.iter().map(|piece| pick(piece)).collect();
        values.sort_by(f32::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    let (across, down) = (median(|piece| piece.off.0), median(|piece| piece.off.1));
    let (mut sum, mut weights) = ((0.0, 0.0), 0.3f32);
    for piece in near {
        if (piece.off.0 - across).hypot(piece.off.1 - down) <= AGREE {
            let off = piece.middle.distance(at) / (0.4 * REACH);
            let weight = piece.alike * (-off * off).exp();
            sum = (sum.0 + weight * piece.off.0, sum.1 + weight * piece.off.1);
            weights += weight;
        }
    }
    (sum.0 / weights, sum.1 / weights)
}
