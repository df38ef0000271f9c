//! The operators of the console: their keys, the browsers they logged in with, and the record of what they did.

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, Tx, sql};
use domain::id::{AccountId, EntryId, Identifier as _, OperatorKeyId};
use domain::key::KeyHash;
use domain::operator::{Action, Entry, OperatorKey, SESSIONS_MAX, Session};
use domain::paging::Position;
use domain::text::ShortLine;
use jiff::Timestamp;

macro_rules! key_columns {
    () => {
        "operator_keys.id, name, hash, last_four, operator_keys.created_at, revoked_at, last_used_at"
    };
}
const ENTRY: &str =
    "id, created_at, key_id, operator, address, action, account_id, object_id, reason, details";

struct KeyRow(OperatorKey);

impl FromRow for KeyRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("operator_keys", row);
        Ok(KeyRow(OperatorKey {
            id: columns.id(0)?,
            name: ShortLine::trusted(row.text(1)?),
            hash: columns.parsed(2, "hash", KeyHash::parse)?,
            last_four: row.text(3)?,
            created_at: columns.time(4)?,
            revoked_at: columns.opt_time(5)?,
            last_used_at: columns.opt_time(6)?,
        }))
    }
}

impl FromRow for Session {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("operator_sessions", row);
        Ok(Session { key: KeyRow::from_row(row)?.0, created_at: columns.time(7)?, seen_at: columns.time(8)? })
    }
}

impl FromRow for Entry {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("operator_log", row);
        Ok(Entry {
            id: columns.id(0)?,
            created_at: columns.time(1)?,
            key_id: columns.opt_parsed(2, "key_id", OperatorKeyId::parse)?,
            operator: row.text(3)?,
            address: row.opt_text(4)?,
            action: columns.parsed(5, "action", Action::parse)?,
            account_id: columns.opt_parsed(6, "account_id", AccountId::parse)?,
            object_id: row.opt_text(7)?,
            reason: row.opt_text(8)?,
            details: row.text(9)?,
        })
    }
}

/// Adds a key.
pub async fn insert_key(tx: &mut Tx, key: &OperatorKey) -> Result<(), Error> {
    let statement = "INSERT INTO operator_keys (id, name, hash, last_four, created_at, revoked_at, last_used_at) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7)";
    tx.queue(
        sql(statement)
            .bind(key.id.to_string())
            .bind(key.name.as_str())
            .bind(key.hash.to_hex())
            .bind(&key.last_four)
            .bind(key.created_at)
            .bind(key.revoked_at)
            .bind(key.last_used_at),
    )
    .await
}

