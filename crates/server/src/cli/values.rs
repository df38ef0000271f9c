//! Reading the values of options. Each error ends a sentence that begins with the option's name.

use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use domain::credit::Credits;
use domain::id::Identifier;
use domain::scope::Scope;
use domain::submission::Status;
use domain::text::ShortLine;
use domain::time::{self, Shown};
use ipnet::IpNet;
use jiff::Timestamp;

/// More requests a minute than any account could make.
const RATE_MAX: u64 = 1_000_000;

/// Names and references: one line of 1 to 255 characters.
pub(super) fn line(text: &str) -> Result<String, String> {
    ShortLine::parse(text.to_owned()).map(ShortLine::into_string).map_err(|problem| format!("it {problem}"))
}

/// A mail address, as far as it can be told without writing to it.
pub(super) fn mail(text: &str) -> Result<String, String> {
    let is_address = text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    let is_one = !text.chars().any(|letter| letter.is_whitespace() || ",;<>\"".contains(letter));
    if is_address && is_one {
        line(text)
    } else {
        Err("it must be a mail address, such as it@hill.example".to_owned())
    }
}

/// The id of one kind of thing.
pub(super) fn id<I: Identifier>(text: &str) -> Result<I, String> {
    I::parse(text).ok_or_else(|| format!("it must be {} and 26 letters and digits", I::PREFIX))
}

/// Requests per minute.
pub(super) fn rate() -> RangedU64ValueParser<u32> {
    RangedU64ValueParser::new().range(1..=RATE_MAX)
}

/// Credits, none included.
pub(super) fn credits(text: &str) -> Result<Credits, String> {
    let credits = text.parse().ok().map(Credits).filter(|credits| *credits <= Credits::MAX);
    credits.ok_or_else(|| format!("it must be a whole number from 0 to {}", Credits::MAX.0))
}

/// At least one credit.
pub(super) fn some_credits(text: &str) -> Result<Credits, String> {
    let credits = credits(text).ok().filter(|credits| *credits > Credits::ZERO);
    credits.ok_or_else(|| format!("it must be a whole number from 1 to {}", Credits::MAX.0))
}

/// Credits to add or to take away.
pub(super) fn difference(text: &str) -> Result<i64, String> {
    let number =
        text.parse::<i64>().ok().filter(|number| *number != 0 && number.unsigned_abs() <= Credits::MAX.0);
    number.ok_or_else(|| "it must be a whole number other than 0, such as 20 or -20".to_owned())
}

/// A time, or a date that stands for its first moment in UTC.
pub(super) fn time(text: &str) -> Result<Timestamp, String> {
    let time = time::parse(text).or_else(|| time::parse(&format!("{text}T00:00Z")));
    time.ok_or_else(|| "it must be a date or a time, such as 2027-07-31 or 2027-07-31T18:00:00Z".to_owned())
}

/// A network, or one address.
pub(super) fn network(text: &str) -> Result<IpNet, String> {
    crate::config::network(text)
        .ok_or_else(|| "it must be a network or an address, such as 192.0.2.0/24 or 2001:db8::7".to_owned())
}

/// What a key may be allowed.
pub(super) fn scope() -> PossibleValuesParser {
    PossibleValuesParser::new(Scope::ALL.map(Scope::name))
}

/// A status of a submission.
pub(super) fn status() -> PossibleValuesParser {
    PossibleValuesParser::new(Status::ALL.iter().map(|status| status.name()))
}

/// A time as all of ours are shown.
pub(super) fn moment(time: Timestamp) -> String {
    Shown(time).to_string()
}
