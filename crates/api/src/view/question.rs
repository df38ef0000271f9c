//! Question of a paper (contract, section 7).

use domain::id::PaperId;
use domain::marks::Marks;
use domain::mode::Mode;
use domain::question::{AnswerKey, Choice, Kind, Level, Part, Point, PointKind};
use serde::Serialize;
use service::papers::StoredQuestion;
use utoipa::ToSchema;

/// A question as it was read and reviewed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Question, example = json!({
    "id": "q_01m7erksw3h2kbtqh4bm5e14zh", "object": "question", "livemode": false,
    "paper_id": "pap_01m7erksw3h2kbtqh4bm5e14zh", "number": "3", "text": "Plants need light.", "marks": 3,
    "type": "short_answer", "options": [], "parts": [{
        "label": "(a)(ii)", "text": "State why.", "marks": 3, "type": "short_answer", "options": [],
        "answer_key": {"points": [{
            "text": "for photosynthesis", "marks": 1, "kind": "point", "alternatives": [], "accept": ["to make sugar"],
            "reject": ["to breathe"]
        }], "notes": null, "levels": []},
        "page": 4
    }],
    "answer_key": null, "pages": [4], "warnings": []
}))]
pub(crate) struct QuestionView {
    /// Its id.
    #[schema(pattern = "^q_[0-9a-z]{26}$")]
    id: String,
    /// Always `question`.
    #[schema(value_type = String, pattern = "^question$", example = "question")]
    object: &'static str,
    /// True for live mode.
    livemode: bool,
    /// The paper it belongs to.
    paper_id: String,
    /// As printed.
    number: String,
    /// What is asked, without its parts' texts.
    text: String,
    /// What it is worth with its parts; null when neither document says.
    #[schema(required, value_type = Option<f64>, minimum = 0)]
    marks: Option<Marks>,
    /// How the answer is judged.
    #[serde(rename = "type")]
    #[schema(value_type = QuestionType)]
    kind: Kind,
    /// The options of a multiple choice.
    options: Vec<OptionView>,
    /// Every leaf part, in paper order.
    parts: Vec<PartView>,
    /// What earns the marks; for a question with parts usually null.
    #[schema(required)]
    answer_key: Option<AnswerKeyView>,
    /// Where it stands in the question paper, counted from 1.
    pages: Vec<u32>,
    /// What a reviewer should look at.
    warnings: Vec<String>,
}

/// A leaf part of a question.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = QuestionPart)]
pub(crate) struct PartView {
    /// As printed, all levels together: "(a)(ii)".
    label: String,
    /// What is asked.
    text: String,
    /// What it is worth; null when neither document says.
    #[schema(required, value_type = Option<f64>, minimum = 0)]
    marks: Option<Marks>,
    /// How the answer is judged.
    #[serde(rename = "type")]
    #[schema(value_type = QuestionType)]
    kind: Kind,
    /// The options of a multiple choice.
    options: Vec<OptionView>,
    /// What earns the marks.
    #[schema(required)]
    answer_key: Option<AnswerKeyView>,
    /// Where it begins in the question paper, counted from 1.
    page: u32,
}

/// One option of a multiple choice.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = QuestionOption)]
pub(crate) struct OptionView {
    /// "A"
    label: String,
    /// What it says; empty for a picture.
    text: String,
}

/// What earns the marks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnswerKey)]
pub(crate) struct AnswerKeyView {
    /// Separate points, in the scheme's order.
    points: Vec<PointView>,
    /// Guidance that belongs to no single point.
    #[schema(required)]
    notes: Option<String>,
    /// Levels of response.
    levels: Vec<LevelView>,
}

/// One thing that earns marks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MarkPoint)]
pub(crate) struct PointView {
    /// In the scheme's words.
    text: String,
    /// What it is worth.
    #[schema(value_type = f64, minimum = 0)]
    marks: Marks,
    /// What sort of mark it is.
    #[schema(value_type = MarkKind)]
    kind: PointKind,
    /// Other wordings that are as good.
    alternatives: Vec<String>,
    /// Weaker wordings that still earn it.
    accept: Vec<String>,
    /// Wordings that lose it.
    reject: Vec<String>,
}

/// One level of a level-of-response scheme.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Level)]
pub(crate) struct LevelView {
    /// "Level 2"
    name: String,
    /// The least marks in it.
    #[schema(value_type = f64, minimum = 0)]
    marks_from: Marks,
    /// The most marks in it.
    #[schema(value_type = f64, minimum = 0)]
    marks_to: Marks,
    /// What an answer at this level looks like.
    descriptor: String,
}

/// How an answer is judged.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "it describes domain::question::Kind, which knows nothing of the wire")]
pub(crate) enum QuestionType {
    MultipleChoice,
    Numeric,
    ShortAnswer,
    Extended,
    Expression,
    Drawing,
}

/// What sort of mark a point carries.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "it describes domain::question::PointKind, which knows nothing of the wire")]
pub(crate) enum MarkKind {
    /// An ordinary mark point.
    Point,
    /// M: for a method.
    Method,
    /// A: for accuracy.
    Accuracy,
    /// B: independent of method.
    Independent,
    /// The letter of the right option.
    Option,
    /// The final answer.
    Answer,
}

impl QuestionView {
    pub(crate) fn new(stored: &StoredQuestion, paper: PaperId, mode: Mode) -> QuestionView {
        let question = &stored.question;
        QuestionView {
            id: stored.id.to_string(),
            object: "question",
            livemode: mode.is_live(),
            paper_id: paper.to_string(),
            number: question.number.clone(),
            text: question.text.clone(),
            marks: question.marks,
            kind: question.kind,
            options: options(&question.options),
            parts: question.parts.iter().map(PartView::from).collect(),
            answer_key: question.answer_key.as_ref().map(AnswerKeyView::from),
            pages: question.pages.clone(),
            warnings: question.warnings.clone(),
        }
    }
}

impl From<&Part> for PartView {
    fn from(part: &Part) -> PartView {
        PartView {
            label: part.label.clone(),
            text: part.text.clone(),
            marks: part.marks,
            kind: part.kind,
            options: options(&part.options),
            answer_key: part.answer_key.as_ref().map(AnswerKeyView::from),
            page: part.page,
        }
    }
}

fn options(choices: &[Choice]) -> Vec<OptionView> {
    let option = |choice: &Choice| OptionView { label: choice.label.clone(), text: choice.text.clone() };
    choices.iter().map(option).collect()
}

impl From<&AnswerKey> for AnswerKeyView {
    fn from(key: &AnswerKey) -> AnswerKeyView {
        AnswerKeyView {
            points: key.points.iter().map(PointView::from).collect(),
            notes: key.notes.clone(),
            levels: key.levels.iter().map(LevelView::from).collect(),
        }
    }
}

impl From<&Point> for PointView {
    fn from(point: &Point) -> PointView {
        PointView {
            text: point.text.clone(),
            marks: point.marks,
            kind: point.kind,
            alternatives: point.alternatives.clone(),
            accept: point.accept.clone(),
            reject: point.reject.clone(),
        }
    }
}

impl From<&Level> for LevelView {
    fn from(level: &Level) -> LevelView {
        LevelView {
            name: level.name.clone(),
            marks_from: level.marks_from,
            marks_to: level.marks_to,
            descriptor: level.descriptor.clone(),
        }
    }
}
