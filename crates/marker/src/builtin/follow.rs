//! Follow-through: a wrong value from an earlier part, used rightly, still earns the marks that depend on it.

use super::algebra::recalculated;
use super::matcher::Matcher;
use super::method::arithmetic_of;
use super::normal::normal;
use super::number::{self, NumberKey, Quantity, compare};
use super::script::{Script, wordings};
use super::verdict::{NEVER, STANDARD, Verdict};
use domain::question::Point;

/// What an earlier part should have given, and what the student made of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Earlier {
    pub(crate) right: f64,
    pub(crate) given: f64,
}

/// Judges a point by what it would be with the student's own earlier value.
pub(crate) fn judge(script: &Script<'_>, point: &Point) -> Verdict {
    let none = Verdict::refused(0.8, None);
    let Some(written) = number::final_value(script.answer) else { return none };
    let stated = wordings(point).iter().find_map(|wording| {
        match Matcher::of(wording, script.leaf.kind, &script.demands) {
            Matcher::Number(key) => Some(key),
            _ => None,
        }
    });
    let Some(key) = stated else { return none };
    let wrong_before = script
        .earlier
        .iter()
        .filter(|earlier| (earlier.right - earlier.given).abs() > earlier.right.abs() * 1e-9);
    for earlier in wrong_before {
        let expected = by_the_scheme(script, &key, *earlier)
            .or_else(|| by_the_working(script, &key, *earlier, &written));
        let Some(expected) = expected else { continue };
        let theirs = NumberKey {
            range: None,
            stated: Quantity { value: expected, ..key.stated.clone() },
            ..key.clone()
        };
        let (grant, _) = compare(&theirs, &written, script.context(point));
        let close = (written.value - expected).abs() <= expected.abs() * 0.005;
        if grant > NEVER || close {
            return Verdict::given(STANDARD, 0.75, written.span.clone());
        }
    }
    none
}

/// The scheme's own sum with the earlier value exchanged: "12 × 5 = 60" becomes "13 × 5 = 65".
fn by_the_scheme(script: &Script<'_>, key: &NumberKey, earlier: Earlier) -> Option<f64> {
    let points = &script.leaf.key?.points;
    points.iter().flat_map(wordings).find_map(|wording| {
        let wording = normal(&wording);
        recalculated(arithmetic_of(&wording), earlier.right, earlier.given)
            .into_iter()
            .chain(recalculated(&wording, earlier.right, earlier.given))
            .find(|(before, _)| (before - key.stated.value).abs() <= key.stated.value.abs() * 0.005)
            .map(|(_, after)| after)
    })
}

/// The student's own sum with the right earlier value would have given the key's.
fn by_the_working(script: &Script<'_>, key: &NumberKey, earlier: Earlier, written: &Quantity) -> Option<f64> {
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
