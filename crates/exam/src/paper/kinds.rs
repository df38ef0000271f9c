//! How an answer is to be judged, by what the part asks.

use domain::marks::Marks;
use domain::question::{Choice, Kind};
use lexicon::Concept;

/// From this many marks on, prose is judged as a whole.
const LONG_ANSWER: Marks = Marks::whole(6);

pub(super) fn kind(text: &str, marks: Option<Marks>, options: &[Choice]) -> Kind {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let lower = words.join(" ");
    let says = |concept: Concept| lexicon::says(concept, &lower).is_some();
    let long = marks.is_some_and(|marks| marks >= LONG_ANSWER);
    if !options.is_empty() {
        return Kind::MultipleChoice;
    }
    if says(Concept::AsksDrawing) {
        return Kind::Drawing;
    }
    if says(Concept::AsksEssay) && (long || marks.is_none()) {
        return Kind::Extended;
    }
    if says(Concept::AsksExpression) {
        return Kind::Expression;
    }
    if says(Concept::AsksNumber) {
        return Kind::Numeric;
    }
    if long { Kind::Extended } else { Kind::ShortAnswer }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verb_tells_the_kind() {
        let of = |text, marks| kind(text, Some(Marks::whole(marks)), &[]);
        assert_eq!(of("Calculate the density of the block.", 2), Kind::Numeric);
        assert_eq!(of("Draw a ray diagram.", 3), Kind::Drawing);
        assert_eq!(of("Discuss whether tariffs help a country.", 12), Kind::Extended);
        assert_eq!(of("Show that x + y is even.", 3), Kind::Expression);
        assert_eq!(of("State one use of copper.", 1), Kind::ShortAnswer);
        let choice = Choice { label: "A".into(), text: "iron".into() };
        assert_eq!(kind("Which metal?", None, &[choice]), Kind::MultipleChoice);
    }
}
