//! Lookups by concept, over all languages at once.

use crate::{ALL, Concept, Language, fold, number_in};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// One bit a concept.
type Set = u128;

const fn bit(concept: Concept) -> Set {
    1 << concept as u32
}

/// How a phrase may be written: with its accents, without them, and as Romanian was before its own letters were common.
fn forms(phrase: &str) -> [String; 3] {
    let cedillas = phrase.replace('ș', "ş").replace('ț', "ţ");
    [phrase.to_owned(), fold(phrase), cedillas]
}

/// What each word or phrase means, accented and not.
static MEANINGS: LazyLock<HashMap<String, Set>> = LazyLock::new(|| {
    let mut meanings: HashMap<String, Set> = HashMap::new();
    for (concept, phrases) in ALL.iter().flat_map(|language| language.phrases).copied().flatten() {
        for form in phrases.iter().flat_map(|phrase| forms(phrase)) {
            *meanings.entry(form).or_default() |= bit(*concept);
        }
    }
    meanings
});

/// The phrases of each concept, longest first, accented and not.
static PHRASES: LazyLock<HashMap<Concept, Vec<String>>> = LazyLock::new(|| {
    let mut phrases: HashMap<Concept, Vec<String>> = HashMap::new();
    for (concept, own) in ALL.iter().flat_map(|language| language.phrases).copied().flatten() {
        phrases.entry(*concept).or_default().extend(own.iter().flat_map(|phrase| forms(phrase)));
    }
    for own in phrases.values_mut() {
        own.sort_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
        own.dedup();
    }
    phrases
});

static NEGATIONS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let words = ALL.iter().flat_map(|language| language.negations.split_whitespace());
    words.flat_map(|word| [word.to_owned(), fold(word)]).collect()
});
/// Those of English alone: "die" says nothing in German and much in biology.
static STOP_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| ALL[0].stop_words.split_whitespace().collect());

fn phrases(concept: Concept) -> &'static [String] {
    PHRASES.get(&concept).map_or(&[], Vec::as_slice)
}

/// True when a word or phrase in lower case means this.
pub fn is(concept: Concept, text: &str) -> bool {
    MEANINGS.get(text).is_some_and(|set| set & bit(concept) != 0)
}

/// True when one language has both words with these meanings: "per" spreads "marks", but not "punti".
pub fn in_one_language(one: (Concept, &str), other: (Concept, &str)) -> bool {
    ALL.iter().any(|language| has(language, one) && has(language, other))
}

/// The value of a number's word in a language that has the word beside it, too: "due" counts before "dei".
pub fn number_beside(word: &str, other: (Concept, &str)) -> Option<u32> {
    ALL.iter().filter(|language| has(language, other)).find_map(|language| number_in(language, word))
}

fn has(language: &Language, (concept, text): (Concept, &str)) -> bool {
    let own = language.phrases.iter().copied().flatten().filter(|(own, _)| *own == concept);
    own.flat_map(|(_, phrases)| phrases.iter()).any(|phrase| forms(phrase).iter().any(|form| form == text))
}

/// The longest phrase of the concept that a text in lower case begins with, as its length in bytes. A phrase
/// that ends with a letter must not go on with one.
pub fn begins_with(concept: Concept, lower: &str) -> Option<usize> {
    phrases(concept).iter().find(|phrase| starts(lower, phrase)).map(String::len)
}

fn starts(lower: &str, phrase: &str) -> bool {
    let ends_open = !phrase.ends_with(char::is_alphanumeric);
    lower.strip_prefix(phrase).is_some_and(|rest| ends_open || !rest.starts_with(char::is_alphanumeric))
}

/// True when a text in lower case ends with a phrase of the concept.
pub fn ends_with(concept: Concept, lower: &str) -> bool {
    phrases(concept).iter().any(|phrase| {
        lower.strip_suffix(phrase.as_str()).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    })
}

/// Where a text in lower case says a phrase of the concept, as whole words: its first place.
pub fn says(concept: Concept, lower: &str) -> Option<std::ops::Range<usize>> {
    phrases(concept)
        .iter()
        .filter_map(|phrase| {
            let found = lower.match_indices(phrase.as_str()).find(|(at, _)| {
                let before = lower[..*at].chars().next_back();
                starts(&lower[*at..], phrase) && !before.is_some_and(char::is_alphanumeric)
            });
            found.map(|(at, _)| at..at + phrase.len())
        })
        .min_by_key(|range| (range.start, std::cmp::Reverse(range.end)))
}

/// A text in lower case without the phrase of the concept that it begins with, whatever follows it:
/// "question4" is "4".
pub fn without_prefix(concept: Concept, lower: &str) -> Option<&str> {
    phrases(concept).iter().find_map(|phrase| lower.strip_prefix(phrase.as_str()))
}

/// True for a word in lower case that turns the meaning of its clause round.
pub fn is_negation(word: &str) -> bool {
    word.ends_with("n't") || NEGATIONS.contains(word)
}

/// True for an English word in lower case that says nothing by itself.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concepts_are_known_in_every_language() {
        for word in ["marks", "punkte", "points", "puntos", "pontos", "punti", "punten", "poäng", "pkt"] {
            assert!(is(Concept::MarkUnit, word), "{word}");
        }
        for word in [
            "question",
            "aufgabe",
            "exercice",
            "ejercicio",
            "questão",
            "esercizio",
            "vraag",
            "uppgift",
            "zadanie",
        ] {
            assert!(is(Concept::Label, word), "{word}");
        }
        assert!(is(Concept::Label, "questao"));
        assert!(!is(Concept::Label, "marks"));
    }

    #[test]
    fn words_of_two_languages_do_not_go_together() {
        assert!(in_one_language((Concept::MarkUnit, "marks"), (Concept::Per, "per")));
        assert!(in_one_language((Concept::MarkUnit, "poang"), (Concept::Per, "per")));
        assert!(!in_one_language((Concept::MarkUnit, "punti"), (Concept::Per, "per")));
        assert_eq!(number_beside("due", (Concept::PickOf, "dei")), Some(2));
        assert_eq!(number_beside("due", (Concept::PickOf, "of")), None);
    }

    #[test]
    fn phrases_are_whole_words() {
        assert_eq!(begins_with(Concept::Accept, "accept co2"), Some("accept".len()));
        assert_eq!(begins_with(Concept::Accept, "acceptable"), None);
        assert!(says(Concept::AsksDrawing, "now sketch the graph").is_some());
        assert!(says(Concept::AsksDrawing, "resketching").is_none());
    }

    #[test]
    fn negations_are_known_in_every_language() {
        for word in ["not", "nicht", "pas", "ningún", "não", "non", "niet", "inte", "nie", "doesn't"] {
            assert!(is_negation(word), "{word}");
        }
        assert!(!is_negation("note"));
    }

    #[test]
    fn every_phrase_is_in_lower_case_and_said_once() {
        for language in ALL {
            for (concept, phrases) in language.phrases.iter().copied().flatten() {
                for (index, phrase) in phrases.iter().enumerate() {
                    assert_eq!(**phrase, phrase.to_lowercase(), "{} {concept:?}", language.code);
                    assert!(!phrases[..index].contains(phrase), "{} {concept:?} {phrase}", language.code);
                }
            }
        }
    }
}
