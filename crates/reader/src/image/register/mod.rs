//! Lays the picture of a page over the page as it was drawn, by their ink alone.
//!
//! First all drawn pages are tried at a few sizes and leans, coarsely. The best of them are followed from coarse to
//! fine: pieces of the drawn page look for themselves in the picture, and a projection is fitted to where they are
//! found, as often as it takes. At last each piece may lie a little off the projection, for paper curls.

mod book;
mod curl;
mod fit;
mod pieces;
mod starts;

use super::geometry::{Point, Projection, Quad};
use super::ink::Ink;
use super::maps::Pyramid;
pub(crate) use book::Book;
use curl::Curl;
use fit::{fitted, share_found};
use starts::finalists;

/// How a drawn page lies on a picture.
#[derive(Clone, Debug)]
pub(crate) struct Lay {
    /// Which of the drawn pages it is.
    pub(crate) page: usize,
    /// From the drawn page's pixels to the picture's.
    projection: Projection,
    curl: Curl,
}

impl Lay {
    /// Where a point of the drawn page lies on the picture.
    pub(crate) fn apply(&self, at: Point) -> Point {
        let (x, y) = self.curl.at(at);
        self.projection.apply(Point::new(at.x + x, at.y + y))
    }

    /// The corners of a drawn page of this size on the picture, as if it lay flat.
    pub(crate) fn corners(&self, width: f32, height: f32) -> Quad {
        Quad::upright(width, height).through(&self.projection)
    }
}

/// The coarsest maps have cells of 32 pixels of the drawn page.
const COARSE: usize = 5;
/// Of the beginnings, so many are followed to the end.
const FOLLOWED: usize = 3;
/// One of which so much more is found than of any other page is followed alone.
const CLEARLY_AHEAD: f32 = 0.25;
/// Of the print, this share must be found again on the picture...
const FOUND_MIN: f32 = 0.55;
/// ...and so much more of it than of the next best page.
const AHEAD_MIN: f32 = 0.08;
/// Where a coarse look finds less than this share, a finer one does not find enough.
const COARSE_FOUND_MIN: f32 = 0.45;

/// The drawn page that the picture shows, if it shows one. `before` is how the page before lay on its picture: a scanner
/// takes one page like the next.
pub(crate) fn lay(book: &Book, ink: Ink, before: Option<&Lay>) -> Option<Lay> {
    if book.pages.is_empty() || ink.width < 200 || ink.height < 200 {
        return None;
    }
    let picture = Pyramid::of(ink, 8);
    // A coarse look at all of them shows which are worth a finer one.
    let mut tried: Vec<Attempt> = finalists(book, &picture)
        .into_iter()
        .map(|start| Attempt { page: start.page, projection: start.projection, found: 0.0 })
        .map(|attempt| attempt.followed(book, &picture, &[4, 4, 3]))
        .collect();
    if let Some(before) = before {
        let again =
            (0..book.pages.len()).map(|page| Attempt { page, projection: before.projection, found: 0.0 });
        tried.extend(again.map(|attempt| attempt.followed(book, &picture, &[3])));
    }
    tried.sort_by(|a, b| b.found.total_cmp(&a.found));
    let is_clear = |best: &Attempt| {
        let next = tried.iter().find(|other| other.page != best.page).map_or(0.0, |other| other.found);
        best.found >= FOUND_MIN && best.found >= next + CLEARLY_AHEAD
    };
    let followed = if tried.first().is_some_and(is_clear) { 1 } else { FOLLOWED };
    tried.truncate(followed);
    tried = tried.into_iter().map(|attempt| attempt.followed(book, &picture, &[3, 2])).collect();
    tried.sort_by(|a, b| b.found.total_cmp(&a.found));
    let best = tried.first()?;
    let next = tried.iter().find(|other| other.page != best.page).map_or(0.0, |other| other.found);
    if best.found < COARSE_FOUND_MIN || best.found < next + AHEAD_MIN {
        return None;
    }
    let drawn = book.whole(best.page);
    let projection = fitted(drawn.level(1), &picture, &best.projection, 1).unwrap_or(best.projection);
    let lay = Lay { page: best.page, projection, curl: Curl::seen(&drawn, &picture, &projection) };
    let found = share_found(&book.pages[best.page], &picture, |at| lay.apply(at), 1.0);
    (found >= FOUND_MIN).then_some(lay)
}

/// A page where it was found so far.
struct Attempt {
    page: usize,
    projection: Projection,
    /// The share of its print that the picture has there.
    found: f32,
}

