//! The units that schools use, in base units.

use super::unit::{Dimensions, Unit};
use lexicon::english::units;
use std::collections::HashMap;
use std::sync::LazyLock;

pub(super) const PREFIXES: [(char, f64); 10] = [
    ('k', 1e3),
    ('c', 1e-2),
    ('m', 1e-3),
    ('d', 1e-1),
    ('μ', 1e-6),
    ('u', 1e-6),
    ('n', 1e-9),
    ('p', 1e-12),
    ('M', 1e6),
    ('G', 1e9),
];

pub(super) const TAKES_PREFIX: [&str; 25] = [
    "m", "g", "s", "A", "mol", "N", "J", "W", "V", "C", "Ω", "Hz", "Pa", "F", "T", "H", "eV", "l", "L", "B",
    "Wh", "cal", "Bq", "Sv", "bar",
];

/// Written in one with a negative exponent: "kmh^-1".
pub(super) const KILOMETRES_AN_HOUR: [&str; 2] = ["km", "h"];

/// The same: "ms^-1" is never "per millisecond".
pub(super) const METRES_A_SECOND: &str = "ms";

const fn unit(dimensions: Dimensions, factor: f64) -> Unit {
    Unit { dimensions, factor, offset: 0.0, currency: 0 }
}

pub(super) const fn money(factor: f64, currency: u8) -> Unit {
    Unit { dimensions: [0, 0, 0, 0, 0, 0, 0, 0, 1], factor, offset: 0.0, currency }
}

/// Case matters in these.
pub(super) static SYMBOLS: LazyLock<HashMap<&'static str, Unit>> = LazyLock::new(|| {
    let energy = [2, 1, -2, 0, 0, 0, 0, 0, 0];
    let volume = [3, 0, 0, 0, 0, 0, 0, 0, 0];
    let time = [0, 0, 1, 0, 0, 0, 0, 0, 0];
    let angle = [0, 0, 0, 0, 0, 0, 1, 0, 0];
    let data = [0, 0, 0, 0, 0, 0, 0, 1, 0];
    let kelvin = [0, 0, 0, 0, 1, 0, 0, 0, 0];
    let speed = [1, 0, -1, 0, 0, 0, 0, 0, 0];
    HashMap::from([
        ("m", unit([1, 0, 0, 0, 0, 0, 0, 0, 0], 1.0)),
        ("g", unit([0, 1, 0, 0, 0, 0, 0, 0, 0], 1e-3)),
        ("t", unit([0, 1, 0, 0, 0, 0, 0, 0, 0], 1e3)),
        ("s", unit(time, 1.0)),
        ("h", unit(time, 3600.0)),
        ("min", unit(time, 60.0)),
        ("A", unit([0, 0, 0, 1, 0, 0, 0, 0, 0], 1.0)),
        ("K", unit(kelvin, 1.0)),
        ("°C", Unit { offset: 273.15, ..unit(kelvin, 1.0) }),
        ("°F", Unit { offset: 459.67 * 5.0 / 9.0, ..unit(kelvin, 5.0 / 9.0) }),
        ("mol", unit([0, 0, 0, 0, 0, 1, 0, 0, 0], 1.0)),
        ("M", unit([-3, 0, 0, 0, 0, 1, 0, 0, 0], 1e3)),
        ("N", unit([1, 1, -2, 0, 0, 0, 0, 0, 0], 1.0)),
        ("J", unit(energy, 1.0)),
        ("eV", unit(energy, 1.602_176_634e-19)),
        ("cal", unit(energy, 4.184)),
        ("Wh", unit(energy, 3600.0)),
        ("W", unit([2, 1, -3, 0, 0, 0, 0, 0, 0], 1.0)),
        ("V", unit([2, 1, -3, -1, 0, 0, 0, 0, 0], 1.0)),
        ("C", unit([0, 0, 1, 1, 0, 0, 0, 0, 0], 1.0)),
        ("Ω", unit([2, 1, -3, -2, 0, 0, 0, 0, 0], 1.0)),
        ("Hz", unit([0, 0, -1, 0, 0, 0, 0, 0, 0], 1.0)),
        ("Bq", unit([0, 0, -1, 0, 0, 0, 0, 0, 0], 1.0)),
        ("Sv", unit([2, 0, -2, 0, 0, 0, 0, 0, 0], 1.0)),
        ("Pa", unit([-1, 1, -2, 0, 0, 0, 0, 0, 0], 1.0)),
        ("bar", unit([-1, 1, -2, 0, 0, 0, 0, 0, 0], 1e5)),
        ("atm", unit([-1, 1, -2, 0, 0, 0, 0, 0, 0], 101_325.0)),
        ("F", unit([-2, -1, 4, 2, 0, 0, 0, 0, 0], 1.0)),
        ("T", unit([0, 1, -2, -1, 0, 0, 0, 0, 0], 1.0)),
        ("H", unit([2, 1, -2, -2, 0, 0, 0, 0, 0], 1.0)),
        ("l", unit(volume, 1e-3)),
        ("L", unit(volume, 1e-3)),
        ("°", unit(angle, std::f64::consts::PI / 180.0)),
        ("rad", unit(angle, 1.0)),
        ("B", unit(data, 1.0)),
        ("KiB", unit(data, 1024.0)),
        ("MiB", unit(data, 1_048_576.0)),
        ("GiB", unit(data, 1_073_741_824.0)),
        ("KB", unit(data, 1e3)),
        ("mph", unit(speed, 0.447_04)),
        ("kph", unit(speed, 1.0 / 3.6)),
        ("kmph", unit(speed, 1.0 / 3.6)),
        ("p", money(0.01, 2)),
        ("¢", money(0.01, 1)),
        ("USD", money(1.0, 1)),
        ("GBP", money(1.0, 2)),
        ("EUR", money(1.0, 3)),
        ("ha", unit([2, 0, 0, 0, 0, 0, 0, 0, 0], 1e4)),
    ])
});

/// Names in any case, as they are said.
pub(super) static NAMES: LazyLock<HashMap<&'static str, Unit>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for (symbol, spellings) in units::BY_SYMBOL {
        names.extend(spellings.iter().map(|spelling| (spelling, SYMBOLS[symbol])));
    }
    let length = |metres| unit([1, 0, 0, 0, 0, 0, 0, 0, 0], metres);
    let mass = |kilograms| unit([0, 1, 0, 0, 0, 0, 0, 0, 0], kilograms);
    let time = |seconds| unit([0, 0, 1, 0, 0, 0, 0, 0, 0], seconds);
    let others = [
        (units::MILE, length(1609.344)),
        (units::FOOT, length(0.3048)),
        (units::INCH, length(0.0254)),
        (units::YARD, length(0.9144)),
        (units::KILOGRAM, mass(1.0)),
        (units::KILOMETRE, length(1e3)),
        (units::CENTIMETRE, length(1e-2)),
        (units::DAY, time(86_400.0)),
        (units::WEEK, time(604_800.0)),
        (units::YEAR, time(31_557_600.0)),
        (units::BIT, unit([0, 0, 0, 0, 0, 0, 0, 1, 0], 0.125)),
        (units::POUND_OF_MASS, mass(0.453_592_37)),
        (units::MILLILITRE, unit([3, 0, 0, 0, 0, 0, 0, 0, 0], 1e-6)),
    ];
    for (spellings, unit) in others {
        names.extend(spellings.iter().map(|spelling| (spelling, unit)));
    }
    names
});
