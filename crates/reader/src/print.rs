//! A page of a question paper as it was drawn, coarsely and in black and white: what a photo of the page that a student
//! wrote on is laid over, so that the print can be taken away.

use crate::image::ink::Ink;
use crate::ocr::Letters;
use crate::page::Document;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Pixels to the inch: fine enough to tell letters, and a page comes to some ten kilobytes.
pub const DPI: f32 = 100.0;
/// Larger pages are not kept: nobody photographs a poster.
const SIDE_MAX: usize = 2400;
/// A page of nothing but dots tells nothing either: a page of text has some twenty thousand bytes.
const RUN_BYTES_MAX: usize = 512 << 10;

/// What a script is read with: the pages of its question paper as they were drawn, with their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prints {
    pages: Vec<(u32, Print)>,
    /// What is written on them is written with the paper's letters.
    letters: Letters,
    /// The paper's own longer words, in lower case, in order.
    words: Vec<String>,
}

/// Of a longer paper only the first pages are kept: every picture is held against all of them.
const PAGES_MAX: usize = 64;
/// Of its words only the first are kept, without those that stand in every text.
const WORDS_MAX: usize = 20_000;
const WORD_MIN: usize = 4;

impl Prints {
    /// The prints that a paper's pages carry.
    pub fn of(paper: &Document) -> Prints {
        let pages = paper.pages.iter().filter_map(|page| Some((page.number, page.print.clone()?)));
        let words = paper.pages.iter().flat_map(|page| &page.words).map(|word| word.text.as_str());
        let words = words.flat_map(|word| word.split(|letter: char| !letter.is_alphabetic()));
        let words: BTreeSet<String> =
            words.filter(|word| word.len() >= WORD_MIN).map(str::to_lowercase).take(WORDS_MAX).collect();
        let pages = pages.take(PAGES_MAX).collect();
        Prints { pages, letters: Letters::of(paper), words: words.into_iter().collect() }
    }

    /// The paper's own longer words, in lower case.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The letters that answers can hold.
    pub fn letters(&self) -> Letters {
        self.letters
    }
}

impl std::ops::Deref for Prints {
    type Target = [(u32, Print)];

    fn deref(&self) -> &[(u32, Print)] {
        &self.pages
    }
}

/// The ink of a drawn page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Print {
    width: u32,
    height: u32,
    /// Lengths of runs, first of paper, then of ink and so on, row after row without a break. A length of 128 or more
    /// takes several bytes: seven bits each, the lowest first, the top bit set on all but the last.
    #[serde(with = "hex")]
    runs: Vec<u8>,
    /// True when it has rows of bubbles, so that they are looked for where somebody filled them in.
    #[serde(default)]
    pub has_bubbles: bool,
}

impl Print {
    /// Keeps the ink of a page drawn at [`DPI`]; `None` when it is larger than any sheet.
    pub fn of(ink: &Ink) -> Option<Print> {
        if ink.width > SIDE_MAX || ink.height > SIDE_MAX || ink.width == 0 || ink.height == 0 {
            return None;
        }
        let (mut runs, mut current, mut length) = (Vec::new(), false, 0_usize);
        for mark in (0..ink.height).flat_map(|y| ink.row(y)) {
            if *mark != current {
                push(&mut runs, length);
                (current, length) = (*mark, 0);
            }
            length += 1;
        }
        push(&mut runs, length);
        if runs.len() > RUN_BYTES_MAX {
            return None;
        }
        Some(Print { width: ink.width as u32, height: ink.height as u32, runs, has_bubbles: false })
    }

    /// What it takes in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.runs.len()
    }

    /// In pixels.
    pub fn size(&self) -> (usize, usize) {
        ((self.width as usize).min(SIDE_MAX), (self.height as usize).min(SIDE_MAX))
    }

    /// The ink, as much as is told of it.
    pub fn ink(&self) -> Ink {
        let (width, height) = self.size();
        let mut marks = Vec::with_capacity(width * height);
        let (mut current, mut length, mut shift) = (false, 0_usize, 0);
        for byte in &self.runs {
            length |= usize::from(byte & 127) << shift;
            if byte & 128 != 0 && shift < 21 {
                shift += 7;
                continue;
            }
            let room = width * height - marks.len();
            marks.extend(std::iter::repeat_n(current, length.min(room)));
            (current, length, shift) = (!current, 0, 0);
        }
        marks.resize(width * height, false);
        Ink::from_marks(width, height, marks)
    }
}

fn push(runs: &mut Vec<u8>, mut length: usize) {
    while length >= 128 {
        runs.push((length & 127) as u8 | 128);
        length >>= 7;
    }
    runs.push(length as u8);
}

/// Bytes as text, for the pages of a paper are kept as JSON.
mod hex {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
        let text: String = bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
        to.serialize_str(&text)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        let pairs = text.as_bytes().chunks(2).map(|pair| match pair {
            [high, low] => Some((digit(high)? << 4 | digit(low)?) as u8),
            _ => None,
        });
        pairs.collect::<Option<Vec<u8>>>().ok_or_else(|| D::Error::custom("not a text of hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_print_comes_back_as_it_was_and_false_runs_do_no_harm() {
        let marks: Vec<bool> =
            (0..300 * 200).map(|at: usize| at % 300 > 140 && (at / 300).is_multiple_of(7)).collect();
        let ink = Ink::from_marks(300, 200, marks);
        let print = Print::of(&ink).unwrap();
        assert_eq!(print.ink(), ink);
        let text = serde_json::to_string(&print).unwrap();
        assert_eq!(serde_json::from_str::<Print>(&text).unwrap(), print);
        let false_runs = Print { width: 90_000, height: 3, runs: vec![255; 50], has_bubbles: false };
        assert_eq!((false_runs.ink().width, false_runs.ink().height), (SIDE_MAX, 3));
        assert!(serde_json::from_str::<Print>(r#"{"width":1,"height":1,"runs":"0g"}"#).is_err());
    }
}
