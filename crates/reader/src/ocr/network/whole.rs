//! Numbers as whole ones of eight bits and back. Every pixel has a scale of its own, so that what one line of writing
//! becomes does not depend on those that are read with it.

use super::curves::Gelu;
use super::maps::Kept;
use rten_simd::ops::{BitOps, FloatOps, NarrowSaturate, NumOps, ToFloat};
use rten_simd::{Isa, Simd, SimdOp, SimdUnaryOp};
use std::ops::IndexMut;

/// Pixels in whole numbers.
#[derive(Default)]
pub(super) struct Rounded {
    pub(super) bytes: Kept<u8>,
    /// What stands for zero, for each pixel.
    pub(super) zeros: Kept<u8>,
    /// What one stands for, for each pixel.
    pub(super) steps: Kept<f32>,
}

impl Rounded {
    /// Takes pixels of so many channels.
    pub(super) fn take(&mut self, pixels: &[f32], channels: usize) {
        self.resize(pixels.len() / channels, channels);
        Rounding { pixels, channels, to: self }.dispatch();
    }

    fn resize(&mut self, count: usize, channels: usize) {
        self.bytes.resize(count * channels);
        self.zeros.resize(count);
        self.steps.resize(count);
    }
}

struct Rounding<'r> {
    pixels: &'r [f32],
    channels: usize,
    to: &'r mut Rounded,
}

const TOP: f32 = 255.0;

impl SimdOp for Rounding<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let ops = isa.f32();
        let pixels = self.pixels.chunks_exact(self.channels);
        let bytes = self.to.bytes.chunks_exact_mut(self.channels);
        let scales = self.to.zeros.iter_mut().zip(self.to.steps.iter_mut());
        for ((pixel, bytes), (zero, step)) in pixels.zip(bytes).zip(scales) {
            // Zero is always within, as it must have a number of its own.
            let (mut low, mut high) = (ops.zero(), ops.zero());
            let mut vectors = pixel.chunks_exact(ops.len());
            for vector in vectors.by_ref() {
                let values = ops.load(vector);
                (low, high) = (ops.min(low, values), ops.max(high, values));
            }
            let (values, _) = ops.load_pad(vectors.remainder());
            (low, high) = (ops.min(low, values), ops.max(high, values));
            let scale = scale_of::<I>(low, high, zero, step);
            round(isa, pixel, bytes, scale, *zero);
        }
    }
}

/// What a pixel's numbers are multiplied with to become whole ones, when these are its lowest and highest by turns.
#[inline(always)]
fn scale_of<I: Isa>(low: I::F32, high: I::F32, zero: &mut u8, step: &mut f32) -> f32 {
    let low = halved(low.to_array(), |one, other| if other < one { other } else { one });
    let high = halved(high.to_array(), |one, other| if other > one { other } else { one });
    let width = (high - low).max(f32::MIN_POSITIVE);
    let scale = TOP / width;
    *zero = (-low * scale + 0.5) as u8;
    *step = width / TOP;
    scale
}

/// What all numbers of a vector come to by a rule for two, half of them at a time: one after the other would wait for each.
#[inline(always)]
fn halved<A: AsRef<[f32]> + IndexMut<usize, Output = f32>>(
    mut numbers: A,
    rule: impl Fn(f32, f32) -> f32,
) -> f32 {
    let mut half = numbers.as_ref().len() / 2;
    while half > 0 {
        for at in 0..half {
            numbers[at] = rule(numbers[at], numbers[at + half]);
        }
        half /= 2;
    }
    numbers[0]
}

