//! The last layer of the network that reads: how likely each class of the alphabet is at each step of a line.
//!
//! An alphabet of all scripts has thousands of classes, of which a line needs the likeliest. These are found while their
//! numbers are at hand: written down for all steps, they fill a hundred times as much memory as all that comes before.

use super::onnx::Graph;
use super::product::{Product, Table};
use rayon::prelude::*;
use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, Simd, SimdOp, SimdUnaryOp};
use rten_vecmath::Exp;

/// Kinds of classes, of which each has its likeliest.
pub(in super::super) const KINDS: usize = 3;
/// Classes whose numbers are made at a time: those of all steps of a line stay near the processor.
const AT_ONCE: usize = 192;
/// Sums that are further below the peak than this add nothing: the powers of twenty thousand such come to less than the
/// last digit of the peak's.
const FAR_BELOW: f32 = 27.0;

/// A class and how likely it is, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in super::super) struct Likely {
    pub(in super::super) class: usize,
    pub(in super::super) likelihood: f32,
}

/// The likeliest class of each kind at a step; of a kind without any it is class 0, which is not likely at all.
pub(in super::super) type Step = [Likely; KINDS];

/// The layer.
pub(super) struct Ending {
    inputs: usize,
    parts: Vec<Part>,
}

/// Some classes of one kind.
struct Part {
    kind: usize,
    classes: Vec<usize>,
    weights: Table,
    bias: Vec<f32>,
}

/// How many operators the layer does the work of.
pub(super) const NODES: usize = 3;

impl Ending {
    /// The layer with which a network ends, and the name of the value that it is given; `kinds` says of each class which
    /// it is of. `None` when the network ends in another way.
    pub(super) fn of<'m>(graph: &Graph<'m>, kinds: &[usize]) -> Option<(Ending, &'m str)> {
        /// Which of a line, its steps and their classes are to come to one: the last, also counted from the end.
        const LAST: [u64; 2] = [2, u64::MAX];
        let [.., product, add, softmax] = graph.nodes.as_slice() else { return None };
        let (&[input, weights], &[sums, bias]) = (product.inputs.as_slice(), add.inputs.as_slice()) else {
            return None;
        };
        let is_known = [product, add, softmax].map(|node| node.operator) == ["MatMul", "Add", "Softmax"]
            && sums == product.output()
            && softmax.inputs == [add.output()]
            && softmax.output() == graph.output
            && softmax.integer("axis").is_some_and(|axis| LAST.contains(&axis));
        let (weights, bias) = (graph.tables.get(weights)?, graph.tables.get(bias)?);
        let &[inputs, classes] = weights.dims.as_slice() else { return None };
        let is_whole = is_known
            && bias.dims == [classes]
            && kinds.len() == classes
            && kinds.iter().all(|kind| *kind < KINDS)
            && inputs > 0;
        let ending = is_whole.then_some(Ending::from_tables(&weights.floats()?, &bias.floats()?, kinds))?;
        Some((ending, input))
    }

    fn from_tables(weights: &[f32], bias: &[f32], kinds: &[usize]) -> Ending {
        let (inputs, mut parts) = (weights.len() / kinds.len().max(1), Vec::new());
        for kind in 0..KINDS {
            let own: Vec<usize> = (0..kinds.len()).filter(|class| kinds[*class] == kind).collect();
            for classes in own.chunks(AT_ONCE) {
                let mut rows = Vec::with_capacity(inputs * classes.len());
                for row in weights.chunks_exact(kinds.len()) {
                    rows.extend(classes.iter().map(|class| row[*class]));
                }
                let bias = classes.iter().map(|class| bias[*class]).collect();
                let weights = Table::of(&rows, classes.len());
                parts.push(Part { kind, weights, bias, classes: classes.to_vec() });
            }
        }
        Ending { inputs, parts }
    }

    /// The likeliest classes at each step.
    pub(super) fn steps(&self, values: &[f32]) -> Vec<Step> {
        let count = values.len() / self.inputs;
        let each = count.div_ceil(rayon::current_num_threads()).max(1);
        let pieces = values[..count * self.inputs].par_chunks(each * self.inputs);
        pieces.flat_map_iter(|values| self.likeliest(values)).collect()
    }

    fn likeliest(&self, values: &[f32]) -> Vec<Step> {
        let mut tallies = vec![Tally::default(); values.len() / self.inputs];
        let mut sums = Vec::new();
        for Part { kind, classes, weights, bias } in &self.parts {
            sums.resize(tallies.len() * classes.len(), 0.0);
            let (rows, length, out) = ([(values, 0)], self.inputs, sums.as_mut_slice());
            Product { table: weights, parts: &rows, length, step: length, bias, beside: None, out }
                .dispatch();
            Counting { tallies: &mut tallies, kind: *kind, classes, sums: &sums }.dispatch();
        }
        tallies.iter().map(Tally::step).collect()
    }
}

