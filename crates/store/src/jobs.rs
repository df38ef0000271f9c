//! Background work: rows that a worker takes with a lease.
//!
//! A worker that dies leaves its lease behind; when that ends, the job waits again and another takes it. So a
//! job can run twice, and every job is written so that this does no harm.

use crate::codec::Columns;
use crate::row::{FromRow, Row};
use crate::{Db, Error, Topic, Tx, sql};
use domain::id::{AccountId, Identifier as _, JobId};
use jiff::Timestamp;

/// A job as its worker sees it.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// What is to be done.
    pub kind: String,
    /// Whose it is; what returns by itself is nobody's.
    pub account: Option<AccountId>,
    /// The id of what it is about.
    pub subject: Option<String>,
    /// How often it was begun, this time included.
    pub attempts: u32,
    /// Who holds its lease.
    pub lease_owner: String,
    /// Its place in the order of all work.
    turn: i64,
}

impl FromRow for Job {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("jobs", row);
        Ok(Job {
            id: columns.id(0)?,
            kind: row.text(1)?,
            subject: row.opt_text(2)?,
            attempts: columns.count(3)?,
            turn: row.int(4)?,
            account: columns.opt_parsed(5, "account_id", AccountId::parse)?,
            lease_owner: row.text(6)?,
        })
    }
}

/// The row of `job_turns` that holds the turn which the workers have reached.
const REACHED: &str = "";

/// Adds work for an account to a lane. Its turn comes after the account's own earlier work, and not after all that
/// others have waiting: an account gets its turns one by one from where the workers are.
pub async fn enqueue(
    tx: &mut Tx,
    id: JobId,
    (kind, lane): (&str, &str),
    account: AccountId,
    subject: &str,
    now: Timestamp,
) -> Result<(), Error> {
    let statement = "INSERT INTO job_turns (account_id, turn) \
                     VALUES ($1, COALESCE((SELECT turn FROM job_turns WHERE account_id = $2), 0) + 1) \
                     ON CONFLICT (account_id) DO UPDATE SET turn = CASE \
                     WHEN job_turns.turn >= excluded.turn THEN job_turns.turn + 1 ELSE excluded.turn END \
                     RETURNING turn";
    let turn = tx.one::<i64>(sql(statement).bind(account.to_string()).bind(REACHED)).await?;
    let statement = "INSERT INTO jobs (id, kind, account_id, subject, status, turn, run_at, attempts, \
                     created_at, lane) VALUES ($1, $2, $3, $4, 'waiting', $5, $6, 0, $6, $7)";
    tx.queue(
        sql(statement)
            .bind(id.to_string())
            .bind(kind)
            .bind(account.to_string())
            .bind(subject)
            .bind(turn.unwrap_or_default())
            .bind(now)
            .bind(lane),
    )
    .await?;
    tx.wake(Topic::Jobs);
    Ok(())
}

/// Adds work that returns by itself, once for all processes: does nothing when it is there.
pub async fn ensure_singleton(
    tx: &mut Tx,
    id: JobId,
    kind: &str,
    lane: &str,
    now: Timestamp,
) -> Result<(), Error> {
    let statement = "INSERT INTO jobs (id, kind, singleton, status, turn, run_at, attempts, created_at, lane) \
                     VALUES ($1, $2, $2, 'waiting', 0, $3, 0, $3, $4) ON CONFLICT (singleton) DO NOTHING";
    let written = tx.execute(sql(statement).bind(id.to_string()).bind(kind).bind(now).bind(lane)).await?;
    if written == 1 {
        tx.wake(Topic::Jobs);
    }
    Ok(())
}

/// True when a job waits in a lane.
pub async fn is_waiting(db: &mut Db, lane: &str) -> Result<bool, Error> {
    let statement = "SELECT turn FROM jobs WHERE lane = $1 AND status = 'waiting' ORDER BY turn, id LIMIT 1";
    Ok(db.one::<i64>(sql(statement).bind(lane)).await?.is_some())
}

