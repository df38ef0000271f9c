//! Units as schools write them, and what they are in each other: "m s^-1", "ms-1", "km/h", "metres per second".

use super::unit_table::{KILOMETRES_AN_HOUR, METRES_A_SECOND, NAMES, PREFIXES, SYMBOLS, TAKES_PREFIX, money};
use lexicon::english::units;

/// Exponents of metre, kilogram, second, ampere, kelvin, mole, radian, byte and money.
pub(super) type Dimensions = [i8; 9];

/// A unit, reduced to base units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    pub(super) dimensions: Dimensions,
    /// How many base units one of it is.
    pub(super) factor: f64,
    /// What is added after multiplying; only for a temperature on its own.
    pub(super) offset: f64,
    /// Which money; dollars and pounds do not convert.
    pub(super) currency: u8,
}

impl Unit {
    const NONE: Unit = Unit { dimensions: [0; 9], factor: 1.0, offset: 0.0, currency: 0 };

    /// The unit that a whole text names.
    pub fn whole(text: &str) -> Option<Unit> {
        parse(text).filter(|(_, end)| text[*end..].trim().is_empty()).map(|(unit, _)| unit)
    }

    /// True when one of it is one of the other.
    pub fn is_same(self, other: Unit) -> bool {
        self.measures_as(other)
            && (self.factor / other.factor - 1.0).abs() < 1e-9
            && self.offset == other.offset
    }

    /// True for a temperature on its own.
    pub fn is_celsius(self) -> bool {
        self.offset == 273.15
    }

    /// "5 C" was meant as a temperature when the key is one.
    pub fn is_coulomb(self) -> bool {
        self.dimensions == [0, 0, 1, 1, 0, 0, 0, 0, 0] && self.factor == 1.0
    }

    /// The value in base units.
    pub fn to_base(self, value: f64) -> f64 {
        value * self.factor + self.offset
    }

    /// What a value in `other` is in this unit; `None` when the two measure different things.
    pub fn convert_from(self, value: f64, other: Unit) -> Option<f64> {
        self.measures_as(other)
            .then(|| if self == other { value } else { (other.to_base(value) - self.offset) / self.factor })
    }

    /// True when both measure the same thing.
    pub fn measures_as(self, other: Unit) -> bool {
        self.dimensions == other.dimensions && self.currency == other.currency
    }

    /// True for an amount of money.
    pub fn is_money(self) -> bool {
        self.dimensions[8] != 0
    }

    fn times(self, other: Unit, exponent: i8) -> Unit {
        let mut dimensions = self.dimensions;
        for (mine, theirs) in dimensions.iter_mut().zip(other.dimensions) {
            *mine = mine.saturating_add(theirs.saturating_mul(exponent));
        }
        Unit {
            dimensions,
            factor: self.factor * other.factor.powi(i32::from(exponent)),
            offset: 0.0,
            currency: self.currency.max(other.currency),
        }
    }
}

/// The currency that a sign in front of a number means.
pub(super) fn currency_sign(c: char) -> Option<Unit> {
    let currency = match c {
        '$' => 1,
        '£' => 2,
        '€' => 3,
        '¥' => 4,
        '₹' => 5,
        _ => return None,
    };
    Some(money(1.0, currency))
}

/// Reads a unit at the start of `text` (after spaces and one opening bracket) and says how many bytes it took.
pub(super) fn parse(text: &str) -> Option<(Unit, usize)> {
    let trimmed = text.trim_start_matches(' ');
    let mut at = text.len() - trimmed.len();
    if let Some(length) = units::DEGREES_CELSIUS.iter().find_map(|name| {
        let said = trimmed.get(..name.len())?;
        let ends = !trimmed[name.len()..].starts_with(char::is_alphabetic);
        (said.eq_ignore_ascii_case(name) && ends).then_some(name.len())
    }) {
        return Some((SYMBOLS["°C"], at + length));
    }
    let bracket = trimmed.chars().next().filter(|c| matches!(c, '(' | '['));
    at += bracket.map_or(0, char::len_utf8);
    let (unit, end) = product(text, at)?;
    let Some(open) = bracket else { return Some((unit, end)) };
    let close = if open == '(' { ')' } else { ']' };
    text[end..].trim_start_matches(' ').starts_with(close).then(|| {
        let spaces = text[end..].len() - text[end..].trim_start_matches(' ').len();
        (unit, end + spaces + 1)
    })
}

