//! Balances, holds and the ledger of credit transactions.
//!
//! The account's balance row is locked by touching it (`version + 1`), so that two use cases that spend from
//! one account take turns (see [`crate::turns`]) on both engines; it is touched last in a use case, to keep the turn short.

use crate::codec::Columns;
use crate::list::List;
use crate::row::{FromRow, Row};
use crate::turns::moved_at;
use crate::{Db, Error, Tx, sql};
use domain::account::Owner;
use domain::credit::{
    Balance, Credits, Hold, Movement, MovementKind, Source, Transaction, TransactionFilter,
};
use domain::id::{AccountId, TransactionId};
use domain::mode::Mode;
use domain::paging::Slice;
use jiff::Timestamp;

struct BalanceRow(Balance);

impl FromRow for BalanceRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("balances", row);
        Ok(BalanceRow(Balance {
            available: columns.credits(1)?,
            held: columns.credits(2)?,
            expired: columns.credits(3)?,
            valid_until: columns.opt_time(4)?,
            expired_at: columns.opt_time(5)?,
            warned_for: columns.opt_time(6)?,
        }))
    }
}

/// Opens an empty balance.
pub async fn open(db: &mut Db, account: AccountId, mode: Mode) -> Result<(), Error> {
    let statement = "INSERT INTO balances (account_id, mode, available, held, expired, version) \
                     VALUES ($1, $2, 0, 0, 0, 0)";
    db.queue(sql(statement).bind(account.to_string()).bind(mode.name())).await
}

/// The balance as it stands, for looking at.
pub async fn balance(db: &mut Db, account: AccountId, mode: Mode) -> Result<Option<Balance>, Error> {
    let statement = "SELECT account_id, available, held, expired, valid_until, expired_at, warned_for \
                     FROM balances WHERE account_id = $1 AND mode = $2";
    let row = db.one::<BalanceRow>(sql(statement).bind(account.to_string()).bind(mode.name())).await?;
    Ok(row.map(|row| row.0))
}

/// A balance that nobody else can change until the transaction ends.
#[derive(Clone, Copy, Debug)]
pub struct Locked {
    /// As it stands.
    pub balance: Balance,
    /// Below this, the account is told. It comes along, because a read of its own would keep others waiting.
    pub low_threshold: Credits,
}

impl FromRow for Locked {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let low_threshold = Columns::of("accounts", row).credits(7)?;
        Ok(Locked { balance: BalanceRow::from_row(row)?.0, low_threshold })
    }
}

/// A locked balance with the turn that its lock gave.
struct LockedRow(Locked, Timestamp);

impl FromRow for LockedRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(LockedRow(Locked::from_row(row)?, Columns::of("balances", row).time(8)?))
    }
}

const LOCK: &str = concat!(
    "UPDATE balances SET version = version + 1, ",
    moved_at!(),
    " WHERE account_id = $1 AND mode = $2 \
     RETURNING account_id, available, held, expired, valid_until, expired_at, warned_for, \
     (SELECT low_balance_threshold FROM accounts WHERE accounts.id = balances.account_id), moved_at"
);

/// The balance, locked until the transaction ends, for changing; and with it the account's turn.
pub async fn lock(tx: &mut Tx, (account, mode): Owner, now: Timestamp) -> Result<Option<Locked>, Error> {
    let query = sql(LOCK).bind(account.to_string()).bind(mode.name()).bind(now);
    let found = tx.one::<LockedRow>(query).await?;
    found.map(|row| taken(tx, row, now)).transpose()
}

fn taken(tx: &mut Tx, LockedRow(locked, moved_at): LockedRow, now: Timestamp) -> Result<Locked, Error> {
    tx.begin_turn(now, Some(moved_at))?;
    Ok(locked)
}

/// Writes a locked balance back.
pub async fn save(db: &mut Db, account: AccountId, mode: Mode, balance: &Balance) -> Result<(), Error> {
    let statement = "UPDATE balances SET available = $3, held = $4, expired = $5, valid_until = $6, \
                     expired_at = $7, warned_for = $8, due_at = $9 WHERE account_id = $1 AND mode = $2";
    db.queue(
        sql(statement)
            .bind(account.to_string())
            .bind(mode.name())
            .bind(balance.available.signed())
            .bind(balance.held.signed())
            .bind(balance.expired.signed())
            .bind(balance.valid_until)
            .bind(balance.expired_at)
            .bind(balance.warned_for)
            .bind(balance.due_at()),
    )
    .await
}

