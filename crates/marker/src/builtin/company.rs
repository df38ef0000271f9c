//! The company that a point keeps: in an answer that says something wrong in another point's place, what the judge of
//! meaning is only half sure of was most likely said wrongly too.

use super::verdict::{LENIENT, NEVER, Reason, Verdict};
use crate::rule::Rule;

/// What the judge is surer of stands beside wrong statements.
const SURE: f32 = 0.7;
/// How sure such a refusal is.
const CONFIDENCE: f32 = 0.65;

/// Refuses what the judge is only half sure of where another point is contradicted.
pub(super) fn weigh(verdicts: &mut [Verdict]) {
    let is_wrong = |verdict: &Verdict| verdict.grant == NEVER && verdict.reason == Some(Reason::Contradicted);
    if !verdicts.iter().any(is_wrong) {
        return;
    }
    for verdict in verdicts.iter_mut().filter(|verdict| verdict.rule == Rule::Meaning) {
        // A word that the scheme insists on and that was said otherwise makes the verdict less sure, not the judge.
        if verdict.grant > LENIENT && verdict.judged() < SURE {
            verdict.grant = LENIENT;
            verdict.confidence = CONFIDENCE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::verdict::{ALWAYS, Measured, STANDARD};
    use crate::meaning::Opinion;

    #[test]
    fn half_sure_points_fall_beside_a_contradiction_alone() {
        let meant = |grant, confidence| Verdict::given(grant, confidence, 0..4).by(Rule::Meaning);
        let granted = |mut verdicts: Vec<Verdict>| -> Vec<bool> {
            weigh(&mut verdicts);
            verdicts.iter().map(|verdict| verdict.grant >= STANDARD).collect()
        };
        let wrong = || Verdict::refused(0.9, Some(Reason::Contradicted)).by(Rule::Opposite);
        let missing = Verdict::refused(0.9, None).by(Rule::Meaning);
        assert_eq!(granted(vec![meant(STANDARD, 0.6), missing]), [true, false]);
        assert_eq!(granted(vec![meant(STANDARD, 0.6), wrong()]), [false, false]);
        assert_eq!(granted(vec![meant(ALWAYS, 0.9), wrong()]), [true, false]);
        let number = Verdict::given(ALWAYS, 0.6, 0..4).by(Rule::Number);
        assert_eq!(granted(vec![number, wrong()]), [true, false]);
        let opinion = Some(Opinion { credited: 0.99, ..Opinion::default() });
        let reworded = Verdict { measured: Measured { opinion, coverage: None }, ..meant(STANDARD, 0.65) };
        assert_eq!(granted(vec![reworded, wrong()]), [true, false]);
    }
}
