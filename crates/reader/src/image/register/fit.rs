//! The projection that fits where the pieces of a page are found, and how much of the print it finds.

use super::super::geometry::{Point, Projection, Quad};
use super::super::maps::{Map, Pyramid};
use super::book::BookPage;
use super::pieces::{Cut, Seen, pieces};

/// Pieces that must be found.
const PIECES_MIN: usize = 6;

/// The projection that puts the pieces of a level where they are found.
pub(super) fn fitted(
    drawn: &Map,
    picture: &Pyramid,
    projection: &Projection,
    level: usize,
) -> Option<Projection> {
    let map = drawn.blurred();
    let cut = Cut { side: 12, stride: 8, reach: 3 };
    let seen = Seen::through(picture, |at| projection.apply(at), &map, level, cut);
    let found = pieces(&map, &seen, level, cut);
    if found.len() < PIECES_MIN {
        return None;
    }
    let cell = (1usize << level) as f32;
    let pairs: Vec<(Point, Point)> = found
        .iter()
        .map(|piece| {
            let there = Point::new(piece.middle.x + piece.off.0, piece.middle.y + piece.off.1);
            (piece.middle, projection.apply(there))
        })
        .collect();
    let scale = projection.scale_at(pairs[pairs.len() / 2].0).max(0.05);
    let mut weights: Vec<f32> = found.iter().map(|piece| piece.alike * piece.alike).collect();
    let mut fit = Projection::fitted(&pairs, &weights)?;
    for _ in 0..4 {
        for ((pair, piece), weight) in pairs.iter().zip(&found).zip(&mut weights) {
            let off = fit.apply(pair.0).distance(pair.1) / (scale * cell);
            *weight = piece.alike * piece.alike / (1.0 + off * off).powi(2);
        }
        fit = Projection::fitted(&pairs, &weights)?;
    }
    is_plausible(&fit, map.width as f32 * cell, map.height as f32 * cell).then_some(fit)
}

/// A page photographed from the side is not squeezed to a strip nor mirrored.
fn is_plausible(projection: &Projection, width: f32, height: f32) -> bool {
    let page = Quad::upright(width, height);
    let placed = page.through(projection);
    let side = |from: usize, to: usize| placed.0[from].distance(placed.0[to]);
    let ratio = |a: f32, b: f32| a.max(b) / a.min(b).max(1.0);
    let turn = |a: Point, b: Point, c: Point| (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    let is_convex = (0..4).all(|at| turn(placed.0[at], placed.0[(at + 1) % 4], placed.0[(at + 2) % 4]) > 0.0);
    let stretch = (side(0, 1) + side(3, 2)) / (side(0, 3) + side(1, 2)).max(1.0) * height / width;
    is_convex
        && ratio(side(0, 1), side(3, 2)) < 1.6
        && ratio(side(0, 3), side(1, 2)) < 1.6
        && (0.7..1.4).contains(&stretch)
}

/// The share of the print that has ink of the picture over it.
pub(super) fn share_found(
    page: &BookPage,
    picture: &Pyramid,
    onto: impl Fn(Point) -> Point,
    reach: f32,
) -> f32 {
    let Some(middle) = page.spots.get(page.spots.len() / 2) else { return 0.0 };
    let place = |(x, y): (u16, u16)| Point::new(f32::from(x) + 0.5, f32::from(y) + 0.5);
    let middle = place(*middle);
    let step = onto(middle).distance(onto(Point::new(middle.x + 1.0, middle.y))).max(0.1);
    let around = picture.around(reach * step);
    let is_found = |spot: &&(u16, u16)| around(onto(place(**spot))) > 0.2;
    page.spots.iter().filter(is_found).count() as f32 / page.spots.len() as f32
}
