//! Ticks, crosses and the smaller signs, drawn as an examiner draws them.

use super::canvas::{Mark, Shape};
use super::ink::Ink;
use domain::result::Verdict;

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

/// A dash: nothing was found.
fn dash(x: f32, y: f32, size: f32) -> Mark {
    Mark::rule((x - 0.3 * size, y), (x + 0.3 * size, y), Ink::SOFT, size * 0.13)
}

/// A dot: it was not needed.
fn dot(x: f32, y: f32, size: f32) -> Mark {
    Mark::Fill { shape: Shape::Dot { x, y, radius: size * 0.13 }, ink: Ink::SOFT, opacity: 1.0 }
}

/// A ring: nobody has judged it.
fn ring(x: f32, y: f32, size: f32) -> Mark {
    Mark::Stroke { shape: Shape::Dot { x, y, radius: size * 0.3 }, ink: Ink::CAUTION, width: size * 0.14 }
}

/// The sign of a verdict in a list of points.
pub(super) fn verdict(verdict: Verdict, x: f32, y: f32, size: f32) -> Vec<Mark> {
    match verdict {
        Verdict::Credited => vec![tick(x, y, size, Ink::GOOD, 0.0)],
        Verdict::Contradicted => cross(x, y, size, Ink::BAD, 0.0).into(),
        Verdict::Missing => vec![dash(x, y, size)],
        Verdict::Superseded => vec![dot(x, y, size)],
        Verdict::NotJudged => vec![ring(x, y, size)],
    }
}

/// The sign that stands on the student's own page, with white around it: ticks for what earned a mark, crosses
/// for what says otherwise. What is missing has no place there.
pub(super) fn on_page(verdict: Verdict, x: f32, y: f32, size: f32) -> Vec<Mark> {
    let mut marks = match verdict {
        Verdict::Credited => vec![tick(x, y, size, Ink::PAPER, GROUND)],
        Verdict::Contradicted => cross(x, y, size, Ink::PAPER, GROUND).into(),
        Verdict::Missing | Verdict::Superseded | Verdict::NotJudged => return Vec::new(),
    };
    marks.extend(self::verdict(verdict, x, y, size));
    marks
}
