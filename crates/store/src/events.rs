//! Events and their outbox: the deliveries are written with the event.

use crate::codec::Columns;
use crate::deliveries::AT_ONCE;
use crate::list::List;
use crate::row::{FromRow, Row};
use crate::{Db, Error, Topic, Tx, sql};
use domain::account::Owner;
use domain::event::{Event, EventFilter, EventType};
use domain::id::{AccountId, EventId};
use domain::mode::Mode;
use domain::paging::{Position, Slice};
use domain::webhook::Subscription;
use jiff::Timestamp;
use std::collections::BTreeSet;
use std::sync::LazyLock;

const COLUMNS: &str = "id, account_id, mode, type, object_id, snapshot, created_at";

struct EventRow(Event);

impl FromRow for EventRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("events", row);
        Ok(EventRow(Event {
            id: columns.id(0)?,
            account_id: columns.id(1)?,
            mode: columns.mode(2)?,
            kind: columns.parsed(3, "type", EventType::parse)?,
            object_id: row.opt_text(4)?,
            snapshot: row.text(5)?,
            created_at: columns.time(6)?,
        }))
    }
}

/// Records an event and a delivery for every enabled endpoint of its account and mode that takes it. The event has a
/// time of the account's turn; its deliveries are due by the clock.
pub async fn record(tx: &mut Tx, event: &Event) -> Result<(), Error> {
    tx.must_have_given(event.created_at)?;
    let due = tx.due()?;
    let id = event.id.to_string();
    tx.queue(
        sql("INSERT INTO events (id, account_id, mode, type, object_id, snapshot, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)")
        .bind(&id)
        .bind(event.account_id.to_string())
        .bind(event.mode.name())
        .bind(event.kind.name())
        .bind(event.object_id.as_deref())
        .bind(&event.snapshot)
        .bind(event.created_at),
    )
    .await?;
    let endpoints = subscribers(tx, event).await?;
    if endpoints.is_empty() {
        return Ok(());
    }
    let statement = "INSERT INTO deliveries (event_id, endpoint_id, status, attempts, next_at, is_resend) \
                     VALUES ($1, $2, 'new', 0, $3, FALSE)";
    for endpoint in endpoints {
        tx.queue(sql(statement).bind(id.clone()).bind(endpoint).bind(due)).await?;
    }
    tx.wake(Topic::Deliveries);
    Ok(())
}

/// The enabled endpoints of the event's account and mode that take it; there are at most five to look at.
pub async fn subscribers(db: &mut Db, event: &Event) -> Result<Vec<String>, Error> {
    let statement = "SELECT id, events FROM webhook_endpoints \
                     WHERE account_id = $1 AND mode = $2 AND status = 'enabled'";
    let endpoints = db
        .all::<(String, String)>(sql(statement).bind(event.account_id.to_string()).bind(event.mode.name()))
        .await?;
    let mut subscribers = Vec::new();
    for (id, names) in endpoints {
        let Some(subscription) = Subscription::parse(&names) else {
            return Err(Error::Corrupt { table: "webhook_endpoints", column: "events", id });
        };
        if subscription.takes(event.kind) {
            subscribers.push(id);
        }
    }
    Ok(subscribers)
}

/// The event of this id, if the account has it in this mode.
pub async fn by_id(db: &mut Db, account: AccountId, mode: Mode, id: EventId) -> Result<Option<Event>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM events WHERE id = $1 AND account_id = $2 AND mode = $3");
    let query = sql(statement).bind(id.to_string()).bind(account.to_string()).bind(mode.name());
    Ok(db.one::<EventRow>(query).await?.map(|row| row.0))
}

/// The event of this id, whoever it belongs to.
pub async fn any_by_id(db: &mut Db, id: EventId) -> Result<Option<Event>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM events WHERE id = $1");
    Ok(db.one::<EventRow>(sql(statement).bind(id.to_string())).await?.map(|row| row.0))
}

/// The events of these ids, whoever they belong to, in no order; those that are gone are left out.
pub async fn any_by_ids(db: &mut Db, ids: &[EventId]) -> Result<Vec<Event>, Error> {
    static MANY: LazyLock<String> = LazyLock::new(|| {
        let places: Vec<String> = (1..=AT_ONCE).map(|place| format!("${place}")).collect();
        format!("SELECT {COLUMNS} FROM events WHERE id IN ({})", places.join(", "))
    });
    let (many, rest) = ids.as_chunks::<AT_ONCE>();
    let mut found = Vec::with_capacity(ids.len());
    for chunk in many {
        let query = chunk.iter().fold(sql(MANY.as_str()), |sql, id| sql.bind(id.to_string()));
        found.extend(db.all::<EventRow>(query).await?.into_iter().map(|row| row.0));
    }
    for id in rest {
        found.extend(any_by_id(db, *id).await?);
    }
    Ok(found)
}

