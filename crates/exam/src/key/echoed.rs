//! A key's points that are the question once more: a scheme printed it above its answer, in fewer words or with its marks.

use super::asked::Asked;
use super::roles::repeats_the_question;
use domain::marks::Marks;
use domain::question::{AnswerKey, Kind, Point};

/// Takes such points out and gives their marks to those that answer, all alike; where that does not go, to the first.
pub(crate) fn remove(key: &mut AnswerKey, text: &str) {
    let asked = Asked::of("", text, Kind::ShortAnswer, &[]);
    let asks = |point: &Point| {
        point.alternatives.is_empty() && point.accept.is_empty() && repeats_the_question(&point.text, &asked)
    };
    let count = key.points.iter().filter(|point| asks(point)).count();
    if count == 0 || count == key.points.len() || !key.groups.is_empty() {
        return;
    }
    let total: Marks = key.points.iter().map(|point| point.marks).sum();
    key.points.retain(|point| !asks(point));
    let left: Marks = key.points.iter().map(|point| point.marks).sum();
    let share = Marks::halves(total.as_halves() / key.points.len() as u32);
    let first = key.points[0].marks;
    let is_whole = |marks: Marks| marks.as_halves().is_multiple_of(2);
    let is_even = share.as_halves() * key.points.len() as u32 == total.as_halves()
        && (is_whole(share) || !is_whole(total));
    if is_even && key.points.iter().all(|point| point.marks == first) {
        key.points.iter_mut().for_each(|point| point.marks = share);
    } else {
        key.points[0].marks = first + total.less(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(points: &[(&str, u32)]) -> AnswerKey {
        let point = |(text, marks): &(&str, u32)| Point {
            text: (*text).to_owned(),
            marks: Marks::whole(*marks),
            ..Point::default()
        };
        AnswerKey { points: points.iter().map(point).collect(), ..AnswerKey::default() }
    }

    fn left(points: &[(&str, u32)]) -> Vec<(String, u32)> {
        let mut key = key(points);
        remove(&mut key, "What is meant by the tidal range of a river mouth?");
        key.points.into_iter().map(|point| (point.text, point.marks.as_halves() / 2)).collect()
    }

    #[test]
    fn the_question_earns_nothing_and_its_answer_all() {
        let asked = ("What is meant by the tidal range of a river mouth?", 1);
        assert_eq!(left(&[asked, ("how far it rises", 1)]), [("how far it rises".to_owned(), 2)]);
        let three = left(&[asked, ("how far it rises", 1), ("from ebb to flood", 1)]);
        assert_eq!(three[0].1 + three[1].1, 3);
        assert_eq!(left(&[asked]).len(), 1, "nothing else is there");
    }
}
