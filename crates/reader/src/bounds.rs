//! How much may stand on a page, in a document and in a script of several documents.
//!
//! A file of a few kilobytes can unfold into millions of words, each of which then takes memory and time in the
//! process that everybody shares. So they are counted in the child, which the file cannot leave, and once more
//! where its answers arrive.

use crate::Error;
use crate::darkness::Darkness;
use crate::page::{Bubble, Document, Page, Rect, Ruling, Word};
use crate::print::Print;

/// Words on a page. A page of a newspaper has about five thousand.
pub const PAGE_WORDS_MAX: usize = 10_000;
/// Words in a document: a thousand on each of two hundred pages.
pub const DOCUMENT_WORDS_MAX: usize = 200_000;
/// Words in a script of several documents.
pub const SCRIPT_WORDS_MAX: usize = 400_000;
/// Bytes that a page takes in memory: its words, lines and boxes and where it is dark.
pub const PAGE_BYTES_MAX: usize = 4 << 20;
/// Bytes that a document takes.
pub const DOCUMENT_BYTES_MAX: usize = 64 << 20;
/// Bytes that a script of several documents takes.
pub const SCRIPT_BYTES_MAX: usize = 256 << 20;
/// Bytes of one word; what goes on without a gap for longer is parted.
pub const WORD_BYTES_MAX: usize = 1_000;

/// How much was read of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    words: usize,
    bytes: usize,
}

impl Amount {
    /// What stands on a page.
    pub fn of_page(page: &Page) -> Amount {
        let text: usize = page.words.iter().map(|word| word.text.len()).sum();
        let rectangles = page.boxes.len() + page.pictures.len();
        let bytes = page.words.len() * size_of::<Word>()
            + text
            + page.rulings.len() * size_of::<Ruling>()
            + rectangles * size_of::<Rect>()
            + page.bubbles.len() * size_of::<Bubble>()
            + page.print.as_ref().map_or(0, Print::bytes)
            + page.darkness.as_ref().map_or(0, Darkness::bytes);
        Amount { words: page.words.len(), bytes }
    }

    /// What stands in a document.
    pub fn of_document(document: &Document) -> Amount {
        document.pages.iter().map(Amount::of_page).fold(Amount::default(), Amount::and)
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Amount) -> Amount {
        Amount { words: self.words + other.words, bytes: self.bytes + other.bytes }
    }

    /// Refuses more than a page may hold.
    pub fn within_page(self) -> Result<Amount, Error> {
        self.within(PAGE_WORDS_MAX, PAGE_BYTES_MAX)
    }

    /// Refuses more than a document may hold.
    pub fn within_document(self) -> Result<Amount, Error> {
        self.within(DOCUMENT_WORDS_MAX, DOCUMENT_BYTES_MAX)
    }

    /// Refuses more than a script may hold.
    pub fn within_script(self) -> Result<Amount, Error> {
        self.within(SCRIPT_WORDS_MAX, SCRIPT_BYTES_MAX)
    }

    fn within(self, words_max: usize, bytes_max: usize) -> Result<Amount, Error> {
        if self.words > words_max || self.bytes > bytes_max { Err(Error::TooMuchContent) } else { Ok(self) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page_of(words: usize, text: &str) -> Page {
        let word = Word { text: text.to_owned(), ..Word::default() };
        Page { words: vec![word; words], ..Page::default() }
    }

    #[test]
    fn pages_documents_and_scripts_have_bounds_of_their_own() {
        let full = Amount::of_page(&page_of(PAGE_WORDS_MAX, "word"));
        assert_eq!(full.within_page(), Ok(full));
        let over = Amount::of_page(&page_of(PAGE_WORDS_MAX + 1, "word"));
        assert_eq!(over.within_page(), Err(Error::TooMuchContent));
        let pages = vec![page_of(PAGE_WORDS_MAX, "word"); 20];
        let document = Amount::of_document(&Document { pages });
        assert_eq!(document.within_document(), Ok(document));
        assert_eq!(document.and(full).within_document(), Err(Error::TooMuchContent));
        let script = document.and(document);
        assert_eq!(script.within_script(), Ok(script));
        assert_eq!(script.and(full).within_script(), Err(Error::TooMuchContent));
    }

    #[test]
    fn a_few_words_of_great_length_are_too_much_as_well() {
        let page = Amount::of_page(&page_of(5, &"x".repeat(PAGE_BYTES_MAX / 4)));
        assert_eq!(page.within_page(), Err(Error::TooMuchContent));
    }
}
