//! Background work as the operator sees it.

use super::Kind;
use crate::{Error, Service};
use domain::id::JobId;
use jiff::Timestamp;
use store::Tx;
use store::jobs::{self, ListedJob};

/// Of what waits, so much is counted.
const COUNTED_MAX: i64 = 10_000;

/// How much waits for a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// Jobs, by kind; every kind is named.
    pub jobs: Vec<(&'static str, i64)>,
    /// Deliveries that are still to be made.
    pub deliveries: i64,
    /// For how long the oldest job that could be begun waits.
    pub oldest_job_seconds: i64,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobStatus {
    /// Somebody works on it.
    Running,
    /// It was put off after a failure, or comes back by itself.
    Delayed,
    /// It waits for a worker.
    Waiting,
}

domain::names! {
    JobStatus { Running = "running", Delayed = "delayed", Waiting = "waiting" }
}

impl Service {
    /// What runs, what was put off after a failure, and what waits, in this order; at most `rows` of each.
    #[crate::boxed]
    pub async fn list_jobs(&self, rows: i64) -> Result<Vec<ListedJob>, Error> {
        let mut db = self.0.store.read().await?;
        let mut listed = Vec::new();
        for status in JobStatus::ALL {
            listed.extend(jobs::list(&mut db, status.name(), rows).await?);
        }
        Ok(listed)
    }

    /// Jobs in one status, in the order in which they can be begun.
    #[crate::boxed]
    pub async fn jobs_in(&self, status: JobStatus, rows: i64) -> Result<Vec<ListedJob>, Error> {
        Ok(jobs::list(&mut *self.0.store.read().await?, status.name(), rows).await?)
    }

    /// How much waits now; of more than ten thousand only so many are counted.
    #[crate::boxed]
    pub async fn backlog(&self) -> Result<Backlog, Error> {
        let mut db = self.0.store.read().await?;
        let waiting = jobs::waiting(&mut db, COUNTED_MAX).await?;
        let count = |kind: &Kind| {
            let found = waiting.iter().find(|(name, _)| name == kind.name());
            (kind.name(), found.map_or(0, |(_, count)| *count))
        };
        let deliveries = jobs::undelivered(&mut db, COUNTED_MAX).await?;
        let oldest = jobs::oldest_waiting(&mut db).await?;
        let oldest_job_seconds = oldest.map_or(0, |since| self.now().duration_since(since).as_secs().max(0));
        Ok(Backlog { jobs: Kind::ALL.iter().map(count).collect(), deliveries, oldest_job_seconds })
    }

    /// Tries a job that was put off now.
    #[crate::boxed]
    pub async fn retry_job(&self, id: JobId) -> Result<(), Error> {
        self.0.store.write((id, self.now()), |tx, &(id, now)| Box::pin(retry_in(tx, id, now))).await
    }
}

/// Tries a job that was put off now, within the caller's transaction.
pub(crate) async fn retry_in(tx: &mut Tx, id: JobId, now: Timestamp) -> Result<(), Error> {
    let is_there = jobs::retry(tx, id, now).await?;
    if is_there { Ok(()) } else { Err(Error::missing("job that was put off", id)) }
}
