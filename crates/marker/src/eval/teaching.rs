//! What a few marks of a person would do: of every question some answers are given with their human mark, and the rest
//! are marked as they teach.

use super::{Marked, Row};
use crate::meaning::Semantic;
use crate::taught::{Lesson, Trait};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// Marks the answers that are not taught anew, and says which those are. `count` answers of each question are drawn by
/// a fixed seed; blank ones teach nothing.
pub(super) fn teach(judge: &Semantic, rows: &[Row], marked: &mut [Marked], count: usize) -> Vec<bool> {
    let mut questions: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate().filter(|(place, _)| !marked[*place].is_blank) {
        questions.entry((&row.dataset, &row.question_id)).or_default().push(place);
    }
    let mut is_scored = vec![true; rows.len()];
    for places in questions.values_mut() {
        places.sort_by_cached_key(|place| draw(&rows[*place], *place));
        let (taught, rest) = places.split_at(count.min(places.len()));
        let seen = |place: usize, marked: &[Marked]| {
            let answer = &rows[place].student_answer;
            Trait::of(answer, marked[place].given, judge.direction(answer))
        };
        let examples: Vec<(Trait, f64)> =
            taught.iter().map(|place| (seen(*place, marked), marked[*place].human)).collect();
        taught.iter().for_each(|place| is_scored[*place] = false);
        if let Some(lesson) = Lesson::of(examples) {
            for place in rest {
                marked[*place].given = lesson.mark(&seen(*place, marked));
            }
        }
    }
    is_scored
}

/// A place in the draw that has nothing to do with the answer's mark.
fn draw(row: &Row, place: usize) -> [u8; 32] {
    let name = row.answer_id.clone().unwrap_or_else(|| place.to_string());
    Sha256::digest(format!("taught {} {} {name}", row.dataset, row.question_id)).into()
}
