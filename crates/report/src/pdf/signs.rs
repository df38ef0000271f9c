//! Ticks and crosses, drawn as an examiner draws them.

use super::canvas::{Mark, Shape};
use super::ink::Ink;

/// How much wider than a sign the white under it is, which sets it off from what it stands on.
const GROUND: f32 = 2.4;

/// A tick whose middle is at `(x, y)`.
fn tick(x: f32, y: f32, size: f32, ink: Ink, extra: f32) -> Mark {
    let points = vec![
        (x - 0.46 * size, y + 0.02 * size),
        (x - 0.14 * size, y + 0.38 * size),
        (x + 0.50 * size, y - 0.42 * size),
    ];
    Mark::Stroke { shape: Shape::Path(points), ink, width: size * 0.17 + extra }
}

/// A cross whose middle is at `(x, y)`, as two strokes.
fn cross(x: f32, y: f32, size: f32, ink: Ink, extra: f32) -> [Mark; 2] {
    let reach = 0.36 * size;
    let stroke = |from: (f32, f32), to: (f32, f32)| Mark::rule(from, to, ink, size * 0.16 + extra);
    [
        stroke((x - reach, y - reach), (x + reach, y + reach)),
        stroke((x - reach, y + reach), (x + reach, y - reach)),
    ]
}

/// A tick for what was earned, a cross for what was not.
pub(super) fn verdict(is_earned: bool, x: f32, y: f32, size: f32) -> Vec<Mark> {
    if is_earned { vec![tick(x, y, size, Ink::GOOD, 0.0)] } else { cross(x, y, size, Ink::BAD, 0.0).into() }
}

/// The same with white around it, for a ground that is not white.
pub(super) fn on_ground(is_earned: bool, x: f32, y: f32, size: f32) -> Vec<Mark> {
    let mut marks = if is_earned {
        vec![tick(x, y, size, Ink::PAPER, GROUND)]
    } else {
        cross(x, y, size, Ink::PAPER, GROUND).into()
    };
    marks.extend(verdict(is_earned, x, y, size));
    marks
}
