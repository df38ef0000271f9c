//! Statements to be judged one by one, each behind room for the verdict: "( ) I. Iron is a metal." Their numerals label
//! parts, which the scheme answers behind the same: "I. True."

use crate::labels;
use reader::page::{Document, Page, Word};
use std::borrow::Cow;
use std::ops::Range;

/// Fewer statements may be anything.
const LEAST: usize = 2;

/// The paper and the scheme with such numerals as labels of parts: "(i)".
pub(crate) fn prepared<'d>(
    paper: &'d Document,
    scheme: &'d Document,
) -> (Cow<'d, Document>, Cow<'d, Document>) {
    // Where both are one document, its statements are told from their answers by nothing.
    if paper == scheme {
        return (Cow::Borrowed(paper), Cow::Borrowed(scheme));
    }
    let mut asked = paper.clone();
    let mut count: usize = 0;
    for page in &mut asked.pages {
        count = count.max(relabelled(page, true));
    }
    if count < LEAST {
        return (Cow::Borrowed(paper), Cow::Borrowed(scheme));
    }
    let mut answered = scheme.clone();
    for page in &mut answered.pages {
        relabelled(page, false);
    }
    (Cow::Owned(asked), Cow::Owned(answered))
}

/// Makes labels of the numerals of a page that count from I on, and says up to which. `judged`: only those behind room
/// for a verdict.
fn relabelled(page: &mut Page, judged: bool) -> usize {
    let lines = reader::lines::lines(page);
    let begins: Vec<(Range<usize>, u32)> =
        lines.iter().filter_map(|line| statement(&page.words, line.words.clone(), judged)).collect();
    let value = |at: usize| begins.get(at).map(|(_, value)| *value);
    let mut most = 0;
    let mut dropped: Vec<usize> = Vec::new();
    for (at, (words, own)) in begins.iter().enumerate() {
        let goes_on = *own > 1 && at > 0 && value(at - 1) == Some(own - 1);
        let begun = *own == 1 && value(at + 1) == Some(2);
        if !begun && !goes_on {
            continue;
        }
        most = most.max(*own as usize);
        let label = words.end - 1;
        page.words[label].text = labels::Token::new(labels::Kind::Roman, *own).display();
        if let Some(first) = page.words.get(words.start).map(|word| word.place) {
            page.words[label].place.x0 = first.x0;
        }
        dropped.extend(words.start..label);
    }
    let mut at = 0;
    page.words.retain(|_| {
        at += 1;
        !dropped.contains(&(at - 1))
    });
    most
}

/// The words of a line up to its numeral, "( ) II.", and what it counts.
fn statement(words: &[Word], line: Range<usize>, judged: bool) -> Option<(Range<usize>, u32)> {
    /// "(", ")" and white between them.
    const ROOM: usize = 3;
    let texts: Vec<&str> = words.get(line.clone())?.iter().map(|word| word.text.as_str()).collect();
    let at = texts.iter().take(ROOM + 1).position(|text| numeral(text).is_some())?;
    let before: String = texts[..at].concat();
    let room = before.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let is_room = room.is_some_and(|room| room.chars().all(|c| matches!(c, '_' | '…' | '.')));
    let fits = if judged { is_room } else { at == 0 };
    (fits && texts.len() > at + 1).then(|| (line.start..line.start + at + 1, numeral(texts[at]).unwrap_or(0)))
}

/// "II."
fn numeral(text: &str) -> Option<u32> {
    let bare = text.strip_suffix(['.', ')', ':'])?;
    let capital = !bare.is_empty() && bare.chars().all(|c| matches!(c, 'I' | 'V' | 'X'));
    labels::parse_roman(&bare.to_lowercase()).filter(|_| capital)
}
