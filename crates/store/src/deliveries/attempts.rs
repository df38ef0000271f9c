//! The log of attempts, kept as long as their events.

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, Tx, sql};
use domain::id::{EndpointId, EventId};
use jiff::Timestamp;

const COLUMNS: &str =
    "event_id, endpoint_id, attempted_at, number, is_resend, status, error, answer, duration_ms";

/// What became of one attempt.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The event that was sent.
    pub event_id: EventId,
    /// Where to.
    pub endpoint_id: EndpointId,
    /// When.
    pub attempted_at: Timestamp,
    /// The first, the second, ….
    pub number: u32,
    /// Whether a person had asked for it.
    pub is_resend: bool,
    /// The HTTP status, if there was an answer.
    pub status: Option<u32>,
    /// Why there was none.
    pub error: Option<String>,
    /// The beginning of the answer, when it was no success.
    pub answer: Option<String>,
    /// How long it took.
    pub duration_ms: u32,
}

impl FromRow for Attempt {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("delivery_attempts", row);
        Ok(Attempt {
            event_id: columns.id(0)?,
            endpoint_id: columns.id(1)?,
            attempted_at: columns.time(2)?,
            number: columns.count(3)?,
            is_resend: row.bool(4)?,
            status: columns.opt_count(5)?,
            error: row.opt_text(6)?,
            answer: row.opt_text(7)?,
            duration_ms: columns.count(8)?,
        })
    }
}

/// Logs an attempt.
pub async fn insert_attempt(tx: &mut Tx, attempt: &Attempt) -> Result<(), Error> {
    // A literal: it is run for every attempt, and is found in the cache of prepared statements without a copy.
    let statement = "INSERT INTO delivery_attempts (event_id, endpoint_id, attempted_at, number, is_resend, status, \
                     error, answer, duration_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
                     ON CONFLICT (endpoint_id, attempted_at, event_id) DO NOTHING";
    tx.queue(
        sql(statement)
            .bind(attempt.event_id.to_string())
            .bind(attempt.endpoint_id.to_string())
            .bind(attempt.attempted_at)
            .bind(attempt.number)
            .bind(attempt.is_resend)
            .bind(attempt.status)
            .bind(attempt.error.as_deref())
            .bind(attempt.answer.as_deref())
            .bind(attempt.duration_ms),
    )
    .await
}

/// An endpoint's attempts, newest first, those before `before` only.
pub async fn recent_attempts(
    db: &mut Db,
    endpoint: EndpointId,
    before: Timestamp,
    rows: i64,
) -> Result<Vec<Attempt>, Error> {
    let statement = format!(
        "SELECT {COLUMNS} FROM delivery_attempts WHERE endpoint_id = $1 AND attempted_at < $2 \
         ORDER BY attempted_at DESC, event_id DESC LIMIT $3"
    );
    db.all(sql(statement).bind(endpoint.to_string()).bind(before).bind(rows)).await
}

/// True when an endpoint was tried after `after` and not after `until`, not counting what a person asked for.
pub async fn was_tried_between(
    db: &mut Db,
    endpoint: EndpointId,
    after: Timestamp,
    until: Timestamp,
) -> Result<bool, Error> {
    let statement = "SELECT number FROM delivery_attempts WHERE endpoint_id = $1 AND attempted_at > $2 \
                     AND attempted_at <= $3 AND is_resend = FALSE LIMIT 1";
    Ok(db.one::<i64>(sql(statement).bind(endpoint.to_string()).bind(after).bind(until)).await?.is_some())
}
