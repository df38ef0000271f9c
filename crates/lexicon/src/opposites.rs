//! Words that mean much the same, and words that mean the opposite.

use crate::{ALL, Language, fold};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What two opposites differ in. One for all languages, so that "aumenta" is the opposite of both "disminuye"
/// and "diminui".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Axis {
    /// More, less.
    Amount,
    /// Faster, slower.
    Speed,
    /// Speeding up, slowing down.
    Acceleration,
    /// Gaining, losing.
    Gain,
    /// Expanding, contracting.
    Expansion,
    /// Hot, cold.
    Heat,
    /// High, low.
    Height,
    /// Long, short.
    Length,
    /// Strong, weak.
    Strength,
    /// Heavy, light.
    Weight,
    /// Thick, thin.
    Thickness,
    /// Wide, narrow.
    Width,
    /// Near, far.
    Distance,
    /// Positive, negative.
    Sign,
    /// Attracting, repelling.
    Attraction,
    /// Exothermic, endothermic.
    Thermicity,
    /// Oxidised, reduced.
    Oxidation,
    /// Aerobic, anaerobic.
    Air,
    /// Left, right.
    Hand,
    /// North, south.
    Latitude,
    /// East, west.
    Longitude,
    /// Before, after.
    Order,
    /// Inside, outside.
    Place,
    /// Same, different.
    Sameness,
    /// Open, closed.
    Openness,
    /// Most, least.
    Extreme,
    /// Clockwise, anticlockwise.
    Turning,
    /// Soluble, insoluble.
    Solubility,
    /// Reversible, irreversible.
    Reversibility,
    /// Saturated, unsaturated.
    Saturation,
    /// Dominant, recessive.
    Dominance,
    /// True, false.
    Truth,
    /// Acid, alkaline.
    Acidity,
    /// Surplus, deficit.
    Balance,
}

/// Where a word stands: on which axis, and at which of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Side {
    /// What it and its opposite differ in.
    pub axis: Axis,
    /// True at the end that the tables name first.
    pub first: bool,
}

static SIDES: LazyLock<HashMap<String, Side>> = LazyLock::new(|| sides(&ALL));

/// Where the words of these languages stand. English comes first and keeps its words; a word that stands on both sides
/// keeps the first.
pub(crate) fn sides(languages: &[&'static Language]) -> HashMap<String, Side> {
    let mut sides = HashMap::new();
    for (axis, one, other) in languages.iter().flat_map(|language| language.opposites) {
        for (words, first) in [(one, true), (other, false)] {
            for word in words.split_whitespace() {
                let side = Side { axis: *axis, first };
                sides.entry(word.to_owned()).or_insert(side);
                sides.entry(fold(word)).or_insert(side);
            }
        }
    }
    sides
}

/// Where a word in lower case stands, if it has an opposite.
pub fn side(word: &str) -> Option<Side> {
    SIDES.get(word).copied()
}

/// True when one word goes for the other.
pub fn is_synonym(one: &str, other: &str) -> bool {
    side(one).is_some_and(|own| side(other) == Some(own))
}

/// True when one word contradicts the other.
pub fn is_opposite(one: &str, other: &str) -> bool {
    matches!((side(one), side(other)), (Some(one), Some(other)) if one.axis == other.axis && one.first != other.first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_contradict_and_synonyms_agree() {
        assert!(is_opposite("increases", "decreases") && is_opposite("falls", "rises"));
        assert!(is_synonym("falls", "decreases") && !is_opposite("falls", "decreases"));
        assert!(!is_opposite("cell", "wall"));
    }

    #[test]
    fn opposites_are_known_in_every_language() {
        for (one, other) in [
            ("steigt", "sinkt"),
            ("augmente", "diminue"),
            ("aumenta", "disminuye"),
            ("aumenta", "diminui"),
            ("aumenta", "diminuisce"),
            ("stijgt", "daalt"),
            ("ökar", "minskar"),
            ("rośnie", "maleje"),
        ] {
            assert!(is_opposite(one, other), "{one} {other}");
        }
    }
}
