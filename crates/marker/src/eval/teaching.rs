//! What a few marks of a person would do: of every question some answers are given with their human mark, and the rest
//! are marked as they teach.

use super::{Marked, Row, Taught};
use crate::meaning::Semantic;
use crate::meaning::{Judge as _, PointText};
use crate::taught::{Kept, Lesson, Trait};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// Marks the answers that are not taught anew, and says which those are. Answers of each question are drawn by a fixed
/// seed; blank ones teach nothing.
pub(super) fn teach(judge: &Semantic, rows: &[Row], marked: &mut [Marked], taught: Taught) -> Vec<bool> {
    let mut questions: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate().filter(|(place, _)| !marked[*place].is_blank) {
        questions.entry((&row.dataset, &row.question_id)).or_default().push(place);
    }
    let mut is_scored = vec![true; rows.len()];
    for places in questions.values_mut() {
        places.sort_by_cached_key(|place| draw(&rows[*place], *place));
        let (examples, rest) = places.split_at(taught.answers.min(places.len()));
        let seen = |place: usize, marked: &[Marked]| {
            let answer = &rows[place].student_answer;
            let points = if taught.by_points { made(judge, &rows[place]) } else { Vec::new() };
            Trait::of(answer, marked[place].given, Kept { meaning: judge.direction(answer), points })
        };
        examples.iter().for_each(|place| is_scored[*place] = false);
        let lessons: Vec<(Trait, f64)> =
            examples.iter().map(|place| (seen(*place, marked), marked[*place].human)).collect();
        if let Some(lesson) = Lesson::of(lessons) {
            for place in rest {
                marked[*place].given = lesson.mark(&seen(*place, marked));
            }
        }
    }
    is_scored
}

/// Statements of model answers that are looked for.
const STATEMENTS_MAX: usize = 6;

/// How likely an answer makes each statement of the model answers, as the engine says it of a scheme's points.
fn made(judge: &Semantic, row: &Row) -> Vec<f32> {
    let mut statements: Vec<&str> = Vec::new();
    let all = row.reference_answers.iter().flat_map(|text| text.split(['.', ';', '\n'])).map(str::trim);
    for statement in all.filter(|statement| statement.split_whitespace().count() >= 2) {
        if !statements.contains(&statement) {
            statements.push(statement);
        }
    }
    let kept = statements.len().min(STATEMENTS_MAX);
    let points = (0..kept).map(|place| statements[place * statements.len() / kept]);
    let points: Vec<PointText<'_>> = points.map(|text| PointText { text, others: &[] }).collect();
    if points.is_empty() {
        return Vec::new();
    }
    let said = judge.opinions(&row.question, &points, &row.student_answer);
    said.iter().map(|opinion| opinion.credited).collect()
}

/// A place in the draw that has nothing to do with the answer's mark.
fn draw(row: &Row, place: usize) -> [u8; 32] {
    let name = row.answer_id.clone().unwrap_or_else(|| place.to_string());
    Sha256::digest(format!("taught {} {} {name}", row.dataset, row.question_id)).into()
}
