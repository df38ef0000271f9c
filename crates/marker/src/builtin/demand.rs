//! What the question's own words ask of an answer's form: figures, simplest form, a unit, working shown.

use super::normal::normal;
use super::number::Unit;
use crate::words::small_number;

/// What the question asks of the form of its answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Demands {
    /// "to 3 significant figures"
    pub(crate) figures: Option<u32>,
    /// "to 2 decimal places"; "to the nearest whole number" is zero places.
    pub(crate) places: Option<u32>,
    /// "to the nearest 10"
    pub(crate) nearest: Option<f64>,
    /// A fraction in lowest terms, a ratio or a surd that cannot be made simpler.
    pub(crate) simplest: bool,
    pub(crate) fraction: bool,
    pub(crate) mixed_number: bool,
    pub(crate) decimal: bool,
    pub(crate) percentage: bool,
    pub(crate) standard_form: bool,
    /// "exact", "in terms of π", "in the form a√b"
    pub(crate) exact: bool,
    pub(crate) factorised: bool,
    pub(crate) expanded: bool,
    /// "as a product of its prime factors"
    pub(crate) prime_factors: bool,
    /// "show that", "you must show your working": an answer alone proves nothing.
    pub(crate) working: bool,
    pub(crate) state_symbols: bool,
    /// "ionic equation", "symbol equation", "formula": chemistry or algebra in symbols.
    pub(crate) symbols: bool,
    /// Something in chemistry is asked for by its formula or equation.
    pub(crate) chemical: bool,
    /// "Complete the equation": what is printed need not be written again.
    pub(crate) completing: bool,
    pub(crate) time_of_day: bool,
    /// The unit that the question names or prints behind the answer line.
    pub(crate) unit: Option<Unit>,
    /// How many things are asked for: "Give two reasons".
    pub(crate) count: Option<u32>,
}

impl Demands {
    /// Reads what a question demands.
    pub(crate) fn of(question: &str) -> Demands {
        let plain = normal(question).replace('\n', " ");
        let text = plain.to_lowercase();
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
        Demands {
            figures: number_before(&text, &["significant figure", "sig fig", "s.f.", " sf"]),
            places: number_before(&text, &["decimal place", "d.p.", " dp"])
                .or_else(|| says(&["nearest whole number", "nearest integer"]).then_some(0)),
            nearest: nearest(&text),
            simplest: says(&SIMPLEST),
            fraction: says(&FRACTION),
            mixed_number: says(&["mixed number"]),
            decimal: says(&["as a decimal"]),
            percentage: asks_percentage(&text),
            standard_form: says(&["standard form", "scientific notation", "standard index form"]),
            exact: says(&EXACT),
            factorised: says(&["factorise", "factorize", "factor completely", "factored form"]),
            expanded: says(&["expand", "multiply out", "simplify"]),
            prime_factors: says(&["product of prime", "product of its prime"]),
            working: says(&WORKING) || text.starts_with("prove"),
            state_symbols: says(&["state symbol"]),
            symbols: says(&SYMBOLS),
            chemical: says(&CHEMICAL),
            completing: says(&["complete the"]),
            time_of_day: says(&TIME_OF_DAY),
            unit: unit_named(&plain),
            count: count_asked(&text),
        }
    }
}

const SIMPLEST: [&str; 5] =
    ["simplest form", "lowest terms", "simplest terms", "simplify your answer", "simplest possible"];
const FRACTION: [&str; 4] =
    ["as a fraction", "as a single fraction", "as a simplified fraction", "as an improper fraction"];
const EXACT: [&str; 5] = ["exactly", "exact ", "in terms of π", "in terms of pi", "in surd form"];
/// "Show your working" is advice: a right result still implies it. These are conditions.
const WORKING: [&str; 8] = [
    "show that",
    " prove ",
    "must show",
    "verify that",
    "show full working",
    "show all your working",
    "show all working",
    "no marks will be given for answers without",
];
const SYMBOLS: [&str; 8] = [
    "symbol equation",
    "balanced equation",
    "ionic equation",
    "half equation",
    "half-equation",
    "formula",
    "write the equation",
    "chemical equation",
];
const CHEMICAL: [&str; 16] = [
    "chemical",
    "ionic",
    "half-equation",
    "half equation",
    "state symbol",
    "balance",
    "formula of",
    "formula for",
    " ion ",
    " ion.",
    " ions",
    "compound",
    "reaction",
    "oxide",
    "acid",
    "ion formed",
];
const TIME_OF_DAY: [&str; 8] =
    ["what time", "at what time", "time does", "o'clock", "a.m.", "p.m.", "arrival time", "departure time"];

