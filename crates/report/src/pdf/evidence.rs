//! Ticks and crosses at the words that earned or lost a mark, where they hide no other words.

use super::canvas::{Area, Canvas, Mark, Shape};
use super::face::Weight;
use super::ink::Ink;
use super::script::Sheet;
use super::signs;
use super::text::Style;
use crate::leaf::Leaf;
use domain::result::{PointResult, Verdict};

/// The height of the marks beside a tick, as a share of the tick's.
const FIGURE: f32 = 0.66;

impl Sheet<'_> {
    /// A wash over the words of each point that the page says something about, a tick or a cross beside them,
    /// and the marks that they earned.
    pub(super) fn put_evidence(&self, canvas: &mut Canvas, leaves: &[Leaf<'_>]) {
        let mut washes = Vec::new();
        let mut signs: Vec<Mark> = Vec::new();
        let mut taken: Vec<Area> =
            self.script.words.iter().map(|word| core(&self.on_sheet(&word.frame))).collect();
        for point in leaves.iter().flat_map(|leaf| leaf.points) {
            let ink = match point.verdict {
                Verdict::Credited => Ink::GOOD,
                Verdict::Contradicted => Ink::BAD,
                Verdict::Missing | Verdict::Superseded | Verdict::NotJudged => continue,
            };
            let here: Vec<Area> = point
                .evidence
                .iter()
                .filter(|piece| self.is_here(&piece.place))
                .map(|piece| self.on_sheet(&piece.place.frame))
                .collect();
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
        let style = Style::new(size * FIGURE, Weight::Bold, Ink::GOOD);
        let earned = (!point.awarded.is_zero()).then(|| self.setter.line(&point.awarded.to_string(), &style));
        let width = size + earned.as_ref().map_or(0.0, |line| line.width + 1.5);
        let spot = free_spot(words, width, size, &self.picture, taken);
        taken.push(spot);
        let (x, y) = (spot.x + size / 2.0, spot.y + size / 2.0);
        let mut marks = signs::on_page(point.verdict, x, y, size);
        if let Some(line) = earned {
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

/// A word without its outermost rim: recognised words are framed a little too wide and too high.
fn core(area: &Area) -> Area {
    let (aside, above) = (area.width * 0.03, area.height * 0.14);
    Area {
        x: area.x + aside,
        y: area.y + above,
        width: area.width - 2.0 * aside,
        height: area.height - 2.0 * above,
    }
}

/// How far around its words a sign looks for white, in its own sizes, and in which steps.
const REACH: [f32; 7] = [0.15, 0.5, 1.0, 1.6, 2.4, 3.4, 5.0];

/// A place for a sign that hides neither words nor other signs, as near to its words as there is one: behind
/// them, above or below their end, before them, then farther away. Where the picture is full, beside it.
fn free_spot(words: &Area, width: f32, size: f32, picture: &Area, taken: &[Area]) -> Area {
    let spot = |(x, y): (f32, f32)| Area { x, y, width, height: size };
    let on_picture = |spot: &Area| {
        spot.x >= picture.x
            && spot.right() <= picture.right()
            && spot.y >= picture.y
            && spot.bottom() <= picture.bottom()
    };
    let is_free = |spot: &Area| !taken.iter().any(|other| spot.meets(other));
    let level = words.y + (words.height - size) / 2.0;
    let around = REACH.iter().flat_map(|reach| {
        let away = reach * size;
        let (behind, before) = (words.right() + away, words.x - width - away);
        let (above, below) = (words.y - size - away + 0.15 * size, words.bottom() + away - 0.15 * size);
        let end = words.right() - width;
        [
            (behind, level),
            (end, above),
            (behind, above),
            (end, below),
            (behind, below),
            (words.x, above),
            (words.x, below),
            (before, level),
        ]
    });
    let near = around.map(spot).find(|spot| on_picture(spot) && is_free(spot));
    near.unwrap_or_else(|| beside(level, width, size, picture, taken))
}

/// A place in the white before the picture, as near to this height as there is one.
fn beside(level: f32, width: f32, size: f32, picture: &Area, taken: &[Area]) -> Area {
    let level = level.clamp(picture.y, (picture.bottom() - size).max(picture.y));
    let at = |y: f32| Area { x: picture.x - width - BESIDE, y, width, height: size };
    let rows = (picture.height / size).ceil().max(1.0) as u32;
    let around = (0..=rows).flat_map(|row| {
        let away = row as f32 * size;
        [level + away, level - away]
    });
    let in_reach = |spot: &Area| spot.y >= picture.y && spot.bottom() <= picture.bottom();
    let mut free =
        around.map(at).filter(|spot| in_reach(spot) && !taken.iter().any(|other| spot.meets(other)));
    free.next().unwrap_or_else(|| at(level))
}

/// How far from the picture's edge signs beside it stand.
const BESIDE: f32 = 2.0;

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
    fn a_sign_stays_on_the_picture_while_it_has_room() {
        let picture = area(10.0, 10.0, 100.0, 100.0);
        for words in
            [area(80.0, 10.0, 40.0, 12.0), area(-50.0, -50.0, 10.0, 10.0), area(10.0, 95.0, 100.0, 15.0)]
        {
            let spot = free_spot(&words, 20.0, 12.0, &picture, &[core(&words)]);
            let in_it = spot.x >= picture.x && spot.bottom() <= picture.bottom();
            assert!(in_it && !spot.meets(&core(&words)), "{spot:?}");
        }
    }

    #[test]
    fn on_a_page_full_of_words_signs_stand_beside_it_one_under_the_other() {
        let picture = area(0.0, 0.0, 200.0, 300.0);
        let lines = (0..25_u8).map(|row| area(0.0, f32::from(row) * 12.0, 200.0, 11.8));
        let mut taken: Vec<Area> = lines.collect();
        let words = taken[7];
        for _ in 0..10 {
            let spot = free_spot(&words, 18.0, 11.0, &picture, &taken);
            assert!(!taken.iter().any(|other| spot.meets(other)), "{spot:?}");
            assert!(spot.right() <= picture.x && spot.y >= 0.0 && spot.bottom() <= 300.0, "{spot:?}");
            taken.push(spot);
        }
    }
}
