//! Statements about marks with nothing beside them, as they stand behind a label on a line of their own.

use super::{Certainty, Scope, at_end, at_start};
use domain::marks::Marks;

/// The marks of words that say nothing else, unit and all: `4 marks`, `10 marks (scale B)`, `12 (2, 4, 6) marks`.
pub fn alone(words: &[&str]) -> Option<Marks> {
    // "2 + 3 marks" says what the parts below it earn.
    let added = |words: &[&str]| words.iter().any(|word| word.contains('+'));
    let whole = |words: &[&str]| at_end(words).filter(|note| note.words == words.len() && !added(words));
    // What stands behind the unit in brackets says how they are given.
    let remark = words.iter().rposition(|word| word.starts_with('('));
    let remark = remark.filter(|at| *at > 0 && words.last().is_some_and(|last| last.ends_with(')')));
    let named = || at_start(words).filter(|note| note.words == words.len() && !added(words));
    let note = whole(words).or_else(|| whole(&words[..remark?])).or_else(named)?;
    (note.certainty == Certainty::Sure && note.scope == Scope::Part).then_some(note.marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_stand_alone_are_told_from_marks_behind_words() {
        let alone = |text: &str| alone(&text.split(' ').collect::<Vec<_>>()).map(Marks::as_number);
        assert_eq!(alone("4 marks"), Some(4.0));
        assert_eq!(alone("10 marks (scale B)"), Some(10.0));
        assert_eq!(alone("12 (2, 4, 6) marks"), Some(12.0));
        assert_eq!(alone("– valor: 2,5"), Some(2.5));
        for text in ["iron 1 mark", "4", "(4)", "2 + 3 marks", "Total 4 marks", "(scale B)"] {
            assert_eq!(alone(text), None, "{text}");
        }
    }
}
