//! A point that is worth several marks and says for what: "further from nucleus (1) less attraction (1)".

use super::script::Script;
use super::verdict::{NEVER, STANDARD, Verdict};
use crate::rule::Rule;
use domain::question::PointKind;
use domain::scheme::TypedPoint;

/// Judges each share of a point by itself; `None` when the point is one thing.
pub(crate) fn judge(script: &Script<'_>, point: &TypedPoint) -> Option<Verdict> {
    if point.shares.is_empty() {
        return None;
    }
    let mut verdicts: Vec<Verdict> = point.shares.iter().map(|share| script.judge_point(share)).collect();
    // A reason counts only for what it is a reason of.
    if let [first, rest @ ..] = verdicts.as_mut_slice()
        && first.rule == Rule::Truth
        && first.grant == NEVER
    {
        for reason in rest {
            *reason = Verdict { grant: NEVER, ..reason.clone() };
        }
    }
    let least = verdicts.iter().map(|verdict| verdict.confidence).fold(1.0, f32::min);
    let evidence =
        verdicts.iter().filter(|verdict| verdict.grant > NEVER).flat_map(|verdict| verdict.evidence.clone());
    Some(Verdict {
        grant: verdicts.iter().map(|verdict| verdict.grant).min().unwrap_or(NEVER),
        confidence: least,
        evidence: evidence.collect(),
        reason: verdicts.iter().find_map(|verdict| verdict.reason.clone()),
        rule: Rule::Shares,
        shares: verdicts.iter().map(|verdict| verdict.grant).collect(),
        ..Verdict::default()
    })
}

/// A point worth several marks that does not say for what ("analysis of the causes, up to 4 marks"): how many depends on
/// how well it is made. The judge's certainty stands for that, which is a guess, and its confidence says so.
pub(crate) fn by_degree(point: &TypedPoint, verdict: Verdict) -> Verdict {
    let marks = (point.marks.as_halves() / 2) as usize;
    if marks < 2 || !verdict.shares.is_empty() || !matches!(point.kind, PointKind::Point) {
        return verdict;
    }
    let credited = if verdict.grant >= STANDARD { verdict.confidence } else { 1.0 - verdict.confidence };
    let [well_made, made, touched] = if point.is_descriptor { DESCRIBED } else { SAID };
    let earned = match credited {
        sure if sure >= well_made => marks,
        half if half >= made => marks.div_ceil(2),
        little if little >= touched => marks / 3,
        _ => 0,
    };
    // What the judge is sure of stands under the strict setting too.
    let made = verdict.grant.max(STANDARD);
    let shares = (0..marks).map(|share| if share < earned { made } else { NEVER }).collect();
    let grant = if earned == marks { made } else { NEVER };
    Verdict { grant, shares, confidence: verdict.confidence.min(DEGREE_CONFIDENCE), ..verdict }
}

/// From here on all marks of such a point are earned, half of them, and a third of them. What a descriptor asks for is made
/// by many statements, none of which says it, so that the judge is less sure of it.
const SAID: [f32; 3] = [0.85, 0.5, 0.2];
const DESCRIBED: [f32; 3] = [0.45, 0.2, 0.08];

const DEGREE_CONFIDENCE: f32 = 0.6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::verdict::{ALWAYS, LENIENT};
    use domain::marks::Marks;

    #[test]
    fn several_marks_for_one_thing_are_given_by_degrees_under_every_setting() {
        let said = TypedPoint { marks: Marks::whole(4), ..TypedPoint::default() };
        let described = TypedPoint { is_descriptor: true, ..said.clone() };
        let degrees_of = |point: &TypedPoint, grant, confidence| {
            let verdict = by_degree(point, Verdict { grant, confidence, ..Verdict::default() });
            let given = |least| verdict.shares.iter().filter(|share| **share >= least).count();
            (given(ALWAYS), given(STANDARD), given(LENIENT))
        };
        let degrees = |grant, confidence| degrees_of(&said, grant, confidence);
        assert_eq!(degrees_of(&described, STANDARD, 0.5), (0, 4, 4));
        assert_eq!(degrees_of(&described, NEVER, 0.7), (0, 2, 2));
        assert_eq!(degrees_of(&described, NEVER, 0.97), (0, 0, 0));
        assert_eq!(degrees(ALWAYS, 0.95), (4, 4, 4));
        assert_eq!(degrees(ALWAYS, 0.7), (2, 2, 2));
        assert_eq!(degrees(STANDARD, 0.55), (0, 2, 2));
        assert_eq!(degrees(NEVER, 0.7), (0, 1, 1));
        assert_eq!(degrees(NEVER, 0.9), (0, 0, 0));
    }
}
