//! A list behind the questions of what each of them is worth: "1. .... 5 points", row by row.

use super::grading::Series;
use super::{Leaf, Question};
use crate::flow::Line;
use crate::labels::{self, Kind};
use crate::marks;
use domain::marks::Marks;

/// Fewer rows may be questions that were not read.
const ROWS_MIN: usize = 3;
/// A line between the rows that names a section, or the list, has no more words.
const NAME_WORDS_MAX: usize = 4;

/// Takes the list off the end of a paper: for each row the question's or part's numbers and its marks.
pub(super) fn take(lines: &mut Vec<Line<'_>>) -> Series {
    let row = |line: &Line<'_>| {
        let texts = line.texts();
        let label = labels::parse(&texts).filter(|label| !label.glued)?;
        let counted = label.tokens[0].kind == Kind::Number && label.tokens.iter().all(|own| own.is_counted());
        let marks = marks::alone(&texts[label.words..]).filter(|_| counted)?;
        Some((label.tokens.iter().map(|own| own.value).collect(), marks))
    };
    let rows: Vec<Option<(Vec<u32>, Marks)>> = lines.iter().map(row).collect();
    let Some(last) = rows.iter().rposition(Option::is_some) else { return Vec::new() };
    let is_name = |index: usize| lines[index].words.len() <= NAME_WORDS_MAX;
    // What stands behind the last row may add the marks up.
    if (last + 1..lines.len()).any(|index| !is_name(index)) {
        return Vec::new();
    }
    let listed = (0..last).rev().take_while(|index| rows[*index].is_some() || is_name(*index));
    let first = listed.filter(|index| rows[*index].is_some()).last().unwrap_or(last);
    let named = (0..first).rev().take_while(|index| crate::paper::is_section_heading(&lines[*index])).count();
    let first = first - named;
    let prices: Series = rows[first..].iter().flatten().cloned().collect();
    let asked = |number: u32| {
        lines[..first].iter().any(|line| {
            let texts = line.texts();
            labels::parse(&texts)
                .is_some_and(|label| label.tokens[0].value == number && label.words < texts.len())
        })
    };
    if prices.len() < ROWS_MIN || !prices.iter().all(|(path, _)| asked(path[0])) {
        return Vec::new();
    }
    // "MARKS" above the list is no part of the last question.
    let titled = first.checked_sub(1).filter(|above| lines[*above].words.len() == 1);
    lines.truncate(titled.unwrap_or(first));
    prices
}

/// A list with one run of rows for each section: each begins where the numbers go back.
pub(super) fn by_section(list: &Series) -> Vec<Series> {
    list.chunk_by(|(one, _), (next, _)| one < next).map(<[_]>::to_vec).collect()
}

/// The rows of a list that name whole questions alone.
pub(super) fn whole(list: &Series) -> Vec<(u32, Marks)> {
    let one = |(path, marks): &(Vec<u32>, Marks)| match path[..] {
        [number] => Some((number, *marks)),
        _ => None,
    };
    list.iter().map(one).collect::<Option<_>>().unwrap_or_default()
}

/// Gives questions that print no marks those of the list, where it has all of them in their order.
pub(super) fn apply(questions: &mut [Question], prices: &[(u32, Marks)]) {
    let same = |(question, (number, _)): (&Question, &(u32, Marks))| question.number == number.to_string();
    let is_bare = |question: &Question| {
        question.marks.is_none() && question.leaves.iter().all(|leaf| leaf.marks.is_none())
    };
    if questions.len() != prices.len() || !questions.iter().zip(prices).all(same) {
        return;
    }
    for (question, (_, marks)) in questions.iter_mut().zip(prices) {
        if is_bare(question) {
            question.marks = Some(*marks);
            if let [only] = question.leaves.as_mut_slice() {
                only.marks = Some(*marks);
            }
        }
    }
}

/// Gives questions and parts that print no marks those of a table that has one row for each section.
pub(super) fn apply_series(questions: &mut [Question], series: &[Series]) {
    let sections = questions.iter().map(|question| question.section + 1).max().unwrap_or(0);
    if series.len() != sections {
        return;
    }
    let numbered = |question: &Question, path: &[u32]| {
        question.leaves.first().is_some_and(|leaf| leaf.path[0].value == path[0])
    };
    for question in questions {
        let own: Vec<&(Vec<u32>, Marks)> =
            series[question.section].iter().filter(|(path, _)| numbered(question, path)).collect();
        // A table that prices every part knows better than what was read for some of them alone.
        let is_of =
            |leaf: &Leaf, path: &[u32]| leaf.path.iter().map(|token| token.value).eq(path.iter().copied());
        let silent = question.leaves.iter().filter(|leaf| leaf.marks.is_none()).count();
        let prices_all = question.leaves.iter().all(|leaf| own.iter().any(|(path, _)| is_of(leaf, path)));
        if prices_all && silent > 0 {
            question.leaves.iter_mut().for_each(|leaf| leaf.marks = None);
        }
        for (path, marks) in own {
            let is_own = |leaf: &&mut Leaf| is_of(leaf, path);
            if path.len() == 1 {
                question.marks.get_or_insert(*marks);
            }
            if let Some(leaf) = question.leaves.iter_mut().find(is_own) {
                leaf.marks.get_or_insert(*marks);
            }
        }
    }
}
