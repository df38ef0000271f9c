//! A class in figures: how a paper's marked scripts did, question by question, and how well machine and person
//! agree. For whoever marks; a student's report has its own, which tell of no single script.

use crate::marks::Marks;
use crate::report::Marksheet;

/// How many bars a histogram has.
pub const BARS: usize = 10;
/// Fewer scripts than this say nothing about how a question parts them.
const SCRIPTS_MIN: f64 = 3.0;
/// Standard errors on either side of an estimate, for nineteen in twenty.
const SPREAD_95: f64 = 1.96;

/// The marked scripts of a paper in figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassStatistics {
    /// How many scripts the figures are about.
    pub scripts: u64,
    /// The mean of their marks; `None` without any.
    pub mean: Option<f64>,
    /// The standard deviation of their marks.
    pub spread: Option<f64>,
    /// How many scripts earned 0 to 10 per cent, 10 to 20, and so on; a script at the border is in the higher one.
    pub histogram: [u64; BARS],
    /// In paper order.
    pub questions: Vec<QuestionStatistics>,
}

/// One question in figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuestionStatistics {
    /// As printed.
    pub number: String,
    /// The most that it can earn.
    pub available: Marks,
    /// In how many scripts it counts.
    pub scripts: u64,
    /// The mean of its marks.
    pub mean: Option<f64>,
    /// The standard deviation of its marks.
    pub spread: Option<f64>,
    /// How far it parts strong scripts from weak ones: the correlation of its marks with those of the script's
    /// other questions, -1 to 1. `None` where there are too few scripts or all earned the same.
    pub discrimination: Option<f64>,
    /// How well machine and person agree; `None` before a person has checked any of its answers.
    pub agreement: Option<Agreement>,
}

/// How well machine and person agree on answers that a person checked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// How many answers.
    pub checked: u64,
    /// True when nobody chose them, so that they speak for all answers; else the ones that were checked may be the
    /// hardest, or the easiest.
    pub is_random: bool,
    /// The share with the same mark.
    pub exact: f64,
    /// Nineteen times in twenty the share of all answers lies between these.
    pub exact_interval: (f64, f64),
    /// Quadratic weighted kappa: 1 for always the same, 0 for no better than chance. `None` where it says nothing,
    /// because all marks are the same.
    pub kappa: Option<f64>,
    /// Nineteen times in twenty the kappa of all answers lies between these.
    pub kappa_interval: Option<(f64, f64)>,
}

/// Sums from which means, spreads and correlations follow.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Sums {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    fn mean(&self) -> Option<f64> {
        (self.count > 0.0).then(|| round(self.x / self.count))
    }

    fn spread(&self) -> Option<f64> {
        let squares = self.xx - self.x * self.x / self.count;
        (self.count > 1.0).then(|| round((squares.max(0.0) / (self.count - 1.0)).sqrt()))
    }

    fn correlation(&self) -> Option<f64> {
        let over = |squares: f64, sum: f64| squares - sum * sum / self.count;
        let apart = over(self.xx, self.x) * over(self.yy, self.y);
        let together = self.xy - self.x * self.y / self.count;
        (self.count >= SCRIPTS_MIN && apart > 1e-9).then(|| round((together / apart.sqrt()).clamp(-1.0, 1.0)))
    }
}

/// To three decimals, so that figures are the same numbers everywhere.
fn round(value: f64) -> f64 {
    let rounded = (value * 1000.0).round() / 1000.0;
    // No figure reads "-0".
    if rounded == 0.0 { 0.0 } else { rounded }
}

