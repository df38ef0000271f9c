//! Sums as they stand in working: "230 × 0.37 / 0.98 = 87", wherever they stand, with what they come to.

use super::algebra::constant_of;
use super::number::Quantity;
use std::ops::Range;

/// A sum of at least two numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sum {
    pub(crate) span: Range<usize>,
    /// The numbers in it, in order.
    pub(crate) numbers: Vec<f64>,
    /// What it comes to.
    pub(crate) value: f64,
    /// Its signs, in order.
    pub(crate) signs: String,
    /// What it is said to come to: the number behind the "=" that follows it.
    pub(crate) claimed: Option<f64>,
}

/// More sums than this are in no answer; the rest is left aside.
const SUMS_MAX: usize = 60;

impl Sum {
    /// Every sum of a text. Numbers that stand side by side without a sign belong to different sums.
    pub(crate) fn all(text: &str) -> Vec<Sum> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < text.len() && found.len() < SUMS_MAX {
            let Some(offset) = text[at..].find(|c: char| c.is_ascii_digit() || c == '(') else { break };
            let start = at + offset;
            let end = extent(text, start);
            let is_piece = counts_ways(&text[end..], &text[..start]);
            found.extend(Sum::at(text, start..end).filter(|_| !is_piece));
            at = end.max(start + 1);
        }
        found
    }

    fn at(text: &str, stretch: Range<usize>) -> Option<Sum> {
        let written = balanced(text[stretch.clone()].trim_end());
        let numbers = numbers_in(written);
        if numbers.len() < 2 {
            return None;
        }
        let (value, _) = constant_of(&in_one_form(written))?;
        let span = stretch.start..stretch.start + written.len();
        let claimed = claimed(&text[span.end..]);
        let signs = written.chars().filter_map(sign).collect();
        Some(Sum { span, numbers, value, signs, claimed })
    }

    /// True when what it is said to come to is what it comes to, as rounded there.
    pub(crate) fn is_worked_out(&self) -> bool {
        self.claimed.is_some_and(|claimed| is_near(claimed, self.value))
    }

    /// True when it is the other one with one number exchanged: the same signs, and all numbers but one the same,
    /// whatever power of ten each is given in.
    pub(crate) fn is_exchange_of(&self, other: &Sum) -> bool {
        let same = self.numbers.iter().zip(&other.numbers).filter(|(own, wanted)| is_scaled(**own, **wanted));
        self.signs == other.signs
            && self.numbers.len() == other.numbers.len()
            && same.count() + 1 >= self.numbers.len()
    }

    /// True when it comes to the same, in whatever power of ten.
    pub(crate) fn is_alike(&self, other: &Sum) -> bool {
        is_scaled(self.value, other.value)
    }
}

/// Within what rounding in working changes.
pub(crate) fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= other.abs().max(1e-300) * NEAR
}

const NEAR: f64 = 0.012;

/// The same figures, in another power of ten: grams for kilograms.
pub(crate) fn is_scaled(one: f64, other: f64) -> bool {
    if one == 0.0 || other == 0.0 {
        return one == other;
    }
    let power = (one / other).abs().log10();
    (power - power.round()).abs() < 1e-4 && power.abs() < 9.5
}

/// How far a sum reaches from here: numbers, signs and brackets, no letters.
fn extent(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut wants_operand = true;
    while end < text.len() {
        let rest = &text[end..];
        let c = rest.chars().next().unwrap_or(' ');
        let blank = rest.len() - rest.trim_start_matches(' ').len();
        if blank > 0 {
            let behind = rest[blank..].chars().next().unwrap_or('\n');
            // Two numbers side by side part here, as does a bracket with words in it.
            let goes_on =
                if wants_operand { starts_operand(behind) } else { is_sign(&rest[blank..]) || behind == ')' };
            if !goes_on || (behind == '(' && !is_sum_bracket(&rest[blank..])) {
                return end;
            }
            end += blank;
        } else if c.is_ascii_digit() || (c == '.' && next_is_digit(rest)) {
            if !wants_operand && !ends_with_digit(&text[start..end]) {
                return end;
            }
            end += number_length(rest);
            wants_operand = false;
        } else if is_sign(rest) {
            if wants_operand && !matches!(c, '-' | '+') {
                return end;
            }
            end += c.len_utf8();
            wants_operand = true;
        } else if c == '(' {
            if !is_sum_bracket(rest) {
                return end;
            }
            end += 1;
            wants_operand = true;
        } else if c == ')' {
            end += 1;
            wants_operand = false;
        } else if c == '%' && !wants_operand {
            end += 1;
        } else {
            return end;
        }
    }
    end
}

/// True where a factorial or a number of choices stands beside a sum: "6! × 2 - 5! × 2" and "8C3 × 0.4" hold no "2 - 5"
/// and no "3 × 0.4".
fn counts_ways(behind: &str, before: &str) -> bool {
    let is_choice = |c: char| matches!(c, 'C' | 'P');
    let behind = behind.trim_start_matches(' ');
    let chosen = behind.strip_prefix(is_choice).map(|rest| rest.trim_start_matches(' '));
    let chooses = chosen.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let before = before.trim_end_matches(' ');
    let operand = before.trim_end_matches(|c: char| sign(c).is_some()).trim_end_matches(' ');
    let picks = before.strip_suffix(is_choice).map(|rest| rest.trim_end_matches(' '));
    behind.starts_with('!')
        || chooses
        || (operand.len() < before.len() && operand.ends_with('!'))
        || picks.is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_digit()))
}

