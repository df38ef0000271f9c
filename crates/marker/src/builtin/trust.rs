//! How likely a verdict is right, and with it a mark: what each rule was worth on whole papers marked point by point.

use super::verdict::Verdict;
use crate::rule::Rule;
use domain::marks::Marks;
use domain::question::AnswerKey;

/// For each rule, how often what it gave and what it refused was right, of some hundred points of ten papers that an
/// examiner had marked; drawn towards the middle where it had few. A rule that is not here is believed as it says.
const RIGHT: [(Rule, f32, f32); 21] = [
    (Rule::Choice, 0.97, 0.97),
    (Rule::Number, 0.95, 0.76),
    (Rule::Ratio, 0.9, 0.8),
    (Rule::Time, 0.9, 0.8),
    (Rule::Date, 0.9, 0.8),
    (Rule::Unit, 0.9, 0.88),
    (Rule::Algebra, 0.85, 0.65),
    (Rule::Chemistry, 0.9, 0.8),
    (Rule::Order, 0.9, 0.8),
    (Rule::Balance, 0.85, 0.8),
    (Rule::Truth, 0.95, 0.9),
    // Words that are all there were put to the judge where one reads the whole; its doubt counts too.
    (Rule::Words, 0.8, 0.7),
    (Rule::NotFound, 0.7, 0.79),
    (Rule::Opposite, 0.7, 0.77),
    (Rule::Method, 0.68, 0.62),
    (Rule::Implied, 0.84, 0.75),
    (Rule::FollowThrough, 0.85, 0.75),
    (Rule::Required, 0.7, 0.6),
    (Rule::Rejected, 0.7, 0.8),
    (Rule::Instruction, 0.7, 0.85),
    (Rule::Example, 0.7, 0.9),
];

/// No verdict on a point is surer or less sure than this; half is a guess.
const POINT_MIN: f32 = 0.4;
const POINT_MAX: f32 = 0.97;
/// Verdicts on points of one answer are right or wrong together more often than by chance, and two wrong ones can make a
/// right mark: the mark is surer than the product of its points. Chosen so that confidence is the share that was right.
const TOGETHER: f32 = 0.65;

/// How likely the verdict on a point is right, given whether it earned anything.
pub(crate) fn of_point(verdict: &Verdict, is_given: bool) -> f32 {
    let known = RIGHT.iter().find(|(rule, ..)| *rule == verdict.rule);
    let known =
        known.map_or(verdict.confidence, |(_, given, refused)| if is_given { *given } else { *refused });
    known.min(verdict.confidence)
}

/// How likely the mark is right: every point that earned, and of the others the least sure ones, as many as could still
/// have changed it.
pub(crate) fn of_answer(key: &AnswerKey, verdicts: &[Verdict], earned: &[Marks], available: Marks) -> f32 {
    let mut given = 1.0_f32;
    let mut refused: Vec<f32> = Vec::new();
    for ((point, verdict), earned) in key.points.iter().zip(verdicts).zip(earned) {
        if point.marks.is_zero() {
            continue;
        }
        let right = of_point(verdict, !earned.is_zero()).clamp(0.0, POINT_MAX);
        if earned.is_zero() { refused.push(right) } else { given *= right.max(POINT_MIN) }
    }
    let awarded: Marks = earned.iter().copied().sum();
    let open = available.less(awarded).as_number().ceil() as usize;
    refused.sort_by(f32::total_cmp);
    // A verdict that nobody can trust at all makes the whole mark so.
    let unsure = refused.iter().take(open).any(|right| *right <= 0.0);
    let refused: f32 = refused.iter().take(open).map(|right| right.max(POINT_MIN)).product();
    if unsure { 0.0 } else { (given * refused).powf(TOGETHER) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::question::Point;

    fn key(points: usize) -> AnswerKey {
        let point = Point { text: "a point".into(), marks: Marks::whole(1), ..Point::default() };
        AnswerKey { points: vec![point; points], ..AnswerKey::default() }
    }

    fn verdict(rule: Rule) -> Verdict {
        Verdict { confidence: 0.99, ..Verdict::default() }.by(rule)
    }

    #[test]
    fn a_number_is_surer_than_words_and_more_points_are_less_sure() {
        let one = Marks::whole(1);
        let number = of_answer(&key(1), &[verdict(Rule::Number)], &[one], one);
        let words = of_answer(&key(1), &[verdict(Rule::Words)], &[one], one);
        let both = [verdict(Rule::Words), verdict(Rule::Words)];
        let several = of_answer(&key(2), &both, &[one, one], Marks::whole(2));
        assert!(number > words && words > several && several > 0.6, "{number} {words} {several}");
    }

    #[test]
    fn points_that_no_further_mark_could_be_had_for_cost_no_trust() {
        let one = Marks::whole(1);
        let verdicts = [verdict(Rule::Number), verdict(Rule::NotFound)];
        let full = of_answer(&key(2), &verdicts, &[one, Marks::ZERO], one);
        let part = of_answer(&key(2), &verdicts, &[one, Marks::ZERO], Marks::whole(2));
        assert!(full > part);
    }
}
