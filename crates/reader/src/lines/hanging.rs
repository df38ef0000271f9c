//! Numbers that hang left of the right column's text: they begin its lines and do not end those of the left one.

use crate::page::Word;

/// Fewer numbers may be anything.
const LEAST: usize = 2;
/// The farthest that a number stands from the text it begins, in sizes of its print.
const REACH: f32 = 4.0;

/// True when a gutter parts numbers that count on from the lines they begin: "5 | A gardener", "6 | Which of".
pub(super) fn are_cut(rows: &[Vec<Word>], gutter: f32, white: f32) -> bool {
    let number = |word: &Word| {
        let digits = word.text.trim_end_matches(['.', ')']);
        digits.parse::<u32>().ok().filter(|_| digits.len() <= 3)
    };
    let cut = |row: &Vec<Word>| {
        let (left, right) = row.split_at(row.partition_point(|word| word.place.x1 <= gutter));
        let (last, before) = left.split_last()?;
        let first = right.first().filter(|first| number(first).is_none())?;
        let apart = before.last().is_none_or(|end| last.place.x0 - end.place.x1 >= white);
        let near = first.place.x0 - last.place.x1 < REACH * last.size;
        number(last).filter(|_| apart && near)
    };
    let numbers: Vec<u32> = rows.iter().filter_map(cut).collect();
    numbers.len() >= LEAST && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1)
}