/// A product of units with exponents, from `start` on, and where it stops.
fn product(text: &str, start: usize) -> Option<(Unit, usize)> {
    let mut whole = Unit::NONE;
    let mut factors = 0_u32;
    let mut below = false;
    let mut power_ahead: i8 = 1;
    let mut last = (Unit::NONE, 1);
    let mut opened = false;
    let mut at = start;
    let mut end = None;
    while let Some((word, word_end)) = unit_word(text, at).filter(|_| factors < FACTORS_MAX) {
        at = word_end;
        match word.to_ascii_lowercase().as_str() {
            said if units::PER.has(said) => {
                below = true;
                let rest = text[at..].trim_start_matches(' ');
                if rest.starts_with('(') {
                    opened = true;
                    at = text.len() - rest.len() + 1;
                }
            }
            "*" | "·" | "." if factors > 0 => {}
            said if units::SQUARE.has(said) => power_ahead = 2,
            said if units::CUBIC.has(said) => power_ahead = 3,
            said if factors > 0 && units::SQUARED.has(said) => {
                (whole, end) = (whole.times(last.0, last.1), Some(at));
            }
            said if factors > 0 && units::CUBED.has(said) => {
                (whole, end) = (whole.times(last.0, 2 * last.1), Some(at));
            }
            _ => {
                let (written, raised_end) = exponent(text, word_end);
                let Some((first, last_symbol)) = symbols(word, written) else { break };
                // A slash holds to the end: schools write "J/kg °C" and mean both below.
                let sign = if below { -1 } else { 1 };
                let power = written.unwrap_or(1).saturating_mul(power_ahead).saturating_mul(sign);
                let alone = factors == 0 && power == 1 && first == Unit::NONE;
                whole = if alone { last_symbol } else { whole.times(first, sign).times(last_symbol, power) };
                (last, power_ahead, factors) = ((last_symbol, sign), 1, factors + 1);
                (at, end) = (raised_end, Some(raised_end));
            }
        }
    }
    let closing = usize::from(opened && end.is_some_and(|end| text[end..].starts_with(')')));
    end.map(|end| (whole, end + closing))
}

/// More factors than any unit has.
const FACTORS_MAX: u32 = 6;

/// The next word or sign of a unit; spaces before it are skipped.
fn unit_word(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text.get(at..)?;
    let trimmed = rest.trim_start_matches(' ');
    let start = at + rest.len() - trimmed.len();
    let first = trimmed.chars().next()?;
    if matches!(first, '/' | '*' | '·' | '.') {
        return Some((&trimmed[..first.len_utf8()], start + first.len_utf8()));
    }
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, '°' | '¢' | '%');
    let length = trimmed.find(|c: char| !is_letter(c)).unwrap_or(trimmed.len());
    (length > 0).then(|| (&trimmed[..length], start + length))
}

/// "^-1", "-1", "^2", "2": a whole number right behind a symbol.
fn exponent(text: &str, at: usize) -> (Option<i8>, usize) {
    let rest = &text[at..];
    let digits = rest.strip_prefix('^').unwrap_or(rest);
    let opened = digits.starts_with('(');
    let digits = digits.strip_prefix('(').unwrap_or(digits);
    let negative = digits.starts_with('-');
    let digits = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    let Some(digit) =
        digits.chars().next().and_then(|c| c.to_digit(10)).filter(|digit| (1..=4).contains(digit))
    else {
        return (None, at);
    };
    let after = &digits[1..];
    if after.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return (None, at);
    }
    // The bracket behind "(m s^-1)" closes the unit and not the exponent.
    let after = after.strip_prefix(')').filter(|_| opened).unwrap_or(after);
    let value = if negative { -(digit as i8) } else { digit as i8 };
    (Some(value), text.len() - after.len())
}

