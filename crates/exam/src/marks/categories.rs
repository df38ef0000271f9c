//! Marks told apart by what they are given for: "[K3]", "[A3 C2]", "[2T, 1C]".

use super::{Certainty, MarkNote, Scope};
use domain::marks::Marks;

/// A part earns marks of no more kinds.
const KINDS_MAX: usize = 4;
/// A kind is named by no more letters: "KU".
const LETTERS_MAX: usize = 2;
/// No kind of a part earns more.
const MOST: u32 = 20;

/// The sum of marks in square brackets, each with the capital that names its kind.
pub(super) fn statement(words: &[&str]) -> Option<MarkNote> {
    if !words.first()?.starts_with('[') {
        return None;
    }
    let joined = words.join(" ");
    let inner = joined.strip_prefix('[')?.strip_suffix(']')?;
    let mut kinds = inner.split([' ', ',', '+']).filter(|kind| !kind.is_empty());
    let marks: Vec<Marks> = kinds.by_ref().take(KINDS_MAX).map(of_kind).collect::<Option<_>>()?;
    let (scope, certainty) = (Scope::Part, Certainty::ByPlace);
    let marks: Marks = marks.into_iter().sum();
    let found = MarkNote { scope, marks, certainty, bracketed: true, shared: None, words: 0 };
    (!marks.is_zero() && kinds.next().is_none()).then_some(found)
}

/// "K3" and "3K".
fn of_kind(kind: &str) -> Option<Marks> {
    let digits = kind.trim_matches(|c: char| c.is_ascii_uppercase());
    let letters = kind.len() - digits.len();
    let one_side = kind.starts_with(digits) || kind.ends_with(digits);
    let number = digits.parse().ok().filter(|number| (1..=MOST).contains(number))?;
    (one_side && (1..=LETTERS_MAX).contains(&letters)).then(|| Marks::whole(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_add_up() {
        let read = |text: &str| statement(&text.split(' ').collect::<Vec<_>>()).map(|note| note.marks);
        assert_eq!(read("[K3]"), Some(Marks::whole(3)));
        assert_eq!(read("[A3 C2]"), Some(Marks::whole(5)));
        assert_eq!(read("[2T, 1C]"), Some(Marks::whole(3)));
        assert_eq!(read("[H2O]"), None);
        assert_eq!(read("[A]"), None);
        assert_eq!(read("[B1926]"), None);
        assert_eq!(read("(K3)"), None);
    }
}
