//! Words that lead through the clauses of an answer.

use crate::Words;

/// One after the other is no contradiction.
pub const SEQUENCE: Words =
    Words::of(&["then", "later", "after", "afterwards", "eventually", "until", "first", "when", "if", "as"]);

/// Behind a negation these take it back: "not only".
pub const ONLY: Words = Words::of(&["only", "just"]);

/// Words behind which a negation no longer reaches.
pub const TURNS: Words = Words::of(&["but", "however", "because", "so"]);

/// Verbs that only lead up to what is said: "it goes up".
pub const LIGHT_VERBS: Words = Words::of(&[
    "goes", "going", "went", "gets", "get", "becomes", "become", "turns", "starts", "begins", "keeps",
    "makes",
]);
