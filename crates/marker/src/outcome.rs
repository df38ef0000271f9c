//! What marking says: marks with their evidence, feedback, and how sure the engine is.

use crate::answer::WordRange;
use crate::rule::Rule;
use crate::turn::Behind;
use domain::marks::Marks;
pub use domain::result::Flag;
use domain::result::Verdict;
use serde::{Deserialize, Serialize};

/// The marks of one question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The sum over the leaves.
    pub awarded: Marks,
    /// The sum over the leaves.
    pub available: Marks,
    /// How sure the engine is of the sum, 0 to 1.
    pub confidence: f32,
    /// Every flag that any leaf has, each once, in a fixed order.
    pub flags: Vec<Flag>,
    /// One for each leaf, in paper order.
    pub leaves: Vec<LeafOutcome>,
}

/// The marks of one leaf.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LeafOutcome {
    /// The part's label; `None` for the question itself.
    pub label: Option<String>,
    /// Never more than `available`.
    pub awarded: Marks,
    /// The most that it could have earned.
    pub available: Marks,
    /// One for each point of the key, in the key's order; empty where there is no key.
    pub points: Vec<PointOutcome>,
    /// The words that marks by level rest on; each point has its own.
    #[serde(default)]
    pub evidence: Vec<WordRange>,
    /// What the student is told; empty when there is nothing to say at the level asked for.
    pub feedback: String,
    /// How sure the engine is of `awarded`, 0 to 1.
    pub confidence: f32,
    /// What a person should know before trusting it, each once, in a fixed order.
    pub flags: Vec<Flag>,
    /// Below this confidence it is flagged; `None` where something else than the confidence decides whether.
    #[serde(default)]
    pub doubted_below: Option<f32>,
}

/// What one point of the key earned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PointOutcome {
    /// Index in the key's points.
    pub index: u32,
    /// Never more than the point is worth.
    pub awarded: Marks,
    /// What the answer says about it.
    pub verdict: Verdict,
    /// The words that earned it, or that lost it.
    pub evidence: Vec<WordRange>,
    /// How sure the engine is of this point, 0 to 1.
    pub confidence: f32,
    /// What decided it.
    #[serde(default)]
    pub rule: Rule,
    /// The numbers behind it.
    #[serde(skip)]
    pub behind: Behind,
}

/// Below this confidence a leaf carries [`Flag::LowConfidence`].
pub const CONFIDENCE_LOW: f32 = 0.6;

/// Which engine marked: enough to mark again in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineIdentity {
    /// "builtin", or "llm".
    pub name: String,
    /// The engine's own version.
    pub version: String,
    /// The models that it used.
    pub models: Vec<ModelIdentity>,
}

/// A model that an engine used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelIdentity {
    /// Its name.
    pub name: String,
    /// SHA-256 of its weights in hexadecimal; empty for one behind a remote endpoint.
    pub checksum: String,
}

impl Outcome {
    /// Adds the leaves up.
    pub fn of(leaves: Vec<LeafOutcome>) -> Outcome {
        let awarded = leaves.iter().map(|leaf| leaf.awarded).sum();
        let available: Marks = leaves.iter().map(|leaf| leaf.available).sum();
        let mut flags: Vec<Flag> = leaves.iter().flat_map(|leaf| leaf.flags.iter().copied()).collect();
        flags.sort_unstable();
        flags.dedup();
        let confidence = mean_confidence(&leaves, available);
        Outcome { awarded, available, confidence, flags, leaves }
    }
}

/// The leaves' confidence, each weighing as many marks as it is worth.
fn mean_confidence(leaves: &[LeafOutcome], available: Marks) -> f32 {
    if available.is_zero() {
        return leaves.iter().map(|leaf| leaf.confidence).fold(1.0, f32::min);
    }
    let weighed: f64 =
        leaves.iter().map(|leaf| f64::from(leaf.confidence) * leaf.available.as_number()).sum();
    (weighed / available.as_number()) as f32
}