/// Balances that the sweep must look at, longest due first.
pub async fn due(db: &mut Db, now: Timestamp, rows: i64) -> Result<Vec<Owner>, Error> {
    struct Due(AccountId, Mode);
    impl FromRow for Due {
        fn from_row(row: &Row<'_>) -> Result<Self, Error> {
            let columns = Columns::of("balances", row);
            Ok(Due(columns.id(0)?, columns.mode(1)?))
        }
    }
    let statement = "SELECT account_id, mode FROM balances WHERE due_at <= $1 ORDER BY due_at LIMIT $2";
    let found = db.all::<Due>(sql(statement).bind(now).bind(rows)).await?;
    Ok(found.into_iter().map(|due| (due.0, due.1)).collect())
}

/// Notes that credits are set aside for an object. A second hold for the same object breaks the table's key,
/// and with it the whole transaction.
pub async fn insert_hold(
    db: &mut Db,
    (account, mode): Owner,
    source: Source,
    pages: u32,
    hold: &Hold,
) -> Result<(), Error> {
    let statement = "INSERT INTO holds (source_id, source_object, account_id, mode, credits, pages, status, \
                     created_at) VALUES ($1, $2, $3, $4, $5, $6, 'held', $7)";
    db.queue(
        sql(statement)
            .bind(source.id())
            .bind(source.object())
            .bind(account.to_string())
            .bind(mode.name())
            .bind(hold.credits.signed())
            .bind(pages)
            .bind(hold.created_at),
    )
    .await
}

/// What became of a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Spent.
    Charged,
    /// Given back.
    Returned,
}

/// A hold that was just settled, with its pages.
pub type SettledHold = (Hold, u32);

struct HoldRow(SettledHold);

impl FromRow for HoldRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("holds", row);
        let hold = Hold { credits: columns.credits(1)?, created_at: columns.time(2)? };
        Ok(HoldRow((hold, columns.count(3)?)))
    }
}

/// Settles an object's hold, locks the balance and takes the account's turn. Gives what was held; `None`: there is no
/// hold, or it was settled before; either way nothing more may be charged or given back.
pub async fn settle_hold(
    tx: &mut Tx,
    (account, mode): Owner,
    source: Source,
    settled: Settled,
    now: Timestamp,
) -> Result<(Option<SettledHold>, Option<Locked>), Error> {
    let status = match settled {
        Settled::Charged => "charged",
        Settled::Returned => "returned",
    };
    let statement = "UPDATE holds SET status = $2 WHERE source_id = $1 AND status = 'held' \
                     RETURNING source_id, credits, created_at, pages";
    let settle = sql(statement).bind(source.id()).bind(status);
    let lock = sql(LOCK).bind(account.to_string()).bind(mode.name()).bind(now);
    let (holds, balances) = tx.both::<HoldRow, LockedRow>(settle, lock).await?;
    let locked = balances.into_iter().next().map(|row| taken(tx, row, now)).transpose()?;
    Ok((holds.into_iter().next().map(|row| row.0), locked))
}

const COLUMNS: &str = "id, mode, type, amount, balance_after, pages, source_object, source_id, reference, \
                       description, created_at";

impl FromRow for Transaction {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("credit_transactions", row);
        Ok(Transaction {
            id: columns.id(0)?,
            mode: columns.mode(1)?,
            movement: Movement {
                kind: columns.parsed(2, "type", MovementKind::parse)?,
                amount: row.int(3)?,
                balance_after: columns.credits(4)?,
            },
            pages: columns.opt_count(5)?,
            source: row.opt_text(6)?.zip(row.opt_text(7)?),
            reference: row.opt_text(8)?,
            description: row.text(9)?,
            created_at: columns.time(10)?,
        })
    }
}

