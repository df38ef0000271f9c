//! One statement against another: equal expressions, equations up to a factor, coordinates.

use super::lex::Relation;
use super::parse::{Expression, Side, Statement};
use super::quantities;
use crate::builtin::demand::Demands;
use crate::builtin::number::{Context, NumberKey, Quantity, compare};
use crate::builtin::verdict::{ALWAYS, Grant, LENIENT, NEVER, Reason, STANDARD};

/// What bears on a comparison besides the two statements.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) demands: &'a Demands,
}

type Comparison = (Grant, Option<Reason>);

const DIFFERENT: Comparison = (NEVER, Some(Reason::OtherValue));

/// Under which settings the answer's statement is the key's.
pub(super) fn statement_grant(key: &Statement, given: &Statement, rules: Rules<'_>) -> Comparison {
    let direct = equation_grant(key, given, rules);
    if direct.0 > NEVER {
        return direct;
    }
    // "density = mass / volume" for "ρ = m / V", and the other way round.
    let respelled = quantities::respelled(key, given)
        .into_iter()
        .map(|(key, given)| equation_grant(&key, &given, rules))
        .find(|(grant, _)| *grant > NEVER);
    let in_small_letters = || {
        let (key, given) = quantities::in_small_letters(key, given)?;
        let (grant, reason) = equation_grant(&key, &given, rules);
        (grant > NEVER).then(|| (grant.min(STANDARD), reason.or(Some(Reason::Form))))
    };
    let in_one_line = || {
        let (key, given) = quantities::in_one_line(key, given)?;
        Some(equation_grant(&key, &given, rules)).filter(|(grant, _)| *grant > NEVER)
    };
    let other = respelled.or_else(in_one_line).or_else(in_small_letters);
    other.unwrap_or_else(|| named_otherwise(key, given, rules))
}

fn equation_grant(key: &Statement, given: &Statement, rules: Rules<'_>) -> Comparison {
    let all_equal =
        |statement: &Statement| statement.relations.iter().all(|relation| *relation == Relation::Equal);
    if !all_equal(key) || !all_equal(given) {
        return if key == given { (ALWAYS, None) } else { DIFFERENT };
    }
    let (Some(key_last), Some(given_last)) = (key.sides.last(), given.sides.last()) else { return DIFFERENT };
    if key.relations.is_empty() {
        return side_grant(key_last, given_last, rules);
    }
    let key_first = &key.sides[0];
    let Some(label) = key_first.expression().filter(|first| first.is_label()) else {
        return whole_equation(key, given);
    };
    if given.relations.is_empty() {
        let (grant, reason) = side_grant(key_last, given_last, rules);
        let constant = key_last.expression().is_none_or(|expression| expression.constant().is_some());
        let limit = if constant {
            ALWAYS
        } else if label.is_silent_label() {
            STANDARD
        } else {
            LENIENT
        };
        return if grant > limit { (limit, Some(Reason::Form)) } else { (grant, reason) };
    }
    let given_first = &given.sides[0];
    if is_same_name(given_first, label) {
        return side_grant(key_last, given_last, rules);
    }
    if is_same_name(given_last, label) {
        return side_grant(key_last, given_first, rules);
    }
    let solved = key_last.expression().is_none_or(|expression| expression.constant().is_some());
    if solved { DIFFERENT } else { whole_equation(key, given) }
}

