//! Capital numerals over tables whose rows count again below each: "I. READING" over "1", "2 (a)". A word for a question
//! before each makes them heads that a table knows.

use super::layout;
use crate::flow::{self, Line};
use crate::labels::{self, Style};
use crate::numbering::Inner;
use crate::paper::Paper;
use lexicon::english::schemes::SECTION_OF_SCHEME;
use reader::page::{Document, Word};
use std::borrow::Cow;

/// So many lines below its head tell a table.
const BELOW: usize = 8;
/// A head has no more words.
const WORDS_MAX: usize = 12;

/// The scheme with such heads announced, where the paper counts so and the scheme has tables.
pub(super) fn announced<'d>(document: &'d Document, paper: &Paper) -> Cow<'d, Document> {
    let outline = paper.outline();
    if !outline.roman || outline.inner != Inner::Any {
        return Cow::Borrowed(document);
    }
    let (mut heads, mut last, mut tables) = (Vec::new(), 0, 0);
    for (at, page) in document.pages.iter().enumerate() {
        let lines: Vec<Line<'_>> = flow::page_lines(page).collect();
        for (index, line) in lines.iter().enumerate() {
            let below: Vec<&Line<'_>> = lines[index + 1..].iter().take(BELOW).collect();
            tables += usize::from(layout::header(line, page, &below).is_some());
            let label = labels::parse_capital(&line.texts());
            let closed = label.filter(|label| {
                let style = matches!(label.style, Style::Dot | Style::Close);
                style && label.words == 1 && (2..=WORDS_MAX).contains(&line.words.len())
            });
            // "I. (continued)" heads the next page.
            let value = closed.map(|label| label.tokens[0].value);
            if let Some(value) = value.filter(|value| *value == last + 1 || *value == last && last > 0) {
                heads.push((at, line.range.start, value));
                last = value;
            }
        }
    }
    if last < 2 || tables == 0 {
        return Cow::Borrowed(document);
    }
    let mut document = document.clone();
    // From the last on, since words become more.
    for (page, at, value) in heads.into_iter().rev() {
        let words = &mut document.pages[page].words;
        let own = words[at].clone();
        words.splice(
            at..=at,
            [
                Word { text: SECTION_OF_SCHEME.to_owned(), ..own.clone() },
                Word { text: format!("{value}:"), ..own },
            ],
        );
    }
    Cow::Owned(document)
}
