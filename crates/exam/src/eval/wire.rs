//! A reading in the shape in which the API lists questions.

use crate::join::Reading;
use domain::question::{AnswerKey, Choice, Kind, Part, Point, PointKind, Question};
use serde_json::{Value, json};

/// The list of questions, with the total and the warnings beside it.
pub fn predictions(reading: &Reading) -> Value {
    let data: Vec<Value> = reading.questions.iter().map(question).collect();
    let warnings: Vec<&str> = reading.warnings.iter().map(|warning| warning.name()).collect();
    json!({
        "object": "list",
        "data": data,
        "has_more": false,
        "total_marks": reading.total,
        "warnings": warnings,
    })
}

fn question(question: &Question) -> Value {
    json!({
        "object": "question",
        "number": question.number,
        "text": question.text,
        "marks": question.total(),
        "type": kind(question.kind),
        "options": options(&question.options),
        "parts": question.parts.iter().map(part).collect::<Vec<_>>(),
        "answer_key": question.answer_key.as_ref().map(key),
        "pages": question.pages,
        "choice_group": question.choice_group,
        "warnings": question.warnings,
    })
}

fn part(part: &Part) -> Value {
    json!({
        "label": part.label,
        "text": part.text,
        "marks": part.marks,
        "type": kind(part.kind),
        "options": options(&part.options),
        "answer_key": part.answer_key.as_ref().map(key),
        "page": part.page,
    })
}

fn options(options: &[Choice]) -> Value {
    options.iter().map(|option| json!({"label": option.label, "text": option.text})).collect()
}

fn key(key: &AnswerKey) -> Value {
    let levels: Vec<Value> = key
        .levels
        .iter()
        .map(|level| {
            json!({
                "name": level.name,
                "marks_from": level.marks_from,
                "marks_to": level.marks_to,
                "descriptor": level.descriptor,
            })
        })
        .collect();
    json!({"points": key.points.iter().map(point).collect::<Vec<_>>(), "notes": key.notes, "levels": levels})
}

fn point(point: &Point) -> Value {
    json!({
        "text": point.text,
        "marks": point.marks,
        "kind": point_kind(point.kind),
        "alternatives": point.alternatives,
        "accept": point.accept,
        "reject": point.reject,
    })
}

const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::MultipleChoice => "multiple_choice",
        Kind::Numeric => "numeric",
        Kind::ShortAnswer => "short_answer",
        Kind::Extended => "extended",
        Kind::Expression => "expression",
        Kind::Drawing => "drawing",
    }
}

const fn point_kind(kind: PointKind) -> &'static str {
    match kind {
        PointKind::Point => "point",
        PointKind::Method => "method",
        PointKind::Accuracy => "accuracy",
        PointKind::Independent => "independent",
        PointKind::Option => "option",
        PointKind::Answer => "answer",
    }
}
