//! Verdicts on a statement.

use crate::Words;

/// Says that a statement is true.
pub const TRUE: Words = Words::of(&["true", "t", "yes", "y", "✓", "✔"]);

/// Says that it is not.
pub const FALSE: Words = Words::of(&["false", "f", "no", "n", "✗", "✘"]);

/// Of these, what else stands before nouns: "no elements are left".
pub const BEFORE_NOUNS: Words = Words::of(&["no"]);