/// Keys in the order they were made, after the given one.
pub async fn keys_after(
    db: &mut Db,
    last: Option<&OperatorKey>,
    rows: i64,
) -> Result<Vec<OperatorKey>, Error> {
    let (time, id) =
        last.map_or((i64::MIN, String::new()), |key| (key.created_at.as_microsecond(), key.id.to_string()));
    let statement = concat!(
        "SELECT ",
        key_columns!(),
        " FROM operator_keys WHERE (created_at, id) > ($1, $2) ORDER BY created_at, id LIMIT $3"
    );
    let found = db.all::<KeyRow>(sql(statement).bind(time).bind(id).bind(rows)).await?;
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// Notes that somebody logs in with the key of this hash, and gives it; `None`: there is none, or it is revoked.
pub async fn use_key(tx: &mut Tx, hash: &KeyHash, now: Timestamp) -> Result<Option<OperatorKey>, Error> {
    let statement = concat!(
        "UPDATE operator_keys SET last_used_at = $2 WHERE hash = $1 AND revoked_at IS NULL RETURNING ",
        key_columns!()
    );
    Ok(tx.one::<KeyRow>(sql(statement).bind(hash.to_hex()).bind(now)).await?.map(|row| row.0))
}

/// The name of the key of this hash, revoked ones included.
pub async fn name_of(db: &mut Db, hash: &KeyHash) -> Result<Option<String>, Error> {
    db.one(sql("SELECT name FROM operator_keys WHERE hash = $1").bind(hash.to_hex())).await
}

/// Revokes a key and ends what it opened. `None`: there is no such key. Repeating it changes nothing.
pub async fn revoke_key(
    tx: &mut Tx,
    id: OperatorKeyId,
    now: Timestamp,
) -> Result<Option<OperatorKey>, Error> {
    let statement = concat!(
        "UPDATE operator_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING ",
        key_columns!()
    );
    let key = tx.one::<KeyRow>(sql(statement).bind(id.to_string()).bind(now)).await?.map(|row| row.0);
    tx.queue(sql("DELETE FROM operator_sessions WHERE key_id = $1").bind(id.to_string())).await?;
    Ok(key)
}

/// Whether a key may still be used. Until the transaction ends, it cannot be revoked.
pub async fn holds(tx: &mut Tx, id: OperatorKeyId) -> Result<bool, Error> {
    let statement = "UPDATE operator_keys SET name = name WHERE id = $1 AND revoked_at IS NULL";
    Ok(tx.execute(sql(statement).bind(id.to_string())).await? == 1)
}

/// Notes a browser that somebody logged in with. The oldest ones go when a key is open in too many.
pub async fn insert_session(
    tx: &mut Tx,
    cookie: &KeyHash,
    key: OperatorKeyId,
    now: Timestamp,
) -> Result<(), Error> {
    let statement =
        "INSERT INTO operator_sessions (cookie_hash, key_id, created_at, seen_at) VALUES ($1, $2, $3, $3)";
    tx.queue(sql(statement).bind(cookie.to_hex()).bind(key.to_string()).bind(now)).await?;
    let surplus = "DELETE FROM operator_sessions WHERE cookie_hash IN \
                   (SELECT cookie_hash FROM operator_sessions WHERE key_id = $1 \
                   ORDER BY created_at DESC LIMIT 1000 OFFSET $2)";
    tx.queue(sql(surplus).bind(key.to_string()).bind(i64::from(SESSIONS_MAX))).await
}

/// The session of the browser with this cookie, ended ones included.
pub async fn session(db: &mut Db, cookie: &KeyHash) -> Result<Option<Session>, Error> {
    let statement = concat!(
        "SELECT ",
        key_columns!(),
        ", operator_sessions.created_at, seen_at FROM operator_sessions \
         JOIN operator_keys ON operator_keys.id = key_id WHERE cookie_hash = $1"
    );
    db.one(sql(statement).bind(cookie.to_hex())).await
}

/// Notes when a browser was used last.
pub async fn seen(tx: &mut Tx, cookie: &KeyHash, now: Timestamp) -> Result<(), Error> {
    let statement = "UPDATE operator_sessions SET seen_at = $2 WHERE cookie_hash = $1 AND seen_at < $2";
    tx.queue(sql(statement).bind(cookie.to_hex()).bind(now)).await
}

/// Ends a browser's session.
pub async fn end_session(tx: &mut Tx, cookie: &KeyHash) -> Result<(), Error> {
    tx.queue(sql("DELETE FROM operator_sessions WHERE cookie_hash = $1").bind(cookie.to_hex())).await
}

/// Forgets sessions that were opened before `before`, some at a time; gives how many.
pub async fn forget_sessions(db: &mut Db, before: Timestamp, rows: i64) -> Result<u64, Error> {
    let statement = "DELETE FROM operator_sessions WHERE cookie_hash IN (SELECT cookie_hash FROM operator_sessions \
                     WHERE created_at < $1 ORDER BY created_at LIMIT $2)";
    db.execute(sql(statement).bind(before).bind(rows)).await
}

/// Adds a line to the record. False: what it was confirmed by has been used before, and nothing is written.
pub async fn record(tx: &mut Tx, entry: &Entry, once: Option<&str>) -> Result<bool, Error> {
    let statement = format!(
        "INSERT INTO operator_log ({ENTRY}, once) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (once) DO NOTHING"
    );
    let query = sql(statement)
        .bind(entry.id.to_string())
        .bind(entry.created_at)
        .bind(entry.key_id.map(String::from))
        .bind(&entry.operator)
        .bind(entry.address.as_deref())
        .bind(entry.action.name())
        .bind(entry.account_id.map(String::from))
        .bind(entry.object_id.as_deref())
        .bind(entry.reason.as_deref())
        .bind(&entry.details)
        .bind(once);
    Ok(tx.execute(query).await? == 1)
}

/// Notes the account that a line is about, when that shows only by doing it.
pub async fn concern(tx: &mut Tx, id: EntryId, account: AccountId) -> Result<(), Error> {
    let statement = "UPDATE operator_log SET account_id = $2 WHERE id = $1";
    tx.queue(sql(statement).bind(id.to_string()).bind(account.to_string())).await
}

/// The line of this id.
pub async fn entry(db: &mut Db, id: EntryId) -> Result<Option<Entry>, Error> {
    let statement = format!("SELECT {ENTRY} FROM operator_log WHERE id = $1");
    db.one(sql(statement).bind(id.to_string())).await
}

/// A piece of the record, newest first, of all accounts or of one.
pub async fn entries(
    db: &mut Db,
    account: Option<AccountId>,
    after: Option<Position>,
    rows: i64,
) -> Result<Vec<Entry>, Error> {
    let (time, id) = crate::list::before::<EntryId>(after);
    let Some(account) = account else {
        let statement = format!(
            "SELECT {ENTRY} FROM operator_log WHERE (created_at, id) < ($1, $2) \
             ORDER BY created_at DESC, id DESC LIMIT $3"
        );
        return db.all(sql(statement).bind(time).bind(id).bind(rows)).await;
    };
    let statement = format!(
        "SELECT {ENTRY} FROM operator_log WHERE account_id = $1 AND (created_at, id) < ($2, $3) \
         ORDER BY created_at DESC, id DESC LIMIT $4"
    );
    db.all(sql(statement).bind(account.to_string()).bind(time).bind(id).bind(rows)).await
}

/// Forgets lines from before `before`, some at a time; gives how many.
pub async fn forget_entries(db: &mut Db, before: Timestamp, rows: i64) -> Result<u64, Error> {
    let statement = "DELETE FROM operator_log WHERE id IN (SELECT id FROM operator_log \
                     WHERE created_at < $1 ORDER BY created_at, id LIMIT $2)";
    db.execute(sql(statement).bind(before).bind(rows)).await
}
