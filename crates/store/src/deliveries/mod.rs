//! Deliveries that are to come, by endpoint; and the queue of each endpoint that has some.
//!
//! An event's deliveries are written as `new` with the event, without touching anything that others wait for.
//! A worker takes them into their endpoints' queues: it marks each queue as due. Whoever holds the lease of a
//! queue sends for that endpoint. So what waits for one endpoint, however much it is, is never in the way of
//! another's, and finding work costs the same whether a hundred or a million deliveries wait.

mod attempts;
mod queues;

pub use attempts::{Attempt, insert_attempts, recent_attempts, was_tried_between};
pub use queues::{Released, claim, hold, is_work_due, reclaim, release, renew, take_in};

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, Sql, Topic, Tx, sql};
use domain::id::{EndpointId, EventId};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// Rows that one statement reads or writes, where there are as many.
pub(crate) const AT_ONCE: usize = 16;
/// Deliveries of one endpoint that one statement takes away; it sends as many at once.
const FINISHED_AT_ONCE: usize = 8;

/// A delivery whose time has come.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    /// The event that is to be told.
    pub event_id: EventId,
    /// How often it was tried.
    pub attempts: u32,
    /// When it was first tried.
    pub first_at: Option<Timestamp>,
    /// Whether a person asked for it.
    pub is_resend: bool,
    /// Since when it is due.
    pub next_at: Timestamp,
}

impl FromRow for Due {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("deliveries", row);
        Ok(Due {
            event_id: columns.id(0)?,
            attempts: columns.count(1)?,
            first_at: columns.opt_time(2)?,
            is_resend: row.bool(3)?,
            next_at: columns.time(4)?,
        })
    }
}

/// The deliveries of an endpoint that became due in this time, longest first.
pub async fn due(
    db: &mut Db,
    endpoint: EndpointId,
    became_due: RangeInclusive<Timestamp>,
    rows: usize,
) -> Result<Vec<Due>, Error> {
    let statement = "SELECT event_id, attempts, first_at, is_resend, next_at FROM deliveries \
                     WHERE endpoint_id = $1 AND next_at >= $2 AND next_at <= $3 ORDER BY next_at LIMIT $4";
    let rows = i64::try_from(rows).unwrap_or(i64::MAX);
    let query = sql(statement).bind(endpoint.to_string()).bind(*became_due.start());
    db.all(query.bind(*became_due.end()).bind(rows)).await
}

/// Takes deliveries away: they have arrived, or are given up.
pub async fn finish(tx: &mut Tx, deliveries: &[(EventId, EndpointId)]) -> Result<(), Error> {
    static MANY: LazyLock<String> = LazyLock::new(|| {
        let places: Vec<String> = (2..FINISHED_AT_ONCE + 2).map(|place| format!("${place}")).collect();
        format!("DELETE FROM deliveries WHERE endpoint_id = $1 AND event_id IN ({})", places.join(", "))
    });
    let one = "DELETE FROM deliveries WHERE endpoint_id = $1 AND event_id = $2";
    // By endpoint: PostgreSQL may read the whole table for a list of pairs.
    let mut by_endpoint: BTreeMap<EndpointId, Vec<EventId>> = BTreeMap::new();
    for (event, endpoint) in deliveries {
        by_endpoint.entry(*endpoint).or_default().push(*event);
    }
    let bound = |sql: Sql<'static>, event: &EventId| sql.bind(event.to_string());
    for (endpoint, events) in by_endpoint {
        let (many, rest) = events.as_chunks::<FINISHED_AT_ONCE>();
        for chunk in many {
            tx.queue(chunk.iter().fold(sql(MANY.as_str()).bind(endpoint.to_string()), bound)).await?;
        }
        for event in rest {
            tx.queue(bound(sql(one).bind(endpoint.to_string()), event)).await?;
        }
    }
    Ok(())
}

/// Places for the values of so many rows: `($1, $2), ($3, $4)`.
fn places(rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let places: Vec<String> =
            (1..=columns).map(|column| format!("${}", row * columns + column)).collect();
        format!("({})", places.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// Tries a delivery again later. One that was dropped meanwhile stays away.
pub async fn postpone(
    tx: &mut Tx,
    event: EventId,
    endpoint: EndpointId,
    attempts: u32,
    first_at: Timestamp,
    next_at: Timestamp,
) -> Result<(), Error> {
    let statement = "UPDATE deliveries SET attempts = $3, first_at = $4, next_at = $5 \
                     WHERE event_id = $1 AND endpoint_id = $2";
    let query = sql(statement).bind(event.to_string()).bind(endpoint.to_string());
    tx.queue(query.bind(attempts).bind(first_at).bind(next_at)).await
}

/// Drops everything that waits for an endpoint, its queue too.
pub async fn drop_all(tx: &mut Tx, endpoint: EndpointId) -> Result<(), Error> {
    for table in ["deliveries", "delivery_queues"] {
        let statement = format!("DELETE FROM {table} WHERE endpoint_id = $1");
        tx.queue(sql(statement).bind(endpoint.to_string())).await?;
    }
    Ok(())
}

/// Sends an event to an endpoint again, at once. One that waits anyway comes sooner and stays what it is.
pub async fn resend(tx: &mut Tx, event: EventId, endpoint: EndpointId, now: Timestamp) -> Result<(), Error> {
    let statement = "INSERT INTO deliveries (event_id, endpoint_id, status, attempts, next_at, is_resend) \
                     VALUES ($1, $2, 'new', 0, $3, TRUE) ON CONFLICT (event_id, endpoint_id) \
                     DO UPDATE SET status = 'new', next_at = excluded.next_at";
    tx.wake(Topic::Deliveries);
    tx.queue(sql(statement).bind(event.to_string()).bind(endpoint.to_string()).bind(now)).await
}
