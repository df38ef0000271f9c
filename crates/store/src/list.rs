//! One shape for every list of an account's objects: filters, window, cursor, order.

use crate::row::FromRow;
use crate::{Db, Error, sql};
use domain::id::{AccountId, Identifier};
use domain::mode::Mode;
use domain::paging::{Position, Slice};
use std::fmt::Write as _;
use std::marker::PhantomData;

/// How many rows a statement asks for: the next of these that is enough for the page. A number in the text, and
/// not a bound value, lets PostgreSQL plan the statement once: of a bound limit it knows nothing, thinks that a
/// tenth of the list is wanted, and plans each page anew. Few numbers keep few statements in the caches.
const ROWS: [usize; 6] = [2, 6, 11, 21, 51, 101];

/// What `(time, id) < ($1, $2)` is asked with for the rows that come after one, newest first; for the first page,
/// something that nothing is later than.
pub(crate) fn before<I: Identifier>(after: Option<Position>) -> (i64, String) {
    after.map_or((i64::MAX, String::new()), |after| (after.time_us, I::from_number(after.id).to_string()))
}

/// A list of one table's rows that belong to one account and mode.
///
/// The table has an index on `(account_id, mode, <filters>, created_at, id)` for each combination of filters it offers,
/// and one with `updated_at` where it is listed by change, so that a page costs the same however long the list is. What
/// belongs to one student or object needs no index for what it is filtered by besides: there is little of it.
#[derive(Debug)]
pub struct List<I> {
    table: &'static str,
    columns: &'static str,
    account_id: AccountId,
    mode: Mode,
    equals: Vec<(&'static str, String)>,
    picks: Vec<(&'static str, String)>,
    slice: Slice,
    kind: PhantomData<I>,
}

impl<I: Identifier> List<I> {
    /// The list of a table's rows, with the columns that `T` of [`List::fetch`] reads.
    pub fn new(
        table: &'static str,
        columns: &'static str,
        account_id: AccountId,
        mode: Mode,
        slice: Slice,
    ) -> List<I> {
        List {
            table,
            columns,
            account_id,
            mode,
            equals: Vec::new(),
            picks: Vec::new(),
            slice,
            kind: PhantomData,
        }
    }

    /// Keeps the rows whose column has this value, if one is given.
    #[must_use]
    pub fn filter(mut self, column: &'static str, value: Option<impl Into<String>>) -> List<I> {
        self.equals.extend(value.map(|value| (column, value.into())));
        self
    }

    /// Keeps the rows that belong to one student or object, if it is given. Then what the list is filtered by besides
    /// is picked from these few rows, and never a reason to take another index: which of two is the better one cannot
    /// be left to SQLite, which knows no figures.
    #[must_use]
    pub fn filter_few(mut self, column: &'static str, value: Option<impl Into<String>>) -> List<I> {
        if let Some(value) = value {
            self.picks = std::mem::replace(&mut self.equals, vec![(column, value.into())]);
        }
        self
    }

    /// Fetches one row more than the page shows, to know whether there are more.
    pub async fn fetch<T: FromRow>(self, db: &mut Db) -> Result<Vec<T>, Error> {
        let wanted = usize::try_from(self.slice.limit.rows()).unwrap_or_default();
        let statement = self.text(ROWS.into_iter().find(|&rows| rows >= wanted).unwrap_or(wanted));
        let window = self.slice.window;
        let mut query = sql(statement).bind(self.account_id.to_string()).bind(self.mode.name());
        for (_, value) in self.equals.into_iter().chain(self.picks) {
            query = query.bind(value);
        }
        for bound in [window.created_after, window.created_before, window.updated_after].into_iter().flatten()
        {
            query = query.bind(bound);
        }
        if let Some(position) = self.slice.after {
            query = query.bind(position.time_us).bind(I::from_number(position.id).to_string());
        }
        let mut found = db.all(query).await?;
        found.truncate(wanted);
        Ok(found)
    }

    /// The statement; its binds are in the order of [`List::fetch`].
    fn text(&self, rows: usize) -> String {
        let window = self.slice.window;
        let by_change = window.updated_after.is_some();
        let (time, direction, beyond) =
            if by_change { ("updated_at", "ASC", '>') } else { ("created_at", "DESC", '<') };
        let mut text =
            format!("SELECT {} FROM {} WHERE account_id = $1 AND mode = $2", self.columns, self.table);
        let mut bind = 2;
        let mut clause = |condition: &str, binds: usize| {
            let numbers: Vec<String> = (1..=binds).map(|offset| format!("${}", bind + offset)).collect();
            bind += binds;
            let _ = write!(text, "{}", condition.replace('?', &numbers.join(", ")));
        };
        for (column, _) in &self.equals {
            clause(&format!(" AND {column} = ?"), 1);
        }
        for (column, _) in &self.picks {
            // No index has this expression.
            clause(&format!(" AND {column} || '' = ?"), 1);
        }
        if window.created_after.is_some() {
            clause(" AND created_at > ?", 1);
        }
        if window.created_before.is_some() {
            clause(" AND created_at < ?", 1);
        }
        if window.updated_after.is_some() {
            clause(" AND updated_at > ?", 1);
        }
        if self.slice.after.is_some() {
            clause(&format!(" AND ({time}, id) {beyond} (?)"), 2);
        }
        let _ = write!(text, " ORDER BY {time} {direction}, id {direction} LIMIT {rows}");
        text
    }
}
