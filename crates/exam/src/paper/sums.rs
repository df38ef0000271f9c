//! Sums that close a group of parts: "(8)" on a line of its own behind the marks of 1.4.1 to 1.4.3, "(10 x 2) (20)"
//! behind ten questions that print no marks; or what the sentences of one part are worth.

use super::rubric::Rubric;
use super::segment::{Found, Segment};
use crate::flow::Line;
use crate::labels::Token;
use crate::marks::{self, Certainty, Scope};
use domain::marks::Marks;

/// Takes the sums of groups off the last part of each, and gives the parts of a group what its product says of each.
pub(super) fn settle(segments: &mut [Segment]) {
    for at in 0..segments.len() {
        let path = segments[at].path.clone();
        for depth in (2..path.len()).rev() {
            let above = &path[..depth];
            // Only the last part of a group stands before its sum.
            let goes_on = segments.get(at + 1).is_some_and(|next| next.path.starts_with(above));
            if goes_on {
                continue;
            }
            let from = segments[..at].iter().rposition(|own| !own.path.starts_with(above));
            let group = &mut segments[from.map_or(0, |before| before + 1)..=at];
            drop_sum(group);
            share_product(group, above);
        }
    }
}

/// Takes the sums of sections off the last question of each: "[8]" on a line of its own behind the marks of question 2,
/// where those of 1 and 2 make it and a heading or the end of the paper follows.
pub(super) fn settle_sections(segments: &mut [Segment], rubric: &Rubric) {
    let mut questions: Vec<Marks> = Vec::new();
    for at in 0..segments.len() {
        let next = segments.get(at + 1).map(|next| next.start.0);
        if segments[at].path.len() == 1 {
            questions.push(Marks::ZERO);
        }
        let Some(question) = questions.last_mut() else { continue };
        let own = &mut segments[at];
        let places: Vec<usize> = (0..own.marks.len()).filter(|place| is_part(&own.marks[*place])).collect();
        *question = *question + places.iter().map(|place| own.marks[*place].marks).sum();
        let closing = places.last().filter(|_| places.len() > 1).map(|place| (*place, own.marks[*place]));
        let Some((place, found)) = closing.filter(|(_, found)| found.alone) else { continue };
        let ends = next.is_none_or(|next| rubric.heading_between(found.line, next).is_some());
        *question = question.less(found.marks);
        let mut run = Marks::ZERO;
        let closes = questions.iter().rev().enumerate().any(|(count, question)| {
            run = run + *question;
            count > 0 && run == found.marks
        });
        if ends && closes {
            own.marks[place].marks = Marks::ZERO;
        } else if let Some(question) = questions.last_mut() {
            *question = *question + found.marks;
        }
    }
}

/// Takes the prices of a part's sentences off it where their sum stands alone below: "Find the price (4 marks), and say who
/// gains (5 marks)." over "9 marks".
pub(super) fn settle_inner(segment: &mut Segment, lines: &[Line<'_>]) {
    let Some((last, before)) = segment.marks.split_last() else { return };
    if !last.alone || !is_part(last) || before.iter().any(|found| !is_part(found)) {
        return;
    }
    let words: Vec<&str> = segment
        .words(lines)
        .filter(|(line, ..)| *line < last.line)
        .map(|(.., word)| word.text.trim_end_matches(['.', ',', ';']))
        .collect();
    let price = |pair: &[&str]| {
        let bracketed = pair[0].starts_with(['(', '[']);
        marks::at_end(pair).filter(|note| bracketed && note.certainty == Certainty::Sure && note.words == 2)
    };
    let prices: Vec<Marks> = words.windows(2).filter_map(price).map(|note| note.marks).collect();
    if prices.len() > before.len() && prices.len() > 1 && prices.iter().copied().sum::<Marks>() == last.marks
    {
        let inner = segment.marks.len() - 1;
        segment.marks[..inner].iter_mut().for_each(|found| found.marks = Marks::ZERO);
    }
}

fn is_part(found: &Found) -> bool {
    found.scope == Scope::Part
}

/// Takes what a sum is worth off the last of some parts, where it stands alone behind that part's own marks and those of
/// at least two make it.
fn drop_sum(group: &mut [Segment]) {
    let Some((last, before)) = group.split_last_mut() else { return };
    let mut sum: Marks = before
        .iter()
        .flat_map(|own| &own.marks)
        .filter(|found| is_part(found))
        .map(|found| found.marks)
        .sum();
    let others = !sum.is_zero();
    let mut own = false;
    for found in last.marks.iter_mut().filter(|found| is_part(found)) {
        if found.alone && own && others && found.marks == sum {
            // Still marks, and no text.
            found.marks = Marks::ZERO;
            return;
        }
        (sum, own) = (sum + found.marks, true);
    }
}

/// Gives the parts right below a group their share of a product behind the last of them, where none has marks of its own.
fn share_product(group: &mut [Segment], above: &[Token]) {
    let mut all =
        group.iter().enumerate().flat_map(|(at, own)| own.marks.iter().map(move |found| (at, *found)));
    let (Some((at, only)), None) = (all.next(), all.next()) else { return };
    let Some((one, other)) = only.shared.filter(|_| is_part(&only) && at + 1 == group.len()) else { return };
    let below: Vec<usize> =
        (0..group.len()).filter(|place| group[*place].path.len() == above.len() + 1).collect();
    let whole = (0..group.len()).all(|place| group[place].path.len() <= above.len() + 1);
    let each = match below.len() {
        count if count == one as usize => other,
        count if count == other as usize => one,
        _ => return,
    };
    if !whole || below.len() < 2 {
        return;
    }
    group[at].marks.clear();
    for place in below {
        let own = &mut group[place];
        // It stands behind the last; the others print nothing that their text would lose.
        let words = if place == at { only.words } else { (0, 0) };
        own.marks.push(Found { marks: Marks::whole(each), shared: None, words, ..only });
    }
}