/// Adds a movement to the ledger, which is read in the order of its times.
pub async fn insert(tx: &mut Tx, account: AccountId, transaction: &Transaction) -> Result<(), Error> {
    tx.must_have_given(transaction.created_at)?;
    let statement = "INSERT INTO credit_transactions (id, account_id, mode, type, amount, balance_after, pages, \
                     source_object, source_id, reference, description, created_at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    let source = transaction.source.as_ref();
    tx.queue(
        sql(statement)
            .bind(transaction.id.to_string())
            .bind(account.to_string())
            .bind(transaction.mode.name())
            .bind(transaction.movement.kind.name())
            .bind(transaction.movement.amount)
            .bind(transaction.movement.balance_after.signed())
            .bind(transaction.pages)
            .bind(source.map(|(object, _)| object))
            .bind(source.map(|(_, id)| id))
            .bind(transaction.reference.as_deref())
            .bind(&transaction.description)
            .bind(transaction.created_at),
    )
    .await
}

/// A page of the ledger, newest first, and one row more.
pub async fn list(
    db: &mut Db,
    (account, mode): Owner,
    filter: &TransactionFilter,
    slice: Slice,
) -> Result<Vec<Transaction>, Error> {
    List::<TransactionId>::new("credit_transactions", COLUMNS, account, mode, slice)
        .filter("type", filter.kind.map(MovementKind::name))
        .filter_few("source_id", filter.source_id.as_deref())
        .fetch(db)
        .await
}

/// The sum of all movements, which the usable credits must equal.
pub async fn sum(db: &mut Db, account: AccountId, mode: Mode) -> Result<i64, Error> {
    let statement = "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM credit_transactions \
                     WHERE account_id = $1 AND mode = $2";
    let sum = db.one::<i64>(sql(statement).bind(account.to_string()).bind(mode.name())).await?;
    Ok(sum.unwrap_or_default())
}

/// What an account was charged in a span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Papers read.
    pub papers: u64,
    /// Their pages.
    pub paper_pages: u64,
    /// Scripts marked.
    pub scripts: u64,
    /// Their pages.
    pub script_pages: u64,
    /// Credits charged for both.
    pub credits: u64,
}

#[derive(Default)]
struct Charged {
    count: u64,
    pages: u64,
    credits: u64,
}

impl FromRow for Charged {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let number = |column| row.int(column).map(|number| u64::try_from(number).unwrap_or_default());
        Ok(Charged { count: number(0)?, pages: number(1)?, credits: number(2)? })
    }
}

/// What the account was charged from `from` until before `until`.
pub async fn usage(
    db: &mut Db,
    (account, mode): Owner,
    from: Timestamp,
    until: Timestamp,
) -> Result<Usage, Error> {
    let statement = "SELECT COUNT(*), CAST(COALESCE(SUM(pages), 0) AS BIGINT), \
                     CAST(COALESCE(-SUM(amount), 0) AS BIGINT) FROM credit_transactions \
                     WHERE account_id = $1 AND mode = $2 AND type = $3 AND created_at >= $4 AND created_at < $5";
    let charged = async |db: &mut Db, kind: MovementKind| {
        let query = sql(statement).bind(account.to_string()).bind(mode.name()).bind(kind.name());
        db.one::<Charged>(query.bind(from).bind(until)).await.map(Option::unwrap_or_default)
    };
    let papers = charged(db, MovementKind::PaperProcessing).await?;
    let scripts = charged(db, MovementKind::Grading).await?;
    Ok(Usage {
        papers: papers.count,
        paper_pages: papers.pages,
        scripts: scripts.count,
        script_pages: scripts.pages,
        credits: papers.credits + scripts.credits,
    })
}

/// The sum of all open holds, which the held credits must equal.
pub async fn held(db: &mut Db, account: AccountId, mode: Mode) -> Result<Credits, Error> {
    let statement = "SELECT CAST(COALESCE(SUM(credits), 0) AS BIGINT) FROM holds \
                     WHERE account_id = $1 AND mode = $2 AND status = 'held'";
    let sum = db.one::<i64>(sql(statement).bind(account.to_string()).bind(mode.name())).await?;
    Ok(Credits(u64::try_from(sum.unwrap_or_default()).unwrap_or_default()))
}
