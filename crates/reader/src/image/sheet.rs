//! Finds the sheet of paper in a photo and lays it flat.

use super::geometry::{Point, Projection, Quad, warp};
use super::ink::{luminance, parting_level};
use image::{GrayImage, RgbImage, imageops};

/// The photo is looked at with about this many pixels on its longer side.
const LOOK: u32 = 400;
/// A sheet smaller than this share of the photo is something else.
const SHARE_MIN: f32 = 0.25;
/// When the bright part covers more than this, the page fills the picture and nothing is cut.
const SHARE_MAX: f32 = 0.97;
/// The sheet must fill this much of the four-cornered shape that is laid around it.
const FILLED_MIN: f32 = 0.90;

/// The corners of the sheet when the picture shows one on a darker ground, else `None`.
pub fn find(picture: &RgbImage) -> Option<Quad> {
    let scale = (LOOK as f32 / picture.width().max(picture.height()) as f32).min(1.0);
    let side = |pixels: u32| ((pixels as f32 * scale) as u32).max(8);
    let (width, height) = (side(picture.width()), side(picture.height()));
    let small = imageops::resize(&luminance(picture), width, height, imageops::FilterType::Triangle);
    let small = imageops::blur(&small, 2.0);
    let otsu = f32::from(parting_level(&small));
    // A shadow across the sheet moves the best level down, a bright ground moves it up.
    let candidates = [1.0, 0.85, 0.7, 1.15].map(|factor| (otsu * factor).min(250.0) as u8);
    let best = candidates
        .iter()
        .filter_map(|level| sheet_brighter_than(&small, *level))
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    let stretch = (picture.width() as f32 / width as f32, picture.height() as f32 / height as f32);
    Some(Quad(best.0.0.map(|corner| Point::new(corner.x * stretch.0, corner.y * stretch.1))))
}

/// The sheet as an upright rectangle, as long and as wide as its sides are on the photo.
pub fn flatten(picture: &RgbImage, corners: &Quad) -> Option<RgbImage> {
    let (width, height) = (corners.width().round().max(1.0), corners.height().round().max(1.0));
    let to_source = Projection::between(&Quad::upright(width, height), corners)?;
    Some(warp(picture, &to_source, width as u32, height as u32))
}

/// The four-cornered shape around the bright part, and how well the bright part fills it.
fn sheet_brighter_than(grey: &GrayImage, level: u8) -> Option<(Quad, f32)> {
    let (width, height) = (grey.width() as usize, grey.height() as usize);
    let bright = largest_part(grey, level);
    let area = bright.iter().filter(|part| **part).count() as f32;
    let share = area / (width * height) as f32;
    if !(SHARE_MIN..SHARE_MAX).contains(&share) {
        return None;
    }
    let outline = (0..height).flat_map(|y| {
        let row = &bright[y * width..(y + 1) * width];
        let ends = row.iter().position(|part| *part).zip(row.iter().rposition(|part| *part));
        ends.into_iter().flat_map(move |(left, right)| {
            let (top, bottom) = (y as f32, y as f32 + 1.0);
            [
                (left as f32, top),
                (right as f32 + 1.0, top),
                (left as f32, bottom),
                (right as f32 + 1.0, bottom),
            ]
        })
    });
    let hull = super::geometry::hull(outline.map(|(x, y)| Point::new(x, y)).collect());
    let quad = four_corners(hull)?;
    let covered = quad.area() / (width * height) as f32;
    let filled = area / quad.area().max(1.0);
    ((FILLED_MIN..1.08).contains(&filled) && covered < SHARE_MAX).then_some((quad, filled.min(1.0)))
}

