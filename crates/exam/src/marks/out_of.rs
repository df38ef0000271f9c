//! What marks are out of: "/2" behind room for them, "Marked out of 2.00".

use super::numbers::read_number;
use super::{Certainty, MarkNote, Scope, is_short_unit, is_unit};
use domain::marks::Marks;
use lexicon::english::papers;

/// `/2`, `___/2`, `(    /2)`, `…/4 pts`: room for the mark, and what it is out of.
pub(super) fn room(text: &str) -> Option<MarkNote> {
    let room = |c: char| matches!(c, '_' | ' ' | '.' | '…' | '(' | '[');
    let number = text.trim_start_matches(room).strip_prefix('/')?.trim_end_matches([')', ']']);
    // "/ 5 P."
    let (number, unit) = number.trim().split_once(' ').unwrap_or((number.trim(), ""));
    let unit = unit.to_lowercase();
    if !(unit.is_empty() || is_unit(&unit) || is_short_unit(&unit)) {
        return None;
    }
    let marks = Marks::from_number(read_number(number)?).filter(|marks| !marks.is_zero())?;
    let certainty = if is_unit(&unit) { Certainty::Sure } else { Certainty::Likely };
    Some(MarkNote { scope: Scope::Part, marks, certainty, bracketed: true, shared: None, words: 0 })
}

/// `Marked out of 2.00`, `Mark 0.00 out of 2.00`
pub(super) fn said(text: &str) -> Option<MarkNote> {
    let lower = text.to_lowercase();
    let (said, most) = papers::OUT_OF.iter().find_map(|out_of| lower.split_once(out_of))?;
    let mut words = said.split_whitespace();
    let counted = words.next().is_some_and(|first| papers::MARKED.has(first));
    let plain = words.all(|word| read_number(word).is_some());
    let marks = Marks::from_number(read_number(most.trim())?).filter(|marks| !marks.is_zero())?;
    let (scope, certainty) = (Scope::Part, Certainty::Sure);
    let note = MarkNote { scope, marks, certainty, bracketed: false, shared: None, words: 0 };
    (counted && plain).then_some(note)
}

/// `is out of 4:` right behind a question's number, before what earns them: the marks, and how many words say so.
pub(crate) fn at_start(words: &[&str]) -> Option<(Marks, usize)> {
    const WORDS_MAX: usize = 5;
    let count = words.iter().take(WORDS_MAX).position(|word| word.ends_with(':'))? + 1;
    let lower = words[..count].join(" ").to_lowercase();
    let most = papers::IS_OUT_OF.iter().find_map(|out_of| lower.strip_prefix(out_of))?.strip_suffix(':')?;
    let (number, unit) = most.split_once(' ').unwrap_or((most, ""));
    let marks = Marks::from_number(read_number(number)?).filter(|marks| !marks.is_zero())?;
    (unit.is_empty() || is_unit(unit)).then_some((marks, count))
}
