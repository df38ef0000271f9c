//! Several attempts in one answer. What a student takes back does not count; of attempts that are called so, the last one
//! does, unless the scheme says otherwise; and work that was struck out and never replaced still stands.

use domain::scheme::TypedKey;
use lexicon::english::attempts;
use std::ops::Range;

/// The answer as it stands, as long as it was written: what was taken back is blank. `None` when nothing was.
pub(super) fn standing(answer: &str, key: &TypedKey) -> Option<String> {
    let lower = answer.to_ascii_lowercase();
    let mut gone = struck(&lower);
    if !key.remarks.counts_other_attempts {
        gone.extend(corrected(&lower));
        gone.extend(before_last_attempt(&lower));
    }
    if gone.is_empty() {
        return None;
    }
    let is_gone = |at: usize| gone.iter().any(|range| range.contains(&at));
    let mut left = String::with_capacity(answer.len());
    for (at, c) in answer.char_indices() {
        match c {
            '\n' => left.push(c),
            _ if is_gone(at) => left.extend(std::iter::repeat_n(' ', c.len_utf8())),
            _ => left.push(c),
        }
    }
    left.chars().any(char::is_alphanumeric).then_some(left)
}

/// "~~so~~", "[crossed out: so]", and a line or sentence that "(crossed out)" follows.
fn struck(lower: &str) -> Vec<Range<usize>> {
    let tildes: Vec<usize> = lower.match_indices("~~").map(|(at, _)| at).collect();
    let mut gone: Vec<Range<usize>> = tildes.chunks_exact(2).map(|two| two[0]..two[1] + "~~".len()).collect();
    for (open, _) in lower.match_indices(['[', '(']) {
        let Some(length) = lower[open..].find([']', ')']) else { continue };
        let inside = lower[open + 1..open + length].trim();
        let Some(rest) = attempts::STRUCK.after(inside) else { continue };
        let is_alone = rest.trim_matches([':', ' ', '.']).is_empty();
        // "(deleted records stay)" speaks of something else.
        if !is_alone && !rest.trim_start().starts_with(':') {
            continue;
        }
        let start = if is_alone { sentence_start(lower, open) } else { open };
        gone.push(start..open + length + 1);
    }
    gone
}

/// Where the sentence or line begins that ends before `end`.
fn sentence_start(text: &str, end: usize) -> usize {
    let before = text[..end].trim_end_matches([' ', '.', '!']);
    let stop = before.rfind(['\n', '!', '?', ';']).map(|at| at + 1);
    let full_stop = before.rfind(". ").map(|at| at + 1);
    stop.max(full_stop).unwrap_or(0)
}

/// What was taken back in words.
fn corrected(lower: &str) -> Vec<Range<usize>> {
    let mut gone = Vec::new();
    for phrase in attempts::ALL_BEFORE.iter() {
        gone.extend(lower.match_indices(phrase).map(|(at, _)| 0..at + phrase.len()));
    }
    for phrase in attempts::STATEMENT_BEFORE.iter() {
        let is_whole = |at: usize| {
            is_word_start(lower, at) && !lower[at + phrase.len()..].starts_with(char::is_alphanumeric)
        };
        for (at, _) in lower.match_indices(phrase).filter(|(at, _)| is_whole(*at)) {
            let end = at + phrase.len();
            gone.push(taken_back(lower, at)..at);
            gone.push(at..end);
        }
    }
    gone.retain(|range| !range.is_empty());
    gone
}

fn is_word_start(text: &str, at: usize) -> bool {
    !text[..at].ends_with(char::is_alphanumeric)
}

/// Where that begins which a correction at `at` takes back: the sentence before it; where it stands inside a sentence and
/// gives but a word or two, as many words.
fn taken_back(text: &str, at: usize) -> usize {
    let start = sentence_start(text, at);
    let is_inside = !text[..at].trim_end().ends_with(['.', '!', '?', '\n', ';']);
    let rest = &text[at..];
    let rest = &rest[..rest.find(['.', '!', '?', '\n', ';']).unwrap_or(rest.len())];
    // The phrase itself is two words.
    let given = rest.split_whitespace().count().saturating_sub(PHRASE_WORDS);
    if !is_inside || given == 0 || given > WORDS_REPLACED_MAX {
        return start;
    }
    let before = text[start..at].trim_end();
    let words: Vec<usize> = before
        .char_indices()
        .filter(|(index, c)| {
            !c.is_whitespace() && (*index == 0 || before[..*index].ends_with(char::is_whitespace))
        })
        .map(|(index, _)| index)
        .collect();
    words.len().checked_sub(given).map_or(start, |first| start + words[first])
}

const PHRASE_WORDS: usize = 2;
/// A correction of more words is a statement of its own.
const WORDS_REPLACED_MAX: usize = 2;

/// All before the last of several attempts: "Attempt 1: … Attempt 2: …".
fn before_last_attempt(lower: &str) -> Option<Range<usize>> {
    let found = attempts::HEADINGS.iter().flat_map(|heading| lower.match_indices(heading).map(|(at, _)| at));
    let is_heading = |at: &usize| is_word_start(lower, *at) && opens_line(lower, *at);
    let found: Vec<usize> = found.filter(is_heading).collect();
    let last = found.iter().copied().max()?;
    let heading = lower[last..].find([':', '\n', '-']).map_or(0, |length| length + 1);
    // A single heading that is none of the first says itself that something came before it.
    let is_later = !attempts::FIRST.begin(&lower[last..]);
    is_later.then_some(0..last + heading)
}

/// True where a line, or a sentence, begins.
fn opens_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '(', '[', '*']);
    before.is_empty() || before.ends_with(['\n', '.', ';', ':', '!', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::scheme::Remarks;

    fn left(answer: &str) -> String {
        let standing = standing(answer, &TypedKey::default());
        standing.as_deref().unwrap_or(answer).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_was_taken_back_is_blank() {
        for (answer, stands) in [
            ("~~The moon is a planet.~~ The moon is a satellite.", "The moon is a satellite."),
            ("[crossed out: granite] basalt", "basalt"),
            ("It is granite. (crossed out)\nIt is basalt.", "It is basalt."),
            ("The tide falls. No wait, the tide rises at noon.", ", the tide rises at noon."),
            ("the tide falls, no wait, rises", "the tide , rises"),
            ("Attempt 1: 3 x 4 = 12\nAttempt 2: 3 x 5 = 15", "3 x 5 = 15"),
            ("5 kg\nsecond attempt: 7 kg", "7 kg"),
            ("It is iron.\nIgnore the above. It is zinc.", ". It is zinc."),
        ] {
            assert_eq!(left(answer), stands, "{answer}");
        }
    }

    #[test]
    fn answers_that_only_sound_so_stand() {
        for answer in [
            "The first attempt to cross the sea failed, the second attempt succeeded.",
            "There is no waiting time, so it is faster.",
            "(a) 5 (b) 7",
            "~~everything is struck out~~",
            "Deleted files can be recovered (deleted records are only marked).",
            "Attempt 1: 12",
        ] {
            assert_eq!(left(answer), answer, "{answer}");
        }
    }

    #[test]
    fn a_scheme_that_counts_the_first_answer_is_obeyed() {
        let remarks = Remarks { counts_other_attempts: true, ..Remarks::default() };
        let key = TypedKey { remarks, ..TypedKey::default() };
        assert_eq!(standing("It is iron. No wait, zinc.", &key), None);
        assert!(standing("~~iron~~ zinc", &key).is_some());
    }
}
