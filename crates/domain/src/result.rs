//! What marking a script says: marks with their evidence, question by question, and how they came about.
//!
//! [`assemble`] is the only way from marked answers to a [`Result`], so that its sums always agree. A result
//! is stored as a JSON document and shown as it is stored.

mod assemble;
mod revise;
mod stored;
mod tell;
#[cfg(test)]
mod tests;

pub use assemble::{Choice, Marked, assemble};
pub use revise::{Decision, Decisions, PartKey, Taught, revise, with_questions};
pub use tell::full_label;

use crate::grading::{FeedbackLevel, Strictness};
use crate::marks::Marks;
use crate::question::Region;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;

/// The marks of one script.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Result {
    /// The sum over the questions.
    pub score: Score,
    /// The result in a few sentences.
    pub explanation: String,
    /// True when nothing in the script could be read as an answer.
    pub no_readable_answers: bool,
    /// In paper order.
    pub questions: Vec<QuestionResult>,
    /// True when there is writing for which no question could be found.
    #[serde(default, skip_serializing_if = "is_false")]
    pub has_unassigned: bool,
    /// By which version of the paper's scheme it was marked; 1 is what was approved.
    #[serde(default = "first_version", skip_serializing_if = "is_first_version")]
    pub scheme_version: u32,
}

/// What was earned of what could be earned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Marks earned.
    pub awarded: Marks,
    /// Marks that could be earned.
    pub available: Marks,
    /// The one as a share of the other.
    pub percentage: Percentage,
}

/// A percentage in tenths, so that it is the same number everywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percentage(u32);

/// The marks of one question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionResult {
    /// As printed.
    pub number: String,
    /// The sum over its parts or its points.
    pub awarded: Marks,
    /// What it could add to the score: nothing for a question that does not count.
    pub available: Marks,
    /// False when more questions of a group were answered than the paper asks for, and others count.
    #[serde(default = "yes")]
    pub counted: bool,
    /// What was read; the answers to its parts one under the other.
    pub answer: String,
    /// What the student is told; never empty when nothing was earned.
    pub feedback: String,
    /// How sure the engine is, 0 to 1.
    pub confidence: f64,
    /// What a person should know, each once.
    pub flags: Vec<Flag>,
    /// Empty for a question that is marked as a whole.
    pub parts: Vec<PartResult>,
    /// What earned the marks of a question that is marked as a whole; else see its parts.
    #[serde(default)]
    pub points: Vec<PointResult>,
    /// Where the answer stands; for a question with parts, see its parts.
    #[serde(default)]
    pub places: Vec<Place>,
    /// How the mark of a question that is marked as a whole came to differ from the engine's; else see its parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// The group of which only some questions count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// What a question that does not count would have earned: its parts as they were before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<PartResult>,
}

/// The marks of one part of a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PartResult {
    /// As printed, all levels together: "(a)(ii)".
    pub label: String,
    /// The sum over its points, where it has any.
    pub awarded: Marks,
    /// The most that it could earn.
    pub available: Marks,
    /// What was read.
    pub answer: String,
    /// What the student is told; never empty when nothing was earned.
    pub feedback: String,
    /// How sure the engine is, 0 to 1.
    pub confidence: f64,
    /// What a person should know, each once.
    pub flags: Vec<Flag>,
    /// In the scheme's order; they add up to `awarded`.
    pub points: Vec<PointResult>,
    /// Where the answer stands, one place for each page.
    #[serde(default)]
    pub places: Vec<Place>,
    /// How its mark came to differ from the engine's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
}

/// How a mark came about that is not simply the engine's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// What the engine gave by itself.
    pub machine: Marks,
    /// True when a person decided; false when it follows what a person decided on like answers.
    pub by_person: bool,
    /// What the person says to the student.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// What one point of the scheme earned.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "stored::Point")]
pub struct PointResult {
    /// In the scheme's words.
    pub text: String,
    /// What it is worth.
    pub marks: Marks,
    /// Never more than that.
    pub awarded: Marks,
    /// What the answer says about it.
    pub verdict: Verdict,
    /// The words that earned it, or lost it.
    pub evidence: Vec<Evidence>,
    /// How likely the answer makes it, 0 to 1, as far as the engine can say. Known only while a script is marked: marks
    /// are what a result keeps.
    #[serde(skip)]
    pub likely: Likely,
}

/// How likely something is, as far as it is known. A result that was kept does not have it, and is the same result: it
/// counts for nothing when two are compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Likely(pub Option<f32>);

impl PartialEq for Likely {
    fn eq(&self, _: &Likely) -> bool {
        true
    }
}

/// What an answer says about a point of the scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is there, and earned marks.
    Credited,
    /// It is not there.
    #[default]
    Missing,
    /// The answer says otherwise.
    Contradicted,
    /// It was not needed: the right result implies it, or the most that could be earned was earned without it.
    Superseded,
    /// Nobody has judged it: a drawing, or an answer that could not be read.
    NotJudged,
}

/// Words of the student's and where they stand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "stored::Words")]
pub struct Evidence {
    /// Where they stand.
    #[serde(flatten)]
    pub place: Place,
    /// As they were read.
    pub text: String,
}

/// A rectangle on a page of the script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Which of the submission's files, counted from 0.
    pub file: u32,
    /// Which page of that file, counted from 1.
    pub page: u32,
    /// Where on the page.
    #[serde(rename = "box")]
    pub frame: Frame,
}

