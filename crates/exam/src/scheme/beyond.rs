//! Answers to the questions of another paper, in a scheme that serves several: they belong to no key.

use super::known::Known;
use crate::flow::Line;
use crate::labels::{self, Kind, Style};

/// A longer line heads nothing.
const HEAD_WORDS: usize = 8;

/// Leaves out what follows the heading of a question right behind the paper's last, up to one that the paper has.
pub(super) fn leave_out(all: &mut [(Line<'_>, bool)], known: &Known) {
    if known.counts_again() {
        return;
    }
    let outline = known.outline.followed_in(all.iter().map(|(line, _)| line.texts()));
    let announced = |line: &Line<'_>| {
        let label = labels::parse(&line.texts())?;
        // "Q4" below "Exercise 2" is a part's.
        let label = outline.lowered(label, &line.texts());
        let label = Some(label).filter(|label| label.style == Style::Keyword)?;
        let number = label.tokens.first().filter(|first| first.kind == Kind::Number)?;
        (line.words.len() <= HEAD_WORDS).then_some(number.value)
    };
    let (mut in_last, mut beyond) = (false, false);
    for (line, furniture) in all.iter_mut().filter(|(_, furniture)| !furniture) {
        if let Some(number) = announced(line) {
            beyond = number > known.last && (beyond || in_last && number == known.last + 1);
            in_last = number == known.last;
        }
        *furniture = beyond;
    }
}