/// One spelling for each sign.
fn sign(c: char) -> Option<char> {
    match c {
        '*' | 'x' | 'X' => Some('*'),
        '/' | '÷' => Some('/'),
        '+' | '-' | '^' => Some(c),
        _ => None,
    }
}

/// "210 000 ÷ (4.5 x 4200)" as "210000/(4.5*4200)".
fn in_one_form(written: &str) -> String {
    let mut out = String::with_capacity(written.len());
    let mut at = 0;
    while let Some(c) = written[at..].chars().next() {
        if c.is_ascii_digit() || c == '.' {
            let length = number_length(&written[at..]);
            out.extend(written[at..at + length].chars().filter(|c| !matches!(c, ' ' | ',')));
            at += length;
        } else {
            out.push(sign(c).unwrap_or(c));
            at += c.len_utf8();
        }
    }
    out
}

/// How long the number at the beginning is: digits, thousands apart by a comma or a blank, and decimals.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    while (1..=3).contains(&digits(0))
        && bytes.get(end).is_some_and(|byte| matches!(byte, b' ' | b','))
        && digits(end + 1) == 3
    {
        end += 4;
    }
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    end.max(1)
}

fn numbers_in(text: &str) -> Vec<f64> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = text[at..].find(|c: char| c.is_ascii_digit() || c == '.') {
        let start = at + offset;
        let end = start + number_length(&text[start..]);
        let plain: String = text[start..end].chars().filter(|c| !matches!(c, ' ' | ',')).collect();
        found.extend(plain.parse::<f64>());
        at = end;
    }
    found
}

fn ends_with_digit(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_digit())
}

fn next_is_digit(rest: &str) -> bool {
    rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit())
}

fn starts_operand(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '(' | '.' | '-' | '+')
}

/// A sign between two numbers; "x" only when a number follows.
fn is_sign(rest: &str) -> bool {
    let mut characters = rest.chars();
    match characters.next() {
        Some('+' | '-' | '*' | '/' | '÷' | '^') => true,
        Some('x' | 'X') => {
            let behind = characters.as_str().trim_start_matches(' ');
            behind.starts_with(|c: char| c.is_ascii_digit() || c == '(')
        }
        _ => false,
    }
}

/// A bracket that holds numbers and signs alone.
fn is_sum_bracket(rest: &str) -> bool {
    let inner = rest[1..].split(')').next().unwrap_or_default();
    inner.chars().any(|c| c.is_ascii_digit())
        && inner.chars().all(|c| c.is_ascii_digit() || " .+-*/÷x^(%".contains(c))
}

/// Without signs left over at the end and closing brackets that nothing opened.
fn balanced(text: &str) -> &str {
    let mut text = text;
    loop {
        let trimmed = text.trim_end_matches(|c: char| " +-*/÷^(x".contains(c));
        let opened = trimmed.matches('(').count();
        let closed = trimmed.matches(')').count();
        let shorter = if closed > opened { trimmed.strip_suffix(')').unwrap_or(trimmed) } else { trimmed };
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}

fn claimed(rest: &str) -> Option<f64> {
    let behind = rest.trim_start_matches(' ').strip_prefix(['=', '≈'])?;
    let behind = behind.trim_start_matches(' ');
    Quantity::at(behind, 0).map(|one| one.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_found_among_words_and_beside_each_other() {
        let text = "e.g. moment = 12 x 0.5 12 x 0.5 = 0.3 x F so F = 12 x 0.5 / 0.3 = 20 (N)";
        let sums = Sum::all(text);
        let values: Vec<f64> = sums.iter().map(|sum| sum.value).collect();
        assert_eq!(values.len(), 3, "{sums:?}");
        assert!(is_near(values[2], 20.0) && sums[2].is_worked_out());
    }

    #[test]
    fn words_single_numbers_and_other_signs_are_no_sums() {
        for text in ["12 apples and 3 pears", "x2 + y", "7", "page 3 of 4", "(see note 2)"] {
            assert!(Sum::all(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn pieces_of_a_number_of_ways_are_no_sums() {
        for text in ["7! * 3 - 4! * 3", "9C2 * 0.4^2 * 0.6^7", "9 C2 * 5 C3"] {
            assert!(Sum::all(text).is_empty(), "{text}: {:?}", Sum::all(text));
        }
        assert_eq!(Sum::all("5 * 3 = 15!").len(), 1);
    }

    #[test]
    fn figures_are_the_same_in_another_power_of_ten() {
        assert!(is_scaled(23.0, 2300.0) && is_scaled(0.37, 37.0) && !is_scaled(23.0, 24.0));
    }

    #[test]
    fn brackets_powers_and_percentages_belong_to_a_sum() {
        let value = |text: &str| Sum::all(text).first().map(|sum| sum.value);
        assert!(value("= 100 x (1 + 0.05)^2 = 110").is_some_and(|value| is_near(value, 110.25)));
        assert!(value("(7 - 3)^2 + (5 - 7)^2 = 20").is_some_and(|value| is_near(value, 20.0)));
        assert_eq!(value("30 ÷ (4 + 2"), None, "what is not closed is not worked out");
    }
}
