//! Numbered notes to examiners before the first section: they count from 1 as the questions do, and answer none.

use crate::flow::Line;
use crate::labels::{self, Kind, Style};
use std::collections::HashSet;

/// A note has so many words at least; an answer may have fewer.
const WORDS_LEAST: usize = 6;
/// Fewer notes may be anything.
const NOTES_LEAST: usize = 2;

/// The line that heads the first section, where numbers count from 1 above it and again below it, and those above are
/// sentences.
pub(super) fn end(all: &[(Line<'_>, bool)]) -> Option<usize> {
    // The cover may name the section too, above the notes.
    let mut found = None;
    let mut notes = 0;
    let mut after: HashSet<u32> = HashSet::new();
    for (index, (line, _)) in all.iter().enumerate().filter(|(_, (_, furniture))| !furniture) {
        if found.is_none() && notes >= NOTES_LEAST && crate::paper::is_first_section(line) {
            found = Some(index);
            continue;
        }
        let Some(number) = number(line, found.is_some()) else { continue };
        if found.is_some() {
            // What comes first below the heading has to be the first question.
            if after.is_empty() && number != 1 {
                return None;
            }
            after.insert(number);
        } else {
            let next = usize::try_from(number).is_ok_and(|number| number == notes + 1);
            if !next || line.words.len() < WORDS_LEAST {
                return None;
            }
            notes += 1;
        }
    }
    found.filter(|_| after.len() >= NOTES_LEAST)
}

/// The number that a line begins with, closed and with words behind it, or that a word announces. Below the heading the
/// parts may stand on lines of their own.
fn number(line: &Line<'_>, below: bool) -> Option<u32> {
    let label = labels::parse(&line.texts())?;
    let first = label.tokens.first().filter(|first| first.kind == Kind::Number)?;
    let closed = matches!(label.style, Style::Dot | Style::Close | Style::Keyword);
    // "QUESTION 1" heads its answers on a line of its own.
    let heads = below || label.style == Style::Keyword;
    (closed && (heads || line.words.len() > label.words)).then_some(first.value)
}
