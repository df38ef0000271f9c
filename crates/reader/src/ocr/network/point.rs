//! Layers that make each pixel's channels from all channels of the same pixel, with numbers or with small integers.

use super::curves::Curve;
use super::maps::Kept;
use super::product::{Product, Table};
use super::whole::{Between, Rounded, Scaled};
use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_simd::SimdOp as _;
use rten_tensor::NdTensorView;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// Multiplies pixels with weights in whole numbers; which instructions that takes is found out once.
#[derive(Default)]
pub(super) struct Gemm {
    bytes: GemmExecutor<u8, i8, i32>,
}

/// The weights of a layer.
pub(super) enum Weights {
    Floats(Table),
    Bytes(Whole),
}

/// Weights in whole numbers.
pub(super) struct Whole {
    packed: PackedBMatrix<i8>,
    /// For each channel that comes out, what one of them stands for.
    steps: Vec<f32>,
    /// For each of these, what all of its weights come to.
    sums: Vec<f32>,
}

/// A layer.
pub(super) struct Point {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) weights: Weights,
    pub(super) bias: Vec<f32>,
    pub(super) curve: Curve,
}

/// Room to work in, which layer after layer can use.
#[derive(Default)]
pub(super) struct Room {
    pub(super) from: Kept<f32>,
    pub(super) to: Kept<f32>,
    rounded: Rounded,
    /// The same after the next layer.
    next: Rounded,
    products: Kept<i32>,
    pixel: Kept<f32>,
}

/// The pixels that a layer is given.
#[derive(Clone, Copy)]
pub(super) enum Pixels<'p> {
    Numbers(&'p [f32]),
    /// What the layer before left in the room, in whole numbers.
    Left,
}

thread_local! {
    static ROOM: Cell<Option<Box<Room>>> = const { Cell::new(None) };
}

/// The room of this thread, which is given back when it is no longer needed.
pub(super) struct Taken(Box<Room>);

impl Room {
    pub(super) fn taken() -> Taken {
        Taken(ROOM.take().unwrap_or_default())
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        ROOM.set(Some(std::mem::take(&mut self.0)));
    }
}

impl Deref for Taken {
    type Target = Room;

    fn deref(&self) -> &Room {
        &self.0
    }
}

impl DerefMut for Taken {
    fn deref_mut(&mut self) -> &mut Room {
        &mut self.0
    }
}

impl Gemm {
    /// Weights by channels in and channels out.
    pub(super) fn bytes(&self, weights: &[i8], inputs: usize, outputs: usize, steps: Vec<f32>) -> Weights {
        let mut sums = vec![0.0; outputs];
        for row in weights.chunks_exact(outputs) {
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += f32::from(*weight));
        }
        sums.iter_mut().zip(&steps).for_each(|(sum, step)| *sum *= step);
        let packed = self.bytes.prepack_b(NdTensorView::from_data([inputs, outputs], weights));
        Weights::Bytes(Whole { packed, steps, sums })
    }
}

impl Point {
    /// What comes out for some pixels; `beside` is added to it.
    pub(super) fn run(
        &self,
        gemm: &Gemm,
        pixels: Pixels,
        out: &mut [f32],
        beside: Option<&[f32]>,
        room: &mut Room,
    ) -> Option<()> {
        match (&self.weights, pixels) {
            (Weights::Floats(table), Pixels::Numbers(pixels)) => {
                let (parts, length) = ([(pixels, 0)], self.inputs);
                Product { table, parts: &parts, length, step: length, bias: &self.bias, beside, out }
                    .dispatch();
            }
            (Weights::Floats(_), Pixels::Left) => return None,
            (Weights::Bytes(whole @ Whole { steps, sums, .. }), pixels) => {
                self.multiply(gemm, whole, pixels, room)?;
                let (products, rounded) = (&room.products, &room.rounded);
                Scaled { products, rounded, steps, sums, bias: &self.bias, beside, out }.dispatch();
            }
        }
        self.curve.apply(out);
        Some(())
    }

    /// True when what comes out can be left in whole numbers for the next layer.
    pub(super) fn leaves(&self, next: &Point) -> bool {
        let are_whole = [self, next].iter().all(|layer| matches!(layer.weights, Weights::Bytes(_)));
        are_whole && self.curve == Curve::Gelu
    }

    /// Leaves in the room what comes out.
    pub(super) fn leave(&self, gemm: &Gemm, pixels: Pixels, room: &mut Room) -> Option<()> {
        let Weights::Bytes(whole @ Whole { steps, sums, .. }) = &self.weights else { return None };
        self.multiply(gemm, whole, pixels, room)?;
        let Room { rounded, next, products, pixel, .. } = &mut *room;
        Between { products, rounded, steps, sums, bias: &self.bias, pixel, to: next }.gelu();
        std::mem::swap(rounded, next);
        Some(())
    }

    /// Sums of products of whole numbers, which the room then has.
    fn multiply(&self, gemm: &Gemm, weights: &Whole, pixels: Pixels, room: &mut Room) -> Option<()> {
        if let Pixels::Numbers(pixels) = pixels {
            room.rounded.take(pixels, self.inputs);
        }
        let count = room.rounded.steps.len();
        room.products.resize(count * self.outputs);
        let pixels = NdTensorView::from_data([count, self.inputs], &*room.rounded.bytes);
        let (a, b) = (GemmInputA::Unpacked(pixels), GemmInputB::Packed(&weights.packed));
        gemm.bytes.gemm(&mut room.products, a, b, GemmOptions::default()).ok()
    }
}
