//! What an instruction gives each of the questions below it, in brackets at its end: "Explain what each of these words
//! means. (2 marks each)".

use crate::flow::Line;
use crate::labels::{self, Kind, Style};
use domain::marks::Marks;
use lexicon::Concept;

/// An instruction has no more lines.
const LINES_MAX: usize = 5;
/// Between it and its first question stand no more: the head of a table, or the words to choose from.
const BELOW_MAX: usize = 6;
/// No part carries more.
const MARKS_MAX: u32 = 100;

/// The lines that end such an instruction, each with the marks.
pub(super) fn each(lines: &[Line<'_>]) -> Vec<(usize, Marks)> {
    let said = (0..lines.len()).filter_map(|at| Some((at, stated(lines, at)?)));
    said.filter(|(at, _)| instructs(lines, *at)).collect()
}

/// The 2 of "(2 marks each)" in a text, where brackets part it from the rest or it ends the text.
pub(super) fn of_text(text: &str) -> Option<Marks> {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let closes = |word: &str| word.trim_end_matches(['.', ':', ';']).ends_with([')', ']']);
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

/// The 2 of "(2 marks each)", "(je 2 Punkte, zusammen 8 Punkte)" or ". Two marks each." at the end of some words.
fn price(words: &[&str]) -> Option<Marks> {
    /// The bracket or the sentence holds no more words.
    const WORDS_MAX: usize = 12;
    let from = words.len().saturating_sub(WORDS_MAX);
    let closes = words.last()?.trim_end_matches(['.', ':']).ends_with([')', ']']);
    let opens = |at: &usize| match closes {
        true => words[*at].starts_with(['(', '[']),
        false => {
            at.checked_sub(1).is_none_or(|before| words[before].ends_with(['.', '?', '!', ':', '–', '—']))
        }
    };
    let start = (from..words.len()).rev().find(opens)?;
    let inner = &words[start..];
    let broken = inner[..inner.len() - 1].iter().any(|word| word.contains([')', ']']));
    let inner = inner.join(" ").to_lowercase();
    let inner = inner.trim_matches(|c: char| "()[].:".contains(c));
    let sum = inner.find([';', '=', '–', '—', ':']).or_else(|| inner.find(", ")).unwrap_or(inner.len());
    let (each, whole) = inner.split_at(sum);
    // "(2 pts each: 1 for T/F, 1 for the correction)"
    (!broken && (tells_sum(whole) || whole.starts_with(':'))).then(|| spread_clause(each)).flatten()
}

/// "2 marks each", "je 2 Punkte", "1 point par bonne réponse".
fn spread_clause(clause: &str) -> Option<Marks> {
    let words: Vec<&str> = clause.split(' ').map(|word| word.trim_end_matches('.')).collect();
    let counts = |word: &str| lexicon::is(Concept::MarkUnit, word) || lexicon::is(Concept::ShortUnit, word);
    let at = words.windows(2).position(|pair| number(pair[0]).is_some() && counts(pair[1]))?;
    let marks = number(words[at])?;
    let is_each = |word: &str| lexicon::is(Concept::Each, word) || lexicon::is(Concept::Per, word);
    let leads = |word: &&str| is_each(word) || lexicon::is(Concept::For, word);
    let rest = &words[at + 2..];
    let behind = rest.len() <= 4 && rest.first().is_some_and(leads);
    let placed = if at == 0 { behind } else { at <= 2 && rest.is_empty() };
    let spreads = placed && words.iter().any(|word| is_each(word));
    (spreads && marks <= Marks::whole(MARKS_MAX)).then_some(marks)
}

/// "2", "1,5", "½", "two"
fn number(word: &str) -> Option<Marks> {
    let plain = word.starts_with(|c: char| c.is_ascii_digit());
    let value = match lexicon::small_number(word) {
        Some(number) => f64::from(number),
        None if word == "½" => 0.5,
        None => word.replace(',', ".").parse().ok().filter(|_| plain)?,
    };
    Marks::from_number(value).filter(|marks| *marks > Marks::ZERO)
}

/// ", 16 points", "= 16", "; total 16 marks" or nothing: what all of them are worth.
fn tells_sum(rest: &str) -> bool {
    let mut words = rest.split([' ', ',', ';', '=', '–', '—']).map(|word| word.trim_end_matches('.'));
    words.all(|word| {
        let unit = lexicon::is(Concept::MarkUnit, word) || lexicon::is(Concept::ShortUnit, word);
        word.is_empty() || unit || number(word).is_some() || lexicon::is(Concept::Total, word)
    })
}

/// True when a line ends a paragraph that no label begins, and a question's number follows.
fn instructs(lines: &[Line<'_>], at: usize) -> bool {
    /// White above a paragraph, in heights of a line.
    const WHITE: f32 = 0.75;
    let begins = |at: usize| {
        let Some(above) = at.checked_sub(1).and_then(|above| lines.get(above)) else { return true };
        let (own, height) = (&lines[at], lines[at].place.height().max(1.0));
        super::is_section_heading(own)
            || own.page != above.page
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