/// The events of all accounts that were made last.
pub async fn latest(db: &mut Db, rows: i64) -> Result<Vec<Event>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM events ORDER BY created_at DESC LIMIT $1");
    Ok(db.all::<EventRow>(sql(statement).bind(rows)).await?.into_iter().map(|row| row.0).collect())
}

/// Events of all accounts, newest first, after the given one.
pub async fn all_before(db: &mut Db, after: Option<Position>, rows: i64) -> Result<Vec<Event>, Error> {
    let (time, id) = crate::list::before::<EventId>(after);
    let statement = format!(
        "SELECT {COLUMNS} FROM events WHERE created_at <= $1 AND (created_at, id) < ($1, $2) \
         ORDER BY created_at DESC, id DESC LIMIT $3"
    );
    let found = db.all::<EventRow>(sql(statement).bind(time).bind(id).bind(rows)).await?;
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// How many events of each type all accounts had since then; only the first `most` are counted.
pub async fn count_since(db: &mut Db, since: Timestamp, most: i64) -> Result<Vec<(String, i64)>, Error> {
    let statement = "SELECT type, COUNT(*) FROM (SELECT type FROM events WHERE created_at > $1 \
                     ORDER BY created_at LIMIT $2) AS recent GROUP BY type";
    db.all::<(String, i64)>(sql(statement).bind(since).bind(most)).await
}

/// A page of the account's events, newest first, and one row more.
pub async fn list(
    db: &mut Db,
    (account, mode): Owner,
    filter: &EventFilter,
    slice: Slice,
) -> Result<Vec<Event>, Error> {
    let rows = List::<EventId>::new("events", COLUMNS, account, mode, slice)
        .filter("type", filter.kind.map(EventType::name))
        .filter_few("object_id", filter.object_id.as_deref())
        .fetch::<EventRow>(db)
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// Puts the reduced form in place of an object's snapshots, after it was deleted, and forgets what receivers
/// answered to them: some send back what they got.
pub async fn reduce(
    db: &mut Db,
    (account, mode): Owner,
    object_id: &str,
    snapshot: &str,
) -> Result<(), Error> {
    let statement = "UPDATE events SET snapshot = $4 WHERE account_id = $1 AND mode = $2 AND object_id = $3";
    let query = sql(statement).bind(account.to_string()).bind(mode.name()).bind(object_id).bind(snapshot);
    db.queue(query).await?;
    // After the snapshots: an answer that is being written holds its event, so by now it is here to be found.
    let statement = "UPDATE delivery_attempts SET answer = NULL WHERE event_id IN \
                     (SELECT id FROM events WHERE account_id = $1 AND mode = $2 AND object_id = $3)";
    db.queue(sql(statement).bind(account.to_string()).bind(mode.name()).bind(object_id)).await
}

/// Of these events, those whose object was deleted. Until the transaction ends, none of the others can be.
pub async fn reduced_among(tx: &mut Tx, ids: &BTreeSet<EventId>) -> Result<BTreeSet<EventId>, Error> {
    let statement = "UPDATE events SET type = type WHERE id = $1 RETURNING snapshot";
    let mut reduced = BTreeSet::new();
    // In the order of their ids, so that two who do this do not wait for each other.
    for id in ids {
        let snapshot = tx.one::<String>(sql(statement).bind(id.to_string())).await?;
        if snapshot.is_none_or(|snapshot| domain::event::is_reduced(&snapshot)) {
            reduced.insert(*id);
        }
    }
    Ok(reduced)
}

/// Deletes some events made before `before`, with their deliveries and attempts; gives how many.
pub async fn delete_older(db: &mut Db, before: Timestamp, rows: i64) -> Result<u64, Error> {
    let old = "SELECT id FROM events WHERE created_at < $1 ORDER BY created_at LIMIT $2";
    for table in ["deliveries", "delivery_attempts"] {
        let followers = format!("DELETE FROM {table} WHERE event_id IN ({old})");
        db.execute(sql(followers).bind(before).bind(rows)).await?;
    }
    let events = format!("DELETE FROM events WHERE id IN ({old})");
    db.execute(sql(events).bind(before).bind(rows)).await
}
