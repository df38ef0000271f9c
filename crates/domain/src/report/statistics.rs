//! One script against all released scripts of its paper, in whole numbers and without any name.

use crate::marks::Marks;
use crate::result::{Percentage, Result, Score};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// With fewer scripts than this, figures about all would tell of single ones.
pub const SCRIPTS_MIN: u64 = 5;

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
#[serde(into = "Figures")]
pub struct Statistics {
    /// How many scripts the figures are about.
    pub scripts: u64,
    /// This script.
    pub own: Percentage,
    /// What can be told of all without telling of one; `None` with fewer than [`SCRIPTS_MIN`] scripts.
    pub spread: Option<Spread>,
    /// In paper order.
    pub questions: Vec<QuestionShare>,
}

/// How the scripts of a paper lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// The mean of all.
    pub mean: Percentage,
    /// A quarter of the scripts is at or below this.
    pub lower_quartile: Percentage,
    /// Half of the scripts are at or below this.
    pub median: Percentage,
    /// Three quarters of the scripts are at or below this.
    pub upper_quartile: Percentage,
}

/// The statistics as they are shown: every member is there, null where nothing can be told.
#[derive(Serialize)]
struct Figures {
    scripts: u64,
    own: Percentage,
    mean: Option<Percentage>,
    lower_quartile: Option<Percentage>,
    median: Option<Percentage>,
    upper_quartile: Option<Percentage>,
    questions: Vec<QuestionShare>,
}

impl From<Statistics> for Figures {
    fn from(statistics: Statistics) -> Figures {
        let Statistics { scripts, own, spread, questions } = statistics;
        Figures {
            scripts,
            own,
            mean: spread.map(|spread| spread.mean),
            lower_quartile: spread.map(|spread| spread.lower_quartile),
            median: spread.map(|spread| spread.median),
            upper_quartile: spread.map(|spread| spread.upper_quartile),
            questions,
        }
    }
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

/// The marks of all released scripts of a paper, added up: as large as the paper, not as the class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many scripts earned each percentage, from the least on.
    pub scores: BTreeMap<Percentage, u64>,
    /// In paper order.
    pub questions: Vec<QuestionTally>,
}

/// What all released scripts earned on one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuestionTally {
    /// As printed.
    pub number: String,
    /// In how many scripts it counts.
    pub scripts: u64,
    /// Half marks earned in those.
    pub awarded: u64,
    /// Half marks that could be earned in those.
    pub available: u64,
}

impl Tally {
    /// Adds one script.
    pub fn add(&mut self, sheet: &Marksheet) {
        *self.scores.entry(sheet.score.percentage).or_default() += 1;
        self.questions.resize_with(self.questions.len().max(sheet.questions.len()), QuestionTally::default);
        for (sum, question) in self.questions.iter_mut().zip(&sheet.questions) {
            sum.number.clone_from(&question.number);
            sum.scripts += u64::from(!question.available.is_zero());
            sum.awarded += u64::from(question.awarded.as_halves());
            sum.available += u64::from(question.available.as_halves());
        }
    }

    /// How many scripts there are.
    pub fn scripts(&self) -> u64 {
        self.scores.values().sum()
    }

    /// The mean of all, as a share of the most that all could have.
    fn mean(&self) -> Percentage {
        let sum = self.scores.iter().map(|(score, scripts)| u64::from(score.as_tenths()) * scripts).sum();
        Percentage::of_ratio(sum, 1000 * self.scripts())
    }

    /// The score of the script at this place, counted from 0 and from the least on.
    fn at(&self, place: u64) -> u32 {
        let mut passed = 0;
        let reached = self.scores.iter().find(|(_, scripts)| {
            passed += *scripts;
            passed > place
        });
        reached.or(self.scores.iter().next_back()).map_or(0, |(score, _)| score.as_tenths())
    }

    fn spread(&self) -> Spread {
        Spread {
            mean: self.mean(),
            lower_quartile: self.quartile(1),
            median: self.quartile(2),
            upper_quartile: self.quartile(3),
        }
    }

    /// The `quarter`-th quartile, between two scripts in proportion, half a tenth rounded up.
    fn quartile(&self, quarter: u64) -> Percentage {
        let position = self.scripts().saturating_sub(1) * quarter;
        let rest = u32::try_from(position % 4).unwrap_or_default();
        let (low, high) = (self.at(position / 4), self.at(position / 4 + 1));
        Percentage::tenths((low * (4 - rest) + high * rest + 2) / 4)
    }
}

impl FromIterator<Marksheet> for Tally {
    fn from_iter<I: IntoIterator<Item = Marksheet>>(sheets: I) -> Tally {
        let mut tally = Tally::default();
        sheets.into_iter().for_each(|sheet| tally.add(&sheet));
        tally
    }
}

impl Statistics {
    /// The figures; `None` where no script is released.
    pub fn of(own: &Marksheet, released: &Tally) -> Option<Statistics> {
        let scripts = released.scripts();
        if scripts == 0 {
            return None;
        }
        let questions = own.questions.iter().enumerate().map(|(index, question)| QuestionShare {
            number: question.number.clone(),
            own: share(u64::from(question.awarded.as_halves()), u64::from(question.available.as_halves())),
            mean: released
                .questions
                .get(index)
                .filter(|all| all.scripts >= SCRIPTS_MIN)
                .and_then(|all| share(all.awarded, all.available)),
        });
        Some(Statistics {
            scripts,
            own: own.score.percentage,
            spread: (scripts >= SCRIPTS_MIN).then(|| released.spread()),
            questions: questions.collect(),
        })
    }
}

/// A share of the marks; `None` where a question does not count.
fn share(awarded: u64, available: u64) -> Option<Percentage> {
    (available > 0).then(|| Percentage::of_ratio(awarded, available))
}
