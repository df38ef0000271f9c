//! Method marks: a step that was shown, or that a right result implies.

use super::algebra::{AlgebraKey, constant_of, has_step};
use super::normal::normal;
use super::number::{self, Quantity};
use super::script::{Script, wordings};
use super::verdict::{ALWAYS, NEVER, STANDARD, Verdict};
use domain::question::{Point, PointKind};

/// Judges a method point by the working that the answer shows.
pub(crate) fn judge(script: &Script<'_>, point: &Point) -> Verdict {
    wordings(point)
        .iter()
        .map(|wording| judge_step(script, &normal(wording)))
        .fold(Verdict::refused(0.75, None), Verdict::or)
}

/// True when the point is a sum to be shown.
pub(crate) fn is_sum(point: &Point) -> bool {
    wordings(point).iter().any(|wording| constant_of(arithmetic_of(&normal(wording))).is_some())
}

/// "(x + a)(x + b) where ab = 12": whether a step meets a condition is for a person to say.
pub(crate) fn is_conditional(point: &Point) -> bool {
    let is_step = matches!(point.kind, PointKind::Method | PointKind::Independent);
    is_step && point.text.contains(" where ") && point.text.contains('=')
}

fn judge_step(script: &Script<'_>, wording: &str) -> Verdict {
    let step = arithmetic_of(wording);
    if let Some(span) = has_step(script.answer, step) {
        return Verdict::given(ALWAYS, 0.88, span);
    }
    let working_wanted = script.demands.working || script.rules.require_working;
    if let Some((value, _)) = constant_of(step).filter(|_| !working_wanted) {
        // The step's result without the step: seen or implied.
        let shown = number::results(script.answer).into_iter().find(|result| {
            Quantity::all(&script.answer[result.clone()])
                .iter()
                .any(|one| (one.value - value).abs() <= value.abs() * 0.005)
        });
        return shown
            .map_or_else(|| Verdict::refused(0.75, None), |span| Verdict::given(STANDARD, 0.75, span));
    }
    match AlgebraKey::parse(step, true) {
        Some(key) => {
            let verdict = key.appears_in(script.answer, &super::demand::Demands::default());
            if verdict.grant > NEVER { verdict } else { Verdict::refused(0.7, None) }
        }
        None => Verdict::refused(0.7, None),
    }
}

/// The sum in a wording such as "substitution, e.g. 0.5 × 4 × 3^2" or "for 12 / 0.3 oe".
pub(crate) fn arithmetic_of(wording: &str) -> &str {
    let text = wording.rsplit([':', ';']).next().unwrap_or(wording);
    let is_sum = |c: char| c.is_ascii_digit() || matches!(c, '(' | '√' | '-' | '[' | 'π');
    let start = text.find(is_sum).unwrap_or(0);
    let end = text
        .rfind(|c: char| c.is_ascii_digit() || matches!(c, ')' | ']' | '%' | '°'))
        .map_or(text.len(), |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let sum = text.get(start..end).unwrap_or(text).trim();
    if constant_of(sum).is_some() { sum } else { text.trim() }
}
