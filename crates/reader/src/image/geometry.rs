//! Points, quadrilaterals and the projections between them.

use crate::page::Rect;
use serde::{Deserialize, Serialize};

/// A point of a picture or a page, from the top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

/// Four corners: top left, top right, bottom right, bottom left as the text on it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Quad(pub [Point; 4]);

impl Point {
    /// A point at these coordinates.
    pub const fn new(x: f32, y: f32) -> Point {
        Point { x, y }
    }

    /// The point that lies a share of the way to the other.
    #[must_use]
    pub fn towards(self, other: Point, share: f32) -> Point {
        Point::new(self.x + (other.x - self.x) * share, self.y + (other.y - self.y) * share)
    }

    /// How far the other point is.
    pub fn distance(self, other: Point) -> f32 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

impl From<Rect> for Quad {
    fn from(Rect { x0, y0, x1, y1 }: Rect) -> Quad {
        Quad([Point::new(x0, y0), Point::new(x1, y0), Point::new(x1, y1), Point::new(x0, y1)])
    }
}

impl Quad {
    /// An upright rectangle with its corner at the origin.
    pub fn upright(width: f32, height: f32) -> Quad {
        Quad([
            Point::new(0.0, 0.0),
            Point::new(width, 0.0),
            Point::new(width, height),
            Point::new(0.0, height),
        ])
    }

    /// The longer of its top and bottom sides.
    pub fn width(&self) -> f32 {
        self.0[0].distance(self.0[1]).max(self.0[3].distance(self.0[2]))
    }

    /// The longer of its left and right sides.
    pub fn height(&self) -> f32 {
        self.0[0].distance(self.0[3]).max(self.0[1].distance(self.0[2]))
    }

    /// The area it covers.
    pub fn area(&self) -> f32 {
        let corners = &self.0;
        let doubled: f32 = (0..4)
            .map(|index| {
                let (from, to) = (corners[index], corners[(index + 1) % 4]);
                from.x * to.y - to.x * from.y
            })
            .sum();
        doubled.abs() / 2.0
    }

    /// The angle of its top and bottom sides in radians, clockwise.
    pub fn angle(&self) -> f32 {
        let along = |from: Point, to: Point| (to.x - from.x, to.y - from.y);
        let (top, bottom) = (along(self.0[0], self.0[1]), along(self.0[3], self.0[2]));
        (top.1 + bottom.1).atan2(top.0 + bottom.0)
    }

    /// Its corners sent through a projection.
    #[must_use]
    pub fn through(&self, projection: &Projection) -> Quad {
        Quad(self.0.map(|corner| projection.apply(corner)))
    }

    /// The smallest upright rectangle around it: left, top, right, bottom.
    pub fn bounds(&self) -> (f32, f32, f32, f32) {
        let start = (f32::MAX, f32::MAX, f32::MIN, f32::MIN);
        self.0.iter().fold(start, |(x0, y0, x1, y1), corner| {
            (x0.min(corner.x), y0.min(corner.y), x1.max(corner.x), y1.max(corner.y))
        })
    }
}

/// A projective map of the plane: straight lines stay straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection([f64; 9]);

impl Projection {
    /// Nothing moves.
    pub const IDENTITY: Projection = Projection([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);

    /// The map that takes each corner of `from` to that of `to`; `None` when three corners are in line.
    pub fn between(from: &Quad, to: &Quad) -> Option<Projection> {
        let mut rows = [[0.0f64; 9]; 8];
        for (index, (source, target)) in from.0.iter().zip(&to.0).enumerate() {
            let (x, y) = (f64::from(source.x), f64::from(source.y));
            let (u, v) = (f64::from(target.x), f64::from(target.y));
            rows[2 * index] = [x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y, u];
            rows[2 * index + 1] = [0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y, v];
        }
        let solved = solve(rows)?;
        let mut matrix = [1.0; 9];
        matrix[..8].copy_from_slice(&solved);
        Some(Projection(matrix))
    }

    /// Everything moves by so much.
    pub fn shift(across: f32, down: f32) -> Projection {
        Projection([1.0, 0.0, f64::from(across), 0.0, 1.0, f64::from(down), 0.0, 0.0, 1.0])
    }

    /// This map and then another.
    #[must_use]
    pub fn then(&self, next: &Projection) -> Projection {
        let (a, b) = (&next.0, &self.0);
        Projection(std::array::from_fn(|at| {
            let (row, column) = (3 * (at / 3), at % 3);
            a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6]
        }))
    }

    /// How long a step of one becomes at a point.
    pub fn scale_at(&self, at: Point) -> f32 {
        let there = self.apply(at);
        let right = self.apply(Point::new(at.x + 1.0, at.y)).distance(there);
        let below = self.apply(Point::new(at.x, at.y + 1.0)).distance(there);
        (right * below).sqrt()
    }

