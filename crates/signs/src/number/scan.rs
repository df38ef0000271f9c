//! The digits of one number: separators, decimals, fractions, powers of ten and number words.

use super::quantity::Form;
use lexicon::english::{self, numbers};

/// Reads one number from a place in a text.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

/// A number as written.
pub(super) struct Written {
    pub(super) value: f64,
    pub(super) form: Form,
    pub(super) figures: u32,
    pub(super) places: u32,
    pub(super) end: usize,
}

/// Digits, with the separators taken out.
struct Digits {
    text: String,
    end: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Scanner<'a> {
        Scanner { text, at }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn advance(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    pub(super) fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches(' ').len();
    }

    /// Takes a sign and says whether it was a minus.
    pub(super) fn take_sign(&mut self) -> bool {
        let sign = self.peek();
        if matches!(sign, Some('-' | '+')) {
            self.advance();
            self.skip_spaces();
        }
        sign == Some('-')
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The number here, if there is one.
    pub(super) fn number(&mut self) -> Option<Written> {
        if let Some((value, end)) = number_word(self.text, self.at) {
            return Some(Written { value, form: Form::Word, figures: 1, places: 0, end });
        }
        let digits = self.digits()?;
        self.at = digits.end;
        let written = self.decimal(&digits.text)?;
        Some(self.fraction(&written).or_else(|| self.power_of_ten(&written)).unwrap_or(written))
    }

    /// Digits with thousands separators (12,500 and 12 500) and a decimal part.
    fn digits(&self) -> Option<Digits> {
        let bytes = self.text.as_bytes();
        let mut text = String::new();
        let mut at = self.at;
        let digits_from = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let first = digits_from(at);
        text.push_str(&self.text[at..at + first]);
        at += first;
        let separator = bytes.get(at).copied().filter(|byte| matches!(byte, b',' | b' '));
        if let Some(separator) = separator.filter(|_| (1..=3).contains(&first) && !text.starts_with('0')) {
            while bytes.get(at) == Some(&separator) && digits_from(at + 1) == 3 {
                text.push_str(&self.text[at + 1..at + 4]);
                at += 4;
            }
        }
        if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
            let decimals = digits_from(at + 1);
            text.push_str(&self.text[at..=at + decimals]);
            at += 1 + decimals;
        }
        (!text.is_empty()).then_some(Digits { text, end: at })
    }

    /// The value of the digits, a recurring part included.
    fn decimal(&mut self, digits: &str) -> Option<Written> {
        let value: f64 = digits.parse().ok()?;
        let places = digits.find('.').map_or(0, |point| digits.len() - point - 1) as u32;
        let significant = digits.trim_start_matches(['0', '.']);
        let figures = significant.bytes().filter(u8::is_ascii_digit).count().max(1) as u32;
        let form = if places > 0 { Form::Decimal } else { Form::Integer };
        let plain = Written { value, form, figures, places, end: self.at };
        if places == 0 {
            return Some(plain);
        }
        let Some(after) = numbers::RECURRING.after(self.rest()) else {
            return Some(plain);
        };
        self.at = self.text.len() - after.len();
        let value = recurring(digits, places).unwrap_or(value);
        Some(Written { value, form: Form::Recurring, figures: u32::MAX, end: self.at, ..plain })
    }

    /// "3/4" and "2 1/2", of whole numbers only: anything else is a sum to be worked out.
    fn fraction(&self, first: &Written) -> Option<Written> {
        if first.form != Form::Integer {
            return None;
        }
        let (numerator, after) =
            self.integer(self.at, &['/']).map_or_else(|| (None, self.at), |(value, end)| (Some(value), end));
        let whole = first.value as i64;
        let (form, value, end) = if let Some(denominator) = numerator {
            // "12/5/3" and "1/2x" are algebra.
            let form = Form::Fraction { numerator: whole, denominator };
            (form, first.value / denominator as f64, after)
        } else {
            let (numerator, end) = self.integer(self.at, &[' '])?;
            let (denominator, end) = self.integer(end, &['/'])?;
            let part = numerator as f64 / denominator as f64;
            if part >= 1.0 || part == 0.0 {
                return None;
            }
            (Form::Mixed { whole, numerator, denominator }, first.value + part, end)
        };
        let whole_in_all = value.is_finite() && !self.text[end..].starts_with(['.', '^']);
        let counted = self.text[end..]
            .strip_prefix('/')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        (whole_in_all && !counted).then_some(Written { value, form, figures: u32::MAX, places: 0, end })
    }

