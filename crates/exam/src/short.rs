//! Keys whose points are worth less than their question: a point was lost, or the scheme prices only some.

use crate::doubts::leaf_name;
use crate::shares::SHARED;
use domain::marks::Marks;
use domain::question::{AnswerKey, PointKind, Question};

const SEVERAL: u32 = 2;

/// Shares out among a key's points what they lack of their question's marks, and says so: whoever makes all that is known
/// of an answer has answered it. True where several keys know less than half of their marks: one may be as its scheme is.
pub(crate) fn complete(questions: &mut [Question]) -> bool {
    let mut short = 0;
    // Where we shared out a question's marks ourselves, its points may know better.
    let is_priced = |question: &&mut Question| !question.warnings.iter().any(|said| said == SHARED);
    for question in questions.iter_mut().filter(is_priced) {
        let own = question.answer_key.iter_mut().map(|key| (String::new(), question.marks, key));
        let parts = question.parts.iter_mut();
        let parts =
            parts.filter_map(|part| Some((part.label.clone(), part.marks, part.answer_key.as_mut()?)));
        let keys: Vec<_> = own.chain(parts).collect();
        for (label, marks, key) in keys {
            let Some(whole) = marks else { continue };
            if let Some(worth) = raised(key, whole) {
                short += u32::from(worth + worth < whole);
                let name = leaf_name(&question.number, &label);
                question.warnings.push(format!(
                    "The key of {name} says what {worth} of its {whole} marks are for: is there more?"
                ));
            }
        }
    }
    short >= SEVERAL
}

/// What the points were worth, where that was less than the whole.
fn raised(key: &mut AnswerKey, whole: Marks) -> Option<Marks> {
    let is_plain = key.levels.is_empty()
        && key.groups.is_empty()
        && !key.points.iter().any(|point| point.kind == PointKind::Option);
    let worth: Marks = key.points.iter().map(|point| point.marks).sum();
    if !is_plain || worth.is_zero() || worth >= whole {
        return None;
    }
    let mut left = whole.less(worth).as_halves();
    let step = if left.is_multiple_of(2) { 2 } else { 1 };
    // The last holds the answer, and comes first.
    for index in (0..key.points.len()).rev().cycle() {
        if left == 0 {
            break;
        }
        key.points[index].marks = key.points[index].marks + Marks::halves(step);
        left -= step;
    }
    Some(worth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::question::{Group, Part, Point};

    fn question(points: &[u32], whole: u32) -> Question {
        let point = |marks: &u32| Point { marks: Marks::whole(*marks), ..Point::default() };
        let key = AnswerKey { points: points.iter().map(point).collect(), ..AnswerKey::default() };
        let part = Part {
            label: "(b)".into(),
            marks: Some(Marks::whole(whole)),
            answer_key: Some(key),
            ..Part::default()
        };
        Question { number: "4".into(), parts: vec![part], ..Question::default() }
    }

    fn marks(question: &Question) -> Vec<u32> {
        let key = question.parts[0].answer_key.as_ref().unwrap();
        key.points.iter().map(|point| point.marks.as_halves() / 2).collect()
    }

    #[test]
    fn what_points_lack_of_their_question_is_shared_out_and_said() {
        let mut questions = [question(&[1, 1], 5), question(&[1, 2], 3), question(&[0], 3)];
        assert!(!complete(&mut questions), "one may be as its scheme is");
        assert_eq!(marks(&questions[0]), [2, 3]);
        let said = ["The key of 4(b) says what 2 of its 5 marks are for: is there more?"];
        assert_eq!(questions[0].warnings, said);
        assert_eq!((marks(&questions[1]), marks(&questions[2])), (vec![1, 2], vec![0]));
        assert!(questions[1..].iter().all(|question| question.warnings.is_empty()));
        assert!(complete(&mut [question(&[1], 4), question(&[1], 3)]), "several are not");
    }

    #[test]
    fn any_two_of_four_is_left_alone() {
        let mut questions = [question(&[1, 1], 5)];
        questions[0].parts[0].answer_key.as_mut().unwrap().groups = vec![Group::default()];
        assert!(!complete(&mut questions));
        assert_eq!(marks(&questions[0]), [1, 1]);
    }
}
