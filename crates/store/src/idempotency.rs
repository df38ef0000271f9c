//! What requests with an idempotency key answered, for 24 hours.

use crate::row::{FromRow, Row};
use crate::{Db, Error, sql};
use domain::idempotency::{Claim, KEPT};
use jiff::Timestamp;

/// What the first request with a key answered.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Of the request that it came with.
    pub fingerprint: String,
    /// The HTTP status.
    pub status: i64,
    /// The body, sealed.
    pub sealed: Option<String>,
    /// The body as the version before kept it; empty once it was sealed, or when what it speaks of was deleted.
    pub body: String,
    /// What it made.
    pub resource_id: Option<String>,
}

impl FromRow for Answered {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Answered {
            fingerprint: row.text(0)?,
            status: row.int(1)?,
            body: row.text(2)?,
            resource_id: row.opt_text(3)?,
            sealed: row.opt_text(4)?,
        })
    }
}

/// What was answered to this key, if it is still remembered.
pub async fn answered(db: &mut Db, claim: &Claim, now: Timestamp) -> Result<Option<Answered>, Error> {
    let statement = "SELECT fingerprint, status, body, resource_id, sealed FROM idempotency_keys \
                     WHERE account_id = $1 AND mode = $2 AND key = $3 AND expires_at > $4";
    db.one(
        sql(statement)
            .bind(claim.account_id.to_string())
            .bind(claim.mode.name())
            .bind(claim.key.to_hash())
            .bind(now),
    )
    .await
}

/// Remembers an answer; takes the place of one that is forgotten. False: another request was faster.
pub async fn remember(db: &mut Db, claim: &Claim, answer: &Answered, now: Timestamp) -> Result<bool, Error> {
    let statement = "INSERT INTO idempotency_keys \
                     (account_id, mode, key, fingerprint, status, body, resource_id, expires_at, sealed) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $10) ON CONFLICT (account_id, mode, key) DO UPDATE \
                     SET fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, \
                     resource_id = excluded.resource_id, expires_at = excluded.expires_at, \
                     sealed = excluded.sealed \
                     WHERE idempotency_keys.expires_at <= $9";
    let written = db
        .execute(
            sql(statement)
                .bind(claim.account_id.to_string())
                .bind(claim.mode.name())
                .bind(claim.key.to_hash())
                .bind(&answer.fingerprint)
                .bind(answer.status)
                .bind(&answer.body)
                .bind(answer.resource_id.as_deref())
                .bind(now + KEPT)
                .bind(now)
                .bind(answer.sealed.as_deref()),
        )
        .await?;
    Ok(written == 1)
}

/// Forgets some answers whose time is over; gives how many.
pub async fn forget(db: &mut Db, now: Timestamp, rows: i64) -> Result<u64, Error> {
    // Row values in IN are portable; the index on the end finds them.
    let statement = "DELETE FROM idempotency_keys WHERE (account_id, mode, key) IN \
                     (SELECT account_id, mode, key FROM idempotency_keys WHERE expires_at <= $1 \
                     ORDER BY expires_at LIMIT $2)";
    db.execute(sql(statement).bind(now).bind(rows)).await
}

/// Empties the answers that made an object, after it was deleted. The keys stay used. Those that are sealed stay:
/// only who knows what they say can open them.
pub async fn empty(db: &mut Db, resource_id: &str) -> Result<(), Error> {
    let statement = "UPDATE idempotency_keys SET body = '' WHERE resource_id = $1 AND sealed IS NULL";
    db.queue(sql(statement).bind(resource_id)).await
}
