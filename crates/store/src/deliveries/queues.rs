//! The queues: which endpoints have something to be sent, and who sends it.

use crate::{Db, Error, Tx, sql};
use domain::id::{EndpointId, Identifier as _};
use jiff::Timestamp;
use std::collections::BTreeSet;

/// When a queue is due whose holder looks after it.
const NEVER: i64 = i64::MAX;

/// True when there are new deliveries, due queues or leases that have ended.
pub async fn is_work_due(db: &mut Db, now: Timestamp) -> Result<bool, Error> {
    for statement in [
        "SELECT next_at FROM deliveries WHERE status = 'new' AND next_at <= $1 LIMIT 1",
        "SELECT due_at FROM delivery_queues WHERE due_at <= $1 LIMIT 1",
        "SELECT due_at FROM delivery_queues WHERE lease_until <= $1 LIMIT 1",
    ] {
        if db.one::<i64>(sql(statement).bind(now)).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes new deliveries into their endpoints' queues; gives how many.
pub async fn take_in(tx: &mut Tx, now: Timestamp, rows: i64) -> Result<usize, Error> {
    let statement = format!(
        "UPDATE deliveries SET status = 'waiting' WHERE (event_id, endpoint_id) IN \
         (SELECT event_id, endpoint_id FROM deliveries WHERE status = 'new' AND next_at <= $1 \
         ORDER BY next_at LIMIT $2{}) RETURNING endpoint_id",
        tx.skip_locked()
    );
    let taken = tx.all::<String>(sql(statement).bind(now).bind(rows)).await?;
    let count = taken.len();
    // In one order everywhere, so that two processes do not wait for each other.
    for endpoint in taken.into_iter().collect::<BTreeSet<_>>() {
        let statement = "INSERT INTO delivery_queues (endpoint_id, due_at) VALUES ($1, $2) \
                         ON CONFLICT (endpoint_id) DO UPDATE SET due_at = excluded.due_at \
                         WHERE delivery_queues.due_at > excluded.due_at";
        tx.queue(sql(statement).bind(endpoint).bind(now)).await?;
    }
    Ok(count)
}

/// Takes queues that are due, those that waited longest first, with a lease. Queues that the owner already
/// holds are among them when something new has come in.
pub async fn claim(
    tx: &mut Tx,
    owner: &str,
    now: Timestamp,
    lease_until: Timestamp,
    rows: usize,
) -> Result<Vec<EndpointId>, Error> {
    let statement = format!(
        "UPDATE delivery_queues SET lease_owner = $2, lease_until = $3, due_at = $4 WHERE endpoint_id IN \
         (SELECT endpoint_id FROM delivery_queues WHERE due_at <= $1 \
         AND (lease_owner IS NULL OR lease_owner = $2) ORDER BY due_at LIMIT $5{}) RETURNING endpoint_id",
        tx.skip_locked()
    );
    let rows = i64::try_from(rows).unwrap_or(i64::MAX);
    let query = sql(statement).bind(now).bind(owner).bind(lease_until).bind(NEVER).bind(rows);
    let ids = tx.all::<String>(query).await?;
    Ok(ids.iter().filter_map(|id| EndpointId::parse(id)).collect())
}

/// Takes or keeps the lease of one queue, due or not.
pub async fn hold(
    tx: &mut Tx,
    endpoint: EndpointId,
    owner: &str,
    lease_until: Timestamp,
) -> Result<(), Error> {
    let statement = "INSERT INTO delivery_queues (endpoint_id, due_at, lease_owner, lease_until) \
                     VALUES ($1, $2, $3, $4) ON CONFLICT (endpoint_id) \
                     DO UPDATE SET lease_owner = excluded.lease_owner, lease_until = excluded.lease_until";
    let query = sql(statement).bind(endpoint.to_string()).bind(NEVER).bind(owner).bind(lease_until);
    tx.queue(query).await
}

/// Frees the queues whose holder has died; gives how many.
pub async fn reclaim(tx: &mut Tx, now: Timestamp) -> Result<u64, Error> {
    let statement = "UPDATE delivery_queues SET lease_owner = NULL, lease_until = NULL, due_at = $1 \
                     WHERE lease_until <= $1";
    tx.execute(sql(statement).bind(now)).await
}

/// Lengthens every lease of an owner.
pub async fn renew(tx: &mut Tx, owner: &str, lease_until: Timestamp) -> Result<(), Error> {
    let statement = "UPDATE delivery_queues SET lease_until = $2 WHERE lease_owner = $1";
    tx.queue(sql(statement).bind(owner).bind(lease_until)).await
}

/// What became of a queue that its holder wants to give back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Released {
    /// It was given back, or was somebody else's already.
    Gone,
    /// Something is due, so the holder keeps it.
    HasMore,
}

/// Gives a queue back, unless something has become due meanwhile and `may_keep` is set.
pub async fn release(
    tx: &mut Tx,
    endpoint: EndpointId,
    owner: &str,
    now: Timestamp,
    may_keep: bool,
) -> Result<Released, Error> {
    let id = endpoint.to_string();
    // The row is locked before the deliveries are looked at, so that one taken in meanwhile is either seen
    // here or marks the queue as due afterwards.
    let lock = "UPDATE delivery_queues SET due_at = due_at WHERE endpoint_id = $1 AND lease_owner = $2";
    if tx.execute(sql(lock).bind(&id).bind(owner)).await? == 0 {
        return Ok(Released::Gone);
    }
    let next = "SELECT next_at FROM deliveries WHERE endpoint_id = $1 ORDER BY next_at LIMIT 1";
    match tx.one::<i64>(sql(next).bind(&id)).await? {
        None => tx.queue(sql("DELETE FROM delivery_queues WHERE endpoint_id = $1").bind(id)).await?,
        Some(next_us) if may_keep && next_us <= now.as_microsecond() => return Ok(Released::HasMore),
        Some(next_us) => {
            let statement = "UPDATE delivery_queues SET due_at = $2, lease_owner = NULL, lease_until = NULL \
                             WHERE endpoint_id = $1";
            tx.queue(sql(statement).bind(id).bind(next_us)).await?;
        }
    }
    Ok(Released::Gone)
}
