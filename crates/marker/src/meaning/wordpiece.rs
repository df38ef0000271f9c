//! Cuts a text into the pieces that the sentence model was trained on (BERT's uncased WordPiece).

use std::collections::HashMap;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Begins every sequence.
pub(super) const START: i32 = 101;
/// Ends every sequence.
pub(super) const END: i32 = 102;
const UNKNOWN: i32 = 100;
/// A longer run of letters is no word; the model's own tokenizer gives up on it too.
const WORD_CHARACTERS_MAX: usize = 100;

/// One piece of a word and the bytes of the text that its word covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) id: i32,
    pub(super) start: usize,
    pub(super) end: usize,
}

pub(super) static WORDS: &str = include_str!("../../../../models/meaning/vocab.txt");

static VOCABULARY: LazyLock<HashMap<&'static str, i32>> = LazyLock::new(|| WORDS.lines().zip(0..).collect());

/// The first `limit` pieces of a text.
pub(super) fn pieces(text: &str, limit: usize) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for (at, c) in text.char_indices() {
        let ends_word = c.is_whitespace() || c.is_control() || stands_alone(c);
        if ends_word && let Some(start) = open.take() {
            cut(text, start, at, &mut found);
        }
        if stands_alone(c) {
            cut(text, at, at + c.len_utf8(), &mut found);
        } else if !ends_word {
            open.get_or_insert(at);
        }
        if found.len() >= limit {
            break;
        }
    }
    if let Some(start) = open
        && found.len() < limit
    {
        cut(text, start, text.len(), &mut found);
    }
    found.truncate(limit);
    found
}

/// The `limit` pieces that say most by themselves, in their order.
pub(super) fn telling(pieces: Vec<Piece>, limit: usize) -> Vec<Piece> {
    if pieces.len() <= limit {
        return pieces;
    }
    let mut places: Vec<usize> = (0..pieces.len()).collect();
    // Of equals the first stay.
    places.sort_by(|one, other| weight(pieces[*other].id).total_cmp(&weight(pieces[*one].id)));
    places.truncate(limit);
    places.sort_unstable();
    let mut pieces: Vec<Option<Piece>> = pieces.into_iter().map(Some).collect();
    places.into_iter().filter_map(|place| pieces[place].take()).collect()
}

/// How rare a folded word is: 0 for the commonest, 1 for one that the vocabulary does not hold whole.
/// The vocabulary is ordered by frequency in general text, which is all that is needed here.
pub(super) fn rarity(folded: &str) -> f32 {
    VOCABULARY.get(folded).map_or(1.0, |&id| rarity_of(id))
}

/// How much a piece says by itself: nothing for the frame and unknown words, most for the rarest.
pub(super) fn weight(id: i32) -> f32 {
    const LEAST: f32 = 0.05;
    const DIGITS: std::ops::RangeInclusive<i32> = 1014..=1023;
    const DIGIT_WEIGHT: f32 = 0.5;
    /// Unknown, start, end, masked.
    const NOTHING: std::ops::RangeInclusive<i32> = 100..=103;
    if NOTHING.contains(&id) {
        0.0
    } else if DIGITS.contains(&id) {
        DIGIT_WEIGHT
    } else {
        LEAST + (1.0 - LEAST) * rarity_of(id).powi(2)
    }
}

fn rarity_of(id: i32) -> f32 {
    /// Whole words begin here; special tokens and single characters come before.
    const FIRST_WORD: i32 = 1996;
    let past = (id - FIRST_WORD).max(0) as f32;
    (past + 1.0).ln() / (VOCABULARY.len() as f32).ln()
}

fn cut(text: &str, start: usize, end: usize, found: &mut Vec<Piece>) {
    let word: Vec<char> = text[start..end].to_lowercase().nfd().filter(|c| !is_combining_mark(*c)).collect();
    let known = found.len();
    let mut from = 0;
    while from < word.len() {
        let Some((id, to)) = longest(&word, from) else {
            found.truncate(known);
            found.push(Piece { id: UNKNOWN, start, end });
            return;
        };
        found.push(Piece { id, start, end });
        from = to;
    }
}

fn longest(word: &[char], from: usize) -> Option<(i32, usize)> {
    if word.len() > WORD_CHARACTERS_MAX {
        return None;
    }
    let prefix = if from == 0 { "" } else { "##" };
    (from + 1..=word.len()).rev().find_map(|to| {
        let piece: String = prefix.chars().chain(word[from..to].iter().copied()).collect();
        VOCABULARY.get(piece.as_str()).map(|&id| (id, to))
    })
}

fn stands_alone(c: char) -> bool {
    let ideograph = matches!(u32::from(c), 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff);
    ideograph || c.is_ascii_punctuation() || is_punctuation(c)
}

/// Punctuation beyond ASCII that occurs in answers: general, Arabic, ideographic, Latin quotation marks.
fn is_punctuation(c: char) -> bool {
    matches!(u32::from(c), 0xa1 | 0xa7 | 0xab | 0xb6 | 0xb7 | 0xbb | 0xbf | 0x2010..=0x2027 | 0x2030..=0x205e
        | 0x3001..=0x3003 | 0x3008..=0x3011 | 0x3014..=0x301f | 0x60c | 0x61b | 0x61f | 0x66a..=0x66d
        | 0xff01..=0xff0f | 0xff1a..=0xff20)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Vec<i32> {
        pieces(text, 50).into_iter().map(|piece| piece.id).collect()
    }

    #[test]
    fn words_are_cut_as_the_model_expects() {
        assert_eq!(ids("The cell"), [1996, 3526]);
        assert_eq!(ids("Café."), ids("cafe ."));
        assert_eq!(ids("photosynthesizing").len(), 4);
    }

    #[test]
    fn any_script_gives_pieces_within_the_limit() {
        for text in ["光合作用", "الطاقة", "Größe", "🙂🙂", "", "\u{0}", &"x".repeat(500)] {
            assert!(pieces(text, 3).len() <= 3, "{text}");
        }
    }

    #[test]
    fn a_common_word_is_less_rare_than_a_term() {
        assert!(rarity("the") < rarity("water"));
        assert!(rarity("water") < rarity("membrane"));
        assert_eq!(rarity("plasmolysis"), 1.0);
    }
}
