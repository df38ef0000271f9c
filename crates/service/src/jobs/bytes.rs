//! Deletes bytes whose owner is gone, and the traces of deleted rows.

use super::JobError;
use crate::Service;

/// Keys handled in one transaction.
const BATCH: i64 = 100;

/// Deletes until nothing is left to delete.
pub(super) async fn delete(service: &Service) -> Result<(), JobError> {
    while service.delete_discarded(BATCH).await? > 0 {}
    if service.store().scrub().await? {
        return Ok(());
    }
    Err(JobError::ours("the database's log is being read; it is emptied later"))
}
