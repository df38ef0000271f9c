//! PostgreSQL: reading columns.

use crate::error::Error;

pub(crate) fn text(row: &tokio_postgres::Row, column: usize) -> Result<Option<&str>, Error> {
    row.try_get(column).map_err(Error::driver)
}

pub(crate) fn int(row: &tokio_postgres::Row, column: usize) -> Result<Option<i64>, Error> {
    row.try_get(column).map_err(Error::driver)
}

pub(crate) fn float(row: &tokio_postgres::Row, column: usize) -> Result<Option<f64>, Error> {
    row.try_get(column).map_err(Error::driver)
}

pub(crate) fn bool(row: &tokio_postgres::Row, column: usize) -> Result<Option<bool>, Error> {
    row.try_get(column).map_err(Error::driver)
}
