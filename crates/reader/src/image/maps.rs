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
        Map::from_fn(width, height, |x, y| {
            let (left, top) = (2 * x as isize, 2 * y as isize);
            (self.at(left, top)
                + self.at(left + 1, top)
                + self.at(left, top + 1)
                + self.at(left + 1, top + 1))
                / 4.0
        })
    }

    /// Each cell the mean of itself and its neighbours.
    pub(crate) fn blurred(&self) -> Map {
        Map::from_fn(self.width, self.height, |x, y| {
            let (x, y) = (x as isize, y as isize);
            let rows = (y - 1..=y + 1).flat_map(|row| (x - 1..=x + 1).map(move |column| (column, row)));
            rows.map(|(column, row)| self.at(column, row)).sum::<f32>() / 9.0
        })
    }

    /// Each cell's root, so that heavy writing does not drown the print around it.
    pub(crate) fn softened(&self) -> Map {
        Map { cells: self.cells.iter().map(|cell| cell.sqrt()).collect(), ..*self }
    }

    /// One row of cells.
    pub(crate) fn row(&self, y: usize) -> &[f32] {
        &self.cells[y * self.width..(y + 1) * self.width]
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
        let (left, top) = (x.floor(), y.floor());
        let (across, down) = (x - left, y - top);
        let (left, top) = (left as isize, top as isize);
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
