//! English words and how usual each is, so that of two readings of a scrawl the one that is a word is taken.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Words and pieces of words, ordered by frequency.
static WORDS: &str = include_str!("../../../../models/meaning/vocab.txt");

/// What a word that is not known costs, and each of its letters besides: names and spelling mistakes are written, too.
pub(super) const UNKNOWN: f32 = 6.0;
const UNKNOWN_LETTER: f32 = 1.2;
/// What a long word of the paper costs at most: answers speak of what was asked.
const ASKED: f32 = 4.5;
/// Of a paper's long words, this share is known when it is English.
const ENGLISH_MIN: f32 = 0.6;
/// Shorter words are alike in many languages.
const LONG: usize = 4;
/// Fewer long words tell nothing.
const LONG_WORDS_MIN: usize = 8;

/// The words that are to be expected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lexicon {
    /// Those of the paper, in lower case, in order.
    asked: Vec<String>,
}

impl Lexicon {
    /// English, and the words of a paper.
    pub(super) fn of(asked: &[String]) -> Lexicon {
        let mut asked = asked.to_vec();
        asked.sort_unstable();
        Lexicon { asked }
    }

    /// What a word costs; rare ones cost more.
    pub(super) fn cost(&self, word: &str) -> f32 {
        let word = word.to_lowercase();
        let usual = cost(&word).unwrap_or(UNKNOWN + UNKNOWN_LETTER * word.len() as f32);
        if self.asked.binary_search(&word).is_ok() { usual.min(ASKED) } else { usual }
    }

    /// True when a known word begins so.
    pub(super) fn begins_word(&self, start: &str) -> bool {
        let start = start.to_lowercase();
        let at = self.asked.partition_point(|word| *word < start);
        self.asked.get(at).is_some_and(|word| word.starts_with(&start)) || begins_word(&start)
    }
}

fn cost(word: &str) -> Option<f32> {
    static COSTS: OnceLock<HashMap<&'static str, f32>> = OnceLock::new();
    // A word's frequency falls with its rank.
    let costs = COSTS
        .get_or_init(|| words().enumerate().map(|(rank, word)| (word, (rank as f32 + 8.0).ln())).collect());
    costs.get(word).copied()
}

fn begins_word(start: &str) -> bool {
    static SORTED: OnceLock<Vec<&'static str>> = OnceLock::new();
    let sorted = SORTED.get_or_init(|| {
        let mut words: Vec<&str> = words().collect();
        words.sort_unstable();
        words
    });
    let at = sorted.partition_point(|word| *word < start);
    sorted.get(at).is_some_and(|word| word.starts_with(start))
}

/// From the most usual to the rarest.
fn words() -> impl Iterator<Item = &'static str> {
    let whole = |word: &&str| word.bytes().all(|letter| letter.is_ascii_lowercase());
    let single = |word: &&str| word.len() > 1 || matches!(*word, "a" | "i");
    WORDS.lines().filter(whole).filter(single)
}

/// True when the words, of a document that was not recognised, are English.
pub(super) fn is_english<'w>(words: impl Iterator<Item = &'w str>) -> bool {
    let (mut known, mut all) = (0, 0);
    for word in words {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        if word.len() >= LONG && word.bytes().all(|letter| letter.is_ascii_alphabetic()) {
            all += 1;
            known += usize::from(cost(&word.to_lowercase()).is_some());
        }
    }
    all >= LONG_WORDS_MIN && known as f32 >= ENGLISH_MIN * all as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_words_cost_less_than_rare_ones_and_these_less_than_none() {
        let lexicon = Lexicon::default();
        assert!(lexicon.cost("The") < lexicon.cost("residue"));
        assert!(lexicon.cost("residue") < lexicon.cost("residve"));
        assert!(lexicon.begins_word("resid") && !lexicon.begins_word("residv"));
    }

    #[test]
    fn words_of_the_paper_are_expected() {
        let lexicon = Lexicon::of(&["xylem".to_owned(), "phloem".to_owned()]);
        assert!(lexicon.cost("phloem") < Lexicon::default().cost("phloem"));
        assert!(lexicon.begins_word("Phlo"));
    }

    #[test]
    fn english_is_told_from_other_languages() {
        let english = "Write down the name of the process by which water moves through the leaves of plants";
        let german =
            "Schreibe den Namen des Vorgangs auf, durch den Wasser durch Blätter einer Pflanze wandert";
        assert!(is_english(english.split(' ')) && !is_english(german.split(' ')));
        assert!(!is_english("1 2 3 A B C D".split(' ')));
    }
}
