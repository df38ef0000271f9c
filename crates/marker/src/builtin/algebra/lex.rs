//! Mathematical signs as tokens.

use super::functions::{FUNCTIONS, Function, GREEK};
use lexicon::english::algebra;

/// A sign of mathematics.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    /// A variable, a word formula's quantity ("mass") or a derivative ("dy/dx").
    Name(String),
    Function(Function),
    Root(u32),
    /// `+ - * / ^ ! ° ± % _`
    Sign(char),
    Open(char),
    Close(char),
    Bar,
    Relation(Relation),
    /// Separates answers: a comma, a semicolon, "or", "and".
    Separator,
}

/// How two sides stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    NotEqual,
}

/// How a doubtful sign is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reading {
    /// "x2" is x², its raised 2 lost in reading, rather than x with an index.
    pub(super) digits_are_powers: bool,
    /// "1/2x" is 1/(2x).
    pub(super) products_bind_first: bool,
}

/// Nobody chooses from more.
const CHOSEN_FROM_MAX: f64 = 1000.0;
/// Longer texts are no formulae.
const TOKENS_MAX: usize = 300;

/// Cuts a text into signs; `None` when it holds something that is no mathematics.
pub(super) fn lex(text: &str, reading: Reading) -> Option<Vec<Token>> {
    let mut lexer = Lexer { text, at: 0, depth: 0, reading, tokens: Vec::new() };
    while lexer.at < text.len() {
        lexer.step()?;
        if lexer.tokens.len() > TOKENS_MAX {
            return None;
        }
    }
    Some(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    reading: Reading,
    tokens: Vec<Token>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn push(&mut self, token: Token, length: usize) {
        self.tokens.push(token);
        self.at += length;
    }

    fn step(&mut self) -> Option<()> {
        let c = self.rest().chars().next()?;
        if c == ' ' || c == '$' || c == '£' {
            self.at += c.len_utf8();
        } else if c.is_ascii_digit()
            || (c == '.' && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            self.number()?;
        } else if c.is_alphabetic() {
            self.letters();
        } else if let Some((relation, length)) = relation(self.rest()) {
            self.push(Token::Relation(relation), length);
        } else {
            self.sign(c)?;
        }
        Some(())
    }

    fn sign(&mut self, c: char) -> Option<()> {
        let token = match c {
            '+' | '-' | '*' | '/' | '^' | '!' | '°' | '±' | '_' | '%' => Token::Sign(c),
            '·' | '•' => Token::Sign('*'),
            '÷' => Token::Sign('/'),
            '∓' => Token::Sign('±'),
            '√' => Token::Root(2),
            '∛' => Token::Root(3),
            '(' | '[' | '{' => {
                self.depth += 1;
                Token::Open(c)
            }
            ')' | ']' | '}' => {
                self.depth = self.depth.saturating_sub(1);
                Token::Close(c)
            }
            '|' => Token::Bar,
            ',' | ';' | '\n' => Token::Separator,
            '.' if self.rest().len() == 1 => {
                self.at += 1;
                return Some(());
            }
            _ => return None,
        };
        self.push(token, c.len_utf8());
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        let bytes = self.rest().as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = digits(0);
        let mut text = self.rest()[..end].to_owned();
        // Inside brackets a comma parts coordinates; elsewhere "12,500" and "12 500" are one number.
        while (1..=3).contains(&end.min(3))
            && matches!(bytes.get(end), Some(b' ' | b','))
            && (self.depth == 0 || bytes.get(end) == Some(&b' '))
            && digits(end + 1) == 3
            && !text.starts_with('0')
        {
            text.push_str(&self.rest()[end + 1..end + 4]);
            end += 4;
        }
        if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
            let decimals = digits(end + 1);
            text.push_str(&self.rest()[end..=end + decimals]);
            end += decimals + 1;
        }
        let value: f64 = text.parse().ok()?;
        let behind_letter = self.text[..self.at].ends_with(char::is_alphabetic);
        if behind_letter && let Some(Token::Name(name)) = self.tokens.last_mut() {
            if self.reading.digits_are_powers {
                self.tokens.push(Token::Sign('^'));
                self.push(Token::Number(value), end);
            } else {
                name.push_str(&text);
                self.at += end;
            }
            return Some(());
        }
        if let Some((ways, length)) = self.choices(value, end) {
            self.push(Token::Number(ways), length);
            if is_decimal(self.rest().trim_start_matches(' ')) {
                self.tokens.push(Token::Sign('*'));
            }
            return Some(());
        }
        self.push(Token::Number(value), end);
        self.mixed_part();
        Some(())
    }

    /// "8C3 × 0.4" and "9 P 2 × 5": the number of choices or of orders, with how long it is. Only as a factor, because
    /// "8C3" by itself is a number of base sixteen.
    fn choices(&self, from: f64, end: usize) -> Option<(f64, usize)> {
        let blanks = |text: &str| text.len() - text.trim_start_matches(' ').len();
        let rest = self.rest();
        let at = end + blanks(&rest[end..]);
        let is_ordered = match rest[at..].chars().next() {
            Some('C') => false,
            Some('P') => true,
            _ => return None,
        };
        let start = at + 1 + blanks(&rest[at + 1..]);
        let digits = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
        let taken: u32 = rest[start..start + digits].parse().ok().filter(|_| digits <= 3)?;
        let behind = rest[start + digits..].trim_start_matches(' ');
        let is_before = behind.starts_with(['*', '(', '[', '×', 'x']) || is_decimal(behind);
        let is_factor = is_before || self.tokens.last() == Some(&Token::Sign('*'));
        if !is_factor || from.fract() != 0.0 || from > CHOSEN_FROM_MAX || f64::from(taken) > from {
            return None;
        }
        let step = |ways: f64, place: u32| {
            let below = if is_ordered { 1.0 } else { f64::from(place) + 1.0 };
            ways * (from - f64::from(place)) / below
        };
        Some(((0..taken).fold(1.0, step), start + digits))
    }

    /// "2 1/2" is two and a half.
    fn mixed_part(&mut self) {
        let Some(rest) = self.rest().strip_prefix(' ') else { return };
        let length = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let top = length(rest);
        let Some(below) = rest[top..].strip_prefix('/') else { return };
        let bottom = length(below);
        let (Ok(numerator), Ok(denominator)) = (rest[..top].parse::<f64>(), below[..bottom].parse::<f64>())
        else {
            return;
        };
        if let Some(Token::Number(whole)) = self.tokens.last_mut()
            && numerator < denominator
        {
            *whole += numerator / denominator;
            self.at += 2 + top + bottom;
        }
    }

    fn letters(&mut self) {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let run = &rest[..length];
        if let Some(derivative) = derivative(rest) {
            self.push(Token::Name(derivative.to_owned()), derivative.len());
        } else if algebra::SEPARATORS.has(run) {
            self.push(Token::Separator, length);
        } else if matches!(run, "x" | "X") && self.is_between_numbers(length) {
            self.push(Token::Sign('*'), length);
        } else if algebra::ROOT.has(run) {
            self.push(Token::Root(2), length);
        } else if let Some((name, function)) = FUNCTIONS.iter().find(|(name, _)| run.starts_with(name)) {
            self.push(Token::Function(*function), name.len());
        } else if let Some((_, sign)) = GREEK.iter().find(|(name, _)| *name == run) {
            self.push(Token::Name((*sign).to_owned()), length);
        } else if length >= 4 && run.is_ascii() {
            self.push(Token::Name(run.to_lowercase()), length);
        } else {
            let first = rest.chars().next().map_or(1, char::len_utf8);
            let primes = rest[first..].bytes().take_while(|byte| *byte == b'\'').count();
            self.push(Token::Name(rest[..first + primes].to_owned()), first + primes);
        }
    }

    /// "3 x 4", "3x4" and "mass x time" multiply: nobody writes a number or a word behind a variable.
    fn is_between_numbers(&self, length: usize) -> bool {
        let before = match self.tokens.last() {
            Some(Token::Number(_) | Token::Close(_)) => true,
            Some(Token::Name(name)) => name.len() >= 4,
            _ => false,
        };
        let behind = &self.rest()[length..];
        if self.reading.digits_are_powers && behind.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        let after = behind.trim_start();
        let word = after.chars().take_while(|c| c.is_alphabetic()).count() >= 4;
        before && (after.starts_with(|c: char| c.is_ascii_digit()) || word)
    }
}

