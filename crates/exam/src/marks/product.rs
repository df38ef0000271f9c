//! Products before marks: "(5 x 2) (10)", "5 x 2p. = 10 points".

use super::{MarkNote, is_short_unit, is_unit};
use domain::marks::Marks;

/// "(5 x 2)" before "(10)", and "5 x 2p. =" before "10 points": its two numbers, and how many words it takes up.
pub(super) fn before(words: &[&str], note: &MarkNote) -> Option<((u32, u32), usize)> {
    let parted = |text: &str| {
        let (one, other) = text.split_once(['x', '×', '*'])?;
        let other = other.trim_end_matches('.');
        let digits = other.trim_end_matches(|c: char| !c.is_ascii_digit());
        let unit = &other[digits.len()..];
        let (one, other): (u32, u32) = (one.parse().ok()?, digits.parse().ok()?);
        let equal = Marks::whole(one.checked_mul(other)?) == note.marks;
        let unit = unit.to_lowercase();
        (equal && (unit.is_empty() || is_unit(&unit) || is_short_unit(&unit))).then_some((one, other))
    };
    if let [own @ .., "="] = words {
        let product = |count: usize| Some((parted(&own[own.len() - count..].concat())?, count + 1));
        return (1..=own.len().min(4)).rev().find_map(product);
    }
    (1..=words.len().min(3)).find_map(|count| {
        let text = words[words.len() - count..].concat();
        let inner = text.strip_prefix(['(', '['])?.strip_suffix([')', ']'])?;
        Some((parted(inner)?, count))
    })
}
