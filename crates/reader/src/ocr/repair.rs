//! Mends badly read words with the words that were to be expected.

use crate::page::{Document, Word};
use std::collections::BTreeSet;

/// Words above this confidence stay as they were read.
const CONFIDENCE_LIMIT: f32 = 0.9;
/// Shorter words have too many neighbours at one letter's distance.
const LENGTH_MIN: usize = 4;

/// Words that a document is expected to hold: those of its question paper and marking scheme.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    words: BTreeSet<String>,
}

impl Vocabulary {
    /// Takes the words of a text: runs of letters, in lower case.
    pub fn add(&mut self, text: &str) {
        let words = text.split(|character: char| !character.is_alphabetic());
        let long = words.filter(|word| word.chars().count() >= LENGTH_MIN);
        self.words.extend(long.map(str::to_lowercase));
    }

    /// The only expected word that differs from this one by one letter.
    fn nearest(&self, word: &str) -> Option<&str> {
        if self.words.contains(word) {
            return None;
        }
        let letters: Vec<char> = word.chars().collect();
        let mut near = self.words.iter().filter(|known| is_one_letter_off(&letters, known));
        match (near.next(), near.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }
}

/// Replaces words that were read with low confidence and differ by one letter from exactly one expected
/// word. What was read surely, numbers and short words stay; the confidence stays low.
pub fn repair(document: &mut Document, vocabulary: &Vocabulary) {
    let words = document.pages.iter_mut().flat_map(|page| &mut page.words);
    for word in words.filter(|word| word.confidence < CONFIDENCE_LIMIT) {
        repair_word(word, vocabulary);
    }
}

fn repair_word(word: &mut Word, vocabulary: &Vocabulary) {
    let core = word.text.trim_matches(|character: char| !character.is_alphanumeric());
    let has_room = core.chars().count() >= LENGTH_MIN;
    // A number is never a misread word, and a mended one could earn a mark that the student did not.
    let mostly_letters =
        core.chars().filter(|character| character.is_alphabetic()).count() + 1 >= core.chars().count();
    if !has_room || !mostly_letters {
        return;
    }
    if let Some(expected) = vocabulary.nearest(&core.to_lowercase()) {
        let starts_upper = core.chars().next().is_some_and(char::is_uppercase);
        let mended = if starts_upper { capitalised(expected) } else { expected.to_owned() };
        word.text = word.text.replacen(core, &mended, 1);
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// True when one letter added, dropped or changed makes the one into the other.
fn is_one_letter_off(letters: &[char], known: &str) -> bool {
    let known: Vec<char> = known.chars().collect();
    if letters.len().abs_diff(known.len()) > 1 {
        return false;
    }
    let same_start = letters.iter().zip(&known).take_while(|(a, b)| a == b).count();
    let same_end = letters.iter().rev().zip(known.iter().rev()).take_while(|(a, b)| a == b).count();
    let longer = letters.len().max(known.len());
    same_start + same_end + 1 >= longer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str, confidence: f32) -> String {
        let mut vocabulary = Vocabulary::default();
        vocabulary.add("The mitochondria release energy; osmosis. form forms lever level");
        let mut word = Word { text: text.to_owned(), confidence, ..Word::default() };
        if confidence < CONFIDENCE_LIMIT {
            repair_word(&mut word, &vocabulary);
        }
        word.text
    }

    #[test]
    fn a_doubtful_word_one_letter_off_is_mended() {
        assert_eq!(mended("mitochondnia", 0.7), "mitochondria");
        assert_eq!(mended("Osmsis,", 0.7), "Osmosis,");
        assert_eq!(mended("relaese", 0.7), "relaese");
    }

    #[test]
    fn sure_words_numbers_and_words_between_two_stay() {
        assert_eq!(mended("mitochondnia", 0.95), "mitochondnia");
        assert_eq!(mended("1945", 0.2), "1945");
        assert_eq!(mended("leven", 0.2), "leven");
    }
}
