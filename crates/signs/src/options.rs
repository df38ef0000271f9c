//! Options of a multiple choice in a text: by their labels, or by their own words.

use crate::words::fold;
use domain::question::Choice;
use std::collections::BTreeSet;

/// A printed label in one form: "(B)" is "b".
pub fn label(printed: &str) -> String {
    fold(printed.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// Letters and digits, single spaces between words, one case.
pub fn squeeze(text: &str) -> String {
    let folded = fold(text);
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Labels that stand alone in a text.
pub fn labels_in(text: &str, options: &[Choice]) -> BTreeSet<String> {
    let is_label = |word: &str| {
        if options.is_empty() {
            word.chars().count() == 1 && word.chars().all(|c| c.is_ascii_alphanumeric())
        } else {
            options.iter().any(|option| label(&option.label) == word)
        }
    };
    text.split(|c: char| !c.is_alphanumeric()).map(fold).filter(|word| is_label(word)).collect()
}

/// The options whose words the text says: the one that is the whole text, else all that it contains, longest first.
pub fn by_words(text: &str, options: &[Choice]) -> BTreeSet<String> {
    let squeezed = squeeze(text);
    let mut named: Vec<(String, &Choice)> =
        options.iter().map(|option| (squeeze(&option.text), option)).collect();
    named.retain(|(words, _)| !words.is_empty());
    named.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    if let Some((_, option)) = named.iter().find(|(words, _)| *words == squeezed) {
        return BTreeSet::from([label(&option.label)]);
    }
    let mut rest = format!(" {squeezed} ");
    let mut found = BTreeSet::new();
    for (words, option) in named {
        // What a longer option has used up does not count for a shorter one: "cell" in "cell wall".
        if let Some(at) = rest.find(&format!(" {words} ")) {
            rest.replace_range(at + 1..at + 1 + words.len(), "|");
            found.insert(label(&option.label));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_named_by_label_and_by_words() {
        let option = |label: &str, text: &str| Choice { label: label.into(), text: text.into() };
        let options = [option("(A)", "cell"), option("(B)", "cell wall"), option("(C)", "gap")];
        let set = |labels: &[&str]| labels.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
        assert_eq!(labels_in("A and C", &options), set(&["a", "c"]));
        assert_eq!(by_words("the cell wall", &options), set(&["b"]));
        assert_eq!(by_words("Cell", &options), set(&["a"]));
        assert_eq!(labels_in("B or x", &[]), set(&["b", "x"]));
    }
}
