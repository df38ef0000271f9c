//! A column of answers without a name: "Question |   | Marks", above rows whose text stands between the two.

use super::layout::{Heading, Zone};
use crate::flow::Line;
use crate::labels;

/// Such a column takes up this share of the page's width.
const WIDE: f32 = 0.4;
/// The row below a header says more words in it.
const WORDS_MIN: usize = 3;

/// Puts a heading for such a column behind that of the labels.
pub(super) fn add_answer(headings: &mut Vec<Heading>, below: &[&Line<'_>], width: f32) {
    let [label, next, ..] = headings.as_slice() else { return };
    let known = |heading: &Heading| matches!(heading.zone, Zone::Marks | Zone::Other);
    let priced = headings.iter().any(|heading| heading.zone == Zone::Marks);
    let wide = next.x0 - label.x1 > WIDE * width;
    if label.zone != Zone::Label || !headings[1..].iter().all(known) || !priced || !wide {
        return;
    }
    let (from, to) = (label.x1, next.x0);
    let Some(line) = below.first() else { return };
    let labelled = labels::parse(&line.texts()).is_some() && line.words[0].place.x0 < from;
    let mut within = line.words.iter().filter(|word| from < word.place.x0 && word.place.x1 < to);
    let first = within.next().filter(|_| labelled).map(|word| word.place.x0);
    if let Some(x0) = first.filter(|_| within.count() >= WORDS_MIN) {
        let answer = Heading { x0, x1: x0, zone: Zone::Answer, is_objective: false, is_total: false };
        headings.insert(1, answer);
    }
}
