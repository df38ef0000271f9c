//! The development clock: its offset is kept in the database, so that restarts and the command line follow.

use crate::{Error, Service};
use store::{Topic, settings};

const OFFSET: &str = "clock_offset_us";

impl Service {
    /// How far the development clock is ahead of the machine's.
    #[crate::boxed]
    pub async fn clock_offset_us(&self) -> Result<i64, Error> {
        let kept = settings::value(&mut *self.store().read().await?, OFFSET).await?;
        Ok(kept.and_then(|text| text.parse().ok()).unwrap_or_default())
    }

    /// Moves the development clock forward and gives the new offset. Workers look at once what is due now.
    #[crate::boxed]
    pub async fn advance_clock(&self, seconds: i64) -> Result<i64, Error> {
        self.0
            .store
            .write(seconds, |tx, &seconds| {
                Box::pin(async move {
                    let kept = settings::value(tx, OFFSET).await?;
                    let offset: i64 = kept.and_then(|text| text.parse().ok()).unwrap_or_default();
                    let offset = offset.saturating_add(seconds.saturating_mul(1_000_000));
                    settings::set(tx, OFFSET, &offset.to_string()).await?;
                    tx.wake(Topic::Jobs);
                    tx.wake(Topic::Deliveries);
                    Ok(offset)
                })
            })
            .await
    }
}