    /// A whole number behind one of these signs; spaces around a slash are allowed.
    fn integer(&self, at: usize, signs: &[char]) -> Option<(i64, usize)> {
        let rest = &self.text[at..];
        let rest = if signs.contains(&'/') { rest.trim_start_matches(' ') } else { rest };
        let rest = rest.strip_prefix(signs)?;
        let rest = if signs.contains(&'/') { rest.trim_start_matches(' ') } else { rest };
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let value = rest[..length].parse().ok()?;
        let decimal =
            rest[length..].starts_with('.') && rest[length + 1..].starts_with(|c: char| c.is_ascii_digit());
        (!decimal).then_some((value, self.text.len() - rest.len() + length))
    }

    /// "3.0 * 10^5", "5.1 x 10-6", "2.5E3", and "10^6" by itself.
    fn power_of_ten(&self, first: &Written) -> Option<Written> {
        let (exponent, end) = if first.value == 10.0 && self.rest().starts_with('^') {
            let (exponent, end) = signed_integer(self.text, self.at + 1)?;
            let value = 10_f64.powi(exponent);
            return Some(Written {
                value,
                form: Form::Standard { normal: true },
                figures: 1,
                places: 0,
                end,
            });
        } else if self.rest().starts_with(['e', 'E']) {
            signed_integer(self.text, self.at + 1)?
        } else {
            let rest = self.rest().trim_start_matches(' ');
            let rest = rest.strip_prefix(['*', 'x', 'X', '·'])?.trim_start_matches(' ');
            let rest = rest.strip_prefix("10")?;
            let raised = rest.strip_prefix('^').unwrap_or(rest);
            // Without the sign for "raised", "10-6" is only believed with its minus: "x 105" is a product.
            if raised.len() == rest.len() && !rest.starts_with('-') {
                return None;
            }
            signed_integer(self.text, self.text.len() - raised.len())?
        };
        let normal = (1.0..10.0).contains(&first.value);
        let value = format!("{}e{exponent}", first.value).parse().ok()?;
        Some(Written {
            value,
            form: Form::Standard { normal },
            figures: first.figures,
            places: first.places,
            end,
        })
    }
}

fn signed_integer(text: &str, at: usize) -> Option<(i32, usize)> {
    let rest = text[at..].trim_start_matches(' ');
    let bracket = rest.starts_with('(');
    let inner = rest.strip_prefix('(').unwrap_or(rest);
    let negative = inner.starts_with('-');
    let digits = inner.strip_prefix(['-', '+']).unwrap_or(inner);
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    let value: i32 = digits[..length].parse().ok().filter(|value| *value <= 300)?;
    let end = text.len() - digits.len() + length;
    let end = if bracket { end + usize::from(text[end..].starts_with(')')) } else { end };
    Some((if negative { -value } else { value }, end))
}

/// The value of a decimal whose last digits repeat: the shortest repeated block, else the last digit.
fn recurring(digits: &str, places: u32) -> Option<f64> {
    let decimals = &digits[digits.len() - places as usize..];
    let block = (1..=decimals.len() / 2)
        .find(|&length| {
            let last = &decimals[decimals.len() - length..];
            decimals[..decimals.len() - length].ends_with(last)
        })
        .unwrap_or(1);
    let value: f64 = digits.parse().ok()?;
    let repeated: f64 = decimals[decimals.len() - block..].parse().ok()?;
    let scale = 10_f64.powi(places as i32);
    Some(value + repeated / (10_f64.powi(block as i32) - 1.0) / scale)
}

/// "seven", "twenty-one", "two hundred", "three thousand", and where it ends.
pub(super) fn number_word(text: &str, at: usize) -> Option<(f64, usize)> {
    let (value, end) = small_word(text, at)?;
    let (word, word_end) = word_at(text, end + usize::from(text[end..].starts_with(' ')));
    let lower = word.to_ascii_lowercase();
    match numbers::MULTIPLES.iter().find(|(name, _)| *name == lower) {
        Some((_, times)) => Some((value * times, word_end)),
        None => Some((value, end)),
    }
}

fn small_word(text: &str, at: usize) -> Option<(f64, usize)> {
    let (word, end) = word_at(text, at);
    let lower = word.to_ascii_lowercase();
    if numbers::ZERO.has(&lower) {
        return Some((0.0, end));
    }
    let value = english::number(&lower).filter(|value| *value < 100)?;
    if value >= 20 && text[end..].starts_with(['-', ' ']) {
        let (word, ones_end) = word_at(text, end + 1);
        let ones = english::number(&word.to_ascii_lowercase()).filter(|ones| *ones < 10);
        if let Some(ones) = ones {
            return Some((f64::from(value + ones), ones_end));
        }
    }
    Some((f64::from(value), end))
}

fn word_at(text: &str, at: usize) -> (&str, usize) {
    let rest = &text[at..];
    let length = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
    (&rest[..length], at + length)
}
