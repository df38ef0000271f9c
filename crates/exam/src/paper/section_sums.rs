//! "(20 marks)" behind the last of ten questions that carry 2 marks each: the sum of its section.

use super::Question;
use super::rubric::Rubric;
use domain::marks::Marks;

/// Fewer questions may add up to anything.
const LEAST: usize = 3;

/// Gives the last question of such a run what the others carry.
pub(super) fn settle(questions: &mut [Question], starts: &[usize], rubric: &Rubric) {
    let stated = |at: usize| {
        let [only] = questions[at].leaves.as_slice() else { return None };
        rubric.marks_at(starts[at], only.path[0].value, !only.options.is_empty())
    };
    let each: Vec<Option<Marks>> = (0..questions.len()).map(stated).collect();
    let carries = |at: usize| questions[at].leaves.first().and_then(|leaf| leaf.marks);
    let mut sums = Vec::new();
    let mut first = 0;
    for run in each.chunk_by(|one, next| one == next) {
        let (last, count) = (first + run.len() - 1, u32::try_from(run.len()).unwrap_or(u32::MAX));
        let sum = run[0].map(|each| Marks::halves(each.as_halves().saturating_mul(count)));
        let others = (first..last).all(|at| carries(at) == run[0]);
        if run.len() >= LEAST && sum.is_some() && others && carries(last) == sum {
            sums.push((last, run[0]));
        }
        first += run.len();
    }
    for (at, each) in sums {
        questions[at].marks = each;
        questions[at].leaves[0].marks = each;
    }
}
