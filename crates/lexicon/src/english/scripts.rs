//! What students write around their answers, and what stands on their sheets.

use crate::Words;

/// Words that begin a line which is about the script, not in it.
pub const ABOUT: Words = Words::of(&[
    "name",
    "class",
    "date",
    "page",
    "student",
    "candidate",
    "centre",
    "center",
    "school",
    "teacher",
    "form",
    "set",
    "total",
    "marks",
    "score",
    "subject",
    "paper",
    "grade",
    "year",
    "number",
    "signature",
    "id",
]);

/// Before the number of a page.
pub const PAGE: Words = Words::of(&["page", "pg", "p"]);

/// Between that and how many pages there are.
pub const OF: Words = Words::of(&["of"]);

/// Before what students fill in at the top of a sheet.
pub const NAMES: Words = Words::of(&["name", "class", "date", "student", "candidate"]);

/// Words that begin a note that an answer goes on elsewhere.
pub const GOES_ON: Words =
    Words::of(&["continued", "continues", "continue", "cont", "contd", "contin", "see", "go", "turn"]);

/// Words of such a note that say where.
pub const WHERE: Words = Words::of(&[
    "page", "pg", "pge", "p", "pp", "overleaf", "over", "back", "extra", "next", "sheet", "paper",
]);

/// Words that may stand between the two.
pub const BETWEEN: Words = Words::of(&["on", "at", "to", "in", "the", "of", "an", "answer", "a"]);

/// Such a note in one word.
pub const PTO: Words = Words::of(&["pto"]);

/// Begins the words that say it by themselves.
pub const CONTINUED_STEM: Words = Words::of(&["cont"]);

/// Before a label that is only spoken of.
pub const SPOKEN_OF: Words = Words::of(&["in", "part", "see", "from", "to", "of", "question", "like", "as"]);

/// Says before an answer that it goes on from elsewhere.
pub const CONTINUED: Words = Words::of(&["continued", "cont", "contd"]);

/// Before the number of the question that is answered.
pub const NUMBER_LEADS: Words = Words::of(&["answer", "answers", "ans", "to", "no", "number", "part"]);

/// Leads to that number and does not begin with it.
pub const TO: Words = Words::of(&["to"]);

/// May be glued to such a number.
pub const GLUED_LEADS: Words = Words::of(&["answer", "ans", "a", "#", "no."]);

/// May stand around the label of a chosen option.
pub const CHOICE_FILLERS: Words = Words::of(&[
    "the", "answer", "is", "option", "letter", "choice", "i", "choose", "think", "it", "its", "correct",
]);

/// Leads an answer.
pub const ANSWER_LEADS: Words = Words::of(&["answer", "ans", "answers", "a", "sol", "solution"]);

/// The one of them that is shortened with a point.
pub const SHORT_LEAD: Words = Words::of(&["ans"]);
