//! Result (2.8, contract section 10).

use super::submission::ScoreView;
use domain::marks::Marks;
use domain::result::{
    Evidence, Flag, Frame, PartResult, Place, PointResult, QuestionResult, Result, Verdict,
};
use domain::submission::{State, Submission};
use serde::Serialize;
use utoipa::ToSchema;

/// The marks of a script with their evidence.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Result)]
pub(crate) struct ResultView {
    /// Always `result`.
    #[schema(value_type = String, pattern = "^result$", example = "result")]
    object: &'static str,
    /// The submission's id with the prefix `res_`.
    #[schema(pattern = "^res_[0-9a-z]{26}$")]
    id: String,
    /// True for live mode.
    livemode: bool,
    /// The submission.
    submission_id: String,
    /// Its paper.
    paper_id: String,
    /// `provisional` until it is released.
    #[schema(value_type = ResultStatus)]
    status: ResultStatus,
    /// The sum over the questions.
    score: ScoreView,
    /// The result in a few sentences.
    explanation: String,
    /// True when nothing in the script could be read as an answer.
    no_readable_answers: bool,
    /// True when a person decided about any of its marks.
    adjusted: bool,
    /// By which version of the paper's scheme it was marked; 1 is what was approved.
    #[schema(minimum = 1)]
    scheme_version: u32,
    /// In paper order.
    questions: Vec<QuestionResultView>,
}

/// Whether a result can still change.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ResultStatus {
    /// Before its release.
    Provisional,
    /// After it.
    Final,
}

/// The marks of one question.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = QuestionResult)]
pub(crate) struct QuestionResultView {
    /// As printed.
    number: String,
    /// The sum over its parts or points.
    #[schema(value_type = f64, minimum = 0)]
    awarded: Marks,
    /// True when a person decided about its marks.
    adjusted: bool,
    /// What the engine gave by itself, where a person came after it; else null.
    #[schema(required, value_type = Option<f64>, minimum = 0)]
    awarded_by_machine: Option<Marks>,
    /// What it could add to the score.
    #[schema(value_type = f64, minimum = 0)]
    available: Marks,
    /// False when more questions of a group were answered than count, and others count.
    counted: bool,
    /// What was read.
    answer: String,
    /// What the student is told; says why a 0 is a 0 at every level.
    feedback: String,
    /// What a person says to the student about a question that is marked as a whole; `feedback` begins with it.
    #[schema(required)]
    remark: Option<String>,
    /// How sure the engine is.
    #[schema(minimum = 0, maximum = 1)]
    confidence: f64,
    /// What a person should know.
    #[schema(value_type = Vec<FlagName>)]
    flags: Vec<Flag>,
    /// Empty for a question that is marked as a whole.
    parts: Vec<PartResultView>,
    /// What earned the marks of a question that is marked as a whole.
    points: Vec<PointResultView>,
}

/// The marks of one part.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PartResult)]
pub(crate) struct PartResultView {
    /// As printed: "(a)(ii)".
    label: String,
    /// The sum over its points.
    #[schema(value_type = f64, minimum = 0)]
    awarded: Marks,
    /// True when a person decided about its mark.
    adjusted: bool,
    /// What the engine gave by itself, where a person came after it; else null.
    #[schema(required, value_type = Option<f64>, minimum = 0)]
    awarded_by_machine: Option<Marks>,
    /// The most that it could earn.
    #[schema(value_type = f64, minimum = 0)]
    available: Marks,
    /// What was read.
    answer: String,
    /// What the student is told.
    feedback: String,
    /// What a person says to the student; `feedback` begins with it.
    #[schema(required)]
    remark: Option<String>,
    /// How sure the engine is.
    #[schema(minimum = 0, maximum = 1)]
    confidence: f64,
    /// What a person should know.
    #[schema(value_type = Vec<FlagName>)]
    flags: Vec<Flag>,
    /// In the scheme's order.
    points: Vec<PointResultView>,
}

/// What one point of the scheme earned.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PointResult)]
pub(crate) struct PointResultView {
    /// In the scheme's words.
    text: String,
    /// What it is worth.
    #[schema(value_type = f64, minimum = 0)]
    marks: Marks,
    /// What it earned.
    #[schema(value_type = f64, minimum = 0)]
    awarded: Marks,
    /// What the answer says about it.
    #[schema(value_type = VerdictName)]
    verdict: Verdict,
    /// The words that earned or lost it.
    evidence: Vec<EvidenceView>,
}

