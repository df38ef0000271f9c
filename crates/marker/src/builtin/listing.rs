//! Answers that offer their items as a choice.

use lexicon::english::{joints, lists};

/// True when the answer offers its items as a choice: "oxygen or nitrogen".
pub(crate) fn is_hedged(answer: &str) -> bool {
    let lower = answer.to_lowercase();
    lower.contains(joints::OR) || (lower.contains('/') && !lower.contains(lists::AND_OR))
}
