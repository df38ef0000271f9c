//! Reading settings one by one, each with its type, its bounds and its sentence when it is wrong.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use super::layers::{Layers, Options, Origin, Raw};
use super::{Error, Secret};
use toml::Value;
use url::Url;

/// One setting in force.
#[derive(Clone, Debug, serde::Serialize)]
pub struct InForce {
    /// Its dotted name.
    pub name: &'static str,
    /// Its value, secrets hidden; none when it is not set.
    pub value: Option<String>,
    /// Where it comes from.
    pub origin: String,
}

/// Takes the settings out of the layers, and remembers what it took.
pub(super) struct Reader {
    layers: Layers,
    taken: Vec<InForce>,
}

impl Reader {
    pub(super) fn new(
        options: Options,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Reader, Error> {
        Ok(Reader { layers: Layers::stack(options, environment)?, taken: Vec::new() })
    }

    /// Everything that was read, unless something was given that no setting asked for.
    pub(super) fn finish(self) -> Result<Vec<InForce>, Error> {
        let Some((name, origin)) = self.layers.left_over() else { return Ok(self.taken) };
        let known = self.taken.iter().map(|setting| setting.name);
        let near = known.min_by_key(|known| distance(&in_variable_form(known), &in_variable_form(&name)));
        let suggestion = near.filter(|near| distance(&in_variable_form(near), &in_variable_form(&name)) <= 3);
        Err(Error::Unknown { name, origin, suggestion })
    }

    pub(super) fn text(&mut self, name: &'static str) -> Result<Option<String>, Error> {
        self.parsed(name, "text", |text| Some(text.to_owned()))
    }

    pub(super) fn path(&mut self, name: &'static str) -> Result<Option<PathBuf>, Error> {
        self.parsed(name, "the path of a file or folder", |text| Some(PathBuf::from(text)))
    }

    pub(super) fn address(&mut self, name: &'static str) -> Result<Option<SocketAddr>, Error> {
        let right = "an IP address with a port, such as 127.0.0.1:8080 or [::]:8443";
        self.parsed(name, right, |text| text.parse().ok())
    }

    pub(super) fn url(&mut self, name: &'static str) -> Result<Option<Url>, Error> {
        let right = "an http or https address without a query, such as https://marking.example.org";
        self.parsed(name, right, |text| {
            let url = Url::parse(text).ok()?;
            let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
            let is_bare = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
            (is_web && is_bare).then_some(url)
        })
    }

    pub(super) fn secret(&mut self, name: &'static str) -> Result<Option<Secret>, Error> {
        self.parsed_secret(name, "text", |text| Some(Secret::new(text)))
    }

    /// Like `parsed`, but the value is shown nowhere.
    pub(super) fn parsed_secret<T>(
        &mut self,
        name: &'static str,
        right: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(raw) = self.take(name, true) else { return Ok(None) };
        let parsed = raw.value.as_str().and_then(parse);
        parsed.map(Some).ok_or_else(|| Error::Wrong {
            name,
            given: None,
            origin: raw.origin,
            right: right.into(),
        })
    }

    pub(super) fn parsed<T>(
        &mut self,
        name: &'static str,
        right: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(raw) = self.take(name, false) else { return Ok(None) };
        let parsed = raw.value.as_str().filter(|text| !text.is_empty()).and_then(parse);
        parsed.map(Some).ok_or_else(|| wrong(name, &raw, right))
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(&mut self, name: &'static str, words: &[(&str, T)]) -> Result<T, Error> {
        let right = one_of(words);
        let chosen = self.parsed(name, &right, |text| chosen(text, words))?;
        chosen.ok_or(Error::Missing { name })
    }

    /// Several of a few words, at least one.
    pub(super) fn choices<T: Copy>(
        &mut self,
        name: &'static str,
        words: &[(&str, T)],
    ) -> Result<Vec<T>, Error> {
        let right = format!("a list of {}", one_of(words));
        self.list(name, &right, 1, |text| chosen(text, words))
    }

    /// A list; in variables and options its items are separated by commas.
    pub(super) fn list<T>(
        &mut self,
        name: &'static str,
        right: &str,
        length_min: usize,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, Error> {
        let Some(raw) = self.take(name, false) else { return Ok(Vec::new()) };
        let items: Option<Vec<&str>> = match &raw.value {
            Value::String(text) if raw.is_text => Some(text.split(',').map(str::trim).collect()),
            Value::Array(items) => items.iter().map(Value::as_str).collect(),
            _ => None,
        };
        let parsed: Option<Vec<T>> = items.and_then(|items| items.into_iter().map(parse).collect());
        parsed.filter(|parsed| parsed.len() >= length_min).ok_or_else(|| wrong(name, &raw, right))
    }

    pub(super) fn integer(&mut self, name: &'static str, range: RangeInclusive<u32>) -> Result<u32, Error> {
        let raw = self.take(name, false).ok_or(Error::Missing { name })?;
        let number = match &raw.value {
            Value::Integer(number) => u32::try_from(*number).ok(),
            Value::String(text) if raw.is_text => text.parse().ok(),
            _ => None,
        };
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            let right = format!("a whole number from {} to {}", range.start(), range.end());
            wrong(name, &raw, &right)
        })
    }

    pub(super) fn seconds(
        &mut self,
        name: &'static str,
        range: RangeInclusive<u32>,
    ) -> Result<Duration, Error> {
        Ok(Duration::from_secs(u64::from(self.integer(name, range)?)))
    }

    pub(super) fn boolean(&mut self, name: &'static str) -> Result<bool, Error> {
        let raw = self.take(name, false).ok_or(Error::Missing { name })?;
        let truth = match &raw.value {
            Value::Boolean(truth) => Some(*truth),
            Value::String(text) if raw.is_text => text.parse().ok(),
            _ => None,
        };
        truth.ok_or_else(|| wrong(name, &raw, "true or false"))
    }

    fn take(&mut self, name: &'static str, is_secret: bool) -> Option<Raw> {
        let raw = self.layers.take(name);
        let value = raw.as_ref().map(|raw| if is_secret { "(hidden)".to_owned() } else { shown(&raw.value) });
        let origin = raw.as_ref().map_or_else(|| "not set".to_owned(), |raw| raw.origin.to_string());
        // A database's address may hold a password.
        let value = value.map(|value| if name == "database" { without_password(&value) } else { value });
        self.taken.push(InForce { name, value, origin });
        raw
    }
}

fn wrong(name: &'static str, raw: &Raw, right: &str) -> Error {
    let given = match &raw.value {
        Value::String(text) => format!("{text:?}"),
        value => shown(value),
    };
    Error::Wrong { name, given: Some(given), origin: raw.origin.clone(), right: right.to_owned() }
}

fn chosen<T: Copy>(text: &str, words: &[(&str, T)]) -> Option<T> {
    words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value)
}

fn one_of<T>(words: &[(&str, T)]) -> String {
    let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    words.join(" or ")
}

/// A value as a person would write it.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Datetime(time) => time.to_string(),
        Value::Table(_) => "a table".to_owned(),
    }
}

/// The address of a database with its password taken out.
pub fn without_password(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else { return address.to_owned() };
    if url.password().is_some() && url.set_password(Some("hidden")).is_err() {
        return format!("{}://(hidden)", url.scheme());
    }
    if url.query().is_some_and(|query| query.contains("password")) {
        url.set_query(Some("hidden"));
    }
    url.into()
}

fn in_variable_form(name: &str) -> String {
    name.replace('.', "_")
}

/// How many letters must be added, taken away or changed between two names.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, letter) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, other) in right.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

/// Used by errors to name where a value came from.
pub(super) fn place(origin: &Origin) -> String {
    match origin {
        Origin::Default => "by default".to_owned(),
        Origin::File(path) => format!("in {}", path.display()),
        Origin::Environment(name) => format!("as {name}"),
        Origin::Option(option) => format!("as {option}"),
    }
}
