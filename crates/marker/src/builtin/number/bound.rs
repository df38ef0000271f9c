//! "less than 60 N" says of a quantity that it is not 60 N.

/// On which side of a number a value is said to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Above,
    Below,
}

/// Words for it, as they stand right before the number.
const WORDS: [(&str, Bound); 18] = [
    ("less than", Bound::Below),
    ("fewer than", Bound::Below),
    ("smaller than", Bound::Below),
    ("lower than", Bound::Below),
    ("below", Bound::Below),
    ("at most", Bound::Below),
    ("not quite", Bound::Below),
    ("nearly", Bound::Below),
    ("<", Bound::Below),
    ("≤", Bound::Below),
    ("more than", Bound::Above),
    ("greater than", Bound::Above),
    ("larger than", Bound::Above),
    ("higher than", Bound::Above),
    ("above", Bound::Above),
    ("at least", Bound::Above),
    (">", Bound::Above),
    ("≥", Bound::Above),
];

/// How the words right before a number at this byte bound it.
pub(crate) fn bound_before(text: &str, at: usize) -> Option<Bound> {
    let before = text[..at].trim_end_matches(' ').to_lowercase();
    WORDS.iter().find(|(words, _)| before.ends_with(words)).map(|(_, bound)| *bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_signs_bound_a_number() {
        assert_eq!(bound_before("less than 60 N", 10), Some(Bound::Below));
        assert_eq!(bound_before("it was > 60", 9), Some(Bound::Above));
        assert_eq!(bound_before("it was 60", 7), None);
    }
}
