//! What a question asks of the form of its answer.

use crate::Words;

/// A form that cannot be made simpler.
pub const SIMPLEST: Words = Words::of(&[
    "simplest form",
    "lowest terms",
    "simplest terms",
    "simplify your answer",
    "simplest possible",
]);

/// A fraction.
pub const FRACTION: Words = Words::of(&[
    "as a fraction",
    "as a single fraction",
    "as a simplified fraction",
    "as an improper fraction",
]);

/// An exact value.
pub const EXACT: Words = Words::of(&["exactly", "exact ", "in terms of π", "in terms of pi", "in surd form"]);

/// "Show your working" is advice: a right result still implies it. These are conditions.
pub const WORKING: Words = Words::of(&[
    "show that",
    " prove ",
    "must show",
    "verify that",
    "show full working",
    "show all your working",
    "show all working",
    "no marks will be given for answers without",
]);

/// A formula or an equation in symbols.
pub const SYMBOLS: Words = Words::of(&[
    "symbol equation",
    "balanced equation",
    "ionic equation",
    "half equation",
    "half-equation",
    "formula",
    "write the equation",
    "chemical equation",
]);

/// Something in chemistry.
pub const CHEMICAL: Words = Words::of(&[
    "chemical",
    "ionic",
    "half-equation",
    "half equation",
    "state symbol",
    "balance",
    "formula of",
    "formula for",
    " ion ",
    " ion.",
    " ions",
    "compound",
    "reaction",
    "oxide",
    "acid",
    "ion formed",
]);

/// A time of day.
pub const TIME_OF_DAY: Words = Words::of(&[
    "what time",
    "at what time",
    "time does",
    "o'clock",
    "a.m.",
    "p.m.",
    "arrival time",
    "departure time",
]);

/// Before the number of things that are asked for.
pub const ASKING: Words = Words::of(&[
    "give",
    "state",
    "name",
    "list",
    "identify",
    "suggest",
    "describe",
    "write down",
    "explain",
    "any",
    "outline",
    "select",
    "tick",
    "circle",
]);

/// Behind a number of significant figures.
pub const FIGURES: Words = Words::of(&["significant figure", "sig fig", "s.f.", " sf"]);

/// Behind a number of decimal places.
pub const PLACES: Words = Words::of(&["decimal place", "d.p.", " dp"]);

/// A whole number.
pub const WHOLE_NUMBER: Words = Words::of(&["nearest whole number", "nearest integer"]);

/// A whole number with a fraction.
pub const MIXED_NUMBER: Words = Words::of(&["mixed number"]);

/// A decimal.
pub const DECIMAL: Words = Words::of(&["as a decimal"]);

/// A power of ten with its factor.
pub const STANDARD_FORM: Words = Words::of(&["standard form", "scientific notation", "standard index form"]);

/// A product.
pub const FACTORISED: Words = Words::of(&["factorise", "factorize", "factor completely", "factored form"]);

/// A sum.
pub const EXPANDED: Words = Words::of(&["expand", "multiply out", "simplify"]);

/// A product of primes.
pub const PRIME_FACTORS: Words = Words::of(&["product of prime", "product of its prime"]);

/// State symbols.
pub const STATE_SYMBOLS: Words = Words::of(&["state symbol"]);

/// Only what is missing in something printed.
pub const COMPLETING: Words = Words::of(&["complete the"]);

/// Begins a question that asks for a proof.
pub const PROOF: Words = Words::of(&["prove"]);

/// A percentage.
pub const PERCENTAGE: Words = Words::of(&["percentage", "per cent", "percent"]);

/// Before the step to which an answer is to be rounded.
pub const NEAREST: &str = "nearest ";

/// Steps to round to, by their names.
pub const STEPS: [(&str, f64); 12] = [
    ("ten", 10.0),
    ("hundred", 100.0),
    ("thousand", 1000.0),
    ("million", 1e6),
    ("tenth", 0.1),
    ("hundredth", 0.01),
    ("cent", 0.01),
    ("penny", 0.01),
    ("pence", 0.01),
    ("dollar", 1.0),
    ("pound", 1.0),
    ("degree", 1.0),
];

/// Before the unit in which an answer is asked for.
pub const IN: &str = "in ";

/// May stand between what asks and the number of things that are asked for.
pub const THE: &str = "the ";

/// Words for gaps.
pub const GAPS: Words = Words::of(&["complete the", "fill in", "fill the", "missing word", "gaps"]);

/// Right behind a word for drawing that draws nothing: "draw a conclusion".
pub const DRAWN_IN_THOUGHT: Words = Words::of(&[
    "conclusion",
    "conclusions",
    "inference",
    "inferences",
    "comparison",
    "comparisons",
    "distinction",
    "distinctions",
    "parallels",
    "attention",
]);

/// Asks for something that may as well be written.
pub const CONSTRUCTING: Words = Words::of(&["construct a"]);

/// What is constructed in words or signs: "construct a 95% confidence interval".
pub const CONSTRUCTED_IN_WORDS: Words = Words::of(&[
    "interval",
    "proof",
    "argument",
    "sentence",
    "query",
    "hypothesis",
    "formula",
    "expression",
    "equation",
    "counterexample",
    "function",
    "grammar",
    "class",
]);

/// Words may stand in a drawing's place: "(or write the sequence with times)".
pub const WRITTEN_INSTEAD: Words = Words::of(&[
    "or write",
    "or describe",
    "or state",
    "or list",
    "or explain in words",
    "or in words",
    "may be written",
    "instead of a drawing",
    "instead of drawing",
]);

/// Right before a word that names a thing: "a plot", "the sketch".
pub const NOUN_LEADS: Words = Words::of(&[
    "a", "an", "the", "this", "that", "each", "every", "one", "his", "her", "its", "their", "your", "my",
    "of", "in", "from",
]);
