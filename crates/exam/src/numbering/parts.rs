//! What counts within questions, and what does not: numbers before the first heading, capital numerals below one.

use super::Evidence;
use super::candidates::Candidate;
use super::outline::{Inner, Outline};
use crate::flow::Line;
use crate::labels::{self, Kind, Label, Style, Token};
use crate::marks;
use lexicon::Concept;
use std::ops::Range;

/// Fewer numbers before the first heading are a list, not questions.
const LEAST: usize = 3;
/// A question has no more parts that capital letters in brackets count.
const CAPITALS: [&str; 10] = ["(A)", "(B)", "(C)", "(D)", "(E)", "(F)", "(G)", "(H)", "(I)", "(J)"];
/// What speaks for a capital numeral as the label of a part.
const QUALITY: f32 = 1.0;

/// The line from which on numbers count parts: 0, or that of the first heading where questions stand before it, as
/// multiple choice does before "Exercise 1".
pub(super) fn questions_before_heads(found: &[Candidate], outline: Outline, evidence: &Evidence) -> usize {
    let head = found.iter().find(|candidate| announces(candidate) && candidate.label.tokens[0].value == 1);
    let Some(head) = head.filter(|_| outline.inner == Inner::Any).map(|head| head.line) else { return 0 };
    let instructed = |line: usize| evidence.instructions.get(line).copied().unwrap_or(false);
    let mut items: Vec<&Candidate> = Vec::new();
    for candidate in found.iter().take_while(|candidate| candidate.line < head) {
        let number = matches!(candidate.label.tokens.as_slice(), [only] if only.kind == Kind::Number);
        let closed = matches!(candidate.label.style, Style::Dot | Style::Close);
        let next = candidate.label.tokens[0].value as usize == items.len() + 1;
        if number && closed && next && candidate.begins_line && !instructed(candidate.line) {
            items.push(candidate);
        }
    }
    let ends = items.iter().skip(1).map(|item| item.line).chain([head]);
    // A question offers options or carries marks; an item of a list does neither.
    let asks = |lines: Range<usize>| {
        let offered = found.iter().filter(|candidate| lines.contains(&candidate.line));
        let offered = offered.filter(|candidate| candidate.label.tokens[0].kind == Kind::Letter).count();
        offered >= 2 || evidence.marks.get(lines).is_some_and(|lines| lines.contains(&true))
    };
    let asking = items.iter().zip(ends).filter(|(item, end)| asks(item.line..*end)).count();
    if items.len() >= LEAST && asking * 2 >= items.len() { head } else { 0 }
}

