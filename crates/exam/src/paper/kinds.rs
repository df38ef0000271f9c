//! How an answer is to be judged, by what the part asks.

use domain::marks::Marks;
use domain::question::{Choice, Kind};
use lexicon::Concept;
use lexicon::english::demands;

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
    if asks_drawing(&lower) {
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

/// "Draw a graph", not "on a plot of 0.5 hectares": behind an article it names a thing.
fn asks_drawing(lower: &str) -> bool {
    let mut rest = lower;
    while let Some(found) = lexicon::says(Concept::AsksDrawing, rest) {
        let before = rest[..found.start].split_whitespace().next_back();
        if !before.is_some_and(|word| demands::NOUN_LEADS.has(word)) {
            return true;
        }
        rest = &rest[found.end..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verb_tells_the_kind() {
        let of = |text, marks| kind(text, Some(Marks::whole(marks)), &[]);
        assert_eq!(of("Calculate the density of the block.", 2), Kind::Numeric);
        assert_eq!(of("Draw a ray diagram.", 3), Kind::Drawing);
        assert_eq!(of("Use the plot to calculate the rate.", 2), Kind::Numeric);
        assert_eq!(
            of("Calculate the seed for a plot of 2 hectares. Then plot your values.", 3),
            Kind::Drawing
        );
        assert_eq!(of("Discuss whether tariffs help a country.", 12), Kind::Extended);
        assert_eq!(of("Show that x + y is even.", 3), Kind::Expression);
        assert_eq!(of("State one use of copper.", 1), Kind::ShortAnswer);
        let choice = Choice { label: "A".into(), text: "iron".into() };
        assert_eq!(kind("Which metal?", None, &[choice]), Kind::MultipleChoice);
    }
}
