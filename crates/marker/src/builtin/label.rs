//! Results by name: of "median = 18, range = 7" the key "range = 7" looks at its own.

use crate::words::{Token, fold, tokens};
use lexicon::english::{joints, numbers};
use std::ops::Range;

/// The stretch of an answer that states the result of this name, from its name to the end of its statement.
pub(crate) fn stretch_of(answer: &str, name: &str) -> Option<Range<usize>> {
    let mut start = 0;
    let mut found = None;
    for piece in answer.split_inclusive(['\n', ';', ',']) {
        let span = start..start + piece.trim_end_matches(['\n', ';', ',']).len();
        start += piece.len();
        if states(&answer[span.clone()], name) {
            found = Some(span);
        }
    }
    found
}

/// "so t = 22, year 2022": the answer's last piece, where nothing but words that the question asks with stands before its
/// number. "3, or maybe 5" names nothing.
pub(crate) fn named_last(answer: &str, is_asked: impl Fn(&Token) -> bool) -> Option<Range<usize>> {
    let start = answer.rfind([',', ';', '\n'])? + 1;
    let piece = &answer[start..];
    let number = piece.find(|c: char| c.is_ascii_digit())?;
    let name = tokens(piece[..number].trim_end_matches(['-', '$', '£', '€', ' ']));
    (!name.is_empty() && name.iter().all(is_asked)).then_some(start..answer.len())
}

/// "median = 18", "the median is 18", "median: 18".
fn states(piece: &str, name: &str) -> bool {
    let Some(sign) = piece.find(['=', ':']).or_else(|| piece.find(joints::IS)) else { return false };
    let subject = fold(&piece[..sign]);
    let subject = subject.trim();
    let ends = subject == name || subject.strip_suffix(name).is_some_and(|before| before.ends_with(' '));
    ends || numbers::NAMED_VALUE
        .before(subject)
        .map(str::trim_end)
        .is_some_and(|before| before.ends_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_found_by_their_names() {
        let answer = "the median is 18\nrange = 7";
        assert_eq!(stretch_of(answer, "range").map(|span| &answer[span]), Some("range = 7"));
        assert_eq!(stretch_of(answer, "median").map(|span| &answer[span]), Some("the median is 18"));
        assert_eq!(stretch_of(answer, "mode"), None);
        let last =
            |answer: &'static str| named_last(answer, |word| word.folded == "year").map(|span| &answer[span]);
        assert_eq!(last("so t = 22, year 2022"), Some(" year 2022"));
        assert_eq!((last("3, or maybe 5"), last("3, 5"), last("22, year")), (None, None, None));
    }
}
