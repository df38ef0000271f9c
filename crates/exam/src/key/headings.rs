//! Lines of a scheme that speak to examiners and say nothing that an answer could say.

use lexicon::english::{code, headings};
use signs::words::{is_stop_word, tokens};

/// True for a heading or an instruction that was read as a point: "Rationale Marks", "Answer", "One mark for:".
pub(super) fn is_heading(wording: &str) -> bool {
    let wording = without_leading_mark(wording);
    let states_value = wording.rsplit_once('=').is_some_and(|(_, value)| {
        value.trim_start_matches([' ', ']', ')']).starts_with(|c: char| c.is_ascii_digit())
    });
    if states_value {
        return false;
    }
    let words = tokens(wording);
    if words.is_empty() {
        return !wording.chars().any(|c| "<>=≤≥+*/√∞%°✓✗".contains(c) || c.is_alphanumeric());
    }
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    if let [only] = folded.as_slice() {
        return headings::ALONE.has(only) || wording.trim().ends_with(':');
    }
    if is_bracketed(wording.trim()) {
        return true;
    }
    let lower = wording.trim().to_lowercase();
    // "advantages:" heads what follows; a line of the page's foot is nobody's point.
    if (lower.ends_with(':') && folded.len() <= HEADING_WORDS_MAX) || lower.starts_with('©') {
        return true;
    }
    let addressed = headings::ADDRESSED.begin(&lower);
    let content: Vec<&&str> = folded.iter().filter(|word| !is_stop_word(word)).collect();
    let speaks_of_marks = content
        .iter()
        .all(|word| headings::ABOUT_MARKS.has(word) || word.bytes().all(|byte| byte.is_ascii_digit()));
    addressed || (speaks_of_marks && content.iter().any(|word| headings::ABOUT_MARKS.has(word)))
}

/// "[1] No": what stands behind the mark.
pub(super) fn without_leading_mark(text: &str) -> &str {
    let inner = text.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let is_mark = |mark: &str| !mark.is_empty() && mark.bytes().all(|byte| byte.is_ascii_digit());
    inner
        .filter(|(mark, rest)| is_mark(mark) && !rest.trim().is_empty())
        .map_or(text, |(_, rest)| rest.trim_start())
}

/// "(in plants)": what examiners put in brackets need not be said, and a line that is nothing else says for what the others
/// are given.
pub(super) fn is_bracketed(wording: &str) -> bool {
    let inner = wording.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.is_some_and(|inner| inner.chars().all(|c| c.is_alphabetic() || c == ' '))
}

/// A longer line that ends with a colon says something before it; a longer heading says more than that examples follow.
const HEADING_WORDS_MAX: usize = 4;

/// True for a whole program: below points that are worth all the marks it shows how they may be earned.
pub(super) fn is_program(text: &str) -> bool {
    /// Shorter ones may be a line that is asked for.
    const WORDS_MIN: usize = 12;
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let blocks = words.iter().filter(|word| code::BLOCKS.has(&word.to_lowercase())).count();
    let signs = text.matches(['=', '(', '←', '[']).count();
    words.len() >= WORDS_MIN && blocks >= 2 && signs >= 3
}

/// True for the heading of students' answers that a key shows below its points: "Exemplar  Mark  Rationale".
pub(super) fn heads_examples(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let is_short = lower.split_whitespace().count() <= HEADING_WORDS_MAX;
    is_short && headings::OTHERS_ANSWERS.begin(&lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_told_from_points() {
        for meta in [
            "Answer",
            "Rationale Marks",
            "A correct definition 2",
            "No creditable content 0",
            "One mark for:",
            "Total for Question",
            "−",
            "Knowledge Marks",
            "An explanation that links the following three points",
            "Common answers",
            "(in the second trial)",
        ] {
            assert!(is_heading(meta), "{meta}");
        }
        for point in [
            "evaluation",
            "the point of contact",
            "4",
            "CO2",
            "total revenue falls",
            "level of the liquid rises",
            "correct unit: N",
            ">",
            "knowledge of results",
            "[Total =] 1722",
            "(the) rate falls",
            "(it) rises (again)",
            "[1] No",
        ] {
            assert!(!is_heading(point), "{point}");
        }
    }

    #[test]
    fn students_answers_are_told_from_examples_that_earn() {
        assert!(heads_examples("Common answers") && heads_examples("Exemplar Mark Rationale"));
        assert!(!heads_examples("Example:") && !heads_examples("common salt"));
        assert!(!heads_examples("Common answers that earn nothing here"));
        let program =
            "total = 0 for i = 0 to 9 if list[i] > 5 then total = total + list[i] endif endfor print(total)";
        assert!(is_program(program));
        assert!(!is_program(
            "uses a for loop that ends at 9 and an if that is closed with endif, endfor (1) = correct"
        ));
        assert!(!is_program("endif endwhile = ( ["));
    }
}
