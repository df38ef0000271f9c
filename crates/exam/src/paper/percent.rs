//! Parts whose marks are printed in per cent of their question: "(32%)" where the other questions are worth 25 marks each.

use super::Question;
use crate::flow::Line;
use domain::marks::Marks;

/// What all parts of a question have together.
const WHOLE: u32 = 100;

/// Gives parts that print per cent their share of what every other question is worth. `starts`: the line of each question.
pub(super) fn scale(questions: &mut [Question], starts: &[usize], lines: &[Line<'_>]) {
    let printed = |(index, question): (usize, &Question)| {
        let until = starts.get(index + 1).copied().unwrap_or(lines.len()).min(lines.len());
        let own = starts.get(index).and_then(|start| lines.get(*start..until)).unwrap_or_default();
        let shares: Vec<u32> = own.iter().filter_map(percent).collect();
        let whole = shares.iter().try_fold(0u32, |sum, share| sum.checked_add(*share)) == Some(WHOLE);
        (whole && shares.len() > 1 && shares.len() == question.leaves.len()).then_some(shares)
    };
    let printed: Vec<Option<Vec<u32>>> = questions.iter().enumerate().map(printed).collect();
    let others = questions.iter().zip(&printed).filter(|(_, shares)| shares.is_none());
    let sums: Vec<Option<Marks>> = others.map(|(question, _)| sum(question)).collect();
    let Some(worth) = sums.first().copied().flatten().filter(|_| sums.windows(2).all(|two| two[0] == two[1]))
    else {
        return;
    };
    let share = |percent: &u32| {
        let share = percent * worth.as_halves();
        share.is_multiple_of(WHOLE).then(|| Marks::halves(share / WHOLE))
    };
    for (question, percents) in questions.iter_mut().zip(&printed) {
        let shares: Option<Vec<Marks>> = percents.iter().flatten().map(share).collect();
        let Some(shares) = shares.filter(|shares| shares.len() == question.leaves.len()) else { continue };
        for (leaf, marks) in question.leaves.iter_mut().zip(shares) {
            leaf.marks = Some(marks);
        }
        question.marks = None;
    }
}

/// What the parts of a question carry together.
fn sum(question: &Question) -> Option<Marks> {
    question.leaves.iter().map(|leaf| leaf.marks).sum()
}

/// The 32 of "(32%)" at the end of a line.
fn percent(line: &Line<'_>) -> Option<u32> {
    let last = &line.words.last()?.text;
    let inner = last.strip_prefix(['(', '['])?.strip_suffix([')', ']'])?;
    inner.strip_suffix('%')?.parse().ok()
}
