//! Turns a page upright by what is written on it: by quarters, upside down, and by a few degrees.

use super::detect::Line;
use crate::image::geometry::{Point, Projection, Quad};
use crate::image::warp::warp;
use image::RgbImage;

/// A page may lean by less than this without being turned; boxes follow their lines anyway.
const LEAN_MIN_DEGREES: f32 = 0.15;
/// Lines at least this many times as long as high show how the page leans.
const LONG_LINE: f32 = 5.0;

/// By how many quarter turns, clockwise, a page must be turned to stand upright.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    None,
    Quarter,
    Half,
    ThreeQuarters,
}

/// True when most of the writing runs up or down the picture.
pub(super) fn runs_sideways(lines: &[Line]) -> bool {
    let area_where = |matches: fn(f32, f32) -> bool| -> f32 {
        let places = lines.iter().map(|line| line.place);
        places.filter(|place| matches(place.width(), place.height())).map(|place| place.area()).sum()
    };
    area_where(|width, height| height > 1.5 * width) > 2.0 * area_where(|width, height| width > 1.5 * height)
}

/// The longest lines, which say most about the page.
pub(super) fn longest(lines: &[Line], count: usize) -> Vec<Line> {
    let mut longest = lines.to_vec();
    longest.sort_by(|a, b| b.place.area().total_cmp(&a.place.area()));
    longest.truncate(count);
    longest
}

/// The line's corners as they are named once the page is turned.
pub(super) fn renamed(place: &Quad, turn: Turn) -> Quad {
    let mut corners = place.0;
    corners.rotate_left(match turn {
        Turn::None => 0,
        // Turned clockwise, what was the bottom left corner becomes the top left one.
        Turn::Quarter => 3,
        Turn::Half => 2,
        Turn::ThreeQuarters => 1,
    });
    Quad(corners)
}

/// The lines as they lie once the page is turned by whole quarters, to see how it leans.
pub(super) fn turned(places: &[Quad], turn: Turn) -> Vec<Quad> {
    let turned = |corner: Point| match turn {
        Turn::None => corner,
        Turn::Quarter => Point::new(-corner.y, corner.x),
        Turn::Half => Point::new(-corner.x, -corner.y),
        Turn::ThreeQuarters => Point::new(corner.y, -corner.x),
    };
    places.iter().map(|place| Quad(place.0.map(turned))).collect()
}

/// How the page leans in radians, clockwise, by the median of its long lines weighted by length.
pub(super) fn lean(places: &[Quad]) -> f32 {
    let mut leans: Vec<(f32, f32)> = places
        .iter()
        .filter(|place| place.width() > LONG_LINE * place.height())
        .map(|place| (place.angle(), place.width()))
        .collect();
    leans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = leans.iter().map(|(_, length)| length).sum::<f32>() / 2.0;
    let mut passed = 0.0;
    let median = leans.iter().find(|(_, length)| {
        passed += length;
        passed >= half
    });
    let lean = median.map_or(0.0, |(angle, _)| *angle);
    if lean.to_degrees().abs() < LEAN_MIN_DEGREES { 0.0 } else { lean }
}

/// The corners of the upright page on the picture as it came.
pub(super) fn page_corners(width: f32, height: f32, turn: Turn, lean: f32) -> Quad {
    let upright = renamed(&Quad::upright(width, height), turn);
    if lean == 0.0 {
        return upright;
    }
    let (sin, cos) = lean.sin_cos();
    let middle = Point::new(width / 2.0, height / 2.0);
    Quad(upright.0.map(|corner| {
        let (x, y) = (corner.x - middle.x, corner.y - middle.y);
        Point::new(middle.x + x * cos - y * sin, middle.y + x * sin + y * cos)
    }))
}

/// The page as it stands between its corners, and the map from the old picture onto it.
pub(super) fn upright(picture: &RgbImage, corners: &Quad) -> Option<(RgbImage, Projection)> {
    let (width, height) = (corners.width().round(), corners.height().round());
    let page = Quad::upright(width, height);
    let to_source = Projection::between(&page, corners)?;
    let onto_page = Projection::between(corners, &page)?;
    Some((warp(picture, &to_source, width as u32, height as u32), onto_page))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_page_comes_back_upright() {
        let upright_page = RgbImage::from_fn(40, 60, |x, y| image::Rgb([x as u8 * 6, y as u8 * 4, 0]));
        let cases = [
            (Turn::Quarter, image::imageops::rotate270(&upright_page)),
            (Turn::Half, image::imageops::rotate180(&upright_page)),
            (Turn::ThreeQuarters, image::imageops::rotate90(&upright_page)),
        ];
        for (turn, turned) in cases {
            let corners = page_corners(turned.width() as f32, turned.height() as f32, turn, 0.0);
            let (page, _) = upright(&turned, &corners).unwrap();
            assert_eq!(page, upright_page, "{turn:?}");
        }
    }

    #[test]
    fn the_lean_is_the_median_of_long_lines() {
        let leaning = |degrees: f32| page_corners(300.0, 20.0, Turn::None, degrees.to_radians());
        let lean = lean(&[leaning(2.0), leaning(2.1), leaning(1.9), leaning(-9.0)]);
        assert!((lean.to_degrees() - 1.9).abs() < 0.2, "{lean}");
        assert_eq!(super::lean(&[leaning(0.05)]), 0.0);
    }
}
