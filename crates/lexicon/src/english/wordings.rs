//! How schemes put what an answer should say.

use crate::Words;

/// Ways to say that nothing changes.
pub const CONSTANCY: Words = Words::of(&[
    "no change",
    "stays the same",
    "remains the same",
    "remains constant",
    "stays constant",
    "constant",
    "unchanged",
    "does not change",
    "no effect",
    "not affected",
]);

/// Before an example that stands for what it shows.
pub const EXAMPLE_LEADS: Words = Words::of(&["for example", "e.g.", "eg "]);

/// What schemes say to examiners before what an answer should say.
pub const LEADS: Words = Words::of(&[
    "idea that",
    "idea of",
    "the idea that",
    "the idea of",
    "reference to",
    "any reference to",
    "ref to",
    "ref. to",
    "mention of",
    "recognition that",
    "recognises that",
    "states that",
    "statement that",
    "stating that",
    "states",
    "understanding that",
    "description of",
    "correct reference to",
    "candidate states",
    "mentions",
    "award for",
    "one mark for",
    "1 mark for",
    "for",
    "accept",
    "allow",
    "answer:",
    "e.g.",
    "eg",
    "because",
]);

/// What they say behind it.
pub const TAILS: Words = Words::of(&[
    "owtte",
    "oe",
    "ora",
    "aw",
    "eq",
    "wtte",
    "or equivalent",
    "or words to that effect",
    "(1)",
    "[1]",
    "or similar",
    "etc",
    "etc.",
    "a.w.",
]);

/// From these on a wording only gives examples.
pub const EXAMPLES: Words = Words::of(&[" e.g.", " eg ", " eg.", " for example", " such as", " i.e."]);

/// What a number behind them points at: "line 9".
pub const POINTERS: Words = Words::of(&["line", "row", "step", "statement", "cell"]);

/// Words that say nothing alone and everything in a comparison.
pub const COMPARING: Words = Words::of(&["more", "most", "same", "all", "both", "before", "under", "over"]);
