//! How a mark agrees with the rest of its script.
//!
//! No mark depends on it: an answer is marked by what it says alone. But a mark that is far from what the script earns
//! elsewhere is more often wrong than one that fits, whichever of the two the student is, so that a person looks at it
//! first.

use crate::outcome::{Flag, LeafOutcome, Outcome};
use domain::marks::Marks;
use std::f64::consts::LN_2;

/// What the other answers of a script earned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rest {
    answers: f64,
    shares: f64,
}

/// A script is taken for a middling one until it has as many answers more.
const MIDDLING: f64 = 6.0;
/// Nothing is impossible.
const LEAST: f64 = 0.02;
/// What a surprise costs, in odds, against a mark about which the rest says nothing. Seven tenths of what fits best where
/// every script is of one piece (`training/fit_trust.py`): real ones are less so.
const ODDS_SURPRISE: f64 = -3.0;

impl Rest {
    /// Counts an answer. One that was not written or not judged says nothing about the others.
    pub fn add(&mut self, awarded: Marks, available: Marks, flags: &[Flag]) {
        if let Some(share) = share(awarded, available, flags) {
            self.answers += 1.0;
            self.shares += share;
        }
    }

    /// The share of the marks that one would expect of another answer.
    pub fn expected(&self) -> f64 {
        (self.shares + MIDDLING / 2.0) / (self.answers + MIDDLING)
    }

    fn without(self, share: f64) -> Rest {
        Rest { answers: self.answers - 1.0, shares: self.shares - share }
    }

    /// How likely a mark is right that was this likely by itself.
    fn confidence(self, alone: f32, share: f64) -> f32 {
        let expected = self.expected();
        let surprise = -share * expected.max(LEAST).ln() - (1.0 - share) * (1.0 - expected).max(LEAST).ln();
        let alone = f64::from(alone);
        let odds = (alone / (1.0 - alone)).ln() + ODDS_SURPRISE * (surprise - LN_2);
        (1.0 / (1.0 + (-odds).exp())) as f32
    }
}

/// Weighs what is said of each answer against the rest of the script: the other outcomes, and what `beside` has.
pub fn weigh(outcomes: &mut [Outcome], beside: Rest) {
    let mut all = beside;
    for leaf in outcomes.iter().flat_map(|outcome| &outcome.leaves) {
        all.add(leaf.awarded, leaf.available, &leaf.flags);
    }
    for outcome in outcomes {
        let mut leaves = std::mem::take(&mut outcome.leaves);
        leaves.iter_mut().for_each(|leaf| weigh_leaf(leaf, all));
        *outcome = Outcome::of(leaves);
    }
}

fn weigh_leaf(leaf: &mut LeafOutcome, all: Rest) {
    let Some((share, low)) = share(leaf.awarded, leaf.available, &leaf.flags).zip(leaf.doubted_below) else {
        return;
    };
    // What nobody can trust, and what is beyond doubt, stays so.
    if leaf.confidence <= 0.0 || leaf.confidence >= 1.0 {
        return;
    }
    leaf.confidence = all.without(share).confidence(leaf.confidence, share);
    leaf.flags.retain(|flag| *flag != Flag::LowConfidence);
    if leaf.confidence < low {
        leaf.flags.insert(0, Flag::LowConfidence);
    }
}

fn share(awarded: Marks, available: Marks, flags: &[Flag]) -> Option<f64> {
    let is_judged = !flags.iter().any(|flag| matches!(flag, Flag::NotAttempted | Flag::NotJudged));
    (is_judged && !available.is_zero()).then(|| (awarded.as_number() / available.as_number()).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(awarded: u32, confidence: f32) -> LeafOutcome {
        LeafOutcome {
            awarded: Marks::whole(awarded),
            available: Marks::whole(4),
            confidence,
            doubted_below: Some(0.6),
            ..LeafOutcome::default()
        }
    }

    fn weighed(leaves: Vec<LeafOutcome>) -> Vec<LeafOutcome> {
        let mut outcomes: Vec<Outcome> = leaves.into_iter().map(|leaf| Outcome::of(vec![leaf])).collect();
        weigh(&mut outcomes, Rest::default());
        outcomes.into_iter().flat_map(|outcome| outcome.leaves).collect()
    }

    #[test]
    fn a_mark_that_fits_the_script_is_surer_than_one_that_does_not() {
        let mut leaves = vec![leaf(4, 0.7); 8];
        leaves.push(leaf(0, 0.7));
        let weighed = weighed(leaves);
        assert!(weighed[0].confidence > 0.75 && weighed[0].flags.is_empty(), "{:?}", weighed[0]);
        assert!(weighed[8].confidence < 0.5, "{:?}", weighed[8]);
        assert_eq!(weighed[8].flags, [Flag::LowConfidence]);
        assert_eq!(weighed[8].awarded, Marks::ZERO, "no mark depends on the others");
    }

    #[test]
    fn one_answer_alone_stays_as_it_is() {
        let alone = leaf(3, 0.7);
        let weighed = weighed(vec![alone.clone()]);
        assert!((weighed[0].confidence - alone.confidence).abs() < 1e-6);
        assert_eq!(weighed[0].flags, alone.flags);
    }

    #[test]
    fn what_was_not_written_or_not_judged_says_nothing() {
        let silent = |flag| LeafOutcome { flags: vec![flag], ..leaf(0, 0.98) };
        let mut leaves = vec![leaf(4, 0.7)];
        leaves.extend(vec![silent(Flag::NotAttempted); 5]);
        leaves.extend(vec![silent(Flag::NotJudged); 5]);
        let weighed = weighed(leaves.clone());
        assert!((weighed[0].confidence - 0.7).abs() < 1e-6);
        assert_eq!(weighed[1..], leaves[1..]);
    }

    #[test]
    fn a_flag_for_another_reason_stays() {
        let read_badly =
            LeafOutcome { flags: vec![Flag::LowConfidence], doubted_below: None, ..leaf(4, 0.5) };
        let mut leaves = vec![leaf(4, 0.7); 8];
        leaves.push(read_badly.clone());
        assert_eq!(weighed(leaves)[8], read_badly);
    }

    #[test]
    fn the_order_of_the_answers_says_nothing() {
        let leaves = vec![leaf(4, 0.7), leaf(1, 0.8), leaf(2, 0.4), leaf(0, 0.9)];
        let turned: Vec<LeafOutcome> = leaves.iter().rev().cloned().collect();
        let mut back = weighed(turned);
        back.reverse();
        let forth = weighed(leaves);
        for (one, other) in forth.iter().zip(&back) {
            assert!((one.confidence - other.confidence).abs() < 1e-6 && one.flags == other.flags);
        }
    }
}
