//! Layers that make each pixel's channels from all channels of the pixels in a window.

use super::curves::Curve;
use super::maps::{Maps, Numbers, Spare};
use super::product::{Product, Table};
use super::window::{Window, inside};
use rayon::prelude::*;
use rten_simd::SimdOp as _;

/// A layer.
pub(super) struct Windows {
    pub(super) window: Window,
    /// How many times as high and as wide each of the maps that it looks at is taken. Their channels stand side by side.
    pub(super) times: Vec<(usize, usize)>,
    pub(super) channels: usize,
    /// The weights by the window's pixels, row by row, and their channels.
    pub(super) weights: Table,
    pub(super) bias: Vec<f32>,
    pub(super) curve: Curve,
}

impl Windows {
    /// `None` when the maps do not fit together.
    pub(super) fn run(&self, parts: &[&Maps], spare: &mut Spare) -> Option<Maps> {
        let whole = self.whole(parts)?;
        let ((height, width), (above, left)) = self.window.onto(&whole);
        let (high, wide) = self.window.size;
        let mut out = spare.maps(whole.count, height, width, self.weights.outputs);
        // Rows with what is added at their edges; windows that stand beside each other share most of them.
        let padded = ((width.max(1) - 1) * self.window.step.1 + wide).max(left + whole.width) * self.channels;
        let (start, length) = (left * self.channels, wide * self.channels);
        out.values.par_chunks_mut((width * self.weights.outputs).max(1)).enumerate().for_each_init(
            // And which row of which picture each of them is: windows below each other share most of them, too.
            || (vec![0.0; high * padded], vec![None; high]),
            |(rows, held), (index, out)| {
                let (picture, y) = (index / height, index % height * self.window.step.0);
                let seen = inside(y, above, high, whole.height);
                let place = |dy: usize| (y + dy - above) % high * padded;
                for dy in seen.clone() {
                    let (from, wanted) = (y + dy - above, Some((picture, y + dy - above)));
                    if std::mem::replace(&mut held[from % high], wanted) != wanted {
                        let row = &mut rows[place(dy) + start..];
                        self.fetch(parts, picture, from, &mut row[..whole.row()]);
                    }
                }
                let rows = seen.map(|dy| (&rows[place(dy)..place(dy) + padded], dy * length));
                let (parts, step) = (rows.collect::<Vec<_>>(), self.window.step.1 * self.channels);
                let (table, bias) = (&self.weights, &self.bias);
                Product { table, parts: &parts, length, step, bias, beside: None, out }.dispatch();
                self.curve.apply(out);
            },
        );
        Some(out)
    }

    /// What the layer looks at, without its numbers.
    fn whole(&self, parts: &[&Maps]) -> Option<Maps> {
        let size = |(maps, (high, wide)): (&&Maps, &(usize, usize))| {
            (maps.count, maps.height * high, maps.width * wide)
        };
        let mut sizes = parts.iter().zip(&self.times).map(size);
        let (count, height, width) = sizes.next()?;
        let fits = sizes.all(|other| other == (count, height, width))
            && parts.len() == self.times.len()
            && parts.iter().map(|maps| maps.channels).sum::<usize>() == self.channels;
        fits.then(|| Maps { count, height, width, channels: self.channels, values: Numbers::default() })
    }

    /// Puts a row of all maps together.
    fn fetch(&self, parts: &[&Maps], picture: usize, y: usize, row: &mut [f32]) {
        if let ([maps], [(1, 1)]) = (parts, self.times.as_slice()) {
            row.copy_from_slice(maps.row_of(picture, y));
            return;
        }
        let mut start = 0;
        for (maps, (high, wide)) in parts.iter().zip(&self.times) {
            let from = maps.row_of(picture, y / high).chunks_exact(maps.channels);
            for (pixels, pixel) in row.chunks_exact_mut(self.channels * wide).zip(from) {
                for to in pixels.chunks_exact_mut(self.channels) {
                    to[start..start + maps.channels].copy_from_slice(pixel);
                }
            }
            start += maps.channels;
        }
    }
}
