//! "less than 60 N" says of a quantity that it is not 60 N.

use lexicon::english::numbers;

/// On which side of a number a value is said to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is more than the number.
    Above,
    /// It is less than the number.
    Below,
}

/// How the words right before a number at this byte bound it.
pub fn bound_before(text: &str, at: usize) -> Option<Bound> {
    let before = words_before(text, at);
    let sides = [(numbers::BELOW, Bound::Below), (numbers::ABOVE, Bound::Above)];
    sides.into_iter().find(|(words, _)| words.end(&before)).map(|(_, bound)| bound)
}

/// What stands shortly before a number, in lower case. No word that bears on a number is longer, and a text of thousands of
/// numbers is looked through once.
pub(super) fn words_before(text: &str, at: usize) -> String {
    const REACH: usize = 48;
    let before = text[..at].trim_end_matches(' ');
    before[before.floor_char_boundary(before.len().saturating_sub(REACH))..].to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_signs_bound_a_number() {
        assert_eq!(bound_before("less than 60 N", 10), Some(Bound::Below));
        assert_eq!(bound_before("it was > 60", 9), Some(Bound::Above));
        assert_eq!(bound_before("it was 60", 7), None);
        let long = format!("{}less than 60", "ü".repeat(100));
        assert_eq!(bound_before(&long, long.len() - 2), Some(Bound::Below));
    }
}
