//! Signs as expressions, with the multiplication that nobody writes.

use super::functions::Function;
use super::lex::{Reading, Relation, Token, lex};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Number(f64),
    Variable(String),
    Sum(Vec<Expression>),
    Product(Vec<Expression>),
    Negative(Box<Expression>),
    Quotient(Box<Expression>, Box<Expression>),
    Power(Box<Expression>, Box<Expression>),
    Call(Applied, Box<Expression>),
}

/// What is applied to an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Applied(pub(super) Operation);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operation {
    Function(Function),
    LogarithmToBase(f64),
    Absolute,
    Factorial,
}

/// One side of a statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Side {
    Expression(Expression),
    /// Coordinates, an interval or a set, with its brackets.
    Tuple {
        open: char,
        close: char,
        members: Vec<Expression>,
    },
}

/// "2x + 3", "y = 2x + 3", "-1 < x ≤ 4": sides with relations between them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Statement {
    pub(crate) sides: Vec<Side>,
    pub(crate) relations: Vec<Relation>,
}

/// Reads a text as statements; `None` when it is no mathematics. "±" makes two statements of one.
pub(super) fn statements(text: &str, reading: Reading) -> Option<Vec<Statement>> {
    let tokens = lex(text, reading)?;
    if tokens.contains(&Token::Sign('±')) {
        let signed = |sign: char| -> Vec<Token> {
            let exchange =
                |token: &Token| if *token == Token::Sign('±') { Token::Sign(sign) } else { token.clone() };
            tokens.iter().map(exchange).collect()
        };
        let mut all = Parser::new(&signed('+'), reading).statements()?;
        all.extend(Parser::new(&signed('-'), reading).statements()?);
        return Some(all);
    }
    Parser::new(&tokens, reading).statements()
}

/// Deeper nesting is no school mathematics, and would exhaust the stack.
const DEPTH_MAX: u32 = 40;

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: u32,
    reading: Reading,
}

