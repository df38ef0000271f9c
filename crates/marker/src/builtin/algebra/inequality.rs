//! Inequalities and intervals as sets of conditions.

use super::lex::Relation;
use super::parse::{Expression, Side, Statement};
use crate::builtin::verdict::{ALWAYS, LENIENT, Reason, Verdict};

/// `expression < 0`, or `≤ 0` when `closed`.
struct Condition {
    expression: Expression,
    closed: bool,
}

/// Judges inequalities; `None` when the key holds none.
pub(super) fn judge(key: &[Statement], given: &[Statement]) -> Option<Verdict> {
    let wanted = conditions(key, None)?;
    let name = single_variable(&wanted);
    let refused = Verdict::refused(0.9, Some(Reason::OtherValue));
    let Some(found) = conditions(given, name.as_deref()) else { return Some(refused) };
    if wanted.len() != found.len() {
        return Some(refused);
    }
    let pairs: Option<Vec<bool>> = wanted
        .iter()
        .map(|want| {
            found
                .iter()
                .filter(|found| found.expression.ratio(&want.expression).is_some_and(|ratio| ratio > 0.0))
                .map(|found| found.closed == want.closed)
                .max()
        })
        .collect();
    Some(match pairs {
        Some(pairs) if pairs.iter().all(|same| *same) => {
            Verdict { grant: ALWAYS, confidence: 0.93, ..Verdict::default() }
        }
        Some(_) => {
            Verdict { grant: LENIENT, reason: Some(Reason::Form), confidence: 0.8, ..Verdict::default() }
        }
        None => refused,
    })
}

/// Every condition stated; `None` when a statement is something else.
fn conditions(statements: &[Statement], name: Option<&str>) -> Option<Vec<Condition>> {
    let mut all = Vec::new();
    for statement in statements {
        match (statement.sides.as_slice(), name) {
            ([Side::Tuple { open, close, members }], Some(name)) => {
                all.extend(interval(*open, *close, members, name)?);
            }
            ([..], _) if statement.relations.is_empty() => return None,
            (sides, _) => {
                for (pair, relation) in sides.windows(2).zip(&statement.relations) {
                    all.push(condition(pair[0].expression()?, *relation, pair[1].expression()?)?);
                }
            }
        }
    }
    (!all.is_empty()).then_some(all)
}

fn condition(left: &Expression, relation: Relation, right: &Expression) -> Option<Condition> {
    let minus = |one: &Expression, other: &Expression| {
        Expression::Sum(vec![one.clone(), Expression::Negative(Box::new(other.clone()))])
    };
    match relation {
        Relation::Less => Some(Condition { expression: minus(left, right), closed: false }),
        Relation::LessOrEqual => Some(Condition { expression: minus(left, right), closed: true }),
        Relation::Greater => Some(Condition { expression: minus(right, left), closed: false }),
        Relation::GreaterOrEqual => Some(Condition { expression: minus(right, left), closed: true }),
        Relation::Equal | Relation::NotEqual => None,
    }
}

/// "(-1, 4]" for the variable that the key is about.
fn interval(open: char, close: char, members: &[Expression], name: &str) -> Option<Vec<Condition>> {
    let [low, high] = members else { return None };
    let variable = Expression::Variable(name.to_owned());
    let lower = if open == '[' { Relation::LessOrEqual } else { Relation::Less };
    let upper = if close == ']' { Relation::LessOrEqual } else { Relation::Less };
    Some(vec![condition(low, lower, &variable)?, condition(&variable, upper, high)?])
}

fn single_variable(conditions: &[Condition]) -> Option<String> {
    let first = conditions.first()?;
    let names = first.expression.variables();
    let name = names.iter().next().filter(|_| names.len() == 1)?;
    Some((*name).to_owned())
}
