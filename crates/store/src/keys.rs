//! API keys, looked up by hash.

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, sql};
use domain::id::{AccountId, KeyId};
use domain::key::{ApiKey, KeyHash};
use domain::scope::Scopes;
use ipnet::IpNet;
use jiff::Timestamp;

const COLUMNS: &str = "id, account_id, mode, name, hash, last_four, scopes, allowed_networks, created_at, \
                       revoked_at, last_used_at, exposed_at";

struct KeyRow(ApiKey);

impl FromRow for KeyRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("api_keys", row);
        Ok(KeyRow(ApiKey {
            id: columns.id(0)?,
            account_id: columns.id(1)?,
            mode: columns.mode(2)?,
            name: row.opt_text(3)?,
            hash: columns.parsed(4, "hash", KeyHash::parse)?,
            last_four: row.text(5)?,
            scopes: columns.opt_parsed(6, "scopes", Scopes::parse)?,
            allowed_networks: columns.opt_parsed(7, "allowed_networks", parse_networks)?.unwrap_or_default(),
            created_at: columns.time(8)?,
            revoked_at: columns.opt_time(9)?,
            last_used_at: columns.opt_time(10)?,
            exposed_at: columns.opt_time(11)?,
        }))
    }
}

fn parse_networks(text: &str) -> Option<Vec<IpNet>> {
    text.split_whitespace().map(|network| network.parse().ok()).collect()
}

/// Adds a key.
pub async fn insert(db: &mut Db, key: &ApiKey) -> Result<(), Error> {
    let networks: Vec<String> = key.allowed_networks.iter().map(ToString::to_string).collect();
    let statement = format!(
        "INSERT INTO api_keys ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
    );
    db.queue(
        sql(statement)
            .bind(key.id.to_string())
            .bind(key.account_id.to_string())
            .bind(key.mode.name())
            .bind(key.name.as_deref())
            .bind(key.hash.to_hex())
            .bind(&key.last_four)
            .bind(key.scopes.map(Scopes::to_text))
            .bind((!networks.is_empty()).then(|| networks.join(" ")))
            .bind(key.created_at)
            .bind(key.revoked_at)
            .bind(key.last_used_at)
            .bind(key.exposed_at),
    )
    .await
}

/// The key with this hash.
pub async fn by_hash(db: &mut Db, hash: &KeyHash) -> Result<Option<ApiKey>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM api_keys WHERE hash = $1");
    Ok(db.one::<KeyRow>(sql(statement).bind(hash.to_hex())).await?.map(|row| row.0))
}

/// The key of this id.
pub async fn by_id(db: &mut Db, id: KeyId) -> Result<Option<ApiKey>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM api_keys WHERE id = $1");
    Ok(db.one::<KeyRow>(sql(statement).bind(id.to_string())).await?.map(|row| row.0))
}

/// An account's keys, oldest first.
pub async fn of_account(db: &mut Db, account: AccountId) -> Result<Vec<ApiKey>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM api_keys WHERE account_id = $1 ORDER BY created_at, id");
    let found = db.all::<KeyRow>(sql(statement).bind(account.to_string())).await?;
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// Revokes a key. False: it was revoked before.
pub async fn revoke(db: &mut Db, id: KeyId, now: Timestamp) -> Result<bool, Error> {
    let statement = "UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
    let touched = db.execute(sql(statement).bind(id.to_string()).bind(now)).await?;
    Ok(touched == 1)
}

/// Notes that a key came over plain HTTP. False: that was noted before.
pub async fn expose(db: &mut Db, id: KeyId, now: Timestamp) -> Result<bool, Error> {
    let statement = "UPDATE api_keys SET exposed_at = $2 WHERE id = $1 AND exposed_at IS NULL";
    let touched = db.execute(sql(statement).bind(id.to_string()).bind(now)).await?;
    Ok(touched == 1)
}

/// Notes when a key was used last; never moves backwards.
pub async fn used(db: &mut Db, id: KeyId, at: Timestamp) -> Result<(), Error> {
    let statement = "UPDATE api_keys SET last_used_at = $2 \
                     WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";
    db.queue(sql(statement).bind(id.to_string()).bind(at)).await
}
