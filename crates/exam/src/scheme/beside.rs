//! Solutions with what their marks are for in a column beside them: "pH = 2.51 | 1 point is earned for the pH". Without
//! a header or rules, such lines were read straight across.

use crate::flow::Line;
use crate::labels;
use lexicon::Concept;
use reader::page::{Rect, Word};
use std::collections::HashMap;

/// White between two columns, in sizes of the letters.
const GAP: f32 = 0.9;
/// How far the lines of one column begin from each other, in points.
const SAME: f32 = 4.0;
/// Prices that make a column.
const LEAST: usize = 3;

/// The lines, those of such pages parted: what stands on the left, then what stands beside it, stretch by stretch.
pub(super) fn parted(lines: Vec<Line<'_>>) -> Vec<Line<'_>> {
    let edges = edges(&lines);
    if edges.is_empty() {
        return lines;
    }
    let mut parted = Vec::with_capacity(lines.len());
    let mut right = Vec::new();
    let mut page = 0;
    for line in lines {
        if std::mem::replace(&mut page, line.page) != line.page {
            parted.append(&mut right);
        }
        let (left, beside) = match edges.get(&line.page).map(|edge| cut(&line, *edge)) {
            Some(Cut::Both(left, beside)) => (Some(left), Some(beside)),
            Some(Cut::Right) => (None, Some(line)),
            Some(Cut::Left) => (Some(line), None),
            Some(Cut::Across) | None => {
                parted.append(&mut right);
                parted.push(line);
                continue;
            }
        };
        // Another price, another part or a sum begins another stretch.
        let ends = beside.as_ref().is_some_and(|beside| begins_price(beside.words) || sums_up(beside))
            || left.as_ref().is_some_and(|left| labels::parse(&left.texts()).is_some());
        if ends {
            parted.append(&mut right);
        }
        parted.extend(left);
        right.extend(beside);
    }
    parted.append(&mut right);
    parted
}

enum Cut<'d> {
    Left,
    Right,
    Both(Line<'d>, Line<'d>),
    Across,
}

fn cut<'d>(line: &Line<'d>, edge: f32) -> Cut<'d> {
    let at = line.words.iter().position(|word| word.place.x0 >= edge - SAME).unwrap_or(line.words.len());
    if at == 0 {
        return Cut::Right;
    }
    let end = line.words[at - 1].place.x1;
    let Some(next) = line.words.get(at) else {
        return if end < edge { Cut::Left } else { Cut::Across };
    };
    if next.place.x0 - end < GAP * next.size || next.place.x0 > edge + SAME {
        return Cut::Across;
    }
    let (left, right) = line.words.split_at(at);
    let part = |words: &'d [Word], range| Line { page: line.page, place: extent(words), words, range };
    let middle = line.range.start + at;
    Cut::Both(part(left, line.range.start..middle), part(right, middle..line.range.end))
}

fn extent(words: &[Word]) -> Rect {
    let mut place = words[0].place;
    for word in words {
        place.x0 = place.x0.min(word.place.x0);
        place.y0 = place.y0.min(word.place.y0);
        place.x1 = place.x1.max(word.place.x1);
        place.y1 = place.y1.max(word.place.y1);
    }
    place
}

/// For each page with such a column, where it begins: at a place where prices begin that stand beside other words.
fn edges(lines: &[Line<'_>]) -> HashMap<u32, f32> {
    let mut starts: Vec<(u32, f32, bool)> = Vec::new();
    for line in lines {
        for (at, word) in line.words.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &line.words[before]);
            let apart = before.is_none_or(|before| word.place.x0 - before.place.x1 >= GAP * word.size);
            if apart && begins_price(&line.words[at..]) {
                starts.push((line.page, word.place.x0, before.is_some()));
            }
        }
    }
    let same = |one: f32, other: f32| (one - other).abs() <= SAME;
    let count = |x: f32| starts.iter().filter(|start| same(start.1, x)).count();
    let beside = |x: f32| starts.iter().any(|start| same(start.1, x) && start.2);
    let best = starts.iter().map(|start| start.1).filter(|x| beside(*x)).max_by_key(|x| count(*x));
    let Some(edge) = best.filter(|edge| count(*edge) >= LEAST) else { return HashMap::new() };
    let own = starts.iter().filter(|start| same(start.1, edge));
    own.map(|start| (start.0, start.1)).collect()
}

/// "1 point is earned for", "+2 loop bounds", "−1 if off by one".
fn begins_price(words: &[Word]) -> bool {
    let [first, second, ..] = words else { return false };
    let (number, unit) = (first.text.as_str(), second.text.to_lowercase());
    let counted = lexicon::small_number(&number.to_lowercase()).is_some();
    let signed = number.strip_prefix(['+', '-', '−', '–']).is_some_and(|number| number.parse::<u8>().is_ok());
    let named = lexicon::is(Concept::MarkUnit, unit.trim_matches(|c: char| !c.is_alphabetic()));
    (counted && named && words.len() > 2) || (signed && second.text.starts_with(char::is_alphabetic))
}

/// "Total for part (b) 2 points"
fn sums_up(line: &Line<'_>) -> bool {
    lexicon::is(Concept::Total, &line.words[0].text.to_lowercase())
}
