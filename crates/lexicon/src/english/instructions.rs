//! A teacher's instructions in plain words: the beginnings of their words, by what they mean.

use crate::Words;

/// Denies.
pub const NOT: Words = Words::of(&["not", "no", "never", "don't", "dont", "without"]);

/// Leaves something out of account.
pub const IGNORE: Words = Words::of(&["ignore", "disregard", "overlook", "forgive", "tolera"]);

/// Takes marks, or would.
pub const PENALISE: Words =
    Words::of(&["penal", "deduct", "lose", "mark", "matter", "count", "require", "need", "insist", "strict"]);

/// Insists.
pub const STRICT: Words =
    Words::of(&["strict", "must", "insist", "require", "essential", "penal", "deduct", "correct"]);

/// Gives marks.
pub const ACCEPT: Words = Words::of(&["accept", "allow", "credit", "permit", "fine", "award"]);

/// Figures and rounding.
pub const FIGURES: Words =
    Words::of(&["significant", "sig", "rounding", "decimal", "precision", "accuracy", "sf"]);

/// Units.
pub const UNITS: Words = Words::of(&["unit"]);

/// Forms that say the same.
pub const EQUIVALENT: Words = Words::of(&["equivalent", "oe"]);

/// Forms that could be simpler.
pub const UNSIMPLIFIED: Words = Words::of(&["unsimplified"]);

/// Whose spelling it is.
pub const COUNTRIES: Words = Words::of(&["american", "british", "us", "uk"]);

/// Spelling.
pub const SPELLING: Words = Words::of(&["spell"]);

/// Takes what is written.
pub const TAKE: Words = Words::of(&["accept", "allow"]);

/// Wrong spelling.
pub const MISSPELT: Words = Words::of(&["misspell", "phonetic"]);

/// What no point is about.
pub const FORM: Words = Words::of(&["gramm", "punctuation", "capital", "case", "handwriting"]);

/// Grammar and signs.
pub const GRAMMAR: Words = Words::of(&["gramm", "punctuation", "capital"]);

/// Halves.
pub const HALF: Words = Words::of(&["half"]);

/// Marks.
pub const MARKS: Words = Words::of(&["mark"]);

/// Following an error through.
pub const FOLLOW_THROUGH: Words = Words::of(&["follow", "ecf", "ft"]);

/// Errors.
pub const ERRORS: Words = Words::of(&["error", "errors", "mistake"]);

/// Carried forward.
pub const CARRIED: Words = Words::of(&["carried", "carry"]);

/// Leaves out of account, by this word alone.
pub const IGNORE_ONLY: Words = Words::of(&["ignore"]);

/// What follows a result.
pub const SUBSEQUENT: Words = Words::of(&["subsequent"]);

/// Working, in any form.
pub const WORK: Words = Words::of(&["work"]);

/// Examiners' notation for ignoring what follows.
pub const ISW: Words = Words::of(&["isw"]);

/// How a result was got.
pub const METHOD: Words = Words::of(&["working", "method"]);

/// What has to be there.
pub const NEEDED: Words = Words::of(&["must", "require", "needed", "essential"]);

/// The answer.
pub const ANSWER: Words = Words::of(&["answer"]);

/// Working shown.
pub const WORKING: Words = Words::of(&["working"]);

/// What is given.
pub const CREDIT: Words = Words::of(&["mark", "credit"]);

/// More than was asked for.
pub const EXTRAS: Words = Words::of(&["extra", "additional", "list"]);

/// Takes back.
pub const CANCEL: Words = Words::of(&["cancel", "penal", "lose", "rule", "deduct"]);
