//! Words of an answer or a key: cut apart, folded to one form, stemmed, and known as negations or not.

pub use lexicon::english::{is_negation, stem};
pub use lexicon::is_stop_word;

use lexicon::english::wordings;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A word or a number, with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Lower case, without accents.
    pub folded: String,
    /// Its stem; a number is its own stem.
    pub stem: String,
    /// The bytes of the text that it covers.
    pub span: Range<usize>,
    /// True when a sentence, clause or line ended between the token before and this one.
    pub starts_clause: bool,
}

impl Token {
    /// True for digits with or without a decimal part.
    pub fn is_number(&self) -> bool {
        self.folded.starts_with(|c: char| c.is_ascii_digit())
    }

    /// True for a word that carries meaning.
    pub fn is_content(&self) -> bool {
        !is_stop_word(&self.folded)
    }
}

/// A negation reaches over so many words.
pub const NEGATION_REACH: u32 = 4;

/// "more" and "less" say nothing alone and everything in a comparison.
pub fn carries_meaning(token: &Token) -> bool {
    token.is_content() || wordings::COMPARING.has(&token.folded)
}

/// Lower case without accents, compatibility forms resolved ("ﬁ" is "fi", "²" is "2").
pub fn fold(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii()) {
        return text.to_ascii_lowercase();
    }
    text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

/// "three" or "3": a number up to twenty, by digits, or up to ten by name.
pub fn small_number<N: TryFrom<usize>>(word: &str) -> Option<N> {
    const NAMED_MAX: u32 = 10;
    const MAX: usize = 20;
    let named = lexicon::english::number(word).filter(|number| *number <= NAMED_MAX);
    let named = named.and_then(|number| usize::try_from(number).ok());
    let number = named.or_else(|| word.parse().ok().filter(|number| (1..=MAX).contains(number)))?;
    N::try_from(number).ok()
}

/// Cuts a text into words and numbers. Characters of scripts that write no spaces stand alone.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let mut clause = true;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|&(_, next)| next);
        if stands_alone(c) {
            close(text, &mut open, at, &mut clause, &mut found);
            open = Some(at);
            close(text, &mut open, at + c.len_utf8(), &mut clause, &mut found);
        } else if c.is_alphanumeric() || is_combining_mark(c) || joins(text, open, at, c, next) {
            open.get_or_insert(at);
        } else {
            close(text, &mut open, at, &mut clause, &mut found);
            clause |= matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '\n' | '。' | '،' | '؟');
        }
    }
    close(text, &mut open, text.len(), &mut clause, &mut found);
    found
}

fn close(text: &str, open: &mut Option<usize>, end: usize, clause: &mut bool, found: &mut Vec<Token>) {
    let Some(start) = open.take() else { return };
    let folded = fold(&text[start..end]).replace('’', "'");
    let stem = stem(&folded);
    found.push(Token { folded, stem, span: start..end, starts_clause: std::mem::take(clause) });
}

/// An apostrophe inside a word and a point inside a number do not end it.
fn joins(text: &str, open: Option<usize>, at: usize, c: char, next: Option<char>) -> bool {
    let Some(start) = open else { return false };
    let before = text[start..at].chars().next_back();
    match c {
        '\'' | '’' => next.is_some_and(char::is_alphabetic),
        '.' => before.is_some_and(|c| c.is_ascii_digit()) && next.is_some_and(|c| c.is_ascii_digit()),
        _ => false,
    }
}

fn stands_alone(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x2fa1f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_into_folded_words_with_their_places() {
        let text = "It doesn’t cool, at 3.5 °C. Café!";
        let found = tokens(text);
        let folded: Vec<&str> = found.iter().map(|token| token.folded.as_str()).collect();
        assert_eq!(folded, ["it", "doesn't", "cool", "at", "3.5", "c", "cafe"]);
        assert_eq!(&text[found[6].span.clone()], "Café");
        assert!(found[3].starts_clause && found[6].starts_clause && !found[2].starts_clause);
    }

    #[test]
    fn scripts_without_spaces_are_cut_character_by_character() {
        assert_eq!(tokens("光合作用").len(), 4);
    }
}
