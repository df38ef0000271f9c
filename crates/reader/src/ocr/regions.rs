//! Where on a page without its print there is writing: what stands apart is looked at apart, and what is plainly one
//! line needs no network to be found.

use crate::image::ink::Ink;
use crate::page::Rect;
use std::ops::Range;

/// Rows without ink that part two regions, in pixels.
const ROWS_APART: usize = 26;
/// Columns without ink that part two regions: wider than any space between the words of a line, 17 mm.
const COLUMNS_APART: usize = 100;
/// More regions than this are a spoilt page, which is looked at as one.
const REGIONS_MAX: usize = 40;
/// Less ink, in pixels, is a speck.
const INK_MIN: usize = 30;
/// What is higher, in pixels, may be several lines: 10 mm.
const LINE_MAX: usize = 60;
/// What is lower is no writing but what is left of a rule.
const LINE_MIN: usize = 12;
/// Two lines have each at least this share of the ink...
const OTHER_LINE_MIN: f32 = 0.2;
/// ...and between them a row with less than this share of the ink of the fullest rows beside it.
const BETWEEN_LINES_MAX: f32 = 0.15;

/// A part of the page with ink on it and none around.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    columns: Range<usize>,
    rows: Range<usize>,
}

/// All regions of a page that hold more than specks.
pub(super) fn regions(ink: &Ink) -> Vec<Region> {
    let whole = Region { columns: 0..ink.width, rows: 0..ink.height };
    let mut found = Vec::new();
    part(ink, &whole, &mut found);
    if found.len() > REGIONS_MAX {
        found = stretches(whole.rows.clone(), usize::MAX, |y| ink.row(y).contains(&true))
            .map(|rows| Region { rows, ..whole.clone() }.tight(ink))
            .collect();
    }
    found.retain(|region| region.rows(ink).map(inked).sum::<usize>() >= INK_MIN);
    found
}

/// Parts a region by its empty rows, then by its empty columns, as long as it falls apart.
fn part(ink: &Ink, region: &Region, found: &mut Vec<Region>) {
    let bands: Vec<Region> =
        stretches(region.rows.clone(), ROWS_APART, |y| ink.row(y)[region.columns.clone()].contains(&true))
            .map(|rows| Region { rows, ..region.clone() })
            .collect();
    for band in bands {
        let mut has_ink = vec![false; ink.width];
        for row in band.rows.clone() {
            has_ink.iter_mut().zip(ink.row(row)).for_each(|(has, mark)| *has |= mark);
        }
        let columns: Vec<Range<usize>> =
            stretches(band.columns.clone(), COLUMNS_APART, |x| has_ink[x]).collect();
        match columns.as_slice() {
            [only] => found.push(Region { columns: only.clone(), ..band }),
            several => several
                .iter()
                .for_each(|columns| part(ink, &Region { columns: columns.clone(), ..band.clone() }, found)),
        }
    }
}

/// Stretches that begin and end with ink and hold no gap as wide as `apart`.
fn stretches(
    range: Range<usize>,
    apart: usize,
    has_ink: impl Fn(usize) -> bool,
) -> impl Iterator<Item = Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in range.filter(|at| has_ink(*at)) {
        match found.last_mut() {
            Some(last) if at - last.end < apart => last.end = at + 1,
            _ => found.push(at..at + 1),
        }
    }
    found.into_iter()
}

fn inked(row: &[bool]) -> usize {
    row.iter().filter(|mark| **mark).count()
}

impl Region {
    fn rows<'i>(&'i self, ink: &'i Ink) -> impl Iterator<Item = &'i [bool]> {
        self.rows.clone().map(|y| &ink.row(y)[self.columns.clone()])
    }

    fn tight(self, ink: &Ink) -> Region {
        let ends = self
            .rows(ink)
            .filter_map(|row| row.iter().position(|mark| *mark).zip(row.iter().rposition(|mark| *mark)));
        let start = (self.columns.end, self.columns.start);
        let (left, right) = ends.fold(start, |(left, right), ends| (left.min(ends.0), right.max(ends.1 + 1)));
        Region { columns: left.min(right)..right, ..self }
    }

    /// Its place with so many pixels of paper around it, as far as the page goes.
    pub(super) fn place(&self, ink: &Ink, margin: usize) -> Rect {
        Rect {
            x0: self.columns.start.saturating_sub(margin) as f32,
            y0: self.rows.start.saturating_sub(margin) as f32,
            x1: (self.columns.end + margin).min(ink.width) as f32,
            y1: (self.rows.end + margin).min(ink.height) as f32,
        }
    }

    /// How high it is, in pixels.
    pub(super) fn height(&self) -> usize {
        self.rows.len()
    }

    /// True when it is as high as a line may be and no row parts it in two.
    pub(super) fn is_one_line(&self, ink: &Ink) -> bool {
        if !(LINE_MIN..=LINE_MAX).contains(&self.height()) {
            return false;
        }
        let counts: Vec<usize> = self.rows(ink).map(inked).collect();
        let all = counts.iter().sum::<usize>() as f32;
        let mut above = 0;
        (0..counts.len()).all(|at| {
            let (upper, lower) = (&counts[..at], &counts[at + 1..]);
            let fullest = |rows: &[usize]| rows.iter().copied().max().unwrap_or(0);
            let beside = fullest(upper).min(fullest(lower)) as f32;
            let share = above as f32 / all;
            above += counts[at];
            !((OTHER_LINE_MIN..1.0 - OTHER_LINE_MIN).contains(&share)
                && (counts[at] as f32) < BETWEEN_LINES_MAX * beside)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(is_ink: impl Fn(usize, usize) -> bool) -> Ink {
        let (width, height) = (900, 600);
        let marks = (0..width * height).map(|at| is_ink(at % width, at / width)).collect();
        Ink::from_marks(width, height, marks)
    }

    /// Strokes as letters have them, side by side.
    fn written(x: usize, y: usize, left: usize, top: usize) -> bool {
        (left..left + 200).contains(&x) && (top..top + 24).contains(&y) && x % 9 < 3
    }

    #[test]
    fn writing_that_stands_apart_is_looked_at_apart() {
        let ink = page(|x, y| {
            written(x, y, 100, 100)
                || written(x, y, 500, 100)
                || written(x, y, 500, 130)
                || (x, y) == (20, 400)
        });
        let found = regions(&ink);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].is_one_line(&ink) && found[0].height() == 24);
        assert!(!found[1].is_one_line(&ink), "two lines");
        let place = found[0].place(&ink, 10);
        assert!(place.x0 <= 92.0 && place.x1 < 320.0 && place.y0 == 90.0 && place.y1 == 134.0, "{place:?}");
    }

    #[test]
    fn a_page_of_scattered_ink_is_one_region() {
        let ink = page(|x, y| x % 130 < 6 && y % 40 < 8);
        let found = regions(&ink);
        assert_eq!(found.len(), 1);
        assert_eq!(regions(&page(|_, _| false)), []);
    }
}
