//! JSON as strict as the contract wants it: no member twice, each value of the type and in the bounds it
//! should have, and the first problem named by its path.

use crate::error::{Code, Error};
use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::HashSet;
use std::fmt;

/// A parsed JSON value that keeps the order of members.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(serde_json::Number),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
}

/// Reads a whole body.
pub fn parse(bytes: &[u8]) -> Result<Json, Error> {
    serde_json::from_slice(bytes).map_err(|error| {
        let message = format!("The body is not valid JSON: {error}.");
        Error::new(Code::InvalidJson, message)
    })
}

impl Json {
    /// Writes the value with its members sorted, so that equal bodies are equal bytes.
    pub fn canonical(&self, out: &mut Vec<u8>) {
        match self {
            Json::Null => out.extend(b"null"),
            Json::Bool(value) => out.extend(if *value { &b"true"[..] } else { b"false" }),
            Json::Number(number) => out.extend(number.to_string().as_bytes()),
            Json::String(text) => quote(text, out),
            Json::Array(items) => separated(out, b'[', b']', items, Json::canonical),
            Json::Object(members) => {
                let mut sorted: Vec<&(String, Json)> = members.iter().collect();
                sorted.sort_by(|one, other| one.0.cmp(&other.0));
                separated(out, b'{', b'}', &sorted, |(name, value), out| {
                    quote(name, out);
                    out.push(b':');
                    value.canonical(out);
                });
            }
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Number(_) => "a number",
            Json::String(_) => "a string",
            Json::Array(_) => "an array",
            Json::Object(_) => "an object",
        }
    }
}

fn quote(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("writing a string to memory cannot fail");
}

fn separated<T>(out: &mut Vec<u8>, open: u8, close: u8, items: &[T], write: impl Fn(&T, &mut Vec<u8>)) {
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(item, out);
    }
    out.push(close);
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        struct AnyValue;

        impl<'de> Visitor<'de> for AnyValue {
            type Value = Json;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON value")
            }

            fn visit_unit<E>(self) -> Result<Json, E> {
                Ok(Json::Null)
            }

            fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
                Ok(Json::Bool(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
                Ok(Json::Number(value.into()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
                Ok(Json::Number(value.into()))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Json, E> {
                let number = serde_json::Number::from_f64(value);
                number.map(Json::Number).ok_or_else(|| E::custom("a number is out of range"))
            }

            fn visit_str<E>(self, value: &str) -> Result<Json, E> {
                Ok(Json::String(value.to_owned()))
            }

            fn visit_string<E>(self, value: String) -> Result<Json, E> {
                Ok(Json::String(value))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
                let mut array = Vec::new();
                while let Some(item) = items.next_element()? {
                    array.push(item);
                }
                Ok(Json::Array(array))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
                let mut members: Vec<(String, Json)> = Vec::new();
                let mut names = HashSet::new();
                while let Some((name, value)) = entries.next_entry::<String, Json>()? {
                    if !names.insert(name.clone()) {
                        return Err(de::Error::custom(format_args!("the member {name:?} is there twice")));
                    }
                    members.push((name, value));
                }
                Ok(Json::Object(members))
            }
        }

        deserializer.deserialize_any(AnyValue)
    }
}

fn wrong_type(path: &str, wanted: &str, found: &Json) -> Error {
    Error::invalid(path, format_args!("must be {wanted}, not {}", found.kind()))
}

/// A whole number in bounds. `2.0` is no whole number on the wire.
pub fn integer(min: i64, max: i64) -> impl Fn(&str, Json) -> Result<i64, Error> {
    move |path, json| {
        let Json::Number(number) = &json else { return Err(wrong_type(path, "an integer", &json)) };
        let in_bounds = number.as_i64().filter(|number| (min..=max).contains(number));
        in_bounds.ok_or_else(|| Error::invalid(path, format_args!("must be an integer from {min} to {max}")))
    }
}

/// `true` or `false`.
pub fn boolean() -> impl Fn(&str, Json) -> Result<bool, Error> {
    |path, json| match json {
        Json::Bool(value) => Ok(value),
        other => Err(wrong_type(path, "true or false", &other)),
    }
}

/// A string, as it is.
pub fn string() -> impl Fn(&str, Json) -> Result<String, Error> {
    |path, json| match json {
        Json::String(text) => Ok(text),
        other => Err(wrong_type(path, "a string", &other)),
    }
}

/// A string that keeps a rule of the domain, such as `ShortLine::parse`.
pub fn text<T, P: fmt::Display>(
    parse: fn(String) -> Result<T, P>,
) -> impl Fn(&str, Json) -> Result<T, Error> {
    move |path, json| parse(string()(path, json)?).map_err(|problem| Error::invalid(path, problem))
}

/// An array of at most `max` items, each read by `read` with its own path.
pub fn array<T>(
    path: &str,
    json: Json,
    max: usize,
    read: impl Fn(&str, Json) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let Json::Array(items) = json else { return Err(wrong_type(path, "an array", &json)) };
    if items.len() > max {
        return Err(Error::invalid(path, format_args!("must have at most {max} items")));
    }
    items.into_iter().enumerate().map(|(index, item)| read(&format!("{path}[{index}]"), item)).collect()
}

/// One of a closed list of strings.
pub fn choice<T: Copy + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl Fn(&str, Json) -> Result<T, Error> {
    move |path, json| {
        let text = string()(path, json)?;
        let found = all.iter().copied().find(|&value| name(value) == text);
        found.ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|&value| name(value)).collect();
            Error::invalid(path, format_args!("must be one of {}", names.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_member_that_stands_twice_is_refused_at_any_depth() {
        for body in [r#"{"a":1,"a":2}"#, r#"{"a":[{"b":1,"b":1}]}"#, r#"{"a":1,"\u0061":2}"#] {
            assert_eq!(parse(body.as_bytes()).unwrap_err().code, Code::InvalidJson, "{body}");
        }
    }

    #[test]
    fn broken_json_is_refused() {
        for body in ["", "{", "{}x", "[1,]", "\u{feff}{}", "{\"a\":NaN}", "{\"a\":1e999}", "\"\\ud800\""] {
            assert_eq!(parse(body.as_bytes()).unwrap_err().code, Code::InvalidJson, "{body}");
        }
        assert!(parse(b"{\"a\":\"\xff\"}").is_err());
        assert!(parse("[".repeat(100_000).as_bytes()).is_err(), "depth is bounded");
    }

    #[test]
    fn the_canonical_form_ignores_order_and_white_space() {
        let canonical = |text: &str| {
            let mut out = Vec::new();
            parse(text.as_bytes()).unwrap().canonical(&mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(canonical(r#" {"b": [1, null, true], "a": "é\n"} "#), r#"{"a":"é\n","b":[1,null,true]}"#);
        assert_ne!(canonical("[1]"), canonical("[1.5]"));
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_parser(bytes: Vec<u8>) {
            let _ = parse(&bytes);
        }
    }
}
