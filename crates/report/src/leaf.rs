//! The leaves of a result: a question that is marked as a whole, or one part of a question.

use crate::wording;
use domain::marks::Marks;
use domain::result::{Flag, Place, PointResult, QuestionResult, full_label};

/// One of them, with its name as people say it.
#[derive(Clone, Debug)]
pub(crate) struct Leaf<'r> {
    /// "3" or "3(a)".
    pub(crate) name: String,
    pub(crate) awarded: Marks,
    pub(crate) available: Marks,
    pub(crate) answer: &'r str,
    pub(crate) feedback: &'r str,
    pub(crate) flags: &'r [Flag],
    pub(crate) points: &'r [PointResult],
    pub(crate) places: &'r [Place],
}

/// Marks as they are told: earned of what could be earned, or not judged at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) awarded: Marks,
    pub(crate) available: Marks,
    /// Nobody has judged it, so that its 0 is no verdict.
    pub(crate) is_unjudged: bool,
}

impl Standing {
    pub(crate) fn of_leaf(leaf: &Leaf<'_>) -> Standing {
        let Leaf { awarded, available, flags, .. } = *leaf;
        Standing { awarded, available, is_unjudged: awarded.is_zero() && flags.contains(&Flag::NotJudged) }
    }

    /// A question is unjudged when every part that could earn something is.
    pub(crate) fn of_question(question: &QuestionResult) -> Standing {
        let leaves = leaves(question);
        let mut worth = leaves.iter().filter(|leaf| !leaf.available.is_zero()).peekable();
        let is_unjudged = worth.peek().is_some() && worth.all(|leaf| Standing::of_leaf(leaf).is_unjudged);
        Standing { awarded: question.awarded, available: question.available, is_unjudged }
    }

    /// "1 of 2 marks", "not judged, 3 marks".
    pub(crate) fn told(&self) -> String {
        if self.is_unjudged {
            return format!("not judged, {}", wording::marks(self.available));
        }
        wording::marks_of(self.awarded, self.available)
    }
}

/// The leaves of a question, in paper order.
pub(crate) fn leaves(question: &QuestionResult) -> Vec<Leaf<'_>> {
    if question.parts.is_empty() {
        return vec![Leaf {
            name: question.number.clone(),
            awarded: question.awarded,
            available: question.available,
            answer: &question.answer,
            feedback: &question.feedback,
            flags: &question.flags,
            points: &question.points,
            places: &question.places,
        }];
    }
    let parts = question.parts.iter().map(|part| Leaf {
        name: full_label(&question.number, &part.label),
        awarded: part.awarded,
        available: part.available,
        answer: &part.answer,
        feedback: &part.feedback,
        flags: &part.flags,
        points: &part.points,
        places: &part.places,
    });
    parts.collect()
}
