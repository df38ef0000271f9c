//! How an answer is to be judged, by what the part asks.

use domain::marks::Marks;
use domain::question::{Choice, Kind};

/// From this many marks on, prose is judged as a whole.
const LONG_ANSWER: Marks = Marks::whole(6);

pub(super) fn kind(text: &str, marks: Option<Marks>, options: &[Choice]) -> Kind {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let lower = words.join(" ");
    let says = |phrases: &[&str]| {
        phrases.iter().any(|phrase| lower.starts_with(phrase) || lower.contains(&format!(" {phrase}")))
    };
    let long = marks.is_some_and(|marks| marks >= LONG_ANSWER);
    if !options.is_empty() {
        return Kind::MultipleChoice;
    }
    if says(DRAWING) {
        return Kind::Drawing;
    }
    if says(ESSAY) && (long || marks.is_none()) {
        return Kind::Extended;
    }
    if says(EXPRESSION) {
        return Kind::Expression;
    }
    if says(NUMERIC) {
        return Kind::Numeric;
    }
    if long { Kind::Extended } else { Kind::ShortAnswer }
}

const DRAWING: &[&str] = &[
    "draw ",
    "sketch",
    "plot ",
    "complete the diagram",
    "complete the graph",
    "label the diagram",
    "shade",
    "on the grid",
    "construct a",
    "on the diagram",
    "draw a line",
    "stem and leaf",
];

const ESSAY: &[&str] = &[
    "discuss",
    "evaluate",
    "assess",
    "to what extent",
    "analyse",
    "analyze",
    "recommend",
    "essay",
    "justify",
    "compare",
    "write a program",
    "write an account",
    "critically",
];

const EXPRESSION: &[&str] = &[
    "show that",
    "prove",
    "differentiate",
    "integrate",
    "simplify",
    "factorise",
    "factorize",
    "expand",
    "expression",
    "state the formula",
    "write the formula",
    "write an equation",
    "equation for",
    "equation of",
    "balanced equation",
    "in terms of",
    "in the form",
    "derive",
    "solve the equation",
    "dy dx",
    "formula linking",
];

const NUMERIC: &[&str] = &[
    "calculate",
    "how many",
    "find the value",
    "work out",
    "find the probability",
    "estimate",
    "find the mean",
    "what is the probability",
    "compute",
    "find the number",
    "find the length",
    "find the area",
    "find the volume",
    "give your answer to",
    "correct to",
    "evaluate",
    "find the median",
    "find the average",
    "how much",
    "how long",
    "find the time",
    "find the rate",
    "significant figures",
    "decimal places",
    "convert",
];

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
