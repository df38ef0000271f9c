//! What was read for one leaf, with its words kept apart so that evidence can be shown on the page.

use serde::{Deserialize, Serialize};

/// What was read for one leaf.
///
/// Build it with [`Answer::from_words`] where boxes exist: word `n` of the outcome's evidence is then the
/// `n`-th word given here, whatever the marker did to the text in between.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The text as read, lines separated by `\n`.
    pub text: String,
    /// Where each word lies in `text`, in order.
    pub words: Vec<Word>,
    /// Labels of the options that the student ticked, circled or crossed, as the reader saw them.
    #[serde(default)]
    pub selected: Vec<String>,
    /// How sure the reader is of what it read, 0 to 1.
    pub legibility: f32,
    /// The student wrote "continued on page …", or the text stops at the edge of its space.
    #[serde(default)]
    pub continues_elsewhere: bool,
    /// There is ink that is no text: a drawing, a graph, a table filled in by hand.
    #[serde(default)]
    pub has_drawing: bool,
    /// Pictures of the answer space alone, for an engine that can see. They must not show the student's
    /// name: whoever cuts them out cuts out the answer space and nothing else.
    #[serde(skip)]
    pub pictures: Vec<Picture>,
    /// Words that must not leave this machine: the student's name and identifiers. They are masked before
    /// anything is sent to a remote engine.
    #[serde(skip)]
    pub hidden: Vec<String>,
}

/// One word as the reader saw it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// First byte in the text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// How sure the reader is of it, 0 to 1.
    pub confidence: f32,
}

/// A picture of an answer space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// "image/png" or "image/jpeg".
    pub media_type: String,
    /// The file's bytes.
    pub bytes: Vec<u8>,
}

/// Consecutive words of an answer, `from` the first and `to` one past the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WordRange {
    /// Index of the first word.
    pub from: u32,
    /// One past the last word.
    pub to: u32,
}

impl Answer {
    /// An answer typed or read without boxes: its words are what white space separates.
    pub fn from_text(text: impl Into<String>) -> Answer {
        let text = text.into();
        let mut words = Vec::new();
        let mut end = 0;
        for word in text.split_whitespace() {
            let start = end + text[end..].find(word).unwrap_or_default();
            end = start + word.len();
            words.push(Word { start, end, confidence: 1.0 });
        }
        Answer { text, words, legibility: 1.0, ..Answer::default() }
    }

    /// An answer from the reader's words, line by line, each with the reader's confidence in it.
    pub fn from_words<'w, L, W>(lines: L) -> Answer
    where
        L: IntoIterator<Item = W>,
        W: IntoIterator<Item = (&'w str, f32)>,
    {
        let mut answer = Answer::default();
        for line in lines {
            let mut separator = if answer.text.is_empty() { "" } else { "\n" };
            for (word, confidence) in line {
                answer.text.push_str(separator);
                separator = " ";
                let start = answer.text.len();
                answer.text.push_str(word);
                answer.words.push(Word { start, end: answer.text.len(), confidence });
            }
        }
        let letters: usize = answer.words.iter().map(|word| word.end - word.start).sum();
        let sure: f32 =
            answer.words.iter().map(|word| word.confidence * (word.end - word.start) as f32).sum();
        answer.legibility = if letters == 0 { 1.0 } else { sure / letters as f32 };
        answer
    }

    /// An answer given by ticking alone.
    pub fn from_selection<S: Into<String>>(labels: impl IntoIterator<Item = S>) -> Answer {
        let selected = labels.into_iter().map(Into::into).collect();
        Answer { selected, legibility: 1.0, ..Answer::default() }
    }

    /// The words of a range, as they were read; nothing where there are no such words.
    pub fn quote(&self, range: WordRange) -> &str {
        let words = self.words.get(range.from as usize..range.to as usize).unwrap_or_default();
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return "" };
        self.text.get(first.start..last.end).unwrap_or_default()
    }

    /// True when nothing was written, ticked or drawn. Dashes, dots and ruled lines are nothing.
    pub fn is_blank(&self) -> bool {
        let says_something = self.text.chars().any(char::is_alphanumeric);
        // A lone symbol can be a whole answer: "<", "=", "✓".
        let lone_symbol = self.text.chars().any(|c| "<>=≤≥≠+×÷✓✔✗✘∞√°%".contains(c));
        !says_something && !lone_symbol && self.selected.is_empty() && !self.has_drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lie_where_they_were_read() {
        let answer = Answer::from_words([vec![("the", 0.9), ("rate", 0.8)], vec![("falls", 1.0)]]);
        assert_eq!(answer.text, "the rate\nfalls");
        let third = answer.words[2];
        assert_eq!(&answer.text[third.start..third.end], "falls");
        assert_eq!(Answer::from_text(answer.text.clone()).words.len(), 3);
    }

    #[test]
    fn ruled_lines_and_dots_are_blank() {
        for blank in ["", "  \n", "....", "____ ___", "-"] {
            assert!(Answer::from_text(blank).is_blank(), "{blank:?}");
        }
        for written in ["x", "7", ">", "✓"] {
            assert!(!Answer::from_text(written).is_blank(), "{written:?}");
        }
        assert!(!Answer::from_selection(["B"]).is_blank());
    }
}
