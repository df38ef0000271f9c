//! What can be measured between an answer and what was expected, in words alone.
//!
//! The same code runs when the weights are trained (see `training/`) and when an answer is marked, so the
//! two can never drift apart.

use super::alike::{alike, opposites};
use super::points;
use super::wording::{Term, Wording, without_marks};
use std::collections::HashSet;

/// A word that the question already says shows little understanding when it is repeated.
const ASKED_WEIGHT: f32 = 0.35;
/// A point is covered when this share of its weight was found.
const COVERED: f32 = 0.5;

/// One model answer, prepared.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) wording: Wording,
    /// For each term: what it counts, less when the question already says it.
    weights: Vec<f32>,
    /// For each separate point: the indices of its terms.
    points: Vec<Vec<usize>>,
}

impl Reference {
    pub(super) fn of(text: &str, asked: &Wording) -> Reference {
        let text = without_marks(text);
        let wording = Wording::of(&text);
        let weights = weights(&wording.terms, &asked.stems());
        let points = points::of_reference(&text)
            .into_iter()
            .map(|point| {
                let from = point.as_ptr() as usize - text.as_ptr() as usize;
                let within = |term: &Term| term.start >= from && term.end <= from + point.len();
                (0..wording.terms.len()).filter(|&index| within(&wording.terms[index])).collect()
            })
            .filter(|indices: &Vec<usize>| !indices.is_empty())
            .collect();
        Reference { wording, weights, points }
    }

    /// The share of its weight that an answer has.
    pub(super) fn recall(&self, answer: &Wording) -> f32 {
        weighted(&self.found(answer), &self.weights)
    }

    /// For each term, how surely the answer has it.
    fn found(&self, answer: &Wording) -> Vec<f32> {
        self.wording.terms.iter().map(|term| best(term, &answer.terms)).collect()
    }
}

fn weights(terms: &[Term], asked: &HashSet<&str>) -> Vec<f32> {
    let weight =
        |term: &Term| term.weight * if asked.contains(term.stem.as_str()) { ASKED_WEIGHT } else { 1.0 };
    terms.iter().map(weight).collect()
}

/// The names of [`Comparison::values`], in order.
pub(super) const NAMES: [&str; 24] = [
    "recall",
    "recall_plain",
    "precision",
    "f1",
    "new_recall",
    "pair_recall",
    "letters_dice",
    "letters_recall",
    "numbers_recall",
    "numbers_wanted",
    "numbers_wrong",
    "negation_differs",
    "opposites",
    "points_mean",
    "points_best",
    "points_least",
    "points_covered",
    "points_count",
    "order",
    "reference_terms",
    "answer_terms",
    "length_ratio",
    "asked_share",
    "reference_asked_share",
];

/// An answer measured against one model answer.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) values: Vec<f32>,
}

impl Comparison {
    pub(super) fn of(asked: &Wording, reference: &Reference, answer: &Wording) -> Comparison {
        let question = asked.stems();
        let wanted = &reference.wording.terms;
        let found = reference.found(answer);
        let recall = weighted(&found, &reference.weights);
        let precise: Vec<f32> = answer.terms.iter().map(|term| best(term, wanted)).collect();
        let precision = weighted(&precise, &weights(&answer.terms, &question));
        let covered: Vec<f32> = reference
            .points
            .iter()
            .map(|point| {
                let pick =
                    |values: &[f32]| -> Vec<f32> { point.iter().map(|&index| values[index]).collect() };
                weighted(&pick(&found), &pick(&reference.weights))
            })
            .collect();
        let numbers = numbers(asked, &reference.wording, answer);
        let letters = shared(&reference.wording.trigrams, &answer.trigrams);
        let values = vec![
            recall,
            mean(&found),
            precision,
            2.0 * recall * precision / (recall + precision).max(1e-6),
            new_recall(wanted, &found, &question),
            ratio(reference.wording.pairs.intersection(&answer.pairs).count(), reference.wording.pairs.len()),
            ratio(2 * letters, reference.wording.trigrams.len() + answer.trigrams.len()),
            ratio(letters, reference.wording.trigrams.len()),
            numbers[0],
            numbers[1],
            numbers[2],
            f32::from(reference.wording.negations % 2 != answer.negations % 2),
            contradictions(wanted, answer),
            mean(&covered),
            covered.iter().copied().fold(0.0, f32::max),
            covered.iter().copied().fold(1.0, f32::min),
            ratio(covered.iter().filter(|&&share| share >= COVERED).count(), covered.len()),
            (covered.len() as f32).ln_1p(),
            order(wanted, &answer.terms),
            (wanted.len() as f32).ln_1p(),
            (answer.terms.len() as f32).ln_1p(),
            (answer.terms.len() as f32).ln_1p() - (wanted.len() as f32).ln_1p(),
            asked_share(&answer.terms, &question),
            asked_share(wanted, &question),
        ];
        Comparison { values }
    }

    /// Which model answer an answer should be held against: the one that it shares most with.
    pub(super) fn closeness(&self) -> f32 {
        self.values[3]
    }
}

