//! What a paper asks and what earns its marks: questions, parts and answer keys.

mod check;
mod findings;
mod notation;
mod points;

pub use check::Wrong;
pub use findings::{Finding, Matter, findings};
pub use notation::Notation;
pub use points::PointChange;

use crate::marks::Marks;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A question as it was read from the paper, corrected by the reviewer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// As printed: "3".
    pub number: String,
    /// What is asked, without its parts' texts.
    pub text: String,
    /// The whole question's marks, its parts' included. `None` when neither document says.
    pub marks: Option<Marks>,
    /// How the answer is to be judged. For a question with parts, see its parts.
    pub kind: Kind,
    /// The options of a multiple choice question.
    pub options: Vec<Choice>,
    /// Every leaf part, in paper order.
    pub parts: Vec<Part>,
    /// What earns the marks; for a question with parts usually `None`.
    pub answer_key: Option<AnswerKey>,
    /// Pages of the question paper where it stands, counted from 1.
    pub pages: Vec<u32>,
    /// Where on those pages, for the review page's outlines.
    #[serde(default)]
    pub regions: Vec<Region>,
    /// The name of the group of questions of which only some are to be answered.
    #[serde(default)]
    pub choice_group: Option<String>,
    /// How many questions of that group are to be answered; `None` when all of them count.
    #[serde(default)]
    pub choice_count: Option<u32>,
    /// What a reviewer should look at.
    pub warnings: Vec<String>,
}

/// A leaf part of a question, such as "(a)(ii)".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// As printed, all levels together: "(a)(ii)".
    pub label: String,
    /// What is asked; the text of the levels above it comes first.
    pub text: String,
    /// `None` when neither document says.
    pub marks: Option<Marks>,
    /// How the answer is to be judged.
    pub kind: Kind,
    /// The options of a multiple choice part.
    pub options: Vec<Choice>,
    /// What earns the marks.
    pub answer_key: Option<AnswerKey>,
    /// Page of the question paper where it starts, counted from 1.
    pub page: u32,
    /// Where on the pages it stands.
    #[serde(default)]
    pub regions: Vec<Region>,
}

/// How an answer is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// One or more options of those printed.
    MultipleChoice,
    /// A number, with or without a unit.
    Numeric,
    /// Words, judged point by point.
    #[default]
    ShortAnswer,
    /// Long answers, judged by points or by levels of response.
    Extended,
    /// Algebra, equations, chemical formulae.
    Expression,
    /// Diagrams and graphs.
    Drawing,
}

/// One option of a multiple choice question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// "A"
    pub label: String,
    /// What the option says; empty for a picture.
    pub text: String,
}

/// What earns the marks of a question or a part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AnswerKey {
    /// Separate points, in the scheme's order.
    pub points: Vec<Point>,
    /// Points of which only some can earn marks: "any two from".
    #[serde(default)]
    pub groups: Vec<Group>,
    /// Guidance that belongs to no single point.
    pub notes: Option<String>,
    /// Levels of response, best first or as printed.
    pub levels: Vec<Level>,
    /// Where it stands in the marking scheme, for the review page's outlines. Left out where there are none, so
    /// that a scheme's fingerprint stays what it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<Region>,
}

/// One thing that earns marks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// In the scheme's words, without notation.
    pub text: String,
    /// What it is worth.
    pub marks: Marks,
    /// What sort of mark it is.
    pub kind: PointKind,
    /// Other wordings that are as good ("/", "or").
    pub alternatives: Vec<String>,
    /// Weaker wordings that still earn the mark ("accept", "allow").
    pub accept: Vec<String>,
    /// Wordings that lose the mark ("reject", "do not accept").
    pub reject: Vec<String>,
    /// Wordings that neither earn nor lose it ("ignore").
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Words that must be there (bold or underlined in the scheme).
    #[serde(default)]
    pub required: Vec<String>,
    /// Examiners' notation that applies.
    #[serde(default, deserialize_with = "notation::of_key")]
    pub notation: Vec<Notation>,
    /// Index in `AnswerKey::groups` of the group it belongs to.
    #[serde(default)]
    pub group: Option<u32>,
    /// Index in `AnswerKey::points` of the point that must be earned first.
    #[serde(default)]
    pub depends_on: Option<u32>,
}

/// What sort of mark a point carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointKind {
    /// An ordinary mark point.
    #[default]
    Point,
    /// M: for a method, earned even when the arithmetic is wrong.
    Method,
    /// A: for accuracy, depends on its method mark.
    Accuracy,
    /// B: independent of method.
    Independent,
    /// The letter of the right option.
    Option,
    /// The final answer, worth all the marks by itself.
    Answer,
}

