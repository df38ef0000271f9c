//! Lines of a scheme that head others or speak to examiners.

use crate::Words;

/// A heading when it stands alone on its line.
pub const ALONE: Words = Words::of(&[
    "answer",
    "answers",
    "content",
    "rationale",
    "question",
    "notes",
    "note",
    "points",
    "exemplar",
    "exemplars",
    "examples",
    "marks",
    "eq",
    "oe",
    "ecf",
    "ofr",
]);

/// Begins a line that speaks to examiners.
pub const ADDRESSED: Words = Words::of(&[
    "an explanation that links",
    "an answer that links",
    "an answer that makes reference",
    "an explanation that makes reference",
    "a description that",
    "award one mark for each",
    "award 1 mark for each",
    "one mark for each",
    "total for question",
    "indicative content",
    "a correct definition should",
    "no creditable",
    "correct answer with or without",
]);

/// A line of nothing but these, numbers and words without meaning speaks of marks.
pub const ABOUT_MARKS: Words = Words::of(&[
    "per",
    "appropriate",
    "reason",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "answer",
    "answers",
    "content",
    "knowledge",
    "application",
    "analysis",
    "evaluation",
    "marks",
    "mark",
    "rationale",
    "exemplar",
    "exemplars",
    "examples",
    "notes",
    "note",
    "award",
    "awarded",
    "creditable",
    "credit",
    "partial",
    "vague",
    "unfocused",
    "definition",
    "correct",
    "question",
    "total",
    "points",
    "following",
    "point",
    "elements",
    "element",
    "common",
    "guidance",
    "additional",
    "scheme",
    "max",
    "maximum",
    "available",
    "no",
    "level",
    "expected",
]);

/// Says in either case that examples follow: "Example", "exemplar example".
pub const EXAMPLE: Words = Words::of(&["xample"]);

/// Heads students' answers that show what others earned.
pub const OTHERS_ANSWERS: Words = Words::of(&["exemplar", "common answers", "common incorrect answers"]);
