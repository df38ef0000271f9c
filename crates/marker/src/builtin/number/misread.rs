//! Second readings of handwriting: letters that were digits, units in letters like theirs, decimals torn apart at their
//! point, and powers of ten that lost their height.
//!
//! All keep every byte in its place or move it by one, so that evidence still points at what was written.

use signs::number::{Form, Quantity, Unit};

/// How sure a mark is that rests on digits read again, and one that rests on a unit or a decimal that was blurred: a
/// person is to look at it.
pub(super) const DIGITS_CONFIDENCE: f32 = 0.65;
const BLURRED_CONFIDENCE: f32 = 0.5;

/// What else an answer may say, one reading after the other with how sure it is, where a number in this unit is wanted.
pub(super) fn readings(text: &str, unit: Option<Unit>) -> Vec<(String, f32)> {
    let digits = letters_as_digits(text);
    let latest = |before: Option<&String>| before.cloned().unwrap_or_else(|| text.to_owned());
    let units = unit.and_then(|unit| letters_as_unit(&latest(digits.as_ref()), unit));
    let joined = decimals_joined(&latest(units.as_ref().or(digits.as_ref())));
    let sure = [DIGITS_CONFIDENCE, BLURRED_CONFIDENCE, BLURRED_CONFIDENCE];
    let readings = [digits, units, joined].into_iter().zip(sure);
    readings.filter_map(|(reading, sure)| Some((reading?, sure))).collect()
}

/// Letters that handwriting makes of others, as both are read.
const LIKE_LETTERS: [(char, char); 4] = [('e', 'c'), ('n', 'm'), ('q', 'g'), ('y', 'g')];
/// The letters of a unit that may be read as others.
const UNIT_LETTERS_MAX: usize = 3;

/// The text with letters behind a number read as the wanted unit or one that measures the same: "6.5en" is 6.5 cm. `None`
/// when there is nothing to read again.
fn letters_as_unit(text: &str, wanted: Unit) -> Option<String> {
    let mut again = text.to_owned();
    for one in Quantity::all(text).iter().filter(|one| one.unit.is_none() && one.form != Form::Word) {
        let behind = &text[one.number_end..];
        let start = one.number_end + behind.len() - behind.strip_prefix(' ').unwrap_or(behind).len();
        let length = text[start..].find(|c: char| !c.is_alphabetic()).unwrap_or(text.len() - start);
        let letters = &text[start..start + length];
        // "5n" is a term.
        if !(2..=UNIT_LETTERS_MAX).contains(&letters.len()) || !letters.is_ascii() {
            continue;
        }
        let like = |c: char| LIKE_LETTERS.iter().find(|(read, _)| *read == c).map_or(c, |(_, meant)| *meant);
        let meant: String = letters.chars().map(like).collect();
        if meant != letters && Unit::whole(&meant).is_some_and(|unit| unit.measures_as(wanted)) {
            again.replace_range(start..start + length, &meant);
        }
    }
    (again != text).then_some(again)
}

/// A longer number before a full stop is a year.
const WHOLE_DIGITS_MAX: usize = 3;

/// The text with decimals that a gap tore apart in one piece again: "it is 7. 5 cm". `None` when there are none; a number at
/// the start of a line counts the lines.
pub(crate) fn decimals_joined(text: &str) -> Option<String> {
    let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let counts_lines = |at: usize| {
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        line.trim_start().bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut again = text.to_owned();
    for (at, _) in text.match_indices(". ") {
        if at > 0 && digit(at - 1) && digit(at + 2) && !counts_lines(at) {
            let start = text[..at].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |before| before + 1);
            if !text[..start].ends_with('.') && at - start <= WHOLE_DIGITS_MAX {
                // The gap goes before the number.
                again.replace_range(start..at + 2, &format!(" {}.", &text[start..at]));
            }
        }
    }
    (again != text).then_some(again)
}

/// Letters that handwriting makes of 0 and 1.
const fn is_like_digit(byte: u8) -> bool {
    matches!(byte, b'O' | b'o' | b'l' | b'I')
}

/// The text with O and l inside numbers read as 0 and 1: "1O.5" is 10.5. `None` when there is nothing to read again.
fn letters_as_digits(text: &str) -> Option<String> {
    let mut changed = false;
    let words: Vec<String> = text
        .split(' ')
        .map(|word| {
            let looks_numeric = word.bytes().any(|byte| byte.is_ascii_digit())
                && word.bytes().all(|byte| {
                    byte.is_ascii_digit() || is_like_digit(byte) || matches!(byte, b'.' | b',' | b'-')
                });
            let misread = looks_numeric && word.bytes().any(is_like_digit);
            changed |= misread;
            if misread { word.replace(['O', 'o'], "0").replace(['l', 'I'], "1") } else { word.to_owned() }
        })
        .collect();
    changed.then(|| words.join(" "))
}

/// "3.0 x 105" for 3.0 × 10^5: two factors, of which the second is a ten whose power slipped onto the line.
pub(super) fn slipped_power(text: &str, factors: &[Quantity]) -> Option<Quantity> {
    let [first, second] = factors else { return None };
    let between = text.get(first.span.end..second.span.start)?.trim();
    let digits = text.get(second.span.start..second.number_end)?;
    let power: i32 =
        digits.strip_prefix("10").filter(|power| (1..=2).contains(&power.len()))?.parse().ok()?;
    matches!(between, "x" | "X" | "*").then(|| Quantity {
        value: first.value * 10_f64.powi(power),
        form: Form::Standard { normal: (1.0..10.0).contains(&first.value) },
        unit: second.unit,
        unit_in_brackets: second.unit_in_brackets,
        span: first.span.start..second.span.end,
        number_end: second.number_end,
        ..first.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_behind_a_number_are_the_unit_that_they_look_like() {
        let centimetre = Unit::whole("cm").unwrap();
        let read = |text: &str| letters_as_unit(text, centimetre);
        assert_eq!(read("the twig is 6.5en long").as_deref(), Some("the twig is 6.5cm long"));
        assert_eq!(read("= 65 nm."), None, "a unit already");
        assert_eq!(read("= 65 nn").as_deref(), Some("= 65 mm"));
        for kept in ["6.5 s", "6.5 ng", "6.5 knots", "no number cn", "6n", "6.5"] {
            assert_eq!(read(kept), None, "{kept}");
        }
    }

    #[test]
    fn a_decimal_is_joined_where_nothing_is_counted() {
        let joined = |text: &str| decimals_joined(text);
        assert_eq!(joined("the leaf is 7. 5 cm wide").as_deref(), Some("the leaf is  7.5 cm wide"));
        for kept in ["1. 5 cm", "first\n2. 30 s", "in 1998. 40 came", "7.5 cm. 5 more", "at 2.5. 3 fell"] {
            assert_eq!(joined(kept), None, "{kept}");
        }
    }

    #[test]
    fn only_numbers_are_read_again() {
        assert_eq!(letters_as_digits("v = 1O.5 m").as_deref(), Some("v = 10.5 m"));
        assert_eq!(letters_as_digits("l2").as_deref(), Some("12"));
        for kept in ["H2O", "CO2", "Oil", "12 m", "x = lo"] {
            assert_eq!(letters_as_digits(kept), None, "{kept}");
        }
    }
}
