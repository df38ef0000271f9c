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

/// "Draw a graph", not "on a plot of 0.5 hectares": behind an article it names a thing. Nor "draw a conclusion", nor where
/// words may stand in the drawing's place.
fn asks_drawing(lower: &str) -> bool {
    let whole = format!(" {lower} ");
    if demands::WRITTEN_INSTEAD.iter().any(|words| whole.contains(&format!(" {words} "))) {
        return false;
    }
    let mut rest = lower;
    while let Some(found) = lexicon::says(Concept::AsksDrawing, rest) {
        let before = rest[..found.start].split_whitespace().next_back();
        let names_thing = before.is_some_and(|word| demands::NOUN_LEADS.has(word));
        if !names_thing && !is_figurative(&rest[found.clone()], &rest[found.end..]) {
            return true;
        }
        rest = &rest[found.end..];
    }
    false
}

/// True where what follows a word for drawing is thought or written: "draw a conclusion", "construct a 95 confidence
/// interval".
fn is_figurative(verb: &str, after: &str) -> bool {
    /// "95 confidence interval", "valid counterexample".
    const REACH: usize = 3;
    let mut drawn = after.split(' ').filter(|word| !word.is_empty() && !demands::NOUN_LEADS.has(word));
    if demands::CONSTRUCTING.has(verb) {
        return drawn.take(REACH).any(|word| demands::CONSTRUCTED_IN_WORDS.has(word));
    }
    drawn.next().is_some_and(|word| demands::DRAWN_IN_THOUGHT.has(word))
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
        assert_eq!(of("Construct a triangle with sides of 3, 4 and 6 cm.", 3), Kind::Drawing);
        assert_eq!(of("Draw on Fig. 2 the path of the ray.", 2), Kind::Drawing);
        assert_eq!(of("Draw the displayed formula for methanol.", 1), Kind::Drawing);
        assert_eq!(of("Draw the graph for state 2.", 2), Kind::Drawing);
        for written in [
            "Construct a 95% confidence interval for the mean.",
            "Draw a conclusion from the results.",
            "Compare the two plans, drawing on Source B. Draw one comparison.",
            "Draw the timeline (or write the order with the years).",
            "Draw the forces. (Instead of a drawing, they may be written down with their directions.)",
        ] {
            assert_ne!(of(written, 3), Kind::Drawing, "{written}");
        }
        assert_eq!(of("Discuss whether tariffs help a country.", 12), Kind::Extended);
        assert_eq!(of("Show that x + y is even.", 3), Kind::Expression);
        assert_eq!(of("State one use of copper.", 1), Kind::ShortAnswer);
        let choice = Choice { label: "A".into(), text: "iron".into() };
        assert_eq!(kind("Which metal?", None, &[choice]), Kind::MultipleChoice);
    }
}
