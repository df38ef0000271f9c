//! Words of English that mean much the same, and words that mean the opposite.

use crate::ALL;
use crate::opposites::{Side, sides};
use std::collections::HashMap;
use std::sync::LazyLock;

static SIDES: LazyLock<HashMap<String, Side>> = LazyLock::new(|| sides(&ALL[..1]));

/// True when one word in lower case goes for the other.
pub fn is_synonym(one: &str, other: &str) -> bool {
    SIDES.get(one).is_some_and(|own| SIDES.get(other) == Some(own))
}

/// True when one word in lower case contradicts the other.
pub fn is_opposite(one: &str, other: &str) -> bool {
    let end = |word: &str| SIDES.get(word).map(|side| (side.axis, side.first));
    matches!((end(one), end(other)), (Some((mine, side)), Some((theirs, other_side))) if mine == theirs && side != other_side)
}

/// Opposites that decide school answers, by stem.
pub const STEMS: [(&str, &str); 58] = [
    ("increas", "decreas"),
    ("increas", "reduc"),
    ("increas", "lower"),
    ("rise", "fall"),
    ("rise", "sink"),
    ("higher", "lower"),
    ("high", "low"),
    ("more", "less"),
    ("more", "fewer"),
    ("most", "least"),
    ("faster", "slower"),
    ("fast", "slow"),
    ("larger", "smaller"),
    ("bigger", "smaller"),
    ("larg", "small"),
    ("big", "small"),
    ("longer", "shorter"),
    ("long", "short"),
    ("hotter", "colder"),
    ("hot", "cold"),
    ("warmer", "cooler"),
    ("warm", "cool"),
    ("heavier", "lighter"),
    ("stronger", "weaker"),
    ("strong", "weak"),
    ("open", "close"),
    ("posit", "neg"),
    ("same", "differ"),
    ("equal", "unequ"),
    ("series", "parallel"),
    ("attract", "repel"),
    ("absorb", "reflect"),
    ("absorb", "releas"),
    ("gain", "lose"),
    ("gain", "loss"),
    ("befor", "after"),
    ("begin", "end"),
    ("first", "last"),
    ("start", "stop"),
    ("add", "remov"),
    ("expand", "contract"),
    ("melt", "freez"),
    ("evapor", "condens"),
    ("solid", "liquid"),
    ("acid", "alkali"),
    ("male", "femal"),
    ("true", "fals"),
    ("correct", "wrong"),
    ("yes", "no"),
    ("alwai", "never"),
    ("aliv", "dead"),
    ("insid", "outsid"),
    ("input", "output"),
    ("connect", "separ"),
    ("connect", "disconnect"),
    ("complet", "incomplet"),
    ("complet", "broken"),
    ("static", "dynam"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_contradict_and_synonyms_agree() {
        assert!(is_opposite("increases", "decreases") && is_opposite("falls", "rises"));
        assert!(is_synonym("falls", "decreases") && !is_opposite("falls", "decreases"));
        assert!(!is_opposite("cell", "wall") && !is_opposite("steigt", "sinkt"));
    }
}
