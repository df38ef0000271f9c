//! Worked solutions that say beside them what each mark is for: "… 2 : integrand … 1 : limits … 1 : answer". The names
//! say nothing that an answer could say; a right result implies the solution.

use super::number;
use super::script::Script;
use super::steps::results;
use super::sums::is_near;
use super::verdict::{STANDARD, Verdict};
use crate::rule::Rule;
use domain::scheme::TypedKey;

/// How sure a solution is that was told by its result.
const CONFIDENCE: f32 = 0.8;

/// Credits the points of a worked solution whose result the answer reaches.
pub(super) fn judge(script: &Script<'_>, key: &TypedKey, verdicts: &mut [Verdict]) {
    let Some(solution) = &key.solution else { return };
    if solution.marks != script.leaf.available() || solution.is_in_words || script.rules.require_working {
        return;
    }
    let Some(written) = number::final_value(script.answer) else { return };
    let mut ends = solution.working.iter().filter_map(|working| results(working).last().copied());
    if ends.any(|end| is_near(written.value, end)) {
        let lacks_unit = written.unit.is_none() && solution.names_unit;
        if !lacks_unit {
            verdicts.fill(Verdict::given(STANDARD, CONFIDENCE, written.span.clone()).by(Rule::Implied));
        }
    }
}
