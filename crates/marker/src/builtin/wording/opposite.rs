//! Words that mean much the same, and words that mean the opposite.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Each line is a pair of classes: the words of one class go for each other, those of the other contradict them.
const OPPOSITES: [(&str, &str); 34] = [
    (
        "increase increases increased increasing rise rises rose risen rising grow grows grew growing higher greater more larger bigger up",
        "decrease decreases decreased decreasing fall falls fell fallen falling drop drops dropped reduce reduces reduced reducing lower less fewer smaller down decline declines declined",
    ),
    ("faster quicker", "slower"),
    ("speeds accelerates accelerate", "slows decelerates decelerate"),
    ("gain gains gained gaining", "lose loses lost losing loss"),
    (
        "expand expands expanded expanding expansion",
        "contract contracts contracted contracting contraction shrink shrinks",
    ),
    ("hot hotter warm warmer", "cold colder cool cooler"),
    ("high", "low"),
    ("long longer", "short shorter"),
    ("strong stronger", "weak weaker"),
    ("heavy heavier", "light lighter"),
    ("thick thicker", "thin thinner"),
    ("wide wider", "narrow narrower"),
    ("near nearer close closer", "far further farther"),
    ("positive positively", "negative negatively"),
    ("attract attracts attracted attraction attractive", "repel repels repelled repulsion repulsive"),
    ("exothermic", "endothermic"),
    ("oxidised oxidized oxidation oxidises", "reduced reduction"),
    ("aerobic", "anaerobic"),
    ("left", "right"),
    ("north", "south"),
    ("east", "west"),
    ("before", "after"),
    ("inside internal", "outside external"),
    ("same equal constant unchanged", "different unequal"),
    ("open opens opened", "close closes closed shut"),
    ("maximum most highest largest greatest", "minimum least lowest smallest fewest"),
    ("clockwise", "anticlockwise counterclockwise"),
    ("soluble", "insoluble"),
    ("reversible", "irreversible"),
    ("saturated", "unsaturated"),
    ("dominant", "recessive"),
    ("true correct", "false incorrect"),
    ("acidic acid", "alkaline alkali basic"),
    ("surplus", "deficit shortage"),
];

/// The class of a word and its side.
fn class(folded: &str) -> Option<(usize, bool)> {
    static CLASSES: LazyLock<HashMap<&'static str, (usize, bool)>> = LazyLock::new(|| {
        let mut classes = HashMap::new();
        for (index, (one, other)) in OPPOSITES.iter().enumerate() {
            classes.extend(one.split(' ').map(|word| (word, (index, true))));
            for word in other.split(' ') {
                classes.entry(word).or_insert((index, false));
            }
        }
        classes
    });
    CLASSES.get(folded).copied()
}

/// True when one word goes for the other.
pub(super) fn is_synonym(one: &str, other: &str) -> bool {
    class(one).is_some_and(|class_of_one| class(other) == Some(class_of_one))
}

/// True when one word contradicts the other.
pub(super) fn is_opposite(one: &str, other: &str) -> bool {
    matches!((class(one), class(other)), (Some((mine, side)), Some((theirs, other_side))) if mine == theirs && side != other_side)
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
}
