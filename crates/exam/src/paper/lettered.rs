//! "Part A" and "Part B" within each question: parts, though the same words name sections elsewhere.

use crate::flow::Line;
use crate::labels::{self, Kind, Style};
use crate::marks::{self, Certainty};

/// A document that names its first part so often does not name sections.
const OFTEN: usize = 3;
/// A heading is no longer, in words.
const HEADING: usize = 8;

/// Which lines head parts of questions.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// For each line, whether it does.
    pub(super) heads: Vec<bool>,
    /// True when numbers count again below each of them.
    pub(super) over_numbers: bool,
}

/// Finds the headings of parts.
pub(super) fn find(lines: &[Line<'_>]) -> Parts {
    let below = over_numbers(lines);
    if below.contains(&true) {
        return Parts { heads: below, over_numbers: true };
    }
    let often = often(lines);
    if often.contains(&true) {
        return Parts { heads: often, over_numbers: false };
    }
    Parts { heads: below, over_numbers: true }
}

fn letter(line: &Line<'_>) -> Option<u32> {
    let label = labels::parse_lettered_part(&line.texts()).filter(|_| line.words.len() <= HEADING)?;
    Some(label.tokens[0].value)
}

/// For each line, whether it heads a part of a question, in a document that prints marks at each of them.
fn often(lines: &[Line<'_>]) -> Vec<bool> {
    // Sections are named again and again on a cover; parts print their marks.
    let value = |line: &Line<'_>| {
        let marked = marks::at_end(&line.texts()).is_some_and(|note| note.certainty == Certainty::Sure);
        letter(line).filter(|_| marked)
    };
    let values: Vec<Option<u32>> = lines.iter().map(value).collect();
    let counts = |letter: u32| values.iter().filter(|value| **value == Some(letter)).count();
    let often = counts(1) >= OFTEN && counts(2) >= OFTEN - 1;
    values.iter().map(|value| often && value.is_some()).collect()
}

/// For each line, whether it stands between "Exercise 1" and "Exercise 2" as one of "Part A" and "Part B", each with
/// numbers below it that count from 1, or with nothing but its marks beside it.
fn over_numbers(lines: &[Line<'_>]) -> Vec<bool> {
    let number = |index: usize, announced: bool| {
        let label = labels::parse(&lines[index].texts())?;
        let style = match announced {
            true => label.style == Style::Keyword,
            false => matches!(label.style, Style::Dot | Style::Close),
        };
        (style && label.tokens[0].kind == Kind::Number).then(|| label.tokens[0].value)
    };
    // "A  4 points" needs nothing below it to be a part.
    let priced = |index: usize| labels::is_priced_alone(&lines[index].texts());
    let mut heads: Vec<usize> = Vec::new();
    for index in 0..lines.len() {
        if number(index, true).is_some_and(|value| value as usize == heads.len() + 1) {
            heads.push(index);
        }
    }
    let mut found = vec![false; lines.len()];
    if heads.len() < 2 {
        return found;
    }
    let ends = heads.iter().skip(1).copied().chain([lines.len()]);
    for (head, end) in heads.iter().zip(ends) {
        let parts: Vec<(usize, u32)> =
            (head + 1..end).filter_map(|index| Some((index, letter(&lines[index])?))).collect();
        let in_order = parts.iter().zip(1..).all(|((_, own), expected)| *own == expected);
        let until = parts.iter().skip(1).map(|(index, _)| *index).chain([end]);
        let counts = parts.iter().zip(until).all(|((part, _), end)| {
            priced(*part) || (*part..end).any(|index| number(index, false) == Some(1))
        });
        if parts.len() >= 2 && in_order && counts {
            parts.iter().for_each(|(index, _)| found[*index] = true);
        }
    }
    found
}
