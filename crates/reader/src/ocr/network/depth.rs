//! Layers that make each channel from its own neighbourhood, without the other channels.

use super::curves::Curve;
use super::maps::{Maps, Spare};
use super::window::{Window, inside};
use rayon::prelude::*;
use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};
use std::ops::Range;

/// A layer.
pub(super) struct Depth {
    pub(super) window: Window,
    /// For each pixel of the window, row by row, the weight of each channel.
    pub(super) weights: Vec<f32>,
    pub(super) bias: Vec<f32>,
    pub(super) curve: Curve,
}

impl Depth {
    pub(super) fn run(&self, maps: &Maps, spare: &mut Spare) -> Maps {
        let ((height, width), (above, left)) = self.window.onto(maps);
        let mut out = spare.maps(maps.count, height, width, maps.channels);
        let row = out.row().max(1);
        out.values.par_chunks_mut(row).enumerate().for_each(|(index, out)| {
            let (picture, y) = (index / height, index % height * self.window.step.0);
            let rows = inside(y, above, self.window.size.0, maps.height);
            Row { layer: self, maps, picture, y: y as isize - above as isize, rows, left, out }.dispatch();
            self.curve.apply(out);
        });
        out
    }
}

/// A row of pixels that is made.
struct Row<'r> {
    layer: &'r Depth,
    maps: &'r Maps,
    picture: usize,
    /// Where the window's first row lies.
    y: isize,
    /// The window's rows that lie on the map.
    rows: Range<usize>,
    /// Columns that are added at the left.
    left: usize,
    out: &'r mut [f32],
}

/// Vectors that are added up together: their number of channels divides those of all layers here.
const TOGETHER: usize = 3;
/// Pixels beside each other that are added up together, so that weights are fetched once for all of them.
const BESIDE: usize = 4;

impl SimdOp for Row<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(mut self, isa: I) {
        let (channels, wide) = (self.maps.channels, self.layer.window.size.1);
        let step = self.layer.window.step.1;
        let width = self.out.len() / channels;
        let (left, length) = (self.left, self.maps.width);
        let is_inside = |x: usize| inside(x * step, left, wide, length).len() == wide;
        let mut x = 0;
        while x < width {
            if x + BESIDE <= width && is_inside(x) && is_inside(x + BESIDE - 1) {
                self.pixels::<I, BESIDE>(isa, x);
                x += BESIDE;
            } else {
                self.pixels::<I, 1>(isa, x);
                x += 1;
            }
        }
    }
}

impl Row<'_> {
    /// Makes pixels beside each other, whose windows are cut off by the edges alike.
    #[inline(always)]
    fn pixels<I: Isa, const COUNT: usize>(&mut self, isa: I, x: usize) {
        let ops = isa.f32();
        let (maps, channels, (_, wide)) = (self.maps, self.maps.channels, self.layer.window.size);
        let step = self.layer.window.step.1 * channels;
        let at = x * self.layer.window.step.1;
        let columns = inside(at, self.left, wide, maps.width);
        let from = (at + columns.start - self.left) * channels;
        let span = columns.len() * channels;
        let out = &mut self.out[x * channels..(x + COUNT) * channels];
        let lines = |dy: usize| {
            let row = maps.row_of(self.picture, (self.y + dy as isize) as usize);
            let start = (dy * wide + columns.start) * channels;
            (&row[from..from + span + (COUNT - 1) * step], &self.layer.weights[start..start + span])
        };
        let block = ops.len() * TOGETHER;
        let whole = channels / block * block;
        for first in (0..whole).step_by(block) {
            let bias = ops.load_many::<TOGETHER>(&self.layer.bias[first..first + block]);
            let mut sums = [bias; COUNT];
            for dy in self.rows.clone() {
                let (row, weights) = lines(dy);
                for place in (first..span).step_by(channels) {
                    let weights = ops.load_many::<TOGETHER>(&weights[place..place + block]);
                    for (pixel, sums) in sums.iter_mut().enumerate() {
                        let start = place + pixel * step;
                        let values = ops.load_many::<TOGETHER>(&row[start..start + block]);
                        for index in 0..TOGETHER {
                            sums[index] = ops.mul_add(values[index], weights[index], sums[index]);
                        }
                    }
                }
            }
            for (pixel, sums) in sums.into_iter().enumerate() {
                let start = pixel * channels + first;
                for (sum, out) in sums.into_iter().zip(out[start..start + block].chunks_exact_mut(ops.len()))
                {
                    ops.store(sum, out);
                }
            }
        }
        for channel in whole..channels {
            for pixel in 0..COUNT {
                let mut sum = self.layer.bias[channel];
                for dy in self.rows.clone() {
                    let (row, weights) = lines(dy);
                    let places = (channel..span).step_by(channels);
                    sum += places.map(|place| row[place + pixel * step] * weights[place]).sum::<f32>();
                }
                out[pixel * channels + channel] = sum;
            }
        }
    }
}
