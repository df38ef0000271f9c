//! Products of rows of numbers with weights, many columns of a few rows at a time: their sums stay in registers.
//!
//! That of `rten-gemm` takes 32 columns at a time, and layers here have 12, 24 or a multiple of 48.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};
use std::ops::Range;

/// Columns of the widest panel: three vectors of the widest instructions.
const WIDE: usize = 48;
const MIDDLE: usize = 32;
const NARROW: usize = 16;

/// Weights by channels in and channels out, laid out as they are multiplied with.
pub(super) struct Table {
    /// Channels that come out.
    pub(super) outputs: usize,
    panels: Vec<Panel>,
}

/// Some columns of weights, row by row; what is beyond the last column is zero.
enum Panel {
    Wide(Vec<[f32; WIDE]>),
    Middle(Vec<[f32; MIDDLE]>),
    Narrow(Vec<[f32; NARROW]>),
}

impl Table {
    /// `weights` row by row, a row for each channel that goes in.
    pub(super) fn of(weights: &[f32], outputs: usize) -> Table {
        let starts = (0..outputs).step_by(WIDE);
        let panels = starts.map(|start| match (outputs - start).div_ceil(NARROW) {
            1 => Panel::Narrow(columns(weights, outputs, start)),
            2 => Panel::Middle(columns(weights, outputs, start)),
            _ => Panel::Wide(columns(weights, outputs, start)),
        });
        Table { outputs, panels: panels.collect() }
    }
}

fn columns<const WIDTH: usize>(weights: &[f32], outputs: usize, start: usize) -> Vec<[f32; WIDTH]> {
    let row = |row: &[f32]| match row[start..].first_chunk() {
        Some(whole) => *whole,
        None => std::array::from_fn(|at| row.get(start + at).copied().unwrap_or(0.0)),
    };
    weights.chunks_exact(outputs).map(row).collect()
}

/// Multiplies rows with a table.
pub(super) struct Product<'p> {
    pub(super) table: &'p Table,
    /// Numbers that rows begin in, and the row of the table with which the first of each is multiplied. A row goes on
    /// from one of these to the next.
    pub(super) parts: &'p [(&'p [f32], usize)],
    /// How many numbers of a row lie in each.
    pub(super) length: usize,
    /// How far it is from one row to the next.
    pub(super) step: usize,
    /// What is added to each row that comes out.
    pub(super) bias: &'p [f32],
    /// What is added to all that comes out.
    pub(super) beside: Option<&'p [f32]>,
    pub(super) out: &'p mut [f32],
}

impl SimdOp for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(mut self, isa: I) {
        for (index, panel) in self.table.panels.iter().enumerate() {
            match panel {
                Panel::Wide(weights) => self.panel(isa, weights, index * WIDE),
                Panel::Middle(weights) => self.panel(isa, weights, index * WIDE),
                Panel::Narrow(weights) => self.panel(isa, weights, index * WIDE),
            }
        }
    }
}

