//! Texts as the numbers of pieces: bytes that are joined in the order in which the vocabulary learned to join them.

use crate::Error;
use crate::gguf::Header;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization as _;

/// The vocabulary of the operator's file.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    bytes: [u32; 256],
    /// What two neighbours become, and how early it was learned.
    joins: HashMap<(u32, u32), (u32, u32)>,
}

impl Vocabulary {
    pub(crate) fn of(header: &Header) -> Result<Vocabulary, Error> {
        let unknown = Error::NoModel("its vocabulary has gaps");
        let words = header.words("tokenizer.ggml.tokens")?;
        let known: HashMap<&str, u32> = words.iter().map(String::as_str).zip(0..).collect();
        let mut bytes = [0; 256];
        for (byte, letter) in (0..=255).zip(letters()) {
            let id = known.get(letter.encode_utf8(&mut [0; 4]) as &str).ok_or(unknown)?;
            bytes[usize::from(byte as u8)] = *id;
        }
        let mut joins = HashMap::new();
        for (rank, join) in (0..).zip(header.words("tokenizer.ggml.merges")?) {
            let (left, right) = join.split_once(' ').ok_or(unknown)?;
            let id = |word: &str| known.get(word).copied().ok_or(unknown);
            joins.insert((id(left)?, id(right)?), (rank, id(&format!("{left}{right}"))?));
        }
        Ok(Vocabulary { bytes, joins })
    }

    /// The pieces of a text.
    pub(crate) fn pieces(&self, text: &str) -> Vec<u32> {
        let text: String = text.nfc().collect();
        let mut pieces = Vec::new();
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let (word, after) = rest.split_at(first_word(rest));
            pieces.extend(self.joined(word));
            rest = after;
        }
        pieces
    }

    fn joined(&self, word: &str) -> Vec<u32> {
        let mut ids: Vec<u32> = word.bytes().map(|byte| self.bytes[usize::from(byte)]).collect();
        loop {
            let join = |at: usize| self.joins.get(&(ids[at], ids[at + 1])).map(|&(rank, id)| (rank, at, id));
            let Some((_, at, id)) = (0..ids.len().saturating_sub(1)).filter_map(join).min() else {
                return ids;
            };
            ids[at] = id;
            ids.remove(at + 1);
        }
    }
}

/// The letters that stand for bytes in the vocabulary: themselves where they can be seen, others above 255.
fn letters() -> impl Iterator<Item = char> {
    let mut hidden = 256u32..;
    (0u32..256).map(move |byte| {
        let is_seen = matches!(byte, 0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff);
        let code = if is_seen { byte } else { hidden.next().unwrap_or(256) };
        char::from_u32(code).unwrap_or(' ')
    })
}

/// The length of the first word, in bytes: pieces never reach over words.
fn first_word(text: &str) -> usize {
    let ends = |count: usize| text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return 0 };
    let second = letters.next();
    let run =
        |skip: usize, test: &dyn Fn(char) -> bool| text.chars().skip(skip).take_while(|c| test(*c)).count();
    if first == '\'' {
        let lower: String = text.chars().skip(1).take(2).flat_map(char::to_lowercase).collect();
        for short in ["s", "t", "re", "ve", "m", "ll", "d"] {
            if lower.starts_with(short) {
                return ends(1 + short.len());
            }
        }
    }
    let is_letter = |c: char| c.is_alphabetic();
    let is_number = |c: char| c.is_numeric();
    let is_break = |c: char| matches!(c, '\r' | '\n');
    if is_letter(first) {
        return ends(run(0, &is_letter));
    }
    if !is_break(first) && !is_number(first) && second.is_some_and(is_letter) {
        return ends(1 + run(1, &is_letter));
    }
    if is_number(first) {
        return first.len_utf8();
    }
    let is_sign = |c: char| !c.is_whitespace() && !is_letter(c) && !is_number(c);
    let space = usize::from(first == ' ' && second.is_some_and(is_sign));
    let signs = run(space, &is_sign);
    if signs > 0 {
        return ends(space + signs + run(space + signs, &is_break));
    }
    let blank = run(0, &char::is_whitespace);
    let breaks =
        text.chars().take(blank).enumerate().filter(|(_, c)| is_break(*c)).map(|(at, _)| at + 1).last();
    if let Some(through_break) = breaks {
        return ends(through_break);
    }
    // The last blank before a word belongs to the word.
    let reaches_end = text.chars().nth(blank).is_none();
    ends(if reaches_end || blank == 1 { blank } else { blank - 1 })
}

#[cfg(test)]
mod tests {
    use super::first_word;

    fn words(text: &str) -> Vec<&str> {
        let mut rest = text;
        let mut words = Vec::new();
        while !rest.is_empty() {
            let (word, after) = rest.split_at(first_word(rest));
            words.push(word);
            rest = after;
        }
        words
    }

    #[test]
    fn words_keep_the_blank_before_them_and_numbers_stand_alone() {
        assert_eq!(
            words("it's 12 kPa, isn't it?\n\nYes"),
            ["it", "'s", " ", "1", "2", " kPa", ",", " isn", "'t", " it", "?\n\n", "Yes"]
        );
        assert_eq!(words("a   b  "), ["a", "  ", " b", "  "]);
        assert_eq!(words("x = -3/4"), ["x", " =", " -", "3", "/", "4"]);
        assert_eq!(words("one\n  two\u{e9}\t(z)"), ["one", "\n", " ", " two\u{e9}", "\t", "(z", ")"]);
    }
}
