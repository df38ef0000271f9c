//! A class in figures (contract, section 16).

use domain::marks::Marks;
use domain::paper::Paper;
use domain::statistics::{Agreement, BARS, ClassStatistics, QuestionStatistics};
use serde::Serialize;
use utoipa::ToSchema;

/// The marked scripts of a paper in figures, released or not.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Statistics)]
pub(crate) struct StatisticsView {
    /// Always `statistics`.
    #[schema(value_type = String, pattern = "^statistics$", example = "statistics")]
    object: &'static str,
    /// The paper's id with the prefix `stat_`.
    #[schema(pattern = "^stat_[0-9a-z]{26}$")]
    id: String,
    /// True for live mode.
    livemode: bool,
    /// The paper.
    paper_id: String,
    /// How many scripts the figures are about.
    scripts: u64,
    /// The mean of their marks; null without any.
    #[schema(required)]
    mean: Option<f64>,
    /// The standard deviation of their marks; null with fewer than two.
    #[schema(required)]
    spread: Option<f64>,
    /// Scripts by the share of the marks that they earned.
    histogram: Vec<BarView>,
    /// In paper order.
    questions: Vec<QuestionStatisticsView>,
}

/// Scripts that earned a like share of the marks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HistogramBar)]
pub(crate) struct BarView {
    /// From this percentage on.
    from: u32,
    /// Up to but not at this percentage; the last bar holds 100 too.
    to: u32,
    /// How many scripts.
    scripts: u64,
}

/// One question in figures.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = QuestionStatistics)]
pub(crate) struct QuestionStatisticsView {
    /// As printed.
    number: String,
    /// The most that it can earn.
    #[schema(value_type = f64, minimum = 0)]
    available: Marks,
    /// In how many scripts it counts.
    scripts: u64,
    /// The mean of its marks.
    #[schema(required)]
    mean: Option<f64>,
    /// The standard deviation of its marks.
    #[schema(required)]
    spread: Option<f64>,
    /// The correlation of its marks with those of the script's other questions; null where there is nothing to tell.
    #[schema(required, minimum = -1, maximum = 1)]
    discrimination: Option<f64>,
    /// How well machine and person agree; null before a person has checked an answer to it.
    #[schema(required)]
    agreement: Option<AgreementView>,
}

/// How well machine and person agree on the answers that a person checked. Intervals hold nineteen times in twenty.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Agreement)]
pub(crate) struct AgreementView {
    /// How many answers.
    checked: u64,
    /// True: nobody chose them, so that they speak for all answers. False: all that a person checked.
    random: bool,
    /// How many more would make the intervals about half as wide.
    more_for_half: u64,
    /// The share with the same mark.
    #[schema(minimum = 0, maximum = 1)]
    exact: f64,
    /// Its lower bound.
    #[schema(minimum = 0, maximum = 1)]
    exact_low: f64,
    /// Its upper bound.
    #[schema(minimum = 0, maximum = 1)]
    exact_high: f64,
    /// Quadratic weighted kappa; null where all marks are the same.
    #[schema(required, minimum = -1, maximum = 1)]
    kappa: Option<f64>,
    /// Its lower bound.
    #[schema(required, minimum = -1, maximum = 1)]
    kappa_low: Option<f64>,
    /// Its upper bound.
    #[schema(required, minimum = -1, maximum = 1)]
    kappa_high: Option<f64>,
}

impl StatisticsView {
    pub(crate) fn new(paper: &Paper, figures: ClassStatistics) -> StatisticsView {
        let id = paper.id.to_string();
        let width = 100 / BARS as u32;
        let bar =
            |(place, scripts): (u32, u64)| BarView { from: place * width, to: (place + 1) * width, scripts };
        StatisticsView {
            object: "statistics",
            id: id.replacen("pap_", "stat_", 1),
            livemode: paper.owner.1.is_live(),
            paper_id: id,
            scripts: figures.scripts,
            mean: figures.mean,
            spread: figures.spread,
            histogram: (0_u32..).zip(figures.histogram).map(bar).collect(),
            questions: figures.questions.into_iter().map(QuestionStatisticsView::from).collect(),
        }
    }
}

impl From<QuestionStatistics> for QuestionStatisticsView {
    fn from(question: QuestionStatistics) -> QuestionStatisticsView {
        QuestionStatisticsView {
            number: question.number,
            available: question.available,
            scripts: question.scripts,
            mean: question.mean,
            spread: question.spread,
            discrimination: question.discrimination,
            agreement: question.agreement.map(AgreementView::from),
        }
    }
}

impl From<Agreement> for AgreementView {
    fn from(agreement: Agreement) -> AgreementView {
        AgreementView {
            checked: agreement.checked,
            random: agreement.is_random,
            more_for_half: agreement.more_for_half(),
            exact: agreement.exact,
            exact_low: agreement.exact_interval.0,
            exact_high: agreement.exact_interval.1,
            kappa: agreement.kappa,
            kappa_low: agreement.kappa_interval.map(|(low, _)| low),
            kappa_high: agreement.kappa_interval.map(|(_, high)| high),
        }
    }
}