/// What is known of a step while its classes are gone through: how likely one is, all of them say together.
#[derive(Clone, Copy)]
struct Tally {
    /// The class of each kind with the highest sum, and this sum.
    highest: [(usize, f32); KINDS],
    /// The highest of all sums.
    peak: f32,
    /// What the powers of all sums come to, less the highest.
    powers: f32,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { highest: [(0, f32::NEG_INFINITY); KINDS], peak: f32::NEG_INFINITY, powers: 0.0 }
    }
}

/// Some classes of one kind are counted at all steps.
struct Counting<'c> {
    tallies: &'c mut [Tally],
    kind: usize,
    classes: &'c [usize],
    sums: &'c [f32],
}

impl SimdOp for Counting<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        for (tally, sums) in self.tallies.iter_mut().zip(self.sums.chunks_exact(self.classes.len())) {
            let highest = highest(isa, sums);
            if highest > tally.highest[self.kind].1
                && let Some(at) = sums.iter().position(|sum| *sum == highest)
            {
                tally.highest[self.kind] = (self.classes[at], highest);
            }
            if highest > tally.peak {
                tally.powers *= (tally.peak - highest).exp();
                tally.peak = highest;
            }
            if highest > tally.peak - FAR_BELOW {
                tally.powers += powers(isa, sums, tally.peak);
            }
        }
    }
}

#[inline(always)]
fn highest<I: Isa>(isa: I, sums: &[f32]) -> f32 {
    let ops = isa.f32();
    let mut most = ops.splat(f32::NEG_INFINITY);
    let mut vectors = sums.chunks_exact(ops.len());
    for vector in vectors.by_ref() {
        most = ops.max(most, ops.load(vector));
    }
    let last = vectors.remainder().iter().copied();
    most.to_array().into_iter().chain(last).fold(f32::NEG_INFINITY, f32::max)
}

/// What the powers of all come to, each less the peak.
#[inline(always)]
fn powers<I: Isa>(isa: I, sums: &[f32], peak: f32) -> f32 {
    let (ops, peaks) = (isa.f32(), isa.f32().splat(peak));
    let mut all = ops.zero();
    let mut vectors = sums.chunks_exact(ops.len());
    for vector in vectors.by_ref() {
        all = ops.add(all, Exp {}.eval(isa, ops.sub(ops.load(vector), peaks)));
    }
    let last: f32 = vectors.remainder().iter().map(|sum| (sum - peak).exp()).sum();
    all.to_array().into_iter().sum::<f32>() + last
}

impl Tally {
    fn step(&self) -> Step {
        let likely =
            |(class, sum): (usize, f32)| Likely { class, likelihood: (sum - self.peak).exp() / self.powers };
        self.highest.map(likely)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_likeliest_class() {
        let number = |seed: usize| ((seed * 7919 + 13) % 101) as f32 / 20.0 - 2.5;
        let (inputs, classes, count) = (5, 1100, 7);
        let kinds: Vec<usize> = (0..classes).map(|class| usize::from(class % 3 == 0)).collect();
        let weights: Vec<f32> = (0..inputs * classes).map(number).collect();
        let bias: Vec<f32> = (0..classes).map(|class| number(class + 5)).collect();
        let values: Vec<f32> = (0..count * inputs).map(|seed| number(seed * seed + 1)).collect();
        let steps = Ending::from_tables(&weights, &bias, &kinds).steps(&values);
        assert_eq!(steps.len(), count);
        for (values, step) in values.chunks_exact(inputs).zip(steps) {
            let sum = |class: usize| {
                let products =
                    values.iter().enumerate().map(|(at, value)| value * weights[at * classes + class]);
                f64::from(products.sum::<f32>() + bias[class]).exp()
            };
            let all: f64 = (0..classes).map(sum).sum();
            for kind in [0, 1] {
                let own = (0..classes).filter(|class| kinds[*class] == kind).map(sum);
                let highest = own.fold(0.0, f64::max) / all;
                let Likely { class, likelihood } = step[kind];
                assert_eq!(kinds[class], kind);
                assert!((sum(class) / all - highest).abs() < 1e-6, "{class}");
                assert!((f64::from(likelihood) - highest).abs() < 1e-5, "{likelihood} for {highest}");
            }
            assert_eq!(step[2], Likely::default(), "there is none of this kind");
        }
    }
}
