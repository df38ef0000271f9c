//! Pages on which the paper was typed again or opened and typed into, so that its lines have moved: the
//! paper's own lines are known by their words, not by their places.

use super::align::plain;
use reader::page::{Document, Page};

/// Shorter lines are no print by their words alone.
const LETTERS_MIN: usize = 4;

/// The lines of the question paper that were not found again yet.
pub(super) struct Print {
    lines: Vec<String>,
}

impl Print {
    pub(super) fn of(template: &Document) -> Print {
        let texts = |page: &Page| -> Vec<String> {
            let lines = reader::lines::lines(page);
            lines
                .into_iter()
                .map(|line| letters(page.words[line.words].iter().map(|word| &*word.text)))
                .collect()
        };
        Print { lines: template.pages.iter().flat_map(texts).collect() }
    }

    /// How many words at the beginning of a line are the paper's. Each of its lines is found once.
    pub(super) fn take(&mut self, words: &[&str]) -> usize {
        let text = letters(words.iter().copied());
        let known = |line: &String| line.chars().count() >= LETTERS_MIN && starts_with_words(words, line);
        let whole = self.lines.iter().position(|line| *line == text && !text.is_empty());
        let Some(found) = whole.or_else(|| self.lines.iter().position(known)) else { return 0 };
        let line = self.lines.remove(found);
        let mut length = 0;
        let covered = words.iter().take_while(|word| {
            let fits = length < line.len();
            length += plain(word).len();
            fits
        });
        covered.count()
    }
}

fn letters<'w>(words: impl Iterator<Item = impl AsRef<str> + 'w>) -> String {
    words.map(|word| plain(word.as_ref())).collect()
}

/// True when the line's letters end where a word ends.
fn starts_with_words(words: &[&str], line: &str) -> bool {
    let mut text = String::new();
    words.iter().any(|word| {
        text.push_str(&plain(word));
        text == line
    })
}
