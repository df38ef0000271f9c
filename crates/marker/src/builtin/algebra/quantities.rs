//! The letters that science uses for its quantities, so that "F = ma" and "force = mass × acceleration" meet.

use super::parse::{Expression, Side, Statement};
use lexicon::english::algebra;
use std::collections::BTreeSet;

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

/// Both statements in small letters, where that makes no two letters of the key one: "f = ma" for "F = ma".
pub(super) fn in_small_letters(key: &Statement, given: &Statement) -> Option<(Statement, Statement)> {
    let key_names = names(key);
    let small: BTreeSet<String> = key_names.iter().map(|name| name.to_lowercase()).collect();
    let clash = small.len() < key_names.len() || small.contains("e");
    let all: Vec<(String, String)> =
        key_names.union(&names(given)).map(|name| ((*name).to_owned(), name.to_lowercase())).collect();
    let chosen: Vec<(&str, &str)> = all.iter().map(|(name, small)| (name.as_str(), small.as_str())).collect();
    (!clash).then(|| (renamed(key, &chosen), renamed(given, &chosen)))
}

/// Both statements with every index set beside its letter as print without subscripts has it: "v_f" for "vf". `None` where
/// neither has such a name.
pub(super) fn in_one_line(key: &Statement, given: &Statement) -> Option<(Statement, Statement)> {
    let is_indexed = |name: &str| {
        (2..=3).contains(&name.chars().count()) && name.chars().all(char::is_alphabetic) && !is_quantity(name)
    };
    let apart = |name: &str| {
        let letters = || name.chars().map(|letter| Expression::Variable(letter.to_string())).collect();
        is_indexed(name).then(|| Expression::Product(letters()))
    };
    let has_index = names(key).union(&names(given)).any(|name| is_indexed(name));
    has_index.then(|| (exchanged(key, &apart), exchanged(given, &apart)))
}

fn letters_for(word: &str) -> Option<&'static [&'static str]> {
    algebra::QUANTITIES.iter().find(|(name, _)| *name == word).map(|(_, letters)| *letters)
}

fn names(statement: &Statement) -> BTreeSet<&str> {
    statement.sides.iter().filter_map(Side::expression).flat_map(Expression::variables).collect()
}

/// True for the name of a quantity that has a letter.
pub(super) fn is_quantity(word: &str) -> bool {
    letters_for(word).is_some()
}

fn renamed(statement: &Statement, chosen: &[(&str, &str)]) -> Statement {
    let exchange = |name: &str| {
        let letter = chosen.iter().find(|(word, _)| *word == name)?.1;
        Some(Expression::Variable(letter.to_owned()))
    };
    exchanged(statement, &exchange)
}

fn exchanged(statement: &Statement, exchange: &dyn Fn(&str) -> Option<Expression>) -> Statement {
    let side = |side: &Side| match side {
        Side::Expression(expression) => Side::Expression(expression.exchanged(exchange)),
        Side::Tuple { .. } => side.clone(),
    };
    Statement { sides: statement.sides.iter().map(side).collect(), relations: statement.relations.clone() }
}

impl Expression {
    /// The expression with another in place of one variable.
    pub(super) fn with_variable(&self, name: &str, value: &Expression) -> Expression {
        self.exchanged(&|found: &str| (found == name).then(|| value.clone()))
    }

    /// The expression with others in place of the variables for which `exchange` has one.
    fn exchanged(&self, exchange: &dyn Fn(&str) -> Option<Expression>) -> Expression {
        let inner = |one: &Expression| Box::new(one.exchanged(exchange));
        match self {
            Expression::Number(value) => Expression::Number(*value),
            Expression::Variable(name) => exchange(name).unwrap_or_else(|| self.clone()),
            Expression::Sum(all) => Expression::Sum(all.iter().map(|one| one.exchanged(exchange)).collect()),
            Expression::Product(all) => {
                Expression::Product(all.iter().map(|one| one.exchanged(exchange)).collect())
            }
            Expression::Negative(one) => Expression::Negative(inner(one)),
            Expression::Quotient(one, other) => Expression::Quotient(inner(one), inner(other)),
            Expression::Power(one, other) => Expression::Power(inner(one), inner(other)),
            Expression::Call(applied, one) => Expression::Call(*applied, inner(one)),
        }
    }
}
