//! Lists of short terms: "oxygen, water and carbon dioxide".

use lexicon::english::{joints, lists};
use std::ops::Range;

const SEPARATORS: [&str; 7] = [",", ";", "\n", joints::AND, joints::OR, " & ", "/"];

/// Longer items are sentences.
const ITEM_WORDS_MAX: usize = 4;

/// The items of a text that is a list of short terms; empty when it is prose.
pub fn items(answer: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    // Each is sought once through the whole answer: a list may have thousands of items.
    let all = SEPARATORS.iter().flat_map(|separator| answer.match_indices(separator));
    let mut cuts: Vec<(usize, usize)> = all.map(|(at, separator)| (at, separator.len())).collect();
    cuts.sort_unstable();
    let mut cuts = cuts.into_iter().peekable();
    let mut start = 0;
    while start < answer.len() {
        let rest = &answer[start..];
        while cuts.next_if(|(at, _)| *at < start).is_some() {}
        let (length, separator) =
            cuts.peek().map_or((rest.len(), 0), |(at, separator)| (at - start, *separator));
        let piece = &rest[..length];
        let plain = piece.trim_matches(|c: char| c.is_whitespace() || ".•-*".contains(c));
        let unnumbered = plain
            .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | '('))
            .trim_start();
        let text = if unnumbered.is_empty() { plain } else { unnumbered };
        if text.chars().any(char::is_alphanumeric) {
            let at = start + piece.find(text).unwrap_or(0);
            found.push(at..at + text.len());
        }
        start += length + separator;
    }
    let is_term = |item: &Range<usize>| {
        let words: Vec<String> = answer[item.clone()].split_whitespace().map(str::to_lowercase).collect();
        words.len() <= ITEM_WORDS_MAX && !words.iter().any(|word| lists::SENTENCE_WORDS.has(word))
    };
    if found.len() > 1 && found.iter().all(is_term) { found } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_cut_into_their_items() {
        let read = |answer: &'static str| -> Vec<&str> {
            items(answer).into_iter().map(|item| &answer[item]).collect()
        };
        assert_eq!(read("oxygen, water and carbon dioxide"), ["oxygen", "water", "carbon dioxide"]);
        assert_eq!(read("1. oxygen\n2. water"), ["oxygen", "water"]);
        assert!(read("because the particles move faster, they collide more often and react").is_empty());
        assert!(read("oxygen").is_empty());
    }
}
