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
/// Pixels beside each other that are added up together where their windows share pixels: one sum would wait for itself.
const BESIDE: usize = 8;
/// The same where they do not, so that weights are fetched once for all of them.
const APART: usize = 4;

impl SimdOp for Row<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(mut self, isa: I) {
        let Window { size: (_, wide), step: (_, step), .. } = self.layer.window;
        let is_whole = self.maps.channels.is_multiple_of(isa.f32().len());
        let made = match (wide, step) {
            (3, 1) if is_whole => self.sharing::<I, 3, 10>(isa),
            (7, 1) if is_whole => self.sharing::<I, 7, 14>(isa),
            _ => 0..0,
        };
        for others in [0..made.start, made.end..self.width()] {
            self.apart(isa, others);
        }
    }
}

impl Row<'_> {
    /// Pixels that are made.
    #[inline(always)]
    fn width(&self) -> usize {
        self.out.len() / self.maps.channels
    }

    /// Which pixels of the map lie in the window of a pixel, and which of the window's columns they are.
    #[inline(always)]
    fn columns(&self, x: usize) -> Range<usize> {
        let Window { size: (_, wide), step: (_, step), .. } = self.layer.window;
        inside(x * step, self.left, wide, self.maps.width)
    }

    /// Makes the pixels whose windows lie on the map where these go on by one pixel each, and says which they are.
    /// `SEEN` columns lie in the windows of those beside each other.
    #[inline(always)]
    fn sharing<I: Isa, const WIDE: usize, const SEEN: usize>(&mut self, isa: I) -> Range<usize> {
        let start = self.left;
        let end = (self.maps.width + start + 1).saturating_sub(WIDE).min(self.width());
        if end < start + BESIDE {
            return 0..0;
        }
        for x in (start..end).step_by(BESIDE) {
            // Where there are too few left, some are made again.
            self.beside::<I, WIDE, SEEN>(isa, x.min(end - BESIDE));
        }
        start..end
    }

    /// Makes pixels beside each other whose windows lie on the map: what a pixel of it has is fetched once for all of
    /// them.
    #[inline(always)]
    fn beside<I: Isa, const WIDE: usize, const SEEN: usize>(&mut self, isa: I, x: usize) {
        let (ops, maps, channels) = (isa.f32(), self.maps, self.maps.channels);
        let (size, from) = (ops.len(), (x - self.left) * channels);
        for first in (0..channels).step_by(size) {
            let mut sums = [ops.load(&self.layer.bias[first..first + size]); BESIDE];
            for dy in self.rows.clone() {
                let row = maps.row_of(self.picture, (self.y + dy as isize) as usize);
                let (mut row, mut weights) =
                    (&row[from + first..], &self.layer.weights[dy * WIDE * channels + first..]);
                let weights: [I::F32; WIDE] = std::array::from_fn(
                    #[inline(always)]
                    |_| taken(ops, &mut weights, channels),
                );
                let values: [I::F32; SEEN] = std::array::from_fn(
                    #[inline(always)]
                    |_| taken(ops, &mut row, channels),
                );
                for (pixel, sum) in sums.iter_mut().enumerate() {
                    for (value, weight) in values[pixel..pixel + WIDE].iter().zip(&weights) {
                        *sum = ops.mul_add(*value, *weight, *sum);
                    }
                }
            }
            for (pixel, sum) in sums.into_iter().enumerate() {
                let start = (x + pixel) * channels + first;
                ops.store(sum, &mut self.out[start..start + size]);
            }
        }
    }

    /// Makes some pixels, whatever their windows.
    #[inline(always)]
    fn apart<I: Isa>(&mut self, isa: I, pixels: Range<usize>) {
        let wide = self.layer.window.size.1;
        let mut x = pixels.start;
        while x < pixels.end {
            let is_inside = |x: usize| self.columns(x).len() == wide;
            if x + APART <= pixels.end && is_inside(x) && is_inside(x + APART - 1) {
                self.pixels::<I, APART>(isa, x);
                x += APART;
            } else {
                self.pixels::<I, 1>(isa, x);
                x += 1;
            }
        }
    }

    /// What a row of the map has in some columns of a pixel's window, and so many numbers more, and their weights.
    #[inline(always)]
    fn line(&self, dy: usize, x: usize, columns: &Range<usize>, more: usize) -> (&[f32], &[f32]) {
        let (channels, Window { size: (_, wide), step: (_, step), .. }) =
            (self.maps.channels, self.layer.window);
        let row = self.maps.row_of(self.picture, (self.y + dy as isize) as usize);
        let from = (x * step + columns.start - self.left) * channels;
        let (start, span) = ((dy * wide + columns.start) * channels, columns.len() * channels);
        (&row[from..from + span + more], &self.layer.weights[start..start + span])
    }

    /// Makes pixels beside each other, whose windows are cut off by the edges alike.
    #[inline(always)]
    fn pixels<I: Isa, const COUNT: usize>(&mut self, isa: I, x: usize) {
        let (ops, channels, columns) = (isa.f32(), self.maps.channels, self.columns(x));
        let step = self.layer.window.step.1 * channels;
        let (span, start) = (columns.len() * channels, x * channels);
        let more = (COUNT - 1) * step;
        let block = ops.len() * TOGETHER;
        let whole = channels / block * block;
        for first in (0..whole).step_by(block) {
            let bias = ops.load_many::<TOGETHER>(&self.layer.bias[first..first + block]);
            let mut sums = [bias; COUNT];
            for dy in self.rows.clone() {
                let (row, weights) = self.line(dy, x, &columns, more);
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
                let start = start + pixel * channels + first;
                let out = self.out[start..start + block].chunks_exact_mut(ops.len());
                for (sum, out) in sums.into_iter().zip(out) {
                    ops.store(sum, out);
                }
            }
        }
        for channel in whole..channels {
            for pixel in 0..COUNT {
                let mut sum = self.layer.bias[channel];
                for dy in self.rows.clone() {
                    let (row, weights) = self.line(dy, x, &columns, more);
                    let places = (channel..span).step_by(channels);
                    sum += places.map(|place| row[place + pixel * step] * weights[place]).sum::<f32>();
                }
                self.out[start + pixel * channels + channel] = sum;
            }
        }
    }
}

/// The first numbers of a pixel, and on to the next one.
#[inline(always)]
fn taken<O: BitOps<f32>>(ops: O, numbers: &mut &[f32], channels: usize) -> O::Simd {
    let first = ops.load(numbers);
    *numbers = numbers.get(channels..).unwrap_or_default();
    first
}
