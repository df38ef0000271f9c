//! How likely a verdict is right, and with it a mark: what each rule was worth on whole papers marked point by point.

use super::verdict::Verdict;
use crate::meaning::Opinion;
use crate::rule::Rule;
use domain::marks::Marks;
use domain::scheme::TypedKey;

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
/// Choices of one answer are right or wrong together more often than by chance.
const TOGETHER: f32 = 0.65;

/// What the judge of meaning says of itself beside how often it was right, for what it gave and for what it refused: it
/// is right as often at 0.6 as at 0.9, and only what it is all but certain of can be relied on.
const MEANT_GIVEN: [(f32, f32); 5] = [(0.42, 0.68), (0.9, 0.72), (0.97, 0.77), (0.985, 0.82), (0.995, 0.92)];
const MEANT_REFUSED: [(f32, f32); 6] =
    [(0.5, 0.5), (0.8, 0.6), (0.9, 0.7), (0.97, 0.82), (0.985, 0.9), (1.0, 0.96)];

/// How likely the verdict on a point is right, given whether it earned anything.
pub(crate) fn of_point(verdict: &Verdict, is_given: bool) -> f32 {
    if verdict.rule == Rule::Meaning {
        let scale: &[(f32, f32)] = if is_given { &MEANT_GIVEN } else { &MEANT_REFUSED };
        return on_scale(scale, verdict.confidence);
    }
    let known = RIGHT.iter().find(|(rule, ..)| *rule == verdict.rule);
    let known =
        known.map_or(verdict.confidence, |(_, given, refused)| if is_given { *given } else { *refused });
    known.min(verdict.confidence)
}

/// What lies between the steps of a scale, and its ends beyond them.
fn on_scale(scale: &[(f32, f32)], said: f32) -> f32 {
    let (lowest, highest) = (scale[0], scale[scale.len() - 1]);
    let between = scale.windows(2).find(|two| said <= two[1].0).filter(|_| said > lowest.0);
    match between {
        Some(two) => two[0].1 + (two[1].1 - two[0].1) * (said - two[0].0) / (two[1].0 - two[0].0),
        None if said <= lowest.0 => lowest.1,
        None => highest.1,
    }
}

/// A mark that is less likely right than this is likely wrong, and flagged: two answers in five of real papers.
pub(crate) const LIKELY_WRONG: f32 = 0.56;

/// How likely the mark is right: as sure as its points, those that earned and as many others as could still have changed
/// it; the more marks there are, the more often one of them is another. `written` counts the answer's words.
pub(crate) fn of_answer(
    key: &TypedKey,
    verdicts: &[Verdict],
    earned: &[Marks],
    available: Marks,
    written: usize,
) -> f32 {
    let awarded: Marks = earned.iter().copied().sum();
    let seen = Seen::of(key, verdicts, earned, available.less(awarded));
    // A key that holds nothing but words to examiners judges nobody.
    let is_empty = !verdicts.is_empty()
        && verdicts.iter().all(|verdict| matches!(verdict.rule, Rule::Instruction | Rule::Example));
    if is_empty && awarded < available {
        return 0.0;
    }
    // A verdict that nobody can trust at all makes the whole mark so; a choice is read or not, whatever it is worth.
    if seen.product <= 0.0 || verdicts.iter().all(|verdict| verdict.rule == Rule::Choice) {
        return seen.product;
    }
    let marks = available.as_number().max(1.0) as f32;
    let odds = ODDS_EVEN
        + ODDS_DOUBT * seen.doubt / seen.weighed.max(1) as f32
        + ODDS_MARKS * marks.ln()
        + ODDS_KEY_WORDS * (1.0 + words_of_a_point(key, verdicts)).ln()
        + ODDS_WRITTEN * (1.0 + written as f32 / marks).ln()
        + ODDS_UNDECIDED * undecided(verdicts) / marks
        + if awarded >= available { ODDS_FULL } else { 0.0 };
    1.0 / (1.0 + (-odds).exp())
}

/// How far the judge of meaning is from deciding, over all points that it was asked about.
fn undecided(verdicts: &[Verdict]) -> f32 {
    const LEAST: f32 = 0.001;
    let own = verdicts.iter().filter(|verdict| !is_set_aside(verdict.rule));
    let opinions = own.filter_map(|verdict| verdict.measured.opinion.as_ref());
    let entropy = |opinion: &Opinion| {
        let made = opinion.credited.clamp(LEAST, 1.0 - LEAST);
        -made * made.ln() - (1.0 - made) * (1.0 - made).ln()
    };
    opinions.map(entropy).sum()
}

