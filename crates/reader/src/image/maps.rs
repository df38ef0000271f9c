//! How much ink lies where, at several coarsenesses: what pictures are laid over each other by.

use super::geometry::Point;
use super::ink::Ink;
use std::cell::OnceCell;

/// Sums over rows of cells are taken side by side, or each addition would wait for the one before.
const LANES: usize = 4;

/// The share of ink in each cell of a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Map {
    pub(crate) width: usize,
    pub(crate) height: usize,
    cells: Vec<f32>,
}

impl Map {
    /// One cell a pixel.
    pub(crate) fn of(ink: &Ink) -> Map {
        let cells = (0..ink.height).flat_map(|y| ink.row(y)).map(|mark| f32::from(u8::from(*mark))).collect();
        Map { width: ink.width, height: ink.height, cells }
    }

    /// One cell for four pixels.
    fn halved_of(ink: &Ink) -> Map {
        let (width, height) = (ink.width.div_ceil(2), ink.height.div_ceil(2));
        let mut counts = vec![0u8; width];
        let mut cells = Vec::with_capacity(width * height);
        for y in 0..height {
            counts.fill(0);
            for row in (2 * y..ink.height).take(2) {
                for (count, marks) in counts.iter_mut().zip(ink.row(row).chunks(2)) {
                    *count += marks.iter().map(|mark| u8::from(*mark)).sum::<u8>();
                }
            }
            cells.extend(counts.iter().map(|count| f32::from(*count) / 4.0));
        }
        Map { width, height, cells }
    }

    /// A map from what stands in each cell.
    pub(crate) fn from_fn(width: usize, height: usize, cell: impl Fn(usize, usize) -> f32) -> Map {
        let cells =
            (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| cell(x, y)).collect();
        Map { width, height, cells }
    }

    /// Four cells become one.
    pub(crate) fn halved(&self) -> Map {
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let mut cells = Vec::with_capacity(width * height);
        for y in 0..height {
            let (upper, lower) = (self.row(2 * y), self.row_or_none(2 * y + 1));
            // Beyond the last column there is no ink.
            let sum = |row: &[f32], x: usize| row[x] + row.get(x + 1).copied().unwrap_or_default();
            cells.extend(
                (0..width).map(|x| {
                    (sum(upper, 2 * x) + lower.map(|row| sum(row, 2 * x)).unwrap_or_default()) / 4.0
                }),
            );
        }
        Map { width, height, cells }
    }

    /// Each cell the mean of itself and its neighbours.
    pub(crate) fn blurred(&self) -> Map {
        let mut cells = Vec::with_capacity(self.cells.len());
        // The sums of three rows, with an empty cell at both ends.
        let mut sums = vec![0.0; self.width + 2];
        for y in 0..self.height {
            sums.fill(0.0);
            let rows = [y.checked_sub(1), Some(y), Some(y + 1)].into_iter().flatten();
            for row in rows.filter_map(|row| self.row_or_none(row)) {
                sums[1..].iter_mut().zip(row).for_each(|(sum, cell)| *sum += cell);
            }
            cells.extend(sums.windows(3).map(|three| (three[0] + three[1] + three[2]) / 9.0));
        }
        Map { width: self.width, height: self.height, cells }
    }

    /// Each cell's root, so that heavy writing does not drown the print around it.
    pub(crate) fn softened(&self) -> Map {
        Map { cells: self.cells.iter().map(|cell| cell.sqrt()).collect(), ..*self }
    }

    /// One row of cells.
    pub(crate) fn row(&self, y: usize) -> &[f32] {
        &self.cells[y * self.width..(y + 1) * self.width]
    }

    fn row_or_none(&self, y: usize) -> Option<&[f32]> {
        (y < self.height).then(|| self.row(y))
    }

    pub(crate) fn sum(&self) -> f32 {
        self.cells.iter().sum()
    }

    pub(crate) fn sum_of_squares(&self) -> f32 {
        self.cells.iter().map(|cell| cell * cell).sum()
    }

    /// No ink outside.
    pub(crate) fn at(&self, x: isize, y: isize) -> f32 {
        if x < 0 || y < 0 || x as usize >= self.width || y as usize >= self.height {
            return 0.0;
        }
        self.cells[y as usize * self.width + x as usize]
    }

    /// Where a larger map of the same picture, by interpolation, has more ink than `level`: row by row, each `scale` times
    /// as many cells.
    pub(crate) fn enlarged(&self, (width, height): (usize, usize), scale: f32, level: f32) -> Vec<bool> {
        // Where each of the new cells lies between the old ones, with an empty one beyond each end.
        let between = |count: usize, cells: usize| -> Vec<(usize, f32)> {
            let places = (0..count).map(|at| ((at as f32 + 0.5) / scale + 0.5).min(cells as f32 + 0.99));
            places.map(|at| (at as usize, at - at.floor())).collect()
        };
        let columns = between(width, self.width);
        let mut marks = Vec::with_capacity(width * height);
        let mut mixed = vec![0.0; self.width + 2];
        for (row, down) in between(height, self.height) {
            let rows = [row.checked_sub(1), Some(row)].map(|y| y.and_then(|y| self.row_or_none(y)));
            let weighted = rows.into_iter().zip([1.0 - down, down]);
            let inked = weighted.filter_map(|(row, weight)| Some((row?, weight)));
            mixed.fill(0.0);
            let mut is_bare = true;
            for (row, weight) in inked.filter(|(row, _)| row.iter().any(|cell| *cell > 0.0)) {
                is_bare = false;
                mixed[1..].iter_mut().zip(row).for_each(|(sum, cell)| *sum += weight * cell);
            }
            if is_bare {
                marks.resize(marks.len() + width, false);
                continue;
            }
            marks.extend(
                columns
                    .iter()
                    .map(|(at, across)| mixed[*at] * (1.0 - across) + mixed[*at + 1] * across > level),
            );
        }
        marks
    }

