//! What examiners report of a cohort between a question and its answers: "Comments of examiners", "Suggestions for
//! teachers". It answers nothing, and the question above it is the paper's.

use crate::flow::Line;
use crate::labels::{self, Style, Token};
use lexicon::Concept;

/// A longer report is none.
const LINES_MAX: usize = 150;
/// A longer line heads nothing.
const HEAD_WORDS: usize = 8;
/// How far below the heading of the answers the question's number may be named again.
const NAMED_AGAIN: usize = 2;

/// Leaves reports out, each from the question that it is about to the heading of that question's answers.
pub(super) fn leave_out(all: &mut Vec<(Line<'_>, bool)>) {
    let reports = |line: &Line<'_>| {
        let lower = line.text().to_lowercase();
        line.words.len() <= HEAD_WORDS && lexicon::begins_with(Concept::ReportHeading, &lower).is_some()
    };
    let answers = |line: &Line<'_>| {
        let lower = line.text().to_lowercase();
        lexicon::is(Concept::SchemeTitle, lower.trim_matches(|c: char| !c.is_alphanumeric()))
    };
    let mut from = 0;
    while let Some(head) = (from..all.len()).find(|at| !all[*at].1 && reports(&all[*at].0)) {
        let below = head + 1..all.len().min(head + LINES_MAX);
        let Some(title) = below.into_iter().find(|at| answers(&all[*at].0)) else {
            from = head + 1;
            continue;
        };
        let asked = (from..head).rev().find_map(|at| Some((at, announced(&all[at].0)?)));
        let again = |number: &Token| {
            let named = all[title + 1..].iter().filter(|(_, furniture)| !furniture).take(NAMED_AGAIN);
            named.into_iter().any(|(line, _)| announced(line).as_ref() == Some(number))
        };
        let start = match &asked {
            Some((at, number)) if again(number) => *at,
            Some((at, _)) => at + 1,
            None => head,
        };
        // Its own headings would head columns of answers.
        all.drain(start..=title);
        from = start;
    }
}

/// The number of the question that a line announces.
fn announced(line: &Line<'_>) -> Option<Token> {
    labels::parse(&line.texts()).filter(|label| label.style == Style::Keyword).map(|label| label.tokens[0])
}
