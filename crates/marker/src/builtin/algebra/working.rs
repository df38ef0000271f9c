//! Steps of working: sums that were written down, whether or not they were worked out rightly.

use super::lex::{Reading, Relation};
use super::parse::{Expression, Side, statements};
use std::ops::Range;

/// The value of a text that is one sum of numbers: "3 × 4 + 2", "√33", "5π".
pub(crate) fn constant_of(text: &str) -> Option<(f64, bool)> {
    let all = statements(text.trim().trim_end_matches('.'), Reading::default())?;
    let [statement] = all.as_slice() else { return None };
    let last = statement.sides.last()?.expression()?;
    Some((last.constant()?, last.is_exact_form() && !last.is_unevaluated()))
}

/// Where the answer shows a sum of at least two numbers that has the step's value.
pub(crate) fn has_step(answer: &str, step: &str) -> Option<Range<usize>> {
    let (wanted, _) = constant_of(step)?;
    let mut start = 0;
    for line in answer.split_inclusive(['\n', ';']) {
        let span = start..start + line.trim_end_matches(['\n', ';']).len();
        start += line.len();
        let shown = expressions(&answer[span.clone()]).unwrap_or_default();
        let found = shown.iter().any(|side| {
            let same_value =
                side.constant().is_some_and(|value| (value - wanted).abs() <= wanted.abs() * 1e-6 + 1e-12);
            same_value && side.length() >= 2
        });
        if found {
            return Some(span);
        }
    }
    None
}

fn expressions(text: &str) -> Option<Vec<Expression>> {
    let plain = text.trim().trim_end_matches('.');
    let all = statements(plain, Reading::default()).or_else(|| {
        let digit = plain.find(|c: char| c.is_ascii_digit() || "(√π".contains(c))?;
        statements(&plain[digit..], Reading::default())
    })?;
    let mut found = Vec::new();
    for statement in all {
        if statement.relations.iter().all(|relation| *relation == Relation::Equal) {
            found.extend(statement.sides.into_iter().filter_map(|side| match side {
                Side::Expression(expression) => Some(expression),
                Side::Tuple { .. } => None,
            }));
        }
    }
    Some(found)
}

/// The value of each sum in a text that uses the number `from`, as it stands and with `to` in its place.
pub(crate) fn recalculated(text: &str, from: f64, to: f64) -> Vec<(f64, f64)> {
    let sums = expressions(text).unwrap_or_default();
    sums.iter()
        .filter(|sum| sum.length() >= 2)
        .filter_map(|sum| {
            let (changed, times) = exchanged(sum, from, to);
            Some((sum.constant()?, changed.constant()?)).filter(|_| times > 0)
        })
        .collect()
}

/// The expression with one number for another, and how often it stood there.
fn exchanged(expression: &Expression, from: f64, to: f64) -> (Expression, u32) {
    let mut times = 0;
    let mut inner = |one: &Expression| {
        let (changed, count) = exchanged(one, from, to);
        times += count;
        changed
    };
    let changed = match expression {
        Expression::Number(value) if (value - from).abs() <= from.abs() * 1e-9 => {
            return (Expression::Number(to), 1);
        }
        Expression::Number(_) | Expression::Variable(_) => expression.clone(),
        Expression::Sum(all) => Expression::Sum(all.iter().map(&mut inner).collect()),
        Expression::Product(all) => Expression::Product(all.iter().map(&mut inner).collect()),
        Expression::Negative(one) => Expression::Negative(Box::new(inner(one))),
        Expression::Quotient(one, other) => {
            Expression::Quotient(Box::new(inner(one)), Box::new(inner(other)))
        }
        Expression::Power(one, other) => Expression::Power(Box::new(inner(one)), Box::new(inner(other))),
        Expression::Call(applied, one) => Expression::Call(*applied, Box::new(inner(one))),
    };
    (changed, times)
}
