//! The curves through which numbers go between layers, and other work on each number by itself.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp, SimdUnaryOp};
use rten_vecmath::Sigmoid;

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
            Curve::Gelu => Gelu.map_mut(values),
            Curve::Sigmoid => Sigmoid {}.map_mut(values),
            Curve::HardSigmoid(slope, height) => {
                EachSimply { values, rule: |value: f32| (slope * value + height).clamp(0.0, 1.0) }.dispatch();
            }
        }
    }
}

/// A number times the share of all numbers, spread normally, that are less: a polynomial within 0.00003 of it, without the
/// power and the division of the error function, for layers give this curve a tenth of their time.
#[derive(Default)]
pub(super) struct Gelu;

impl Gelu {
    /// Beyond this, in both directions, the share is all or nothing.
    const REACH: f32 = 4.4;
    /// For each even power, from the highest down, its weight in the share's distance from a half, divided by the number.
    const POWERS: [f32; 9] = [
        3.572_289e-11,
        -3.756_337_6e-9,
        1.741_604e-7,
        -4.726_203_2e-6,
        8.430_656e-5,
        -1.055_071_6e-3,
        9.643_28e-3,
        -6.607_681e-2,
        3.987_618e-1,
    ];
}

impl SimdUnaryOp<f32> for Gelu {
    #[inline(always)]
    fn eval<I: Isa>(&self, isa: I, number: I::F32) -> I::F32 {
        let ops = isa.f32();
        let within = ops.clamp(number, ops.splat(-Gelu::REACH), ops.splat(Gelu::REACH));
        let squared = ops.mul(within, within);
        let [highest, others @ ..] = Gelu::POWERS;
        let mut sum = ops.splat(highest);
        for power in others {
            sum = ops.mul_add(sum, squared, ops.splat(power));
        }
        ops.mul(number, ops.mul_add(sum, within, ops.splat(0.5)))
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
    pub(super) values: &'v [f32],
    pub(super) others: &'v [f32],
    pub(super) rule: F,
    pub(super) out: &'v mut [f32],
}

impl<F: Fn(f32, f32) -> f32> SimdOp for Pairwise<'_, F> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        for (out, (value, other)) in self.out.iter_mut().zip(self.values.iter().zip(self.others)) {
            *out = (self.rule)(*value, *other);
        }
    }
}

/// The same where the numbers become what comes out.
pub(super) struct Onto<'v, F> {
    pub(super) values: &'v mut [f32],
    pub(super) others: &'v [f32],
    pub(super) rule: F,
}

impl<F: Fn(f32, f32) -> f32> SimdOp for Onto<'_, F> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        for (value, other) in self.values.iter_mut().zip(self.others) {
            *value = (self.rule)(*value, *other);
        }
    }
}

/// Adds numbers to others, or multiplies them, with one set of numbers for every pixel.
pub(super) struct Everywhere<'v, F> {
    pub(super) pixels: &'v [f32],
    pub(super) each: &'v [f32],
    pub(super) rule: F,
    pub(super) out: &'v mut [f32],
}

impl<F: Fn(f32, f32) -> f32> SimdOp for Everywhere<'_, F> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, _: I) {
        let channels = self.each.len();
        for (pixel, out) in self.pixels.chunks_exact(channels).zip(self.out.chunks_exact_mut(channels)) {
            for (out, (value, other)) in out.iter_mut().zip(pixel.iter().zip(self.each)) {
                *out = (self.rule)(*value, *other);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polynomial_follows_the_curve_everywhere() {
        let exact = rten_vecmath::Gelu {};
        for step in -4000..4000 {
            let number = step as f32 / 200.0;
            let off = (Gelu.scalar_eval(number) - exact.scalar_eval(number)).abs();
            assert!(off < 5e-5, "{off} at {number}");
        }
    }
}
