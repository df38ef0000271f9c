//! A language as its file writes it down.

use crate::{Axis, Concept};

/// Words and phrases, by what they mean.
pub(crate) type Phrases = &'static [(Concept, &'static [&'static str])];

/// The tables of one language. All words are in lower case and carry their accents; lookups find them
/// without, too.
#[derive(Debug)]
pub struct Language {
    /// Its code: "en".
    pub code: &'static str,
    /// Cardinal numbers from 1 on, by their words; several words of one number are parted by a space.
    pub numbers: &'static [&'static str],
    /// Numbers beyond those, each with its word.
    pub more_numbers: &'static [(&'static str, u32)],
    /// Words and phrases, by what they mean; a language with many has them in several tables.
    pub phrases: &'static [Phrases],
    /// For each axis, the words of its one end and those of its other: words of one end go for each other,
    /// those of the other contradict them.
    pub opposites: &'static [(Axis, &'static str, &'static str)],
    /// Words that turn a meaning round.
    pub negations: &'static str,
    /// Words without meaning of their own.
    pub stop_words: &'static str,
}
