//! Rubrics: how they count, and what they ask for.

use crate::Words;

/// What a scale counts.
pub const COUNTED: Words = Words::of(&[
    "element", "piece", "point", "idea", "step", "detail", "fact", "reason", "feature", "example", "item",
]);

/// Begins an element that names nothing.
pub const OPEN_END: Words = Words::of(&["other ", "any other ", "accept "]);

/// Stems of what the marks on a scale are called.
pub const UNIT_STEMS: Words = Words::of(&["point", "mark", "score", "level", "pt"]);

/// Begins a line that heads others.
pub const HEADINGS: Words = Words::of(&["rubric", "score", "scoring", "key element", "other", "--"]);

/// Begins the unit of an amount of marks.
pub const AMOUNT: Words = Words::of(&["point", "mark"]);

/// The stem of what is counted where a line only says how many.
pub const ELEMENT_STEM: Words = Words::of(&["element"]);

/// Between two clauses that each say something.
pub const CLAUSE_JOINTS: Words = Words::of(&[" and ", " und ", " but ", " because ", " so that ", " while "]);

/// Marks for what only words can say are not implied by a number.
pub const IN_WORDS: Words = Words::of(&["reason", "explan", "justif", "interpret", "conclu", "theorem"]);

/// Before what earns marks.
pub const FOR: Words = Words::of(&["for "]);

/// What is to be done, and not what is to be said.
pub const SKILLS: Words = Words::of(&[
    "analysis",
    "evaluation",
    "application",
    "explanation",
    "discussion",
    "assessment",
    "consideration",
]);

/// The same inside a line.
pub const FOR_SKILLS: Words = Words::of(&[" for application ", " for analysis "]);

/// Behind the number of marks that is printed in a key.
pub const PRINTED_UNITS: Words =
    Words::of(&["p", "pt", "pts", "point", "points", "punkt", "punkte", "mark", "marks"]);

/// A line of a scale, as a counting rubric says it: what is worth how many marks.
pub fn scale_line(marks: impl std::fmt::Display, descriptor: &str) -> String {
    format!("{marks} marks: {descriptor}")
}
