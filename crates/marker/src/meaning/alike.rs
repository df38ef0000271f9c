//! Whether two words are the same word, and whether one is the other's opposite.

use super::wording::Term;
use crate::words::letters_apart;
use lexicon::english::opposites;
use std::collections::HashMap;
use std::sync::LazyLock;

/// How surely two terms are one word: 1 for the same stem, less for another ending or a slip of the pen.
pub(super) fn alike(wanted: &Term, given: &Term) -> f32 {
    if wanted.stem == given.stem {
        return 1.0;
    }
    if wanted.is_number || given.is_number {
        return 0.0;
    }
    let (long, short) = if wanted.stem.len() >= given.stem.len() {
        (wanted.stem.as_bytes(), given.stem.as_bytes())
    } else {
        (given.stem.as_bytes(), wanted.stem.as_bytes())
    };
    if short.len() < 4 {
        return 0.0;
    }
    let shared = long.iter().zip(short).take_while(|(a, b)| a == b).count();
    if shared >= 5 && shared * 10 >= long.len() * 7 {
        return 0.9;
    }
    let slips_max = if short.len() >= 8 { 2 } else { usize::from(short.len() >= 5) };
    if slips_max > 0 && letters_apart(long, short, slips_max) <= slips_max {
        return 0.85;
    }
    // German writes compounds in one word: the head of one can be the whole of the other.
    if short.len() >= 6 && long.windows(short.len()).any(|part| part == short) {
        return 0.7;
    }
    0.0
}

/// The stems that say the opposite of this one.
pub(super) fn opposites(stem: &str) -> &'static [&'static str] {
    OPPOSITES.get(stem).map_or(&[], Vec::as_slice)
}

static OPPOSITES: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut table: HashMap<&str, Vec<&str>> = HashMap::new();
    for (one, other) in opposites::STEMS {
        table.entry(one).or_default().push(other);
        table.entry(other).or_default().push(one);
    }
    table
});

#[cfg(test)]
mod tests {
    use super::super::wording::Wording;
    use super::*;

    fn likeness(wanted: &str, given: &str) -> f32 {
        alike(&Wording::of(wanted).terms[0], &Wording::of(given).terms[0])
    }

    #[test]
    fn forms_and_slips_are_the_same_word() {
        for (wanted, given) in
            [("evaporates", "evaporation"), ("receive", "recieve"), ("photosynthesis", "photosinthesys")]
        {
            assert!(likeness(wanted, given) > 0.8, "{wanted} {given}");
        }
    }

    #[test]
    fn other_words_and_other_numbers_are_not() {
        for (wanted, given) in [("heat", "heap"), ("12", "13"), ("meiosis", "glucose")] {
            assert_eq!(likeness(wanted, given), 0.0, "{wanted} {given}");
        }
    }

    #[test]
    fn opposites_hold_both_ways() {
        assert!(opposites("increas").contains(&"decreas"));
        assert!(opposites("decreas").contains(&"increas"));
        assert!(opposites("mitochondrion").is_empty());
    }
}
