//! Follow-through: a wrong value from before, used rightly, still earns the marks that depend on it.

use super::algebra::recalculated;
use super::matcher::Matcher;
use super::method::arithmetic_of;
use super::number::{self, NumberKey, Quantity, compare};
use super::script::Script;
use super::sums::{Sum, is_near, is_scaled};
use super::verdict::{NEVER, STANDARD, Verdict};
use crate::rule::Rule;
use domain::scheme::TypedPoint;
use signs::form::normal;

/// What an earlier part should have given, and what the student made of it.
#[derive(Clone, Debug)]
pub(crate) struct Earlier {
    /// The part's label.
    pub(crate) label: Option<String>,
    pub(crate) right: f64,
    pub(crate) given: f64,
}

/// Values from before that are tried in a student's sums; more are in no answer.
const PAIRS_MAX: usize = 200;
/// Bytes before a step in which it may find what it goes on from.
const CARRIED_REACH: usize = 2000;

/// Judges a point by what it would be with the student's own value from before.
pub(crate) fn judge(script: &Script<'_>, point: &TypedPoint) -> Verdict {
    let none = Verdict::refused(0.8, None);
    let Some(written) = number::final_value(script.answer) else { return none };
    if let Some(same) = same_as_before(script, point) {
        return same;
    }
    let stated = point.wordings.iter().find_map(|wording| {
        match Matcher::of(wording, script.leaf.kind, &script.demands) {
            Matcher::Number(key) => Some(key),
            _ => None,
        }
    });
    let Some(key) = stated else { return none };
    for earlier in pairs(script, &key) {
        let expected = by_the_scheme(script, &key, &earlier)
            .or_else(|| by_the_working(script, &key, &earlier, &written));
        let Some(expected) = expected else { continue };
        let theirs = NumberKey {
            range: None,
            stated: Quantity { value: expected, ..key.stated.clone() },
            ..key.clone()
        };
        let (grant, _) = compare(&theirs, &written, script.context(point));
        let close = (written.value - expected).abs() <= expected.abs() * 0.005;
        if grant > NEVER || close {
            return Verdict::given(STANDARD, 0.75, written.span.clone()).by(Rule::FollowThrough);
        }
    }
    none
}

/// "magnitude = candidate's answer for (iii)": whatever the student gave there.
fn same_as_before(script: &Script<'_>, point: &TypedPoint) -> Option<Verdict> {
    let named =
        |earlier: &&Earlier| earlier.label.as_ref().is_some_and(|label| point.takes_over.contains(label));
    let earlier = script.earlier.iter().rev().find(named)?;
    let found = Quantity::all(script.answer)
        .into_iter()
        .find(|one| (one.value - earlier.given).abs() <= earlier.given.abs() * 0.005);
    Some(match found {
        Some(one) => Verdict::given(STANDARD, 0.8, one.span).by(Rule::FollowThrough),
        None => Verdict::refused(0.85, None).by(Rule::FollowThrough),
    })
}

/// Right values from before beside the student's: those of earlier parts, and those that the same key states beside
/// what the answer gives as results on its way.
fn pairs(script: &Script<'_>, key: &NumberKey) -> Vec<Earlier> {
    let mut found: Vec<Earlier> = script.earlier.to_vec();
    let rights: Vec<f64> = rights(script).into_iter().filter(|right| *right != key.stated.value).collect();
    let on_the_way = number::results(script.answer)
        .into_iter()
        .flat_map(|stretch| Quantity::all(&script.answer[stretch]))
        .map(|one| one.value);
    for given in on_the_way {
        found.extend(rights.iter().map(|right| Earlier { label: None, right: *right, given }));
    }
    found.retain(|one| (one.right - one.given).abs() > one.right.abs() * 1e-9);
    found.truncate(PAIRS_MAX);
    found
}

/// The results that a key states, by themselves or behind its sums.
fn rights(script: &Script<'_>) -> Vec<f64> {
    let mut found: Vec<f64> = Vec::new();
    for wording in script.key.points.iter().flat_map(|point| &point.wordings) {
        found.extend(Matcher::of(wording, script.leaf.kind, &script.demands).stated_number());
        found.extend(Sum::all(&wording.form).iter().map(|sum| sum.claimed.unwrap_or(sum.value)));
    }
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

/// True when a student's sum is the scheme's with one number exchanged: for a result that the scheme states before it,
/// what the student made of it on the way.
pub(crate) fn is_carried(script: &Script<'_>, own: &Sum, wanted: &Sum) -> bool {
    if !own.is_exchange_of(wanted) {
        return false;
    }
    let pairs = own.numbers.iter().zip(&wanted.numbers);
    let Some((given, right)) = pairs.into_iter().find(|(own, wanted)| !is_scaled(**own, **wanted)) else {
        return true;
    };
    // What a step goes on from stands a little before it.
    let from = script.answer.floor_char_boundary(own.span.start.saturating_sub(CARRIED_REACH));
    let before = &script.answer[from..own.span.start];
    let results = number::results(before).into_iter().flat_map(|stretch| Quantity::all(&before[stretch]));
    let mut results = results.map(|one| one.value);
    rights(script).iter().any(|stated| is_near(*stated, *right))
        && results.any(|result| is_near(result, *given))
}

/// The scheme's own sum with the earlier value exchanged: "12 × 5 = 60" becomes "13 × 5 = 65".
fn by_the_scheme(script: &Script<'_>, key: &NumberKey, earlier: &Earlier) -> Option<f64> {
    script.key.points.iter().flat_map(|point| &point.wordings).find_map(|wording| {
        let wording = normal(&wording.text);
        recalculated(arithmetic_of(&wording), earlier.right, earlier.given)
            .into_iter()
            .chain(recalculated(&wording, earlier.right, earlier.given))
            .find(|(before, _)| (before - key.stated.value).abs() <= key.stated.value.abs() * 0.005)
            .map(|(_, after)| after)
    })
}

/// The student's own sum with the right earlier value would have given the key's.
fn by_the_working(
    script: &Script<'_>,
    key: &NumberKey,
    earlier: &Earlier,
    written: &Quantity,
) -> Option<f64> {
    script
        .answer
        .lines()
        .flat_map(|line| recalculated(line, earlier.given, earlier.right))
        .find(|(theirs, right)| {
            let leads_to_key = (right - key.stated.value).abs() <= key.stated.value.abs() * 0.005;
            leads_to_key && (theirs - written.value).abs() <= theirs.abs() * 0.01
        })
        .map(|(theirs, _)| theirs)
}
