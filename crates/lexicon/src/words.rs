//! Words and phrases of one meaning, and the ways in which a rule looks for them.

/// Words or phrases of one meaning, in the order in which they are tried. All are in lower case unless their table says
/// otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Words(&'static [&'static str]);

impl Words {
    /// No word.
    pub const NONE: Words = Words(&[]);

    pub(crate) const fn of(words: &'static [&'static str]) -> Words {
        Words(words)
    }

    /// True for one of them.
    pub fn has(self, word: &str) -> bool {
        self.0.contains(&word)
    }

    /// True for a text that holds one of them, even inside a word.
    pub fn within(self, text: &str) -> bool {
        self.0.iter().any(|word| text.contains(word))
    }

    /// True for a text that begins with one of them, whatever follows.
    pub fn begin(self, text: &str) -> bool {
        self.after(text).is_some()
    }

    /// True for a text that ends with one of them, whatever comes before.
    pub fn end(self, text: &str) -> bool {
        self.before(text).is_some()
    }

    /// What follows the first of them with which a text begins.
    pub fn after(self, text: &str) -> Option<&str> {
        self.0.iter().find_map(|word| text.strip_prefix(word))
    }

    /// What comes before the first of them with which a text ends.
    pub fn before(self, text: &str) -> Option<&str> {
        self.0.iter().find_map(|word| text.strip_suffix(word))
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: Words = Words::of(&["answers", "answer"]);

    #[test]
    fn words_are_found_whole_inside_and_at_either_end() {
        assert!(ANSWER.has("answer") && !ANSWER.has("answered"));
        assert!(ANSWER.within("the answered one") && !ANSWER.within("the question"));
        assert_eq!(ANSWER.after("answers: 4"), Some(": 4"));
        assert_eq!(ANSWER.before("my answer"), Some("my "));
        assert!(ANSWER.begin("answer 4") && !ANSWER.begin("4 answers"));
        assert!(ANSWER.end("4 answers") && !ANSWER.end("answer 4"));
        assert!(!Words::NONE.within("answer"));
    }
}
