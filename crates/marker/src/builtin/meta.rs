//! Lines of a scheme that speak to examiners and say nothing that an answer could say.

use crate::words::tokens;

/// True for a heading or an instruction that was read as a point: "Rationale Marks", "Answer", "One mark for:".
pub(crate) fn is_meta(wording: &str) -> bool {
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
        return HEADINGS.contains(only) || wording.trim().ends_with(':');
    }
    let lower = wording.trim().to_lowercase();
    // "advantages:" heads what follows; a line of the page's foot is nobody's point.
    if (lower.ends_with(':') && folded.len() <= HEADING_WORDS_MAX) || lower.starts_with('©') {
        return true;
    }
    let addressed = STARTS.iter().any(|start| lower.starts_with(start));
    let content: Vec<&&str> = folded.iter().filter(|word| !crate::words::is_stop_word(word)).collect();
    let speaks_of_marks =
        content.iter().all(|word| WORDS.contains(*word) || word.bytes().all(|byte| byte.is_ascii_digit()));
    addressed || (speaks_of_marks && content.iter().any(|word| WORDS.contains(*word)))
}

/// A longer line that ends with a colon says something before it.
const HEADING_WORDS_MAX: usize = 4;

const HEADINGS: [&str; 16] = [
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
];

const STARTS: [&str; 13] = [
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
];

const WORDS: [&str; 50] = [
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
];

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
        ] {
            assert!(is_meta(meta), "{meta}");
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
        ] {
            assert!(!is_meta(point), "{point}");
        }
    }
}