/// Takes the job of a lane whose turn it is, with a lease until `lease_until`; none of an account that has enough.
pub async fn claim(
    tx: &mut Tx,
    lane: &str,
    owner: &str,
    lease_until: Timestamp,
    enough: &[AccountId],
) -> Result<Option<Job>, Error> {
    let places: Vec<String> = (4..4 + enough.len()).map(|place| format!("${place}")).collect();
    let others = match places.is_empty() {
        true => String::new(),
        false => format!("AND account_id NOT IN ({}) ", places.join(", ")),
    };
    let statement = format!(
        "UPDATE jobs SET status = 'running', attempts = attempts + 1, lease_owner = $1, lease_until = $2 \
         WHERE id = (SELECT id FROM jobs WHERE lane = $3 AND status = 'waiting' {others}\
         ORDER BY turn, id LIMIT 1{}) RETURNING id, kind, subject, attempts, turn, account_id, \
         lease_owner",
        tx.skip_locked()
    );
    let query = sql(statement).bind(owner).bind(lease_until).bind(lane);
    let query = enough.iter().fold(query, |query, account| query.bind(account.to_string()));
    let job = tx.one::<Job>(query).await?;
    if let Some(job) = &job {
        let statement = "INSERT INTO job_turns (account_id, turn) VALUES ($1, $2) \
                         ON CONFLICT (account_id) DO UPDATE SET turn = excluded.turn \
                         WHERE job_turns.turn < excluded.turn";
        tx.queue(sql(statement).bind(REACHED).bind(job.turn)).await?;
    }
    Ok(job)
}

/// Makes delayed jobs whose time has come wait for their turn.
pub async fn wake_delayed(tx: &mut Tx, now: Timestamp) -> Result<(), Error> {
    let statement = "UPDATE jobs SET status = 'waiting' WHERE status = 'delayed' AND run_at <= $1";
    if tx.execute(sql(statement).bind(now)).await? > 0 {
        tx.wake(Topic::Jobs);
    }
    Ok(())
}

/// Makes a job wait in another lane, with all its tries before it, unless its lease was lost.
pub async fn pass_on(tx: &mut Tx, id: JobId, owner: &str, lane: &str) -> Result<(), Error> {
    let statement = "UPDATE jobs SET lane = $3, status = 'waiting', attempts = 0, lease_owner = NULL, \
                     lease_until = NULL WHERE id = $1 AND lease_owner = $2 AND status = 'running'";
    tx.queue(sql(statement).bind(id.to_string()).bind(owner).bind(lane)).await?;
    tx.wake(Topic::Jobs);
    Ok(())
}

/// Ends a job. False: its lease was lost, and the work belongs to another now.
pub async fn finish(db: &mut Db, id: JobId, owner: &str) -> Result<bool, Error> {
    let statement = "DELETE FROM jobs WHERE id = $1 AND lease_owner = $2 AND status = 'running'";
    Ok(db.execute(sql(statement).bind(id.to_string()).bind(owner)).await? == 1)
}

/// Takes back the work on something that is no longer to be done.
pub async fn withdraw(db: &mut Db, subject: &str) -> Result<(), Error> {
    db.queue(sql("DELETE FROM jobs WHERE subject = $1").bind(subject)).await
}

/// Makes jobs whose lease has ended wait again.
pub async fn reclaim(tx: &mut Tx, now: Timestamp) -> Result<(), Error> {
    let statement = "UPDATE jobs SET status = 'waiting', lease_owner = NULL, lease_until = NULL \
                     WHERE status = 'running' AND lease_until <= $1";
    if tx.execute(sql(statement).bind(now)).await? > 0 {
        tx.wake(Topic::Jobs);
    }
    Ok(())
}

/// Lengthens a lease. False: it was lost, and the work belongs to another now.
pub async fn renew(db: &mut Db, id: JobId, owner: &str, lease_until: Timestamp) -> Result<bool, Error> {
    let statement =
        "UPDATE jobs SET lease_until = $3 WHERE id = $1 AND lease_owner = $2 AND status = 'running'";
    let query = sql(statement).bind(id.to_string()).bind(owner).bind(lease_until);
    Ok(db.execute(query).await? == 1)
}

/// Makes a job wait until `run_at`: to be tried again, or to come back by itself. `error` is for the operator.
pub async fn postpone(
    db: &mut Db,
    id: JobId,
    owner: &str,
    run_at: Timestamp,
    error: Option<&str>,
) -> Result<bool, Error> {
    let statement = "UPDATE jobs SET status = 'delayed', run_at = $3, lease_owner = NULL, lease_until = NULL, \
                     last_error = $4, attempts = CASE WHEN $5 THEN 0 ELSE attempts END \
                     WHERE id = $1 AND lease_owner = $2 AND status = 'running'";
    let query =
        sql(statement).bind(id.to_string()).bind(owner).bind(run_at).bind(error).bind(error.is_none());
    Ok(db.execute(query).await? == 1)
}

