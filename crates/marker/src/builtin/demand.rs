//! What the question's own words ask of an answer's form: figures, simplest form, a unit, working shown.

use super::number::Unit;
use crate::words::small_number;
use lexicon::Words;
use lexicon::english::demands;
use signs::form::normal;

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
        let says = |phrases: Words| phrases.within(&text);
        Demands {
            figures: number_before(&text, demands::FIGURES),
            places: number_before(&text, demands::PLACES)
                .or_else(|| says(demands::WHOLE_NUMBER).then_some(0)),
            nearest: nearest(&text),
            simplest: says(demands::SIMPLEST),
            fraction: says(demands::FRACTION),
            mixed_number: says(demands::MIXED_NUMBER),
            decimal: says(demands::DECIMAL),
            percentage: asks_percentage(&text),
            standard_form: says(demands::STANDARD_FORM),
            exact: says(demands::EXACT),
            factorised: says(demands::FACTORISED),
            expanded: says(demands::EXPANDED),
            prime_factors: says(demands::PRIME_FACTORS),
            working: says(demands::WORKING) || demands::PROOF.begin(&text),
            state_symbols: says(demands::STATE_SYMBOLS),
            symbols: says(demands::SYMBOLS),
            chemical: says(demands::CHEMICAL),
            completing: says(demands::COMPLETING),
            time_of_day: says(demands::TIME_OF_DAY),
            unit: unit_named(&plain),
            count: count_asked(&text),
        }
    }
}

/// "what percentage", "........ %": not the "15%" that is given.
fn asks_percentage(text: &str) -> bool {
    let named = demands::PERCENTAGE.within(text);
    named
        || text
            .match_indices('%')
            .any(|(at, _)| !text[..at].trim_end().ends_with(|c: char| c.is_ascii_digit()))
}

/// "to 3 significant figures", "correct to three s.f."
fn number_before(text: &str, phrases: Words) -> Option<u32> {
    let at = phrases.iter().find_map(|phrase| text.find(phrase))?;
    let before = text[..at].trim_end();
    let word = before.rsplit([' ', '(']).next()?;
    small_number(word)
}

/// "to the nearest 10", "to the nearest thousand", "to the nearest 0.5".
fn nearest(text: &str) -> Option<f64> {
    let (_, rest) = text.split_once(demands::NEAREST)?;
    let word = rest.split([' ', ',', ';', ')', '?']).next()?.trim_end_matches('.');
    match demands::STEPS.iter().find(|(name, _)| *name == word) {
        Some((_, step)) => Some(*step),
        None => word.parse().ok().filter(|step: &f64| *step > 0.0),
    }
}

/// A unit behind "in", behind the dots of the answer line, or behind "=" at the end.
fn unit_named(text: &str) -> Option<Unit> {
    let behind_dots = text.rfind("...").map(|at| at + 3).or_else(|| text.rfind("___").map(|at| at + 3));
    let printed =
        behind_dots.and_then(|at| Unit::whole(text[at..].trim_matches([' ', '[', ']', '(', ')', '.'])));
    printed.or_else(|| {
        text.match_indices(demands::IN)
            .filter(|(at, _)| *at == 0 || text[..*at].ends_with([' ', '(']))
            .find_map(|(at, _)| {
                let rest = &text[at + demands::IN.len()..];
                let end = rest.find([',', ';', '?', ')']).unwrap_or(rest.len());
                let phrase = rest[..end].trim_end_matches('.');
                Unit::whole(phrase).or_else(|| Unit::whole(phrase.split(". ").next()?))
            })
    })
}

/// "Give two reasons", "State one advantage", "any three".
fn count_asked(text: &str) -> Option<u32> {
    demands::ASKING.iter().find_map(|verb| {
        text.match_indices(verb).find_map(|(at, _)| {
            let rest = text[at + verb.len()..].strip_prefix(' ')?;
            let rest = rest.strip_prefix(demands::THE).unwrap_or(rest);
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