/// How long the key's points are, what is no point left aside.
fn words_of_a_point(key: &TypedKey, verdicts: &[Verdict]) -> f32 {
    let points = key.points.iter().zip(verdicts).filter(|(_, verdict)| !is_set_aside(verdict.rule));
    let words: Vec<usize> = points.map(|(point, _)| point.text.split_whitespace().count()).collect();
    words.iter().sum::<usize>() as f32 / words.len().max(1) as f32
}

/// What is no point to be made, and a letter that was chosen, cast no doubt on the rest.
const fn is_set_aside(rule: Rule) -> bool {
    matches!(rule, Rule::Choice | Rule::Instruction | Rule::Example)
}

/// What the verdicts on the points say together, before it is made a probability.
struct Seen {
    product: f32,
    /// Doubt about the points, together, and how many they are.
    doubt: f32,
    weighed: usize,
}

impl Seen {
    fn of(key: &TypedKey, verdicts: &[Verdict], earned: &[Marks], open: Marks) -> Seen {
        let mut seen = Seen { product: 1.0, doubt: 0.0, weighed: 0 };
        let mut refused: Vec<(f32, Rule)> = Vec::new();
        for ((point, verdict), earned) in key.points.iter().zip(verdicts).zip(earned) {
            if point.marks.is_zero() {
                continue;
            }
            let right = of_point(verdict, !earned.is_zero()).clamp(0.0, POINT_MAX);
            if earned.is_zero() {
                refused.push((right, verdict.rule));
                continue;
            }
            seen.product *= right.max(POINT_MIN);
            seen.weigh(verdict.rule, right);
        }
        refused.retain(|(_, rule)| !is_set_aside(*rule) || *rule == Rule::Choice);
        refused.sort_by(|one, other| one.0.total_cmp(&other.0));
        for (right, rule) in refused.into_iter().take(open.as_number().ceil() as usize) {
            seen.product *= if right <= 0.0 { 0.0 } else { right.max(POINT_MIN) };
            seen.weigh(rule, right);
        }
        Seen { product: seen.product.powf(TOGETHER), ..seen }
    }

    fn weigh(&mut self, rule: Rule, right: f32) {
        if !is_set_aside(rule) {
            self.doubt += 1.0 - right;
            self.weighed += 1;
        }
    }
}

// A logistic regression over 1,260 answers of nineteen papers (training/fit_trust.py); with each paper left out in turn,
// and beside what the rest of the script says ([`crate::rest`]), of the answers said to be 0.15, 0.25, 0.35, 0.45, 0.55,
// 0.65, 0.75, 0.85 and 0.95 likely right 0.12, 0.22, 0.32, 0.40, 0.57, 0.67, 0.75, 0.87 and 0.96 were.
const ODDS_EVEN: f32 = 2.28;
/// A mark is as sure as its points, by what each rule was worth.
const ODDS_DOUBT: f32 = -3.58;
/// More marks, more ways to be one off.
const ODDS_MARKS: f32 = -0.879;
/// Long points are several, or formulae that were read in pieces.
const ODDS_KEY_WORDS: f32 = -0.189;
/// Full marks leave nothing that was overlooked.
const ODDS_FULL: f32 = 0.378;
/// Who writes little for each mark writes notes, and is judged by less.
const ODDS_WRITTEN: f32 = 0.097;
/// What the judge of meaning cannot decide, nobody else did.
const ODDS_UNDECIDED: f32 = -0.964;

#[cfg(test)]
mod tests {
    use super::*;
    use domain::scheme::TypedPoint;

    fn key(points: usize) -> TypedKey {
        let point = TypedPoint { text: "a point".into(), marks: Marks::whole(1), ..TypedPoint::default() };
        TypedKey { points: vec![point; points], ..TypedKey::default() }
    }

    fn verdict(rule: Rule) -> Verdict {
        Verdict { confidence: 0.99, ..Verdict::default() }.by(rule)
    }

    #[test]
    fn a_number_is_surer_than_words_and_more_points_are_less_sure() {
        let one = Marks::whole(1);
        let number = of_answer(&key(1), &[verdict(Rule::Number)], &[one], one, 4);
        let words = of_answer(&key(1), &[verdict(Rule::Words)], &[one], one, 4);
        let both = [verdict(Rule::Words), verdict(Rule::Words)];
        let several = of_answer(&key(2), &both, &[one, one], Marks::whole(2), 8);
        assert!(number > words && words > several && several > 0.6, "{number} {words} {several}");
    }

    #[test]
    fn points_that_no_further_mark_could_be_had_for_cost_no_trust() {
        let one = Marks::whole(1);
        let verdicts = [verdict(Rule::Number), verdict(Rule::NotFound)];
        let full = of_answer(&key(2), &verdicts, &[one, Marks::ZERO], one, 4);
        let part = of_answer(&key(2), &verdicts, &[one, Marks::ZERO], Marks::whole(2), 4);
        assert!(full > part);
    }
}