/// Words of the student's and where they stand.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Evidence)]
pub(crate) struct EvidenceView {
    /// Which of the submission's files, counted from 0.
    file: u32,
    /// Which page of that file, counted from 1.
    page: u32,
    /// Where on the page, in fractions of its width and height from its top left corner.
    #[serde(rename = "box")]
    frame: BoxView,
    /// As they were read.
    text: String,
}

/// A rectangle in fractions of the page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Box)]
pub(crate) struct BoxView {
    /// Left edge.
    x: f64,
    /// Top edge.
    y: f64,
    /// Width.
    width: f64,
    /// Height.
    height: f64,
}

/// What a person should know about a marked answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "it describes domain::result::Flag, which knows nothing of the wire")]
pub(crate) enum FlagName {
    /// Look at this one yourself.
    LowConfidence,
    /// It could not be read well enough.
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

/// What an answer says about a point of the scheme. Marks are earned by what is `credited` alone.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "it describes domain::result::Verdict, which knows nothing of the wire")]
pub(crate) enum VerdictName {
    /// It is there, and earned marks.
    Credited,
    /// It is not there.
    Missing,
    /// The answer says otherwise.
    Contradicted,
    /// It was not needed: the right result implies it, or the most was earned without it.
    Superseded,
    /// Nobody has judged it: a drawing, or an answer that could not be read.
    NotJudged,
}

impl ResultView {
    pub(crate) fn new(submission: &Submission, result: Result) -> ResultView {
        let id = submission.id.to_string();
        let is_final = submission.state == State::Released;
        let adjusted = result.is_adjusted();
        ResultView {
            object: "result",
            id: id.replacen("sub_", "res_", 1),
            livemode: submission.owner.1.is_live(),
            submission_id: id,
            paper_id: submission.paper_id.to_string(),
            status: if is_final { ResultStatus::Final } else { ResultStatus::Provisional },
            score: result.score.into(),
            explanation: result.explanation,
            no_readable_answers: result.no_readable_answers,
            adjusted,
            scheme_version: result.scheme_version,
            questions: result.questions.into_iter().map(QuestionResultView::from).collect(),
        }
    }
}

impl From<QuestionResult> for QuestionResultView {
    fn from(question: QuestionResult) -> QuestionResultView {
        QuestionResultView {
            adjusted: question.is_adjusted(),
            awarded_by_machine: question.awarded_by_machine(),
            remark: question.revision.and_then(|revision| revision.remark),
            number: question.number,
            awarded: question.awarded,
            available: question.available,
            counted: question.counted,
            answer: question.answer,
            feedback: question.feedback,
            confidence: question.confidence,
            flags: question.flags,
            parts: question.parts.into_iter().map(PartResultView::from).collect(),
            points: question.points.into_iter().map(PointResultView::from).collect(),
        }
    }
}

impl From<PartResult> for PartResultView {
    fn from(part: PartResult) -> PartResultView {
        PartResultView {
            adjusted: part.is_adjusted(),
            awarded_by_machine: part.revision.as_ref().map(|revision| revision.machine),
            remark: part.revision.and_then(|revision| revision.remark),
            label: part.label,
            awarded: part.awarded,
            available: part.available,
            answer: part.answer,
            feedback: part.feedback,
            confidence: part.confidence,
            flags: part.flags,
            points: part.points.into_iter().map(PointResultView::from).collect(),
        }
    }
}

impl From<PointResult> for PointResultView {
    fn from(point: PointResult) -> PointResultView {
        let evidence = point.evidence.into_iter().map(EvidenceView::from).collect();
        let PointResult { text, marks, awarded, verdict, .. } = point;
        PointResultView { text, marks, awarded, verdict, evidence }
    }
}

impl From<Evidence> for EvidenceView {
    fn from(Evidence { place: Place { file, page, frame }, text }: Evidence) -> EvidenceView {
        let Frame { x, y, width, height } = frame;
        EvidenceView { file, page, frame: BoxView { x, y, width, height }, text }
    }
}
