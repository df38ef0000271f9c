//! Timestamps as the API text wants them (2.1): shown in whole seconds of UTC, read leniently in filters.

use jiff::{Timestamp, civil::DateTime, fmt::temporal::DateTimePrinter, tz::Offset};
use std::fmt;

const WHOLE_SECONDS: DateTimePrinter = DateTimePrinter::new().precision(Some(0));

/// A timestamp as responses show it: `2026-11-15T03:05:39Z`, the fraction cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown(pub Timestamp);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_microsecond().div_euclid(1_000_000);
        let whole = Timestamp::from_second(seconds).unwrap_or(self.0);
        WHOLE_SECONDS.print_timestamp(&whole, jiff::fmt::StdFmtWrite(f)).map_err(|_| fmt::Error)
    }
}

impl serde::Serialize for Shown {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The day of a timestamp in UTC, as messages name it: `2026-11-15`.
pub fn day(timestamp: Timestamp) -> String {
    timestamp.to_zoned(jiff::tz::TimeZone::UTC).date().to_string()
}

/// Reads a timestamp filter: date, `T`, hours and minutes; seconds and a fraction if given; `Z` or an offset.
///
/// A space before the offset is taken as `+`, because that is what an unescaped plus becomes in a query.
pub fn parse(text: &str) -> Option<Timestamp> {
    let date_time = text.get(..16)?;
    let shape = date_time.bytes().enumerate().all(|(index, byte)| match index {
        4 | 7 => byte == b'-',
        10 => byte == b'T',
        13 => byte == b':',
        _ => byte.is_ascii_digit(),
    });
    if !shape {
        return None;
    }
    let (second, nanosecond, zone) = seconds(&text[16..])?;
    let number = |range: std::ops::Range<usize>| date_time[range].parse::<i16>().ok();
    let small = |range| number(range).and_then(|value| i8::try_from(value).ok());
    let local = DateTime::new(
        number(0..4)?,
        small(5..7)?,
        small(8..10)?,
        small(11..13)?,
        small(14..16)?,
        second,
        nanosecond,
    )
    .ok()?;
    offset(zone)?.to_timestamp(local).ok()
}

/// `:SS` and `.fraction`, both optional; gives what follows them.
fn seconds(rest: &str) -> Option<(i8, i32, &str)> {
    let Some(after_colon) = rest.strip_prefix(':') else { return Some((0, 0, rest)) };
    let second = two_digits(after_colon)?;
    let rest = &after_colon[2..];
    let Some(after_point) = rest.strip_prefix('.') else { return Some((second, 0, rest)) };
    let digits = after_point.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return None;
    }
    let nanosecond = format!("{:0<9.9}", &after_point[..digits]).parse().ok()?;
    Some((second, nanosecond, &after_point[digits..]))
}

/// `Z`, `+05:30`, `+0530` or `+05`.
fn offset(zone: &str) -> Option<Offset> {
    if zone == "Z" {
        return Some(Offset::UTC);
    }
    let sign = match zone.as_bytes().first()? {
        b'+' | b' ' => 1,
        b'-' => -1,
        _ => return None,
    };
    let hours = two_digits(&zone[1..])?;
    let minutes = match &zone[3..] {
        "" => 0,
        rest => {
            let digits = rest.strip_prefix(':').unwrap_or(rest);
            if digits.len() == 2 { two_digits(digits)? } else { return None }
        }
    };
    let in_range = hours <= 23 && minutes <= 59;
    in_range.then(|| Offset::from_seconds(sign * (i32::from(hours) * 3600 + i32::from(minutes) * 60)).ok())?
}

fn two_digits(text: &str) -> Option<i8> {
    let digits = text.get(..2)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_form_of_the_text_is_read() {
        let moment: Timestamp = "2026-11-15T03:05:00Z".parse().unwrap();
        for text in [
            "2026-11-15T03:05Z",
            "2026-11-15T03:05:00Z",
            "2026-11-15T03:05:00.000Z",
            "2026-11-15T08:35:00+05:30",
            "2026-11-15T08:35+0530",
            "2026-11-15T08:35 05:30",
            "2026-11-14T22:05:00-05",
        ] {
            assert_eq!(parse(text), Some(moment), "{text}");
        }
        assert_eq!(parse("2026-11-15T03:05:00.5Z").unwrap().as_millisecond() % 1000, 500);
        assert_eq!(parse("2026-11-15T03:05:00.1234567891Z").unwrap().subsec_nanosecond(), 123_456_789);
    }

    #[test]
    fn other_forms_are_refused() {
        for text in [
            "",
            "2026-11-15",
            "2026-11-15T03:05",
            "2026-11-15T03:05:00",
            "2026-11-15 03:05Z",
            "2026-13-15T03:05Z",
            "2026-02-30T03:05Z",
            "2026-11-15T24:05Z",
            "2026-11-15T03:05:60Z",
            "2026-11-15T03:05:00.Z",
            "2026-11-15T03:05:0Z",
            "2026-11-15T03:05z",
            "2026-11-15T03:05+24:00",
            "2026-11-15T03:05+05:300",
            "1763175900",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_fraction_is_cut_off_when_shown() {
        let moment = parse("2026-11-15T03:05:39.999999Z").unwrap();
        assert_eq!(Shown(moment).to_string(), "2026-11-15T03:05:39Z");
        assert_eq!(day(moment), "2026-11-15");
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_parser(text: String) {
            let _ = parse(&text);
            let _ = parse(&format!("2026-11-15T03:05{text}"));
        }

        #[test]
        fn what_is_shown_is_read_back(second in -30_000_000_000_i64..200_000_000_000) {
            let moment = Timestamp::from_second(second).unwrap();
            prop_assert_eq!(parse(&Shown(moment).to_string()), Some(moment));
        }
    }
}
