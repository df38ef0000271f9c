//! The leaves of a result: a question that is marked as a whole, or one part of a question.

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
