//! Words around numbers, in schemes and in answers.

use crate::Words;

/// What says that a value is rounded: anything that rounds to it is right.
pub const ROUNDING: Words = Words::of(&[
    "awrt",
    "anything that rounds to",
    "answers which round to",
    "approximately",
    "approx",
    "about",
    "around",
    "roughly",
    "≈",
    "~",
]);

/// What schemes put around a number and do not ask for.
pub const NOTES: Words = Words::of(&[
    "any value or range",
    "any value",
    "any number",
    "any",
    "value",
    "values",
    "answer",
    "in the range",
    "range",
    "inclusive",
    "from",
    "between",
    "only",
    "cao",
    "cso",
    "www",
    "oe",
    "isw",
    "with units",
    "with unit",
    "correct",
    "final",
    "gains",
    "is",
    "exactly",
    "accept",
    "allow",
]);

/// Before the value that a scheme expects to be read off.
pub const EXPECTED: Words = Words::of(&["expected value", "expected answer"]);

/// Between what a scheme says of a number and the values that it takes.
pub const TAKEN: Words = Words::of(&[", accept ", "; accept ", ", allow ", "; allow "]);

/// Before the two ends of a range.
pub const BETWEEN: Words = Words::of(&["between"]);

/// Between a value and how far it may be off.
pub const PLUS_OR_MINUS: Words = Words::of(&["±", "+/-", "+ or -", "plus or minus"]);

/// Between the two ends of a range.
pub const RANGE_JOINTS: Words = Words::of(&["to", "-", "and", "...", "<"]);

/// Right before a number that is more than the value.
pub const BELOW: Words = Words::of(&[
    "less than",
    "fewer than",
    "smaller than",
    "lower than",
    "below",
    "at most",
    "not quite",
    "nearly",
    "<",
    "≤",
]);

/// Right before a number that is less than the value.
pub const ABOVE: Words =
    Words::of(&["more than", "greater than", "larger than", "higher than", "above", "at least", ">", "≥"]);

/// Right behind decimals that go on for ever.
pub const RECURRING: Words = Words::of(&["...", " recurring", " rec", "\u{307}", "r "]);

/// Words that multiply the number before them.
pub const MULTIPLES: [(&str, f64); 3] = [("hundred", 100.0), ("thousand", 1e3), ("million", 1e6)];

/// The same behind a number in figures.
pub const MULTIPLES_OF_FIGURES: [(&str, f64); 3] = [("thousand", 1e3), ("million", 1e6), ("billion", 1e9)];

/// None at all, as a number.
pub const ZERO: Words = Words::of(&["zero"]);

/// Right behind a number of hundredths.
pub const PERCENT: Words = Words::of(&["%", "(%)", "percent", "per cent"]);

/// Right before a number below zero.
pub const MINUS: Words = Words::of(&["minus", "negative"]);

/// Between the parts of one quantity in two units: "3 h 20 min".
pub const COMPOUND_JOINTS: Words = Words::of(&["", "and", ",", "&"]);

/// With these a line begins that gives the final answer.
pub const ANNOUNCING: Words = Words::of(&["answer", "ans", "final"]);

/// Among what stands between the ends of a span.
pub const SPAN: Words = Words::of(&["to"]);

/// Between numbers of which each is offered as the answer.
pub const OFFERED: Words = Words::of(&["or", "/", "and", ",", "&", "?", "or maybe", "and/or"]);

/// From these on a wording gives examples and limits, and numbers that nobody needs to say.
pub const NOT_NEEDED: Words = Words::of(&["e.g.", " eg ", "example", "such as", "up to", "max"]);

/// May stand behind the name of a result.
pub const NAMED_VALUE: Words = Words::of(&["value"]);

/// Right behind how many figures a result was rounded to.
pub const FIGURES: Words =
    Words::of(&["s.f", "sf", "s. f", "sig", "significant", "d.p", "dp", "d. p", "decimal place", "decimals"]);

/// Between working and what follows from it, in answers.
pub const CONCLUDING: Words = Words::of(&[
    " so ",
    " therefore ",
    " hence ",
    " thus ",
    " giving ",
    " i.e. ",
    " ie ",
    " which is ",
    " that is ",
    " donc ",
    " soit ",
    " dus ",
    " alltså ",
    " czyli ",
    " więc ",
    " quindi ",
    " logo ",
    " portanto ",
    " luego ",
]);

/// Right before how many figures a value has.
pub const ROUNDED_TO: Words = Words::of(&["to", "correct to", "in"]);
