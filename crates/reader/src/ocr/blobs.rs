//! Connected blobs of a likelihood map and the tightest rectangle around each.

use crate::image::geometry::{Point, Quad, hull};

/// Pixels that hang together.
#[derive(Debug)]
pub(super) struct Blob {
    /// Leftmost and rightmost pixel of each of its rows: enough for its outline.
    rows: Vec<(usize, usize, usize)>,
    /// How likely its pixels are on average.
    pub(super) mean: f32,
}

/// A rectangle at any angle; `length` runs along `angle`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rectangle {
    centre: Point,
    pub(super) length: f32,
    pub(super) thickness: f32,
    angle: f32,
}

/// The blobs of all pixels above the threshold, from the top. Pixels one apart still touch.
pub(super) fn blobs(map: &[f32], width: usize, threshold: f32) -> Vec<Blob> {
    let mut seen = vec![false; map.len()];
    let mut found = Vec::new();
    for start in 0..map.len() {
        if map[start] > threshold && !seen[start] {
            found.push(flood(map, width, threshold, start, &mut seen));
        }
    }
    found
}

fn flood(map: &[f32], width: usize, threshold: f32, start: usize, seen: &mut [bool]) -> Blob {
    let mut waiting = vec![start];
    seen[start] = true;
    let (mut sum, mut count) = (0.0f64, 0u32);
    let mut rows = std::collections::BTreeMap::<usize, (usize, usize)>::new();
    while let Some(at) = waiting.pop() {
        let (x, y) = (at % width, at / width);
        sum += f64::from(map[at]);
        count += 1;
        let row = rows.entry(y).or_insert((x, x));
        *row = (row.0.min(x), row.1.max(x));
        for next_y in y.saturating_sub(1)..=(y + 1).min(map.len() / width - 1) {
            for next_x in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                let next = next_y * width + next_x;
                if map[next] > threshold && !seen[next] {
                    seen[next] = true;
                    waiting.push(next);
                }
            }
        }
    }
    let rows = rows.into_iter().map(|(y, (left, right))| (y, left, right)).collect();
    Blob { rows, mean: (sum / f64::from(count.max(1))) as f32 }
}

impl Blob {
    /// The rectangle of least area around it; `None` for a blob without extent.
    pub(super) fn tight_rectangle(&self) -> Option<Rectangle> {
        let outline = self.rows.iter().flat_map(|(y, left, right)| {
            let (top, bottom) = (*y as f32, *y as f32 + 1.0);
            let (left, right) = (*left as f32, *right as f32 + 1.0);
            [(left, top), (left, bottom), (right, top), (right, bottom)].map(|(x, y)| Point::new(x, y))
        });
        let hull = hull(outline.collect());
        let edges = (0..hull.len()).map(|index| (hull[index], hull[(index + 1) % hull.len()]));
        let least = edges
            .map(|(from, to)| Rectangle::along(&hull, (to.y - from.y).atan2(to.x - from.x)))
            .min_by(|a, b| (a.length * a.thickness).total_cmp(&(b.length * b.thickness)))?;
        Some(least.lying())
    }
}

impl Rectangle {
    fn along(points: &[Point], angle: f32) -> Rectangle {
        let (sin, cos) = angle.sin_cos();
        let start = (f32::MAX, f32::MIN, f32::MAX, f32::MIN);
        let (left, right, top, bottom) = points.iter().fold(start, |reach, point| {
            let (u, v) = (point.x * cos + point.y * sin, point.y * cos - point.x * sin);
            (reach.0.min(u), reach.1.max(u), reach.2.min(v), reach.3.max(v))
        });
        let (u, v) = (f32::midpoint(left, right), f32::midpoint(top, bottom));
        let centre = Point::new(u * cos - v * sin, u * sin + v * cos);
        Rectangle { centre, length: right - left, thickness: bottom - top, angle }
    }

    /// Turned by right angles so that it lies: its angle between -45 and 45 degrees.
    fn lying(mut self) -> Rectangle {
        let quarter = std::f32::consts::FRAC_PI_2;
        while self.angle > quarter / 2.0 {
            self.angle -= quarter;
            std::mem::swap(&mut self.length, &mut self.thickness);
        }
        while self.angle < -quarter / 2.0 {
            self.angle += quarter;
            std::mem::swap(&mut self.length, &mut self.thickness);
        }
        self
    }

    /// Larger by a margin on every side.
    pub(super) fn grown(self, margin: f32) -> Rectangle {
        Rectangle { length: self.length + 2.0 * margin, thickness: self.thickness + 2.0 * margin, ..self }
    }

    /// Its corners, from the top left one clockwise.
    pub(super) fn corners(&self) -> Quad {
        let (sin, cos) = self.angle.sin_cos();
        let corner = |along: f32, across: f32| {
            let (u, v) = (along * self.length / 2.0, across * self.thickness / 2.0);
            Point::new(self.centre.x + u * cos - v * sin, self.centre.y + u * sin + v * cos)
        };
        Quad([corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bars_are_two_blobs_with_their_own_rectangles() {
        let (width, height) = (60, 40);
        let mut map = vec![0.0; width * height];
        for x in 5..50 {
            for y in 5..9 {
                map[y * width + x] = 0.9;
                map[(y + 12 + x / 9) * width + x] = 0.8;
            }
        }
        let found = blobs(&map, width, 0.3);
        assert_eq!(found.len(), 2);
        let level = found[0].tight_rectangle().unwrap();
        assert!((level.length - 45.0).abs() < 0.1 && (level.thickness - 4.0).abs() < 0.1, "{level:?}");
        let tilted = found[1].tight_rectangle().unwrap();
        assert!((tilted.angle.to_degrees() - 6.3).abs() < 2.0, "{tilted:?}");
        assert!(tilted.corners().0[0].x < tilted.corners().0[1].x);
    }
}
