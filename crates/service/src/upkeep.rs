//! What every process does beside its requests, whatever its role.

use crate::{Error, Service};
use std::time::Duration;
use store::jobs;

/// How often requests that were taken and not used are given back.
const EVERY: Duration = Duration::from_secs(1);
/// Every so many rounds it is measured how long work waits.
const ROUNDS_PER_LOOK: u32 = 10;
/// Every so many rounds, the last uses of keys are written down.
const ROUNDS_PER_USAGE: u32 = 30;

impl Service {
    /// Keeps up until it is dropped: gives unused shares of rate limits back, when they are asked for at once; measures
    /// how long work waits; writes down when keys were used.
    pub async fn keep_up(&self) {
        let mut round = 0_u32;
        let mut words = self.0.store.words();
        let mut turns = tokio::time::interval(EVERY);
        loop {
            tokio::select! {
                word = words.next() => {
                    if let Err(error) = self.hear(&word).await {
                        tracing::warn!(%error, "giving back unused requests failed");
                    }
                    continue;
                }
                _ = turns.tick() => {}
            }
            round = round.wrapping_add(1);
            if let Err(error) = self.give_back_requests(false).await {
                tracing::warn!(%error, "giving back unused requests failed");
            }
            if round.is_multiple_of(ROUNDS_PER_LOOK)
                && let Err(error) = self.measure_waiting().await
            {
                tracing::warn!(%error, "how long work waits could not be measured");
            }
            if round.is_multiple_of(ROUNDS_PER_USAGE)
                && let Err(error) = self.write_key_usage().await
            {
                tracing::warn!(%error, "when keys were last used could not be written");
            }
        }
    }

    async fn measure_waiting(&self) -> Result<(), Error> {
        let oldest = jobs::oldest_waiting(&mut *self.0.store.read().await?).await?;
        let waited = oldest.map_or(0.0, |since| self.now().duration_since(since).as_secs_f64().max(0.0));
        metrics::gauge!("tickmark_oldest_job_seconds").set(waited);
        Ok(())
    }
}
