//! Webhook endpoints.

use crate::codec::Columns;
use crate::list::List;
use crate::locked::{self, Changeable};
use crate::row::{FromRow, Row};
use crate::{Db, Error, Locked, Sql, Tx, sql};
use domain::account::Owner;
use domain::id::EndpointId;
use domain::paging::Slice;
use domain::text::ShortLine;
use domain::webhook::{Endpoint, Health, Kind, SealedSecret, Status, Subscription};

const COLUMNS: &str = "id, account_id, mode, kind, url, events, description, status, secret, old_secret, \
                       old_secret_until, failing_since, warnings, created_at";

struct EndpointRow(Endpoint);

impl FromRow for EndpointRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("webhook_endpoints", row);
        let old_secret = row.opt_text(9)?.map(SealedSecret).zip(columns.opt_time(10)?);
        Ok(EndpointRow(Endpoint {
            id: columns.id(0)?,
            account_id: columns.id(1)?,
            mode: columns.mode(2)?,
            kind: columns.parsed(3, "kind", Kind::parse)?,
            url: row.text(4)?,
            events: columns.parsed(5, "events", Subscription::parse)?,
            description: row.opt_text(6)?.map(ShortLine::trusted),
            status: columns.parsed(7, "status", Status::parse)?,
            secret: SealedSecret(row.text(8)?),
            old_secret,
            health: Health { failing_since: columns.opt_time(11)?, warnings: columns.count(12)? },
            created_at: columns.time(13)?,
        }))
    }
}

/// Adds an endpoint.
pub async fn insert(tx: &mut Tx, endpoint: &Endpoint) -> Result<(), Error> {
    let statement = format!(
        "INSERT INTO webhook_endpoints ({COLUMNS}) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"
    );
    let (old_secret, old_until) =
        endpoint.old_secret.as_ref().map(|(secret, until)| (&secret.0, *until)).unzip();
    tx.queue(
        sql(statement)
            .bind(endpoint.id.to_string())
            .bind(endpoint.account_id.to_string())
            .bind(endpoint.mode.name())
            .bind(endpoint.kind.name())
            .bind(&endpoint.url)
            .bind(endpoint.events.to_string())
            .bind(endpoint.description.as_ref().map(ShortLine::as_str))
            .bind(endpoint.status.name())
            .bind(&endpoint.secret.0)
            .bind(old_secret.map(String::as_str))
            .bind(old_until)
            .bind(endpoint.health.failing_since)
            .bind(endpoint.health.warnings)
            .bind(endpoint.created_at),
    )
    .await
}

/// Writes what changed about an endpoint.
pub async fn save(tx: &mut Tx, from: &Locked<Endpoint>, to: &Endpoint) -> Result<(), Error> {
    locked::save(tx, ("webhook_endpoints", &to.id.to_string()), from, to, changeable).await
}

fn changeable(endpoint: &Endpoint) -> Changeable<'_> {
    let (old_secret, old_until) =
        endpoint.old_secret.as_ref().map(|(secret, until)| (&secret.0, *until)).unzip();
    vec![
        ("url", endpoint.url.as_str().into()),
        ("events", endpoint.events.to_string().into()),
        ("description", endpoint.description.as_ref().map(ShortLine::as_str).into()),
        ("status", endpoint.status.name().into()),
        ("secret", endpoint.secret.0.as_str().into()),
        ("old_secret", old_secret.map(String::as_str).into()),
        ("old_secret_until", old_until.into()),
        ("failing_since", endpoint.health.failing_since.into()),
        ("warnings", endpoint.health.warnings.into()),
    ]
}

/// A delivery has arrived, so the endpoint does not fail any more. True: it had failed before.
pub async fn recover(tx: &mut Tx, id: EndpointId) -> Result<bool, Error> {
    let statement = "UPDATE webhook_endpoints SET failing_since = NULL, warnings = 0 \
                     WHERE id = $1 AND failing_since IS NOT NULL";
    Ok(tx.execute(sql(statement).bind(id.to_string())).await? == 1)
}

/// Takes an endpoint away. Its attempts stay until their events go.
pub async fn delete(tx: &mut Tx, id: EndpointId) -> Result<(), Error> {
    tx.queue(sql("DELETE FROM webhook_endpoints WHERE id = $1").bind(id.to_string())).await
}

/// The endpoint of this id, whoever it belongs to.
pub async fn by_id(db: &mut Db, id: EndpointId) -> Result<Option<Endpoint>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM webhook_endpoints WHERE id = $1");
    Ok(db.one::<EndpointRow>(sql(statement).bind(id.to_string())).await?.map(|row| row.0))
}

/// The endpoint of this id, whoever it belongs to, for changing.
pub async fn lock(tx: &mut Tx, id: EndpointId) -> Result<Option<Locked<Endpoint>>, Error> {
    let statement = format!("SELECT {COLUMNS} FROM webhook_endpoints WHERE id = $1");
    let row = tx.lock::<EndpointRow>("webhook_endpoints", sql(statement).bind(id.to_string())).await?;
    Ok(row.map(|row| row.map(|row| row.0)))
}

/// A page of the account's endpoints, newest first, and one row more.
pub async fn list(db: &mut Db, (account, mode): Owner, slice: Slice) -> Result<Vec<Endpoint>, Error> {
    let rows = List::<EndpointId>::new("webhook_endpoints", COLUMNS, account, mode, slice)
        .filter("kind", Some(Kind::Endpoint.name()))
        .fetch::<EndpointRow>(db)
        .await?;
    Ok(rows.into_iter().map(|row| row.0).collect())
}

/// How many endpoints the account has in this mode. Others that add one at the same time wait until this
/// transaction ends, so that the bound holds.
pub async fn count_locked(tx: &mut Tx, (account, mode): Owner) -> Result<usize, Error> {
    let lock = "UPDATE accounts SET created_at = created_at WHERE id = $1";
    tx.execute(sql(lock).bind(account.to_string())).await?;
    let statement =
        "SELECT COUNT(*) FROM webhook_endpoints WHERE account_id = $1 AND mode = $2 AND kind = 'endpoint'";
    let count = tx.one::<i64>(sql(statement).bind(account.to_string()).bind(mode.name())).await?;
    Ok(usize::try_from(count.unwrap_or_default()).unwrap_or(usize::MAX))
}

/// Endpoints of all accounts in the order of their ids, after the given one.
pub async fn after(db: &mut Db, last: Option<EndpointId>, rows: i64) -> Result<Vec<Endpoint>, Error> {
    let found = db.all::<EndpointRow>(all_after(last, rows)).await?;
    Ok(found.into_iter().map(|row| row.0).collect())
}

/// The same for changing them.
pub async fn lock_after(
    tx: &mut Tx,
    last: Option<EndpointId>,
    rows: i64,
) -> Result<Vec<Locked<Endpoint>>, Error> {
    let found = tx.lock_all::<EndpointRow>("webhook_endpoints", all_after(last, rows)).await?;
    Ok(found.into_iter().map(|row| row.map(|row| row.0)).collect())
}

fn all_after(last: Option<EndpointId>, rows: i64) -> Sql<'static> {
    let last = last.map(String::from).unwrap_or_default();
    let statement = format!("SELECT {COLUMNS} FROM webhook_endpoints WHERE id > $1 ORDER BY id LIMIT $2");
    sql(statement).bind(last).bind(rows)
}
