//! Boxes below a question that list its parts with what each is worth: "a) 4 points", "b) 6 points", "Sum: 10 points".

use super::segment::{Found, Segment};
use crate::flow::Line;
use crate::labels::{self, Token};
use crate::marks::{self, Certainty, Scope};
use domain::marks::Marks;

/// Gives the parts of a question what such boxes below the last of them say.
pub(super) fn settle(own: &mut [Segment], lines: &[Line<'_>]) {
    let leaves: Vec<usize> = (0..own.len())
        .filter(|at| own[*at].path.len() > 1)
        .filter(|at| own.get(at + 1).is_none_or(|next| !next.path.starts_with(&own[*at].path)))
        .collect();
    let Some(last) = own.last().filter(|_| leaves.len() > 1) else { return };
    let end = last.to.0.min(lines.len());
    let paths: Vec<&[Token]> = leaves.iter().map(|at| &own[*at].path[1..]).collect();
    let listed = |first: usize| -> Option<Vec<Marks>> {
        let rows = lines.get(first..first + paths.len())?;
        rows.iter().zip(&paths).map(|(line, path)| price(line, path)).collect()
    };
    let from = last.from.0 + 1;
    let Some((first, prices)) = (from..end).find_map(|first| Some((first, listed(first)?))) else { return };
    // Marks beside the parts themselves say it already.
    if own.iter().any(|segment| segment.marks.iter().any(|found| found.line < first)) {
        return;
    }
    for (row, (at, marks)) in leaves.iter().zip(prices).enumerate() {
        let (line, words) = (first + row, (0, 0));
        own[*at].marks = vec![Found { line, words, scope: Scope::Part, marks, shared: None, alone: false }];
    }
    if let Some(last) = own.last_mut() {
        last.to = (first, 0);
    }
}

/// What a line with nothing but a part's label and its worth says.
fn price(line: &Line<'_>, path: &[Token]) -> Option<Marks> {
    let texts = line.texts();
    let label = labels::parse(&texts)?;
    let same = |own: &Token, other: &Token| own == other || own.as_letter() == Some(*other);
    let named = label.tokens.len() == path.len()
        && label.tokens.iter().zip(path).all(|(own, other)| same(own, other));
    let rest = texts.get(label.words..).filter(|_| named)?;
    let note = marks::at_end(rest).filter(|note| note.words == rest.len())?;
    (note.certainty == Certainty::Sure && note.scope == Scope::Part).then_some(note.marks)
}
