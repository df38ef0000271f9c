//! How close the marker's marks are to people's, and how well it knows it.

use super::Marked;
use serde::Serialize;
use std::collections::BTreeMap;

/// The scores of one collection. Blank answers are counted apart.
#[derive(Clone, Debug, Serialize)]
pub struct Scores {
    /// The collection.
    pub dataset: String,
    /// Answers that were not blank.
    pub answers: usize,
    /// Their questions.
    pub questions: usize,
    /// Blank answers.
    pub blank: usize,
    /// Pearson's correlation over the answers that were not blank.
    pub r: f64,
    /// The same with the blank ones among them, which get nothing.
    pub r_with_blank: f64,
    /// The mean over questions of the correlation within each.
    pub r_within: f64,
    /// Root mean square error, as a share of the marks.
    pub rmse: f64,
    /// The same for always giving the collection's mean.
    pub rmse_constant: f64,
    /// Quadratic weighted kappa, marks rounded to the collection's own steps.
    pub kappa: f64,
    /// For right-or-wrong data.
    pub accuracy: Option<f64>,
    /// For right-or-wrong data: the mean of both classes' F1.
    pub macro_f1: Option<f64>,
    /// Share flagged low_confidence.
    pub flagged: f64,
    /// Correlation without the flagged answers.
    pub r_unflagged: f64,
    /// On one core.
    pub answers_per_second: f64,
    /// What confidence promised and what came of it.
    pub reliability: Vec<Bin>,
}

/// Answers of like confidence.
#[derive(Clone, Debug, Serialize)]
pub struct Bin {
    /// Mean confidence.
    pub said: f64,
    /// Share that was right: the same side for right-or-wrong data, else within a quarter of the marks.
    pub right: f64,
    /// How many.
    pub answers: usize,
}

const BINS: usize = 10;
/// A mark within this share of the marks is right where there are parts of marks.
const NEAR: f64 = 0.25;

impl Scores {
    /// Scores one collection.
    pub fn of(dataset: &str, marked: &[Marked]) -> Scores {
        let seconds: f64 = marked.iter().map(|one| one.seconds).sum();
        let written: Vec<&Marked> = marked.iter().filter(|one| !one.is_blank).collect();
        let sure: Vec<&Marked> = written.iter().copied().filter(|one| !one.is_doubtful).collect();
        let mean = written.iter().map(|one| one.human).sum::<f64>() / written.len().max(1) as f64;
        let two_way = written.iter().all(|one| one.is_two_way) && !written.is_empty();
        Scores {
            dataset: dataset.to_owned(),
            answers: written.len(),
            questions: by_question(&written).len(),
            blank: marked.len() - written.len(),
            r: correlation(&written),
            r_with_blank: correlation(&marked.iter().collect::<Vec<_>>()),
            r_within: within(&written),
            rmse: rmse(&written, |one| one.given),
            rmse_constant: rmse(&written, |_| mean),
            kappa: kappa(&written),
            accuracy: two_way.then(|| share(&written, is_right_side)),
            macro_f1: two_way.then(|| (f1(&written, true) + f1(&written, false)) / 2.0),
            flagged: share(&written, |one| one.is_doubtful),
            r_unflagged: correlation(&sure),
            answers_per_second: if seconds > 0.0 { marked.len() as f64 / seconds } else { 0.0 },
            reliability: reliability(&written),
        }
    }
}

fn share(marked: &[&Marked], holds: impl Fn(&Marked) -> bool) -> f64 {
    marked.iter().filter(|one| holds(one)).count() as f64 / marked.len().max(1) as f64
}

fn is_right_side(one: &Marked) -> bool {
    (one.given >= 0.5) == (one.human >= 0.5)
}

fn correlation(marked: &[&Marked]) -> f64 {
    let count = marked.len() as f64;
    let mean = |of: fn(&Marked) -> f64| marked.iter().map(|one| of(one)).sum::<f64>() / count;
    let (given, human) = (mean(|one| one.given), mean(|one| one.human));
    let sum = |of: &dyn Fn(&Marked) -> f64| marked.iter().map(|one| of(one)).sum::<f64>();
    let together = sum(&|one| (one.given - given) * (one.human - human));
    let apart = sum(&|one| (one.given - given).powi(2)) * sum(&|one| (one.human - human).powi(2));
    if apart > 0.0 { together / apart.sqrt() } else { 0.0 }
}

fn by_question<'m>(marked: &[&'m Marked]) -> BTreeMap<&'m str, Vec<&'m Marked>> {
    let mut questions: BTreeMap<&str, Vec<&Marked>> = BTreeMap::new();
    for one in marked {
        questions.entry(&one.question).or_default().push(one);
    }
    questions
}

