//! How schemes name the steps of a calculation.

use crate::Words;

/// The unit of the result.
pub const UNIT: Words = Words::of(&["unit"]);

/// The relation turned round.
pub const REARRANGEMENT: Words = Words::of(&["rearrang", "transpos", "makes subject"]);

/// Numbers put into the relation.
pub const SUBSTITUTION: Words = Words::of(&[
    "substitut",
    "equating",
    "equates",
    "correct expression",
    "use of",
    "calculation of",
    "working",
    "conversion",
]);

/// The sum worked out.
pub const EVALUATION: Words = Words::of(&["evaluat", "calculation", "correct answer", "answer"]);

/// How schemes begin when they describe what a student does.
pub const VERBS: Words = Words::of(&[
    "solves",
    "solve",
    "attempts",
    "attempt",
    "substitutes",
    "substitute",
    "states",
    "uses",
    "shows",
    "finds",
    "sets",
    "differentiates",
    "integrates",
    "achieves",
    "proceeds",
    "obtains",
    "deduces",
    "rearranges",
    "equates",
    "applies",
    "expands",
    "factorises",
    "forms",
    "expresses",
]);

/// Verbs that tell of a result: "calculates the mass to be 2.4 g".
pub const TELLING: Words =
    Words::of(&["calculates", "determines", "obtains", "finds", "states", "gives", "calculate"]);

/// Between what was found and its value.
pub const TOLD: Words = Words::of(&[" is ", " as ", " to be "]);

/// Speaks of balancing an equation.
pub const BALANCING: Words = Words::of(&["balanced", "balancing", "balances"]);

/// Words that make a statement of a formula.
pub const STATEMENT: Words = Words::of(&["the", "is", "are", "which", "so", "of", "must", "has"]);

/// Right before the number by which something is divided.
pub const DIVIDED: Words = Words::of(&["divided by", "divide by", "÷"]);

/// Right before the number by which something is multiplied.
pub const MULTIPLIED: Words = Words::of(&["multiplied by", "multiply by", "times"]);
