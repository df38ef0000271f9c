//! What a form or a query holds: named texts, within bounds.

use super::problem::Problem;
use axum::body::Body;
use axum::extract::FromRequestParts;
use domain::credit::Credits;
use domain::id::Identifier;
use domain::mode::Mode;
use domain::operator::Reason;
use domain::text::ShortLine;
use domain::time;
use http::request::Parts;
use http::{HeaderMap, header};
use http_body_util::{BodyExt as _, Limited};
use jiff::Timestamp;

/// No form of ours is larger.
const BYTES_MAX: usize = 16 * 1024;
/// Fields of one form.
const FIELDS_MAX: usize = 64;

/// The fields in their order.
#[derive(Clone, Debug)]
pub(super) struct Fields(Vec<(String, String)>);

impl<S: Sync> FromRequestParts<S> for Fields {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Fields, Problem> {
        Fields::parse(parts.uri.query().unwrap_or_default().as_bytes())
    }
}

impl Fields {
    /// Nothing was asked for.
    pub(super) fn none() -> Fields {
        Fields(Vec::new())
    }

    /// The body of a form.
    pub(super) async fn read(headers: &HeaderMap, body: Body) -> Result<Fields, Problem> {
        let kind =
            headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Problem::wrong("Forms are sent as a browser sends them."));
        }
        let bytes = Limited::new(body, BYTES_MAX).collect().await;
        let bytes =
            bytes.map_err(|_| Problem::wrong(format!("The form is larger than {BYTES_MAX} bytes.")))?;
        Fields::parse(&bytes.to_bytes())
    }

    fn parse(bytes: &[u8]) -> Result<Fields, Problem> {
        if bytes.len() > BYTES_MAX {
            return Err(Problem::wrong(format!("The form is larger than {BYTES_MAX} bytes.")));
        }
        let fields: Vec<(String, String)> = form_urlencoded::parse(bytes)
            .take(FIELDS_MAX + 1)
            .map(|(name, text)| (name.into(), text.into()))
            .collect();
        if fields.len() > FIELDS_MAX {
            return Err(Problem::wrong(format!("The form has more than {FIELDS_MAX} fields.")));
        }
        Ok(Fields(fields))
    }

    /// The fields of these names only, as they came.
    pub(super) fn only(&self, names: &[&str]) -> Vec<(&str, &str)> {
        let pairs = self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        pairs.filter(|(name, _)| names.contains(name)).collect()
    }

    /// The first field of this name, without spaces around it; none when nothing was entered.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map(|(_, text)| text.trim()).filter(|text| !text.is_empty())
    }

    /// Every field of this name.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, text)| text.as_str())
    }

    fn required(&self, name: &str, label: &str) -> Result<&str, Problem> {
        self.text(name).ok_or_else(|| Problem::wrong(format!("{label} is missing.")))
    }

    pub(super) fn id<I: Identifier>(&self, name: &str, label: &str) -> Result<I, Problem> {
        let text = self.required(name, label)?;
        I::parse(text)
            .ok_or_else(|| Problem::wrong(format!("{label} is no id that begins with {}.", I::PREFIX)))
    }

    pub(super) fn mode(&self) -> Result<Mode, Problem> {
        let text = self.required("mode", "The mode")?;
        Mode::parse(text).ok_or_else(|| Problem::wrong("The mode is test or live."))
    }

    /// The mode that a page is about: live, unless it says otherwise.
    pub(super) fn mode_or_live(&self) -> Mode {
        self.text("mode").and_then(Mode::parse).unwrap_or(Mode::Live)
    }

    pub(super) fn line(&self, name: &str, label: &str) -> Result<String, Problem> {
        line(self.required(name, label)?, label)
    }

    pub(super) fn opt_line(&self, name: &str, label: &str) -> Result<Option<String>, Problem> {
        self.text(name).map(|text| line(text, label)).transpose()
    }

    /// A mail address, as far as it can be told without writing to it.
    pub(super) fn opt_mail(&self, name: &str) -> Result<Option<String>, Problem> {
        let Some(text) = self.opt_line(name, "The contact")? else { return Ok(None) };
        let is_address =
            text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
        let is_one = !text.chars().any(|letter| letter.is_whitespace() || ",;<>\"".contains(letter));
        if is_address && is_one {
            return Ok(Some(text));
        }
        Err(Problem::wrong("The contact is a mail address, such as it@hill.example."))
    }

    pub(super) fn reason(&self) -> Result<Option<Reason>, Problem> {
        let reason = self.text("reason").map(|text| Reason::parse(text.to_owned())).transpose();
        reason.map_err(|problem| Problem::wrong(format!("The reason {problem}.")))
    }

    /// At least one credit.
    pub(super) fn credits(&self, name: &str) -> Result<Credits, Problem> {
        let number = self.required(name, "The amount")?.parse().ok().map(Credits);
        let number = number.filter(|credits| (Credits(1)..=Credits::MAX).contains(credits));
        number.ok_or_else(|| {
            Problem::wrong(format!("The amount is a whole number from 1 to {}.", Credits::MAX))
        })
    }

    /// Credits to add or to take away.
    pub(super) fn difference(&self, name: &str) -> Result<i64, Problem> {
        let number = self.required(name, "The amount")?.parse::<i64>().ok();
        let number = number.filter(|number| *number != 0 && number.unsigned_abs() <= Credits::MAX.0);
        number.ok_or_else(|| Problem::wrong("The amount is a whole number other than 0, such as 20 or -20."))
    }

    /// A time, or a date that stands for its first moment in UTC.
    pub(super) fn opt_time(&self, name: &str, label: &str) -> Result<Option<Timestamp>, Problem> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let time = time::parse(text).or_else(|| time::parse(&format!("{text}T00:00Z")));
        time.map(Some).ok_or_else(|| {
            Problem::wrong(format!("{label} is a date or a time, such as 2027-07-31 or 2027-07-31T18:00Z."))
        })
    }
}

fn line(text: &str, label: &str) -> Result<String, Problem> {
    let line = ShortLine::parse(text.to_owned());
    line.map(ShortLine::into_string).map_err(|problem| Problem::wrong(format!("{label} {problem}.")))
}
