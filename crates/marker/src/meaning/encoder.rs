//! The embedded sentence model: each piece of a text as a direction, so that like meanings lie close.

use super::pools::Pools;
use super::wordpiece::{self, Piece};
use rten::{Model, ModelOptions, NodeId, RunOptions};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, NdTensorView};
use std::sync::Arc;

pub(super) static WEIGHTS: &[u8] = include_bytes!("../../../../models/meaning/encoder.onnx");

/// Length of a piece's direction.
pub(super) const DIRECTION: usize = 128;
/// Length of a piece's sense.
pub(super) const SENSE: usize = 384;
/// After its direction, each piece carries its weight in a model answer and its weight in an answer.
const PIECE_VALUES: usize = DIRECTION + 2;

/// Why the embedded model could not be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The weights are not what this version of the program expects.
    #[error("the sentence model could not be loaded: {0}")]
    Load(String),
    /// The weights beside the model are not what this version of the program expects.
    #[error("the marking weights could not be read: {0}")]
    Weights(#[from] serde_json::Error),
}

/// The sentence model, loaded once and shared by every thread.
pub(super) struct Encoder {
    model: Model,
    input: NodeId,
    outputs: [NodeId; 3],
    pools: Pools,
}

/// A text as the sentence model sees it.
#[derive(Clone, Debug, Default)]
pub(super) struct Encoded {
    /// One direction of length one for each piece, one after the other; first and last are the frame.
    directions: Vec<f32>,
    /// How much each piece counts in a model answer, as a logarithm.
    pub(super) weight_wanted: Vec<f32>,
    /// How much each piece counts in an answer, as a logarithm.
    pub(super) weight_given: Vec<f32>,
    /// The direction of the whole text.
    pub(super) mean: Vec<f32>,
    /// For each direction, what the piece means in general text: the same as the untrained sentence model says.
    senses: Vec<f32>,
    /// The pieces between the first and the last direction.
    pub(super) pieces: Vec<Piece>,
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoder").finish_non_exhaustive()
    }
}

impl Encoder {
    pub(super) fn load() -> Result<Encoder, ModelError> {
        let failed = |error: &dyn std::fmt::Display| ModelError::Load(error.to_string());
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let model = options.load_static_slice(WEIGHTS).map_err(|error| failed(&error))?;
        let node = |name: &str| model.node_id(name).map_err(|error| failed(&error));
        let (input, outputs) = (node("ids")?, [node("tokens")?, node("mean")?, node("senses")?]);
        Ok(Encoder { model, input, outputs, pools: Pools::default() })
    }

    /// The weights' SHA-256.
    pub(super) fn checksum() -> String {
        use sha2::{Digest, Sha256};
        Sha256::digest(WEIGHTS).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The first `limit` pieces of a text.
    pub(super) fn encode(&self, text: &str, limit: usize) -> Encoded {
        self.encode_pieces(wordpiece::pieces(text, limit))
    }

    /// Of the first `looked_at` pieces of a text the `limit` that say most, in their order: those of common words are
    /// left out first.
    pub(super) fn encode_telling(&self, text: &str, looked_at: usize, limit: usize) -> Encoded {
        self.encode_pieces(wordpiece::telling(wordpiece::pieces(text, looked_at), limit))
    }

    /// The last `limit` pieces of a text: a question asks at its end.
    pub(super) fn encode_end(&self, text: &str, limit: usize) -> Encoded {
        /// Pieces of a question that are looked at to find its end.
        const CUT_MAX: usize = 4_000;
        let mut pieces = wordpiece::pieces(text, CUT_MAX);
        pieces.drain(..pieces.len().saturating_sub(limit));
        self.encode_pieces(pieces)
    }

    /// Pieces that the model cannot run on give nothing to compare.
    fn encode_pieces(&self, pieces: Vec<Piece>) -> Encoded {
        let inner = pieces.iter().map(|piece| piece.id);
        let ids: Vec<i32> = std::iter::once(wordpiece::START).chain(inner).chain([wordpiece::END]).collect();
        let ids = NdTensor::from_data([1, ids.len()], ids);
        let run = self.pools.with(|pool| {
            let options = RunOptions::default().with_thread_pool(Some(Arc::clone(pool)));
            self.model.run_n(vec![(self.input, ids.into())], self.outputs, Some(options))
        });
        let Ok([tokens, mean, senses]) = run else { return Encoded::default() };
        let (Ok(tokens), Ok(mean), Ok(senses)) = (
            NdTensor::<f32, 3>::try_from(tokens),
            NdTensor::<f32, 2>::try_from(mean),
            NdTensor::<f32, 3>::try_from(senses),
        ) else {
            return Encoded::default();
        };
        Encoded::of(tokens.view(), &unit(&mean.to_vec()), senses.to_vec(), pieces)
    }
}

impl Encoded {
    fn of(tokens: NdTensorView<'_, f32, 3>, mean: &[f32], senses: Vec<f32>, pieces: Vec<Piece>) -> Encoded {
        let values = tokens.to_vec();
        let mut encoded = Encoded { mean: mean.to_vec(), senses, pieces, ..Encoded::default() };
        for piece in values.chunks_exact(PIECE_VALUES) {
            encoded.directions.extend(unit(&piece[..DIRECTION]));
            encoded.weight_wanted.push(piece[DIRECTION]);
            encoded.weight_given.push(piece[DIRECTION + 1]);
        }
        encoded
    }

    /// How many directions there are.
    pub(super) fn len(&self) -> usize {
        self.weight_wanted.len()
    }

    pub(super) fn direction(&self, index: usize) -> &[f32] {
        &self.directions[index * DIRECTION..(index + 1) * DIRECTION]
    }

    /// What each piece means, of any length; first and last are the frame.
    pub(super) fn senses(&self) -> impl Iterator<Item = &[f32]> {
        self.senses.chunks_exact(SENSE)
    }
}

/// How alike two directions are, from -1 to 1.
pub(super) fn likeness(one: &[f32], other: &[f32]) -> f32 {
    /// Summing in lanes lets the compiler use wide registers and keeps the order of additions fixed.
    const LANES: usize = 16;
    let mut sums = [0.0f32; LANES];
    for (a, b) in one.chunks_exact(LANES).zip(other.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

pub(super) fn unit(values: &[f32]) -> Vec<f32> {
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-9);
    values.iter().map(|value| value / length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_meanings_lie_closer_than_others_and_any_script_is_taken() {
        let encoder = Encoder::load().unwrap();
        let mean = |text: &str| encoder.encode(text, 64).mean;
        let boils = mean("The water boils and turns to steam.");
        let like = likeness(&boils, &mean("Heated water becomes vapour."));
        let unlike = likeness(&boils, &mean("The king signed the treaty."));
        assert!(like > unlike + 0.1, "{like} {unlike}");
        for text in ["", "光合作用", "الطاقة", "\u{0}\u{ffff}", &"word ".repeat(500)] {
            let encoded = encoder.encode(text, 64);
            assert_eq!(encoded.len(), encoded.pieces.len() + 2, "{text}");
        }
    }
}
