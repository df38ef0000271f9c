//! PostgreSQL: how our closed set of values travels.

use std::error::Error as StdError;

use tokio_postgres::Row;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::error::{Cause, Error};
use crate::sql::Value;

impl ToSql for Value<'_> {
    fn to_sql(&self, wanted: &Type, out: &mut BytesMut) -> Result<IsNull, Cause> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Text(text) if <&str as ToSql>::accepts(wanted) => text.as_ref().to_sql(wanted, out),
            Value::Int(number) => int_to_sql(*number, wanted, out),
            Value::Float(number) if *wanted == Type::FLOAT8 => number.to_sql(wanted, out),
            Value::Bool(truth) if *wanted == Type::BOOL => truth.to_sql(wanted, out),
            Value::Text(_) | Value::Float(_) | Value::Bool(_) => Err(mismatch(self, wanted)),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// The server infers the width of a number from its place in the statement.
#[expect(clippy::cast_precision_loss, reason = "a number in a DOUBLE PRECISION place is meant as one")]
fn int_to_sql(number: i64, wanted: &Type, out: &mut BytesMut) -> Result<IsNull, Cause> {
    match *wanted {
        Type::INT8 => number.to_sql(wanted, out),
        Type::INT4 => i32::try_from(number)?.to_sql(wanted, out),
        Type::INT2 => i16::try_from(number)?.to_sql(wanted, out),
        Type::FLOAT8 => (number as f64).to_sql(wanted, out),
        _ => Err(mismatch(&Value::Int(number), wanted)),
    }
}

/// Names the kinds only: the value may be somebody's name or answer.
fn mismatch(value: &Value<'_>, wanted: &Type) -> Cause {
    let kind = match value {
        Value::Null => "null",
        Value::Text(_) => "text",
        Value::Int(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Bool(_) => "a truth value",
    };
    format!("{kind} was bound where {wanted} is wanted").into()
}

pub(crate) fn text(row: &Row, column: usize) -> Result<Option<&str>, Error> {
    row.try_get(column).map_err(Error::driver)
}

pub(crate) fn int(row: &Row, column: usize) -> Result<Option<i64>, Error> {
    let number: Option<Int> = row.try_get(column).map_err(Error::driver)?;
    Ok(number.map(|Int(number)| number))
}

pub(crate) fn float(row: &Row, column: usize) -> Result<Option<f64>, Error> {
    row.try_get(column).map_err(Error::driver)
}

pub(crate) fn bool(row: &Row, column: usize) -> Result<Option<bool>, Error> {
    row.try_get(column).map_err(Error::driver)
}

/// A whole number of any width: columns are BIGINT, but `SELECT 1` is not.
struct Int(i64);

impl<'r> FromSql<'r> for Int {
    fn from_sql(found: &Type, raw: &'r [u8]) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        match *found {
            Type::INT4 => i32::from_sql(found, raw).map(|number| Int(number.into())),
            Type::INT2 => i16::from_sql(found, raw).map(|number| Int(number.into())),
            _ => i64::from_sql(found, raw).map(Int),
        }
    }

    fn accepts(found: &Type) -> bool {
        matches!(*found, Type::INT8 | Type::INT4 | Type::INT2)
    }
}
