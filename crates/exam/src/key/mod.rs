//! From a key's words to what it means: the one place that reads a scheme's notation.
//!
//! `scheme` finds which lines of a document belong to which part and makes points of them, in the scheme's own words,
//! which a teacher reviews and which are stored. Here those words are understood, once for a paper, before it is marked.

mod shares;

use domain::question::{AnswerKey, Point, Question};
use domain::scheme::{Keys, TypedKey, TypedPoint};

/// The keys of a question, understood.
pub fn typed(question: &Question) -> Keys {
    let understood = |key: &Option<AnswerKey>| key.as_ref().filter(|key| !key.is_empty()).map(typed_key);
    Keys {
        parts: question.parts.iter().map(|part| understood(&part.answer_key)).collect(),
        own: understood(&question.answer_key),
    }
}

fn typed_key(key: &AnswerKey) -> TypedKey {
    TypedKey {
        points: key.points.iter().map(typed_point).collect(),
        groups: key.groups.clone(),
        notes: key.notes.clone(),
        levels: key.levels.clone(),
    }
}

fn typed_point(point: &Point) -> TypedPoint {
    TypedPoint {
        text: point.text.clone(),
        marks: point.marks,
        kind: point.kind,
        shares: shares::of(point).iter().map(typed_point).collect(),
        alternatives: point.alternatives.clone(),
        accept: point.accept.clone(),
        reject: point.reject.clone(),
        ignore: point.ignore.clone(),
        required: point.required.clone(),
        notation: point.notation.clone(),
        group: point.group,
        depends_on: point.depends_on,
    }
}
