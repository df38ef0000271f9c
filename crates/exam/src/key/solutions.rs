//! Solutions that a scheme writes out line after line, with marks for the whole and for no line.

use domain::question::{AnswerKey, Point, PointKind};
use lexicon::Concept;
use signs::words::{is_stop_word, tokens};

/// With fewer words of its own, a line that leads to the next says nothing that could be looked for.
const CONTENT_MIN: usize = 4;
/// A line of mathematics has at most so many longer words.
const FORMULA_WORDS_MAX: usize = 3;
/// Signs that say how two sides stand to each other.
const RELATIONS: &str = "=≤≥<>≈⇒⟹⟺⇔∈≡→";

/// True when the points of a key are lines of one solution: prose and formulae that go on from each other, more of them
/// than there are marks, and no mark beside any.
pub(super) fn is_written_out(key: &AnswerKey) -> bool {
    let [group] = key.groups.as_slice() else { return false };
    let is_line = |point: &Point| {
        let is_plain =
            point.kind == PointKind::Point && point.notation.is_empty() && point.depends_on.is_none();
        is_plain && point.group == Some(0) && point.marks == key.points[0].marks
    };
    let is_limited = group.pick.is_none() && group.max.is_some();
    if !is_limited || !key.levels.is_empty() || key.points.len() < 3 || !key.points.iter().all(is_line) {
        return false;
    }
    let formulae = key.points.iter().filter(|point| is_formula(&point.text)).count();
    let joints = key.points.iter().filter(|point| leads_on(&point.text) || goes_on(&point.text)).count();
    formulae > 0 && formulae < key.points.len() && joints * 4 >= key.points.len()
}

/// True for a line that only leads from one formula to the next: "and by substitution we get".
pub(super) fn only_leads(text: &str) -> bool {
    let content = tokens(text).iter().filter(|word| word.is_content()).count();
    (leads_on(text) || goes_on(text)) && !text.contains(|c| RELATIONS.contains(c)) && content < CONTENT_MIN
}

fn is_formula(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() > 3;
    text.contains(|c| RELATIONS.contains(c))
        && text.split_whitespace().filter(is_word).count() <= FORMULA_WORDS_MAX
}

/// The sentence is not at its end.
fn leads_on(text: &str) -> bool {
    let last = tokens(text).pop();
    text.trim_end().ends_with([',', ':']) || last.is_some_and(|last| is_stop_word(&last.folded))
}

/// The sentence began before, or follows from what did.
fn goes_on(text: &str) -> bool {
    let lower = text.trim_start().to_lowercase();
    lower.starts_with(|c| RELATIONS.contains(c)) || lexicon::begins_with(Concept::GoesOn, &lower).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::marks::Marks;
    use domain::question::Group;

    fn key(lines: &[&str]) -> AnswerKey {
        let point = |text: &&str| Point {
            text: (*text).into(),
            marks: Marks::whole(1),
            group: Some(0),
            ..Point::default()
        };
        let group = Group { text: "max 2".into(), pick: None, max: Some(Marks::whole(2)) };
        AnswerKey { points: lines.iter().map(point).collect(), groups: vec![group], ..AnswerKey::default() }
    }

    #[test]
    fn lines_of_a_solution_are_told_from_points() {
        let solution = key(&[
            "The two angles add up to",
            "2x + 40 = 180",
            "Hence",
            "x = 70, which is the angle at the base.",
        ]);
        assert!(is_written_out(&solution));
        let german = key(&[
            "Die Summe der Winkel ist 180 Grad",
            "2x + 40 = 180",
            "Daraus folgt der Winkel x",
            "x = 70",
        ]);
        assert!(is_written_out(&german));
        let points = key(&["the angles add up to 180", "angles at the base are equal", "uses 2x + 40 = 180"]);
        assert!(!is_written_out(&points));
        let mut lettered = solution.clone();
        lettered.points[1].kind = PointKind::Method;
        assert!(!is_written_out(&lettered), "some line has a mark of its own");
        assert!(!is_written_out(&AnswerKey { groups: Vec::new(), ..solution }), "each earns its own");
    }

    #[test]
    fn lines_that_only_lead_on_earn_nothing() {
        assert!(only_leads("and the right-hand side is also") && only_leads("Then, by substitution,"));
        assert!(!only_leads("Hence x = 70") && !only_leads("the angles at the base are equal"));
        assert!(!only_leads("because the angles at the base of such a triangle are equal"));
    }
}