    /// The map that takes the first point of each pair closest to the second, the weighty pairs before others. With
    /// few pairs it bends little: what is far from all of them must not run away.
    pub fn fitted(pairs: &[(Point, Point)], weights: &[f32]) -> Option<Projection> {
        /// Against perspective, as a share of the pairs' weight.
        const STIFF: f64 = 0.002;
        let (from, to) =
            (Frame::of(pairs.iter().map(|pair| pair.0))?, Frame::of(pairs.iter().map(|pair| pair.1))?);
        let mut normal = [[0.0f64; 9]; 8];
        let mut total = 0.0;
        for ((source, target), weight) in pairs.iter().zip(weights) {
            let ((x, y), (u, v)) = (from.within(*source), to.within(*target));
            let weight = f64::from(*weight);
            total += weight;
            let rows = [
                [x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y, u],
                [0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y, v],
            ];
            for row in rows {
                for (index, sums) in normal.iter_mut().enumerate() {
                    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * row[index] * value);
                }
            }
        }
        normal[6][6] += STIFF * total;
        normal[7][7] += STIFF * total;
        let solved = solve(normal)?;
        let mut matrix = [1.0; 9];
        matrix[..8].copy_from_slice(&solved);
        Some(from.inwards().then(&Projection(matrix)).then(&to.outwards()))
    }

    /// Where a point goes.
    pub fn apply(&self, point: Point) -> Point {
        let [a, b, c, d, e, f, g, h, i] = self.0;
        let (x, y) = (f64::from(point.x), f64::from(point.y));
        let depth = g * x + h * y + i;
        let near = 1.0 / if depth.abs() < 1e-9 { 1e-9 } else { depth };
        Point::new(((a * x + b * y + c) * near) as f32, ((d * x + e * y + f) * near) as f32)
    }
}

/// Coordinates in which points lie around the origin, about one away: large numbers would drown small ones.
struct Frame {
    middle: (f64, f64),
    scale: f64,
}

impl Frame {
    fn of(points: impl Iterator<Item = Point> + Clone) -> Option<Frame> {
        let count = points.clone().count() as f64;
        let sum =
            points.clone().fold((0.0, 0.0), |sum, at| (sum.0 + f64::from(at.x), sum.1 + f64::from(at.y)));
        let middle = (sum.0 / count, sum.1 / count);
        let reach =
            points.map(|at| (f64::from(at.x) - middle.0).hypot(f64::from(at.y) - middle.1)).sum::<f64>()
                / count;
        (reach > 1e-6).then_some(Frame { middle, scale: reach })
    }

    fn within(&self, at: Point) -> (f64, f64) {
        ((f64::from(at.x) - self.middle.0) / self.scale, (f64::from(at.y) - self.middle.1) / self.scale)
    }

    fn inwards(&self) -> Projection {
        let (step, (x, y)) = (1.0 / self.scale, self.middle);
        Projection([step, 0.0, -x * step, 0.0, step, -y * step, 0.0, 0.0, 1.0])
    }

    fn outwards(&self) -> Projection {
        Projection([self.scale, 0.0, self.middle.0, 0.0, self.scale, self.middle.1, 0.0, 0.0, 1.0])
    }
}

/// Gaussian elimination with pivoting of eight equations; the last column is the right-hand side.
fn solve(mut rows: [[f64; 9]; 8]) -> Option<[f64; 8]> {
    for column in 0..8 {
        let pivot = (column..8).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
        if rows[pivot][column].abs() < 1e-9 {
            return None;
        }
        rows.swap(column, pivot);
        let pivot_row = rows[column];
        for (index, row) in rows.iter_mut().enumerate() {
            if index != column {
                let factor = row[column] / pivot_row[column];
                row.iter_mut().zip(pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
    }
    Some(std::array::from_fn(|index| rows[index][8] / rows[index][index]))
}

/// The convex hull by the monotone chain.
pub fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let turn = |a: Point, b: Point, c: Point| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    let chain = |ordered: &mut dyn Iterator<Item = &Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for point in ordered {
            while chain.len() >= 2 && turn(chain[chain.len() - 2], chain[chain.len() - 1], *point) <= 0.0 {
                chain.pop();
            }
            chain.push(*point);
        }
        chain.pop();
        chain
    };
    let mut lower = chain(&mut points.iter());
    lower.extend(chain(&mut points.iter().rev()));
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_projection_takes_corners_to_corners_and_its_inverse_brings_them_back() {
        let photo = Quad([
            Point::new(10.0, 12.0),
            Point::new(205.0, 30.0),
            Point::new(190.0, 260.0),
            Point::new(22.0, 240.0),
        ]);
        let sheet = Quad::upright(210.0, 297.0);
        let forth = Projection::between(&photo, &sheet).unwrap();
        let back = Projection::between(&sheet, &photo).unwrap();
        for corner in photo.0 {
            assert!(back.apply(forth.apply(corner)).distance(corner) < 0.01);
        }
        let flat = Quad([Point::new(0.0, 0.0); 4]);
        assert_eq!(Projection::between(&flat, &sheet), None);
    }
}
