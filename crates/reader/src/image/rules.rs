//! Finds the straight lines of a page (rules of the paper, of tables, of answer spaces) and takes them
//! out of the picture, so that writing on them can be read.

use super::ink::Ink;
use crate::page::{Direction, Rect};
use image::RgbImage;

/// A straight line of ink, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Its extent; one side is thin.
    pub place: Rect,
    /// Which way it runs.
    pub direction: Direction,
    /// Where its ink lies, row by row: a rule that climbs is seen in several.
    pieces: Vec<Piece>,
    /// How thick it is on average, in pixels.
    thickness: f32,
}

/// A stretch of a rule within one row, or column when it runs down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    row: usize,
    from: usize,
    to: usize,
}

/// A rule is at least this share of the page's width long; a dash or the bar of a fraction is shorter.
const LENGTH_SHARE_MIN: f32 = 0.08;
/// Pieces from which a rule is put together: on a page that is not quite straight, a rule climbs from
/// row to row and each row holds a piece.
const PIECE_SHARE_MIN: f32 = 0.015;
/// Ink missing for this many pixels does not end a piece.
const GAP_MAX: usize = 2;
/// Pieces this far apart along the line still belong together.
const JOIN_MAX: usize = 24;
/// Thicker than this share of the page's width it is a bar or a picture.
const THICKNESS_SHARE_MAX: f32 = 0.006;

/// The rules of an upright page, horizontal ones first.
pub fn find(ink: &Ink) -> Vec<Rule> {
    let page_width = ink.width;
    let across = runs(ink, page_width).into_iter().map(|run| run.rule(Direction::Horizontal));
    let down = runs(&ink.transposed(), page_width).into_iter().map(|run| run.rule(Direction::Vertical));
    across.chain(down).collect()
}

/// A rule while it is being put together; `from` and `to` along it, `top` and `bottom` across.
#[derive(Clone, Debug)]
struct Run {
    from: usize,
    to: usize,
    top: usize,
    bottom: usize,
    /// Where its last piece was seen, to follow a rule that climbs.
    last_row: usize,
    last_from: usize,
    last_to: usize,
    /// Ink in it.
    weight: usize,
    pieces: Vec<Piece>,
}

impl Run {
    fn rule(self, direction: Direction) -> Rule {
        let (x0, x1) = (self.from as f32, self.to as f32);
        let (y0, y1) = (self.top as f32, self.bottom as f32 + 1.0);
        let place = match direction {
            Direction::Horizontal => Rect { x0, y0, x1, y1 },
            Direction::Vertical => Rect { x0: y0, y0: x0, x1: y1, y1: x1 },
        };
        let thickness = self.weight as f32 / (self.to - self.from).max(1) as f32;
        Rule { place, direction, pieces: self.pieces, thickness }
    }

    /// True when the piece in the given row carries this run on.
    fn continues_with(&self, row: usize, from: usize, to: usize) -> bool {
        row - self.last_row <= 2 && from <= self.last_to + JOIN_MAX && self.last_from <= to + JOIN_MAX
    }

    fn add(&mut self, row: usize, from: usize, to: usize) {
        self.from = self.from.min(from);
        self.to = self.to.max(to);
        self.bottom = self.bottom.max(row);
        (self.last_row, self.last_from, self.last_to) = (row, from, to);
        self.weight += to - from;
        self.pieces.push(Piece { row, from, to });
    }
}

fn runs(ink: &Ink, page_width: usize) -> Vec<Run> {
    let piece_min = ((page_width as f32 * PIECE_SHARE_MIN) as usize).max(12);
    let length_min = (page_width as f32 * LENGTH_SHARE_MIN) as usize;
    let (mut open, mut done): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
    for row in 0..ink.height {
        for (from, to) in pieces(ink.row(row), piece_min) {
            match open.iter_mut().find(|run| run.continues_with(row, from, to)) {
                Some(run) => run.add(row, from, to),
                None => open.push(Run {
                    from,
                    to,
                    top: row,
                    bottom: row,
                    last_row: row,
                    last_from: from,
                    last_to: to,
                    weight: to - from,
                    pieces: vec![Piece { row, from, to }],
                }),
            }
        }
        let (still, ended): (Vec<Run>, Vec<Run>) = open.into_iter().partition(|run| row - run.last_row < 2);
        open = still;
        done.extend(ended);
    }
    done.extend(open);
    let thickness_max = (page_width as f32 * THICKNESS_SHARE_MAX).max(4.0);
    done.retain(|run| {
        let length = run.to - run.from;
        // The mean thickness, not the extent: a rule that climbs has a large extent but is thin.
        let thickness = run.weight as f32 / length.max(1) as f32;
        let climb = (run.bottom - run.top) as f32 / length.max(1) as f32;
        length >= length_min && thickness <= thickness_max && thickness >= 0.6 && climb < 0.03
    });
    done
}