/// "what percentage", "........ %": not the "15%" that is given.
fn asks_percentage(text: &str) -> bool {
    let named = ["percentage", "per cent", "percent"].iter().any(|word| text.contains(word));
    named
        || text
            .match_indices('%')
            .any(|(at, _)| !text[..at].trim_end().ends_with(|c: char| c.is_ascii_digit()))
}

/// "to 3 significant figures", "correct to three s.f."
fn number_before(text: &str, phrases: &[&str]) -> Option<u32> {
    let at = phrases.iter().find_map(|phrase| text.find(phrase))?;
    let before = text[..at].trim_end();
    let word = before.rsplit([' ', '(']).next()?;
    small_number(word)
}

/// "to the nearest 10", "to the nearest thousand", "to the nearest 0.5".
fn nearest(text: &str) -> Option<f64> {
    let rest = &text[text.find("nearest ")? + "nearest ".len()..];
    let word = rest.split([' ', ',', ';', ')', '?']).next()?.trim_end_matches('.');
    match word {
        "ten" => Some(10.0),
        "hundred" => Some(100.0),
        "thousand" => Some(1000.0),
        "million" => Some(1e6),
        "tenth" => Some(0.1),
        "hundredth" => Some(0.01),
        "cent" | "penny" | "pence" => Some(0.01),
        "dollar" | "pound" | "degree" => Some(1.0),
        _ => word.parse().ok().filter(|step: &f64| *step > 0.0),
    }
}

/// A unit behind "in", behind the dots of the answer line, or behind "=" at the end.
fn unit_named(text: &str) -> Option<Unit> {
    let behind_dots = text.rfind("...").map(|at| at + 3).or_else(|| text.rfind("___").map(|at| at + 3));
    let printed =
        behind_dots.and_then(|at| Unit::whole(text[at..].trim_matches([' ', '[', ']', '(', ')', '.'])));
    printed.or_else(|| {
        text.match_indices("in ").filter(|(at, _)| *at == 0 || text[..*at].ends_with([' ', '('])).find_map(
            |(at, _)| {
                let rest = &text[at + 3..];
                let end = rest.find([',', ';', '?', ')']).unwrap_or(rest.len());
                let phrase = rest[..end].trim_end_matches('.');
                Unit::whole(phrase).or_else(|| Unit::whole(phrase.split(". ").next()?))
            },
        )
    })
}

/// "Give two reasons", "State one advantage", "any three".
fn count_asked(text: &str) -> Option<u32> {
    const VERBS: [&str; 14] = [
        "give",
        "state",
        "name",
        "list",
        "identify",
        "suggest",
        "describe",
        "write down",
        "explain",
        "any",
        "outline",
        "select",
        "tick",
        "circle",
    ];
    VERBS.iter().find_map(|verb| {
        text.match_indices(verb).find_map(|(at, _)| {
            let rest = text[at + verb.len()..].strip_prefix(' ')?;
            let rest = rest.strip_prefix("the ").unwrap_or(rest);
            small_number(rest.split([' ', '.', ',']).next()?)
                .filter(|_| !rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_forms_units_and_counts_are_read_from_the_question() {
        assert_eq!(Demands::of("Give your answer to 3 significant figures.").figures, Some(3));
        assert_eq!(Demands::of("Correct to two decimal places").places, Some(2));
        assert_eq!(Demands::of("Round to the nearest thousand.").nearest, Some(1000.0));
        assert!(Demands::of("Give your fraction in its simplest form").simplest);
        assert_eq!(Demands::of("Give two reasons why.").count, Some(2));
        assert_eq!(Demands::of("Describe the trend.").count, None);
        assert!(Demands::of("Find the speed in km/h.").unit.is_some());
        assert!(Demands::of("Work out the mass. ............ kg").unit.is_some());
        assert!(Demands::of("Explain the change in the rate.").unit.is_none());
        assert!(Demands::of("Show that x = 5").working);
    }
}
