//! How much ink lies where, at several coarsenesses: what pictures are laid over each other by.

use super::ink::Ink;

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

    /// Between the cells by interpolation; a cell's value stands in its middle.
    pub(crate) fn between(&self, x: f32, y: f32) -> f32 {
        let (x, y) = (x - 0.5, y - 0.5);
        if !(x > -1.0 && y > -1.0 && x < self.width as f32 && y < self.height as f32) {
            return 0.0;
        }
        // Both are above -1, and a cast cuts towards zero.
        let (left, top) = ((x + 1.0) as isize - 1, (y + 1.0) as isize - 1);
        let (across, down) = (x - left as f32, y - top as f32);
        let upper = self.at(left, top) * (1.0 - across) + self.at(left + 1, top) * across;
        let lower = self.at(left, top + 1) * (1.0 - across) + self.at(left + 1, top + 1) * across;
        upper * (1.0 - down) + lower * down
    }
}

/// A map and coarser ones of the same picture, each with cells twice as large as the one before.
#[derive(Clone, Debug)]
pub(crate) struct Pyramid(Vec<Map>);

impl Pyramid {
    /// As many maps as asked for, the finest first.
    pub(crate) fn of(finest: Map, count: usize) -> Pyramid {
        let mut maps = vec![finest];
        while maps.len() < count.max(1) {
            let next = maps[maps.len() - 1].halved();
            maps.push(next);
        }
        Pyramid(maps)
    }

    /// The map whose cells are 2^level pixels wide, or the coarsest.
    pub(crate) fn level(&self, level: usize) -> &Map {
        &self.0[level.min(self.0.len() - 1)]
    }

    /// How much ink lies around a point, in pixels of the finest map, over about `size` pixels each way.
    pub(crate) fn around(&self, x: f32, y: f32, size: f32) -> f32 {
        let level = (size.max(1.0).log2().round() as usize).min(self.0.len() - 1);
        let scale = (1usize << level) as f32;
        self.0[level].between(x / scale, y / scale)
    }
}
