//! Names of units, as they are said. Symbols are the same in every language and no words.

use crate::Words;

/// What a name of a unit may begin with, and how many of the unit it makes.
pub const PREFIXES: [(&str, f64); 8] = [
    ("kilo", 1e3),
    ("centi", 1e-2),
    ("milli", 1e-3),
    ("deci", 1e-1),
    ("micro", 1e-6),
    ("nano", 1e-9),
    ("mega", 1e6),
    ("giga", 1e9),
];

/// Names by the symbol of their unit, in any case.
pub const BY_SYMBOL: [(&str, Words); 34] = [
    ("m", Words::of(&["metre", "metres", "meter", "meters"])),
    ("g", Words::of(&["gram", "grams", "gramme", "grammes", "gm", "gms"])),
    ("t", Words::of(&["tonne", "tonnes"])),
    ("s", Words::of(&["sec", "secs", "second", "seconds"])),
    ("min", Words::of(&["mins", "minute", "minutes"])),
    ("h", Words::of(&["hr", "hrs", "hour", "hours"])),
    ("A", Words::of(&["amp", "amps", "ampere", "amperes"])),
    ("K", Words::of(&["kelvin", "kelvins"])),
    ("°C", Words::of(&["celsius", "centigrade", "degc", "degreesc", "°celsius"])),
    ("mol", Words::of(&["mole", "moles", "mols"])),
    ("N", Words::of(&["newton", "newtons"])),
    ("J", Words::of(&["joule", "joules"])),
    ("W", Words::of(&["watt", "watts"])),
    ("V", Words::of(&["volt", "volts"])),
    ("C", Words::of(&["coulomb", "coulombs"])),
    ("Ω", Words::of(&["ohm", "ohms", "ω"])),
    ("Hz", Words::of(&["hertz", "hz"])),
    ("Pa", Words::of(&["pascal", "pascals", "pa"])),
    ("T", Words::of(&["tesla", "teslas"])),
    ("F", Words::of(&["farad", "farads"])),
    ("l", Words::of(&["litre", "litres", "liter", "liters", "ltr", "ltrs"])),
    ("°", Words::of(&["degree", "degrees", "deg"])),
    ("rad", Words::of(&["radian", "radians", "rads"])),
    ("B", Words::of(&["byte", "bytes"])),
    ("KiB", Words::of(&["kib", "kibibyte", "kibibytes"])),
    ("MiB", Words::of(&["mib", "mebibyte", "mebibytes"])),
    ("kph", Words::of(&["kmh", "kmhr"])),
    ("p", Words::of(&["pence", "penny"])),
    ("¢", Words::of(&["cent", "cents"])),
    ("USD", Words::of(&["dollar", "dollars"])),
    ("GBP", Words::of(&["pound", "pounds"])),
    ("EUR", Words::of(&["euro", "euros"])),
    ("Bq", Words::of(&["becquerel", "becquerels"])),
    ("ha", Words::of(&["hectare", "hectares"])),
];

/// 1609.344 metres.
pub const MILE: Words = Words::of(&["mile", "miles"]);

/// Twelve inches.
pub const FOOT: Words = Words::of(&["ft", "feet", "foot"]);

/// 2.54 centimetres.
pub const INCH: Words = Words::of(&["inch", "inches"]);

/// Three feet.
pub const YARD: Words = Words::of(&["yard", "yards"]);

/// A kilogram, by its symbol in any case.
pub const KILOGRAM: Words = Words::of(&["kg", "kgs"]);

/// A kilometre, by its symbol in any case.
pub const KILOMETRE: Words = Words::of(&["km", "kms"]);

/// Centimetres, by their symbol with an ending.
pub const CENTIMETRE: Words = Words::of(&["cms"]);

/// 24 hours.
pub const DAY: Words = Words::of(&["day", "days"]);

/// Seven days.
pub const WEEK: Words = Words::of(&["week", "weeks"]);

/// 365¼ days.
pub const YEAR: Words = Words::of(&["year", "years"]);

/// An eighth of a byte.
pub const BIT: Words = Words::of(&["bit", "bits"]);

/// A pound of mass.
pub const POUND_OF_MASS: Words = Words::of(&["lb", "lbs"]);

/// A millilitre, by its symbol in any case.
pub const MILLILITRE: Words = Words::of(&["ml"]);

/// Degrees Celsius in two words.
pub const DEGREES_CELSIUS: Words = Words::of(&["degrees celsius", "degrees c", "degree c", "deg c"]);

/// Before what a unit is divided by.
pub const PER: Words = Words::of(&["/", "per"]);

/// Before a unit that is squared.
pub const SQUARE: Words = Words::of(&["square", "sq"]);

/// Before a unit that is cubed.
pub const CUBIC: Words = Words::of(&["cubic"]);

/// Behind a unit that is squared.
pub const SQUARED: Words = Words::of(&["squared"]);

/// Behind a unit that is cubed.
pub const CUBED: Words = Words::of(&["cubed"]);
