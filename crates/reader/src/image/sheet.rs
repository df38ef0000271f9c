//! Finds the sheet of paper in a photo and lays it flat.

use super::geometry::{Point, Projection, Quad};
use super::ink::{luminance, parting_level};
use super::warp::warp;
use super::{resize, scale};
use image::{GrayImage, RgbImage, imageops};

/// The photo is looked at with about this many pixels on its longer side.
const LOOK: u32 = 400;
/// Nothing is seen on a picture of fewer pixels one way, and of a longer one so many are looked at all the same.
const SIDE_MIN: u32 = 8;
/// A sheet smaller than this share of the photo is something else.
const SHARE_MIN: f32 = 0.08;
/// When the bright part covers more than this, the page fills the picture and nothing is cut.
const SHARE_MAX: f32 = 0.97;
/// A corner this near to the picture's edge, as a share of its longer side, is no corner of a sheet: the page goes on
/// beyond the picture, and what looks like a sheet is its brighter part.
const EDGE_SHARE: f32 = 0.015;
/// Along its sides the ground is at most this bright, as a share of the sheet beside it. Light falls off more gently.
const GROUND_MAX: f32 = 0.85;
/// How far from a side the two are compared, as a share of the picture's longer side.
const BESIDE: f32 = 0.015;
/// Bright parts that are looked at, the largest first.
const PARTS_MAX: usize = 3;
/// A sheet that is redrawn at less than this of its size would lose strokes between its pixels.
const FINE_MIN: f32 = 0.75;
/// The sheet must fill this much of the four-cornered shape that is laid around it.
const FILLED_MIN: f32 = 0.90;

/// The corners of the sheet when the picture shows one on a darker ground, else `None`.
pub fn find(picture: &RgbImage) -> Option<Quad> {
    if picture.width().min(picture.height()) < SIDE_MIN {
        return None;
    }
    let scale = (LOOK as f32 / picture.width().max(picture.height()) as f32).min(1.0);
    let side = |pixels: u32| ((pixels as f32 * scale) as u32).max(SIDE_MIN);
    let (width, height) = (side(picture.width()), side(picture.height()));
    let small = scale::grey(&luminance(picture), width, height);
    let small = imageops::blur(&small, 2.0);
    let otsu = f32::from(parting_level(&small));
    // A shadow across the sheet moves the best level down, a bright ground moves it up.
    let candidates = [1.0, 0.85, 0.7, 1.15].map(|factor| (otsu * factor).min(250.0) as u8);
    let best = candidates
        .iter()
        .flat_map(|level| sheets_brighter_than(&small, *level))
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    let stretch = (picture.width() as f32 / width as f32, picture.height() as f32 / height as f32);
    Some(Quad(best.0.0.map(|corner| Point::new(corner.x * stretch.0, corner.y * stretch.1))))
}

/// The sheet as an upright rectangle, as long and as wide as its sides are on the photo, but its shorter side at most so
/// many pixels.
pub fn flatten(picture: &RgbImage, corners: &Quad, side_max: u32) -> Option<RgbImage> {
    let scale = (side_max as f32 / corners.width().min(corners.height())).min(1.0);
    if scale < FINE_MIN {
        // To take several samples for each pixel of a leaning sheet is dearer than to make the photo smaller before.
        let small = resize(picture, f64::from(scale));
        let stretch =
            (small.width() as f32 / picture.width() as f32, small.height() as f32 / picture.height() as f32);
        let corners = corners.0.map(|Point { x, y }| Point::new(x * stretch.0, y * stretch.1));
        return redrawn(&small, &Quad(corners), 1.0);
    }
    redrawn(picture, corners, scale)
}

fn redrawn(picture: &RgbImage, corners: &Quad, scale: f32) -> Option<RgbImage> {
    let side = |length: f32| (scale * length).round().max(1.0);
    let (width, height) = (side(corners.width()), side(corners.height()));
    let to_source = Projection::between(&Quad::upright(width, height), corners)?;
    Some(warp(picture, &to_source, width as u32, height as u32))
}

/// The four-cornered shapes around the largest bright parts, and how well each fills its own.
fn sheets_brighter_than(grey: &GrayImage, level: u8) -> Vec<(Quad, f32)> {
    let pixels = (grey.width() * grey.height()) as f32;
    let (part_of, mut sizes) = bright_parts(grey, level);
    sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    sizes.truncate(PARTS_MAX);
    let large = sizes.iter().filter(|(_, size)| (SHARE_MIN..SHARE_MAX).contains(&(*size as f32 / pixels)));
    large.filter_map(|(part, size)| sheet_around(grey, &part_of, *part, *size as f32)).collect()
}

