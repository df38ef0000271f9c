//! Parts that are labelled with capital letters: "A. Draw the circuit. [2]".
//!
//! Capital letters label options far more often, so they are parts only where each carries marks, or where they ask
//! what options never do.

use super::alternatives::is_or;
use super::options::{is_command, option_letter};
use super::segment::Segment;
use crate::flow::Line;
use crate::labels::{Kind, Token};
use crate::scheme::SchemeLabels;
use lexicon::Concept;

/// Letters of one list stand below each other, in points.
const SAME_EDGE: f32 = 3.0;
/// What a question says of all its parts are so many lines at most.
const HEAD_LINES: usize = 4;
/// A question has no more such parts.
const MOST: usize = 10;

/// Splits segments whose text is a list of capital letters with marks of their own, in the paper or in its scheme.
pub(super) fn split(
    segments: Vec<Segment>,
    lines: &[Line<'_>],
    scheme: Option<&SchemeLabels>,
) -> Vec<Segment> {
    segments.into_iter().flat_map(|segment| split_one(segment, lines, scheme)).collect()
}

fn split_one(segment: Segment, lines: &[Line<'_>], scheme: Option<&SchemeLabels>) -> Vec<Segment> {
    let apart = either(&segment, lines);
    let offered = if apart.is_empty() { offered(&segment, lines) } else { Vec::new() };
    let instead = if apart.is_empty() { offered.clone() } else { apart };
    let starts = if instead.is_empty() { starts(&segment, lines) } else { instead.clone() };
    if starts.len() < 2 {
        return vec![segment];
    }
    // The "OR" above a letter is no part's.
    let over = usize::from(!instead.is_empty() && offered.is_empty());
    let end = |index: usize| starts.get(index + 1).map_or(segment.to, |line| (*line - over, 0));
    let part = |(index, line): (usize, &usize)| {
        let marks = segment.marks.iter().filter(|found| (*line..end(index).0).contains(&found.line));
        Segment {
            path: [segment.path.as_slice(), &[Token::new(Kind::Letter, index as u32 + 1)]].concat(),
            start: (*line, 0),
            from: (*line, 1),
            to: end(index),
            lead: String::new(),
            options: Vec::new(),
            marks: marks.copied().collect(),
            is_instead: index > 0 && !instead.is_empty(),
            is_choice: false,
        }
    };
    let parts: Vec<Segment> = starts.iter().enumerate().map(part).collect();
    let mut head = segment.clone();
    head.to = (starts[0], 0);
    // What a scheme answers letter by letter, each with its marks, are parts however short.
    let answered = scheme.is_some_and(|scheme| parts.iter().all(|part| scheme.has(&part.path)));
    if parts.iter().any(|part| !part.has_marks()) && !answered && !are_asked(&head, &parts, lines) {
        return vec![segment];
    }
    head.marks.retain(|found| found.line < starts[0]);
    std::iter::once(head).chain(parts).collect()
}

/// Fewer words on average are an option, even one that asks.
const ASKED_WORDS: usize = 12;

/// True when most of the texts ask something, or when one does and what stands before them sets a task that each goes
/// on with ("Solve this by working in:").
fn are_asked(head: &Segment, parts: &[Segment], lines: &[Line<'_>]) -> bool {
    let texts: Vec<String> = parts.iter().map(|part| part.text(lines)).collect();
    let words: usize = texts.iter().map(|text| text.split(' ').count()).sum();
    let asking = texts.iter().filter(|text| asks(text)).count();
    let stem = head.text(lines);
    let sets_task = stem.trim_end().ends_with(':') && sentences(&stem).last().is_some_and(is_command);
    words >= ASKED_WORDS * parts.len() && (asking * 2 >= parts.len() || (asking > 0 && sets_task))
}

fn asks(text: &str) -> bool {
    text.contains('?') || sentences(text).any(is_command)
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['.', '?']).map(str::trim).filter(|sentence| !sentence.is_empty())
}

/// The lines of a segment that begin with the letters alone of which its head says that one is to be chosen: "Answer either
/// A or B."
fn offered(segment: &Segment, lines: &[Line<'_>]) -> Vec<usize> {
    let own = |at: &usize| (segment.from.0..segment.to.0.min(lines.len())).contains(at);
    let offers = |at: usize| {
        let texts = lines[at].texts();
        let plain = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        texts.windows(3).any(|words| plain(words[0]) == "A" && is_or_word(words[1]) && plain(words[2]) == "B")
    };
    let Some(head) = (segment.from.0..).take_while(own).take(HEAD_LINES).find(|at| offers(*at)) else {
        return Vec::new();
    };
    let mut starts: Vec<usize> = Vec::new();
    for at in (head + 1..).take_while(own) {
        let expected = char::from(b'A' + starts.len() as u8);
        let first = lines[at].words[0].text.trim_end_matches([')', '.', ':']);
        let aligned = starts
            .first()
            .is_none_or(|first| (lines[*first].place.x0 - lines[at].place.x0).abs() < SAME_EDGE);
        if first.chars().eq([expected]) && lines[at].words.len() > 1 && aligned && starts.len() < MOST {
            starts.push(at);
        }
    }
    if starts.len() > 1 { starts } else { Vec::new() }
}

fn is_or_word(word: &str) -> bool {
    lexicon::is(Concept::Or, &word.to_lowercase())
}

/// The lines of a segment that begin with a letter alone, "A" and "B", with "OR" on a line of its own between them: one of
/// the parts is to be answered.
fn either(segment: &Segment, lines: &[Line<'_>]) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::new();
    for (at, own) in lines.iter().enumerate().take(segment.to.0).skip(segment.from.0 + 1) {
        let [first, _, ..] = own.words else { continue };
        let expected = char::from(b'A' + starts.len() as u8);
        let lettered = first.text.chars().eq([expected]) && starts.len() < MOST;
        let begins = match starts.last().and_then(|last| lines.get(*last)) {
            // "A" is an article as well: only what follows shows that it was a label.
            None => true,
            Some(last) => is_or(&lines[at - 1]) && (last.place.x0 - own.place.x0).abs() < SAME_EDGE,
        };
        if lettered && begins {
            starts.push(at);
        }
    }
    let levelled = segment.path.iter().any(|token| token.kind == Kind::Letter);
    if starts.len() > 1 && !levelled { starts } else { Vec::new() }
}

/// The lines of a segment that begin with "A.", "B." and so on, in order.
fn starts(segment: &Segment, lines: &[Line<'_>]) -> Vec<usize> {
    let levelled = segment.path.iter().any(|token| token.kind == Kind::Letter);
    let mut starts: Vec<usize> = Vec::new();
    for (line, own) in lines.iter().enumerate().take(segment.to.0).skip(segment.from.0 + 1) {
        let first = &own.words[0].text;
        let expected = char::from(b'A' + starts.len() as u8);
        if first.len() > 1 && option_letter(first) == Some(expected) && starts.len() < MOST && !levelled {
            starts.push(line);
        }
    }
    starts
}
