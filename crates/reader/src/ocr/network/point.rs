//! Layers that make each pixel's channels from all channels of the same pixel, with numbers or with small integers.

use super::curves::Curve;
use super::whole::{Rounded, Scaled};
use rten_gemm::{BiasVector, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_simd::SimdOp as _;
use rten_tensor::NdTensorView;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// Multiplies pixels with weights; which instructions that takes is found out once.
#[derive(Default)]
pub(super) struct Gemm {
    floats: GemmExecutor<f32, f32, f32>,
    bytes: GemmExecutor<u8, i8, i32>,
}

/// The weights of a layer.
pub(super) enum Weights {
    Floats(PackedBMatrix<f32>),
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

/// Weights as they are multiplied with.
pub(super) struct Packed(PackedBMatrix<f32>);

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
    pub(super) from: Vec<f32>,
    pub(super) to: Vec<f32>,
    rounded: Rounded,
    products: Vec<i32>,
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
    pub(super) fn floats(&self, weights: &[f32], inputs: usize, outputs: usize) -> Weights {
        Weights::Floats(self.floats.prepack_b(NdTensorView::from_data([inputs, outputs], weights)))
    }

    /// The same, not yet of a layer.
    pub(super) fn packed(&self, weights: &[f32], inputs: usize, outputs: usize) -> Packed {
        Packed(self.floats.prepack_b(NdTensorView::from_data([inputs, outputs], weights)))
    }

    /// Adds products: of a row of so many windows of so many numbers, each a step after the other, with weights.
    pub(super) fn add_products(
        &self,
        row: &[f32],
        (count, inputs, step): (usize, usize, usize),
        weights: &Packed,
        out: &mut [f32],
    ) -> Option<()> {
        let windows = NdTensorView::from_slice_with_strides([count, inputs], row, [step, 1]).ok()?;
        let options = GemmOptions { beta: 1.0, ..GemmOptions::default() };
        self.floats.gemm(out, GemmInputA::Unpacked(windows), GemmInputB::Packed(&weights.0), options).ok()
    }

    /// The same for whole numbers.
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
    /// What comes out for some pixels; `adds` when it is added to what is there already.
    pub(super) fn run(
        &self,
        gemm: &Gemm,
        pixels: &[f32],
        out: &mut [f32],
        adds: bool,
        room: &mut Room,
    ) -> Option<()> {
        let count = pixels.len() / self.inputs;
        match &self.weights {
            Weights::Floats(weights) => {
                let pixels = NdTensorView::from_data([count, self.inputs], pixels);
                let options = GemmOptions {
                    beta: if adds { 1.0 } else { 0.0 },
                    bias: Some(BiasVector::Row(&self.bias)),
                    ..GemmOptions::default()
                };
                let (a, b) = (GemmInputA::Unpacked(pixels), GemmInputB::Packed(weights));
                gemm.floats.gemm(out, a, b, options).ok()?;
            }
            Weights::Bytes(Whole { packed, steps, sums }) => {
                room.rounded.take(pixels, self.inputs);
                room.products.resize(count * self.outputs, 0);
                let pixels = NdTensorView::from_data([count, self.inputs], room.rounded.bytes.as_slice());
                let (a, b) = (GemmInputA::Unpacked(pixels), GemmInputB::Packed(packed));
                gemm.bytes.gemm(&mut room.products, a, b, GemmOptions::default()).ok()?;
                let (products, rounded) = (&room.products, &room.rounded);
                Scaled { products, rounded, steps, sums, bias: &self.bias, adds, out }.dispatch();
            }
        }
        self.curve.apply(out);
        Some(())
    }
}