fn sheet_around(grey: &GrayImage, part_of: &[u32], part: u32, area: f32) -> Option<(Quad, f32)> {
    let (width, height) = (grey.width() as usize, grey.height() as usize);
    let outline = (0..height).flat_map(|y| {
        let row = &part_of[y * width..(y + 1) * width];
        let ends = row.iter().position(|own| *own == part).zip(row.iter().rposition(|own| *own == part));
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
    let is_sheet = (FILLED_MIN..1.08).contains(&filled) && covered < SHARE_MAX && stands_out(grey, &quad);
    is_sheet.then_some((quad, filled.min(1.0)))
}

/// True when all corners lie within the picture and the ground is darker right beside every side.
fn stands_out(grey: &GrayImage, quad: &Quad) -> bool {
    let (width, height) = (grey.width() as f32, grey.height() as f32);
    let edge = EDGE_SHARE * width.max(height);
    let is_inside = |corner: &Point| {
        (edge..width - edge).contains(&corner.x) && (edge..height - edge).contains(&corner.y)
    };
    let middle = quad
        .0
        .iter()
        .fold(Point::default(), |sum, corner| Point::new(sum.x + corner.x / 4.0, sum.y + corner.y / 4.0));
    let sides = (0..4).map(|index| (quad.0[index], quad.0[(index + 1) % 4]));
    quad.0.iter().all(is_inside) && sides.into_iter().all(|side| falls_off(grey, side, middle))
}

/// True when most places along a side are clearly darker outside than inside.
fn falls_off(grey: &GrayImage, (from, to): (Point, Point), middle: Point) -> bool {
    const PLACES: u32 = 16;
    let beside = BESIDE * grey.width().max(grey.height()) as f32 + 1.0;
    let length = from.distance(to).max(1.0);
    let mut across = Point::new((from.y - to.y) / length, (to.x - from.x) / length);
    if (middle.x - from.x) * across.x + (middle.y - from.y) * across.y > 0.0 {
        across = Point::new(-across.x, -across.y);
    }
    let level = |x: f32, y: f32| {
        let within = |at: f32, side: u32| (at.max(0.0) as u32).min(side - 1);
        f32::from(grey.get_pixel(within(x, grey.width()), within(y, grey.height())).0[0])
    };
    let darker = (1..PLACES).filter(|place| {
        let part = *place as f32 / PLACES as f32;
        let (x, y) = (from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
        let outside = level(x + beside * across.x, y + beside * across.y);
        let inside = level(x - beside * across.x, y - beside * across.y);
        outside < GROUND_MAX * inside
    });
    4 * darker.count() as u32 >= 3 * (PLACES - 1)
}

/// Which connected bright part each pixel is in (0 for none), and the parts' sizes. Writing inside a part leaves
/// holes, which do no harm to its outline.
fn bright_parts(grey: &GrayImage, level: u8) -> (Vec<u32>, Vec<(u32, usize)>) {
    let width = grey.width() as usize;
    let bright: Vec<bool> = grey.pixels().map(|pixel| pixel.0[0] >= level).collect();
    let mut part_of = vec![0u32; bright.len()];
    let mut sizes = Vec::new();
    for start in 0..bright.len() {
        if !bright[start] || part_of[start] != 0 {
            continue;
        }
        let part = sizes.len() as u32 + 1;
        part_of[start] = part;
        let (mut waiting, mut size) = (vec![start], 0);
        while let Some(at) = waiting.pop() {
            size += 1;
            let x = at % width;
            let left = (x > 0).then(|| at - 1);
            let right = (x + 1 < width).then_some(at + 1);
            let vertical = [at.checked_sub(width), Some(at + width)];
            for next in [left, right].into_iter().chain(vertical).flatten() {
                if next < bright.len() && bright[next] && part_of[next] == 0 {
                    part_of[next] = part;
                    waiting.push(next);
                }
            }
        }
        sizes.push((part, size));
    }
    (part_of, sizes)
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
        let flat = flatten(&picture, &found, u32::MAX).unwrap();
        assert!(flat.get_pixel(3, flat.height() / 2 + 9).0[0] > 40);
        for side_max in [450, 200, 1] {
            let small = flatten(&picture, &found, side_max).unwrap();
            assert!(small.width().abs_diff(side_max) <= 1, "{side_max}: {:?}", small.dimensions());
            let ratio = small.height() as f32 / small.width() as f32;
            assert!(side_max == 1 || (ratio - flat.height() as f32 / flat.width() as f32).abs() < 0.02);
        }
    }

    #[test]
    fn pictures_of_a_few_pixels_show_no_sheet() {
        for (width, height) in [(0, 0), (0, 9), (1, 1), (7, 4000), (8, 8), (9, 20_000)] {
            assert_eq!(find(&RgbImage::new(width, height)), None, "{width} x {height}");
        }
    }

    #[test]
    fn a_scan_that_fills_the_picture_has_no_sheet_to_find() {
        let scan = RgbImage::from_fn(300, 400, |x, y| {
            image::Rgb([if x % 9 == 0 && y % 20 < 9 { 20 } else { 250 }; 3])
        });
        assert_eq!(find(&scan), None);
    }

    #[test]
    fn the_bright_part_of_a_page_that_fills_the_picture_is_no_sheet() {
        let shadowed = |edge: f32| {
            RgbImage::from_fn(600, 800, |x, y| {
                let (x, y) = (x as f32, y as f32);
                let light = if x + 0.3 * y < edge { 0.55 } else { 1.0 };
                let written = (y as u32).is_multiple_of(3) && (x as u32 / 7).is_multiple_of(3) && y > 80.0;
                image::Rgb([(if written { 60.0 } else { 230.0 } * light) as u8; 3])
            })
        };
        for edge in [150.0, 300.0, 420.0] {
            assert_eq!(find(&shadowed(edge)), None, "a shadow up to {edge}");
        }
        let lamp = RgbImage::from_fn(600, 800, |x, y| {
            let off = (x as f32 - 300.0).hypot(y as f32 - 400.0) / 500.0;
            image::Rgb([(240.0 * (1.0 - 0.6 * off * off)) as u8; 3])
        });
        assert_eq!(find(&lamp), None, "light from a lamp");
    }

    #[test]
    fn a_small_sheet_is_found_beside_something_else_that_is_bright() {
        let corners = Quad([
            Point::new(200.0, 300.0),
            Point::new(420.0, 290.0),
            Point::new(450.0, 600.0),
            Point::new(210.0, 620.0),
        ]);
        let mut picture = photo(&corners);
        for (x, y, pixel) in picture.enumerate_pixels_mut() {
            if x + y < 330 {
                *pixel = image::Rgb([210; 3]);
            }
        }
        let found = find(&picture).unwrap();
        assert!(found.0[2].distance(corners.0[2]) < 12.0, "{found:?}");
    }
}
