//! What a scheme says to examiners: beside a point, and about a whole key.

use super::{priced, rubric};
use domain::question::{AnswerKey, Notation, Point, PointKind};
use domain::scheme::Remarks;
use lexicon::english::{attempts, notes};
use lexicon::notation;

/// What is said about a whole key.
pub(super) fn of(key: &AnswerKey) -> Remarks {
    let text = key.notes.as_deref().unwrap_or_default();
    Remarks {
        rubric: key.notes.as_deref().map(rubric::of),
        carries_errors: notes::ERRORS_CARRIED.within(&text.to_lowercase()),
        has_special_case: has_special_case(text),
        counts_other_attempts: counts_other_attempts(key),
        ignores_signs: asides(key).any(|text| notes::SIGN_IGNORED.within(&text.to_lowercase())),
        priced: asides(key).flat_map(|text| priced::of(&text)).collect(),
    }
}

/// What stands beside the points and below them, each "ignore" behind its word.
fn asides(key: &AnswerKey) -> impl Iterator<Item = String> + '_ {
    let beside = key.points.iter().flat_map(|point| point.accept.iter().chain(&point.alternatives));
    let ignored = key.points.iter().flat_map(|point| &point.ignore);
    let ignored = ignored.map(|text| format!("{} {text}", notes::IGNORE));
    beside.chain(&key.notes).cloned().chain(ignored)
}

/// "ecf from (a)", "MAX 1", "35 for 3 marks if …": said to examiners beside a point, and no wording of it.
pub(super) fn is_note(wording: &str) -> bool {
    let lower = wording.trim().to_lowercase();
    let works_with = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    notes::BEGINNINGS.begin(&lower)
        || notes::INSIDE.within(&lower)
        || notes::USE_OF.after(&lower).is_some_and(works_with)
}

/// True when the student's own value from before counts for a point.
pub(super) fn follows_on(point: &Point, key: &AnswerKey) -> bool {
    let is_noted =
        |notation: &Notation| matches!(notation, Notation::FollowThrough | Notation::ErrorCarriedForward);
    let mut own = std::iter::once(&point.text).chain(&point.accept);
    // "their 31.2" in notes is said of the methods; a value follows on only where errors are carried.
    let is_value = point.kind == PointKind::Accuracy;
    let noted = |text: &String| {
        let carries = notes::ERRORS_CARRIED.within(&text.to_lowercase());
        if is_value { carries } else { says_follow_through(text) }
    };
    point.notation.iter().any(is_noted)
        || own.any(|text| says_follow_through(text))
        || key.notes.as_ref().is_some_and(noted)
}

/// "ft their 3(a)", "ecf", "allow follow through", "their": the student's own value from before counts.
fn says_follow_through(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| notes::FOLLOW_THROUGH_WORDS.has(word)) || notes::FOLLOW_THROUGH.within(&lower)
}

/// "magnitude = candidate's answer for (iii)": the parts, of these labels, whose answers a point takes over.
pub(super) fn takes_over(text: &str, labels: &[&str]) -> Vec<String> {
    let lower = text.to_lowercase();
    if lower.contains(|c: char| c.is_ascii_digit()) || !notes::THEIR_ANSWER.within(&lower) {
        return Vec::new();
    }
    let is_named = |label: &&&str| {
        let last = label.rfind('(').map_or(**label, |at| &label[at..]);
        !last.is_empty() && lower.contains(&last.to_lowercase())
    };
    labels.iter().filter(is_named).map(ToString::to_string).collect()
}

/// "If M0 scored, SC B1 for 0.639".
fn has_special_case(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| notation::SPECIAL_CASE.has(word)) && notation::NOT_EARNED.within(text)
}

/// "Mark the first answer", "award the better attempt": then what came before counts too.
fn counts_other_attempts(key: &AnswerKey) -> bool {
    let texts = key.notes.iter().chain(key.points.iter().map(|point| &point.text));
    texts.map(|text| text.to_lowercase()).any(|text| attempts::OTHERS_COUNT.within(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lets_other_values_through_is_no_wording() {
        for note in [
            "a correct calculation using their energy",
            "use of 1.3 × 10⁻⁷",
            "use of an incorrect R from the table",
            "their calculated t to 2 significant figures",
        ] {
            assert!(is_note(note), "{note}");
        }
        assert!(!is_note("use of a filter") && !is_note("0.0050"));
    }

    #[test]
    fn notes_to_examiners_are_understood() {
        let noted = |notes: &str| of(&AnswerKey { notes: Some(notes.into()), ..AnswerKey::default() });
        assert!(noted("Mark the first answer only.").counts_other_attempts);
        assert!(noted("If M0 scored, SC\nB1 for 0.773").has_special_case);
        assert!(noted("Allow ECF throughout").carries_errors);
        let plain = noted("The unit need not be given.");
        assert!(!plain.counts_other_attempts && !plain.has_special_case && !plain.carries_errors);
    }

    #[test]
    fn a_point_follows_on_where_it_or_the_whole_key_says_so() {
        let point = |text: &str| Point { text: text.into(), ..Point::default() };
        let key = AnswerKey::default();
        assert!(follows_on(&point("ft their 3(a)"), &key) && !follows_on(&point("14.2 cm"), &key));
        let noted = AnswerKey { notes: Some("ecf".into()), ..AnswerKey::default() };
        assert!(follows_on(&point("14.2 cm"), &noted));
        let theirs = AnswerKey { notes: Some("Substituting their 31".into()), ..AnswerKey::default() };
        let value = Point { kind: PointKind::Accuracy, ..point("14.2 cm") };
        assert!(follows_on(&point("2 × 31"), &theirs) && !follows_on(&value, &theirs));
        let labels = ["(a)(ii)", "(a)(iii)", "(b)"];
        assert_eq!(takes_over("same as candidate's answer for (iii)", &labels), ["(a)(iii)"]);
        assert!(takes_over("the mass of (iii)", &labels).is_empty());
        assert!(takes_over("their answer to (b) + 2", &labels).is_empty(), "a sum with it");
    }
}