/// Writes a pixel's numbers as whole ones.
#[inline(always)]
fn round<I: Isa>(isa: I, pixel: &[f32], bytes: &mut [u8], scale: f32, middle: u8) {
    let (ops, whole) = (isa.f32(), isa.i32());
    let (scales, middles) = (ops.splat(scale), whole.splat(i32::from(middle)));
    let (mut values, mut rounded) =
        (pixel.chunks_exact(4 * ops.len()), bytes.chunks_exact_mut(4 * ops.len()));
    for (values, bytes) in values.by_ref().zip(rounded.by_ref()) {
        let each = ops.load_many::<4>(values).map(
            #[inline(always)]
            |value| whole.add(ops.to_int_round(ops.mul(value, scales)), middles),
        );
        let (first, second) =
            (whole.narrow_saturate(each[0], each[1]), whole.narrow_saturate(each[2], each[3]));
        isa.u8().store(isa.i16().narrow_saturate(first, second), bytes);
    }
    for (value, byte) in values.remainder().iter().zip(rounded.into_remainder()) {
        *byte = ((value * scale).round_ties_even() + f32::from(middle)) as u8;
    }
}

/// Sums of products of whole numbers as the numbers that they stand for.
pub(super) struct Scaled<'s> {
    pub(super) products: &'s [i32],
    pub(super) rounded: &'s Rounded,
    /// What one of a channel's weights stands for.
    pub(super) steps: &'s [f32],
    /// What all of a channel's weights come to: it is added once too often for each that a pixel's zero is above zero.
    pub(super) sums: &'s [f32],
    pub(super) bias: &'s [f32],
    /// What is added to them.
    pub(super) beside: Option<&'s [f32]>,
    pub(super) out: &'s mut [f32],
}

impl SimdOp for Scaled<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let (ops, whole, channels) = (isa.f32(), isa.i32(), self.bias.len());
        let (size, last) = (ops.len(), channels / ops.len() * ops.len());
        let pixels = self.rounded.steps.iter().zip(self.rounded.zeros.iter());
        let products = self.products.chunks_exact(channels).zip(self.out.chunks_exact_mut(channels));
        for (index, ((pixel_step, zero), (products, out))) in pixels.zip(products).enumerate() {
            let beside = self.beside.map(|beside| &beside[index * channels..(index + 1) * channels]);
            let above = pixel_step * f32::from(*zero);
            let (by, aboves) = (ops.splat(*pixel_step), ops.splat(above));
            let tables = self.steps.chunks_exact(size).zip(self.sums.chunks_exact(size));
            let tables = tables.zip(self.bias.chunks_exact(size)).enumerate();
            let vectors = products.chunks_exact(size).zip(out.chunks_exact_mut(size));
            for ((products, out), (at, ((steps, sums), bias))) in vectors.zip(tables) {
                let product = whole.to_float(whole.load(products));
                let product = ops.mul(product, ops.mul(by, ops.load(steps)));
                let value = ops.sub(product, ops.mul(aboves, ops.load(sums)));
                let value = ops.add(value, ops.load(bias));
                let beside = beside.map(|beside| ops.load(&beside[at * size..(at + 1) * size]));
                ops.store(beside.map_or(value, |beside| ops.add(beside, value)), out);
            }
            (last..channels).for_each(|channel| {
                let product = products[channel] as f32 * (pixel_step * self.steps[channel]);
                let value = product - above * self.sums[channel] + self.bias[channel];
                out[channel] = beside.map_or(value, |beside| beside[channel] + value);
            });
        }
    }
}

/// The same through a curve and into whole numbers again, for a layer that takes these: a pixel's numbers in between never
/// leave the processor.
pub(super) struct Between<'b> {
    pub(super) products: &'b [i32],
    pub(super) rounded: &'b Rounded,
    pub(super) steps: &'b [f32],
    pub(super) sums: &'b [f32],
    pub(super) bias: &'b [f32],
    /// Room for the numbers of a pixel.
    pub(super) pixel: &'b mut Kept<f32>,
    pub(super) to: &'b mut Rounded,
}

impl Between<'_> {
    /// Through the curve that most layers here have.
    pub(super) fn gelu(self) {
        let channels = self.bias.len();
        self.to.resize(self.products.len() / channels, channels);
        self.pixel.resize(channels);
        self.dispatch();
    }
}

