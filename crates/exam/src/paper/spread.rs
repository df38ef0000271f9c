//! What an instruction gives each of the questions below it, in brackets at its end: "Explain what each of these words
//! means. (2 marks each)".

use crate::flow::Line;
use crate::labels::{self, Kind, Style};
use domain::marks::Marks;
use lexicon::Concept;

/// An instruction has no more lines.
const LINES_MAX: usize = 5;
/// Between it and its first question stand no more: the head of a table.
const BELOW_MAX: usize = 3;
/// No part carries more.
const MARKS_MAX: u32 = 100;

/// The lines that end such an instruction, each with the marks.
pub(super) fn each(lines: &[Line<'_>]) -> Vec<(usize, Marks)> {
    let ends = |line: &Line<'_>| line.words.last().is_some_and(|last| last.text.ends_with([')', ']']));
    let closing = (0..lines.len()).filter(|at| ends(&lines[*at]));
    closing.filter_map(|at| Some((at, stated(lines, at)?))).filter(|(at, _)| instructs(lines, *at)).collect()
}

/// The 2 of "(2 marks each)" in a text, where brackets part it from the rest or it ends the text.
pub(super) fn of_text(text: &str) -> Option<Marks> {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let closes = |word: &str| word.ends_with([')', ']']);
    let mut ends = (3..=words.len()).filter(|end| *end == words.len() || closes(words[end - 1]));
    ends.find_map(|end| price(&words[..end]))
}

/// The 2 of "(2 marks each)" at the end of a line, which may have begun on the one above.
fn stated(lines: &[Line<'_>], at: usize) -> Option<Marks> {
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    let words = above.into_iter().chain(lines.get(at)).flat_map(|line| line.words);
    let words: Vec<&str> = words.map(|word| word.text.as_str()).collect();
    price(&words)
}

/// The 2 of "(2 marks each)" at the end of some words.
fn price(words: &[&str]) -> Option<Marks> {
    let [.., number, unit, each] = words else { return None };
    let number: u32 = number.strip_prefix(['(', '['])?.parse().ok()?;
    let spread = lexicon::is(Concept::Each, &each.trim_end_matches([')', ']']).to_lowercase());
    let counts = lexicon::is(Concept::MarkUnit, &unit.to_lowercase());
    (spread && counts && (1..=MARKS_MAX).contains(&number)).then_some(Marks::whole(number))
}

/// True when a line ends a paragraph that no label begins, and a question's number follows.
fn instructs(lines: &[Line<'_>], at: usize) -> bool {
    /// White above a paragraph, in heights of a line.
    const WHITE: f32 = 0.75;
    let begins = |at: usize| {
        let Some(above) = at.checked_sub(1).and_then(|above| lines.get(above)) else { return true };
        let (own, height) = (&lines[at], lines[at].place.height().max(1.0));
        own.page != above.page
            || own.place.y0 - above.place.y1 > WHITE * height
            || own.place.y1 < above.place.y0
    };
    let labelled = |at: usize| labels::parse(&lines[at].texts()).is_some();
    let start = (0..LINES_MAX).map_while(|back| at.checked_sub(back)).find(|at| begins(*at) || labelled(*at));
    let numbers = |line: &Line<'_>| {
        labels::parse(&line.texts()).is_some_and(|label| {
            let closed = matches!(label.style, Style::Dot | Style::Close | Style::Keyword);
            closed && matches!(label.tokens[..], [only] if only.kind == Kind::Number)
        })
    };
    start.is_some_and(|start| !labelled(start)) && lines[at + 1..].iter().take(BELOW_MAX).any(numbers)
}
