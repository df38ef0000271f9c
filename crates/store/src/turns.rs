//! An account's turn: the times of its changes, in the order in which they become visible.
//!
//! A poller that follows `updated_at`, and a reader of the ledger, trust that nothing comes in behind what they have
//! seen. A time that is read from the clock before the transaction ends promises no such thing: two that run at once
//! may end in the other order, clocks of two machines differ, and a clock can be set back. So the last time that was
//! given is kept in the row of the account's balance in its mode, and a change takes its times while it holds that row
//! (see docs/decisions/0006): it is always later than all that were given before, and whoever takes the next turn waits
//! until this one is committed. The turn comes last, after the object and its paper's counts, so that it is short.

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Error, Tx, sql};
use domain::account::Owner;
use jiff::Timestamp;

/// How many times a turn has, a microsecond apart: for the object, its events and the ledger's lines.
const TIMES: i64 = 16;

/// The times that a transaction may give to what it writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    clock: Timestamp,
    next: i64,
    last: i64,
}

impl Turn {
    /// The turn that ends with the time in the account's row.
    pub(crate) fn new(clock: Timestamp, moved_at: Timestamp) -> Turn {
        let last = moved_at.as_microsecond();
        Turn { clock, next: last - TIMES + 1, last }
    }

    /// The clock's own time. What falls due is due by the clock, however far the account's times are ahead of it.
    pub(crate) fn clock(&self) -> Timestamp {
        self.clock
    }

    pub(crate) fn time(&mut self) -> Result<Timestamp, Error> {
        if self.next > self.last {
            return Err(Error::driver("a turn has no more times to give"));
        }
        let time = Timestamp::from_microsecond(self.next).map_err(Error::driver)?;
        self.next += 1;
        Ok(time)
    }

    /// Whether a time was given by this turn.
    pub(crate) fn gave(&self, time: Timestamp) -> bool {
        let time = time.as_microsecond();
        self.last - TIMES < time && time < self.next
    }
}

/// The part of an UPDATE of `balances` that takes a turn; `$3` is the clock.
macro_rules! moved_at {
    () => {
        "moved_at = 15 + CASE WHEN moved_at < $3 THEN $3 ELSE moved_at + 1 END"
    };
}
pub(crate) use moved_at;

/// Takes a turn and nothing else.
pub(crate) const TAKE: &str = concat!(
    "UPDATE balances SET ",
    moved_at!(),
    " WHERE account_id = $1 AND mode = $2 RETURNING account_id, moved_at"
);

/// What [`TAKE`] gives.
pub(crate) struct Moved(pub(crate) Timestamp);

impl FromRow for Moved {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Moved(Columns::of("balances", row).time(1)?))
    }
}

/// Takes the account's turn for this transaction. Its times come from [`Tx::time`].
pub async fn take(tx: &mut Tx, (account, mode): Owner, now: Timestamp) -> Result<(), Error> {
    let query = sql(TAKE).bind(account.to_string()).bind(mode.name()).bind(now);
    let moved = tx.one::<Moved>(query).await?;
    tx.begin_turn(now, moved.map(|moved| moved.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_gives_its_own_times_in_order_and_no_more() {
        let at = |micros| Timestamp::from_microsecond(micros).expect("a time");
        let mut turn = Turn::new(at(5), at(100));
        let given: Vec<_> = std::iter::from_fn(|| turn.time().ok()).collect();
        assert_eq!(given.first(), Some(&at(85)));
        assert_eq!(given.last(), Some(&at(100)));
        assert!(given.is_sorted() && turn.gave(at(85)) && turn.gave(at(100)));
        assert!(!turn.gave(at(84)) && !turn.gave(at(101)), "others' times are not its own");
        assert_eq!(turn.clock(), at(5));
    }
}