impl SimdOp for Between<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let (ops, whole, channels) = (isa.f32(), isa.i32(), self.bias.len());
        let from = self
            .rounded
            .steps
            .iter()
            .zip(self.rounded.zeros.iter())
            .zip(self.products.chunks_exact(channels));
        let scales = self.to.zeros.iter_mut().zip(self.to.steps.iter_mut());
        let to = self.to.bytes.chunks_exact_mut(channels).zip(scales);
        for (((pixel_step, pixel_zero), products), (bytes, (zero, step))) in from.zip(to) {
            let (by, above) = (ops.splat(*pixel_step), ops.splat(-pixel_step * f32::from(*pixel_zero)));
            let (mut low, mut high) = (ops.zero(), ops.zero());
            let (size, tables) = (ops.len(), self.steps.chunks_exact(ops.len()));
            let tables = tables.zip(self.sums.chunks_exact(size)).zip(self.bias.chunks_exact(size));
            let vectors = products.chunks_exact(size).zip(self.pixel.chunks_exact_mut(size));
            for ((products, to), ((steps, sums), bias)) in vectors.zip(tables) {
                let added = ops.mul_add(above, ops.load(sums), ops.load(bias));
                let product = whole.to_float(whole.load(products));
                let value = Gelu.eval(isa, ops.mul_add(product, ops.mul(by, ops.load(steps)), added));
                (low, high) = (ops.min(low, value), ops.max(high, value));
                ops.store(value, to);
            }
            let part = channels / size * size..channels;
            if !part.is_empty() {
                let number = |numbers: &[f32]| ops.load_pad(&numbers[part.clone()]).0;
                let added = ops.mul_add(above, number(self.sums), number(self.bias));
                let product = whole.to_float(whole.load_pad(&products[part.clone()]).0);
                let value = ops.mul_add(product, ops.mul(by, number(self.steps)), added);
                let value = Gelu.eval(isa, value);
                (low, high) = (ops.min(low, value), ops.max(high, value));
                self.pixel[part].iter_mut().zip(value.to_array()).for_each(|(to, value)| *to = value);
            }
            let scale = scale_of::<I>(low, high, zero, step);
            round(isa, self.pixel, bytes, scale, *zero);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ocr::network::curves::Curve;

    #[test]
    fn what_is_between_two_layers_is_the_same_in_one_go() {
        let (count, channels) = (5, 70);
        let number = |seed: usize| ((seed * 7919 + 13) % 101) as f32 / 50.0 - 1.0;
        let mut rounded = Rounded::default();
        rounded.take(&(0..count * 4).map(number).collect::<Vec<_>>(), 4);
        let products: Vec<i32> = (0..count * channels).map(|seed| (number(seed) * 9000.0) as i32).collect();
        let steps: Vec<f32> = (0..channels).map(|seed| 0.02 + 0.01 * number(seed)).collect();
        let sums: Vec<f32> = (0..channels).map(|seed| number(seed + 7)).collect();
        let bias: Vec<f32> = (0..channels).map(|seed| number(seed + 3)).collect();
        let mut out = vec![0.0; count * channels];
        let (products, steps, sums, bias) = (&products, &steps, &sums, &bias);
        Scaled { products, rounded: &rounded, steps, sums, bias, beside: None, out: &mut out }.dispatch();
        Curve::Gelu.apply(&mut out);
        let mut one_by_one = Rounded::default();
        one_by_one.take(&out, channels);
        let (mut pixel, mut at_once) = (Kept::default(), Rounded::default());
        Between { products, rounded: &rounded, steps, sums, bias, pixel: &mut pixel, to: &mut at_once }
            .gelu();
        for (one, other) in at_once.bytes.iter().zip(one_by_one.bytes.iter()) {
            assert!(one.abs_diff(*other) <= 1, "{one} for {other}");
        }
        for (one, other) in at_once.steps.iter().zip(one_by_one.steps.iter()) {
            assert!((one - other).abs() < 1e-5 * other, "{one} for {other}");
        }
    }
}
