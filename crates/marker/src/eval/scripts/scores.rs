//! How often the mark is the examiner's, how far off it is else, and whether a flag says so.

use super::MarkedAnswer;
use serde::Serialize;
use std::fmt::Write;

/// The scores of some answers.
#[derive(Clone, Debug, Serialize)]
pub struct Score {
    /// Which answers: a paper, a student's letter, a case, or all.
    pub name: String,
    /// How many.
    pub answers: usize,
    /// How many of them belong to a part that was not read.
    pub unread: usize,
    /// Over all of them.
    pub all: Figures,
    /// Over those where two good examiners would agree.
    pub sure: Figures,
    /// Of the points that were given, the share that the examiner gave too; where points could be matched.
    pub precision: f64,
    /// Of the points that the examiner gave, the share that was given.
    pub recall: f64,
}

/// Shares of answers, and two measures of distance.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Figures {
    /// The examiner's mark.
    pub exact: f64,
    /// At most a mark off.
    pub within_one: f64,
    /// Pearson's correlation of mark over maximum.
    pub r: f64,
    /// Mean distance in marks.
    pub error: f64,
    /// Too much.
    pub over: f64,
    /// Too little.
    pub under: f64,
    /// Flagged `low_confidence`.
    pub flagged: f64,
    /// Wrong and not flagged.
    pub wrong_unflagged: f64,
}

impl Score {
    /// Scores answers.
    pub fn of(name: &str, answers: &[&MarkedAnswer]) -> Score {
        let sure: Vec<&MarkedAnswer> = answers.iter().copied().filter(|one| one.truth.sure).collect();
        let pairs: Vec<(bool, bool)> = answers
            .iter()
            .flat_map(|one| &one.points)
            .filter_map(|point| Some((point.given > 0.0, point.truly?)))
            .collect();
        let both = pairs.iter().filter(|(given, truly)| *given && *truly).count();
        Score {
            name: name.to_owned(),
            answers: answers.len(),
            unread: answers.iter().filter(|one| !one.is_read).count(),
            all: Figures::of(answers),
            sure: Figures::of(&sure),
            precision: share(both, pairs.iter().filter(|(given, _)| *given).count()),
            recall: share(both, pairs.iter().filter(|(_, truly)| *truly).count()),
        }
    }

    /// One score for each name that answers have, in order, the commonest first.
    pub fn each(answers: &[MarkedAnswer], name: impl Fn(&MarkedAnswer) -> &str) -> Vec<Score> {
        let mut groups: Vec<(&str, Vec<&MarkedAnswer>)> = Vec::new();
        for answer in answers {
            match groups.iter_mut().find(|(known, _)| *known == name(answer)) {
                Some((_, own)) => own.push(answer),
                None => groups.push((name(answer), vec![answer])),
            }
        }
        groups.iter().map(|(name, answers)| Score::of(name, answers)).collect()
    }
}

impl Figures {
    fn of(answers: &[&MarkedAnswer]) -> Figures {
        let count = |holds: &dyn Fn(&MarkedAnswer) -> bool| {
            share(answers.iter().filter(|one| holds(one)).count(), answers.len())
        };
        let distance = |one: &MarkedAnswer| one.given - one.truth.mark;
        Figures {
            exact: count(&MarkedAnswer::is_exact),
            within_one: count(&|one| distance(one).abs() < 1.25),
            r: correlation(answers),
            error: answers.iter().map(|one| distance(one).abs()).sum::<f64>() / answers.len().max(1) as f64,
            over: count(&|one| distance(one) > 0.25),
            under: count(&|one| distance(one) < -0.25),
            flagged: count(&|one| one.is_flagged),
            wrong_unflagged: count(&|one| !one.is_flagged && !one.is_exact()),
        }
    }
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn correlation(answers: &[&MarkedAnswer]) -> f64 {
    let pairs: Vec<(f64, f64)> = answers
        .iter()
        .filter(|one| one.truth.max > 0.0)
        .map(|one| (one.given / one.truth.max, one.truth.mark / one.truth.max))
        .collect();
    let count = pairs.len().max(1) as f64;
    let given = pairs.iter().map(|pair| pair.0).sum::<f64>() / count;
    let truly = pairs.iter().map(|pair| pair.1).sum::<f64>() / count;
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
    let together = sum(&|pair| (pair.0 - given) * (pair.1 - truly));
    let apart = sum(&|pair| (pair.0 - given).powi(2)) * sum(&|pair| (pair.1 - truly).powi(2));
    if apart > 0.0 { together / apart.sqrt() } else { 0.0 }
}

/// Scores as a table: a line for each, the figures over all of its answers, then over the sure ones.
pub fn table(scores: &[Score]) -> String {
    let width = scores.iter().map(|score| score.name.chars().count()).max().unwrap_or(0).clamp(8, 52);
    let names = ["exact", "in 1", "r", "error", "over", "under", "flag", "wrong"];
    let heading: String = names.iter().map(|name| format!("{name:>6}")).collect();
    let mut text =
        format!("{:width$}{:>5}{:>4}{heading}{:>7}{:>6} | sure:{heading}\n", "", "n", "-", "prec", "rec");
    for score in scores {
        let name: String = score.name.chars().take(width).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{name:width$}{:>5}{:>4}{}{:>7.2}{:>6.2} |      {}",
            score.answers,
            score.unread,
            figures(&score.all),
            score.precision,
            score.recall,
            figures(&score.sure)
        );
    }
    text
}

fn figures(of: &Figures) -> String {
    let all = [of.exact, of.within_one, of.r, of.error, of.over, of.under, of.flagged, of.wrong_unflagged];
    all.iter().map(|value| format!("{value:>6.2}")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::TrueAnswer;
    use super::*;

    fn answer(given: f64, mark: f64, is_flagged: bool) -> MarkedAnswer {
        let truth = TrueAnswer {
            number: "1".into(),
            label: None,
            max: 4.0,
            answer: String::new(),
            mark,
            points: Vec::new(),
            case: "partly right".into(),
            sure: mark > 0.0,
        };
        MarkedAnswer {
            exam: "own".into(),
            student: "a".into(),
            truth,
            given,
            confidence: 0.5,
            is_flagged,
            points: Vec::new(),
            is_read: true,
        }
    }

    #[test]
    fn marks_are_exact_near_over_or_under_and_wrong_ones_flagged_or_not() {
        let all = [answer(4.0, 4.0, false), answer(2.0, 3.0, true), answer(3.0, 0.0, false)];
        let score = Score::of("all", &all.iter().collect::<Vec<_>>());
        let third = 1.0 / 3.0;
        let close = |one: f64, other: f64| (one - other).abs() < 1e-9;
        assert!(close(score.all.exact, third) && close(score.all.within_one, 2.0 * third));
        assert!(close(score.all.over, third) && close(score.all.under, third));
        assert!(close(score.all.flagged, third) && close(score.all.wrong_unflagged, third));
        assert!(close(score.sure.exact, 0.5) && close(score.all.error, 4.0 / 3.0));
        assert_eq!(Score::each(&all, |one| &one.truth.case).len(), 1);
        assert!(table(&[score]).contains("0.33"));
    }
}
