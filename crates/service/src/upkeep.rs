//! What every process does beside its requests, whatever its role.

use crate::Service;
use std::time::Duration;

/// How often requests that were taken and not used are given back.
const EVERY: Duration = Duration::from_secs(1);
/// Every so many rounds, the last uses of keys are written down.
const ROUNDS_PER_USAGE: u32 = 30;

impl Service {
    /// Keeps up until it is dropped: gives unused shares of rate limits back, when they are asked for at once;
    /// writes down when keys were used.
    #[crate::boxed]
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
            if round.is_multiple_of(ROUNDS_PER_USAGE)
                && let Err(error) = self.write_key_usage().await
            {
                tracing::warn!(%error, "when keys were last used could not be written");
            }
        }
    }
}
