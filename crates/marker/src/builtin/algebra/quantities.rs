//! The letters that science uses for its quantities, so that "F = ma" and "force = mass × acceleration" meet.

use super::parse::{Expression, Side, Statement};
use std::collections::BTreeSet;

const LETTERS: [(&str, &[&str]); 26] = [
    ("density", &["ρ", "d", "D", "p"]),
    ("mass", &["m", "M"]),
    ("volume", &["V", "v"]),
    ("force", &["F"]),
    ("acceleration", &["a"]),
    ("weight", &["W"]),
    ("gravity", &["g"]),
    ("current", &["I"]),
    ("voltage", &["V"]),
    ("charge", &["Q", "q"]),
    ("time", &["t", "T"]),
    ("power", &["P"]),
    ("energy", &["E"]),
    ("work", &["W"]),
    ("resistance", &["R"]),
    ("speed", &["v", "s"]),
    ("velocity", &["v"]),
    ("distance", &["d", "s", "x"]),
    ("pressure", &["P", "p"]),
    ("area", &["A"]),
    ("frequency", &["f"]),
    ("wavelength", &["λ"]),
    ("height", &["h"]),
    ("extension", &["x", "e"]),
    ("momentum", &["p"]),
    ("moles", &["n"]),
];

/// More combinations than a school formula needs.
const COMBINATIONS_MAX: usize = 64;

/// Both statements with the words of either replaced by letters, in every usual way.
pub(super) fn respelled(key: &Statement, given: &Statement) -> Vec<(Statement, Statement)> {
    let words: BTreeSet<&str> =
        names(key).union(&names(given)).copied().filter(|name| letters_for(name).is_some()).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut choices: Vec<Vec<(&str, &str)>> = vec![Vec::new()];
    for word in words {
        let letters = letters_for(word).unwrap_or_default();
        choices = choices
            .iter()
            .flat_map(|chosen| {
                letters.iter().map(move |letter| [chosen.as_slice(), &[(word, *letter)]].concat())
            })
            .take(COMBINATIONS_MAX)
            .collect();
    }
    choices.iter().map(|chosen| (renamed(key, chosen), renamed(given, chosen))).collect()
}

fn letters_for(word: &str) -> Option<&'static [&'static str]> {
    LETTERS.iter().find(|(name, _)| *name == word).map(|(_, letters)| *letters)
}

fn names(statement: &Statement) -> BTreeSet<&str> {
    statement.sides.iter().filter_map(Side::expression).flat_map(Expression::variables).collect()
}

fn renamed(statement: &Statement, chosen: &[(&str, &str)]) -> Statement {
    let side = |side: &Side| match side {
        Side::Expression(expression) => Side::Expression(rename(expression, chosen)),
        Side::Tuple { .. } => side.clone(),
    };
    Statement { sides: statement.sides.iter().map(side).collect(), relations: statement.relations.clone() }
}

fn rename(expression: &Expression, chosen: &[(&str, &str)]) -> Expression {
    let inner = |one: &Expression| Box::new(rename(one, chosen));
    match expression {
        Expression::Number(value) => Expression::Number(*value),
        Expression::Variable(name) => {
            let letter = chosen.iter().find(|(word, _)| word == name).map(|(_, letter)| *letter);
            Expression::Variable(letter.unwrap_or(name).to_owned())
        }
        Expression::Sum(all) => Expression::Sum(all.iter().map(|one| rename(one, chosen)).collect()),
        Expression::Product(all) => Expression::Product(all.iter().map(|one| rename(one, chosen)).collect()),
        Expression::Negative(one) => Expression::Negative(inner(one)),
        Expression::Quotient(one, other) => Expression::Quotient(inner(one), inner(other)),
        Expression::Power(one, other) => Expression::Power(inner(one), inner(other)),
        Expression::Call(applied, one) => Expression::Call(*applied, inner(one)),
    }
}