/// Questions whose answers all got the same mark say nothing and are left out.
fn within(marked: &[&Marked]) -> f64 {
    let varied = |answers: &&Vec<&Marked>| answers.iter().any(|one| one.human != answers[0].human);
    let questions = by_question(marked);
    let each: Vec<f64> = questions.values().filter(varied).map(|answers| correlation(answers)).collect();
    each.iter().sum::<f64>() / each.len().max(1) as f64
}

fn rmse(marked: &[&Marked], of: impl Fn(&Marked) -> f64) -> f64 {
    let sum: f64 = marked.iter().map(|one| (of(one) - one.human).powi(2)).sum();
    (sum / marked.len().max(1) as f64).sqrt()
}

/// The smallest difference between two marks that people gave, at most a whole answer and at least a hundredth.
fn step(marked: &[&Marked]) -> f64 {
    let mut marks: Vec<f64> = marked.iter().map(|one| one.human).collect();
    marks.sort_by(f64::total_cmp);
    let gaps = marks.windows(2).map(|two| two[1] - two[0]).filter(|gap| *gap > 1e-6);
    gaps.fold(1.0, f64::min).max(0.01)
}

fn kappa(marked: &[&Marked]) -> f64 {
    let step = step(marked);
    let level = |share: f64| (share / step).round();
    let pairs: Vec<(f64, f64)> = marked.iter().map(|one| (level(one.given), level(one.human))).collect();
    let observed: f64 = pairs.iter().map(|(given, human)| (given - human).powi(2)).sum();
    let count = pairs.len() as f64;
    let sums = |of: fn(&(f64, f64)) -> f64| {
        let sum: f64 = pairs.iter().map(of).sum();
        let squares: f64 = pairs.iter().map(|pair| of(pair).powi(2)).sum();
        (sum, squares)
    };
    let ((given, given_squares), (human, human_squares)) = (sums(|pair| pair.0), sums(|pair| pair.1));
    // What two markers who only share their own spread of marks would differ by.
    let expected = given_squares + human_squares - 2.0 * given * human / count;
    if expected > 0.0 { 1.0 - observed / expected } else { 0.0 }
}

fn f1(marked: &[&Marked], side: bool) -> f64 {
    let given = |one: &Marked| (one.given >= 0.5) == side;
    let human = |one: &Marked| (one.human >= 0.5) == side;
    let both = marked.iter().filter(|one| given(one) && human(one)).count() as f64;
    let any = marked.iter().filter(|one| given(one)).count() + marked.iter().filter(|one| human(one)).count();
    if any == 0 { 0.0 } else { 2.0 * both / any as f64 }
}

fn reliability(marked: &[&Marked]) -> Vec<Bin> {
    let mut bins: Vec<Vec<&Marked>> = vec![Vec::new(); BINS];
    for one in marked {
        bins[((one.confidence * BINS as f64) as usize).min(BINS - 1)].push(one);
    }
    let is_right = |one: &Marked| {
        if one.is_two_way { is_right_side(one) } else { (one.given - one.human).abs() <= NEAR }
    };
    bins.iter()
        .filter(|bin| !bin.is_empty())
        .map(|bin| Bin {
            said: bin.iter().map(|one| one.confidence).sum::<f64>() / bin.len() as f64,
            right: share(bin, is_right),
            answers: bin.len(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(pairs: &[(f64, f64)]) -> Vec<Marked> {
        let one = |&(human, given): &(f64, f64)| Marked {
            question: "1".into(),
            human,
            given,
            confidence: 0.8,
            is_doubtful: false,
            is_blank: false,
            is_two_way: true,
            max_marks: 1.0,
            seconds: 0.01,
        };
        pairs.iter().map(one).collect()
    }

    #[test]
    fn perfect_marks_score_one() {
        let scores = Scores::of("own", &marked(&[(0.0, 0.0), (1.0, 1.0), (1.0, 1.0)]));
        assert!((scores.r - 1.0).abs() < 1e-9 && scores.rmse == 0.0);
        assert!((scores.kappa - 1.0).abs() < 1e-9);
        assert_eq!((scores.accuracy, scores.macro_f1), (Some(1.0), Some(1.0)));
        assert!((scores.answers_per_second - 100.0).abs() < 1e-6);
    }

    #[test]
    fn a_constant_mark_knows_nothing() {
        let scores = Scores::of("own", &marked(&[(0.0, 0.5), (1.0, 0.5)]));
        assert_eq!((scores.r, scores.r_within), (0.0, 0.0));
        assert!((scores.rmse - scores.rmse_constant).abs() < 1e-9);
    }

    #[test]
    fn blanks_and_flagged_answers_are_counted_apart() {
        let mut all = marked(&[(0.0, 0.1), (1.0, 0.9), (1.0, 0.2), (0.0, 0.0)]);
        all[2].is_doubtful = true;
        all[3].is_blank = true;
        let scores = Scores::of("own", &all);
        assert_eq!((scores.answers, scores.blank), (3, 1));
        assert!(scores.r_unflagged > scores.r);
        assert_eq!(scores.reliability.len(), 1);
    }
}
