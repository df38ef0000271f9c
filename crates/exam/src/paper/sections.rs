//! Sections of a paper in which no question was found.

use super::rubric::Rubric;
use crate::flow::Line;
use crate::labels::{self, Kind, Style};
use crate::numbering::Placed;

/// Headings longer than this are cut for the reviewer, in letters.
const HEADING_MAX: usize = 60;

/// Headings under which numbers count from 1 and none is a question's, each with how many questions begin before it,
/// less one.
pub(super) fn unread(
    lines: &[Line<'_>],
    rubric: &Rubric,
    placed: &[Placed],
    end: Option<usize>,
) -> Vec<(usize, String)> {
    let end = end.unwrap_or(lines.len());
    let headings: Vec<usize> = rubric.sure_headings().filter(|line| *line < end).collect();
    let is_question = |label: &&Placed| label.path.len() == 1;
    let mut found = Vec::new();
    for (index, heading) in headings.iter().enumerate() {
        let until = headings.get(index + 1).copied().unwrap_or(end);
        let own = *heading..until;
        let before = placed.iter().filter(is_question).filter(|label| label.line < *heading).count();
        if placed.iter().any(|label| own.contains(&label.line)) || !counts(&lines[own]) {
            continue;
        }
        if let Some(question) = before.checked_sub(1) {
            found.push((question, lines[*heading].text().chars().take(HEADING_MAX).collect()));
        }
    }
    found
}

/// True when lines begin with "1." and, further down, "2.".
fn counts(lines: &[Line<'_>]) -> bool {
    let number = |line: &Line<'_>| {
        let label = labels::parse(&line.texts())?;
        let closed = matches!(label.style, Style::Dot | Style::Close) && label.tokens[0].kind == Kind::Number;
        (closed && label.tokens.len() == 1 && line.words.len() > label.words).then(|| label.tokens[0].value)
    };
    let mut numbers = lines.iter().filter_map(number).skip_while(|number| *number != 1);
    numbers.next().is_some() && numbers.next() == Some(2)
}
