//! Marks: whole and half marks, exact.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// A number of marks, kept as half marks so that sums never drift.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marks(u32);

impl Marks {
    /// No marks.
    pub const ZERO: Marks = Marks(0);
    /// No question paper asks for more; a larger number was misread.
    pub const MAX: Marks = Marks(2 * 10_000);

    /// A whole number of marks, capped at [`Marks::MAX`].
    pub const fn whole(marks: u32) -> Marks {
        Marks::halves(marks.saturating_mul(2))
    }

    /// A number of half marks, capped at [`Marks::MAX`].
    pub const fn halves(halves: u32) -> Marks {
        if halves > Marks::MAX.0 { Marks::MAX } else { Marks(halves) }
    }

    /// Marks from a decimal number, if it is a whole number of halves in range.
    pub fn from_number(number: f64) -> Option<Marks> {
        let halves = number * 2.0;
        let in_range = (0.0..=f64::from(Marks::MAX.0)).contains(&halves);
        // In range and whole, so the conversion is exact.
        (in_range && halves.fract() == 0.0).then_some(Marks(halves as u32))
    }

    /// How many half marks this is.
    pub const fn as_halves(self) -> u32 {
        self.0
    }

    /// The marks as a decimal number, exact.
    pub fn as_number(self) -> f64 {
        f64::from(self.0) / 2.0
    }

    /// True for no marks at all.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// What is left after taking `other` away, never below zero.
    #[must_use]
    pub const fn less(self, other: Marks) -> Marks {
        Marks(self.0.saturating_sub(other.0))
    }
}

impl Add for Marks {
    type Output = Marks;

    fn add(self, other: Marks) -> Marks {
        Marks::halves(self.0 + other.0)
    }
}

impl Sum for Marks {
    fn sum<I: Iterator<Item = Marks>>(all: I) -> Marks {
        all.fold(Marks::ZERO, Add::add)
    }
}

impl fmt::Display for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = if self.0 % 2 == 1 { ".5" } else { "" };
        write!(f, "{}{half}", self.0 / 2)
    }
}

/// On the wire marks are a JSON number: `2` or `2.5`.
impl Serialize for Marks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(2) {
            serializer.serialize_u32(self.0 / 2)
        } else {
            serializer.serialize_f64(self.as_number())
        }
    }
}

impl<'de> Deserialize<'de> for Marks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Marks, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Marks::from_number(number)
            .ok_or_else(|| de::Error::custom("marks are a whole number of halves from 0 to 10000"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_shown_without_a_needless_fraction() {
        assert_eq!(Marks::whole(3).to_string(), "3");
        assert_eq!(Marks::halves(5).to_string(), "2.5");
        assert_eq!(serde_json::to_string(&[Marks::whole(3), Marks::halves(5)]).unwrap(), "[3,2.5]");
    }

    #[test]
    fn only_whole_halves_in_range_are_marks() {
        assert_eq!(Marks::from_number(2.5), Some(Marks::halves(5)));
        for wrong in [0.3, -1.0, 10_001.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Marks::from_number(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn ten_halves_are_five() {
        let total: Marks = std::iter::repeat_n(Marks::halves(1), 10).sum();
        assert_eq!(total, Marks::whole(5));
    }
}
