//! Numbers of marks as they are printed: "2½", "2+2+1", "5 × 2 = 10", "0–3", "2/1/0", "5p".

use super::{is_short_unit, is_unit};
use domain::marks::Marks;

/// No part of a paper carries more marks.
const MAX_PART: f64 = 200.0;

/// The two numbers of "9 × 5 = 45": so many parts of so many marks.
pub(super) fn factors(inner: &str) -> Option<(u32, u32)> {
    let (product, _) = inner.split_once('=')?;
    let (one, other) = product.trim().split_once(['×', 'x'])?;
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| (1..=50).contains(number));
    Some((number(one)?, number(other)?))
}

/// "2/1/0": marks of three kinds, each a digit.
pub(super) fn of_three_kinds(inner: &str) -> Option<Marks> {
    let digit = |kind: &str| kind.parse::<u32>().ok().filter(|_| kind.len() == 1);
    let kinds: Vec<u32> = inner.split('/').map(digit).collect::<Option<_>>()?;
    (kinds.len() == 3).then(|| Marks::whole(kinds.iter().sum())).filter(|marks| !marks.is_zero())
}

/// "0 / ½ / 1 p.": each number of marks that can be earned, up to the last.
pub(super) fn in_steps(inner: &str) -> Option<Marks> {
    let (steps, unit) = inner.rsplit_once(' ')?;
    let steps: Vec<f64> = steps.split('/').map(|step| read_number(step.trim())).collect::<Option<_>>()?;
    let rises = steps.len() >= 2 && steps[0] == 0.0 && steps.windows(2).all(|pair| pair[0] < pair[1]);
    let counted = is_unit(unit) || is_short_unit(unit);
    steps.last().filter(|_| rises && counted).and_then(|most| Marks::from_number(*most))
}

/// "0–5" and "0-5 pkt": from nothing to the most that can be earned.
pub(super) fn from_nothing(inner: &str) -> Option<Marks> {
    let range = inner.split(' ').next()?;
    let most = range.strip_prefix('0')?.trim_start().strip_prefix(['–', '-', '—', '−'])?;
    let unit = inner.split(' ').skip(1).all(is_unit);
    Marks::from_number(read_number(most)?).filter(|marks| !marks.is_zero() && unit)
}

/// "5 × 2 = 10" and "2+2+1" add up; two unrelated numbers say nothing.
pub(super) fn sum_of_repeats(found: &[f64], inner: &str) -> Option<Marks> {
    let number = match found {
        [only] => *only,
        [.., last] if inner.contains('=') => *last,
        _ => return None,
    };
    (number > 0.0 && number <= MAX_PART).then(|| Marks::from_number(number)).flatten()
}

/// A number of marks: `3`, `2.5`, `1½`, `2+2+1`, `5×2`; `None` for anything else.
pub(super) fn read_number(word: &str) -> Option<f64> {
    if let Some((first, rest)) = word.split_once('+') {
        return Some(read_number(first)? + read_number(rest)?);
    }
    if let Some((first, rest)) = word.split_once(['×', 'x']) {
        return Some(read_number(first)? * read_number(rest)?);
    }
    if let Some(whole) = word.strip_suffix('½') {
        let whole = if whole.is_empty() { 0.0 } else { read_number(whole)? };
        return Some(whole + 0.5);
    }
    let digits = word.len() <= 4 && word.starts_with(|c: char| c.is_ascii_digit());
    let plain = word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    // Many countries write "2,5".
    (digits && plain).then(|| word.replace(',', ".").parse().ok()).flatten()
}

/// `5p` and `10pts`: a number with its unit glued to it.
pub(super) fn number_with_unit(word: &str) -> Option<f64> {
    let end = word.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '½')?;
    let unit = &word[end..];
    let short = is_short_unit(unit) && unit != "m";
    (is_unit(unit) || short).then(|| read_number(&word[..end])).flatten()
}
