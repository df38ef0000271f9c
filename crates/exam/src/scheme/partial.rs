//! Part marks that guidance offers beside a final answer: "M1 for 4x = 28", "B1 for 3a or 7b".

use super::column::lettered_mark;
use super::phrases;
use domain::marks::Marks;
use domain::question::{Group, Point, PointKind};
use lexicon::Concept;
use lexicon::english::{joints, schemes};

/// A step that earns marks when the final answer is not right.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    /// As printed: "M1".
    mark: String,
    worth: Marks,
    kind: PointKind,
    text: String,
    /// "or M1 for": it does not add to the step before it.
    is_instead: bool,
}

impl Step {
    /// Takes in another line of a narrow column.
    pub(super) fn go_on(&mut self, text: &str) {
        self.text.push(' ');
        self.text.push_str(text);
    }

    /// As the scheme says it.
    pub(super) fn said(&self) -> String {
        schemes::given_for(&self.mark, &self.text)
    }
}

/// Parts guidance into what it says by itself and the steps that it prices.
pub(super) fn steps(text: &str) -> (String, Vec<Step>) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut own: Vec<&str> = Vec::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut in_step = false;
    let mut at = 0;
    while at < words.len() {
        let priced = priced(&words[at..]);
        // "A1 for each value" says how the answer's own marks are given.
        in_step = priced.is_some() || in_step && !begins_other(&words[at..]);
        match (priced, steps.last_mut().filter(|_| in_step)) {
            (Some((worth, kind)), _) => {
                let is_instead = drop_joint(&mut own, &mut steps);
                let mark = words[at].to_owned();
                steps.push(Step { mark, worth, kind, text: String::new(), is_instead });
                at += 1;
            }
            (None, Some(step)) => {
                step.text.push_str(if step.text.is_empty() { "" } else { " " });
                step.text.push_str(words[at]);
            }
            (None, None) => own.push(words[at]),
        }
        at += 1;
    }
    for step in &mut steps {
        step.text = step.text.trim_end_matches([';', ',', '.', ' ']).to_owned();
    }
    steps.retain(|step| !step.text.is_empty());
    (own.join(" ").trim_end_matches([';', ',', ' ']).to_owned(), steps)
}

/// "M1 for", "B2 for": the worth and kind of the step that follows.
fn priced(words: &[&str]) -> Option<(Marks, PointKind)> {
    let [mark, purpose, _, ..] = words else { return None };
    let (kind, worth, suffix, _) = lettered_mark(mark)?;
    let is_step = mark.trim_start_matches('(').starts_with(['M', 'B']) && suffix.is_empty();
    (is_step && lexicon::is(Concept::For, &purpose.to_lowercase())).then_some((worth, kind))
}

/// True for "A1 cao" and "C1 for a reason", which say what a mark is given for.
pub(super) fn begins_mark(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|first| lettered_mark(first).is_some())
}

fn begins_other(words: &[&str]) -> bool {
    matches!(words, [mark, purpose, ..] if lettered_mark(mark).is_some() && lexicon::is(Concept::For, &purpose.to_lowercase()))
}

/// Takes the "or" or "and" before a step off what came before it; true for "or".
fn drop_joint(own: &mut Vec<&str>, steps: &mut [Step]) -> bool {
    let joint = |word: &str| schemes::STEP_JOINTS.has(&word.to_lowercase());
    match steps.last_mut() {
        Some(step) => {
            let (rest, last) = step.text.rsplit_once(' ').unwrap_or(("", step.text.as_str()));
            let is_instead = schemes::OR.has(&last.to_ascii_lowercase());
            if joint(last) {
                step.text = rest.to_owned();
            }
            is_instead
        }
        None => {
            own.pop_if(|last| joint(last));
            false
        }
    }
}

/// The points of an answer worth all the marks, with steps that earn some of them without it.
pub(super) fn points(answer: Point, steps: &[Step], total: Marks) -> (Vec<Point>, Vec<Group>) {
    let largest = steps.iter().map(|step| step.worth).max().unwrap_or_default();
    let sum: Marks = steps.iter().map(|step| step.worth).sum();
    // "M2 for the sum, M1 for a part of it": the smaller is instead of the larger, not besides it.
    let is_choice = steps.iter().any(|step| step.is_instead || step.worth < largest);
    let max = if is_choice { largest } else { sum }.min(total.less(Marks::whole(1)));
    let text: Vec<String> = steps.iter().map(|step| step.text.clone()).collect();
    let group = Group { text: schemes::without_answer(&text.join("; ")), pick: None, max: Some(max) };
    let mut points: Vec<Point> = steps.iter().map(point).collect();
    points.push(Point { kind: PointKind::Answer, marks: total, ..answer });
    (points, vec![group])
}

fn point(step: &Step) -> Point {
    let (text, notation) = phrases::strip_notation(&step.text);
    let mut wordings = text.split(joints::OR).map(str::trim).filter(|wording| !wording.is_empty());
    let text = wordings.next().unwrap_or_default().to_owned();
    let alternatives = wordings.map(str::to_owned).collect();
    Point {
        text,
        marks: step.worth,
        kind: step.kind,
        alternatives,
        notation,
        group: Some(0),
        ..Point::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> (String, Vec<String>) {
        let (own, steps) = steps(text);
        (own, steps.into_iter().map(|step| step.text).collect())
    }

    #[test]
    fn steps_are_told_from_other_guidance() {
        assert_eq!(texts("M1 for 4x = 28"), (String::new(), vec!["4x = 28".into()]));
        assert_eq!(
            texts("Accept 2 × 2 × 5. M1 for a factor tree; B1 for 2 and 5 seen"),
            ("Accept 2 × 2 × 5.".into(), vec!["a factor tree".into(), "2 and 5 seen".into()])
        );
        assert_eq!(texts("A1 for each value"), ("A1 for each value".into(), vec![]));
        assert_eq!(
            texts("M1 for (x − 2)(x − 3); A1 for each value"),
            ("A1 for each value".into(), vec!["(x − 2)(x − 3)".into()])
        );
        assert_eq!(texts("M1 seen for once"), ("M1 seen for once".into(), vec![]));
    }

    #[test]
    fn a_smaller_step_is_instead_of_a_larger_one() {
        let answer = Point { text: "503".into(), ..Point::default() };
        let max = |text: &str| points(answer.clone(), &steps(text).1, Marks::whole(3)).1[0].max;
        assert_eq!(max("M2 for π × 16 × 10 or M1 for π × 16"), Some(Marks::whole(2)));
        assert_eq!(max("M1 for 1.25; M1 for 150 ÷ 1.25"), Some(Marks::whole(2)));
        assert_eq!(max("M1 for 7² or M1 for 24²"), Some(Marks::whole(1)));
        let (points, _) = points(answer.clone(), &steps("B1 for 3a or 7b").1, Marks::whole(2));
        assert_eq!(
            (points[0].text.as_str(), points[0].alternatives.as_slice()),
            ("3a", &["7b".to_owned()][..])
        );
        assert_eq!((points[1].kind, points[1].marks), (PointKind::Answer, Marks::whole(2)));
    }
}
