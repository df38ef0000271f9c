//! Room for a sign before the numbers of questions: "( ) 1. Sand is fine.", "____ 2. Silt is …". It is taken off, so that
//! the lines begin with their numbers as others do.

use crate::labels::{self, Kind, Style};
use reader::lines::lines;
use reader::page::{Document, Page, Word};
use std::borrow::Cow;
use std::collections::HashSet;

/// Fewer such lines may be anything.
const LEAST: usize = 3;
/// No room is made of more words: "(", ")".
const ROOM_WORDS: usize = 3;

/// The document without such room; itself where numbers begin the lines.
pub(crate) fn prepared(document: &Document) -> Cow<'_, Document> {
    let rooms: Vec<Vec<usize>> = document.pages.iter().map(of_page).collect();
    if rooms.iter().flatten().count() < LEAST {
        return Cow::Borrowed(document);
    }
    let page = |(page, rooms): (&Page, &Vec<usize>)| {
        let dropped: HashSet<usize> = rooms.iter().copied().collect();
        let words = page.words.iter().enumerate().filter(|(at, _)| !dropped.contains(at));
        Page { words: words.map(|(_, word)| word.clone()).collect(), ..page.clone() }
    };
    Cow::Owned(Document { pages: document.pages.iter().zip(&rooms).map(page).collect() })
}

/// The words of a page that only leave room before a number.
fn of_page(page: &Page) -> Vec<usize> {
    let mut all = Vec::new();
    for line in lines(page) {
        let own = &page.words[line.words.clone()];
        let room = own.iter().take_while(|word| leaves_room(word)).count();
        let texts: Vec<&str> = own[room..].iter().take(2).map(|word| word.text.as_str()).collect();
        let numbered = labels::parse(&texts).is_some_and(|label| {
            let closed = matches!(label.style, Style::Dot | Style::Close);
            closed && !label.glued && matches!(label.tokens[..], [only] if only.kind == Kind::Number)
        });
        if (1..=ROOM_WORDS).contains(&room) && numbered && own.len() > room + 1 {
            all.extend(line.words.start..line.words.start + room);
        }
    }
    all
}

fn leaves_room(word: &Word) -> bool {
    !word.text.is_empty()
        && word.text.chars().all(|sign| matches!(sign, '(' | ')' | '[' | ']' | '_' | '…' | '□' | '☐'))
}