/// "H = a/(1 + a)" for "Y/X = a/(1 + a)": what the answer gives a name, the scheme writes out.
fn named_otherwise(key: &Statement, given: &Statement, rules: Rules<'_>) -> Comparison {
    let is_equation = |one: &Statement| one.relations.iter().all(|relation| *relation == Relation::Equal);
    let ([key_first, .., key_last], [first, .., last]) = (key.sides.as_slice(), given.sides.as_slice())
    else {
        return DIFFERENT;
    };
    let is_label = |side: &Side| side.expression().is_some_and(Expression::is_label);
    // A name of the scheme's own would say something else: "y = 2x" is no "y/3 = 2x".
    let is_new = |side: &Side| {
        let names = |side: &Side| {
            side.expression()
                .map(|one| one.variables().into_iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let own = names(side).unwrap_or_default();
        !key.sides.iter().filter_map(names).flatten().any(|name| own.contains(&name))
    };
    let is_ratio = matches!(key_first.expression(), Some(Expression::Quotient(..)));
    let is_named = is_equation(key) && is_equation(given) && is_ratio && is_label(first) && is_new(first);
    let is_formula = key_last.expression().is_some_and(|key| key.constant().is_none() && !key.is_label());
    let (grant, reason) = side_grant(key_last, last, rules);
    if is_named && is_formula && grant > NEVER { (grant.min(STANDARD), reason) } else { DIFFERENT }
}

fn is_same_name(side: &Side, label: &Expression) -> bool {
    side.expression().is_some_and(|expression| expression == label)
}

/// Equations that say the same: their differences are multiples of each other.
fn whole_equation(key: &Statement, given: &Statement) -> Comparison {
    let difference = |statement: &Statement| -> Option<Expression> {
        let first = statement.sides.first()?.expression()?.clone();
        let last = statement.sides.last().filter(|_| statement.sides.len() > 1)?.expression()?.clone();
        Some(Expression::Sum(vec![first, Expression::Negative(Box::new(last))]))
    };
    let multiple = matches!((difference(key), difference(given)), (Some(key), Some(given)) if given.ratio(&key).is_some());
    if multiple || is_rearranged(key, given) { (ALWAYS, None) } else { DIFFERENT }
}

/// "a = F/m" for "F = ma": with the given value of its subject, the key's equation holds.
fn is_rearranged(key: &Statement, given: &Statement) -> bool {
    let ends = |statement: &Statement| -> Option<(Expression, Expression)> {
        let first = statement.sides.first()?.expression()?.clone();
        Some((first, statement.sides.last().filter(|_| statement.sides.len() > 1)?.expression()?.clone()))
    };
    let (Some((key_first, key_last)), Some((first, last))) = (ends(key), ends(given)) else { return false };
    let (subject, value) = match (&first, &last) {
        (Expression::Variable(name), value) | (value, Expression::Variable(name)) => (name.as_str(), value),
        _ => return false,
    };
    let used = key_first.variables().contains(subject) || key_last.variables().contains(subject);
    used && !value.variables().contains(subject)
        && key_first.with_variable(subject, value).equals(&key_last.with_variable(subject, value))
}

fn side_grant(key: &Side, given: &Side, rules: Rules<'_>) -> Comparison {
    match (key, given) {
        (Side::Expression(key), Side::Expression(given)) => expression_grant(key, given, rules),
        (Side::Tuple { open: '{', members: key, .. }, Side::Tuple { members: given, .. }) => {
            let covers = |all: &[Expression], part: &[Expression]| {
                part.iter().all(|one| all.iter().any(|other| other.equals(one)))
            };
            if covers(key, given) && covers(given, key) { (ALWAYS, None) } else { DIFFERENT }
        }
        (
            Side::Tuple { members: key, open, close },
            Side::Tuple { members: given, open: given_open, close: given_close },
        ) => {
            let equal = key.len() == given.len()
                && key.iter().zip(given).all(|(key, given)| constant_or_equal(key, given));
            // Square brackets tell a closed interval from an open one; round ones may be coordinates.
            let same_brackets = (open, close) == (given_open, given_close) || (*open == '(' && *close == ')');
            match (equal, same_brackets) {
                (true, true) => (ALWAYS, None),
                (true, false) => (LENIENT, Some(Reason::Form)),
                (false, _) => DIFFERENT,
            }
        }
        _ => DIFFERENT,
    }
}

fn constant_or_equal(key: &Expression, given: &Expression) -> bool {
    given.equals(key)
}

fn expression_grant(key: &Expression, given: &Expression, rules: Rules<'_>) -> Comparison {
    if !given.equals(key) {
        return rounded_constant(key, given, rules.demands);
    }
    let demands = rules.demands;
    let worked_out = key.is_unevaluated() || !given.is_unevaluated();
    if key.constant().is_some() {
        return match (worked_out, demands.simplest && given.length() != key.length()) {
            (true, false) => (ALWAYS, None),
            _ => (LENIENT, Some(Reason::Form)),
        };
    }
    if demands.factorised && given.variable_factors() < key.variable_factors() {
        return (NEVER, Some(Reason::Form));
    }
    let longer = given.length() > key.length() + 1 || (given.has_brackets() && !key.has_brackets());
    if demands.expanded && !demands.factorised && longer {
        return (NEVER, Some(Reason::Form));
    }
    if worked_out { (ALWAYS, None) } else { (STANDARD, Some(Reason::Form)) }
}

/// "5.74" for "√33", and "√33" for "5.74".
fn rounded_constant(key: &Expression, given: &Expression, demands: &Demands) -> Comparison {
    let (Some(key_value), Some(given_value), Expression::Number(_) | Expression::Negative(_)) =
        (key.constant(), given.constant(), given)
    else {
        return DIFFERENT;
    };
    let Some(written) = Quantity::all(&given_value.to_string()).into_iter().next() else { return DIFFERENT };
    let exact = Quantity::exact(key_value, 0..0);
    let rules = crate::instructions::Rules::default();
    let context = Context { demands, rules: &rules, exact_only: false, ignores_sign: false };
    let (grant, reason) = compare(&NumberKey::of(exact), &written, context);
    let limit = if demands.exact { LENIENT } else { STANDARD };
    if grant > limit { (limit, Some(Reason::Form)) } else { (grant, reason) }
}
