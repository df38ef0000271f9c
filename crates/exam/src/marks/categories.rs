//! Marks told apart by what they are given for: "[K3]", "[A3 C2]", "[2T, 1C]", "[K/U 2]", "[C 4, A 2]".

use super::{Certainty, MarkNote, Scope};
use domain::marks::Marks;

/// A part earns marks of no more kinds.
const KINDS_MAX: usize = 4;
/// A kind is named by no more letters: "KU".
const LETTERS_MAX: usize = 2;
/// A kind that stands apart from its number is named by no more: "K/U 2".
const NAME_MAX: usize = 4;
/// No kind of a part earns more.
const MOST: u32 = 20;

/// The sum of marks in square brackets, each with the capital that names its kind.
pub(super) fn statement(words: &[&str]) -> Option<MarkNote> {
    if !words.first()?.starts_with('[') {
        return None;
    }
    let joined = words.join(" ");
    let inner = joined.strip_prefix('[')?.strip_suffix(']')?;
    let marks: Marks = glued(inner).or_else(|| apart(inner))?.into_iter().sum();
    let (scope, certainty) = (Scope::Part, Certainty::ByPlace);
    let found = MarkNote { scope, marks, certainty, bracketed: true, shared: None, words: 0 };
    (!marks.is_zero()).then_some(found)
}

/// "A3 C2": each number in one word with its kind.
fn glued(inner: &str) -> Option<Vec<Marks>> {
    let kinds = inner.split([' ', ',', '+']).filter(|kind| !kind.is_empty());
    let marks: Vec<Marks> = kinds.take(KINDS_MAX + 1).map(of_kind).collect::<Option<_>>()?;
    (marks.len() <= KINDS_MAX).then_some(marks)
}

/// "C 4, A 2": kinds and numbers take turns.
fn apart(inner: &str) -> Option<Vec<Marks>> {
    let words = inner.split([' ', ',', ';', '+', ':']).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.take(2 * KINDS_MAX + 1).collect();
    let pairs = words.chunks_exact(2);
    if words.len() > 2 * KINDS_MAX || !pairs.remainder().is_empty() {
        return None;
    }
    let of_pair = |pair: &[&str]| {
        let (name, number) = if is_name(pair[0]) { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
        let number = number.parse().ok().filter(|number| (1..=MOST).contains(number) && is_name(name))?;
        Some(Marks::whole(number))
    };
    pairs.map(of_pair).collect()
}

/// "C", "K/U", "T&I": capitals, with what may join them.
fn is_name(word: &str) -> bool {
    let letters = word.split(['/', '&']);
    let capitals = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_uppercase());
    word.len() <= NAME_MAX && letters.into_iter().all(capitals)
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
        assert_eq!(read("[K/U 2]"), Some(Marks::whole(2)));
        assert_eq!(read("[C 4, A 2]"), Some(Marks::whole(6)));
        assert_eq!(read("[3 T/I]"), Some(Marks::whole(3)));
        assert_eq!(read("[Figure 2]"), None);
        assert_eq!(read("[A 2 B]"), None);
        assert_eq!(read("[H2O]"), None);
        assert_eq!(read("[A]"), None);
        assert_eq!(read("[B1926]"), None);
        assert_eq!(read("(K3)"), None);
    }
}
