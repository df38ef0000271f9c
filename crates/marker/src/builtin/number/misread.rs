//! Second readings of handwriting: letters that were digits, and powers of ten that lost their height.
//!
//! Both keep every byte in its place, so that evidence still points at what was written.

use signs::number::{Form, Quantity};

/// Letters that handwriting makes of 0 and 1.
const fn is_like_digit(byte: u8) -> bool {
    matches!(byte, b'O' | b'o' | b'l' | b'I')
}

/// The text with O and l inside numbers read as 0 and 1: "1O.5" is 10.5. `None` when there is nothing to read again.
pub(super) fn letters_as_digits(text: &str) -> Option<String> {
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
    fn only_numbers_are_read_again() {
        assert_eq!(letters_as_digits("v = 1O.5 m").as_deref(), Some("v = 10.5 m"));
        assert_eq!(letters_as_digits("l2").as_deref(), Some("12"));
        for kept in ["H2O", "CO2", "Oil", "12 m", "x = lo"] {
            assert_eq!(letters_as_digits(kept), None, "{kept}");
        }
    }
}
