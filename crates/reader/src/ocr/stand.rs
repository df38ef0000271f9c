//! A page as it stands upright, with what was found on it before its words are read.

use super::detect::Line;
use super::straighten::{self, Turn};
use crate::darkness::Darkness;
use crate::image::bubbles;
use crate::image::geometry::{Point, Projection, Quad};
use crate::image::ink::{Ink, luminance};
use crate::image::rules::{self, Rule};
use crate::page::{Bubble, Corners, Rect};
use image::RgbImage;

/// A page turned upright and cleared of rules, with the lines that were found on it.
pub(super) struct Stand {
    pub(super) page: RgbImage,
    pub(super) lines: Vec<Quad>,
    pub(super) rules: Vec<Rule>,
    /// The page's corners on the picture before it was turned; `None` when it was not.
    corners: Option<Quad>,
    pub(super) darkness: Darkness,
    pub(super) bubbles: Vec<Bubble>,
    /// The size of the picture before it was turned.
    flat: (f32, f32),
}

impl Stand {
    pub(super) fn new(flat: &RgbImage, found: &[Line], bubbles: &[Bubble], turn: Turn) -> Stand {
        let lines: Vec<Quad> = found.iter().map(|line| straighten::renamed(&line.place, turn)).collect();
        let lean = straighten::lean(&straighten::turned(&lines, turn));
        let corners = straighten::page_corners(flat.width() as f32, flat.height() as f32, turn, lean);
        let turned =
            if turn == Turn::None && lean == 0.0 { None } else { straighten::upright(flat, &corners) };
        let (mut page, lines, corners, bubbles) = match turned {
            Some((page, onto_page)) => {
                let lines = lines.iter().map(|place| place.through(&onto_page)).collect();
                let bubbles = match turn {
                    Turn::None => bubbles.iter().map(|bubble| moved(bubble, &onto_page)).collect(),
                    // Rows and columns change places.
                    _ if bubbles.is_empty() => Vec::new(),
                    _ => bubbles::find(&page),
                };
                (page, lines, Some(corners), bubbles)
            }
            None => (flat.clone(), lines, None, bubbles.to_vec()),
        };
        let grey = luminance(&page);
        let darkness = Darkness::of(&Ink::of_grey(&grey));
        let ink = Ink::faint_of_grey(&grey);
        let mut rules = rules::find(&ink);
        rules.retain(|rule| !runs_through_text(rule, &lines));
        rules::erase(&mut page, &ink, &rules);
        let flat = (flat.width() as f32, flat.height() as f32);
        Stand { page, lines, rules, corners, darkness, bubbles, flat }
    }

    /// The upright page's corners in fractions of the whole picture.
    pub(super) fn on_picture(&self, whole: (f32, f32), cut_out: Option<&Quad>) -> Option<Corners> {
        if self.corners.is_none() && cut_out.is_none() {
            return None;
        }
        let (width, height) = (self.page.width() as f32, self.page.height() as f32);
        let on_flat = self.corners.unwrap_or(Quad::upright(width, height));
        let on_whole = match cut_out {
            Some(sheet) => {
                let flat = Quad::upright(self.flat.0, self.flat.1);
                on_flat.through(&Projection::between(&flat, sheet)?)
            }
            // The picture may have been made smaller before it was turned.
            None => Quad(
                on_flat
                    .0
                    .map(|Point { x, y }| Point::new(x * whole.0 / self.flat.0, y * whole.1 / self.flat.1)),
            ),
        };
        Some(on_whole.0.map(|Point { x, y }| (x / whole.0, y / whole.1)))
    }
}

/// The bubble as large as it is, where its middle goes.
fn moved(bubble: &Bubble, onto_page: &Projection) -> Bubble {
    let (x, y) = bubble.place.centre();
    let (there, half) = (onto_page.apply(Point::new(x, y)), bubble.place.width() / 2.0);
    let place = Rect { x0: there.x - half, y0: there.y - half, x1: there.x + half, y1: there.y + half };
    Bubble { place, ..*bubble }
}

/// A long stroke through the middle of a line of text strikes it out, and is no rule of the paper.
fn runs_through_text(rule: &Rule, lines: &[Quad]) -> bool {
    let middle = f32::midpoint(rule.place.y0, rule.place.y1);
    lines.iter().any(|line| {
        let (x0, y0, x1, y1) = line.bounds();
        let height = (middle - y0) / (y1 - y0).max(1.0);
        let shared = rule.place.x1.min(x1) - rule.place.x0.max(x0);
        (0.35..0.6).contains(&height)
            && shared > 0.7 * rule.place.width()
            && rule.place.width() < 1.2 * (x1 - x0)
    })
}
