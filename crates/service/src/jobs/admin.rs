//! Background work as the operator sees it.

use crate::{Error, Service};
use domain::id::JobId;
use store::jobs::{self, ListedJob};

impl Service {
    /// What runs, what was put off after a failure, and what waits, in this order; at most `rows` of each.
    pub async fn list_jobs(&self, rows: i64) -> Result<Vec<ListedJob>, Error> {
        let mut db = self.0.store.read().await?;
        let mut listed = Vec::new();
        for status in ["running", "delayed", "waiting"] {
            listed.extend(jobs::list(&mut db, status, rows).await?);
        }
        Ok(listed)
    }

    /// Tries a job that was put off now.
    pub async fn retry_job(&self, id: JobId) -> Result<(), Error> {
        let is_there = self
            .0
            .store
            .write((id, self.now()), |tx, (id, now)| {
                Box::pin(async move { Ok::<_, Error>(jobs::retry(tx, *id, *now).await?) })
            })
            .await?;
        if is_there { Ok(()) } else { Err(Error::missing("job that was put off", id)) }
    }
}
