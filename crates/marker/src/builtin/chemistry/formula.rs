//! Chemical formulae: H2SO4, Ca(OH)2, SO4^2-, CuSO4·5H2O, NaCl(aq).

use super::elements::{ELECTRON, ELEMENTS, STATES};
use std::collections::BTreeMap;

/// One substance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Formula {
    /// How many of each element, whatever their order.
    pub(super) atoms: BTreeMap<&'static str, u32>,
    /// The elements in the order written, each with its count: tells structures apart.
    pub(super) order: Vec<(&'static str, u32)>,
    pub(super) charge: i32,
    pub(super) state: Option<&'static str>,
}

impl Formula {
    /// Every way to read a text as one formula. "Ca2+" is two charges or two atoms: both are given.
    pub(super) fn readings(text: &str) -> Vec<Formula> {
        let (body, state) = split_state(text.trim());
        if body.is_empty()
            || body.len() > LENGTH_MAX
            || body.contains(' ') && !body.contains('^') && !has_spaced_charge(body)
        {
            return Vec::new();
        }
        let compact: String = body.chars().filter(|c| *c != ' ').collect();
        let spaced = has_spaced_charge(body);
        charges(&compact, spaced)
            .into_iter()
            .filter_map(|(atoms, charge)| {
                let order = parse_atoms(atoms)?;
                let mut counts = BTreeMap::new();
                for (element, count) in &order {
                    *counts.entry(*element).or_insert(0_u32) += count;
                }
                Some(Formula { atoms: counts, order, charge, state })
            })
            .collect()
    }

    /// The same atoms and charge.
    pub(super) fn is_same_substance(&self, other: &Formula) -> bool {
        self.atoms == other.atoms && self.charge == other.charge
    }

    /// The same atoms in the same order.
    pub(super) fn is_written_alike(&self, other: &Formula) -> bool {
        self.is_same_substance(other) && self.order == other.order
    }
}

/// No school formula is longer.
const LENGTH_MAX: usize = 60;

/// "NaCl(aq)" apart.
fn split_state(text: &str) -> (&str, Option<&'static str>) {
    for state in STATES {
        if let Some(body) = text
            .strip_suffix(')')
            .and_then(|rest| rest.strip_suffix(state))
            .and_then(|rest| rest.strip_suffix('('))
        {
            return (body.trim_end(), Some(state));
        }
    }
    (text, None)
}

/// "SO4 2-": the charge stands apart.
fn has_spaced_charge(body: &str) -> bool {
    body.rsplit_once(' ').is_some_and(|(atoms, charge)| {
        !atoms.contains(' ')
            && charge.len() <= 2
            && charge.ends_with(['+', '-'])
            && charge.bytes().take(charge.len() - 1).all(|byte| byte.is_ascii_digit())
    })
}

/// The atoms and the charge, in every way that the writing allows.
fn charges(text: &str, spaced: bool) -> Vec<(&str, i32)> {
    if let Some((atoms, raised)) = text.split_once('^') {
        return charge_value(raised).map(|charge| (atoms, charge)).into_iter().collect();
    }
    let Some(body) = text.strip_suffix(['+', '-']) else { return vec![(text, 0)] };
    let sign = if text.ends_with('+') { 1 } else { -1 };
    let mut readings = Vec::new();
    if !spaced {
        readings.push((body, sign));
    }
    // "Ca2+", "SO42-": the last digit may be the charge's.
    if let Some(digit) =
        body.chars().next_back().and_then(|c| c.to_digit(10)).filter(|digit| (1..=4).contains(digit))
    {
        readings.push((&body[..body.len() - 1], sign * digit as i32));
    }
    if readings.is_empty() {
        readings.push((body, sign));
    }
    readings
}

/// "2+", "+2", "-", "3-".
fn charge_value(text: &str) -> Option<i32> {
    let text = text.trim_matches(['(', ')']);
    let sign =
        match (text.starts_with('-') || text.ends_with('-'), text.starts_with('+') || text.ends_with('+')) {
            (true, false) => -1,
            (false, true) => 1,
            _ => return None,
        };
    let digits = text.trim_matches(['+', '-']);
    let size: i32 =
        if digits.is_empty() { 1 } else { digits.parse().ok().filter(|size| (1..=7).contains(size))? };
    Some(sign * size)
}

/// "Ca(OH)2", "CuSO4·5H2O" or "CuSO4.5H2O" as elements with counts.
fn parse_atoms(text: &str) -> Option<Vec<(&'static str, u32)>> {
    let mut all = Vec::new();
    for part in text.split(['·', '.', '•']) {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let times = if digits == 0 { 1 } else { part[..digits].parse().ok()? };
        let (group, end) = parse_group(part, digits, 0)?;
        if end != part.len() || group.is_empty() {
            return None;
        }
        all.extend(
            group
                .into_iter()
                .map(|(element, count): (&'static str, u32)| (element, count.saturating_mul(times))),
        );
    }
    Some(all)
}

fn parse_group(text: &str, mut at: usize, depth: u32) -> Option<(Vec<(&'static str, u32)>, usize)> {
    let mut group = Vec::new();
    while let Some(c) = text[at..].chars().next() {
        if matches!(c, '(' | '[') && depth < 3 {
            let (inner, end) = parse_group(text, at + 1, depth + 1)?;
            text[end..].starts_with([')', ']']).then_some(())?;
            let (times, end) = count_at(text, end + 1)?;
            group.extend(inner.into_iter().map(|(element, count)| (element, count.saturating_mul(times))));
            at = end;
        } else if matches!(c, ')' | ']') && depth > 0 {
            return Some((group, at));
        } else {
            let element = element_at(text, at)?;
            let (count, end) = count_at(text, at + element.len())?;
            group.push((element, count));
            at = end;
        }
    }
    (depth == 0).then_some((group, at))
}

fn element_at(text: &str, at: usize) -> Option<&'static str> {
    let rest = &text[at..];
    let by_length = |length: usize| {
        rest.get(..length).and_then(|symbol| ELEMENTS.iter().find(|element| **element == symbol)).copied()
    };
    by_length(2).or_else(|| by_length(1)).filter(|element| *element != ELECTRON || rest.len() == 1)
}

/// A count behind a symbol, one when none is written; nought is a slip.
fn count_at(text: &str, at: usize) -> Option<(u32, usize)> {
    let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return Some((1, at));
    }
    let count = text[at..at + digits].parse().ok().filter(|count| (1..1000).contains(count))?;
    Some((count, at + digits))
}
