//! Spelling that is forgiven, and look-alikes that are not: "photosinthesis" is photosynthesis, "ethene" is not ethane.

use crate::words::letters_apart;
use lexicon::english::spelling;

/// True when `given` can only be a slip for `wanted`. Both are folded.
pub(super) fn is_slip(given: &str, wanted: &str) -> bool {
    if given == wanted {
        return true;
    }
    let length = wanted.len();
    // Most pairs of words are nothing alike: the cheap tests come first.
    if length < LENGTH_MIN || given.len().abs_diff(length) > 2 || !wanted.is_ascii() || !given.is_ascii() {
        return false;
    }
    let same_start = given.as_bytes()[0] == wanted.as_bytes()[0];
    let (long, short) = spelling::HEARD_ALIKE;
    let heard_alike = !same_start && (wanted.starts_with(long) || given.starts_with(long));
    if heard_alike && given.replace(long, short) == wanted.replace(long, short) {
        return true;
    }
    let allowed = match (same_start, length) {
        (true, 9..) => 2,
        (true, _) | (false, 8..) => 1,
        (false, _) => return false,
    };
    letters_apart(given.as_bytes(), wanted.as_bytes(), allowed) <= allowed && !is_confusable(given, wanted)
}

/// Shorter words have too many neighbours.
const LENGTH_MIN: usize = 5;

/// One spelling for what is spelled two ways on the two sides of the Atlantic.
pub(super) fn one_side_of_the_atlantic(folded: &str) -> String {
    let mut word = folded.to_owned();
    for (british, american) in spelling::ATLANTIC {
        if word.contains(british) {
            word = word.replace(british, american);
        }
    }
    let ending = spelling::ATLANTIC_ENDINGS
        .iter()
        .find(|(british, _)| word.ends_with(british) && word.len() >= british.len() + 3);
    if let Some((british, american)) = ending {
        word.truncate(word.len() - british.len());
        word.push_str(american);
    }
    word
}

fn is_confusable(given: &str, wanted: &str) -> bool {
    let listed = spelling::LOOK_ALIKES.iter().any(|set| {
        // Singular and plural of one thing are no look-alikes, though one list may hold both.
        set.has(given) && set.has(wanted) && !given.starts_with(&wanted[..wanted.len() - 1])
    });
    listed
        || endings_differ(given, wanted)
        || beginnings_differ(given, wanted)
        || beginnings_differ(wanted, given)
}

fn endings_differ(given: &str, wanted: &str) -> bool {
    let ending = |word: &str| {
        spelling::TELLING_ENDINGS
            .iter()
            .filter(|ending| word.ends_with(*ending))
            .max_by_key(|ending| ending.len())
    };
    match (ending(given), ending(wanted)) {
        (Some(mine), Some(theirs)) if mine != theirs => {
            let (mine_stem, their_stem) =
                (&given[..given.len() - mine.len()], &wanted[..wanted.len() - theirs.len()]);
            mine_stem == their_stem
                || letters_apart(mine_stem.as_bytes(), their_stem.as_bytes(), 1) <= 1 && mine_stem.len() >= 4
        }
        _ => false,
    }
}

fn beginnings_differ(given: &str, wanted: &str) -> bool {
    spelling::TELLING_BEGINNINGS.iter().any(|(one, other)| {
        matches!((given.strip_prefix(one), wanted.strip_prefix(other)), (Some(mine), Some(theirs)) if mine == theirs)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_forgiven() {
        for (given, wanted) in [
            ("photosinthesis", "photosynthesis"),
            ("diafragm", "diaphragm"),
            ("osmossis", "osmosis"),
            ("perstalsis", "peristalsis"),
            ("mitocondria", "mitochondria"),
            ("evaporatoin", "evaporation"),
        ] {
            assert!(is_slip(given, wanted), "{given}");
        }
    }

    #[test]
    fn look_alikes_are_not() {
        for (given, wanted) in [
            ("ethene", "ethane"),
            ("meiosis", "mitosis"),
            ("chlorine", "chloride"),
            ("nitrite", "nitrate"),
            ("sulfide", "sulfate"),
            ("hypotonic", "hypertonic"),
            ("ethanol", "ethanal"),
            ("alkyne", "alkene"),
            ("exothermic", "endothermic"),
            ("export", "import"),
            ("amylase", "amylose"),
            ("fusion", "fission"),
            ("cat", "rat"),
            ("photon", "proton"),
            ("ammonium", "ammonia"),
            ("glycogen", "glucagon"),
        ] {
            assert!(!is_slip(given, wanted), "{given}");
        }
    }

    #[test]
    fn both_sides_of_the_atlantic_spell_right() {
        for (one, other) in [
            ("sulphur", "sulfur"),
            ("colour", "color"),
            ("haemoglobin", "hemoglobin"),
            ("centre", "center"),
            ("oxidised", "oxidized"),
            ("polymerisation", "polymerization"),
        ] {
            assert_eq!(one_side_of_the_atlantic(one), one_side_of_the_atlantic(other));
        }
    }
}
