//! A row of either engine, read by column index.

use crate::engine::{postgres, sqlite};
use crate::error::Error;

/// One row of an answer. Columns are read by their place in the SELECT list, which is the fastest way on
/// both engines.
#[derive(Debug)]
pub struct Row<'r>(pub(crate) Source<'r>);

#[derive(Debug)]
pub(crate) enum Source<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    Postgres(&'r tokio_postgres::Row),
}

impl Row<'_> {
    /// Text that is never null.
    pub fn text(&self, column: usize) -> Result<String, Error> {
        self.str(column).map(str::to_owned)
    }

    /// Text that is never null, without a copy.
    pub fn str(&self, column: usize) -> Result<&str, Error> {
        self.opt_str(column)?.ok_or_else(|| unexpected_null(column))
    }

    /// A whole number that is never null.
    pub fn int(&self, column: usize) -> Result<i64, Error> {
        self.opt_int(column)?.ok_or_else(|| unexpected_null(column))
    }

    /// A number with a fraction that is never null.
    pub fn float(&self, column: usize) -> Result<f64, Error> {
        self.opt_float(column)?.ok_or_else(|| unexpected_null(column))
    }

    /// A truth value that is never null.
    pub fn bool(&self, column: usize) -> Result<bool, Error> {
        self.opt_bool(column)?.ok_or_else(|| unexpected_null(column))
    }

    /// Text, or `None` for null.
    pub fn opt_text(&self, column: usize) -> Result<Option<String>, Error> {
        Ok(self.opt_str(column)?.map(str::to_owned))
    }

    /// Text without a copy, or `None` for null.
    pub fn opt_str(&self, column: usize) -> Result<Option<&str>, Error> {
        match self.0 {
            Source::Sqlite(row) => sqlite::text(row, column),
            Source::Postgres(row) => postgres::text(row, column),
        }
    }

    /// A whole number, or `None` for null.
    pub fn opt_int(&self, column: usize) -> Result<Option<i64>, Error> {
        match self.0 {
            Source::Sqlite(row) => sqlite::int(row, column),
            Source::Postgres(row) => postgres::int(row, column),
        }
    }

    /// A number with a fraction, or `None` for null.
    pub fn opt_float(&self, column: usize) -> Result<Option<f64>, Error> {
        match self.0 {
            Source::Sqlite(row) => sqlite::float(row, column),
            Source::Postgres(row) => postgres::float(row, column),
        }
    }

    /// A truth value, or `None` for null.
    pub fn opt_bool(&self, column: usize) -> Result<Option<bool>, Error> {
        match self.0 {
            Source::Sqlite(row) => sqlite::bool(row, column),
            Source::Postgres(row) => postgres::bool(row, column),
        }
    }
}

fn unexpected_null(column: usize) -> Error {
    Error::driver(format!("column {column} is null but was read as a value"))
}

/// What a row becomes.
pub trait FromRow: Sized {
    /// Reads the columns in the order of the SELECT list.
    fn from_row(row: &Row<'_>) -> Result<Self, Error>;
}

/// What a single column becomes; it lets tuples be read without a type of their own.
pub trait FromColumn: Sized {
    /// Reads one column.
    fn from_column(row: &Row<'_>, column: usize) -> Result<Self, Error>;
}

macro_rules! columns {
    ($($kind:ty => $method:ident),+) => {$(
        impl FromColumn for $kind {
            fn from_column(row: &Row<'_>, column: usize) -> Result<Self, Error> {
                row.$method(column)
            }
        }
        impl FromRow for $kind {
            fn from_row(row: &Row<'_>) -> Result<Self, Error> {
                row.$method(0)
            }
        }
    )+};
}

columns!(
    String => text, i64 => int, f64 => float, bool => bool,
    Option<String> => opt_text, Option<i64> => opt_int, Option<f64> => opt_float, Option<bool> => opt_bool
);

macro_rules! tuples {
    ($(($($part:ident $column:tt),+))+) => {$(
        impl<$($part: FromColumn),+> FromRow for ($($part,)+) {
            fn from_row(row: &Row<'_>) -> Result<Self, Error> {
                Ok(($($part::from_column(row, $column)?,)+))
            }
        }
    )+};
}

tuples!(
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
);
