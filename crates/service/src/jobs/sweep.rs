//! The sweep: what time alone brings about. Small batches, each a transaction of its own, so that it never
//! holds up requests; running it twice does no harm, because every step asks the rule again.

use crate::{Error, Service};
use domain::{event, file, operator, review};
use jiff::SignedDuration;
use store::{credits, events, files, idempotency, lti, operators, reviews};

/// How often it comes back.
pub(super) const EVERY: SignedDuration = SignedDuration::from_secs(60);
/// Rows handled in one transaction.
const BATCH: i64 = 500;
/// Batches in one run at most; what is left waits for the next.
const BATCHES_MAX: usize = 200;

/// Ends credits whose date has come, warns of those that end soon, forgets what is no longer kept,
/// sends mail.
pub(super) async fn run(service: &Service) -> Result<(), Error> {
    sweep_balances(service).await?;
    delete_in_batches(service, |tx, &now| Box::pin(idempotency::forget(tx, now, BATCH))).await?;
    delete_in_batches(service, |tx, &now| Box::pin(events::delete_older(tx, now - event::KEPT, BATCH)))
        .await?;
    delete_in_batches(service, |tx, &now| {
        Box::pin(reviews::forget_sessions(tx, now - review::REMEMBERED, BATCH))
    })
    .await?;
    delete_in_batches(service, |tx, &now| {
        Box::pin(reviews::forget_links(tx, now - review::REMEMBERED, BATCH))
    })
    .await?;
    delete_in_batches(service, |tx, &now| {
        Box::pin(files::forget_expired(tx, now - file::KEPT_EXPIRED, BATCH))
    })
    .await?;
    delete_in_batches(service, |tx, &now| {
        Box::pin(operators::forget_sessions(tx, now - operator::SESSION_MAX, BATCH))
    })
    .await?;
    delete_in_batches(service, |tx, &now| {
        Box::pin(operators::forget_entries(tx, now - operator::RECORD_KEPT, BATCH))
    })
    .await?;
    service.delete_unconfirmed_scans(BATCH).await?;
    delete_in_batches(service, |tx, &now| Box::pin(lti::forget_nonces(tx, now, BATCH))).await?;
    service.fail_overdue(BATCH).await?;
    service.send_mails().await?;
    service.write_key_usage().await?;
    // What needs the file store comes last, so that nothing else waits while that is away.
    service.tidy_uploads().await?;
    sweep_files(service).await
}

/// Gives up files that nobody used in time, and deletes bytes that belong to nobody.
async fn sweep_files(service: &Service) -> Result<(), Error> {
    let mut is_any_expired = false;
    for _ in 0..BATCHES_MAX {
        let expired = service.expire_files(BATCH).await?;
        let deleted = service.delete_discarded(BATCH).await?;
        is_any_expired |= expired > 0;
        if expired == 0 && deleted == 0 {
            break;
        }
    }
    if is_any_expired && !service.store().scrub().await? {
        tracing::debug!("the database's log is being read; the names of expired files leave it later");
    }
    Ok(())
}

async fn sweep_balances(service: &Service) -> Result<(), Error> {
    for _ in 0..BATCHES_MAX {
        let now = service.now();
        let due = credits::due(&mut *service.store().read().await?, now, BATCH).await?;
        if due.is_empty() {
            break;
        }
        for owner in due {
            service.sweep_balance(owner).await?;
        }
    }
    Ok(())
}

type Delete = for<'t> fn(
    &'t mut store::Tx,
    &'t jiff::Timestamp,
) -> futures_util::future::BoxFuture<'t, Result<u64, store::Error>>;

async fn delete_in_batches(service: &Service, delete: Delete) -> Result<(), Error> {
    for _ in 0..BATCHES_MAX {
        let deleted = service.store().write(service.now(), delete).await?;
        if deleted < BATCH.unsigned_abs() {
            break;
        }
    }
    Ok(())
}
