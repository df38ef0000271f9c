//! Headings that the numbers of questions count over: "Exercise 1" with 1 and 2, then "Exercise 2" with 3 and 4.

use super::candidates::Candidate;
use super::outline;
use crate::flow::Line;
use crate::labels::{self, Kind, Label, Style};
use std::ops::Range;

/// Fewer numbers may be any list.
const NUMBERS_MIN: usize = 4;

/// For each line, whether it announces no question, but a section: the numbers below such lines go on from one to the
/// next. `leads`: for each line, how many words of marks stand before its label.
pub fn over(lines: &[Line<'_>], leads: &[usize]) -> Vec<bool> {
    let none = vec![false; lines.len()];
    let label = |index: usize| -> Option<Label> {
        let lead = leads.get(index).copied().unwrap_or(0);
        let label = labels::parse(&lines[index].texts()[lead..])?;
        matches!(label.tokens[..], [only] if only.kind == Kind::Number).then_some(label)
    };
    let word = |index: usize| lines[index].words[0].text.to_lowercase();
    let announces = |index: &usize| label(*index).is_some_and(|label| label.style == Style::Keyword);
    let mixed = (0..lines.len()).filter(announces).any(|index| !outline::asks(&lines[index].texts()));
    let mut heads: Vec<usize> = Vec::new();
    let mut numbers: Vec<(usize, u32)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(label) = label(index) else { continue };
        let value = label.tokens[0].value;
        let led = leads.get(index).is_some_and(|lead| *lead > 0);
        match label.style {
            Style::Keyword if mixed && outline::asks(&line.texts()) => numbers.push((index, value)),
            Style::Keyword if value as usize == heads.len() + 1 => heads.push(index),
            Style::Keyword => return none,
            Style::Dot | Style::Close => numbers.push((index, value)),
            _ if led => numbers.push((index, value)),
            _ => {}
        }
    }
    let one_word = heads.iter().all(|head| word(*head) == word(heads[0]));
    if heads.len() < 2 || !one_word || numbers.iter().any(|(line, _)| *line < heads[0]) {
        return none;
    }
    let ends = heads.iter().skip(1).copied().chain([lines.len()]);
    let mut next = 1;
    for (head, end) in heads.iter().zip(ends) {
        let before = next;
        for value in values(&numbers, *head..end) {
            // A list within a question counts from one again, which no later section may do.
            if value == 1 && next > 1 {
                return none;
            }
            next += u32::from(value == next);
        }
        if next == before {
            return none;
        }
    }
    if (next as usize) <= NUMBERS_MIN || (next as usize) <= heads.len() + 1 {
        return none;
    }
    let mut over = none;
    heads.into_iter().for_each(|head| over[head] = true);
    over
}

/// Lowers "Question 1" and "Question 2.a" to "1." and "2.a" where such labels count again below each heading of
/// another word: "Exercise 1" with "Question 1" and "Question 2", then "Exercise 2" with "Question 1".
pub(super) fn lower_asking(found: &mut [Candidate], lines: &[Line<'_>]) {
    let announced = |own: &&Candidate| {
        let counted = own.label.tokens[0].kind == Kind::Number;
        own.begins_line && counted && own.label.style == Style::Keyword && own.quality > 0.0
    };
    let asks = |own: &Candidate| outline::asks(&lines[own.line].texts()[own.word..]);
    let mut heads: Vec<usize> = Vec::new();
    let (mut asked, mut last) = (0, 0);
    for own in found.iter().filter(announced) {
        let value = own.label.tokens[0].value;
        let single = own.label.tokens.len() == 1;
        if !asks(own) {
            // "Exercise 1 (continued)" stands over the same numbers.
            if single && value as usize == heads.len() + 1 {
                heads.push(own.line);
                last = 0;
            } else if value as usize != heads.len() {
                return;
            }
        } else if heads.is_empty() || !(value == last + 1 || value == last && !single) {
            return;
        } else {
            (asked, last) = (asked + u32::from(value > last), value);
        }
    }
    if heads.len() < 2 || asked < 2 {
        return;
    }
    for own in found.iter_mut().filter(|own| own.label.style == Style::Keyword) {
        if asks(own) {
            own.label.style = Style::Dot;
        }
    }
}

fn values(numbers: &[(usize, u32)], lines: Range<usize>) -> impl Iterator<Item = u32> {
    numbers.iter().filter(move |(line, _)| lines.contains(line)).map(|(_, value)| *value)
}
