//! How domain values stand in columns: instants as microseconds, ids and enums as text.

use crate::error::Error;
use crate::row::Row;
use domain::credit::Credits;
use domain::id::Identifier;
use domain::mode::Mode;
use jiff::Timestamp;

/// Reads columns of one table, so that what cannot be understood is named.
pub(crate) struct Columns<'r> {
    row: &'r Row<'r>,
    table: &'static str,
}

impl<'r> Columns<'r> {
    pub(crate) fn of(table: &'static str, row: &'r Row<'r>) -> Columns<'r> {
        Columns { row, table }
    }

    pub(crate) fn parsed<T>(
        &self,
        column: usize,
        name: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Error> {
        parse(self.row.str(column)?).ok_or_else(|| self.corrupt(name))
    }

    pub(crate) fn opt_parsed<T>(
        &self,
        column: usize,
        name: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let text = self.row.opt_str(column)?;
        text.map(|text| parse(text).ok_or_else(|| self.corrupt(name))).transpose()
    }

    pub(crate) fn id<T: Identifier>(&self, column: usize) -> Result<T, Error> {
        self.parsed(column, "id", T::parse)
    }

    pub(crate) fn mode(&self, column: usize) -> Result<Mode, Error> {
        self.parsed(column, "mode", Mode::parse)
    }

    pub(crate) fn time(&self, column: usize) -> Result<Timestamp, Error> {
        instant(self.row.int(column)?).ok_or_else(|| self.corrupt("time"))
    }

    pub(crate) fn opt_time(&self, column: usize) -> Result<Option<Timestamp>, Error> {
        let time = self.row.opt_int(column)?;
        time.map(|us| instant(us).ok_or_else(|| self.corrupt("time"))).transpose()
    }

    pub(crate) fn credits(&self, column: usize) -> Result<Credits, Error> {
        u64::try_from(self.row.int(column)?).map(Credits).map_err(|_| self.corrupt("credits"))
    }

    pub(crate) fn opt_credits(&self, column: usize) -> Result<Option<Credits>, Error> {
        let credits = self.row.opt_int(column)?;
        credits
            .map(|credits| u64::try_from(credits).map(Credits).map_err(|_| self.corrupt("credits")))
            .transpose()
    }

    pub(crate) fn large_count(&self, column: usize) -> Result<u64, Error> {
        u64::try_from(self.row.int(column)?).map_err(|_| self.corrupt("count"))
    }

    pub(crate) fn count(&self, column: usize) -> Result<u32, Error> {
        u32::try_from(self.row.int(column)?).map_err(|_| self.corrupt("count"))
    }

    pub(crate) fn opt_count(&self, column: usize) -> Result<Option<u32>, Error> {
        let count = self.row.opt_int(column)?;
        count.map(|count| u32::try_from(count).map_err(|_| self.corrupt("count"))).transpose()
    }

    /// The first column of our rows is the id, which helps to find a broken row; its other columns are not
    /// logged, because they may hold a student's words.
    pub(crate) fn corrupt(&self, column: &'static str) -> Error {
        let id = self.row.opt_str(0).ok().flatten().unwrap_or_default().to_owned();
        Error::Corrupt { table: self.table, column, id }
    }
}

fn instant(us: i64) -> Option<Timestamp> {
    Timestamp::from_microsecond(us).ok()
}