impl ClassStatistics {
    /// The figures of these scripts. The order does not matter.
    pub fn of<'s>(sheets: impl IntoIterator<Item = &'s Marksheet>) -> ClassStatistics {
        let mut figures = ClassStatistics::default();
        let mut whole = Sums::default();
        let mut sums: Vec<Sums> = Vec::new();
        for sheet in sheets {
            let total = sheet.score.awarded.as_number();
            whole.add(total, 0.0);
            let bar = sheet.score.percentage.as_tenths() as usize * BARS / 1000;
            figures.histogram[bar.min(BARS - 1)] += 1;
            let questions = sheet.questions.len().max(sums.len());
            sums.resize_with(questions, Sums::default);
            figures.questions.resize_with(questions, QuestionStatistics::default);
            for ((sums, figures), question) in
                sums.iter_mut().zip(&mut figures.questions).zip(&sheet.questions)
            {
                figures.number.clone_from(&question.number);
                figures.available = figures.available.max(question.available);
                if !question.available.is_zero() {
                    let own = question.awarded.as_number();
                    sums.add(own, total - own);
                }
            }
        }
        for (sums, figures) in sums.iter().zip(&mut figures.questions) {
            figures.scripts = sums.count as u64;
            (figures.mean, figures.spread) = (sums.mean(), sums.spread());
            figures.discrimination = sums.correlation();
        }
        figures.scripts = whole.count as u64;
        (figures.mean, figures.spread) = (whole.mean(), whole.spread());
        figures
    }
}

impl Agreement {
    /// The agreement of pairs of marks, machine's and person's; `None` without any. The order does not matter.
    pub fn of(pairs: &[(Marks, Marks)]) -> Option<Agreement> {
        if pairs.is_empty() {
            return None;
        }
        let count = pairs.len() as f64;
        let same = pairs.iter().filter(|(machine, person)| machine == person).count() as f64;
        let (low, high) = wilson(same / count, count);
        Some(Agreement {
            checked: pairs.len() as u64,
            is_random: false,
            exact: round(same / count),
            exact_interval: (round(low), round(high)),
            kappa: kappa(&Moments::of(pairs)).map(round),
            kappa_interval: kappa_interval(pairs),
        })
    }

    /// How many more answers to check until the interval of the share is about half as wide; it narrows with the
    /// square root of their number.
    pub fn more_for_half(&self) -> u64 {
        3 * self.checked
    }
}

/// Wilson's interval of a share, which stays within 0 and 1 and is honest about few answers.
fn wilson(share: f64, count: f64) -> (f64, f64) {
    let z2 = SPREAD_95 * SPREAD_95;
    let centre = share + z2 / (2.0 * count);
    let half = SPREAD_95 * (share * (1.0 - share) / count + z2 / (4.0 * count * count)).sqrt();
    let below = 1.0 + z2 / count;
    (((centre - half) / below).max(0.0), ((centre + half) / below).min(1.0))
}

/// Sums over pairs, of which one can be taken away at no cost.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    count: f64,
    apart: f64,
    machine: f64,
    machine2: f64,
    person: f64,
    person2: f64,
}

impl Moments {
    fn of(pairs: &[(Marks, Marks)]) -> Moments {
        let mut moments = Moments::default();
        pairs.iter().for_each(|pair| moments.add(pair, 1.0));
        moments
    }

    fn add(&mut self, (machine, person): &(Marks, Marks), sign: f64) {
        let (machine, person) = (f64::from(machine.as_halves()), f64::from(person.as_halves()));
        self.count += sign;
        self.apart += sign * (machine - person).powi(2);
        self.machine += sign * machine;
        self.machine2 += sign * machine * machine;
        self.person += sign * person;
        self.person2 += sign * person * person;
    }
}

/// Quadratic weighted kappa; `None` where chance alone would always agree.
fn kappa(moments: &Moments) -> Option<f64> {
    let Moments { count, apart, machine, machine2, person, person2 } = *moments;
    let by_chance = machine2 + person2 - 2.0 * machine * person / count;
    (count > 0.0 && by_chance > 1e-9).then(|| 1.0 - apart / by_chance)
}

