//! The network: 28 layers that read a text from left to right. Several texts that begin alike share their beginning.

use crate::Error;
use crate::adapters::{Adapters, Detour, RANK, VERDICTS};
use crate::gguf::{Header, Place};
use crate::quants::unround;
use rayon::prelude::*;
use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions};
use rten_tensor::NdTensorView;
use std::ops::Range;

pub(crate) const LAYERS: usize = 28;
/// Numbers for each piece.
pub(crate) const WIDTH: usize = 1536;
const PIECES: usize = 151_936;
const INNER: usize = 8960;
const HEADS: usize = 12;
/// Heads share what they look at, six by six.
const SHARED_HEADS: usize = 2;
const HEAD: usize = WIDTH / HEADS;
const SHARED: usize = SHARED_HEADS * HEAD;
const TURN_BASE: f32 = 1_000_000.0;
const TINY: f32 = 1e-6;
/// Rows of a matrix that are made whole at once.
const ROWS_AT_ONCE: usize = 128;

/// The matrices of a layer that have detours: name, numbers in, numbers out.
pub(crate) const MATRICES: [(&str, usize, usize); 7] = [
    ("attn_q", WIDTH, WIDTH),
    ("attn_k", WIDTH, SHARED),
    ("attn_v", WIDTH, SHARED),
    ("attn_output", WIDTH, WIDTH),
    ("ffn_gate", WIDTH, INNER),
    ("ffn_up", WIDTH, INNER),
    ("ffn_down", INNER, WIDTH),
];
/// Their places in the list.
const QUERY: usize = 0;
const KEY: usize = 1;
const VALUE: usize = 2;
const OUTPUT: usize = 3;
const GATE: usize = 4;
const UP: usize = 5;
const DOWN: usize = 6;

/// A layer of the file.
#[derive(Debug)]
struct Layer {
    matrices: [Place; MATRICES.len()],
    /// What is added after the first three matrices.
    biases: [Vec<f32>; 3],
    before_looking: Vec<f32>,
    before_thinking: Vec<f32>,
}

/// The operator's network with our adapters.
#[derive(Debug)]
pub(crate) struct Network {
    file: Vec<u8>,
    words: Place,
    layers: Vec<Layer>,
    last: Vec<f32>,
    adapters: Adapters,
}

/// Texts that begin alike: first what they share, then the rest of each.
struct Batch {
    shared: usize,
    /// The rows of each text after what is shared.
    rests: Vec<Range<usize>>,
    /// Where every row stands in its text.
    positions: Vec<usize>,
}

impl Network {
    pub(crate) fn open(file: Vec<u8>, header: &Header) -> Result<Network, Error> {
        let numbers = |name: &str, count: usize| {
            let place = header.tensor(name, 1, count)?;
            let mut numbers = vec![0.0; count];
            unround(place.format, &file[place.bytes], &mut numbers);
            Ok::<_, Error>(numbers)
        };
        let layer = |index: usize| {
            let named = |part: &str| format!("blk.{index}.{part}");
            let place = |(name, columns, rows): (&str, usize, usize)| {
                header.tensor(&named(&format!("{name}.weight")), rows, columns)
            };
            let matrices: Result<Vec<Place>, Error> = MATRICES.into_iter().map(place).collect();
            Ok::<_, Error>(Layer {
                matrices: matrices?.try_into().map_err(|_| Error::Adapters)?,
                biases: [
                    numbers(&named("attn_q.bias"), WIDTH)?,
                    numbers(&named("attn_k.bias"), SHARED)?,
                    numbers(&named("attn_v.bias"), SHARED)?,
                ],
                before_looking: numbers(&named("attn_norm.weight"), WIDTH)?,
                before_thinking: numbers(&named("ffn_norm.weight"), WIDTH)?,
            })
        };
        let layers: Result<Vec<Layer>, Error> = (0..LAYERS).map(layer).collect();
        let (layers, last) = (layers?, numbers("output_norm.weight", WIDTH)?);
        let words = header.tensor("token_embd.weight", PIECES, WIDTH)?;
        Ok(Network { words, layers, last, adapters: Adapters::load()?, file })
    }

