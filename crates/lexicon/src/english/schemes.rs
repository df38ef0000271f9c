//! Words of schemes around their answers.

use crate::Words;

/// The letter for marks in the codes of schemes: "2(3m)".
pub const CODE_UNIT: char = 'm';

/// The unit of marks that rows begin with in brackets.
pub const UNIT_OF_ROWS: &str = "credits";

/// Names a question where a number in brackets does so.
pub const PART_OF_GUIDE: &str = "Question";

/// Names what questions are counted within where a numeral alone does so.
pub const SECTION_OF_SCHEME: &str = "Exercise";

/// Begins what is said of each answer.
pub const EACH: Words = Words::of(&["each "]);

/// Before what earns marks, at the beginning of a sentence.
pub const FOR: &str = "For ";

/// Before the most marks that something earns.
pub const UP_TO: &str = "(up to ";

/// A point with its marks behind it, as schemes print it.
pub fn with_marks(said: &str, marks: impl std::fmt::Display) -> String {
    format!("{said} ({marks} marks)")
}

/// The name of a limit that a key gets where its scheme gives it none.
pub fn at_most(marks: impl std::fmt::Display) -> String {
    format!("max {marks}")
}

/// The name of a limit to so many of the points below it.
pub fn any_of(count: usize) -> String {
    format!("Any {count} from:")
}

/// The name of what steps earn where the final answer is not reached.
pub fn without_answer(steps: &str) -> String {
    format!("without the answer: {steps}")
}

/// What a step's mark is given for.
pub fn given_for(mark: &str, step: &str) -> String {
    format!("{mark} for {step}")
}

/// Begins a line behind which answers are only examples.
pub const EXAMPLE_HEADINGS: Words =
    Words::of(&["exemplar", "for example", "example", "correct code", "correct algorithm", "©"]);

/// Before an answer that shows what a level looks like, without its full stop.
pub const EXAMPLE_LEADS: Words = Words::of(&["eg", "e.g", "example"]);

/// Begins a line that heads a list of answers.
pub const LIST_HEADINGS: Words =
    Words::of(&["content", "components", "descriptions", "answers", "rationale", "marks"]);

/// Between two steps.
pub const STEP_JOINTS: Words = Words::of(&["or", "and", "then"]);

/// Between what goes for each other.
pub const OR: Words = Words::of(&["or"]);

/// Between the least and the most marks of a level.
pub const RANGE_JOINTS: Words = Words::of(&["–", "to"]);

/// Begins the unit of the marks of a level.
pub const MARK: Words = Words::of(&["mark"]);

/// Before the label of the right option.
pub const OPTION: &str = "option ";

/// Name the right option before its letter, as words for an answer do: "choice D".
pub const CHOSEN: Words = Words::of(&["choice", "option"]);

/// Stand between such a word and the letter: "the answer is thus D".
pub const COMING_TO: Words =
    Words::of(&["is", "as", "be", "therefore", "thus", "hence", "then", "must", "correct", "right"]);

/// Says of an option that it is wrong.
pub const EXCLUDING: Words =
    Words::of(&["is not", "incorrect", "is wrong", "cannot be", "rule out", "ruled out"]);

/// Begins a remark that may be a point itself.
pub const CREDIT: Words = Words::of(&["credit"]);

/// Begins any other remark.
pub const REMARKS: Words =
    Words::of(&["note", "award", "if ", "ecf", "do not", "penalise", "max", "e.g.", "for ", "sc ", "ft "]);

/// Between wordings of which each is as good, as they are printed.
pub const WORDING_SEPARATORS: Words = Words::of(&[" // ", "//", " OR ", " or else "]);

/// Before how many of the first answers count.
pub const FIRST: Words = Words::of(&["first"]);

/// Behind it.
pub const ONLY: Words = Words::of(&["only"]);

/// Between how many count and what they are chosen from.
pub const FROM: Words = Words::of(&["from"]);

/// May be named between the two.
pub const POINTS: Words = Words::of(&["points"]);

/// Before how many count of several.
pub const ANY: Words = Words::of(&["any"]);

/// Before the most marks.
pub const MOST: Words = Words::of(&["max", "maximum"]);

/// Behind a mark that comes on top of others.
pub const ADDITIONAL: Words = Words::of(&["additional", "extra", "further", "bonus"]);

/// What a bare number of marks counts, written out.
pub const MARK_SPELLED: &str = "marks";

/// Before a price, and between two.
pub const PRICE_JOINTS: Words = Words::of(&["award", "give", "and", "plus", "allow"]);

/// Begins what a credit is for: "Allow 1 credit for the name".
pub const CREDITING: Words = Words::of(&["allow", "award", "give", "credit"]);

/// What is given so.
pub const CREDITS: Words = Words::of(&["credit", "credits", "mark", "marks", "point", "points"]);

/// Between a credit and what it is for.
pub const CREDIT_FOR: &str = "for ";

/// Begins a note among credits.
pub const CREDIT_NOTE: &str = "note";

/// Begins the second line of a broken heading.
pub const FOLLOWING: Words = Words::of(&["following"]);

/// Ends its first line.
pub const ARTICLE: Words = Words::of(&["the"]);

/// Before a label that is only spoken of.
pub const SPOKEN_OF: Words = Words::of(&[
    "part", "question", "in", "from", "of", "to", "and", "or", "see", "by", "using", "with", "as",
]);

/// Before a verdict that belongs to a sentence.
pub const BEFORE_VERDICT: Words = Words::of(&["or", "and", "is", "are"]);

/// A line that sums up a question, without its numbers.
pub const QUESTION_TOTALS: [&[&str]; 2] = [&["question", "total"], &["total", "for", "question"]];

/// May stand among the numbers that tell how a cohort did.
pub const STATISTICS: Words = Words::of(&["average", "mean", "total"]);

/// Begins such a line.
pub const STATISTIC_LEADS: Words = Words::of(&["marks", "mark", "%", "percentage"]);

/// Alone on a line before another way to the same marks, in capitals.
pub const OR_ALONE: Words = Words::of(&["OR"]);

/// Names of the column of answers in two words, each of which alone may name another column.
pub const ANSWER_COLUMNS: [(Words, Words); 3] = [
    (Words::of(&["value", "marking", "answer", "key", "expected"]), Words::of(&["points"])),
    (Words::of(&["generic", "illustrative"]), Words::of(&["scheme"])),
    (Words::of(&["marking"]), Words::of(&["guidance", "notes"])),
];

/// Ends the name of the column of numbers: "Q.No."
pub const NUMBER_COLUMN: Words = Words::of(&[".no"]);

/// Alone on a line before another wording of the point above it.
pub const OTHER_WORDING: Words = Words::of(&["or", "alternatively", "alt"]);

/// Letters that some boards put before what is accepted, rejected and ignored, with the words they stand for.
pub const REMARK_LETTERS: [(&str, &str); 3] = [("A:", ACCEPTED), ("R:", REJECTED), ("I:", "ignore")];

/// Before another wording that earns a mark.
pub const ACCEPTED: &str = "accept";

/// Before what loses a mark.
pub const REJECTED: &str = "reject";

/// Begins, in square brackets, what loses a mark.
pub const NOT_LEADS: Words = Words::of(&["not:", "not accept:"]);