/// The interval by leaving out each pair in turn (the jackknife): no chance in it, and no order.
fn kappa_interval(pairs: &[(Marks, Marks)]) -> Option<(f64, f64)> {
    let all = Moments::of(pairs);
    let whole = kappa(&all)?;
    let without = |pair: &(Marks, Marks)| {
        let mut rest = all;
        rest.add(pair, -1.0);
        kappa(&rest)
    };
    let mut left: Vec<f64> = pairs.iter().map(without).collect::<Option<_>>()?;
    left.sort_by(f64::total_cmp);
    let count = left.len() as f64;
    let mean = left.iter().sum::<f64>() / count;
    let squares: f64 = left.iter().map(|kappa| (kappa - mean).powi(2)).sum();
    let error = SPREAD_95 * ((count - 1.0) / count * squares).sqrt();
    (left.len() > 1).then(|| (round((whole - error).max(-1.0)), round((whole + error).min(1.0))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::QuestionMarks;
    use crate::result::Score;
    use proptest::prelude::*;

    fn sheet(marks: &[u32]) -> Marksheet {
        let question = |(index, awarded): (usize, &u32)| QuestionMarks {
            number: (index + 1).to_string(),
            awarded: Marks::whole(*awarded),
            available: Marks::whole(4),
        };
        let questions: Vec<QuestionMarks> = marks.iter().enumerate().map(question).collect();
        let awarded = questions.iter().map(|question| question.awarded).sum();
        let available = questions.iter().map(|question| question.available).sum();
        Marksheet { score: Score::of(awarded, available), questions }
    }

    fn pairs(marks: &[(u32, u32)]) -> Vec<(Marks, Marks)> {
        marks.iter().map(|(machine, person)| (Marks::whole(*machine), Marks::whole(*person))).collect()
    }

    #[test]
    fn a_class_in_figures() {
        let sheets = [sheet(&[4, 4]), sheet(&[2, 3]), sheet(&[0, 1])];
        let figures = ClassStatistics::of(&sheets);
        assert_eq!((figures.scripts, figures.mean, figures.spread), (3, Some(4.667), Some(3.512)));
        assert_eq!(figures.histogram, [0, 1, 0, 0, 0, 0, 1, 0, 0, 1]);
        let first = &figures.questions[0];
        assert_eq!((first.mean, first.spread, first.discrimination), (Some(2.0), Some(2.0), Some(0.982)));
    }

    #[test]
    fn nothing_is_said_where_nothing_is_known() {
        let none = ClassStatistics::of(&[]);
        assert_eq!((none.scripts, none.mean, none.spread), (0, None, None));
        let same = ClassStatistics::of(&[sheet(&[2, 2]), sheet(&[2, 2]), sheet(&[2, 2])]);
        assert_eq!(same.questions[0].discrimination, None);
        assert_eq!(Agreement::of(&[]), None);
        let agreement = Agreement::of(&pairs(&[(2, 2), (2, 2)])).unwrap();
        assert_eq!((agreement.exact, agreement.kappa, agreement.kappa_interval), (1.0, None, None));
    }

    #[test]
    fn agreement_says_how_sure_it_is() {
        let agreement = Agreement::of(&pairs(&[(0, 0), (1, 1), (2, 2), (3, 3), (4, 2)])).unwrap();
        assert_eq!((agreement.checked, agreement.exact), (5, 0.8));
        assert_eq!(agreement.kappa, Some(0.75));
        let (low, high) = agreement.kappa_interval.unwrap();
        assert!(low < 0.75 && 0.75 < high, "{low} {high}");
        let (low, high) = agreement.exact_interval;
        assert!(low > 0.3 && high < 0.97, "{low} {high}");
    }

    proptest! {
        #[test]
        fn figures_stay_in_their_bounds_and_order_does_not_matter(marks in prop::collection::vec((0..5_u32, 0..5_u32), 1..40)) {
            let forth = pairs(&marks);
            let back: Vec<_> = forth.iter().rev().copied().collect();
            let agreement = Agreement::of(&forth).unwrap();
            prop_assert_eq!(Some(agreement), Agreement::of(&back));
            prop_assert!((0.0..=1.0).contains(&agreement.exact));
            prop_assert!(agreement.kappa.is_none_or(|kappa| (-1.0..=1.0).contains(&kappa)));
            let sheets: Vec<Marksheet> = marks.iter().map(|(one, other)| sheet(&[*one, *other])).collect();
            let figures = ClassStatistics::of(&sheets);
            prop_assert_eq!(figures.histogram.iter().sum::<u64>(), figures.scripts);
            prop_assert_eq!(figures.clone(), ClassStatistics::of(sheets.iter().rev()));
            for question in &figures.questions {
                prop_assert!(question.discrimination.is_none_or(|value| (-1.0..=1.0).contains(&value)));
            }
        }
    }
}
