//! Answers that are lists.

use crate::Words;

/// Words that make a sentence of an item.
pub const SENTENCE_WORDS: Words = Words::of(&[
    "it", "is", "are", "was", "were", "they", "there", "has", "have", "because", "so", "which", "will",
    "can", "does", "not",
]);

/// Joins what counts together or apart.
pub const AND_OR: &str = "and/or";

/// Words that lead to the label that an answer settles on: "so D", "I choose D".
pub const SETTLES: Words = Words::of(&[
    "so",
    "therefore",
    "thus",
    "hence",
    "answer",
    "choose",
    "chose",
    "pick",
    "final",
    "finally",
    "ans",
]);

/// Takes a label back before another: "B, no, A".
pub const NO: &str = "no";

/// May stand around the labels of chosen options.
pub const AROUND_LABELS: Words = Words::of(&["and", "or", "option", "answer", "is", "the", "ans", "it"]);
