//! A number that a scheme accepts.

use domain::scheme::Number;
use signs::number::{Quantity, Unit};
use std::ops::RangeInclusive;

/// What a scheme accepts as a number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NumberKey {
    /// The number stated, or the middle of a range; its unit is the one wanted.
    pub(crate) stated: Quantity,
    /// Everything in here is right, in the stated unit.
    pub(crate) range: Option<RangeInclusive<f64>>,
    /// "awrt", "about": anything that rounds to it is right.
    pub(crate) rounds: bool,
    /// "less than 5": the key itself bounds the value.
    pub(crate) is_bounded: bool,
    /// "1.1(3)": as few figures as these are enough.
    pub(crate) figures_enough: Option<u32>,
}

impl NumberKey {
    /// A key that wants just this.
    pub(crate) fn of(stated: Quantity) -> NumberKey {
        NumberKey { stated, range: None, rounds: false, is_bounded: false, figures_enough: None }
    }

    /// The number of a wording.
    pub(crate) fn stated_by(number: &Number) -> NumberKey {
        let written = |text: &str| Quantity::all(text).into_iter().next();
        let unit_of = |text: &String| -> Option<Unit> { written(text)?.unit };
        let stated = written(&number.stated).unwrap_or_else(|| Quantity::exact(number.value, 0..0));
        let unit = number.unit_of.as_ref().and_then(unit_of).or(stated.unit);
        NumberKey {
            stated: Quantity { value: number.value, unit, ..stated },
            range: number.range.map(|(low, high)| low..=high),
            rounds: number.rounds,
            is_bounded: number.is_bounded,
            figures_enough: number.figures_enough,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_keeps_its_unit_its_figures_and_its_range() {
        let plain = Number { value: 4.2, stated: "4.20 (kg)".into(), ..Number::default() };
        let key = NumberKey::stated_by(&plain);
        assert!(key.stated.unit.is_some() && key.stated.unit_in_brackets && key.stated.figures == 3);
        let range = Number {
            value: 650.0,
            stated: "700".into(),
            unit_of: Some("600 °C".into()),
            range: Some((600.0, 700.0)),
            ..Number::default()
        };
        let key = NumberKey::stated_by(&range);
        assert!(key.stated.unit.is_some_and(Unit::is_celsius));
        assert_eq!((key.stated.value, key.range), (650.0, Some(600.0..=700.0)));
    }
}
