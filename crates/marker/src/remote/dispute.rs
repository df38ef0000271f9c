//! Two witnesses to one answer: the endpoint and the built-in engine.

use crate::outcome::{Flag, LeafOutcome};

/// Confidence of a mark that rests on the endpoint where something about it was doubtful.
pub(super) const CONFIDENCE_DOUBTFUL: f32 = 0.45;
/// From this share of the marks on, the two differ strongly.
const DISPUTED: f64 = 0.5;

/// The endpoint's mark, flagged where the built-in engine is not in doubt itself and would give a very different one: one
/// of the two has misread something, and neither can say which.
pub(super) fn disputed(mut outcome: LeafOutcome, own: &LeafOutcome) -> LeafOutcome {
    let (one, other) = (outcome.awarded, own.awarded);
    let apart = one.max(other).less(one.min(other));
    let is_strong = !apart.is_zero() && apart.as_number() >= DISPUTED * outcome.available.as_number();
    if is_strong && !own.flags.contains(&Flag::LowConfidence) {
        cast_doubt(&mut outcome);
    }
    outcome
}

/// A mark that a person should look at.
pub(super) fn cast_doubt(outcome: &mut LeafOutcome) {
    outcome.confidence = outcome.confidence.min(CONFIDENCE_DOUBTFUL);
    outcome.doubted_below = None;
    if !outcome.flags.contains(&Flag::LowConfidence) {
        outcome.flags.insert(0, Flag::LowConfidence);
    }
}
