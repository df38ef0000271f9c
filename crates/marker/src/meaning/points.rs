//! Splits a model answer into the separate things that it says.

use crate::words::tokens;
use lexicon::english::rubrics;

/// A model answer says no more separate things than this.
const POINTS_MAX: usize = 24;
/// Fewer words than this say nothing by themselves and stay with their neighbour.
const WORDS_MIN: usize = 2;

/// The separate things that a model answer says: its lines and sentences, or the clauses of its only sentence.
pub(super) fn of_reference(text: &str) -> Vec<&str> {
    let sentences = split(text, is_sentence_end);
    if sentences.len() > 1 {
        return sentences;
    }
    let clauses = split(text, |rest, c| is_sentence_end(rest, c) || matches!(c, ',' | ':'));
    let clauses: Vec<&str> = clauses.iter().flat_map(|clause| halves(clause)).collect();
    if clauses.is_empty() { vec![text] } else { bounded(clauses) }
}

fn is_sentence_end(rest: &str, c: char) -> bool {
    match c {
        '\n' | ';' | '!' | '?' | '•' | '。' | '；' | '！' | '？' | '؟' | '؛' => true,
        // A point inside a number or an abbreviation ends nothing.
        '.' => rest.is_empty() || rest.starts_with(char::is_whitespace),
        _ => false,
    }
}

fn split(text: &str, ends: impl Fn(&str, char) -> bool) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let after = at + c.len_utf8();
        if ends(&text[after..], c) && tokens(&text[start..at]).len() >= WORDS_MIN {
            parts.push(text[start..at].trim());
            start = after;
        }
    }
    if tokens(&text[start..]).len() >= WORDS_MIN {
        parts.push(text[start..].trim());
    }
    bounded(parts)
}

/// "A and B" says two things when both sides say enough.
fn halves(clause: &str) -> Vec<&str> {
    const ENOUGH: usize = 3;
    for joint in rubrics::CLAUSE_JOINTS.iter() {
        if let Some((before, after)) = clause.split_once(joint) {
            let says_enough =
                |text: &str| tokens(text).iter().filter(|token| token.is_content()).count() >= ENOUGH;
            if says_enough(before) && says_enough(after) {
                return vec![before, after];
            }
        }
    }
    vec![clause]
}

fn bounded(mut parts: Vec<&str>) -> Vec<&str> {
    parts.truncate(POINTS_MAX);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_sentences_and_clauses_are_separate_points() {
        assert_eq!(of_reference("Heat rises. Cold air sinks.").len(), 2);
        assert_eq!(of_reference("The plant takes in carbon dioxide and gives off fresh oxygen gas").len(), 2);
        assert_eq!(of_reference("Temperature at 3.5 degrees"), ["Temperature at 3.5 degrees"]);
        assert_eq!(of_reference(""), [""]);
    }
}
