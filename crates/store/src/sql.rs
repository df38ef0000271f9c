//! A statement: its text and the values bound to it.

use std::borrow::Cow;

use crate::error::Error;

/// How many values a statement has room for before its list grows.
const USUAL_BINDS: usize = 8;

/// A statement with `$1`, `$2`, … in its text and one bound value for each of them.
#[derive(Debug, Clone)]
pub struct Sql<'v> {
    text: Cow<'static, str>,
    values: Vec<Value<'v>>,
    is_locking: bool,
    is_guarded: bool,
}

/// Begins a statement: `sql("SELECT name FROM papers WHERE id = $1").bind(id)`.
pub fn sql<'v>(text: impl Into<Cow<'static, str>>) -> Sql<'v> {
    Sql { text: text.into(), values: Vec::new(), is_locking: false, is_guarded: false }
}

impl<'v> Sql<'v> {
    /// Binds the next value: the first call binds `$1`.
    #[must_use]
    pub fn bind(mut self, value: impl Into<Value<'v>>) -> Sql<'v> {
        if self.values.capacity() == 0 {
            self.values.reserve_exact(USUAL_BINDS);
        }
        self.values.push(value.into());
        self
    }

    /// Says that nothing is lost though the statement takes part in a change without a lock of its own: the row
    /// belongs to one that is locked, or the statement itself asks for everything that was decided on.
    #[must_use]
    pub(crate) fn guarded(mut self) -> Sql<'v> {
        self.is_guarded = true;
        self
    }

    pub(crate) fn is_guarded(&self) -> bool {
        self.is_guarded
    }

    /// Says that the statement locks the rows it reads.
    #[must_use]
    pub(crate) fn locking(mut self) -> Sql<'v> {
        self.is_locking = true;
        self
    }

    pub(crate) fn is_locking(&self) -> bool {
        self.is_locking
    }

    /// The statement with words of an engine behind it.
    pub(crate) fn followed_by(mut self, words: &str, table: &str) -> Sql<'v> {
        let text = self.text.to_mut();
        text.push_str(words);
        text.push_str(table);
        self
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text as the key of a cache; a literal costs no copy.
    pub(crate) fn text_to_keep(&self) -> Cow<'static, str> {
        self.text.clone()
    }

    /// The number of values does not fit the places in the text.
    pub(crate) fn wrong_binds(&self, places: usize) -> Error {
        Error::driver(format!("{} values for {places} places in: {}", self.values.len(), self.text))
    }

    /// The values, kept beyond the life of what was bound.
    pub(crate) fn into_owned_values(self) -> Vec<Value<'static>> {
        self.values.into_iter().map(Value::into_owned).collect()
    }

    pub(crate) fn values(&self) -> &[Value<'v>] {
        &self.values
    }
}

/// The closed set of values that both engines store alike.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'v> {
    Null,
    Text(Cow<'v, str>),
    Int(i64),
    Float(f64),
    Bool(bool),
}

impl Value<'_> {
    fn into_owned(self) -> Value<'static> {
        match self {
            Value::Null => Value::Null,
            Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Value::Int(number) => Value::Int(number),
            Value::Float(number) => Value::Float(number),
            Value::Bool(truth) => Value::Bool(truth),
        }
    }
}

impl<'v> From<&'v str> for Value<'v> {
    fn from(text: &'v str) -> Self {
        Value::Text(Cow::Borrowed(text))
    }
}

impl<'v> From<&'v String> for Value<'v> {
    fn from(text: &'v String) -> Self {
        Value::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value::Text(Cow::Owned(text))
    }
}

impl<'v> From<Cow<'v, str>> for Value<'v> {
    fn from(text: Cow<'v, str>) -> Self {
        Value::Text(text)
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Value::Int(number)
    }
}

impl From<i32> for Value<'_> {
    fn from(number: i32) -> Self {
        Value::Int(number.into())
    }
}

impl From<u32> for Value<'_> {
    fn from(number: u32) -> Self {
        Value::Int(number.into())
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Value::Float(number)
    }
}

impl From<bool> for Value<'_> {
    fn from(truth: bool) -> Self {
        Value::Bool(truth)
    }
}

impl<'v, T: Into<Value<'v>>> From<Option<T>> for Value<'v> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

/// Instants are stored as microseconds.
impl From<jiff::Timestamp> for Value<'_> {
    fn from(instant: jiff::Timestamp) -> Self {
        Value::Int(instant.as_microsecond())
    }
}
