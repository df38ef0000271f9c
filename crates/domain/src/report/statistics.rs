//! One script against all released scripts of its paper, in whole numbers and without any name.

use crate::marks::Marks;
use crate::result::{Percentage, Result, Score};
use serde::{Deserialize, Serialize};

/// With fewer scripts than this, figures about all would tell of single ones.
pub const SCRIPTS_MIN: usize = 5;

/// The marks of one script without anything else: all that statistics need.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marksheet {
    /// The whole script's.
    pub score: Score,
    /// In paper order.
    pub questions: Vec<QuestionMarks>,
}

/// The marks of one question of one script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionMarks {
    /// As printed.
    pub number: String,
    /// Marks earned.
    pub awarded: Marks,
    /// Marks that could be earned; none where the question does not count.
    pub available: Marks,
}

/// The paper's released scripts in figures, and where this one stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// How many scripts the figures are about.
    pub scripts: usize,
    /// This script.
    pub own: Percentage,
    /// The mean of all.
    pub mean: Percentage,
    /// A quarter of the scripts is at or below this.
    pub lower_quartile: Percentage,
    /// Half of the scripts are at or below this.
    pub median: Percentage,
    /// Three quarters of the scripts are at or below this.
    pub upper_quartile: Percentage,
    /// In paper order.
    pub questions: Vec<QuestionShare>,
}

/// How much of a question's marks was earned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QuestionShare {
    /// As printed.
    pub number: String,
    /// By this script; `None` where the question does not count in it.
    pub own: Option<Percentage>,
    /// By all scripts in which it counts; `None` when those are too few.
    pub mean: Option<Percentage>,
}

impl Marksheet {
    /// The marks of a result.
    pub fn of(result: &Result) -> Marksheet {
        let questions = result.questions.iter().map(|question| QuestionMarks {
            number: question.number.clone(),
            awarded: question.awarded,
            available: question.available,
        });
        Marksheet { score: result.score, questions: questions.collect() }
    }
}

impl Statistics {
    /// The figures, or `None` when there are fewer than [`SCRIPTS_MIN`] scripts.
    pub fn of(own: &Marksheet, released: &[Marksheet]) -> Option<Statistics> {
        if released.len() < SCRIPTS_MIN {
            return None;
        }
        let mut tenths: Vec<u32> = released.iter().map(|sheet| sheet.score.percentage.as_tenths()).collect();
        tenths.sort_unstable();
        let questions = own.questions.iter().enumerate().map(|(index, question)| QuestionShare {
            number: question.number.clone(),
            own: share([question].into_iter()),
            mean: mean_share(index, released),
        });
        Some(Statistics {
            scripts: released.len(),
            own: own.score.percentage,
            mean: mean(&tenths),
            lower_quartile: quantile(&tenths, 1),
            median: quantile(&tenths, 2),
            upper_quartile: quantile(&tenths, 3),
            questions: questions.collect(),
        })
    }
}

/// The share of one question's marks that all scripts together earned, where enough of them count it.
fn mean_share(index: usize, released: &[Marksheet]) -> Option<Percentage> {
    let counting = released
        .iter()
        .filter_map(|sheet| sheet.questions.get(index))
        .filter(|question| !question.available.is_zero());
    (counting.clone().count() >= SCRIPTS_MIN).then(|| share(counting)).flatten()
}

fn share<'q>(questions: impl Iterator<Item = &'q QuestionMarks>) -> Option<Percentage> {
    let (mut awarded, mut available) = (0_u64, 0_u64);
    for question in questions {
        awarded += u64::from(question.awarded.as_halves());
        available += u64::from(question.available.as_halves());
    }
    (available > 0).then(|| Percentage::of_ratio(awarded, available))
}

fn mean(tenths: &[u32]) -> Percentage {
    let sum: u64 = tenths.iter().map(|value| u64::from(*value)).sum();
    // Tenths against a thousand each: the mean as a share of the most that all could have.
    Percentage::of_ratio(sum, 1000 * tenths.len() as u64)
}

/// The `quarter`-th quartile of sorted values, between two of them in proportion, half a tenth rounded up.
fn quantile(sorted: &[u32], quarter: usize) -> Percentage {
    let position = (sorted.len() - 1) * quarter;
    let (below, rest) = (position / 4, (position % 4) as u32);
    let low = sorted[below];
    let high = sorted.get(below + 1).copied().unwrap_or(low);
    Percentage::tenths((low * (4 - rest) + high * rest + 2) / 4)
}
