//! Root signs that a formula editor draws as a shape instead of setting them as a letter.

use super::collect::bounds;
use crate::page::Rect;
use hayro::kurbo::{BezPath, PathEl};

/// A root sign and the bar over what it is taken of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Root {
    pub(super) sign: Rect,
    pub(super) bar: Rect,
}

/// How high a root sign may be, in points: from one over a small letter to one over a fraction; higher shapes are graphs.
const HEIGHTS: std::ops::Range<f32> = 5.0..45.0;
/// A sign has at most so many corners; drawings that happen to rise and run flat have more.
const MOST_CORNERS: usize = 16;

/// The root sign that a path draws: a tick that goes down to the foot, up to the top, and then flat to the right, with
/// nothing below the flat part.
pub(super) fn drawn(path: &BezPath) -> Option<Root> {
    let place = bounds(path);
    if !HEIGHTS.contains(&place.height()) || place.width() < 0.4 * place.height() {
        return None;
    }
    let corners = corners(path)?;
    let near = 0.3 + 0.05 * place.height();
    let is_top = |(_, y): &(f32, f32)| y - place.y0 < near;
    let (_, bar_start) = corners
        .windows(2)
        .filter(|ends| ends.iter().all(is_top))
        .map(|ends| (ends[0].0.max(ends[1].0), ends[0].0.min(ends[1].0)))
        .find(|(end, start)| place.x1 - end < 0.6 && end - start > 2.0)?;
    let foot = corners.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let hook = corners.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let thick = 0.2 * place.height() + 0.5;
    let is_open = corners.iter().all(|(x, y)| *x < bar_start + thick || y - place.y0 < thick);
    let rises = foot.0 > place.x0 + 0.5 && foot.0 < bar_start;
    let hooks = (0.3..0.95).contains(&((hook.1 - place.y0) / place.height()));
    let sign = Rect { x1: bar_start, ..place };
    let bar = Rect { x0: bar_start, y1: place.y0 + 0.5, ..place };
    (is_open && rises && hooks && sign.width() < 1.2 * sign.height()).then_some(Root { sign, bar })
}

/// The corners of one path of straight lines.
fn corners(path: &BezPath) -> Option<Vec<(f32, f32)>> {
    let mut corners: Vec<(f32, f32)> = Vec::new();
    for (index, element) in path.elements().iter().enumerate() {
        match element {
            PathEl::MoveTo(_) if index > 0 => return None,
            PathEl::MoveTo(point) | PathEl::LineTo(point) => corners.push((point.x as f32, point.y as f32)),
            PathEl::ClosePath => {}
            PathEl::QuadTo(..) | PathEl::CurveTo(..) => return None,
        }
        if corners.len() > MOST_CORNERS {
            return None;
        }
    }
    (corners.len() >= 4).then_some(corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(corners: &[(f64, f64)]) -> BezPath {
        let mut path = BezPath::new();
        path.move_to(corners[0]);
        corners[1..].iter().for_each(|corner| path.line_to(*corner));
        path
    }

    #[test]
    fn an_outlined_sign_and_one_of_a_single_stroke_are_roots() {
        let outlined = [
            (20.0, 48.0),
            (22.0, 47.0),
            (25.0, 52.0),
            (28.0, 40.0),
            (60.0, 40.0),
            (60.0, 40.6),
            (28.5, 40.6),
            (25.2, 54.0),
            (24.6, 54.0),
            (21.5, 48.6),
            (20.3, 49.0),
        ];
        let root = drawn(&path(&outlined)).unwrap();
        assert_eq!((root.sign.x0, root.sign.x1), (20.0, 28.0));
        assert_eq!((root.bar.x0, root.bar.x1, root.bar.y0), (28.0, 60.0, 40.0));
        let stroked = [(20.0, 48.0), (22.0, 47.0), (25.0, 54.0), (28.0, 40.0), (60.0, 40.0)];
        assert_eq!(drawn(&path(&stroked)).unwrap().bar.x0, 28.0);
    }

    #[test]
    fn ticks_arrows_steps_and_boxes_are_none() {
        let tick = [(20.0, 48.0), (25.0, 54.0), (35.0, 40.0), (26.0, 52.0)];
        let step = [(20.0, 54.0), (30.0, 54.0), (30.0, 40.0), (60.0, 40.0)];
        let rectangle = [(20.0, 40.0), (60.0, 40.0), (60.0, 54.0), (20.0, 54.0)];
        let graph = [(20.0, 50.0), (25.0, 54.0), (28.0, 40.0), (60.0, 40.0), (60.0, 54.0)];
        for shape in [&tick[..], &step, &rectangle, &graph] {
            assert_eq!(drawn(&path(shape)), None, "{shape:?}");
        }
    }
}