/// How surely the term occurs among others.
fn best(term: &Term, others: &[Term]) -> f32 {
    others.iter().map(|other| alike(term, other)).fold(0.0, f32::max)
}

fn weighted(values: &[f32], weights: &[f32]) -> f32 {
    let total: f32 = weights.iter().sum();
    let sum: f32 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
    if total > 0.0 { sum / total } else { 0.0 }
}

fn mean(values: &[f32]) -> f32 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f32>() / values.len() as f32 }
}

fn ratio(part: usize, whole: usize) -> f32 {
    if whole == 0 { 0.0 } else { part as f32 / whole as f32 }
}

fn shared(one: &HashSet<u64>, other: &HashSet<u64>) -> usize {
    one.intersection(other).count()
}

/// Recall over the words that the question does not give away.
fn new_recall(wanted: &[Term], found: &[f32], question: &HashSet<&str>) -> f32 {
    let is_new = |index: &usize| !question.contains(wanted[*index].stem.as_str());
    let new: Vec<usize> = (0..wanted.len()).filter(is_new).collect();
    let values: Vec<f32> = new.iter().map(|&index| found[index]).collect();
    let weights: Vec<f32> = new.iter().map(|&index| wanted[index].weight).collect();
    if new.is_empty() { mean(found) } else { weighted(&values, &weights) }
}

/// The share of the wanted numbers that is there, whether any was wanted, and the share of wrong ones.
fn numbers(asked: &Wording, reference: &Wording, answer: &Wording) -> [f32; 3] {
    let of = |wording: &Wording| -> HashSet<String> {
        wording.terms.iter().filter(|term| term.is_number).map(|term| term.stem.clone()).collect()
    };
    let (known, wanted, given) = (of(asked), of(reference), of(answer));
    let wrong = given.iter().filter(|number| !wanted.contains(*number) && !known.contains(*number)).count();
    let found = wanted.intersection(&given).count();
    [ratio(found, wanted.len()), f32::from(!wanted.is_empty()), ratio(wrong, given.len())]
}

/// How many wanted words are missing while their opposite is there.
fn contradictions(wanted: &[Term], answer: &Wording) -> f32 {
    let given = answer.stems();
    let is_missing = |term: &&Term| !given.contains(term.stem.as_str());
    let turned = |term: &&Term| opposites(&term.stem).iter().any(|opposite| given.contains(opposite));
    wanted.iter().filter(is_missing).filter(turned).count().min(3) as f32
}

/// How much of the model answer's order the answer keeps: the longest common run of terms, gaps allowed.
fn order(wanted: &[Term], given: &[Term]) -> f32 {
    let mut above = vec![0usize; given.len() + 1];
    for term in wanted {
        let mut row = vec![0usize; given.len() + 1];
        for (index, other) in given.iter().enumerate() {
            row[index + 1] =
                if term.stem == other.stem { above[index] + 1 } else { above[index + 1].max(row[index]) };
        }
        above = row;
    }
    ratio(above[given.len()], wanted.len())
}

fn asked_share(terms: &[Term], question: &HashSet<&str>) -> f32 {
    ratio(terms.iter().filter(|term| question.contains(term.stem.as_str())).count(), terms.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str, reference: &str, answer: &str) -> f32 {
        let asked = Wording::of("What happens to the water in the pan?");
        let comparison = Comparison::of(&asked, &Reference::of(reference, &asked), &Wording::of(answer));
        assert_eq!(comparison.values.len(), NAMES.len());
        assert!(comparison.values.iter().all(|value| value.is_finite()));
        comparison.values[NAMES.iter().position(|known| *known == name).unwrap()]
    }

    #[test]
    fn the_same_words_in_other_forms_are_recalled() {
        assert!(value("recall", "The water evaporates", "evaporation of water") > 0.9);
        assert!(value("recall", "The water evaporates", "the pan gets dirty") < 0.1);
    }

    #[test]
    fn repeating_the_question_earns_little() {
        let parrot = value("recall", "The water in the pan evaporates", "the water in the pan");
        assert!(parrot < value("recall", "The water in the pan evaporates", "it evaporates"));
    }

    #[test]
    fn numbers_negation_and_opposites_are_seen() {
        assert_eq!(value("numbers_recall", "boils at 100 degrees", "boils at 90 degrees"), 0.0);
        assert_eq!(value("numbers_wrong", "boils at 100 degrees", "boils at 90 degrees"), 1.0);
        assert_eq!(value("negation_differs", "it boils", "it does not boil"), 1.0);
        assert_eq!(value("opposites", "the level increases", "the level decreases"), 1.0);
    }

    #[test]
    fn each_point_is_counted_by_itself() {
        let half = value("points_covered", "The water boils. Steam escapes quickly.", "steam escapes");
        assert!((half - 0.5).abs() < 1e-6, "{half}");
    }

    #[test]
    fn texts_without_words_give_numbers_too() {
        for text in ["", "…", "🙂"] {
            value("recall", text, text);
            value("recall", "光合作用", text);
        }
    }
}