/// What a run of letters means: the product of all but the last symbol, and the last, which an exponent binds to.
fn symbols(word: &str, exponent: Option<i8>) -> Option<(Unit, Unit)> {
    // "ms^-1" is metres per second in every school, never "per millisecond".
    let below = exponent.is_some_and(|exponent| exponent < 0);
    if below && word == KILOMETRES_AN_HOUR.concat() {
        let [above, beneath] = KILOMETRES_AN_HOUR;
        return Some((symbol(above)?, symbol(beneath)?));
    }
    let splits_first = word == METRES_A_SECOND && below;
    if !splits_first && let Some(unit) = known(word) {
        return Some((Unit::NONE, unit));
    }
    let mut first = Unit::NONE;
    let mut rest = word;
    for _ in 0..FACTORS_MAX {
        let longest = rest
            .char_indices()
            .map(|(at, c)| at + c.len_utf8())
            .filter(|&end| end < rest.len() && end <= 4)
            .rev()
            .find_map(|end| {
                symbol(&rest[..end]).filter(|_| !(splits_first && end > 1)).map(|unit| (unit, end))
            });
        let (unit, end) = longest?;
        first = first.times(unit, 1);
        rest = &rest[end..];
        if let Some(last) = symbol(rest) {
            return Some((first, last));
        }
    }
    None
}

/// A name or a symbol, with or without a prefix.
fn known(word: &str) -> Option<Unit> {
    symbol(word).or_else(|| NAMES.get(word.to_lowercase().as_str()).copied()).or_else(|| long_prefix(word))
}

/// "kilometres", "milliamps".
fn long_prefix(word: &str) -> Option<Unit> {
    let lower = word.to_lowercase();
    units::PREFIXES.iter().find_map(|(prefix, factor)| {
        let unit = NAMES.get(lower.strip_prefix(prefix)?)?;
        Some(Unit { factor: unit.factor * factor, ..*unit })
    })
}

/// "km", "mA", "μm".
fn symbol(word: &str) -> Option<Unit> {
    if let Some(unit) = SYMBOLS.get(word) {
        return Some(*unit);
    }
    let prefix = word.chars().next()?;
    let (_, factor) = PREFIXES.iter().find(|(sign, _)| *sign == prefix)?;
    let rest = &word[prefix.len_utf8()..];
    let unit = SYMBOLS.get(rest).filter(|_| TAKES_PREFIX.contains(&rest))?;
    Some(Unit { factor: unit.factor * factor, ..*unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_of(text: &str) -> Unit {
        let (unit, end) = parse(text).unwrap_or_else(|| panic!("{text} is a unit"));
        assert_eq!(end, text.len(), "{text} is read to its end");
        unit
    }

    #[test]
    fn the_same_unit_is_known_in_its_many_spellings() {
        for same in [
            &["m/s", "m s^-1", "ms^-1", "ms-1", "m s-1", "metres per second", "meters/sec", "(m/s)"][..],
            &["m/s^2", "m s^-2", "ms-2", "metres per second squared", "N/kg", "N kg^-1"],
            &["g/cm^3", "g/cm3", "g cm^-3", "gcm-3", "grams per cubic centimetre"],
            &["J/kg°C", "J/kg °C", "J kg^-1 °C^-1", "J/(kg °C)", "J kg-1 K-1"],
            &["mol/dm^3", "mol dm-3", "moles per litre", "M"],
            &["kWh", "kW h", "kilowatt hours"],
            &["cm^2", "cm2", "square centimetres", "sq cm"],
            &["N m", "Nm", "newton metres", "J"],
            &["Ω", "ohms", "V/A"],
        ] {
            let first = unit_of(same[0]);
            for spelling in same {
                let unit = unit_of(spelling);
                let one = first.convert_from(1.0, unit).unwrap_or(f64::NAN);
                assert!(
                    first.measures_as(unit) && (one - 1.0).abs() < 1e-9 || first.offset != unit.offset,
                    "{spelling}"
                );
            }
        }
    }

    #[test]
    fn units_convert_when_they_measure_the_same() {
        assert!((unit_of("m/s").convert_from(72.0, unit_of("km/h")).unwrap() - 20.0).abs() < 1e-9);
        assert!((unit_of("K").convert_from(25.0, unit_of("°C")).unwrap() - 298.15).abs() < 1e-9);
        assert_eq!(unit_of("N").convert_from(1.0, unit_of("kg")), None);
        assert_eq!(currency_sign('$').unwrap().convert_from(1.0, currency_sign('£').unwrap()), None);
    }

    #[test]
    fn ordinary_words_are_no_units() {
        for word in ["students", "because", "at", "as", "in total", "apples"] {
            assert_eq!(parse(word), None, "{word}");
        }
    }
}
