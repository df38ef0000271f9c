//! Does an answer say what a point of the key says? Words, numbers and negation decide.

mod align;
mod alike;
mod counsel;
mod counted;
mod encoder;
mod expected;
mod features;
mod held;
mod joint;
mod kept;
mod lexical;
mod points;
mod pools;
mod semantic;
mod sense;
mod weights;
mod wording;
mod wordpiece;

pub use counsel::Counsel;
pub use encoder::ModelError;
pub use expected::Expected;
pub use held::{Held, held};
pub use lexical::Lexical;
pub use semantic::{Graded, Semantic};

use crate::outcome::ModelIdentity;
use std::ops::Range;

/// Judges meaning. Deterministic: the same texts always give the same judgement.
pub trait Judge: Send + Sync {
    /// Whether `answer` expresses `point` (one wording of one point), given what was asked.
    fn judge(&self, question: &str, point: &str, answer: &str) -> Judgement;

    /// True when [`Judge::opinions`] come from reading point and answer together, so that they also weigh what rules of
    /// words have found; false when they are likenesses, which only help where such rules find nothing.
    fn reads_jointly(&self) -> bool {
        false
    }

    /// What `answer` says of each of these points: all points of an answer at once.
    fn opinions(&self, question: &str, points: &[PointText<'_>], answer: &str) -> Vec<Opinion> {
        let closest = |point: &PointText<'_>| {
            let others = point.others.iter().map(String::as_str);
            let all = std::iter::once(point.text).chain(others).take(WORDINGS_MAX);
            let judged = all.map(|wording| self.judge(question, wording, answer));
            judged
                .max_by(|one, other| one.score.total_cmp(&other.score))
                .map(Opinion::from)
                .unwrap_or_default()
        };
        points.iter().map(closest).collect()
    }

    /// How much of a whole answer is right, when the key has no separate points.
    fn grade(&self, expected: &Expected<'_>, answer: &str) -> Grade;

    /// What a whole text means, as a direction of length one: like meanings lie close. Empty where that is not known.
    fn direction(&self, _text: &str) -> Vec<f32> {
        Vec::new()
    }

    /// The models behind it, for the result's record.
    fn models(&self) -> Vec<ModelIdentity>;
}

/// Asking costs; so many wordings of a point are asked about.
const WORDINGS_MAX: usize = 3;

/// A point in the scheme's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointText<'a> {
    /// The wording that the answer comes closest to.
    pub text: &'a str,
    /// Other wordings that earn it as well.
    pub others: &'a [String],
}

/// What an answer says of a point: four probabilities that add up to one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opinion {
    /// It makes the point, in whatever words.
    pub credited: f32,
    /// It touches the point without making it.
    pub vague: f32,
    /// It says the opposite, or something wrong in its place.
    pub contradicted: f32,
    /// It says nothing of it.
    pub missing: f32,
    /// The bytes of the answer that decided.
    pub evidence: Option<Range<usize>>,
}

impl From<Judgement> for Opinion {
    fn from(judgement: Judgement) -> Opinion {
        Opinion {
            credited: judgement.score,
            missing: 1.0 - judgement.score,
            evidence: judgement.evidence,
            ..Opinion::default()
        }
    }
}

/// Whether an answer expresses one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The probability that the answer expresses the point, 0 to 1, calibrated: half is undecided.
    pub score: f32,
    /// How likely the decision `score >= 0.5` is right, 0.5 to 1.
    pub confidence: f32,
    /// The bytes of `answer` that speak of the point; `None` where nothing does.
    pub evidence: Option<Range<usize>>,
}

/// How much of a whole answer is right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grade {
    /// The share of the marks, 0 to 1.
    pub fraction: f32,
    /// How sure the judge is, 0 to 1.
    pub confidence: f32,
}