/// Stretches of ink in a row that are long enough to be part of a rule.
fn pieces(row: &[bool], length_min: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut current: Option<(usize, usize)> = None;
    for (x, _) in row.iter().enumerate().filter(|(_, mark)| **mark) {
        match &mut current {
            Some((_, to)) if x - *to <= GAP_MAX => *to = x + 1,
            _ => {
                found.extend(current.filter(|(from, to)| to - from >= length_min));
                current = Some((x, x + 1));
            }
        }
    }
    found.extend(current.filter(|(from, to)| to - from >= length_min));
    found
}

/// Paints the rules with the colour of the paper beside them. Across the rule, only a run of ink as thin as the rule
/// is one: where a stroke crosses it or a letter stands on it the run is longer, and stays.
pub fn erase(picture: &mut RgbImage, ink: &Ink, rules: &[Rule]) {
    for rule in rules {
        let thin = (1.6 * rule.thickness).ceil().max(3.0) as usize;
        for piece in &rule.pieces {
            for along in piece.from..piece.to {
                erase_at(picture, ink, rule.direction, (along, piece.row), thin);
            }
        }
    }
}

fn erase_at(
    picture: &mut RgbImage,
    ink: &Ink,
    direction: Direction,
    (along, row): (usize, usize),
    thin: usize,
) {
    let limit = if direction == Direction::Horizontal { ink.height } else { ink.width };
    let point = |position: usize| match direction {
        Direction::Horizontal => (along, position),
        Direction::Vertical => (position, along),
    };
    let is_ink = |position: &usize| {
        let (x, y) = point(*position);
        ink.at(x, y)
    };
    if !is_ink(&row) {
        return;
    }
    let above = (0..row).rev().take(thin + 1).take_while(is_ink).count();
    let below = (row + 1..limit).take(thin + 1).take_while(is_ink).count();
    // The edges of a rule are half tone and stand one pixel outside its ink.
    let (from, to) = ((row - above).saturating_sub(1), (row + below + 1).min(limit.saturating_sub(1)));
    if above + 1 + below > thin || from == 0 || to + 1 >= limit {
        return;
    }
    let colour = |position: usize| {
        let (x, y) = point(position);
        picture.get_pixel(x as u32, y as u32).0
    };
    let (before, after) = (colour(from - 1), colour(to + 1));
    let paper = std::array::from_fn(|channel| before[channel].max(after[channel]));
    for position in from..=to {
        let (x, y) = point(position);
        picture.put_pixel(x as u32, y as u32, image::Rgb(paper));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two slowly climbing rules, a margin line, and letters of upright strokes on the first rule.
    fn page() -> RgbImage {
        RgbImage::from_fn(600, 400, |x, y| {
            let climb = x / 150;
            let rule = (y == 100 - climb || y == 200 - climb) && x > 20 && x < 580;
            let margin = x == 60 && y > 10 && y < 390;
            let letter = x % 20 < 3 && x > 100 && x < 300 && y > 80 && y < 105;
            image::Rgb([if rule || margin || letter { 60 } else { 250 }; 3])
        })
    }

    #[test]
    fn rules_are_found_although_they_climb_and_letters_are_not_rules() {
        let rules = find(&Ink::faint(&page()));
        let across: Vec<_> = rules.iter().filter(|rule| rule.direction == Direction::Horizontal).collect();
        assert_eq!(across.len(), 2, "{rules:?}");
        assert!(across[0].place.width() > 540.0);
        assert_eq!(rules.len() - across.len(), 1);
    }

    #[test]
    fn erasing_leaves_the_letters() {
        let mut picture = page();
        let ink = Ink::faint(&picture);
        erase(&mut picture, &ink, &find(&ink));
        let left = Ink::faint(&picture);
        assert!(left.at(121, 90) && left.at(121, 100), "the letter is whole");
        assert!(!left.at(400, 98) && !left.at(130, 100) && !left.at(60, 300), "the rules are gone");
    }

    #[test]
    fn a_rule_that_climbs_far_does_not_take_the_writing_between_its_ends_along() {
        let mut picture = RgbImage::from_fn(800, 200, |x, y| {
            let rule = y == 120 - x / 50 && x > 20 && x < 780;
            let dash = (106..108).contains(&y) && (60..80).contains(&x);
            image::Rgb([if rule || dash { 60 } else { 250 }; 3])
        });
        let ink = Ink::faint(&picture);
        let rules = find(&ink);
        assert_eq!(rules.len(), 1, "{rules:?}");
        erase(&mut picture, &ink, &rules);
        let left = Ink::faint(&picture);
        assert!(left.at(70, 106) && left.at(70, 107), "the dash is not the rule's");
        assert!(!left.at(400, 112) && !left.at(700, 106), "the rule is gone");
    }
}
