//! What is to be marked: a question, what the student wrote for each leaf of it, and how to judge.

use crate::answer::Answer;
use domain::marks::Marks;
use domain::question::{AnswerKey, Choice, Kind, Question};
use domain::scheme::{Keys, TypedKey};
use serde::{Deserialize, Serialize};

pub use domain::grading::{FeedbackLevel, Grading as Settings, Strictness};

/// One question of one script.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// The question with its key, as the reviewer approved it.
    pub question: &'a Question,
    /// The same key, understood.
    pub keys: &'a Keys,
    /// What was read, leaf by leaf. A leaf that is not named was left blank.
    pub answers: Vec<LeafAnswer>,
    /// How to judge.
    pub settings: &'a Settings,
}

impl<'a> Task<'a> {
    /// Every leaf of the question with what it is marked by, in paper order; `None` where there is nothing to mark by.
    pub fn leaves(&self) -> Vec<(Leaf<'a>, Option<&'a TypedKey>)> {
        let mut of_parts = self.keys.parts.iter();
        let key = |leaf: &Leaf<'a>| match leaf.label {
            Some(_) => of_parts.next().and_then(Option::as_ref),
            None => self.keys.own.as_ref(),
        };
        let leaves = Leaf::all(self.question);
        let keys: Vec<_> = leaves.iter().map(key).collect();
        leaves.into_iter().zip(keys).collect()
    }
}

/// What the student wrote for one leaf.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LeafAnswer {
    /// The part's label as the question has it ("(a)(ii)"); `None` for the question itself.
    pub label: Option<String>,
    /// What was read there.
    pub answer: Answer,
}

/// The smallest thing that is marked: a question without parts, or one of its parts.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// The part's label; `None` for the question itself.
    pub label: Option<&'a str>,
    /// The text of the whole question, before its parts.
    pub stem: &'a str,
    /// What is asked here.
    pub text: &'a str,
    /// What it is worth, when the paper or the scheme says so.
    pub marks: Option<Marks>,
    /// How the answer is to be judged.
    pub kind: Kind,
    /// The options printed, for a multiple choice.
    pub options: &'a [Choice],
    /// What earns the marks, in the scheme's words.
    pub key: Option<&'a AnswerKey>,
}

impl<'a> Leaf<'a> {
    /// Every leaf of a question, in paper order. A question with parts that also has a key and marks of
    /// its own is a leaf too, the last one.
    pub fn all(question: &'a Question) -> Vec<Leaf<'a>> {
        let stem = question.text.as_str();
        let parts = question.parts.iter().map(|part| Leaf {
            label: Some(&part.label),
            stem,
            text: &part.text,
            marks: part.marks,
            kind: part.kind,
            options: &part.options,
            key: part.answer_key.as_ref(),
        });
        let mut leaves: Vec<Leaf<'a>> = parts.collect();
        let of_parts: Marks = leaves.iter().map(Leaf::available).sum();
        let own = question.marks.map(|marks| marks.less(of_parts));
        let own_key = question.answer_key.as_ref().filter(|key| !key.is_empty());
        if leaves.is_empty() || (own_key.is_some() && own.is_some_and(|marks| !marks.is_zero())) {
            leaves.push(Leaf {
                label: None,
                stem: "",
                text: stem,
                marks: own,
                kind: question.kind,
                options: &question.options,
                key: question.answer_key.as_ref(),
            });
        }
        leaves
    }

    /// The most that the leaf can earn: what the paper says, else what its key adds up to.
    pub fn available(&self) -> Marks {
        self.marks.unwrap_or_else(|| self.key.map_or(Marks::ZERO, key_total))
    }
}

/// What a key adds up to: its groups up to their limits, its other points, or its best level.
fn key_total(key: &AnswerKey) -> Marks {
    let in_group = |index: usize| key.points.iter().filter(move |point| point.group == Some(index as u32));
    let ungrouped =
        key.points.iter().filter(|point| point.group.is_none_or(|group| group as usize >= key.groups.len()));
    let plain: Marks = ungrouped.map(|point| point.marks).sum();
    let grouped: Marks = key
        .groups
        .iter()
        .enumerate()
        .map(|(index, group)| {
            let mut worth: Vec<Marks> = in_group(index).map(|point| point.marks).collect();
            worth.sort_unstable_by(|a, b| b.cmp(a));
            worth.truncate(group.pick.map_or(usize::MAX, |pick| pick as usize));
            let sum: Marks = worth.into_iter().sum();
            group.max.map_or(sum, |max| sum.min(max))
        })
        .sum();
    let best_level = key.levels.iter().map(|level| level.marks_to).max().unwrap_or_default();
    (plain + grouped).max(best_level)
}
