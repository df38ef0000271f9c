//! From bytes of an answer in one form back to the words that the student wrote.

use crate::answer::{Answer, WordRange};
use signs::form::Normal;
use std::ops::Range;

/// The words of the original answer under each of these bytes, ranges that touch joined.
pub(crate) fn words_under(normal: &Normal, answer: &Answer, spans: &[Range<usize>]) -> Vec<WordRange> {
    let mut found: Vec<WordRange> =
        spans.iter().filter_map(|span| word_range(normal, answer, span)).collect();
    found.sort_unstable();
    let mut joined: Vec<WordRange> = Vec::with_capacity(found.len());
    for range in found {
        match joined.last_mut() {
            Some(last) if range.from <= last.to => last.to = last.to.max(range.to),
            _ => joined.push(range),
        }
    }
    joined
}

fn word_range(normal: &Normal, answer: &Answer, span: &Range<usize>) -> Option<WordRange> {
    if span.is_empty() {
        return None;
    }
    let first = normal.origin(span.start)?;
    let last = normal.origin(span.end.min(normal.text.len()).checked_sub(1)?)?;
    let from = answer.words.partition_point(|word| word.end <= first);
    let to = answer.words.partition_point(|word| word.start <= last);
    (from < to).then_some(WordRange { from: from as u32, to: to as u32 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_found_again_in_the_original() {
        let answer = Answer::from_text("so  v² is\n½ of it");
        let normal = Normal::of(&answer.text);
        assert_eq!(normal.text, "so v^2 is\n1/2 of it");
        let half = normal.text.find("1/2").unwrap();
        assert_eq!(word_range(&normal, &answer, &(half..half + 3)), Some(WordRange { from: 3, to: 4 }));
        assert_eq!(words_under(&normal, &answer, &[3..5, 7..9]), [WordRange { from: 1, to: 3 }]);
    }
}
