//! What of the syllabus a question tests, listed above its answer: no part of the key.

use crate::flow::Line;
use crate::labels::{self, Style};
use lexicon::Concept;

/// A longer list is none.
const LINES_MAX: usize = 60;
/// A longer line heads nothing.
const HEAD_WORDS: usize = 8;

/// Leaves such lists out, from their heading to that of the answer or to the next question.
pub(super) fn leave_out(all: &mut [(Line<'_>, bool)]) {
    let begins = |line: &Line<'_>, concept: Concept| {
        let lower = line.text().to_lowercase();
        // In the middle of a list's sentence the same word heads nothing.
        let capital = line.words[0].text.starts_with(|c: char| !c.is_lowercase());
        capital && line.words.len() <= HEAD_WORDS && lexicon::begins_with(concept, &lower).is_some()
    };
    let announces =
        |line: &Line<'_>| labels::parse(&line.texts()).is_some_and(|label| label.style == Style::Keyword);
    let mut at = 0;
    while at < all.len() {
        if !begins(&all[at].0, Concept::SyllabusHeading) {
            at += 1;
            continue;
        }
        let ends = |(line, _): &(Line<'_>, bool)| begins(line, Concept::AnswerHeading) || announces(line);
        let listed = all[at..].iter().take(LINES_MAX).position(ends).unwrap_or(1);
        // The heading of the answer says nothing either.
        let heads =
            |(line, _): &(Line<'_>, bool)| lexicon::is(Concept::AnswerHeading, &line.text().to_lowercase());
        let end = at + listed + usize::from(all.get(at + listed).is_some_and(heads));
        all[at..end].iter_mut().for_each(|(_, furniture)| *furniture = true);
        at = end;
    }
}