    /// Between the cells by interpolation; a cell's value stands in its middle.
    pub(crate) fn between(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x - 0.5, y - 0.5);
        if !(x > -1.0 && y > -1.0 && x < self.width as f32 && y < self.height as f32) {
            return 0.0;
        }
        // Both are above -1, and a cast cuts towards zero.
        let (left, top) = ((x + 1.0) as isize - 1, (y + 1.0) as isize - 1);
        let (across, down) = (x - left as f32, y - top as f32);
        let is_inner =
            left >= 0 && top >= 0 && left as usize + 1 < self.width && top as usize + 1 < self.height;
        let pair = |y: isize| {
            let inner = is_inner.then(|| &self.cells[y as usize * self.width + left as usize..]);
            match inner {
                Some([first, second, ..]) => [*first, *second],
                _ => [self.at(left, y), self.at(left + 1, y)],
            }
        };
        let mixed = |[first, second]: [f32; 2]| first * (1.0 - across) + second * across;
        mixed(pair(top)) * (1.0 - down) + mixed(pair(top + 1)) * down
    }
}

/// The ink of a picture and maps of it, each with cells twice as large as the one before.
#[derive(Clone, Debug)]
pub(crate) struct Pyramid {
    ink: Ink,
    /// One cell a pixel: large, and made when somebody looks so closely.
    finest: OnceCell<Map>,
    coarser: Vec<Map>,
}

impl Pyramid {
    /// As many maps as asked for, that of the pixels among them, but one coarser map at least.
    pub(crate) fn of(ink: Ink, count: usize) -> Pyramid {
        let mut coarser = vec![Map::halved_of(&ink)];
        while coarser.len() + 1 < count {
            let next = coarser[coarser.len() - 1].halved();
            coarser.push(next);
        }
        Pyramid { ink, finest: OnceCell::new(), coarser }
    }

    /// In pixels.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.ink.width, self.ink.height)
    }

    /// The map whose cells are 2^level pixels wide, or the coarsest.
    pub(crate) fn level(&self, level: usize) -> &Map {
        match level.checked_sub(1) {
            Some(level) => &self.coarser[level.min(self.coarser.len() - 1)],
            None => self.finest.get_or_init(|| Map::of(&self.ink)),
        }
    }

    /// Says how much ink lies around points, in pixels, over about `size` pixels each way.
    pub(crate) fn around(&self, size: f32) -> impl Fn(Point) -> f32 {
        let level = (size.max(1.0).log2().round() as usize).min(self.coarser.len());
        let (map, scale) = (self.level(level), (1usize << level) as f32);
        move |at| map.between(at.x / scale, at.y / scale)
    }
}

/// The sum of the products of each pair of cells.
#[inline]
pub(crate) fn products(one: &[f32], other: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let ((ones, one_rest), (others, other_rest)) = (one.as_chunks::<LANES>(), other.as_chunks::<LANES>());
    for (one, other) in ones.iter().zip(others) {
        for lane in 0..LANES {
            lanes[lane] += one[lane] * other[lane];
        }
    }
    let rest: f32 = one_rest.iter().zip(other_rest).map(|(one, other)| one * other).sum();
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_enlarged_as_it_is_interpolated() {
        let map = Map::from_fn(13, 9, |x, y| if (x * 7 + y * 5) % 4 == 0 && y != 5 { 1.0 } else { 0.0 });
        let (width, height, scale) = (20, 14, 1.5);
        let marks = map.enlarged((width, height), scale, 0.2);
        for (at, mark) in marks.iter().enumerate() {
            let (x, y) = ((at % width) as f32 + 0.5, (at / width) as f32 + 0.5);
            let value = map.between(x / scale, y / scale);
            assert!(*mark == (value > 0.2) || (value - 0.2).abs() < 1e-4, "{at}: {value}");
        }
    }

    #[test]
    fn four_pixels_become_a_cell_at_once_as_by_turns() {
        for (width, height) in [(7, 5), (8, 6), (1, 1)] {
            let ink = Ink::from_marks(width, height, (0..width * height).map(|at| at % 3 == 0).collect());
            assert_eq!(Map::halved_of(&ink), Map::of(&ink).halved());
        }
    }

    #[test]
    fn sums_side_by_side_are_sums() {
        let (one, other): (Vec<f32>, Vec<f32>) = (0..14).map(|at| (at as f32, 2.0)).unzip();
        assert_eq!(products(&one, &other), 182.0);
    }
}
