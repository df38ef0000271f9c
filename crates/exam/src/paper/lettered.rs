//! "Part A" and "Part B" within each question: parts, though the same words name sections elsewhere.

use crate::flow::Line;
use crate::labels;
use crate::marks::{self, Certainty};

/// A document that names its first part so often does not name sections.
const OFTEN: usize = 3;
/// A heading is no longer, in words.
const HEADING: usize = 8;

/// For each line, whether it heads a part of a question.
pub(super) fn find(lines: &[Line<'_>]) -> Vec<bool> {
    // Sections are named again and again on a cover; parts print their marks.
    let value = |line: &Line<'_>| {
        let texts = line.texts();
        let label = labels::parse_lettered_part(&texts)?;
        let marked = marks::at_end(&texts).is_some_and(|note| note.certainty == Certainty::Sure);
        (line.words.len() <= HEADING && marked).then_some(label.tokens[0].value)
    };
    let values: Vec<Option<u32>> = lines.iter().map(value).collect();
    let counts = |letter: u32| values.iter().filter(|value| **value == Some(letter)).count();
    let often = counts(1) >= OFTEN && counts(2) >= OFTEN - 1;
    values.iter().map(|value| often && value.is_some()).collect()
}