impl<'t> Parser<'t> {
    fn new(tokens: &'t [Token], reading: Reading) -> Parser<'t> {
        Parser { tokens, at: 0, depth: 0, reading }
    }

    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn statements(&mut self) -> Option<Vec<Statement>> {
        let mut all = Vec::new();
        while self.peek().is_some() {
            if self.take(&Token::Separator) {
                continue;
            }
            all.push(self.statement()?);
            if self.peek().is_some() && !self.take(&Token::Separator) {
                return None;
            }
        }
        (!all.is_empty()).then_some(all)
    }

    fn statement(&mut self) -> Option<Statement> {
        // "= 5" continues an equation whose other side was printed.
        if let Some(Token::Relation(Relation::Equal)) = self.peek() {
            self.at += 1;
        }
        let mut statement = Statement { sides: vec![self.side()?], relations: Vec::new() };
        while let Some(Token::Relation(relation)) = self.peek() {
            self.at += 1;
            statement.relations.push(*relation);
            statement.sides.push(self.side()?);
        }
        Some(statement)
    }

    fn side(&mut self) -> Option<Side> {
        let start = self.at;
        if let Some(tuple) = self.tuple() {
            return Some(tuple);
        }
        self.at = start;
        self.expression().map(Side::Expression)
    }

    /// "(3, -2)", "[0, 5)", "{1, 2, 3}".
    fn tuple(&mut self) -> Option<Side> {
        let Some(Token::Open(open)) = self.peek() else { return None };
        self.at += 1;
        let mut has_pairs = false;
        let mut members = Vec::new();
        loop {
            let pair = (*open == '{').then(|| self.pair()).flatten();
            has_pairs |= pair.is_some();
            members.push(pair.or_else(|| self.expression())?);
            if !self.take(&Token::Separator) {
                break;
            }
        }
        let Some(Token::Close(close)) = self.peek() else { return None };
        self.at += 1;
        let ends = matches!(self.peek(), None | Some(Token::Separator | Token::Relation(_)));
        let is_many = members.len() > 1 || has_pairs;
        (ends && is_many).then_some(Side::Tuple { open: *open, close: *close, members })
    }

    /// A pair inside a set, "{(3, 15), (5, 15)}", as a name of its own: sets are equal when they have the same members.
    fn pair(&mut self) -> Option<Expression> {
        let start = self.at;
        let name = self.pair_name();
        if name.is_none() {
            self.at = start;
        }
        name.map(Expression::Variable)
    }

    fn pair_name(&mut self) -> Option<String> {
        if !self.take(&Token::Open('(')) {
            return None;
        }
        let mut members = vec![self.expression()?];
        while self.take(&Token::Separator) {
            members.push(self.expression()?);
        }
        let is_pair = members.len() > 1 && self.take(&Token::Close(')'));
        let written = |member: &Expression| match (member.constant(), member) {
            (Some(value), _) => Some(value.to_string()),
            (None, Expression::Variable(name)) => Some(name.clone()),
            _ => None,
        };
        let names = members.iter().map(written).collect::<Option<Vec<String>>>()?;
        is_pair.then(|| format!("({})", names.join(";")))
    }

    fn expression(&mut self) -> Option<Expression> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return None;
        }
        let mut terms = vec![self.term()?];
        loop {
            if self.take(&Token::Sign('+')) {
                terms.push(self.term()?);
            } else if self.take(&Token::Sign('-')) {
                terms.push(Expression::Negative(Box::new(self.term()?)));
            } else {
                break;
            }
        }
        self.depth -= 1;
        Some(if terms.len() == 1 { terms.remove(0) } else { Expression::Sum(terms) })
    }

    fn term(&mut self) -> Option<Expression> {
        let mut left = self.factors()?;
        loop {
            if self.take(&Token::Sign('*')) {
                left = product(left, self.factors()?);
            } else if self.take(&Token::Sign('/')) {
                let below = if self.reading.products_bind_first { self.factors()? } else { self.unary()? };
                left = Expression::Quotient(Box::new(left), Box::new(below));
                while !self.reading.products_bind_first && self.starts_factor() {
                    left = product(left, self.unary()?);
                }
            } else {
                return Some(left);
            }
        }
    }

    /// Factors written side by side.
    fn factors(&mut self) -> Option<Expression> {
        let mut left = self.unary()?;
        while self.starts_factor() {
            left = product(left, self.unary()?);
        }
        Some(left)
    }

    fn starts_factor(&self) -> bool {
        match self.peek() {
            Some(Token::Name(_) | Token::Function(_) | Token::Root(_) | Token::Open(_)) => true,
            Some(Token::Number(value)) => {
                let before = |back: usize| self.at.checked_sub(back).map(|at| &self.tokens[at]);
                // "0.4^2 0.6^7": probabilities stand side by side.
                let is_behind_power = before(2) == Some(&Token::Sign('^')) && *value > 0.0 && *value < 1.0;
                is_behind_power || !matches!(before(1), Some(Token::Number(_)))
            }
            _ => false,
        }
    }

    fn unary(&mut self) -> Option<Expression> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return None;
        }
        let expression = if self.take(&Token::Sign('-')) {
            Expression::Negative(Box::new(self.unary()?))
        } else if self.take(&Token::Sign('+')) {
            self.unary()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Some(expression)
    }

    fn power(&mut self) -> Option<Expression> {
        let base = self.postfix()?;
        if !self.take(&Token::Sign('^')) {
            return Some(base);
        }
        let exponent = self.exponent()?;
        Some(Expression::Power(Box::new(base), Box::new(exponent)))
    }

    fn exponent(&mut self) -> Option<Expression> {
        if self.take(&Token::Sign('-')) {
            return Some(Expression::Negative(Box::new(self.exponent()?)));
        }
        self.take(&Token::Sign('+'));
        self.power()
    }

    fn postfix(&mut self) -> Option<Expression> {
        let mut expression = self.atom()?;
        loop {
            expression = if self.take(&Token::Sign('!')) {
                Expression::Call(Applied(Operation::Factorial), Box::new(expression))
            } else if self.take(&Token::Sign('°')) {
                product(expression, Expression::Number(std::f64::consts::PI / 180.0))
            } else if self.take(&Token::Sign('%')) {
                product(expression, Expression::Number(0.01))
            } else {
                return Some(expression);
            };
        }
    }

    fn atom(&mut self) -> Option<Expression> {
        let token = self.peek()?;
        self.at += 1;
        match token {
            Token::Number(value) => Some(Expression::Number(*value)),
            Token::Name(name) => Some(Expression::Variable(self.subscripted(name))),
            Token::Open(open) => {
                let inner = self.expression()?;
                let closes = matches!(
                    (open, self.peek()),
                    ('(', Some(Token::Close(')')))
                        | ('[', Some(Token::Close(']')))
                        | ('{', Some(Token::Close('}')))
                );
                self.at += 1;
                closes.then_some(inner)
            }
            Token::Bar => {
                let inner = self.expression()?;
                self.take(&Token::Bar)
                    .then(|| Expression::Call(Applied(Operation::Absolute), Box::new(inner)))
            }
            Token::Root(degree) => {
                let radicand = self.postfix()?;
                let exponent = Expression::Number(1.0 / f64::from(*degree));
                Some(Expression::Power(Box::new(radicand), Box::new(exponent)))
            }
            Token::Function(function) => self.call(*function),
            Token::Sign(_) | Token::Close(_) | Token::Relation(_) | Token::Separator => None,
        }
    }

    /// "v_1" is one name.
    fn subscripted(&mut self, name: &str) -> String {
        if !self.take(&Token::Sign('_')) {
            return name.to_owned();
        }
        let index = match self.peek() {
            Some(Token::Name(index)) => index.clone(),
            Some(Token::Number(index)) => index.to_string(),
            _ => return name.to_owned(),
        };
        self.at += 1;
        format!("{name}{index}")
    }

    /// "sin x", "sin^2 x", "sin^-1 x", "log_2 8", "ln(x+1)".
    fn call(&mut self, function: Function) -> Option<Expression> {
        let mut operation = Operation::Function(function);
        let mut power = None;
        if function == Function::Log10 && self.take(&Token::Sign('_')) {
            let Some(Token::Number(base)) = self.peek() else { return None };
            self.at += 1;
            operation = Operation::LogarithmToBase(*base);
        }
        if self.take(&Token::Sign('^')) {
            let exponent = self.exponent()?;
            match (inverse(function), &exponent) {
                (Some(inverse), Expression::Negative(one)) if **one == Expression::Number(1.0) => {
                    operation = Operation::Function(inverse);
                }
                _ => power = Some(exponent),
            }
        }
        let argument = if matches!(self.peek(), Some(Token::Open(_) | Token::Bar)) {
            self.postfix()?
        } else {
            self.argument()?
        };
        let call = Expression::Call(Applied(operation), Box::new(argument));
        Some(match power {
            Some(power) => Expression::Power(Box::new(call), Box::new(power)),
            None => call,
        })
    }

    /// Without brackets, an argument runs up to the next sign or function: "sin 2x cos x".
    fn argument(&mut self) -> Option<Expression> {
        let mut argument = self.unary()?;
        while matches!(self.peek(), Some(Token::Name(_) | Token::Root(_))) {
            argument = product(argument, self.power()?);
        }
        Some(argument)
    }
}

fn inverse(function: Function) -> Option<Function> {
    match function {
        Function::Sin => Some(Function::ArcSin),
        Function::Cos => Some(Function::ArcCos),
        Function::Tan => Some(Function::ArcTan),
        _ => None,
    }
}

fn product(left: Expression, right: Expression) -> Expression {
    match left {
        Expression::Product(mut factors) => {
            factors.push(right);
            Expression::Product(factors)
        }
        other => Expression::Product(vec![other, right]),
    }
}