/// Capital numerals that count the parts of announced questions: "Exercise 1", then "I. Draw …", "II. Compute …".
/// Statements of which some are to be chosen are counted so as well, but ask for nothing.
pub(super) fn in_capitals(
    lines: &[Line<'_>],
    margins: &[f32],
    found: &[Candidate],
    marked: &[bool],
) -> Vec<Candidate> {
    let heads: Vec<usize> =
        found.iter().filter(|candidate| announces(candidate)).map(|candidate| candidate.line).collect();
    let ends = heads.iter().skip(1).copied().chain([lines.len()]);
    let mut parts = Vec::new();
    for (head, end) in heads.iter().zip(ends) {
        let own = (head + 1..end).filter_map(|line| part(line, &lines[line], margins[line]));
        let mut run: Vec<Candidate> = Vec::new();
        for candidate in own {
            if candidate.label.tokens[0].value as usize == run.len() + 1 {
                run.push(candidate);
            }
        }
        let asking = run.iter().filter(|own| asks(&lines[own.line], own, marked)).count();
        if run.len() >= 2 && asking * 2 > run.len() {
            parts.append(&mut run);
        }
    }
    parts
}

/// Capital letters in brackets that count the parts of a question: "(A) (i) Define …", "(B) Distinguish …". Options carry
/// no marks one by one, and no parts.
pub(super) fn in_bracketed_capitals(
    lines: &[Line<'_>],
    margins: &[f32],
    found: &[Candidate],
    marked: &[bool],
) -> Vec<Candidate> {
    let heads: Vec<&Candidate> = found.iter().filter(|own| heads_question(own)).collect();
    let ends = heads.iter().skip(1).map(|head| head.line).chain([lines.len()]);
    let mut parts = Vec::new();
    for (head, end) in heads.iter().zip(ends) {
        let mut run: Vec<(usize, usize)> = Vec::new();
        for (at, line) in lines.iter().enumerate().take(end).skip(head.line) {
            // "Q. 1. (A) Choose …" has its first part behind its number.
            let word = if at == head.line { head.word + head.label.words } else { 0 };
            let places = [0, word].into_iter().filter(|word| line.words.len() > word + 1);
            let next = |word: &usize| CAPITALS.get(run.len()) == Some(&line.words[*word].text.as_str());
            run.extend(places.into_iter().find(next).map(|word| (at, word)));
        }
        let ends = run.iter().skip(1).map(|(line, _)| *line).chain([end]);
        let priced = |((start, _), end): ((usize, usize), usize)| {
            marked.get(start..end).is_some_and(|own| own.contains(&true))
        };
        if run.len() >= 2 && run.iter().copied().zip(ends).all(priced) {
            let counted = (1..).zip(run);
            parts.extend(
                counted
                    .map(|(value, (line, word))| capital(value, (line, word), &lines[line], margins[line])),
            );
        }
    }
    parts
}

/// True for a number that a question begins with.
fn heads_question(own: &Candidate) -> bool {
    let number = matches!(own.label.tokens[..], [only] if only.kind == Kind::Number);
    let closed = matches!(own.label.style, Style::Dot | Style::Close | Style::Keyword);
    own.begins_line && number && closed && own.quality > 0.0
}

/// The capital in brackets at a word of a line, as a letter of a part.
fn capital(value: u32, (index, word): (usize, usize), line: &Line<'_>, margin: f32) -> Candidate {
    let tokens = vec![Token::new(Kind::Letter, value)];
    let label = Label { tokens, style: Style::Brackets, words: 1, glued: false };
    let x = line.words[word].place.x0 - margin;
    Candidate { word, begins_line: word == 0, x, ..begun(index, line, margin, label) }
}

/// The candidate for a label that a line begins with and goes on behind.
fn begun(index: usize, line: &Line<'_>, margin: f32, label: Label) -> Candidate {
    Candidate {
        line: index,
        word: 0,
        begins_line: true,
        asks: false,
        commands: false,
        has_text: true,
        label,
        quality: QUALITY,
        x: line.words[0].place.x0 - margin,
        odd_page: line.page % 2 == 1,
        after: None,
    }
}

/// True when a part says what to do, asks or carries marks.
fn asks(line: &Line<'_>, part: &Candidate, marks: &[bool]) -> bool {
    let texts = line.texts();
    let first = texts.get(part.label.words).map(|word| word.to_lowercase()).unwrap_or_default();
    let commands = lexicon::is(Concept::Command, first.trim_matches(|c: char| !c.is_alphanumeric()));
    let marked = marks.get(part.line).copied().unwrap_or(false)
        || marks::at_start(&texts[part.label.words..]).is_some();
    commands || marked || texts.last().is_some_and(|last| last.ends_with('?'))
}

/// A line that begins with a closed capital numeral and goes on, as the part that it may be.
fn part(index: usize, line: &Line<'_>, margin: f32) -> Option<Candidate> {
    let mut label = labels::parse_capital(&line.texts())?;
    let closed = matches!(label.style, Style::Dot | Style::Close | Style::Brackets);
    let [only] = label.tokens.as_mut_slice() else { return None };
    *only = Token::new(Kind::Roman, only.value);
    (closed && line.words.len() > label.words).then(|| begun(index, line, margin, label))
}

fn announces(candidate: &Candidate) -> bool {
    candidate.begins_line && candidate.label.style == Style::Keyword && candidate.quality > 0.0
}

/// Takes away Chinese numerals that head sections: the numbers below them go on from one to the next.
pub(super) fn without_sections(found: &mut Vec<Candidate>, lines: &[Line<'_>]) {
    let is_han = |candidate: &Candidate| {
        labels::han_numeral(&lines[candidate.line].words[candidate.word].text).is_some()
    };
    let heads: Vec<usize> =
        found.iter().filter(|own| own.begins_line && is_han(own)).map(|own| own.line).collect();
    let number = |candidate: &&Candidate| {
        let counted = candidate.label.tokens[0].kind == Kind::Number && candidate.label.style != Style::Bare;
        candidate.begins_line && counted && !is_han(candidate)
    };
    let first = |lines: Range<usize>| {
        let own = found.iter().filter(number).find(|candidate| lines.contains(&candidate.line));
        own.map(|candidate| candidate.label.tokens[0].value)
    };
    let ends = heads.iter().skip(1).copied().chain([lines.len()]);
    let starts: Vec<u32> = heads.iter().zip(ends).filter_map(|(head, end)| first(*head..end)).collect();
    if starts.iter().skip(1).any(|start| *start > 1) {
        found.retain(|candidate| !is_han(candidate));
    }
}