/// "0.4 …": a factor that nobody writes a sign before.
fn is_decimal(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('.')
}

/// "dy/dx" and "d^2y/dx^2" are names, not quotients.
fn derivative(rest: &str) -> Option<&str> {
    let after = rest.strip_prefix("d^2").or_else(|| rest.strip_prefix('d'))?;
    let function = after.chars().next().filter(|c| c.is_alphabetic())?;
    let below = after[function.len_utf8()..].strip_prefix("/d")?;
    let variable = below.chars().next().filter(|c| c.is_alphabetic())?;
    let tail = &below[variable.len_utf8()..];
    let tail = tail.strip_prefix("^2").unwrap_or(tail);
    (!tail.starts_with(char::is_alphabetic)).then(|| &rest[..rest.len() - tail.len()])
}

fn relation(rest: &str) -> Option<(Relation, usize)> {
    const SIGNS: [(&str, Relation); 13] = [
        ("<=", Relation::LessOrEqual),
        (">=", Relation::GreaterOrEqual),
        ("=<", Relation::LessOrEqual),
        ("≤", Relation::LessOrEqual),
        ("≥", Relation::GreaterOrEqual),
        ("≠", Relation::NotEqual),
        ("!=", Relation::NotEqual),
        ("<", Relation::Less),
        (">", Relation::Greater),
        ("≡", Relation::Equal),
        ("≈", Relation::Equal),
        ("==", Relation::Equal),
        ("=", Relation::Equal),
    ];
    SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)).map(|(sign, relation)| (*relation, sign.len()))
}
