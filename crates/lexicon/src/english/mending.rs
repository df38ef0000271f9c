//! What is to be mended: how questions ask for it, how schemes tell it, and how answers say what is not there.

use crate::Words;

/// A question that asks what is to be mended.
pub const ASKED: Words = Words::of(&[
    "improve",
    "problem",
    "wrong",
    "mistake",
    "error",
    "fault",
    "to change",
    "should change",
    "criticis",
    "criticiz",
    "weakness",
    "limitation",
    "missing",
]);

/// How a scheme begins that tells to add something.
pub const ADDING: Words = Words::of(&[
    "add", "include", "use", "draw", "put", "give", "show", "insert", "provide", "write", "have",
]);

/// Behind such a word these make a noun of it: "use of".
pub const NAMING: Words = Words::of(&["of"]);

/// Beside negations, words that say that something is not there, before it.
pub const LACKING: Words =
    Words::of(&["without", "lack", "lacks", "lacked", "lacking", "missing", "forgot", "forgotten"]);

/// The same behind it: "the key is missing".
pub const ABSENT: Words = Words::of(&["missing", "absent", "lacking", "forgotten", "omitted"]);

/// What is denied of something that is not there: "the key is not shown".
pub const THERE: Words = Words::of(&[
    "there", "shown", "included", "given", "drawn", "present", "used", "added", "written", "put",
]);

/// May stand between the word that says so and what is not there: "has not been drawn with a ruler".
pub const BETWEEN: Words = Words::of(&[
    "a", "an", "any", "the", "in", "on", "with", "of", "to", "have", "has", "having", "had", "been", "being",
    "drawn", "used", "using", "use", "shown", "given", "included", "made", "put", "its", "their", "enough",
    "proper", "clear", "out", "is", "are",
]);

/// Words of a clause that does not say what is there, but what should be, or that something does not matter.
pub const WISHING: Words = Words::of(&[
    "should",
    "shouldn't",
    "must",
    "mustn't",
    "need",
    "needs",
    "needed",
    "needn't",
    "never",
    "don't",
    "do",
    "matter",
    "allowed",
    "can't",
    "cannot",
    "would",
    "wouldn't",
    "could",
    "couldn't",
    "unless",
    "if",
]);

/// Behind these a denial no longer reaches.
pub const JOINTS: Words = Words::of(&["and", "but", "also"]);

/// Before a word this denies it: "unlabelled".
pub const DENYING: Words = Words::of(&["un", "non"]);
