//! Headings that announce the solution of a question: "Solution to Exercise 2", "Corrigé de l'exercice 2", "Answer 2:".

use crate::labels::{self, Kind, Label, Style};
use lexicon::Concept;

/// Between the word for a solution and the question's stand no more words.
const BETWEEN_MAX: usize = 2;
/// Such words are short: "to", "zu", "de la".
const JOINT_LETTERS_MAX: usize = 4;
/// "Answer 2" without a sign behind it is a heading only where nothing else stands on its line.
const BARE_WORDS: usize = 2;

/// The label of the question whose solution a line announces, all words before its text counted as its own.
pub(super) fn label(texts: &[&str]) -> Option<Label> {
    let first = texts.first()?.to_lowercase();
    let lead = first.trim_end_matches([':', '.']);
    let starts = texts[0].starts_with(char::is_uppercase)
        && [Concept::SolutionLead, Concept::AnswerLead].iter().any(|own| lexicon::is(*own, lead));
    if !starts {
        return None;
    }
    numbered(texts).or_else(|| {
        let reach = texts.len().min(BETWEEN_MAX + 2);
        (1..reach).find_map(|at| {
            let joints = texts[1..at].iter().all(|word| word.chars().count() <= JOINT_LETTERS_MAX);
            let mut own: Vec<&str> = texts[at..].to_vec();
            // "dell'esercizio"
            own[0] = own[0].rsplit(['\'', '’']).next().unwrap_or(own[0]);
            let label = labels::parse(&own).filter(|label| label.style == Style::Keyword && joints)?;
            Some(Label { words: label.words + at, ..label })
        })
    })
}

/// "Solution 2:", "Answer 2."
fn numbered(texts: &[&str]) -> Option<Label> {
    let number = texts.get(1)?;
    let label = labels::parse(&texts[1..])?;
    let closed = number.ends_with([':', '.', ')']) || texts.len() <= BARE_WORDS;
    let plain = label.tokens[0].kind == Kind::Number && label.style != Style::Keyword && !label.glued;
    // "Solution: 2 m" gives a result.
    let parted = texts[0].ends_with([':', '.', '=']);
    (closed && plain && !parted).then(|| Label { words: label.words + 1, style: Style::Keyword, ..label })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(u32, usize)> {
        let texts: Vec<&str> = text.split(' ').collect();
        label(&texts).map(|label| (label.tokens[0].value, label.words))
    }

    #[test]
    fn solutions_are_announced_in_many_ways() {
        assert_eq!(read("Solution to Exercise 2."), Some((2, 4)));
        assert_eq!(read("Solution of Problem 3 The cosets"), Some((3, 4)));
        assert_eq!(read("Corrigé de l'exercice 1"), Some((1, 4)));
        assert_eq!(read("Soluzione dell'esercizio 4."), Some((4, 3)));
        assert_eq!(read("Lösung zu Aufgabe 2"), Some((2, 4)));
        assert_eq!(read("Answer 5: iron"), Some((5, 2)));
        assert_eq!(read("Answer 5"), Some((5, 2)));
        for text in ["Answer: 5", "Answer 5 of the questions", "Solutions", "The answer to Question 2"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