impl Product<'_> {
    /// As many sums at a time as there are registers for.
    #[inline(always)]
    fn panel<I: Isa, const WIDTH: usize>(&mut self, isa: I, weights: &[[f32; WIDTH]], column: usize) {
        let vector = isa.f32().len();
        let together = if vector >= NARROW { WIDTH } else { NARROW };
        for first in (0..WIDTH).step_by(together) {
            match together / vector {
                3 => self.rows::<I, WIDTH, 8, 3>(isa, weights, first, column),
                2 => self.rows::<I, WIDTH, 6, 2>(isa, weights, first, column),
                4 => self.rows::<I, WIDTH, 6, 4>(isa, weights, first, column),
                _ => (first..first + together)
                    .step_by(vector)
                    .for_each(|first| self.rows::<I, WIDTH, 8, 1>(isa, weights, first, column)),
            }
        }
    }

    #[inline(always)]
    fn rows<I: Isa, const WIDTH: usize, const ROWS: usize, const VECTORS: usize>(
        &mut self,
        isa: I,
        weights: &[[f32; WIDTH]],
        first: usize,
        column: usize,
    ) {
        let count = self.out.len() / self.table.outputs.max(1);
        let whole = count / ROWS * ROWS;
        for y in (0..whole).step_by(ROWS) {
            self.block::<I, WIDTH, ROWS, VECTORS>(isa, weights, first, column, y..y + ROWS);
        }
        // A block has all its rows: where these end before it does, it begins among those that are done.
        if whole > 0 && whole < count {
            self.block::<I, WIDTH, ROWS, VECTORS>(isa, weights, first, column, whole..count);
        } else {
            for y in whole..count {
                self.block::<I, WIDTH, 1, VECTORS>(isa, weights, first, column, y..y + 1);
            }
        }
    }

    /// Makes the rows that are wanted, which are the last of a block.
    #[inline(always)]
    fn block<I: Isa, const WIDTH: usize, const ROWS: usize, const VECTORS: usize>(
        &mut self,
        isa: I,
        weights: &[[f32; WIDTH]],
        first: usize,
        column: usize,
        wanted: Range<usize>,
    ) {
        let (ops, length, y) = (isa.f32(), self.length, wanted.end - ROWS);
        let mut sums = [[ops.zero(); VECTORS]; ROWS];
        for (numbers, start) in self.parts {
            // All that a row's place depends on stands outside the loop that multiplies, or it is asked for each number.
            let rows: [&[f32]; ROWS] =
                std::array::from_fn(|row| &numbers[(y + row) * self.step..(y + row) * self.step + length]);
            for (at, weights) in weights[*start..*start + length].iter().enumerate() {
                let weights = ops.load_many::<VECTORS>(&weights[first..first + VECTORS * ops.len()]);
                for row in 0..ROWS {
                    let value = ops.splat(rows[row][at]);
                    for vector in 0..VECTORS {
                        sums[row][vector] = ops.mul_add(value, weights[vector], sums[row][vector]);
                    }
                }
            }
        }
        let outputs = self.table.outputs;
        for row in 0..ROWS {
            if y + row < wanted.start {
                continue;
            }
            let out = &mut self.out[(y + row) * outputs..(y + row + 1) * outputs];
            for vector in 0..VECTORS {
                let start = column + first + vector * ops.len();
                let end = (start + ops.len()).min(outputs);
                if start >= end {
                    break;
                }
                let mut sum = ops.add(sums[row][vector], ops.load_pad(&self.bias[start..end]).0);
                if let Some(beside) = self.beside {
                    let row = &beside[(y + row) * outputs..(y + row + 1) * outputs];
                    sum = ops.add(sum, ops.load_pad(&row[start..end]).0);
                }
                if end - start == ops.len() {
                    ops.store(sum, &mut out[start..end]);
                } else {
                    let sums = rten_simd::Simd::to_array(sum);
                    out[start..end].iter_mut().zip(sums).for_each(|(out, sum)| *out = sum);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_multiplied_whatever_their_number_and_the_columns() {
        let number = |seed: usize| ((seed * 7919 + 13) % 101) as f32 / 50.0 - 1.0;
        for (count, inputs, outputs) in [(1, 1, 1), (7, 5, 12), (8, 9, 24), (19, 24, 48), (13, 7, 100)] {
            let numbers: Vec<f32> = (0..count * inputs).map(number).collect();
            let weights: Vec<f32> = (0..inputs * outputs).map(|seed| number(seed + 3)).collect();
            let bias: Vec<f32> = (0..outputs).map(|seed| number(seed + 5)).collect();
            let table = Table::of(&weights, outputs);
            let half = vec![0.5; count * outputs];
            for beside in [None, Some(half.as_slice())] {
                let mut out = vec![9.0; count * outputs];
                let parts = [(numbers.as_slice(), 0)];
                Product {
                    table: &table,
                    parts: &parts,
                    length: inputs,
                    step: inputs,
                    bias: &bias,
                    beside,
                    out: &mut out,
                }
                .dispatch();
                for (at, value) in out.iter().enumerate() {
                    let (row, column) = (at / outputs, at % outputs);
                    let products =
                        (0..inputs).map(|k| numbers[row * inputs + k] * weights[k * outputs + column]);
                    let expected =
                        products.sum::<f32>() + bias[column] + if beside.is_some() { 0.5 } else { 0.0 };
                    assert!((value - expected).abs() < 1e-4, "{value} for {expected} at {row}, {column}");
                }
            }
        }
    }

    #[test]
    fn a_row_goes_on_in_the_next_part() {
        let table = Table::of(&[1.0, 10.0, 100.0, 1000.0], 1);
        let mut out = [0.0; 2];
        // Rows overlap, as those of windows do.
        let parts = [([1.0, 2.0, 3.0].as_slice(), 0), ([4.0, 5.0, 6.0].as_slice(), 2)];
        Product {
            table: &table,
            parts: &parts,
            length: 2,
            step: 1,
            bias: &[0.5],
            beside: None,
            out: &mut out,
        }
        .dispatch();
        assert_eq!(out, [5421.5, 6532.5]);
    }
}
