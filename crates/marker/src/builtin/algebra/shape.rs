//! The shape of an expression: how long it is, whether it is factorised, worked out, or a bare name.

use super::parse::{Expression, Side, Statement};

impl Expression {
    /// How many numbers and names it is written with.
    pub(super) fn length(&self) -> usize {
        match self {
            Expression::Number(_) | Expression::Variable(_) => 1,
            Expression::Sum(all) | Expression::Product(all) => all.iter().map(Expression::length).sum(),
            Expression::Negative(inner) | Expression::Call(_, inner) => inner.length(),
            Expression::Quotient(one, other) => one.length() + other.length(),
            // A root is one sign, though it is kept as a power.
            Expression::Power(base, exponent) if is_root(exponent) => base.length(),
            Expression::Power(base, exponent) => base.length() + exponent.length(),
        }
    }

    /// How many of its factors contain a variable; a power counts once, a sum is one factor.
    pub(super) fn variable_factors(&self) -> usize {
        match self {
            Expression::Product(factors) => factors.iter().map(Expression::variable_factors).sum(),
            Expression::Negative(inner) => inner.variable_factors(),
            Expression::Quotient(above, _) => above.variable_factors(),
            Expression::Power(base, exponent) => match exponent.constant() {
                Some(times) if (2.0..=9.0).contains(&times) && times.fract() == 0.0 => {
                    base.variable_factors() * times as usize
                }
                _ => base.variable_factors(),
            },
            other => usize::from(!other.variables().is_empty()),
        }
    }

    /// True when a sum in brackets is multiplied or raised: it could be expanded.
    pub(super) fn has_brackets(&self) -> bool {
        let is_sum = |one: &Expression| matches!(one, Expression::Sum(_));
        match self {
            Expression::Number(_) | Expression::Variable(_) => false,
            Expression::Sum(all) => all.iter().any(Expression::has_brackets),
            Expression::Product(all) => all.iter().any(|one| is_sum(one) || one.has_brackets()),
            Expression::Negative(inner) => is_sum(inner) || inner.has_brackets(),
            Expression::Call(_, inner) => inner.has_brackets(),
            Expression::Quotient(one, other) => one.has_brackets() || other.has_brackets(),
            Expression::Power(base, _) => {
                is_sum(base)
                    || base.has_brackets()
                    || matches!(**base, Expression::Power(..) | Expression::Product(_))
            }
        }
    }

    /// True when numbers stand in it that should have been added or multiplied: "10/2 + 3".
    pub(super) fn is_unevaluated(&self) -> bool {
        let plain = |one: &Expression| match one {
            Expression::Number(_) => true,
            Expression::Negative(inner) => matches!(**inner, Expression::Number(_)),
            _ => false,
        };
        match self {
            Expression::Number(_) | Expression::Variable(_) => false,
            Expression::Sum(all) | Expression::Product(all) => {
                all.iter().filter(|one| plain(one)).count() >= 2 || all.iter().any(Expression::is_unevaluated)
            }
            Expression::Negative(inner) | Expression::Call(_, inner) => inner.is_unevaluated(),
            Expression::Quotient(above, below) => {
                let whole = matches!((above.constant(), below.constant()), (Some(above), Some(below)) if (above / below).fract() == 0.0);
                whole || above.is_unevaluated() || below.is_unevaluated()
            }
            Expression::Power(base, exponent) => {
                (plain(base) && plain(exponent) && !is_root(exponent))
                    || base.is_unevaluated()
                    || exponent.is_unevaluated()
            }
        }
    }

    /// True when a root, a power, π or a function stands in it: an exact value that has no shorter form.
    pub(super) fn is_exact_form(&self) -> bool {
        match self {
            Expression::Number(_) => false,
            Expression::Variable(name) => matches!(name.as_str(), "π" | "e"),
            Expression::Sum(all) | Expression::Product(all) => all.iter().any(Expression::is_exact_form),
            Expression::Negative(inner) => inner.is_exact_form(),
            Expression::Call(..) | Expression::Power(..) => true,
            Expression::Quotient(one, other) => one.is_exact_form() || other.is_exact_form(),
        }
    }

    /// True for a name, or for what stands for one: f(x), P(A), dy/dx, "kinetic energy".
    pub(super) fn is_label(&self) -> bool {
        match self {
            Expression::Variable(name) => !matches!(name.as_str(), "π" | "e"),
            Expression::Product(factors) => {
                factors.len() <= 3
                    && factors.iter().all(|factor| matches!(factor, Expression::Variable(_)))
                    && factors.first().is_some_and(
                        |first| matches!(first, Expression::Variable(name) if is_function_name(name)),
                    )
            }
            _ => false,
        }
    }

    /// True for a label that answers often leave out: f(x), dy/dx, P(A), a whole word.
    pub(super) fn is_silent_label(&self) -> bool {
        match self {
            Expression::Variable(name) => name.chars().count() > 1,
            _ => self.is_label(),
        }
    }
}

fn is_function_name(name: &str) -> bool {
    matches!(name.trim_end_matches('\''), "f" | "g" | "h" | "P" | "E" | "p" | "F") || name.len() >= 4
}

fn is_root(exponent: &Expression) -> bool {
    matches!(exponent, Expression::Number(value) if value.fract() != 0.0)
}

impl Side {
    pub(super) fn expression(&self) -> Option<&Expression> {
        match self {
            Side::Expression(expression) => Some(expression),
            Side::Tuple { .. } => None,
        }
    }

    /// True when something in it makes it mathematics rather than a word.
    fn has_structure(&self) -> bool {
        match self {
            Side::Expression(expression) => expression.length() > 1 || expression.is_exact_form(),
            Side::Tuple { members, .. } => members.iter().any(|member| member.constant().is_some()),
        }
    }

    fn has_word(&self) -> bool {
        let is_word = |name: &&str| name.chars().count() >= 4 && name.chars().all(char::is_alphabetic);
        match self {
            Side::Expression(expression) => expression.variables().iter().any(is_word),
            Side::Tuple { members, .. } => {
                members.iter().any(|member| member.variables().iter().any(is_word))
            }
        }
    }
}

impl Statement {
    /// True when this is mathematics. With `words_allowed`, "density = mass / volume" is.
    pub(super) fn is_mathematics(&self, words_allowed: bool) -> bool {
        let related = !self.relations.is_empty();
        let structured = self.sides.iter().any(Side::has_structure);
        let wordy = self.sides.iter().any(Side::has_word);
        // "air" is no product of three letters, unless formulae are expected.
        let only_words = self.sides.iter().all(|side| {
            match side {
            Side::Expression(Expression::Product(factors)) => factors.iter().all(|factor| {
                matches!(factor, Expression::Variable(name) if name.len() > 1 || (!words_allowed && !related))
            }),
            _ => false,
        }
        });
        (related || structured) && (!wordy || (words_allowed && related)) && !only_words
    }
}
