//! Points that say in brackets what each of their parts is worth: "For analysis of … (up to 4 marks) For evaluation …
//! (up to 3 marks)" are two points, however the lines were broken.

use crate::marks::is_unit;
use domain::marks::Marks;
use domain::question::Point;
use lexicon::small_number;
use std::ops::Range;

/// Longer brackets say more than a worth.
const WORDS_MAX: usize = 5;
const BYTES_MAX: usize = 60;
/// What is left behind the last bracket and shorter than this is no point.
const WORDS_LEFT_MIN: usize = 3;

/// The same points, those apart that one text prices separately.
pub(super) fn apart(points: Vec<Point>) -> Vec<Point> {
    points.into_iter().flat_map(|point| pieces(&point).unwrap_or_else(|| vec![point])).collect()
}

fn pieces(point: &Point) -> Option<Vec<Point>> {
    let priced = prices(&point.text);
    if priced.len() < 2 || point.depends_on.is_some() {
        return None;
    }
    let piece = |text: &str, marks: Marks| Point { text: text.to_owned(), marks, ..point.clone() };
    let mut found: Vec<Point> = Vec::new();
    let mut start = 0;
    for (span, marks) in priced {
        let text = point.text[start..span.start].trim().trim_start_matches([',', ';', '.']).trim();
        match found.last_mut() {
            // A second bracket behind the same words limits them: "(up to 4 marks) (3 marks if one-sided)".
            Some(last) if text.split_whitespace().count() < WORDS_LEFT_MIN => last.text.push_str(text),
            _ => found.push(piece(text, marks)),
        }
        start = span.end;
    }
    let left = point.text[start..].trim();
    // A price at the very end was taken for the worth of all: it is that of the last words, or what the others leave.
    let priced: Marks = found.iter().map(|piece| piece.marks).sum();
    let rest = if point.marks < priced { point.marks } else { point.marks.less(priced) };
    match found.last_mut().filter(|_| left.split_whitespace().count() >= WORDS_LEFT_MIN) {
        Some(_) if !rest.is_zero() => found.push(piece(left, rest)),
        Some(last) => last.text = format!("{} {left}", last.text),
        None => {}
    }
    (found.len() > 1).then_some(found)
}

/// Brackets that say a worth in marks, with what they say.
fn prices(text: &str) -> Vec<(Range<usize>, Marks)> {
    let closed = |open: usize| {
        text.bytes().skip(open).take(BYTES_MAX).position(|byte| byte == b')').map(|length| open + length)
    };
    text.match_indices('(')
        .filter_map(|(open, _)| {
            let close = closed(open)?;
            Some((open..close + 1, worth(&text[open + 1..close])?))
        })
        .collect()
}

/// "up to 4 marks", "1 mark", "max 3 marks".
pub(super) fn worth(said: &str) -> Option<Marks> {
    let lower = said.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    if words.len() > WORDS_MAX || !words.last().is_some_and(|word| is_unit(word)) {
        return None;
    }
    let (_, others) = words.split_last()?;
    others.last().and_then(|word| small_number(word)).map(Marks::whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, f64)> {
        let point = Point { text: text.to_owned(), marks: Marks::whole(12), ..Point::default() };
        apart(vec![point]).into_iter().map(|point| (point.text, point.marks.as_number())).collect()
    }

    #[test]
    fn each_part_that_is_priced_is_a_point() {
        let text = "For analysis of the causes (Up to 4 marks) For analysis of what followed (up to 4 marks) For \
                    evaluation of both (up to 3 marks) and a reasoned conclusion (1 mark)";
        let points = read(text);
        assert_eq!(points.iter().map(|point| point.1).collect::<Vec<_>>(), [4.0, 4.0, 3.0, 1.0]);
        assert_eq!(points[2].0, "For evaluation of both");
        assert_eq!(points[3].0, "and a reasoned conclusion");
    }

    #[test]
    fn a_single_price_and_brackets_of_other_things_part_nothing() {
        for text in [
            "for a reason (1 mark)",
            "more frequent collisions (of particles) (per second)",
            "heat (given out) and light (given out)",
        ] {
            assert_eq!(read(text).len(), 1, "{text}");
        }
    }
}