    /// The verdicts on each of these texts, as probabilities.
    pub(crate) fn verdicts(&self, texts: &[Vec<u32>]) -> Vec<[f32; VERDICTS]> {
        if texts.iter().any(Vec::is_empty) || texts.is_empty() {
            return vec![[0.0; VERDICTS]; texts.len()];
        }
        let (batch, pieces) = Batch::of(texts);
        let mut rows = vec![0.0; pieces.len() * WIDTH];
        for (piece, row) in pieces.iter().zip(rows.chunks_exact_mut(WIDTH)) {
            let bytes = self.words.row_bytes();
            let begin = self.words.bytes.start + *piece as usize * bytes;
            unround(self.words.format, &self.file[begin..begin + bytes], row);
        }
        for index in 0..LAYERS {
            self.layer(index, &batch, &mut rows);
        }
        let ends = batch.rests.iter().map(|rest| if rest.is_empty() { batch.shared } else { rest.end });
        let verdict = |end: usize| {
            let row = evened(&rows[(end - 1) * WIDTH..end * WIDTH], &self.last);
            let heads = self.adapters.head.chunks_exact(WIDTH).zip(&self.adapters.head_bias);
            let said: Vec<f32> = heads.map(|(head, bias)| dot(head, &row) + bias).collect();
            let mut said: [f32; VERDICTS] = said.try_into().unwrap_or([0.0; VERDICTS]);
            shares(&mut said);
            said
        };
        ends.map(verdict).collect()
    }

    fn layer(&self, index: usize, batch: &Batch, rows: &mut [f32]) {
        let layer = &self.layers[index];
        let read = all_evened(rows, &layer.before_looking);
        let mut seen = [QUERY, KEY, VALUE].map(|matrix| self.through(index, matrix, &read));
        for (rows, bias) in seen.iter_mut().zip(&layer.biases) {
            for row in rows.chunks_exact_mut(bias.len()) {
                add(row, bias);
            }
        }
        let [mut queries, mut keys, values] = seen;
        turn(&mut queries, WIDTH, &batch.positions);
        turn(&mut keys, SHARED, &batch.positions);
        let looked = looked(batch, &queries, &keys, &values);
        add(rows, &self.through(index, OUTPUT, &looked));

        let read = all_evened(rows, &layer.before_thinking);
        let [mut gates, ups] = [GATE, UP].map(|matrix| self.through(index, matrix, &read));
        for (gate, up) in gates.iter_mut().zip(&ups) {
            *gate = *gate / (1.0 + (-*gate).exp()) * up;
        }
        add(rows, &self.through(index, DOWN, &gates));
    }

    /// Rows through a matrix of the file and the detour beside it.
    fn through(&self, layer: usize, matrix: usize, rows: &[f32]) -> Vec<f32> {
        let place = &self.layers[layer].matrices[matrix];
        let (columns, out_columns) = (place.columns, place.rows);
        let count = rows.len() / columns;
        let executor = GemmExecutor::<f32>::default();
        let packed = executor.prepack_a(NdTensorView::from_data([count, columns], rows));
        let row_bytes = place.row_bytes();
        let bytes = &self.file[place.bytes.clone()];
        let parts: Vec<Vec<f32>> = bytes
            .par_chunks(ROWS_AT_ONCE * row_bytes)
            .map_init(Vec::new, |whole, bytes| {
                let part = bytes.len() / row_bytes;
                whole.resize(part * columns, 0.0);
                unround(place.format, bytes, whole);
                let whole = NdTensorView::from_data([part, columns], whole.as_slice());
                let mut out = vec![0.0; count * part];
                let factors = (GemmInputA::Packed(&packed), GemmInputB::Unpacked(whole.transposed()));
                multiply(&executor, &mut out, factors, 0.0);
                out
            })
            .collect();
        let mut out = vec![0.0; count * out_columns];
        for (part, values) in parts.iter().enumerate() {
            let width = values.len() / count;
            let begin = part * ROWS_AT_ONCE;
            for (row, values) in out.chunks_exact_mut(out_columns).zip(values.chunks_exact(width)) {
                row[begin..begin + width].copy_from_slice(values);
            }
        }
        beside(&executor, &self.adapters.detours[layer][matrix], rows, &mut out, count);
        out
    }
}

/// Adds what goes through a detour.
fn beside(executor: &GemmExecutor<f32>, detour: &Detour, rows: &[f32], out: &mut [f32], count: usize) {
    let (columns, out_columns) = (rows.len() / count, out.len() / count);
    let rows = NdTensorView::from_data([count, columns], rows);
    let inward = NdTensorView::from_data([RANK, columns], detour.inward.as_slice());
    let mut narrow = vec![0.0; count * RANK];
    let factors = (GemmInputA::Unpacked(rows), GemmInputB::Unpacked(inward.transposed()));
    multiply(executor, &mut narrow, factors, 0.0);
    let narrow = NdTensorView::from_data([count, RANK], narrow.as_slice());
    let outward = NdTensorView::from_data([RANK, out_columns], detour.outward.as_slice());
    multiply(executor, out, (GemmInputA::Unpacked(narrow), GemmInputB::Unpacked(outward)), 1.0);
}

