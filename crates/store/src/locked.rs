//! Changing a row that is there: it is locked first, then the rule is asked, then only what changed is written.
//!
//! Two requests may read one row at the same moment. On PostgreSQL both would get it, and the one that writes last
//! would put back what it had read. So the rows that use cases change (papers, submissions, endpoints, accounts,
//! balances) are saved only through what their lock gave, within the transaction that locked them; whoever comes
//! second waits, and reads what the first one wrote.

use std::ops::Deref;

use crate::engine::Tx;
use crate::error::Error;
use crate::sql::{Value, sql};

/// A row as it is. Nobody else can change it until the transaction ends that locked it.
#[derive(Debug)]
pub struct Locked<T> {
    row: T,
    /// The transaction that holds the lock.
    transaction: u64,
}

impl<T> Locked<T> {
    pub(crate) fn new(row: T, transaction: u64) -> Locked<T> {
        Locked { row, transaction }
    }

    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Locked<U> {
        Locked { row: change(self.row), transaction: self.transaction }
    }

    /// The row, when nothing more is to be written to it.
    pub fn into_inner(self) -> T {
        self.row
    }

    /// A lock that ended with its transaction says nothing about the row any more.
    pub(crate) fn must_be_held_by(&self, tx: &Tx) -> Result<(), Error> {
        if self.transaction == tx.number() {
            return Ok(());
        }
        Err(Error::driver("a row is to be written that was locked in another transaction"))
    }
}

impl<T> Deref for Locked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.row
    }
}

/// The columns of a row that can change, in one order, with their values.
pub(crate) type Changeable<'v> = Vec<(&'static str, Value<'v>)>;

/// Writes those columns in which a locked row has changed.
pub(crate) async fn save<T>(
    tx: &mut Tx,
    (table, id): (&'static str, &str),
    from: &Locked<T>,
    to: &T,
    changeable: for<'v> fn(&'v T) -> Changeable<'v>,
) -> Result<(), Error> {
    from.must_be_held_by(tx)?;
    let (before, after) = (changeable(from), changeable(to));
    let changed: Changeable<'_> =
        after.into_iter().zip(before).filter(|(is, was)| is != was).map(|(is, _)| is).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let places: Vec<String> =
        (2..).zip(&changed).map(|(place, (column, _))| format!("{column} = ${place}")).collect();
    let statement = sql(format!("UPDATE {table} SET {} WHERE id = $1", places.join(", "))).bind(id);
    tx.queue(changed.into_iter().fold(statement, |statement, (_, value)| statement.bind(value))).await
}