impl Attempt {
    /// The same after a finer look, level by level.
    fn followed(self, book: &Book, picture: &Pyramid, levels: &[usize]) -> Attempt {
        let page = &book.pages[self.page];
        let mut projection = self.projection;
        for level in levels {
            // Under much writing a coarse look finds too little of the print, and a finer one enough.
            projection = fitted(page.level(*level), picture, &projection, *level).unwrap_or(projection);
        }
        let found = share_found(page, picture, |at| projection.apply(at), 2.0);
        Attempt { projection, found, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::Print;

    /// Bars like words, different on every page.
    fn page(seed: u32) -> Ink {
        let (width, height) = (827, 1169);
        let mut marks = vec![false; width * height];
        let mut chance = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
        let mut next = |range: u32| {
            chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (chance >> 16) % range
        };
        let mut y = 80;
        while y < height - 80 {
            let end = 300 + next(450) as usize;
            let mut x = 80 + next(3) as usize * 20;
            while x < end {
                let length = 12 + next(50) as usize;
                for row in y..y + 9 {
                    for column in x..(x + length).min(width - 60) {
                        marks[row * width + column] = (column + row / 3) % 4 < 2 || row == y;
                    }
                }
                x += length + 7;
            }
            y += 18 + next(60) as usize;
        }
        Ink::from_marks(width, height, marks)
    }

    /// A photo of the page, a little curled, with writing on it.
    fn photo(page: &Ink, corners: &Quad, size: (usize, usize)) -> Ink {
        let back =
            Projection::between(corners, &Quad::upright(page.width as f32, page.height as f32)).unwrap();
        let mut marks = vec![false; size.0 * size.1];
        for y in 0..size.1 {
            for x in 0..size.0 {
                let at = back.apply(Point::new(x as f32 + 0.5, y as f32 + 0.5));
                let at = Point::new(at.x, at.y + 4.0 * (at.x / 160.0).sin());
                let written =
                    at.x > 100.0 && at.x < 600.0 && (at.y - 700.0 - 9.0 * (at.x / 6.0).sin()).abs() < 2.0;
                let printed = at.x >= 0.0 && at.y >= 0.0 && page.at(at.x as usize, at.y as usize);
                marks[y * size.0 + x] = printed || written;
            }
        }
        Ink::from_marks(size.0, size.1, marks)
    }

    #[test]
    fn a_curled_photo_is_laid_over_its_own_page() {
        let inks: Vec<Ink> = (1..5).map(page).collect();
        let prints: Vec<Print> = inks.iter().filter_map(Print::of).collect();
        let corners = Quad([
            Point::new(70.0, 40.0),
            Point::new(1130.0, 20.0),
            Point::new(1180.0, 1560.0),
            Point::new(30.0, 1600.0),
        ]);
        let book = Book::of(&prints.iter().collect::<Vec<_>>());
        let lay = lay(&book, photo(&inks[2], &corners, (1220, 1640)), None).unwrap();
        assert_eq!(lay.page, 2);
        let true_place = Projection::between(&Quad::upright(827.0, 1169.0), &corners).unwrap();
        for (x, y) in [(150.0, 200.0), (600.0, 300.0), (300.0, 800.0), (250.0, 1000.0)] {
            let expected = true_place.apply(Point::new(x, y - 4.0 * (x / 160.0f32).sin()));
            let found = lay.apply(Point::new(x, y));
            assert!(found.distance(expected) < 3.5, "{x} {y}: {found:?}, not {expected:?}");
        }
    }

    #[test]
    fn a_page_is_found_under_much_writing() {
        let inks: Vec<Ink> = (1..4).map(page).collect();
        let prints: Vec<Print> = inks.iter().filter_map(Print::of).collect();
        let book = Book::of(&prints.iter().collect::<Vec<_>>());
        let corners = Quad::upright(1160.0, 1640.0);
        let clean = photo(&inks[1], &corners, (1160, 1640));
        let marks = (0..1160 * 1640).map(|at: usize| {
            let (x, y) = ((at % 1160) as f32, (at / 1160) as f32);
            let line =
                (y / 70.0).floor() * 70.0 + 35.0 + 16.0 * (x / 9.0).sin() * (x / 47.0 + y / 300.0).cos();
            let is_written = x > 150.0 && x < 1050.0 && y > 500.0 && (y - line).abs() < 3.0;
            is_written || clean.at(at % 1160, at / 1160)
        });
        let found = lay(&book, Ink::from_marks(1160, 1640, marks.collect()), None).unwrap();
        assert_eq!(found.page, 1);
        assert!(found.apply(Point::new(0.0, 0.0)).distance(corners.0[0]) < 12.0);
    }

    #[test]
    fn an_upside_down_page_is_found_and_a_strange_one_is_not() {
        let inks: Vec<Ink> = (1..4).map(page).collect();
        let prints: Vec<Print> = inks.iter().filter_map(Print::of).collect();
        let book = Book::of(&prints.iter().collect::<Vec<_>>());
        let upside_down = Quad([
            Point::new(1120.0, 1600.0),
            Point::new(40.0, 1590.0),
            Point::new(60.0, 40.0),
            Point::new(1100.0, 50.0),
        ]);
        let found = lay(&book, photo(&inks[1], &upside_down, (1160, 1640)), None).unwrap();
        assert_eq!(found.page, 1);
        assert!(found.apply(Point::new(0.0, 0.0)).distance(upside_down.0[0]) < 12.0);
        let straight = Quad::upright(1160.0, 1640.0);
        assert!(lay(&book, photo(&page(77), &straight, (1160, 1640)), None).is_none());
        assert!(lay(&book, Ink::from_marks(1160, 1640, Vec::new()), None).is_none());
    }
}
