//! The log of attempts, kept as long as their events.

use super::AT_ONCE;
use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, Sql, Tx, sql};
use domain::id::{EndpointId, EventId};
use jiff::Timestamp;
use std::sync::LazyLock;

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

/// Logs attempts.
pub async fn insert_attempts(tx: &mut Tx, attempts: &[&Attempt]) -> Result<(), Error> {
    static MANY: LazyLock<String> = LazyLock::new(|| insertion(AT_ONCE));
    static ONE: LazyLock<String> = LazyLock::new(|| insertion(1));
    let (many, rest) = attempts.as_chunks::<AT_ONCE>();
    for chunk in many {
        tx.queue(chunk.iter().fold(sql(MANY.as_str()), |sql, attempt| attempt.bound_to(sql))).await?;
    }
    for attempt in rest {
        tx.queue(attempt.bound_to(sql(ONE.as_str()))).await?;
    }
    Ok(())
}

/// The statement that logs so many attempts.
fn insertion(count: usize) -> String {
    format!(
        "INSERT INTO delivery_attempts ({COLUMNS}) VALUES {} \
         ON CONFLICT (endpoint_id, attempted_at, event_id) DO NOTHING",
        super::places(count, 9)
    )
}

impl Attempt {
    /// Which delivery it was an attempt at.
    pub fn delivery(&self) -> (EventId, EndpointId) {
        (self.event_id, self.endpoint_id)
    }

    fn bound_to<'v>(&'v self, sql: Sql<'v>) -> Sql<'v> {
        sql.bind(self.event_id.to_string())
            .bind(self.endpoint_id.to_string())
            .bind(self.attempted_at)
            .bind(self.number)
            .bind(self.is_resend)
            .bind(self.status)
            .bind(self.error.as_deref())
            .bind(self.answer.as_deref())
            .bind(self.duration_ms)
    }
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
