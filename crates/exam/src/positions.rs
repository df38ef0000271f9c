//! A scheme that counts its answers through where the paper counts anew in each section, or the other way round: its
//! numbers stand for places.

use crate::flow;
use crate::labels::{self, Kind, Style};
use domain::question::Question;
use reader::page::Document;

/// Fewer answers say nothing of how they are counted.
const LEAST: usize = 4;

/// The scheme with the paper's own numbers, where it has one answer for each question in their order and counts them
/// in another way.
pub(crate) fn like_paper(scheme: &Document, questions: &[Question]) -> Option<Document> {
    let own: Vec<u32> =
        questions.iter().map(|question| question.number.parse().ok()).collect::<Option<_>>()?;
    let mut found: Vec<(usize, usize, u32)> = Vec::new();
    let mut places: Vec<u32> = Vec::new();
    for line in flow::lines(scheme) {
        let Some(number) = number(&line) else { continue };
        let again = places.last() == Some(&number);
        let next = places.last().map_or(1, |last| last + 1);
        if !again && number != next && number != 1 {
            return None;
        }
        if !again {
            places.push(number);
        }
        let page = scheme.pages.iter().position(|page| page.number == line.page)?;
        found.push((page, line.range.start, places.len() as u32));
    }
    let restarts = |numbers: &[u32]| numbers.iter().filter(|number| **number == 1).count() > 1;
    if own.len() < LEAST || places.len() != own.len() || restarts(&own) == restarts(&places) {
        return None;
    }
    let mut document = scheme.clone();
    for (page, word, place) in found {
        let text = &mut document.pages[page].words[word].text;
        let digits = text.find(|c: char| c.is_ascii_digit())?;
        let end = digits + text[digits..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - digits);
        text.replace_range(digits..end, &own[place as usize - 1].to_string());
    }
    Some(document)
}

/// The closed number that a line begins with.
fn number(line: &flow::Line<'_>) -> Option<u32> {
    let label = labels::parse(&line.texts()).filter(|label| !label.glued)?;
    let closed = matches!(label.style, Style::Dot | Style::Close) || label.tokens.len() > 1;
    let first = label.tokens.first().filter(|first| first.kind == Kind::Number && closed)?;
    // The number stands in the first word.
    line.words[0].text.starts_with(|c: char| c.is_ascii_digit()).then_some(first.value)
}
