//! From answer keys and answers to marks, with evidence, feedback and confidence.
//!
//! [`Marker`] is the one thing that callers need: the built-in engine marks by rules and an embedded model,
//! offline and deterministically; the remote one asks a language model and believes only what it can check.

pub mod answer;
pub mod builtin;
pub mod eval;
mod feedback;
pub mod instructions;
pub mod meaning;
pub mod outcome;
pub mod remote;
pub mod rest;
pub mod rule;
pub mod task;
pub mod taught;
pub mod turn;
pub mod words;

pub use answer::{Answer, Picture, Word, WordRange};
pub use builtin::Builtin;
pub use outcome::{EngineIdentity, Flag, LeafOutcome, ModelIdentity, Outcome, PointOutcome};
pub use remote::Remote;
pub use rule::Rule;
pub use task::{FeedbackLevel, Leaf, LeafAnswer, Settings, Strictness, Task};

/// An engine that marks.
///
/// Marking blocks the calling thread: the built-in engine computes, the remote one waits for its endpoint.
/// An async caller runs it where blocking is allowed.
pub trait Marker: Send + Sync {
    /// Marks one question of one script.
    fn mark(&self, task: &Task<'_>) -> Result<Outcome, Error>;

    /// Which engine this is, for the result's record.
    fn identity(&self) -> EngineIdentity;

    /// Whether it looks at [`Answer::pictures`].
    fn wants_pictures(&self) -> bool {
        false
    }

    /// What a text means, as a direction of length one: like meanings lie close. Empty where that is not known.
    fn direction(&self, _text: &str) -> Vec<f32> {
        Vec::new()
    }
}

/// Why a question could not be marked at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The endpoint could not be reached or answered with a fault; trying later may help.
    #[error("the marking endpoint is not available: {0}")]
    Unavailable(String),
    /// The endpoint answered, but never with something that could be believed.
    #[error("the marking endpoint gave no usable answer: {0}")]
    Unusable(String),
    /// The budget set for the endpoint is spent.
    #[error("the marking budget is spent")]
    BudgetSpent,
}
