//! From measurements to a mark: a linear model and boosted trees, and how sure they are, all as plain data.

use serde::Deserialize;

/// What is weighed, calibrated and flagged by.
pub(super) static MARKING: &str = include_str!("../../../../models/meaning/marking.json");

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
    doubt_trees: Vec<Vec<Node>>,
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

/// How expected error and distance from the undecided middle become a probability, and who is flagged.
#[derive(Clone, Debug, Deserialize)]
struct Confidence {
    middles: [f32; KINDS],
    /// Nearness to the middle counts by this much against what the trees say.
    distance_share: f32,
    mark_scale: f32,
    doubt_scale: f32,
    /// One where the trees learned from answers of this kind, else nought: then nearness alone decides.
    learned: [f32; KINDS],
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

const KINDS: usize = 8;

/// Answers are uncertain in different ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// One mark, a short key: right or wrong.
    Short = 0,
    /// One mark, a long key.
    Long = 1,
    /// Two marks.
    SeveralMarks = 2,
    /// No model answer, only a rubric; or a rubric that counts.
    Rubric = 3,
    /// A language that the sentence model knows only by parts of words.
    Foreign = 4,
    /// A script that the sentence model does not read.
    Unread = 5,
    /// Three marks and more.
    ManyMarks = 6,
    /// Ten marks and more: people use the whole scale.
    VeryManyMarks = 7,
}

/// What the models say of an answer before it becomes a share of the marks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Said {
    linear: f32,
    trees: f32,
    /// The share of the marks, 0 to 1.
    pub(super) mark: f32,
}

/// How sure a mark is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Certainty {
    /// The probability that the mark is right.
    pub(super) right: f32,
    /// Among the least certain quarter of its kind.
    pub(super) is_doubtful: bool,
}

impl Weights {
    pub(super) fn load() -> Result<Weights, serde_json::Error> {
        serde_json::from_str(MARKING)
    }

    /// Brings measurements into the range that was seen in training.
    pub(super) fn bound(&self, values: &mut [f32]) {
        if let Some(marks) = self.names.iter().position(|name| name == "marks") {
            values[marks] = values[marks].min(self.marks_log_max);
        }
    }

    /// The share of the marks that measurements earn. A measurement that is not a number is not known.
    pub(super) fn mark(&self, doubt: Doubt, values: &[f32]) -> Said {
        let (linear, trees) = (self.linear.predict(values), grown(&self.trees, values));
        let raw = (linear + trees) / 2.0 - self.by_key(doubt, values);
        let mark = (self.level.bases[doubt as usize] + self.level.slope * raw).clamp(0.0, 1.0);
        Said { linear, trees, mark }
    }

    /// How much of a raw mark is owed to the key alone. What was learned of it in texts that the sentence model reads says
    /// nothing of others.
    fn by_key(&self, doubt: Doubt, values: &[f32]) -> f32 {
        if doubt == Doubt::Unread {
            return 0.0;
        }
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

    /// How sure the share `mark` is, that was made of what the models said.
    pub(super) fn certainty(&self, doubt: Doubt, mark: f32, said: Said, values: &[f32]) -> Certainty {
        let kind = doubt as usize;
        let rule = &self.confidence;
        let distance = (mark - rule.middles[kind]).abs();
        let ends = mark.min(1.0 - mark);
        let inputs = |known: &[f32]| -> Vec<f32> { known.iter().chain(values).copied().collect() };
        let error = grown(&self.error_trees, &inputs(&[mark, ends])).max(0.0);
        let learned = grown(&self.doubt_trees, &inputs(&[mark, ends, distance, said.linear, said.trees]));
        let unsure = rule.learned[kind] * learned / rule.doubt_scale
            - rule.distance_share * distance / rule.mark_scale;
        Certainty {
            right: rule.right.probability(kind, error, distance),
            is_doubtful: unsure > rule.limits[kind],
        }
    }
}

impl Right {
    fn probability(&self, kind: usize, error: f32, distance: f32) -> f32 {
        let odds = self.base + self.error * error + self.distance * distance + self.kinds[kind];
        1.0 / (1.0 + (-odds).exp())
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
        let right = Weights::load().unwrap().confidence.right;
        let sure = |error| right.probability(Doubt::Short as usize, error, 0.4);
        assert!(sure(0.1) > sure(0.3) && sure(0.3) > sure(0.5));
    }

    #[test]
    fn where_nothing_was_learned_the_middle_is_doubtful_and_the_ends_are_not() {
        let weights = Weights::load().unwrap();
        let values = vec![f32::NAN; weights.names.len()];
        let said = weights.mark(Doubt::Rubric, &values);
        let is_doubtful = |mark| weights.certainty(Doubt::Rubric, mark, said, &values).is_doubtful;
        assert!(is_doubtful(0.5) && !is_doubtful(0.0) && !is_doubtful(1.0));
    }
}
