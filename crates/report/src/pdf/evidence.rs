//! Ticks and crosses at the words that earned or lost a mark, where they hide no other words.

use super::canvas::{Area, Canvas, Mark, Shape};
use super::face::Weight;
use super::ink::Ink;
use super::script::Sheet;
use super::signs;
use super::text::Style;
use crate::leaf::Leaf;
use domain::result::PointResult;

/// The height of the marks beside a tick, as a share of the tick's.
const FIGURE: f32 = 0.66;

impl Sheet<'_> {
    /// A wash over the words of each point, a tick or a cross beside them, and the marks that they earned.
    pub(super) fn put_evidence(&self, canvas: &mut Canvas, leaves: &[Leaf<'_>]) {
        let mut washes = Vec::new();
        let mut signs: Vec<Mark> = Vec::new();
        let mut taken: Vec<Area> =
            self.script.words.iter().map(|word| core(&self.on_sheet(&word.frame))).collect();
        for point in leaves.iter().flat_map(|leaf| leaf.points) {
            let here: Vec<Area> = point
                .evidence
                .iter()
                .filter(|piece| self.is_here(&piece.place))
                .map(|piece| self.on_sheet(&piece.place.frame))
                .collect();
            let ink = if point.awarded.is_zero() { Ink::BAD } else { Ink::GOOD };
            washes.extend(here.iter().flat_map(|area| wash(area, ink)));
            // One sign for a point, at the end of its last words.
            if let Some(words) = here.last() {
                signs.extend(self.sign(point, words, &mut taken));
            }
        }
        washes.extend(signs);
        canvas.decorate(self.page, washes);
    }

    fn sign(&self, point: &PointResult, words: &Area, taken: &mut Vec<Area>) -> Vec<Mark> {
        let size = words.height.clamp(9.0, 13.0);
        let earned = !point.awarded.is_zero();
        let style = Style::new(size * FIGURE, Weight::Bold, Ink::GOOD);
        let figure = earned.then(|| self.setter.line(&point.awarded.to_string(), &style));
        let width = size + figure.as_ref().map_or(0.0, |line| line.width + 1.5);
        let spot = free_spot(words, width, size, &self.picture, taken);
        taken.push(spot);
        let (x, y) = (spot.x + size / 2.0, spot.y + size / 2.0);
        let mut marks = signs::on_ground(earned, x, y, size);
        if let Some(line) = figure {
            marks.push(Mark::text(spot.x + size + 1.5, spot.y + size * 0.8, 0.0, line, &style));
        }
        marks
    }
}

fn wash(area: &Area, ink: Ink) -> [Mark; 2] {
    let around =
        Area { x: area.x - 1.0, y: area.y - 1.0, width: area.width + 2.0, height: area.height + 2.0 };
    let below = area.bottom() + 0.6;
    [
        Mark::Fill { shape: Shape::Rounded(around, 2.0), ink, opacity: 0.13 },
        Mark::rule((area.x, below), (area.right(), below), ink, 0.9),
    ]
}

/// The middle of a word, where its letters are: signs may touch its rim.
fn core(area: &Area) -> Area {
    Area { y: area.y + 0.25 * area.height, height: 0.5 * area.height, ..*area }
}

/// A place for a sign near its words that hides neither words nor other signs: behind them, above or below
/// their end, at their beginning, or at the picture's right edge; if all is full, over their end.
fn free_spot(words: &Area, width: f32, size: f32, picture: &Area, taken: &[Area]) -> Area {
    let level = words.y + (words.height - size) / 2.0;
    let (above, below) = (words.y - size * 0.8, words.bottom() - size * 0.2);
    let end = words.right() - size * 0.5;
    let places = [
        (words.right() + 2.0, level),
        (end, above),
        (end, above - size * 0.3),
        (words.right() - width, above),
        (words.x, above),
        (words.x - width - 2.0, level),
        (words.right() - width, below),
        (picture.right() - width - 2.0, level),
        (picture.right() - width - 2.0, above),
        (picture.right() - width - 2.0, below),
    ];
    let spot = |(x, y): (f32, f32)| Area { x, y, width, height: size };
    let on_picture = |spot: &Area| {
        spot.x >= picture.x
            && spot.right() <= picture.right()
            && spot.y >= picture.y
            && spot.bottom() <= picture.bottom()
    };
    let is_free = |spot: &Area| on_picture(spot) && !taken.iter().any(|other| spot.meets(other));
    let free = places.into_iter().map(spot).find(is_free);
    free.unwrap_or_else(|| {
        let x = (words.right() - size * 0.5).min(picture.right() - width).max(picture.x);
        spot((x, level))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(x: f32, y: f32, width: f32, height: f32) -> Area {
        Area { x, y, width, height }
    }

    #[test]
    fn a_sign_stands_behind_its_words_or_makes_way() {
        let (picture, words) = (area(0.0, 0.0, 400.0, 500.0), area(50.0, 100.0, 60.0, 12.0));
        let free = free_spot(&words, 20.0, 12.0, &picture, &[words]);
        assert!(free.x >= words.right());
        let next_word = area(113.0, 100.0, 40.0, 12.0);
        let moved = free_spot(&words, 20.0, 12.0, &picture, &[core(&words), core(&next_word)]);
        assert!(!moved.meets(&core(&next_word)) && !moved.meets(&core(&words)));
        let second = free_spot(&words, 20.0, 12.0, &picture, &[core(&words), core(&next_word), moved]);
        assert!(!second.meets(&moved));
    }

    #[test]
    fn a_sign_never_leaves_the_picture() {
        let picture = area(10.0, 10.0, 100.0, 100.0);
        for words in
            [area(80.0, 10.0, 40.0, 12.0), area(-50.0, -50.0, 10.0, 10.0), area(10.0, 105.0, 100.0, 50.0)]
        {
            let spot = free_spot(&words, 20.0, 12.0, &picture, &[area(0.0, 0.0, 500.0, 500.0)]);
            assert!(spot.x >= picture.x && spot.right() <= picture.right());
        }
    }
}
