//! Steps that a scheme names and shows by an example: "substitution; rearrangement; evaluation; e.g. 60 = 1.5 × a …".
//!
//! Named steps say nothing that an answer could say. What earns them is the student's own working, held against the
//! sums of the example.

use super::number::{Quantity, Unit};
use super::script::Script;
use super::sums::{Sum, is_near};
use super::verdict::{ALWAYS, Reason, STANDARD, Verdict};
use crate::rule::Rule;
use domain::marks::Marks;
use domain::question::Kind;
use domain::scheme::{Step, TypedKey, TypedPoint, Worked};

/// Judges the named steps of a key by the student's working, once its other points are judged. Where the steps are worth
/// all the marks, the example beside them shows and earns nothing.
pub(crate) fn judge(script: &Script<'_>, key: &TypedKey, verdicts: &mut [Verdict]) {
    let steps: Vec<(usize, Step)> =
        key.points.iter().enumerate().filter_map(|(index, point)| Some((index, point.step?))).collect();
    if script.leaf.kind != Kind::Numeric || steps.is_empty() {
        return;
    }
    let shown = Shown::of(script, key);
    let is_implied = shown.is_reached && !script.demands.working && !script.rules.require_working;
    let mut seen: Vec<Step> = Vec::new();
    for (index, step) in &steps {
        let rank = seen.iter().filter(|known| *known == step).count();
        let of = steps.iter().filter(|(_, other)| other == step).count();
        seen.push(*step);
        verdicts[*index] = match step {
            Step::Unit => shown.unit(script, &verdicts[*index]),
            // A right result implies how it was got, unless the question wants to see it.
            _ if is_implied => Verdict::given(STANDARD, 0.85, 0..script.answer.len()).by(Rule::Implied),
            Step::Substitution => shown.step(&shown.example, rank, of),
            Step::Rearrangement => shown.step(&shown.rearranged(), rank, of),
            Step::Evaluation => shown.evaluation(script, key, &key.points[*index], (rank, of)),
        };
    }
    let worth: Marks = steps.iter().map(|(index, _)| key.points[*index].marks).sum();
    if worth >= script.leaf.available() {
        for (index, verdict) in verdicts.iter_mut().enumerate() {
            if !steps.iter().any(|(step, _)| *step == index) {
                *verdict = Verdict::refused(0.9, None).by(Rule::Example);
            }
        }
    }
}

/// The student's sums beside those of the scheme's example.
struct Shown {
    own: Vec<Sum>,
    example: Vec<Sum>,
    /// The results that the example states, in order.
    results: Vec<f64>,
    /// The answer gives the last of them.
    is_reached: bool,
    unit: Option<Unit>,
    /// Everything that the answer says in numbers, its sums worked out.
    said: Vec<f64>,
}

impl Shown {
    fn of(script: &Script<'_>, key: &TypedKey) -> Shown {
        let own = Sum::all(script.answer);
        let written = Quantity::all(script.answer);
        let said: Vec<f64> =
            written.iter().map(|one| one.value).chain(own.iter().map(|sum| sum.value)).collect();
        let results: Vec<f64> = key.example.iter().flat_map(results).collect();
        let is_reached = results.iter().any(|result| {
            let finals = super::number::final_value(script.answer);
            Some(*result) == results.last().copied() && finals.is_some_and(|one| is_near(one.value, *result))
        });
        let texts = || key.example.iter().map(|worked| worked.text.as_str());
        let unit = texts().flat_map(Quantity::all).filter_map(|one| one.unit).next_back();
        let example = texts().flat_map(Sum::all).collect();
        Shown { own, example, results, is_reached, unit, said }
    }

    /// Sums that take apart or away: there what is sought stands alone.
    fn rearranged(&self) -> Vec<Sum> {
        self.example.iter().filter(|sum| sum.signs.contains(['/', '-'])).cloned().collect()
    }

    /// The step of this rank among as many of its kind: the sum of that rank where the example has as many, else any.
    fn step(&self, wanted: &[Sum], rank: usize, of: usize) -> Verdict {
        let wanted = if wanted.len() == of { &wanted[rank..=rank] } else { wanted };
        let alike = |own: &&Sum| wanted.iter().any(|sum| own.is_alike(sum) || own.is_exchange_of(sum));
        match self.own.iter().find(alike) {
            Some(sum) => Verdict::given(STANDARD, 0.7, sum.span.clone()).by(Rule::Method),
            None => Verdict::refused(0.7, None).by(Rule::Method),
        }
    }

    /// The result of this rank, counted from the end; a wrong sum that was worked out rightly earns it only where
    /// errors are carried forward.
    fn evaluation(
        &self,
        script: &Script<'_>,
        key: &TypedKey,
        point: &TypedPoint,
        (rank, of): (usize, usize),
    ) -> Verdict {
        let place = (self.results.len() + rank).checked_sub(of);
        let stated = place.and_then(|place| self.results.get(place));
        if stated.is_some_and(|stated| self.said.iter().any(|said| is_near(*said, *stated))) {
            return Verdict::given(STANDARD, 0.8, 0..script.answer.len()).by(Rule::Number);
        }
        let carried = script.follows_on(point) || key.remarks.carries_errors;
        let exchanged =
            |own: &&Sum| own.is_worked_out() && self.example.iter().any(|sum| own.is_exchange_of(sum));
        match self.own.iter().rev().find(exchanged) {
            Some(sum) if carried => Verdict::given(STANDARD, 0.65, sum.span.clone()).by(Rule::FollowThrough),
            _ => Verdict::refused(0.75, Some(Reason::OtherValue)).by(Rule::Number),
        }
    }

    /// A unit is never implied: it stands there or not.
    fn unit(&self, script: &Script<'_>, verdict: &Verdict) -> Verdict {
        let Some(wanted) = self.unit else { return verdict.clone() };
        let carried = Quantity::all(script.answer).into_iter().rfind(|one| one.unit.is_some());
        match carried.and_then(|one| Some((one.unit?, one.span))) {
            Some((unit, span)) if unit.is_same(wanted) => Verdict::given(ALWAYS, 0.9, span),
            Some((_, span)) => {
                Verdict { evidence: vec![span], ..Verdict::refused(0.85, Some(Reason::UnitWrong)) }
            }
            None => Verdict::refused(0.9, Some(Reason::UnitMissing)),
        }
        .by(Rule::Unit)
    }
}

/// Numbers that stand alone behind a sign of equality, and a text that is nothing but a number.
pub(super) fn results(worked: &Worked) -> Vec<f64> {
    let text = worked.text.as_str();
    let sums = Sum::all(text);
    let alone = |at: usize| !sums.iter().any(|sum| sum.span.contains(&at));
    let whole = worked.number.as_ref().filter(|number| number.range.is_none()).map(|number| number.value);
    let behind = text.match_indices('=').filter_map(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches(' ');
        let start = text.len() - rest.len();
        Quantity::at(text, start).filter(|_| alone(start)).map(|one| one.value)
    });
    let found: Vec<f64> = behind.collect();
    if found.is_empty() { whole.into_iter().collect() } else { found }
}
