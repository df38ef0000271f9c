//! Spelling that is forgiven, and look-alikes that are not: "photosinthesis" is photosynthesis, "ethene" is not ethane.

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
    let heard_alike = !same_start && (wanted.starts_with("ph") || given.starts_with("ph"));
    if heard_alike && given.replace("ph", "f") == wanted.replace("ph", "f") {
        return true;
    }
    let allowed = match (same_start, length) {
        (true, 9..) => 2,
        (true, _) | (false, 8..) => 1,
        (false, _) => return false,
    };
    distance(given, wanted, allowed) <= allowed && !is_confusable(given, wanted)
}

/// Shorter words have too many neighbours.
const LENGTH_MIN: usize = 5;

/// One spelling for what is spelled two ways on the two sides of the Atlantic.
pub(super) fn one_side_of_the_atlantic(folded: &str) -> String {
    let mut word = folded.to_owned();
    for (british, american) in [("sulph", "sulf"), ("haem", "hem"), ("aem", "em"), ("oest", "est")] {
        if word.contains(british) {
            word = word.replace(british, american);
        }
    }
    let ending =
        ENDINGS.iter().find(|(british, _)| word.ends_with(british) && word.len() >= british.len() + 3);
    if let Some((british, american)) = ending {
        word.truncate(word.len() - british.len());
        word.push_str(american);
    }
    word
}

const ENDINGS: [(&str, &str); 16] = [
    ("our", "or"),
    ("ours", "ors"),
    ("oured", "ored"),
    ("ouring", "oring"),
    ("tre", "ter"),
    ("tres", "ters"),
    ("yse", "yze"),
    ("ysed", "yzed"),
    ("ise", "ize"),
    ("ised", "ized"),
    ("ising", "izing"),
    ("isation", "ization"),
    ("ogue", "og"),
    ("elled", "eled"),
    ("elling", "eling"),
    ("ence", "ense"),
];

/// Endings that tell substances apart.
const TELLING_ENDINGS: [&str; 19] = [
    "ane", "ene", "yne", "ine", "ide", "ite", "ate", "ase", "ose", "ol", "al", "one", "ium", "ia", "ic",
    "ous", "oid", "ose", "yl",
];

/// Beginnings that turn a word round.
const TELLING_BEGINNINGS: [(&str, &str); 10] = [
    ("hyper", "hypo"),
    ("inter", "intra"),
    ("endo", "exo"),
    ("homo", "hetero"),
    ("in", "ex"),
    ("im", "ex"),
    ("ab", "ad"),
    ("de", "in"),
    ("macro", "micro"),
    ("a", "an"),
];

/// Words that differ by a letter or two and by everything else.
const LOOK_ALIKES: [&[&str]; 37] = [
    &["mitosis", "meiosis", "miosis"],
    &["ureter", "urethra"],
    &["glucose", "glucagon", "glycogen", "glycerol"],
    &["thymine", "thiamine", "thyroxine"],
    &["adsorption", "absorption"],
    &["adsorb", "absorb"],
    &["transcription", "translation"],
    &["fission", "fusion"],
    &["refraction", "reflection", "diffraction"],
    &["refract", "reflect", "diffract"],
    &["refracted", "reflected", "diffracted"],
    &["proton", "photon"],
    &["neutron", "neuron"],
    &["neutrons", "neurons"],
    &["anion", "cation", "onion"],
    &["isotope", "isomer", "isobar"],
    &["ammonia", "ammonium"],
    &["magnesium", "manganese"],
    &["latitude", "altitude", "attitude"],
    &["insulin", "inulin"],
    &["artery", "arteriole"],
    &["bronchi", "bronchiole", "bronchioles"],
    &["principal", "principle"],
    &["affect", "effect"],
    &["affects", "effects"],
    &["conduction", "convection", "connection"],
    &["conductor", "inductor"],
    &["induction", "conduction"],
    &["monomer", "polymer", "dimer"],
    &["inflation", "deflation", "reflation"],
    &["monopoly", "monopsony"],
    &["prophase", "anaphase", "interphase", "metaphase", "telophase"],
    &["weight", "height"],
    &["complement", "compliment"],
    &["stalagmite", "stalactite"],
    &["erosion", "corrosion"],
    &["systole", "diastole"],
];

fn is_confusable(given: &str, wanted: &str) -> bool {
    let listed = LOOK_ALIKES[..].iter().any(|set| {
        // Singular and plural of one thing are no look-alikes, though one list may hold both.
        set.contains(&given) && set.contains(&wanted) && !given.starts_with(&wanted[..wanted.len() - 1])
    });
    listed
        || endings_differ(given, wanted)
        || beginnings_differ(given, wanted)
        || beginnings_differ(wanted, given)
}

fn endings_differ(given: &str, wanted: &str) -> bool {
    let ending = |word: &str| {
        TELLING_ENDINGS
            .iter()
            .filter(|ending| word.ends_with(**ending))
            .max_by_key(|ending| ending.len())
            .copied()
    };
    match (ending(given), ending(wanted)) {
        (Some(mine), Some(theirs)) if mine != theirs => {
            let (mine_stem, their_stem) =
                (&given[..given.len() - mine.len()], &wanted[..wanted.len() - theirs.len()]);
            mine_stem == their_stem || distance(mine_stem, their_stem, 1) <= 1 && mine_stem.len() >= 4
        }
        _ => false,
    }
}

fn beginnings_differ(given: &str, wanted: &str) -> bool {
    TELLING_BEGINNINGS.iter().any(|(one, other)| {
        matches!((given.strip_prefix(one), wanted.strip_prefix(other)), (Some(mine), Some(theirs)) if mine == theirs)
    })
}

/// How many letters must be added, dropped, changed or swapped; anything above `most` is `most + 1`.
fn distance(one: &str, other: &str, most: usize) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len().abs_diff(other.len()) > most {
        return most + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, wanted) in other.iter().enumerate() {
            let changed = last[column] + usize::from(letter != wanted);
            let mut best = changed.min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && *letter == other[column - 1] && one[row - 1] == *wanted {
                best = best.min(before[column - 1] + 1);
            }
            next.push(best);
        }
        if next.iter().all(|so_far| *so_far > most) {
            return most + 1;
        }
        before = std::mem::replace(&mut last, next);
    }
    last[other.len()].min(most + 1)
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
