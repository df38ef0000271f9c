//! Each point on its own evidence: words that make one point do not make another as well, unless the judge of meaning is
//! sure of both. An answer of one sentence may make every point of a key that asks for no more than it lists.

use super::verdict::{LENIENT, STANDARD, Verdict};
use crate::rule::Rule;
use domain::marks::Marks;
use domain::scheme::TypedKey;
use std::ops::Range;

/// The judge is so sure of a point that it stands on words which another point has used.
const BOTH_STAND: f32 = 0.75;
/// So much of the shorter evidence lies on the other's.
const SHARED: f32 = 0.6;
/// Evidence that is more of the answer than this is the answer, in which several points may be made.
const STATEMENT: f32 = 0.6;
/// How sure the refusal of a point is whose words made another.
const CONFIDENCE: f32 = 0.7;

/// Refuses points whose words make another point better.
pub(super) fn apart(key: &TypedKey, available: Marks, length: usize, verdicts: &mut [Verdict]) {
    let is_spare = key.points.iter().map(|point| point.marks).sum::<Marks>() > available;

    let used: Vec<Option<(Range<usize>, f32)>> = verdicts.iter().map(evidence).collect();
    for (at, verdict) in verdicts.iter_mut().enumerate() {
        let Some((own, sure)) = &used[at] else { continue };
        let is_taken = used.iter().enumerate().any(|(other, taken)| {
            let Some((span, surer)) = taken.as_ref().filter(|_| other != at) else { return false };
            (*surer > *sure || (*surer >= *sure && other < at))
                && shares(own, span)
                && (is_spare || own.len() as f32 <= STATEMENT * length as f32)
        });
        if is_taken && verdict.rule == Rule::Meaning && verdict.judged() < BOTH_STAND {
            verdict.grant = verdict.grant.min(LENIENT);
            verdict.confidence = CONFIDENCE;
        }
    }
}

/// Where a point is said that words or meaning have given, and how sure that is.
fn evidence(verdict: &Verdict) -> Option<(Range<usize>, f32)> {
    let is_said = matches!(verdict.rule, Rule::Meaning | Rule::Words) && verdict.grant >= STANDARD;
    let start = verdict.evidence.iter().map(|span| span.start).min()?;
    let end = verdict.evidence.iter().map(|span| span.end).max()?;
    is_said.then_some((start..end, verdict.confidence))
}

fn shares(one: &Range<usize>, other: &Range<usize>) -> bool {
    let common = one.end.min(other.end).saturating_sub(one.start.max(other.start));
    let shorter = one.len().min(other.len());
    shorter > 0 && common as f32 >= SHARED * shorter as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::verdict::ALWAYS;
    use domain::scheme::TypedPoint;

    fn meant(confidence: f32, span: Range<usize>) -> Verdict {
        Verdict::given(ALWAYS, confidence, span).by(Rule::Meaning)
    }

    #[test]
    fn the_same_words_make_one_point_unless_both_are_sure() {
        let point = TypedPoint { marks: Marks::whole(1), ..TypedPoint::default() };
        let key = TypedKey { points: vec![point; 2], ..TypedKey::default() };
        let granted_of = |available, length, mut verdicts: Vec<Verdict>| -> Vec<bool> {
            apart(&key, Marks::whole(available), length, &mut verdicts);
            verdicts.iter().map(|verdict| verdict.grant >= STANDARD).collect()
        };
        let granted = |verdicts| granted_of(1, 50, verdicts);
        assert_eq!(granted(vec![meant(0.7, 0..20), meant(0.97, 2..18)]), [false, true]);
        assert_eq!(granted_of(2, 22, vec![meant(0.7, 0..20), meant(0.97, 2..18)]), [true, true]);
        assert_eq!(granted(vec![meant(0.8, 0..20), meant(0.97, 2..18)]), [true, true]);
        assert_eq!(granted(vec![meant(0.7, 0..20), meant(0.97, 30..48)]), [true, true]);
        let number = Verdict::given(ALWAYS, 0.6, 0..20).by(Rule::Number);
        assert_eq!(granted(vec![number, meant(0.97, 2..18)]), [true, true]);
    }
}
