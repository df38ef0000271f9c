//! Query parameters, as strict as bodies: unknown, repeated, wrong or out of bounds is refused by name.

use crate::error::Error;
use domain::paging::{self, Limit, Position, Seal, Slice, Window};
use domain::time;
use jiff::Timestamp;

/// The parameters of one request.
#[derive(Debug)]
pub struct Query {
    params: Vec<(String, String)>,
}

/// The most characters of a cursor.
const CURSOR_MAX: usize = 200;

impl Query {
    /// Reads a query string whose names must be among `known`.
    pub fn parse(query: Option<&str>, known: &[&str]) -> Result<Query, Error> {
        let mut params: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            if !known.contains(&name.as_ref()) {
                return Err(Error::unknown(name));
            }
            if params.iter().any(|(earlier, _)| *earlier == name) {
                return Err(Error::invalid(name, "is there more than once"));
            }
            params.push((name.into_owned(), value.into_owned()));
        }
        Ok(Query { params })
    }

    /// A text of `min` to `max` characters.
    pub fn text(&self, name: &str, min: usize, max: usize) -> Result<Option<&str>, Error> {
        let Some(text) = self.raw(name) else { return Ok(None) };
        domain::text::check_line(text, min, max).map_err(|problem| Error::invalid(name, problem))?;
        Ok(Some(text))
    }

    /// A value of a closed list.
    pub fn choice<T: Copy>(
        &self,
        name: &str,
        all: &[T],
        value_name: fn(T) -> &'static str,
    ) -> Result<Option<T>, Error> {
        let Some(text) = self.raw(name) else { return Ok(None) };
        let found = all.iter().copied().find(|&value| value_name(value) == text);
        found.map(Some).ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|&value| value_name(value)).collect();
            Error::invalid(name, format_args!("must be one of {}", names.join(", ")))
        })
    }

    /// A whole number from `min` to `max`.
    pub fn whole(&self, name: &str, min: i64, max: i64) -> Result<Option<i64>, Error> {
        let Some(text) = self.raw(name) else { return Ok(None) };
        let number = text.parse().ok().filter(|number| (min..=max).contains(number));
        number
            .map(Some)
            .ok_or_else(|| Error::invalid(name, format_args!("must be a whole number from {min} to {max}")))
    }

    /// `limit`, 1 to 100.
    pub fn limit(&self) -> Result<Limit, Error> {
        let Some(text) = self.raw("limit") else { return Ok(Limit::DEFAULT) };
        let plain = text.bytes().all(|byte| byte.is_ascii_digit());
        let limit = plain.then(|| text.parse().ok()).flatten().and_then(Limit::new);
        limit.ok_or_else(|| {
            Error::invalid("limit", format_args!("must be an integer from 1 to {}", Limit::MAX))
        })
    }

    /// A timestamp filter.
    pub fn timestamp(&self, name: &str) -> Result<Option<Timestamp>, Error> {
        let Some(text) = self.raw(name) else { return Ok(None) };
        time::parse(text).map(Some).ok_or_else(|| {
            Error::invalid(
                name,
                "must be an ISO 8601 date-time with Z or an offset, such as 2026-11-15T03:05:00Z",
            )
        })
    }

    /// The time bounds that a list offers.
    pub fn window(&self) -> Result<Window, Error> {
        Ok(Window {
            created_after: self.timestamp("created_after")?,
            created_before: self.timestamp("created_before")?,
            updated_after: self.timestamp("updated_after")?,
        })
    }

    /// The part of the list that is asked for. The cursor must be of this very list: `seal` holds its owner
    /// and filters, and the window is added here.
    pub fn slice(&self, seal: Seal) -> Result<(Slice, Seal), Error> {
        let limit = self.limit()?;
        let window = self.window()?;
        let seal = [window.created_after, window.created_before, window.updated_after]
            .into_iter()
            .fold(seal, |seal, time| seal.with(time.map(|time| time.to_string()).as_deref()));
        let after = self.cursor(&seal)?;
        Ok((Slice { limit, after, window }, seal))
    }

    /// Where the list goes on.
    pub fn cursor(&self, seal: &Seal) -> Result<Option<Position>, Error> {
        let Some(text) = self.raw("cursor") else { return Ok(None) };
        if text.is_empty() || text.chars().count() > CURSOR_MAX {
            return Err(Error::invalid("cursor", format_args!("must have 1 to {CURSOR_MAX} characters")));
        }
        paging::parse_cursor(text, seal).map(Some).ok_or_else(|| {
            Error::invalid(
                "cursor",
                "must be the next_cursor of an earlier page of this list, with the same filters",
            )
        })
    }

    fn raw(&self, name: &str) -> Option<&str> {
        self.params.iter().find(|(param, _)| param == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    fn refused(query: &str) -> (Code, String) {
        let known = ["limit", "cursor", "created_after", "created_before"];
        let error =
            Query::parse(Some(query), &known).and_then(|query| query.slice(Seal::new("x"))).unwrap_err();
        (error.code, error.param.unwrap())
    }

    #[test]
    fn each_problem_is_named() {
        for (query, code, param) in [
            ("limt=3", Code::ParameterUnknown, "limt"),
            ("limit=3&limit=3", Code::ParameterInvalid, "limit"),
            ("limit=", Code::ParameterInvalid, "limit"),
            ("limit=0", Code::ParameterInvalid, "limit"),
            ("limit=%2B5", Code::ParameterInvalid, "limit"),
            ("limit=101", Code::ParameterInvalid, "limit"),
            ("created_after=yesterday", Code::ParameterInvalid, "created_after"),
            ("cursor=", Code::ParameterInvalid, "cursor"),
            ("cursor=AAAA", Code::ParameterInvalid, "cursor"),
        ] {
            assert_eq!(refused(query), (code, param.to_owned()), "{query}");
        }
    }

    #[test]
    fn a_plus_that_became_a_space_is_still_an_offset() {
        let query =
            Query::parse(Some("created_after=2026-11-15T08:35:00+05:30"), &["created_after"]).unwrap();
        let moment = query.timestamp("created_after").unwrap().unwrap();
        assert_eq!(moment.to_string(), "2026-11-15T03:05:00Z");
    }
}
