//! What schemes say to examiners beside a point.

use crate::Words;

/// Begins a note that is no wording of its point.
pub const BEGINNINGS: Words =
    Words::of(&["ecf", "error carried", "max ", "ft ", "follow through", "mark the", "no ecf", "award "]);

/// Stands in such a note.
pub const INSIDE: Words = Words::of(&[
    " marks if",
    " mark if",
    " mark for",
    " marks for",
    "must be shown",
    "must be seen",
    "scores ",
    "not converted",
    "incorrectly converted",
    "correct calculation using",
    "use of an incorrect",
    "with correct substitution",
    "their calculated",
]);

/// Says by a word that the student's own value from before counts.
pub const FOLLOW_THROUGH_WORDS: Words = Words::of(&["ecf", "ft", "their", "candidate"]);

/// Says so anywhere in a note.
pub const FOLLOW_THROUGH: Words =
    Words::of(&["error carried forward", "follow through", "follow-through", "consequential"]);

/// Says that a step is made with the student's own values.
pub const THEIRS: Words = Words::of(&["their", "...", "…"]);

/// Between values of which each is right, however it is glued to them.
pub const OR: &str = "or";

/// Before another value that is right as well.
pub const VALUE_JOINTS: Words = Words::of(&[
    "(or ",
    "[or ",
    "(accept ",
    "(allow ",
    " allow (",
    " accept (",
    "; accept ",
    "; allow ",
    ", accept ",
    ", allow ",
]);

/// Says that an error before costs no later mark.
pub const ERRORS_CARRIED: Words = Words::of(&["ecf", "error carried forward", "follow through", "allow ft"]);

/// Behind a wording: what it is worth.
pub const WORTH: Words = Words::of(&["(1)", "[1]", "(2)", "[2]", "[1 mark]", "(1 mark)", "✓", ";"]);

/// One mark in words.
pub const ONE_MARK: &str = "(1 mark)";

/// Speaks of what the student answered before.
pub const THEIR_ANSWER: Words =
    Words::of(&["candidate", "their answer", "same as", "answer to", "answer from"]);

/// Words that tell an English wording from one in another language.
pub const ENGLISH_JOINTS: Words = Words::of(&[
    "the", "of", "and", "is", "are", "to", "by", "from", "with", "into", "at", "for", "than", "more", "less",
    "has", "have",
]);

/// Speaks of a value that was worked with: "use of 1.3 × 10⁻⁷".
pub const USE_OF: Words = Words::of(&["use of ", "using ", "use "]);

/// Before what neither earns nor loses a mark.
pub const IGNORE: &str = "ignore";

/// Says that a value below zero is as good.
pub const SIGN_IGNORED: Words =
    Words::of(&["ignore sign", "ignore the sign", "ignore minus", "ignore negative", "ignore a negative"]);

/// Between an answer and what it is worth.
pub const SCORES: Words = Words::of(&[
    " scores ",
    " score ",
    " gains ",
    " gain ",
    " earns ",
    " is awarded ",
    " are awarded ",
    " gets ",
    " is worth ",
    " receives ",
    " = ",
]);

/// Before an answer of which the worth is said.
pub const ANSWER_OF: Words = Words::of(&["an answer of ", "answers of ", "answer of ", "a final answer of "]);

/// Says that nothing was worked out before it.
pub const WITHOUT_WORKING: Words =
    Words::of(&["no working", "without working", "with no other working", "on its own"]);

/// May stand around the answers of which the worth is said.
pub const AROUND_ANSWERS: Words = Words::of(&[
    "an", "a", "answer", "answers", "of", "or", "and", "the", "final", "value", "nb", "note", "allow", "with",
]);

/// Behind a worth that only some such answers have.
pub const UNLESS: Words = Words::of(&["unless", "if", "provided", "only if", "when", "where", "each", "per"]);
