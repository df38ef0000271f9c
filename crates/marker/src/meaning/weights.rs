//! From measurements to a mark: a linear model and boosted trees, and how sure they are, all as plain data.

use serde::Deserialize;

/// The trained weights. `training/train_marker.py` writes them.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Weights {
    /// What each measurement is called; must be what this program measures.
    pub(super) names: Vec<String>,
    /// Questions worth more than this were not seen in training and count as this.
    marks_log_max: f32,
    linear: Linear,
    trees: Vec<Vec<Node>>,
    offset: Offset,
    level: Level,
    error_trees: Vec<Vec<Node>>,
    confidence: Confidence,
}

#[derive(Clone, Debug, Deserialize)]
struct Linear {
    mean: Vec<f32>,
    scale: Vec<f32>,
    coefficients: Vec<f32>,
    base: f32,
}

/// What a key alone does to the marks of its answers: a long one is never met as fully as a short one.
#[derive(Clone, Debug, Deserialize)]
struct Offset {
    /// The measurements that the key alone decides.
    inputs: Vec<String>,
    mean: Vec<f32>,
    scale: Vec<f32>,
    coefficients: Vec<f32>,
}

/// The line from what the models say to a share of the marks; questions that are right or wrong are marked harder.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Level {
    slope: f32,
    bases: [f32; KINDS],
}

/// A node of a tree: a leaf with its value, or a question about one measurement.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Node {
    Split(u16, f32, u16, u16, u8),
    Leaf([f32; 1]),
}

/// How expected error and distance from the undecided middle become a probability.
#[derive(Clone, Debug, Deserialize)]
struct Confidence {
    middles: [f32; KINDS],
    error_scale: f32,
    mark_scale: f32,
    error_share: f32,
    limits: [f32; KINDS],
    right: Right,
}

#[derive(Clone, Debug, Deserialize)]
struct Right {
    base: f32,
    error: f32,
    distance: f32,
    kinds: [f32; KINDS],
}

const KINDS: usize = 4;

/// Answers are uncertain in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// One mark, a short key: right or wrong.
    Short = 0,
    /// One mark, a long key.
    Long = 1,
    /// Several marks.
    SeveralMarks = 2,
    /// No model answer, only a rubric.
    Rubric = 3,
}

/// How sure a mark is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Certainty {
    /// The probability that the mark is right.
    pub(super) right: f32,
    /// Among the least certain fifth of its kind.
    pub(super) is_doubtful: bool,
}

impl Weights {
    pub(super) fn load() -> Result<Weights, serde_json::Error> {
        serde_json::from_str(include_str!("../../../../models/meaning/marking.json"))
    }

    /// Brings measurements into the range that was seen in training.
    pub(super) fn bound(&self, values: &mut [f32]) {
        if let Some(marks) = self.names.iter().position(|name| name == "marks") {
            values[marks] = values[marks].min(self.marks_log_max);
        }
    }

    /// The share of the marks that measurements earn. A measurement that is not a number is not known.
    pub(super) fn mark(&self, doubt: Doubt, values: &[f32]) -> f32 {
        let raw = (self.linear.predict(values) + grown(&self.trees, values)) / 2.0;
        (self.level.bases[doubt as usize] + self.level.slope * (raw - self.by_key(values))).clamp(0.0, 1.0)
    }

    /// How much of a raw mark is owed to the key alone.
    fn by_key(&self, values: &[f32]) -> f32 {
        let value = |name: &String| {
            let place = self.names.iter().position(|known| known == name)?;
            values.get(place).copied().filter(|value| !value.is_nan())
        };
        let parts = self.offset.mean.iter().zip(&self.offset.scale).zip(&self.offset.coefficients);
        let known = self.offset.inputs.iter().zip(parts);
        known
            .filter_map(|(name, ((mean, scale), coefficient))| {
                Some((value(name)? - mean) / scale * coefficient)
            })
            .sum()
    }

    /// How far `mark` is likely to be off.
    pub(super) fn error(&self, mark: f32, values: &[f32]) -> f32 {
        let inputs: Vec<f32> = [mark, mark.min(1.0 - mark)].iter().chain(values).copied().collect();
        grown(&self.error_trees, &inputs).max(0.0)
    }

    /// How sure a mark is, given how far it is likely to be off.
    pub(super) fn certainty(&self, doubt: Doubt, mark: f32, error: f32) -> Certainty {
        let kind = doubt as usize;
        let rule = &self.confidence;
        let distance = (mark - rule.middles[kind]).abs();
        let odds = rule.right.base
            + rule.right.error * error
            + rule.right.distance * distance
            + rule.right.kinds[kind];
        let unsure = rule.error_share * error / rule.error_scale - distance / rule.mark_scale;
        Certainty { right: 1.0 / (1.0 + (-odds).exp()), is_doubtful: unsure > rule.limits[kind] }
    }
}

impl Linear {
    fn predict(&self, values: &[f32]) -> f32 {
        let parts = self.mean.iter().zip(&self.scale).zip(&self.coefficients);
        let sum: f32 = values
            .iter()
            .zip(parts)
            .filter(|(value, _)| !value.is_nan())
            .map(|(value, ((mean, scale), coefficient))| (value - mean) / scale * coefficient)
            .sum();
        sum + self.base
    }
}

/// The sum of what the trees say.
fn grown(trees: &[Vec<Node>], values: &[f32]) -> f32 {
    trees.iter().map(|nodes| leaf(nodes, values)).sum()
}

fn leaf(nodes: &[Node], values: &[f32]) -> f32 {
    let mut at = 0;
    // A tree is walked downwards, so its number of nodes bounds the walk whatever the file says.
    for _ in 0..nodes.len() {
        match nodes.get(at) {
            Some(Node::Leaf([value])) => return *value,
            Some(Node::Split(feature, threshold, left, right, missing_left)) => {
                let value = values.get(usize::from(*feature)).copied().unwrap_or(f32::NAN);
                let goes_left = if value.is_nan() { *missing_left == 1 } else { value <= *threshold };
                at = usize::from(if goes_left { *left } else { *right });
            }
            None => break,
        }
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_asks_and_a_missing_value_takes_its_own_way() {
        let nodes: Vec<Node> = serde_json::from_str("[[0,0.5,1,2,0],[0.1],[0.9]]").unwrap();
        assert_eq!(leaf(&nodes, &[0.5]), 0.1);
        assert_eq!(leaf(&nodes, &[0.6]), 0.9);
        assert_eq!(leaf(&nodes, &[f32::NAN]), 0.9);
    }

    #[test]
    fn a_damaged_tree_ends() {
        let nodes: Vec<Node> = serde_json::from_str("[[0,0.5,0,0,1]]").unwrap();
        assert_eq!(leaf(&nodes, &[0.0]), 0.0);
    }

    #[test]
    fn a_larger_expected_error_is_less_sure() {
        let weights = Weights::load().unwrap();
        let sure = |error| weights.certainty(Doubt::Short, 0.9, error).right;
        assert!(sure(0.1) > sure(0.3) && sure(0.3) > sure(0.5));
        assert!(weights.certainty(Doubt::Short, 0.45, 0.5).is_doubtful);
        assert!(!weights.certainty(Doubt::Short, 0.99, 0.05).is_doubtful);
    }
}
