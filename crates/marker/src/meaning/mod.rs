//! Does an answer say what a point of the key says? Words, numbers and negation decide.

mod align;
mod alike;
mod counted;
mod encoder;
mod expected;
mod features;
mod kept;
mod lexical;
mod points;
mod pools;
mod semantic;
mod sense;
mod weights;
mod wording;
mod wordpiece;

pub use encoder::ModelError;
pub use expected::Expected;
pub use lexical::Lexical;
pub use semantic::{Graded, Semantic};

use crate::outcome::ModelIdentity;
use std::ops::Range;

/// Judges meaning. Deterministic: the same texts always give the same judgement.
pub trait Judge: Send + Sync {
    /// Whether `answer` expresses `point` (one wording of one point), given what was asked.
    fn judge(&self, question: &str, point: &str, answer: &str) -> Judgement;

    /// How much of a whole answer is right, when the key has no separate points.
    fn grade(&self, expected: &Expected<'_>, answer: &str) -> Grade;

    /// The models behind it, for the result's record.
    fn models(&self) -> Vec<ModelIdentity>;
}

/// Whether an answer expresses one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The probability that the answer expresses the point, 0 to 1, calibrated: half is undecided.
    pub score: f32,
    /// How likely the decision `score >= 0.5` is right, 0.5 to 1.
    pub confidence: f32,
    /// The bytes of `answer` that speak of the point; `None` where nothing does.
    pub evidence: Option<Range<usize>>,
}

/// How much of a whole answer is right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grade {
    /// The share of the marks, 0 to 1.
    pub fraction: f32,
    /// How sure the judge is, 0 to 1.
    pub confidence: f32,
}