/// Hands back every lease of a process that ends, so that others need not wait for them. The owners of its leases
/// begin with `owner`.
pub async fn hand_back(db: &mut Db, owner: &str, now: Timestamp) -> Result<u64, Error> {
    let statement = "UPDATE jobs SET status = 'waiting', run_at = $2, lease_owner = NULL, lease_until = NULL \
                     WHERE status = 'running' AND lease_owner LIKE $1";
    db.execute(sql(statement).bind(format!("{owner}%")).bind(now)).await
}

/// A job as the operator sees it.
#[derive(Clone, Debug)]
pub struct ListedJob {
    /// Its id.
    pub id: JobId,
    /// What is to be done.
    pub kind: String,
    /// The id of what it is about.
    pub subject: Option<String>,
    /// `waiting`, `delayed` or `running`.
    pub status: String,
    /// How often it was begun.
    pub attempts: u32,
    /// When it can be begun, or could be.
    pub run_at: Timestamp,
    /// Why it failed last.
    pub last_error: Option<String>,
    /// Who works on it, while somebody does.
    pub worker: Option<String>,
}

impl FromRow for ListedJob {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let columns = Columns::of("jobs", row);
        Ok(ListedJob {
            id: columns.id(0)?,
            kind: row.text(1)?,
            subject: row.opt_text(2)?,
            status: row.text(3)?,
            attempts: columns.count(4)?,
            run_at: columns.time(5)?,
            last_error: row.opt_text(6)?,
            worker: row.opt_text(7)?,
        })
    }
}

/// Jobs in one status, in the order in which they can be begun.
pub async fn list(db: &mut Db, status: &str, rows: i64) -> Result<Vec<ListedJob>, Error> {
    let statement = "SELECT id, kind, subject, status, attempts, run_at, last_error, lease_owner FROM jobs \
                     WHERE status = $1 ORDER BY run_at, id LIMIT $2";
    db.all(sql(statement).bind(status).bind(rows)).await
}

/// Since when the oldest job that could be begun waits.
pub async fn oldest_waiting(db: &mut Db) -> Result<Option<Timestamp>, Error> {
    let statement = "SELECT run_at FROM jobs WHERE status = 'waiting' ORDER BY run_at, id LIMIT 1";
    let oldest = db.one::<i64>(sql(statement)).await?;
    Ok(oldest.and_then(|micros| Timestamp::from_microsecond(micros).ok()))
}

/// How many jobs wait, by kind. Only the first `rows` of them are counted, so that a long queue costs no more.
pub async fn waiting(db: &mut Db, rows: i64) -> Result<Vec<(String, i64)>, Error> {
    struct Counted(String, i64);
    impl FromRow for Counted {
        fn from_row(row: &Row<'_>) -> Result<Self, Error> {
            Ok(Counted(row.text(0)?, row.int(1)?))
        }
    }
    let statement = "SELECT kind, COUNT(*) FROM (SELECT kind FROM jobs WHERE status = 'waiting' \
                     ORDER BY turn, id LIMIT $1) AS waiting GROUP BY kind";
    let counted = db.all::<Counted>(sql(statement).bind(rows)).await?;
    Ok(counted.into_iter().map(|Counted(kind, count)| (kind, count)).collect())
}

/// How many deliveries are still to be made, counted in the same way.
pub async fn undelivered(db: &mut Db, rows: i64) -> Result<i64, Error> {
    let statement = "SELECT COUNT(*) FROM (SELECT event_id FROM deliveries WHERE endpoint_id > '' \
                     ORDER BY endpoint_id, next_at LIMIT $1) AS waiting";
    Ok(db.one::<i64>(sql(statement).bind(rows)).await?.unwrap_or_default())
}

/// Makes a delayed job wait for its turn now, with all its tries before it. False: there is no such job.
pub async fn retry(tx: &mut Tx, id: JobId, now: Timestamp) -> Result<bool, Error> {
    let statement =
        "UPDATE jobs SET status = 'waiting', run_at = $2, attempts = 0 WHERE id = $1 AND status = 'delayed'";
    let is_there = tx.execute(sql(statement).bind(id.to_string()).bind(now)).await? == 1;
    if is_there {
        tx.wake(Topic::Jobs);
    }
    Ok(is_there)
}