/// The largest connected bright part. Writing inside it leaves holes, which do no harm to its outline.
fn largest_part(grey: &GrayImage, level: u8) -> Vec<bool> {
    let width = grey.width() as usize;
    let bright: Vec<bool> = grey.pixels().map(|pixel| pixel.0[0] >= level).collect();
    let mut part_of = vec![0u32; bright.len()];
    let (mut parts, mut largest) = (0, (0, 0usize));
    for start in 0..bright.len() {
        if !bright[start] || part_of[start] != 0 {
            continue;
        }
        parts += 1;
        part_of[start] = parts;
        let (mut waiting, mut size) = (vec![start], 0);
        while let Some(at) = waiting.pop() {
            size += 1;
            let x = at % width;
            let left = (x > 0).then(|| at - 1);
            let right = (x + 1 < width).then_some(at + 1);
            let vertical = [at.checked_sub(width), Some(at + width)];
            for next in [left, right].into_iter().chain(vertical).flatten() {
                if next < bright.len() && bright[next] && part_of[next] == 0 {
                    part_of[next] = parts;
                    waiting.push(next);
                }
            }
        }
        if size > largest.1 {
            largest = (parts, size);
        }
    }
    part_of.into_iter().map(|part| part == largest.0 && part != 0).collect()
}

/// Corners of the hull that are looked at; more differ by a pixel or two.
const HULL_CORNERS_MAX: usize = 14;

/// The four corners of the hull that span the most, beginning with the top left one.
fn four_corners(mut hull: Vec<Point>) -> Option<Quad> {
    while hull.len() > HULL_CORNERS_MAX {
        let count = hull.len();
        let lost = |index: usize| {
            let (a, b, c) = (hull[(index + count - 1) % count], hull[index], hull[(index + 1) % count]);
            ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)).abs()
        };
        let least = (0..count).min_by(|a, b| lost(*a).total_cmp(&lost(*b)))?;
        hull.remove(least);
    }
    let mut widest: Option<(f32, [Point; 4])> = None;
    for a in 0..hull.len() {
        for b in a + 1..hull.len() {
            for c in b + 1..hull.len() {
                for d in c + 1..hull.len() {
                    let corners = [hull[a], hull[b], hull[c], hull[d]];
                    let area = Quad(corners).area();
                    if widest.is_none_or(|(most, _)| area > most) {
                        widest = Some((area, corners));
                    }
                }
            }
        }
    }
    let (_, mut corners) = widest?;
    // The hull runs clockwise in picture coordinates, since y points down.
    let first = (0..4).min_by(|a, b| {
        let reach = |index: &usize| corners[*index].x + corners[*index].y;
        reach(a).total_cmp(&reach(b))
    })?;
    corners.rotate_left(first);
    Some(Quad(corners))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn photo(corners: &Quad) -> RgbImage {
        let inside = Projection::between(corners, &Quad::upright(1.0, 1.0)).unwrap();
        RgbImage::from_fn(600, 800, |x, y| {
            let at = inside.apply(Point::new(x as f32 + 0.5, y as f32 + 0.5));
            let on_sheet = (0.0..1.0).contains(&at.x) && (0.0..1.0).contains(&at.y);
            let inner = (0.1..0.9).contains(&at.x) && (0.1..0.9).contains(&at.y);
            let written = inner && ((at.y * 30.0) as u32).is_multiple_of(3) && (at.x * 90.0) as u32 % 5 < 2;
            image::Rgb(
                [match (on_sheet, written) {
                    (false, _) => 70,
                    (true, true) => 50,
                    (true, false) => 220,
                }; 3],
            )
        })
    }

    #[test]
    fn the_sheet_on_a_desk_is_found_and_laid_flat() {
        let corners = Quad([
            Point::new(60.0, 50.0),
            Point::new(520.0, 80.0),
            Point::new(560.0, 740.0),
            Point::new(30.0, 700.0),
        ]);
        let picture = photo(&corners);
        let found = find(&picture).unwrap();
        for (found, true_corner) in found.0.iter().zip(corners.0) {
            assert!(found.distance(true_corner) < 12.0, "{found:?} is far from {true_corner:?}");
        }
        let flat = flatten(&picture, &found).unwrap();
        assert!(flat.get_pixel(3, flat.height() / 2 + 9).0[0] > 40);
    }

    #[test]
    fn a_scan_that_fills_the_picture_has_no_sheet_to_find() {
        let scan = RgbImage::from_fn(300, 400, |x, y| {
            image::Rgb([if x % 9 == 0 && y % 20 < 9 { 20 } else { 250 }; 3])
        });
        assert_eq!(find(&scan), None);
    }
}
