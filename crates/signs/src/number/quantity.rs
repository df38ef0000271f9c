//! Numbers as they are written: 12 500, 3.0 × 10^5, 2 1/2, 45%, £3.20, 0.3 recurring, with their units.

use super::bound::words_before;
use super::scan::Scanner;
use super::unit::{self, Unit};
use lexicon::english::numbers;
use std::ops::Range;

/// A number found in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// Its value, a percentage already divided by 100.
    pub value: f64,
    /// How it was written.
    pub form: Form,
    /// Significant figures, all written digits counted.
    pub figures: u32,
    /// Decimal places.
    pub places: u32,
    /// What it is measured in.
    pub unit: Option<Unit>,
    /// The unit stood in brackets.
    pub unit_in_brackets: bool,
    /// Where the number and its unit stand.
    pub span: Range<usize>,
    /// One past the number itself, before its unit.
    pub number_end: usize,
}

/// How a number was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// 12
    Integer,
    /// 1.2
    Decimal,
    /// 0.333…, 0.3 recurring
    Recurring,
    /// 3/4
    Fraction {
        /// Above the line; it carries the sign.
        numerator: i64,
        /// Below it.
        denominator: i64,
    },
    /// 2 1/2
    Mixed {
        /// Before the fraction.
        whole: i64,
        /// Above the line.
        numerator: i64,
        /// Below it.
        denominator: i64,
    },
    /// 45%
    Percent,
    /// a × 10^n
    Standard {
        /// 1 ≤ a < 10
        normal: bool,
    },
    /// "seven"
    Word,
}

impl Quantity {
    /// All numbers of a text, in order. Numbers that are part of a word (x2, H2O) are not numbers.
    pub fn all(text: &str) -> Vec<Quantity> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(start) = next_start(text, at) {
            match Quantity::at(text, start) {
                Some(quantity) => {
                    at = quantity.span.end.max(start + 1);
                    found.push(quantity);
                }
                None => at = start + text[start..].chars().next().map_or(1, char::len_utf8),
            }
        }
        join_compounds(found, text)
    }

    /// The number that starts at this byte.
    pub fn at(text: &str, start: usize) -> Option<Quantity> {
        let mut scanner = Scanner::new(text, start);
        let mut negative = scanner.take_sign();
        let currency = scanner.peek().and_then(unit::currency_sign);
        if currency.is_some() {
            scanner.advance();
            scanner.skip_spaces();
            negative ^= scanner.take_sign();
        }
        let written = scanner.number()?;
        let mut quantity = Quantity {
            value: written.value,
            form: written.form,
            figures: written.figures,
            places: written.places,
            unit: currency,
            unit_in_brackets: false,
            span: start..written.end,
            number_end: written.end,
        };
        if negative || says_minus(text, start) {
            quantity.negate();
        }
        quantity.take_multiple(text);
        quantity.take_suffix(text);
        Some(quantity)
    }

    /// An exact value that no digits were written for.
    pub fn exact(value: f64, span: Range<usize>) -> Quantity {
        Quantity {
            value,
            form: Form::Recurring,
            figures: u32::MAX,
            places: 0,
            unit: None,
            unit_in_brackets: false,
            number_end: span.end,
            span,
        }
    }

    fn negate(&mut self) {
        self.value = -self.value;
        if let Form::Fraction { numerator, .. } = &mut self.form {
            *numerator = -*numerator;
        }
    }

    /// "6 million".
    fn take_multiple(&mut self, text: &str) {
        let rest = text[self.number_end..].trim_start_matches(' ');
        let multiples = numbers::MULTIPLES_OF_FIGURES;
        if let Some((word, times)) = multiples.into_iter().find(|(word, _)| rest.starts_with(word)) {
            self.value *= times;
            self.number_end = text.len() - rest.len() + word.len();
            self.span.end = self.number_end;
        }
    }

    /// A percent sign or a unit behind the number.
    fn take_suffix(&mut self, text: &str) {
        let rest = &text[self.number_end..];
        let trimmed = rest.trim_start_matches(' ');
        let percent = numbers::PERCENT.iter().find(|sign| trimmed.starts_with(sign));
        if let Some(sign) = percent {
            self.value /= 100.0;
            self.form = Form::Percent;
            self.span.end = self.number_end + rest.len() - trimmed.len() + sign.len();
        } else if self.unit.is_none()
            && !is_variable_behind(rest)
            && let Some((unit, length)) = unit::parse(rest)
        {
            self.unit = Some(unit);
            self.unit_in_brackets = trimmed.starts_with(['(', '[']);
            self.span.end = self.number_end + length;
        } else if self.unit.is_none()
            && let Some((unit, length)) = per_one(trimmed)
        {
            self.unit = Some(unit);
            self.span.end = self.number_end + rest.len() - trimmed.len() + length;
        }
    }

    /// True when no fraction part is left.
    pub fn is_whole(&self) -> bool {
        self.value.fract() == 0.0
    }
}

/// "0.5 1/s": a unit as the inverse of another.
fn per_one(behind: &str) -> Option<(Unit, usize)> {
    let name = behind.strip_prefix("1/")?;
    let name = &name[..name.find(|c: char| !c.is_alphabetic()).unwrap_or(name.len())];
    let (unit, _) = unit::parse(&format!(" {name}^-1")).filter(|_| !name.is_empty())?;
    Some((unit, "1/".len() + name.len()))
}

/// "3x" and "2(x+1)" are algebra, not three of a unit; "3 m" and "3m" are lengths.
fn is_variable_behind(rest: &str) -> bool {
    let mut behind = rest.chars();
    let first = behind.next();
    first.is_some_and(|c| matches!(c, 'x' | 'y' | 'z' | 'n' | 'a' | 'b' | 'k' | 'π'))
        && !behind.next().is_some_and(char::is_alphabetic)
}