/// A rectangle in fractions of the page's width and height from its top left corner, to four decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// What a person should know about a marked answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// Look at this one yourself.
    LowConfidence,
    /// What was written could not be read well enough to judge it.
    Illegible,
    /// The answer goes on in another place.
    AnswerContinuesElsewhere,
    /// More answers were given than were asked for.
    MoreAnswersThanAsked,
    /// Nothing was written.
    NotAttempted,
    /// Nobody has judged it; a person must mark it.
    NotJudged,
}

impl Flag {
    /// Whether a person should look at the answer: where nothing was written, there is nothing to look at.
    pub fn wants_person(self) -> bool {
        self != Flag::NotAttempted
    }
}

/// How a script was marked: enough to mark it again and get the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marking {
    /// "builtin" or "llm".
    pub engine: String,
    /// The engine's own version.
    pub engine_version: String,
    /// The models that it used.
    pub models: Vec<Model>,
    /// SHA-256 of the questions with their keys, as approved, in hexadecimal.
    pub scheme_sha256: String,
    /// SHA-256 of each of the script's files, in their order.
    pub files: Vec<String>,
    /// How readily a doubtful answer earned its mark.
    pub strictness: Strictness,
    /// How much is said to the student.
    pub feedback: FeedbackLevel,
    /// The sentences of the teacher's instructions that were understood.
    pub instructions_used: Vec<String>,
}

/// A model that an engine used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// SHA-256 of its weights in hexadecimal; empty for one behind a remote endpoint.
    pub sha256: String,
}

fn yes() -> bool {
    true
}

fn first_version() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_first_version(version: &u32) -> bool {
    *version == first_version()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Result {
    /// True when a person should look at some of its marks before they count. Questions that do not count
    /// themselves are no reason.
    pub fn is_doubtful(&self) -> bool {
        self.questions
            .iter()
            .filter(|question| question.counted)
            .any(|question| question.flags.iter().any(|flag| flag.is_doubt()))
    }
}

impl Flag {
    /// True when the mark itself is in doubt.
    pub fn is_doubt(self) -> bool {
        matches!(self, Flag::LowConfidence | Flag::Illegible | Flag::NotJudged)
    }
}

impl PointResult {
    /// True when nobody has judged it.
    pub fn is_unjudged(&self) -> bool {
        self.verdict == Verdict::NotJudged
    }
}

impl Score {
    /// The score of so many marks out of so many.
    pub fn of(awarded: Marks, available: Marks) -> Score {
        Score { awarded, available, percentage: Percentage::of(awarded, available) }
    }
}

impl Percentage {
    /// The share that `awarded` is of `available`, half a tenth rounded up; 0 when there is nothing to earn.
    pub fn of(awarded: Marks, available: Marks) -> Percentage {
        Percentage::of_ratio(u64::from(awarded.as_halves()), u64::from(available.as_halves()))
    }

    /// The same from any two counts, capped at 100.
    pub fn of_ratio(part: u64, whole: u64) -> Percentage {
        if whole == 0 {
            return Percentage(0);
        }
        let tenths = (2000 * u128::from(part.min(whole)) + u128::from(whole)) / (2 * u128::from(whole));
        // At most 1000, since the part is at most the whole.
        Percentage(u32::try_from(tenths).unwrap_or(1000))
    }

    /// A percentage of so many tenths, capped at 100.
    pub fn tenths(tenths: u32) -> Percentage {
        Percentage(tenths.min(1000))
    }

    /// How many tenths of a percent this is.
    pub const fn as_tenths(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Percentage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 10, self.0 % 10) {
            (whole, 0) => write!(f, "{whole}%"),
            (whole, tenth) => write!(f, "{whole}.{tenth}%"),
        }
    }
}

/// On the wire a percentage is a JSON number with at most one decimal: `62.5`.
impl Serialize for Percentage {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(10) {
            serializer.serialize_u32(self.0 / 10)
        } else {
            serializer.serialize_f64(f64::from(self.0) / 10.0)
        }
    }
}

impl<'de> Deserialize<'de> for Percentage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Percentage, D::Error> {
        let number = f64::deserialize(deserializer)?;
        if !(0.0..=100.0).contains(&number) {
            return Err(de::Error::custom("a percentage is a number from 0 to 100"));
        }
        Ok(Percentage((number * 10.0).round() as u32))
    }
}

impl Place {
    /// A region of a page of one of the script's files.
    pub fn new(file: u32, region: &Region) -> Place {
        Place { file, page: region.page, frame: Frame::of(region) }
    }

    /// True for places on the same page of the same file.
    pub fn shares_page(&self, other: &Place) -> bool {
        (self.file, self.page) == (other.file, other.page)
    }
}

impl Frame {
    /// A region's rectangle, cut off at the page's edges.
    pub fn of(region: &Region) -> Frame {
        let [x, y] = [region.x, region.y].map(fraction);
        let [right, bottom] = [region.x + region.width, region.y + region.height].map(fraction);
        Frame { x, y, width: four_decimals(right - x).max(0.0), height: four_decimals(bottom - y).max(0.0) }
    }

    /// The smallest rectangle that holds both.
    #[must_use]
    pub fn union(&self, other: &Frame) -> Frame {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = (self.x + self.width).max(other.x + other.width);
        let bottom = (self.y + self.height).max(other.y + other.height);
        Frame { x, y, width: four_decimals(right - x), height: four_decimals(bottom - y) }
    }
}

fn fraction(value: f32) -> f64 {
    // A number that is none would not survive being stored as JSON.
    if value.is_nan() { 0.0 } else { four_decimals(f64::from(value).clamp(0.0, 1.0)) }
}

fn four_decimals(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
