//! Words that papers print around their questions.

use crate::Words;

/// Alone on a line between two of which one is to be answered, as it is printed.
pub const OR: Words = Words::of(&["OR", "Or"]);

/// Put before a number, it heads a section.
pub const SECTION: &str = "Section";

/// Before how many of several.
pub const ANY: Words = Words::of(&["any"]);

/// Asks to answer some of several.
pub const CHOOSING: Words =
    Words::of(&["answer", "attempt", "do", "write", "solve", "choose", "notes", "explain", "describe"]);

/// What a question with a choice inside it offers: "only one of the alternatives in such questions".
pub const ALTERNATIVES: Words = Words::of(&["alternative", "alternatives"]);

/// Spreads what is asked over what follows.
pub const FOLLOWING: Words = Words::of(&["following"]);

/// In the words that say that a question goes on.
pub const CONTINUED_STEM: Words = Words::of(&["contin"]);

/// Ends a line that is printed for whoever turns the page.
pub const TURN_OVER: Words = Words::of(&["turn over"]);

/// Ends a part of a paper, in capitals.
pub const STOP: Words = Words::of(&["STOP"]);

/// Begins a line that ends a part of a document, in capitals.
pub const END_OF: [&str; 2] = ["END", "OF"];

/// Heads the sources of a document's pictures and texts.
pub const ACKNOWLEDGEMENTS: Words = Words::of(&[
    "acknowledgement",
    "acknowledgements",
    "acknowledgments",
    "copyright acknowledgement",
    "copyright acknowledgements",
    "copyright acknowledgments",
    "copyright information",
]);

/// Begins an address of the web.
pub const ADDRESSES: Words = Words::of(&["http://", "https://", "www."]);

/// Stands in the line that says what company publishes.
pub const COMPANY: Words = Words::of(&[
    "registered company number",
    "registered in england",
    "registered office",
    "registered charity",
]);

/// Ends or begins what counts marks.
pub const MARKS: Words = Words::of(&["marks"]);

/// Stands glued to a question's number, in many languages: "Exercice n°1".
pub const NUMBER_SIGNS: Words = Words::of(&["n°", "nº", "n.º", "n.°", "№", "no.", "nr."]);

/// Between what was earned, or nothing, and the most that can be: "Marked out of 2.00".
pub const OUT_OF: Words = Words::of(&["out of "]);

/// Says of a question what it is out of.
pub const IS_OUT_OF: Words = Words::of(&["is out of ", "out of "]);

/// Glued to a number of marks: "10M".
pub const MARK_CAPITAL: char = 'M';

/// What true and false, right and wrong, yes and no begin with where a letter stands for each, in many languages.
pub const VERDICT_CAPITALS: [char; 9] = ['V', 'T', 'R', 'P', 'S', 'J', 'Y', 'F', 'N'];

/// Begins such a line.
pub const MARKED: Words = Words::of(&["marked", "mark", "marks", "points", "score", "graded", "grade"]);

/// Stands in a line about a question that goes on elsewhere.
pub const CONTINUES_ON: Words = Words::of(&["continues on"]);

/// Before the number of the question whose marks are stated.
pub const NUMBERED: Words = Words::of(&["question", "q"]);

/// Says of marks that they are those of the whole.
pub const WHOLE: Words = Words::of(&["paper"]);

/// Before questions of which none is left out.
pub const DEFINITE: Words = Words::of(&["this", "the"]);

/// Before what earns marks each.
pub const CORRECT: Words = Words::of(&["correct"]);

/// Says what an answer earns: "A correct answer scores 1."
pub const SCORES: Words = Words::of(&["scores", "earns", "gets", "receives"]);

/// Says that something is worth marks.
pub const CARRY: Words = Words::of(&["carry"]);
