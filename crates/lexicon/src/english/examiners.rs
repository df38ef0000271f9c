//! What schemes say to examiners in the place of a point: "Any valid scenario.", "Good description - clear information".

use crate::Words;

/// Those whose answers a report tells of.
pub const STUDENTS: Words = Words::of(&["students", "candidates", "pupils", "learners"]);

/// How many of them.
pub const HOW_MANY: Words =
    Words::of(&["most", "many", "some", "few", "several", "all", "stronger", "weaker", "better", "high"]);

/// What they did or should do.
pub const STUDENTS_DID: Words = Words::of(&[
    "should",
    "must",
    "need",
    "needed",
    "were",
    "often",
    "who",
    "generally",
    "did",
    "had",
    "found",
    "could",
    "answered",
    "struggled",
    "performed",
    "tended",
    "frequently",
    "commonly",
    "responded",
    "scored",
]);

/// Speaks of marking, of answers in general or of their worth.
pub const MARKING: Words = Words::of(&[
    "mark",
    "marks",
    "marked",
    "award",
    "awarded",
    "credit",
    "credited",
    "creditable",
    "accept",
    "acceptable",
    "response",
    "responses",
    "candidate",
    "candidates",
    "understanding",
    "valid",
    "correct",
    "correctly",
    "incorrect",
    "explanation",
    "explanations",
    "description",
    "descriptions",
    "elaboration",
    "elaborations",
    "justification",
    "maximum",
    "max",
]);

/// Stands beside those in such a line, and says nothing of a subject by itself.
pub const BESIDE: Words = Words::of(&[
    "about",
    "additional",
    "almost",
    "another",
    "answer",
    "answers",
    "applicable",
    "appropriate",
    "attempt",
    "best",
    "better",
    "brief",
    "capped",
    "clear",
    "clearly",
    "column",
    "complete",
    "decision",
    "demonstrated",
    "demonstration",
    "detailed",
    "developed",
    "development",
    "distinct",
    "excellent",
    "example",
    "examples",
    "fair",
    "final",
    "first",
    "following",
    "full",
    "fully",
    "further",
    "good",
    "half",
    "include",
    "included",
    "includes",
    "information",
    "lacking",
    "limited",
    "merit",
    "merits",
    "minor",
    "part",
    "partial",
    "partially",
    "per",
    "point",
    "pointer",
    "pointers",
    "points",
    "poor",
    "possible",
    "question",
    "reason",
    "reasonable",
    "reasons",
    "relevant",
    "required",
    "right",
    "row",
    "scenario",
    "second",
    "sensible",
    "similar",
    "some",
    "stated",
    "step",
    "steps",
    "student",
    "students",
    "suggestion",
    "suggestions",
    "suitable",
    "supporting",
    "third",
    "total",
    "two",
    "value",
    "values",
    "three",
    "four",
    "one",
    "very",
    "weak",
    "well",
    "written",
    "zero",
]);

/// Begins a line that lets in what the scheme does not list: "or any other relevant task".
pub const OPEN_ENDS: Words = Words::of(&[
    "any other",
    "any similar",
    "any valid",
    "any relevant",
    "any suitable",
    "any reasonable",
    "any sensible",
    "any appropriate",
    "any acceptable",
    "any correct",
    "accept any",
    "all other valid",
    "other valid",
    "other relevant",
    "other suitable",
    "other appropriate",
    "other acceptable",
    "other reasonable",
    "other sensible",
]);

/// May stand before such a beginning.
pub const OPEN_LEADS: Words = Words::of(&["or ", "and ", "also ", "plus "]);

/// Says how far marks go: "to a maximum of 2 marks".
pub const LIMITS: Words =
    Words::of(&["to a maximum of", "up to a maximum", "award a maximum", "marks are capped"]);

/// Begins a sentence about how far marks go in one case: "Maximum of 2 marks if only one side is considered".
pub const CONDITIONS: Words = Words::of(&["maximum of ", "max of ", "maximum ", "max ", "no more than "]);

/// Begins what rules how answers are marked and is no answer itself: "Correct answer without working = 2."
pub const RULINGS: Words = Words::of(&[
    "correct answer without",
    "full marks for correct answer",
    "full marks for the correct answer",
    "own figure rule",
    "correct answer only",
    "correct answer alone",
    "correct final answer",
    "an answer of ",
    "reverse argument",
    "converse argument",
    "mark as a whole",
    "(mark as a whole",
    "mark holistically",
    "marked holistically",
    "note: ",
    "notes: ",
    "n.b. ",
    "do not penalise",
    "penalise ",
    "figures must ",
    "must refer ",
    "must be clear",
    "must follow the order",
    "this question tests ",
    "for each question, use ",
    "for this question, use ",
    "this question assesses ",
    "not “",
    "not ‘",
]);

/// Names the values that are taken, where two follow: "Range: 3.49 to 3.51". One value is a range itself.
pub const RANGE: Words = Words::of(&["range:"]);

/// Begins what holds in one case only: "If the first answer is wrong: max. 1/4."
pub const IF: Words = Words::of(&["if"]);

/// Follows a limit that holds in one case only: "Max 3 if no process is named".
pub const CASES: Words = Words::of(&["if", "for", "when", "where", "unless", "without"]);

/// Heads a paragraph that says what each mark is for: "Grading: 1 point for the sign".
pub const GRADING: Words =
    Words::of(&["grading", "marking", "scoring", "rubric", "points", "marks", "credit"]);

/// Stands between marks and what they are for: "1 point is earned for the units".
pub const EARNED: Words = Words::of(&["is", "are", "earned", "awarded", "given", "allocated"]);

/// Ends what heads a list of points: "that links the following three points".
pub const POINTS_NAMED: Words =
    Words::of(&["following", "points", "point", "reasons", "ways", "steps", "ideas", "statements"]);

/// Names what is assessed in schemes that give marks for it: "for analysis of the causes".
pub const OBJECTIVES: Words = Words::of(&[
    "analysis",
    "application",
    "assessment",
    "conclusion",
    "discussion",
    "evaluation",
    "judgement",
    "knowledge",
    "leading",
    "note",
]);

/// Begins what examples or answers follow: "Possible responses include:".
pub const ANNOUNCEMENTS: Words = Words::of(&[
    "answers could include",
    "answers may include",
    "points that may be included",
    "possible response",
    "possible answer",
    "acceptable response",
    "acceptable answer",
    "suggested answer",
    "suggested response",
    "sample answer",
    "model answer",
    "indicative content",
    "e.g.",
    "eg.",
    "for example:",
]);
