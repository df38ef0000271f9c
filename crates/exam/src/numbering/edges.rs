//! Labels beside a text that ask nothing: the numbers of a passage's lines, and the boxes for marks at the right edge.

use super::candidates::Candidate;
use crate::flow::Line;
use crate::labels::{Kind, Style};
use crate::rules::Rule;

/// Every so many lines of a passage one is numbered, and seldom fewer.
const STEP: u32 = 4;
/// How far apart, in points, the numbers of one passage may begin.
const SLACK: f32 = 3.0;
/// Boxes for marks stand behind so much of the text's width.
const RIGHT: f32 = 0.8;

/// Takes trust from both.
pub(super) fn doubt(found: &mut [Candidate], lines: &[Line<'_>]) {
    let counting = lines_of_passages(found, lines);
    let left = lines.iter().map(|line| line.place.x0).fold(f32::INFINITY, f32::min);
    let right = lines.iter().map(|line| line.place.x1).fold(0.0, f32::max);
    for (candidate, counts) in found.iter_mut().zip(counting) {
        let x = lines[candidate.line].words[candidate.word].place.x0;
        let alone = candidate.begins_line && !candidate.has_text;
        let boxed = alone && candidate.label.tokens.len() > 1 && x > left + RIGHT * (right - left);
        if counts || boxed {
            candidate.quality += Rule::BesideText.weight();
        }
    }
}

/// For each candidate, whether it counts the lines of a passage: another number stands as many lines away as it is
/// higher or lower.
fn lines_of_passages(found: &[Candidate], lines: &[Line<'_>]) -> Vec<bool> {
    let is_bare = |own: &Candidate| {
        let single = own.label.tokens.len() == 1 && own.label.tokens[0].kind == Kind::Number;
        single && own.begins_line && own.has_text && own.label.style == Style::Bare
    };
    let mut counts = vec![false; found.len()];
    let bare: Vec<usize> = (0..found.len()).filter(|index| is_bare(&found[*index])).collect();
    for pair in bare.windows(2) {
        let (one, other) = (&found[pair[0]], &found[pair[1]]);
        let steps = other.label.tokens[0].value.checked_sub(one.label.tokens[0].value);
        let passed = u32::try_from(other.line - one.line).ok();
        let level = (one.x - other.x).abs() <= SLACK && lines[one.line].page == lines[other.line].page;
        if level && steps == passed && steps.is_some_and(|steps| steps >= STEP) {
            counts[pair[0]] = true;
            counts[pair[1]] = true;
        }
    }
    counts
}