/// "minus 5", "negative 5".
fn says_minus(text: &str, at: usize) -> bool {
    let before = words_before(text, at);
    let said = numbers::MINUS.before(&before);
    // "8 minus 5" takes away.
    said.is_some_and(|rest| !rest.trim_end().ends_with(|c: char| c.is_alphanumeric()))
}

/// The next place where a number may start.
fn next_start(text: &str, from: usize) -> Option<usize> {
    let mut before = text[..from].chars().next_back();
    for (offset, c) in text[from..].char_indices() {
        let at = from + offset;
        let joined = before.is_some_and(|before| before.is_alphanumeric() || matches!(before, '^' | '_'));
        let times = before.is_some_and(|before| matches!(before, 'x' | 'X')) && !follows_word(text, at);
        let starts =
            c.is_ascii_digit() || (c == '.' && next_is_digit(text, at)) || unit::currency_sign(c).is_some();
        let signed = matches!(c, '-' | '+') && next_is_number(text, at) && !before_operand(text, at);
        if (starts || signed) && (!joined || times) {
            return Some(at);
        }
        if c.is_alphabetic()
            && !before.is_some_and(char::is_alphanumeric)
            && super::scan::number_word(text, at).is_some()
        {
            return Some(at);
        }
        before = Some(c);
    }
    None
}

/// True when the "x" right before `at` ends a word or a name ("box2") rather than standing for "times".
fn follows_word(text: &str, at: usize) -> bool {
    let before: Vec<char> = text[..at].chars().rev().skip(1).take(2).collect();
    match before.first() {
        Some(' ') => !before.get(1).is_some_and(|c| c.is_ascii_digit() || *c == ')'),
        Some(c) => !(c.is_ascii_digit() || *c == ')'),
        None => true,
    }
}

fn next_is_digit(text: &str, at: usize) -> bool {
    text[at..].chars().nth(1).is_some_and(|c| c.is_ascii_digit())
}

fn next_is_number(text: &str, at: usize) -> bool {
    let rest = text[at + 1..].trim_start_matches(' ');
    rest.starts_with(|c: char| c.is_ascii_digit() || unit::currency_sign(c).is_some())
        || (rest.starts_with('.') && next_is_digit(rest, 0))
}

/// A sign behind a number, a letter or a closing bracket is an operator ("5-3", "600-700").
fn before_operand(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches(' ').chars().next_back();
    before.is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | ']' | '%' | '°'))
}

/// "3 h 20 min", "5 ft 3 inches", "£3 and 20p" are one quantity.
fn join_compounds(found: Vec<Quantity>, text: &str) -> Vec<Quantity> {
    let mut joined: Vec<Quantity> = Vec::with_capacity(found.len());
    for quantity in found {
        if let Some(last) = joined.last_mut()
            && let (Some(larger), Some(smaller)) = (last.unit, quantity.unit)
            && larger != smaller
            && last.is_whole()
            && text.get(last.span.end..quantity.span.start).is_some_and(is_joint)
            && let Some(more) = larger.convert_from(quantity.value, smaller)
            && more.abs() < 1.0
        {
            last.value += more;
            last.form = Form::Decimal;
            last.figures += quantity.figures;
            last.span.end = quantity.span.end;
        } else {
            joined.push(quantity);
        }
    }
    joined
}

fn is_joint(between: &str) -> bool {
    numbers::COMPOUND_JOINTS.has(between.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<f64> {
        Quantity::all(text).iter().map(|quantity| quantity.value).collect()
    }

    #[test]
    fn a_unit_may_stand_as_the_inverse_of_another() {
        let rate = Quantity::all("3.5e-3 1/s");
        assert_eq!((rate.len(), rate[0].unit), (1, Quantity::all("3.5e-3 s^-1")[0].unit));
        assert_eq!(Quantity::all("3 1/2").len(), 1);
        assert_eq!(Quantity::all("3 1/x").len(), 2, "no unit");
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for (text, value) in [
            ("12 500", 12500.0),
            ("1,234.5", 1234.5),
            (".5", 0.5),
            ("-3", -3.0),
            ("3.0 * 10^5", 3e5),
            ("5.1 x 10-6", 5.1e-6),
            ("2.5E3", 2500.0),
            ("10^6", 1e6),
            ("3/4", 0.75),
            ("2 1/2", 2.5),
            ("-1 1/4", -1.25),
            ("45%", 0.45),
            ("0.333...", 1.0 / 3.0),
            ("0.3 recurring", 1.0 / 3.0),
            ("£3.20", 3.2),
            ("-$5", -5.0),
            ("seven", 7.0),
            ("3 h 30 min", 3.5),
            ("twenty-one", 21.0),
        ] {
            let found = values(text);
            assert!(
                found.len() == 1 && (found[0] - value).abs() < 1e-9 * value.abs().max(1e-6),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn several_numbers_and_none() {
        assert_eq!(values("5-3 = 2"), [5.0, 3.0, 2.0]);
        assert_eq!(values("600-700"), [600.0, 700.0]);
        assert_eq!(values("2.4 to 2.6"), [2.4, 2.6]);
        assert_eq!(values("3x4=12"), [3.0, 4.0, 12.0]);
        assert!(values("H2O and x2 and box3").is_empty());
        assert_eq!(values("2, 8, 4"), [2.0, 8.0, 4.0]);
    }

    #[test]
    fn figures_and_places_are_counted() {
        let of = |text| {
            let quantity = Quantity::all(text).remove(0);
            (quantity.figures, quantity.places)
        };
        assert_eq!(of("0.0250"), (3, 4));
        assert_eq!(of("1.20 * 10^4"), (3, 2));
        assert_eq!(of("150"), (3, 0));
    }
}