/// Points of which only some can earn marks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// As printed: "any two from".
    pub text: String,
    /// How many of its points can earn marks; `None` when only `max` limits it.
    pub pick: Option<u32>,
    /// The most that the group can earn ("max 2").
    pub max: Option<Marks>,
}

/// One level of a level-of-response scheme.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// "Level 2"
    pub name: String,
    /// The least marks in it.
    pub marks_from: Marks,
    /// The most marks in it.
    pub marks_to: Marks,
    /// What an answer at this level looks like.
    pub descriptor: String,
}

/// A rectangle on a page, in fractions of the page's width and height from its top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Counted from 1.
    pub page: u32,
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

impl AnswerKey {
    /// True when nothing in it could earn a mark.
    pub fn is_empty(&self) -> bool {
        let worthless = self.points.iter().all(|point| point.marks.is_zero());
        let shapeless = self.levels.iter().all(|level| level.marks_to.is_zero());
        worthless && shapeless
    }
}

impl Question {
    /// True when there is nothing to mark: no marks, or no answer key here nor in any part.
    pub fn is_empty(&self) -> bool {
        let has_marks = self.total().is_some_and(|marks| !marks.is_zero());
        !has_marks || !self.has_key()
    }

    /// The question's marks, from itself or its parts.
    pub fn total(&self) -> Option<Marks> {
        self.marks.or_else(|| {
            let known: Vec<Marks> = self.parts.iter().filter_map(|part| part.marks).collect();
            (!known.is_empty()).then(|| known.into_iter().sum())
        })
    }

    /// True when some part, or the question itself where it has none, has no answer key.
    pub fn lacks_key(&self) -> bool {
        let keyless = |key: &Option<AnswerKey>| key.as_ref().is_none_or(AnswerKey::is_empty);
        let parts = self.parts.iter().any(|part| keyless(&part.answer_key));
        if self.parts.is_empty() { keyless(&self.answer_key) } else { parts }
    }

    fn has_key(&self) -> bool {
        let own = self.answer_key.iter();
        own.chain(self.parts.iter().filter_map(|part| part.answer_key.as_ref())).any(|key| !key.is_empty())
    }
}

/// What a candidate can earn: of each choice group only the dearest questions, as many as are to be answered.
pub fn available(questions: &[Question]) -> Marks {
    let mut sum = Marks::ZERO;
    let mut groups: BTreeMap<&str, (u32, Vec<Marks>)> = BTreeMap::new();
    for question in questions {
        let marks = question.total().unwrap_or_default();
        match question.choice_group.as_deref().zip(question.choice_count) {
            Some((group, count)) => groups.entry(group).or_insert((count, Vec::new())).1.push(marks),
            None => sum = sum + marks,
        }
    }
    for (count, mut all) in groups.into_values() {
        all.sort_unstable_by(|one, other| other.cmp(one));
        sum = sum + all.into_iter().take(count as usize).sum();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_choice_group_only_as_many_count_as_are_to_be_answered() {
        let question = |marks, group: Option<&str>| Question {
            marks: Some(Marks::whole(marks)),
            choice_group: group.map(str::to_owned),
            choice_count: group.map(|_| 1),
            ..Question::default()
        };
        let questions = [question(3, None), question(10, Some("B")), question(12, Some("B"))];
        assert_eq!(available(&questions), Marks::whole(15));
    }

    fn key() -> AnswerKey {
        let point = Point { text: "photosynthesis".into(), marks: Marks::whole(1), ..Point::default() };
        AnswerKey { points: vec![point], ..AnswerKey::default() }
    }

    #[test]
    fn a_question_without_marks_or_without_a_key_has_nothing_to_mark() {
        let full = Question { marks: Some(Marks::whole(1)), answer_key: Some(key()), ..Question::default() };
        assert!(!full.is_empty());
        assert!(Question { marks: None, ..full.clone() }.is_empty());
        assert!(Question { answer_key: None, ..full.clone() }.is_empty());
        assert!(Question { answer_key: Some(AnswerKey::default()), ..full }.is_empty());
    }

    #[test]
    fn a_part_can_hold_the_marks_and_the_key() {
        let part = Part { marks: Some(Marks::whole(2)), answer_key: Some(key()), ..Part::default() };
        let question = Question { parts: vec![part], ..Question::default() };
        assert_eq!(question.total(), Some(Marks::whole(2)));
        assert!(!question.is_empty());
    }
}
