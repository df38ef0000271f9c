//! Numbers in words.

use crate::{ALL, Language, fold};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Number words of other languages that are ordinary words in English: they count only where their language
/// is asked for.
const ENGLISH_WORDS: [&str; 9] = ["once", "due", "sex", "elf", "en", "een", "um", "einer", "mil"];

/// What names the first, the second and so on of a paper's parts: English, Spanish, Portuguese, French, Italian, German,
/// Dutch, Swedish, Polish.
const ORDINALS: [&[&str]; 5] = [
    &[
        "first",
        "primera",
        "primer",
        "primeira",
        "première",
        "prima",
        "erster",
        "erste",
        "eerste",
        "första",
        "pierwsza",
    ],
    &["second", "segunda", "deuxième", "seconde", "seconda", "zweiter", "zweite", "tweede", "andra", "druga"],
    &[
        "third",
        "tercera",
        "terceira",
        "troisième",
        "terza",
        "dritter",
        "dritte",
        "derde",
        "tredje",
        "trzecia",
    ],
    &["fourth", "cuarta", "quarta", "quatrième", "vierter", "vierte", "vierde", "fjärde", "czwarta"],
    &["fifth", "quinta", "cinquième", "fünfter", "fünfte", "vijfde", "femte", "piąta"],
];

/// The place that a word in small letters names: "second", "segunda", "zweiter".
pub fn ordinal(word: &str) -> Option<u32> {
    (1..).zip(ORDINALS).find(|(_, words)| words.contains(&word)).map(|(value, _)| value)
}

static NUMBERS: LazyLock<HashMap<String, u32>> = LazyLock::new(|| {
    let mut numbers = HashMap::new();
    for (word, value) in ALL.iter().flat_map(|language| of(language)) {
        for form in [word.to_owned(), fold(word)] {
            if !ENGLISH_WORDS.contains(&form.as_str()) {
                numbers.entry(form).or_insert(value);
            }
        }
    }
    numbers
});

fn of(language: &'static Language) -> impl Iterator<Item = (&'static str, u32)> {
    let counted = language.numbers.iter().zip(1..);
    let counted = counted.flat_map(|(words, value)| words.split(' ').map(move |word| (word, value)));
    counted.chain(language.more_numbers.iter().copied())
}

/// The value of a number's word, in lower case, in any language: "three", "drei", "trois".
pub fn number(word: &str) -> Option<u32> {
    NUMBERS.get(word).copied()
}

/// The value of a number's word in one language.
pub fn number_in(language: &'static Language, word: &str) -> Option<u32> {
    of(language)
        .find(|(known, _)| *known == word || (!known.is_ascii() && fold(known) == word))
        .map(|(_, value)| value)
}

/// "three", "drei" or "3": a number from 1 to 20.
pub fn small_number(word: &str) -> Option<u32> {
    const MOST: u32 = 20;
    number(word).or_else(|| word.parse().ok()).filter(|value| (1..=MOST).contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_known_in_every_language() {
        for word in ["three", "drei", "trois", "tres", "três", "tre", "drie", "trzy"] {
            assert_eq!(number(word), Some(3), "{word}");
        }
        assert_eq!(number("fünf"), number("funf"));
        assert_eq!(small_number("12"), Some(12));
        assert_eq!(small_number("21"), None);
    }

    #[test]
    fn english_words_are_no_numbers_by_chance() {
        assert_eq!(number("due"), None);
        assert_eq!(number("once"), None);
        let italian = ALL.iter().find(|language| language.code == "it").unwrap();
        assert_eq!(number_in(italian, "due"), Some(2));
    }
}
