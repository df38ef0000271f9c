//! Numbers as whole ones of eight bits and back. Every pixel has a scale of its own, so that what one line of writing
//! becomes does not depend on those that are read with it.

use rten_simd::ops::{BitOps, FloatOps, NarrowSaturate, NumOps};
use rten_simd::{Isa, Simd, SimdOp};

/// Pixels in whole numbers.
#[derive(Default)]
pub(super) struct Rounded {
    pub(super) bytes: Vec<u8>,
    /// What stands for zero, for each pixel.
    pub(super) zeros: Vec<u8>,
    /// What one stands for, for each pixel.
    pub(super) steps: Vec<f32>,
}

impl Rounded {
    /// Takes pixels of so many channels.
    pub(super) fn take(&mut self, pixels: &[f32], channels: usize) {
        let count = pixels.len() / channels;
        self.bytes.resize(count * channels, 0);
        self.zeros.resize(count, 0);
        self.steps.resize(count, 0.0);
        Rounding { pixels, channels, to: self }.dispatch();
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
        let scales = self.to.zeros.iter_mut().zip(&mut self.to.steps);
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
            let low =
                low.to_array().into_iter().fold(0.0f32, |low, value| if value < low { value } else { low });
            let high = high
                .to_array()
                .into_iter()
                .fold(0.0f32, |high, value| if value > high { value } else { high });
            let width = (high - low).max(f32::MIN_POSITIVE);
            let scale = TOP / width;
            let middle = (-low * scale + 0.5) as u8;
            *zero = middle;
            *step = width / TOP;
            round(isa, pixel, bytes, scale, middle);
        }
    }
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
    /// Whether they are added to what is there.
    pub(super) adds: bool,
    pub(super) out: &'s mut [f32],
}

impl SimdOp for Scaled<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        let channels = self.bias.len();
        let pixels = self.rounded.steps.iter().zip(&self.rounded.zeros);
        let products = self.products.chunks_exact(channels).zip(self.out.chunks_exact_mut(channels));
        for ((pixel_step, zero), (products, out)) in pixels.zip(products) {
            let (steps, sums, bias) =
                (&self.steps[..channels], &self.sums[..channels], &self.bias[..channels]);
            let above = pixel_step * f32::from(*zero);
            let value = |channel: usize| {
                let product = products[channel] as f32 * (pixel_step * steps[channel]);
                product - above * sums[channel] + bias[channel]
            };
            if self.adds {
                (0..channels).for_each(|channel| out[channel] += value(channel));
            } else {
                (0..channels).for_each(|channel| out[channel] = value(channel));
            }
        }
    }
}
