//! The curves through which numbers go between layers, and other work on each number by itself.

use rten_simd::{Isa, SimdOp, SimdUnaryOp};
use rten_vecmath::{Gelu, Sigmoid};

/// A curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Curve {
    /// None: each number stays.
    #[default]
    Straight,
    Relu,
    Gelu,
    Sigmoid,
    /// A slope and a height at zero, held between 0 and 1.
    HardSigmoid(f32, f32),
}

impl Curve {
    pub(super) fn apply(self, values: &mut [f32]) {
        match self {
            Curve::Straight => {}
            Curve::Relu => EachSimply { values, rule: |value: f32| value.max(0.0) }.dispatch(),
            Curve::Gelu => Gelu {}.map_mut(values),
            Curve::Sigmoid => Sigmoid {}.map_mut(values),
            Curve::HardSigmoid(slope, height) => {
                EachSimply { values, rule: |value: f32| (slope * value + height).clamp(0.0, 1.0) }.dispatch();
            }
        }
    }
}

/// A rule for each number that the compiler can turn into instructions for many.
struct EachSimply<'v, F> {
    values: &'v mut [f32],
    rule: F,
}

impl<F: Fn(f32) -> f32> SimdOp for EachSimply<'_, F> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        for value in self.values {
            *value = (self.rule)(*value);
        }
    }
}

/// Adds numbers to others, or multiplies them, one by one.
pub(super) struct Pairwise<'v, F> {
    pub(super) values: &'v mut [f32],
    pub(super) others: &'v [f32],
    pub(super) rule: F,
}

impl<F: Fn(f32, f32) -> f32> SimdOp for Pairwise<'_, F> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        for (value, other) in self.values.iter_mut().zip(self.others) {
            *value = (self.rule)(*value, *other);
        }
    }
}

/// The same with one set of numbers for every pixel.
pub(super) struct Everywhere<'v, F> {
    pub(super) pixels: &'v mut [f32],
    pub(super) each: &'v [f32],
    pub(super) rule: F,
}

impl<F: Fn(f32, f32) -> f32> SimdOp for Everywhere<'_, F> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        for pixel in self.pixels.chunks_exact_mut(self.each.len()) {
            for (value, other) in pixel.iter_mut().zip(self.each) {
                *value = (self.rule)(*value, *other);
            }
        }
    }
}

/// The sum of all pixels, channel by channel.
pub(super) struct Sums<'v> {
    pub(super) pixels: &'v [f32],
    pub(super) sums: &'v mut [f32],
}

impl SimdOp for Sums<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        for pixel in self.pixels.chunks_exact(self.sums.len()) {
            for (sum, value) in self.sums.iter_mut().zip(pixel) {
                *sum += value;
            }
        }
    }
}