fn multiply(
    executor: &GemmExecutor<f32>,
    out: &mut [f32],
    (left, right): (GemmInputA<'_, f32>, GemmInputB<'_, f32>),
    kept: f32,
) {
    let options = GemmOptions { beta: kept, ..GemmOptions::default() };
    executor.gemm(out, left, right, options).expect("the sizes of the matrices fit");
}

impl Batch {
    fn of(texts: &[Vec<u32>]) -> (Batch, Vec<u32>) {
        let first = &texts[0];
        let alike = |text: &Vec<u32>| first.iter().zip(text).take_while(|(one, other)| one == other).count();
        let shared = texts.iter().map(alike).min().unwrap_or(0);
        let mut pieces = first[..shared].to_vec();
        let mut positions: Vec<usize> = (0..shared).collect();
        let mut rests = Vec::with_capacity(texts.len());
        for text in texts {
            let begin = pieces.len();
            pieces.extend(&text[shared..]);
            positions.extend(shared..text.len());
            rests.push(begin..pieces.len());
        }
        (Batch { shared, rests, positions }, pieces)
    }

    /// The rows that a row looks at: of its own text, up to itself.
    fn sees(&self, row: usize) -> (Range<usize>, Range<usize>) {
        if row < self.shared {
            return (0..row + 1, 0..0);
        }
        let begin = self.rests.iter().find(|rest| rest.contains(&row)).map_or(row, |rest| rest.start);
        (0..self.shared, begin..row + 1)
    }
}

/// Every row as what its heads look at says.
fn looked(batch: &Batch, queries: &[f32], keys: &[f32], values: &[f32]) -> Vec<f32> {
    let scale = 1.0 / (HEAD as f32).sqrt();
    let mut out = vec![0.0; queries.len()];
    out.par_chunks_exact_mut(WIDTH).enumerate().for_each(|(row, out)| {
        let (shared, own) = batch.sees(row);
        let seen: Vec<usize> = shared.chain(own).collect();
        let mut weights = vec![0.0; seen.len()];
        for head in 0..HEADS {
            let query = &queries[row * WIDTH + head * HEAD..][..HEAD];
            let of_head = |rows: &[f32], at: usize| {
                let begin = at * SHARED + head / (HEADS / SHARED_HEADS) * HEAD;
                begin..begin + HEAD.min(rows.len())
            };
            for (weight, &at) in weights.iter_mut().zip(&seen) {
                *weight = dot(query, &keys[of_head(keys, at)]) * scale;
            }
            shares(&mut weights);
            let out = &mut out[head * HEAD..][..HEAD];
            for (weight, &at) in weights.iter().zip(&seen) {
                for (out, value) in out.iter_mut().zip(&values[of_head(values, at)]) {
                    *out += weight * value;
                }
            }
        }
    });
    out
}

/// Turns each pair of a head's halves by an angle that grows with the place in the text.
fn turn(rows: &mut [f32], width: usize, positions: &[usize]) {
    let half = HEAD / 2;
    let speeds: Vec<f32> = (0..half).map(|at| TURN_BASE.powf(-2.0 * at as f32 / HEAD as f32)).collect();
    for (row, &position) in rows.chunks_exact_mut(width).zip(positions) {
        for head in row.chunks_exact_mut(HEAD) {
            let (low, high) = head.split_at_mut(half);
            for ((low, high), speed) in low.iter_mut().zip(high).zip(&speeds) {
                let (sine, cosine) = (position as f32 * speed).sin_cos();
                (*low, *high) = (*low * cosine - *high * sine, *high * cosine + *low * sine);
            }
        }
    }
}

fn all_evened(rows: &[f32], weights: &[f32]) -> Vec<f32> {
    rows.chunks_exact(WIDTH).flat_map(|row| evened(row, weights)).collect()
}

/// A row brought to the same size as all others.
fn evened(row: &[f32], weights: &[f32]) -> Vec<f32> {
    let size = (dot(row, row) / row.len() as f32 + TINY).sqrt();
    row.iter().zip(weights).map(|(number, weight)| number / size * weight).collect()
}

fn add(rows: &mut [f32], more: &[f32]) {
    for (one, other) in rows.iter_mut().zip(more) {
        *one += other;
    }
}

fn dot(one: &[f32], other: &[f32]) -> f32 {
    // Sixteen sums at once, always in the same order.
    let mut sums = [0.0f32; 16];
    let (one, other) = (one.chunks_exact(16), other.chunks_exact(16));
    let rest: f32 = one.remainder().iter().zip(other.remainder()).map(|(a, b)| a * b).sum();
    for (one, other) in one.zip(other) {
        for (sum, (a, b)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Numbers as shares of one, by their exponentials.
fn shares(numbers: &mut [f32]) {
    let most = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for number in numbers.iter_mut() {
        *number = (*number - most).exp();
        sum += *number;
    }
    for number in numbers {
        *number /= sum;
    }
}
