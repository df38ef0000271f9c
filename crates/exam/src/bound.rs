//! A paper and its scheme bound into one document: where the second may begin.

use crate::flow;
use crate::labels::{self, Kind};
use crate::scheme;
use lexicon::Concept;
use reader::page::Document;

/// So many places are tried.
const MOST: usize = 6;
/// A title is no longer, in words.
const TITLE: usize = 9;

/// Pages on which the scheme may begin: under its title, or where a table of answers is headed and the numbers
/// begin again.
pub(crate) fn scheme_pages(document: &Document) -> Vec<u32> {
    let lines = flow::lines(document);
    let mut found: Vec<u32> = Vec::new();
    let (mut numbered, mut last) = (false, 0);
    for line in lines.iter().filter(|line| line.page > 1) {
        let texts = line.texts();
        let lower = line.text().to_lowercase();
        let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
        let titled = line.words.len() <= TITLE && lexicon::begins_with(Concept::SchemeTitle, bare).is_some();
        let number = labels::parse(&texts).map(|label| label.tokens[0]);
        let number = number.filter(|token| token.kind == Kind::Number).map(|token| token.value);
        let again = number == Some(1) && last >= 2;
        let headed = scheme::is_header(line, document);
        if (titled || again || headed) && found.last() != Some(&line.page) && found.len() < MOST && numbered {
            found.push(line.page);
        }
        last = number.unwrap_or(last);
        numbered |= number.is_some();
    }
    found
}
