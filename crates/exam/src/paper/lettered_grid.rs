//! Tables on a cover with a row for each question and a column for each of its parts: "Aufgabe  a)  b)  c)  Maximum" over
//! "1 Analysis  5  2  –  7".

use super::grading::Series;
use crate::flow::Line;
use domain::marks::Marks;
use reader::page::Word;

/// Fewer rows, or columns of parts, are no such table.
const LEAST: usize = 2;
/// No part is worth more.
const PRICE_MAX: f64 = 100.0;
/// Decimals add up but for this.
const SLACK: f64 = 1e-6;

/// The rows of a table that begins with the first of these lines, and what they say of each question and part. Every row
/// must make up its sum.
pub(super) fn rows(lines: &[Line<'_>]) -> Option<(usize, Series)> {
    let (columns, sum) = head(lines.first()?)?;
    let mut series = Series::new();
    let mut count = 0;
    for line in &lines[1..] {
        let Some(own) = row(line, count as u32 + 1, &columns, sum) else { break };
        series.extend(own);
        count += 1;
    }
    (count >= LEAST).then_some((count + 1, series))
}

/// Where the columns of the parts stand, and that of their sum.
fn head(line: &Line<'_>) -> Option<(Vec<f32>, f32)> {
    let letter = |word: &Word, at: usize| {
        let bare = word.text.trim_matches(['(', ')', '.']);
        let expected = char::from(b'a' + at as u8);
        bare.chars().eq([expected]) || bare.chars().eq([expected.to_ascii_uppercase()])
    };
    let first = (1..line.words.len()).find(|at| letter(&line.words[*at], 0))?;
    let lettered =
        line.words[first..].iter().enumerate().take_while(|(at, word)| *at < 26 && letter(word, *at));
    let columns: Vec<f32> = lettered.map(|(_, word)| word.place.centre().0).collect();
    let sum = line.words.get(first + columns.len())?;
    (columns.len() >= LEAST).then(|| (columns, sum.place.centre().0))
}

/// The question with this number, with its parts.
fn row(line: &Line<'_>, number: u32, columns: &[f32], sum: f32) -> Option<Series> {
    let (first, rest) = line.words.split_first()?;
    let own = first.text.trim_end_matches(['.', ')', ':']).parse::<u32>().ok();
    own.filter(|own| *own == number)?;
    // A title may hold numbers as well.
    let before = columns[0] - (columns[1] - columns[0]) / 2.0;
    let cells: Vec<&Word> = rest.iter().filter(|word| word.place.centre().0 > before).collect();
    let mut parts: Vec<(u32, f64)> = Vec::new();
    let mut total = None;
    for cell in cells {
        let x = cell.place.centre().0;
        let distance = |column: f32| (column - x).abs();
        let (at, column) = columns
            .iter()
            .chain([&sum])
            .enumerate()
            .min_by(|(_, one), (_, other)| distance(**one).total_cmp(&distance(**other)))?;
        let value =
            cell.text.replace(',', ".").parse::<f64>().ok().filter(|value| (0.0..=PRICE_MAX).contains(value));
        match value {
            Some(value) if at == columns.len() => total = total.or(Some(value)),
            Some(value) => parts.push((at as u32 + 1, value)),
            // A dash, or the room for what was earned.
            None if cell.text.chars().any(char::is_alphanumeric) && distance(*column) < cell.size => {
                return None;
            }
            None => {}
        }
    }
    let makes_up = (parts.iter().map(|(_, value)| value).sum::<f64>() - total?).abs() < SLACK;
    let own =
        parts.iter().filter_map(|(part, value)| Some((vec![number, *part], Marks::from_number(*value)?)));
    (makes_up && !parts.is_empty()).then(|| own.collect())
}
