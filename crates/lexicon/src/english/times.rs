//! Dates and times of day.

use crate::Words;

/// Behind a full hour.
pub const OCLOCK: &str = "o'clock";

/// Before noon, without its points.
pub const AM: &str = "am";

/// After noon, without its points.
pub const PM: &str = "pm";

/// The halves of the day as they end a time, but for a last point.
pub const HALVES: Words = Words::of(&["am", "pm", "a.m", "p.m"]);

/// May stand beside a date.
pub const DATE_FILLERS: Words = Words::of(&["on", "the", "of", "st", "nd", "rd", "th"]);

/// What stands right behind the number of a day, or nothing.
pub const DAY_ENDINGS: Words = Words::of(&["", "st", "nd", "rd", "th"]);

/// The months in their order.
pub const MONTHS: Words = Words::of(&[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]);
