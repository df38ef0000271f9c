//! What a right result implies: the method that led to it, and the steps that a scheme lists before it.

use super::matcher::Matcher;
use super::method;
use super::script::Script;
use super::sums::Sum;
use super::verdict::{NEVER, Verdict};
use crate::rule::Rule;
use domain::question::{Kind, PointKind};
use domain::scheme::{TypedKey, TypedPoint};

/// Credits the steps that a right result implies. Not to be asked where the question wants the working shown.
pub(crate) fn imply(script: &Script<'_>, key: &TypedKey, verdicts: &mut [Verdict]) {
    imply_methods(key, verdicts, |_| true);
    if matches!(script.leaf.kind, Kind::Numeric | Kind::Expression) {
        imply_steps(script, key, verdicts);
    }
}

/// Credits the methods that steps imply which the answer shows, where working is wanted: an equation on the way is working,
/// a value at its end is not.
pub(crate) fn imply_shown(script: &Script<'_>, key: &TypedKey, verdicts: &mut [Verdict]) {
    let is_step = |point: &TypedPoint| {
        let matcher = Matcher::of(&point.own, script.leaf.kind, &script.demands);
        matches!(&matcher, Matcher::Algebra(key) if !key.is_solved())
    };
    let shown: Vec<bool> = key.points.iter().map(is_step).collect();
    imply_methods(key, verdicts, |index| shown[index]);
}

/// The methods since the last accuracy mark led to this one.
fn imply_methods(key: &TypedKey, verdicts: &mut [Verdict], tells: impl Fn(usize) -> bool) {
    for index in 0..key.points.len() {
        if !matches!(key.points[index].kind, PointKind::Accuracy | PointKind::Answer)
            || verdicts[index].grant == NEVER
            || !tells(index)
        {
            continue;
        }
        let since = (0..index)
            .rev()
            .find(|before| key.points[*before].kind == PointKind::Accuracy)
            .map_or(0, |before| before + 1);
        let named = key.points[index].needs;
        for before in (since..index).chain(named) {
            if key.points[before].kind == PointKind::Method {
                imply_one(verdicts, before, index);
            }
        }
    }
}

/// Schemes without letters: "substitution (1), evaluation (1), 0.84 g/cm³" is worth everything to whoever reaches the
/// final value. A value of another name ("median = 186") is not a step towards it.
fn imply_steps(script: &Script<'_>, key: &TypedKey, verdicts: &mut [Verdict]) {
    let matchers: Vec<Matcher> =
        key.points.iter().map(|point| Matcher::of(&point.own, script.leaf.kind, &script.demands)).collect();
    let states_result = |index: &usize| {
        let sum = method::is_sum(&key.points[*index]) && !matches!(matchers[*index], Matcher::Number(_));
        matchers[*index].stated_number().is_some() && !sum && key.points[*index].kind != PointKind::Method
    };
    let Some(last) = (0..key.points.len()).rev().find(states_result) else { return };
    let value = matchers[last].stated_number();
    let reached = (0..key.points.len())
        .filter(|index| states_result(index) && matchers[*index].stated_number() == value)
        .max_by_key(|index| verdicts[*index].grant);
    let Some(reached) = reached.filter(|index| verdicts[*index].grant > NEVER) else { return };
    let works = || !Sum::all(script.answer).is_empty();
    for (index, point) in key.points.iter().enumerate() {
        let in_words =
            matches!(matchers[reached], Matcher::Number(_)) && matches!(matchers[index], Matcher::Words(_));
        let shown_sum = (method::is_sum(point) && has_working(&point.own.text)) || method::is_bare_sum(point);
        let same_result = states_result(&index) && matchers[index].stated_number() == value;
        // Whoever reckons with the values of "I = V / R" has the formula.
        let in_symbols = is_formula(point) && matches!(matchers[index], Matcher::Algebra(_)) && works();
        // Where marks have letters, what comes after the result is another step.
        let is_after = index > reached && !matches!(point.kind, PointKind::Point | PointKind::Answer);
        if (in_words || shown_sum || same_result || in_symbols) && !is_after && !point.is_heading {
            imply_one(verdicts, index, reached);
        }
    }
}

/// "I = V / R": an equation without a number.
fn is_formula(point: &TypedPoint) -> bool {
    let text = &point.own.form;
    text.contains('=') && !text.contains(|c: char| c.is_ascii_digit())
}

/// "5000 − 10% = 4500" shows how; "median = 186" only names.
fn has_working(text: &str) -> bool {
    let before = text.rsplit_once('=').map_or(text, |(before, _)| before);
    before.chars().any(|c| c.is_ascii_digit()) && before.chars().any(|c| "+−–-×*/÷x".contains(c))
}

fn imply_one(verdicts: &mut [Verdict], step: usize, result: usize) {
    if verdicts[step].grant < verdicts[result].grant {
        let confidence = verdicts[result].confidence.min(0.85);
        verdicts[step] =
            Verdict { confidence, reason: None, rule: Rule::Implied, ..verdicts[result].clone() };
    }
}
