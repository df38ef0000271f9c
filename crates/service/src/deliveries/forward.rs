//! Forwarding to a program on this machine, in the process that listens for it.

use super::attempt::{Receiver, deliver};
use super::record;
use crate::{Error, Service};
use domain::event::EventType;
use domain::id::{EndpointId, EventId};
use futures_util::future::join_all;
use jiff::Timestamp;
use std::sync::Arc;
use store::deliveries;

/// Events that are forwarded at once.
const AT_ONCE: usize = 8;

/// What became of an event that was forwarded.
#[derive(Clone, Debug)]
pub struct Forwarded {
    /// Which event.
    pub event_id: EventId,
    /// Of which type.
    pub kind: EventType,
    /// What the program answered.
    pub status: Option<u32>,
    /// Why there was no answer.
    pub error: Option<String>,
}

impl Service {
    /// Posts what waits for a listener, and takes it away whatever the program answers.
    #[crate::boxed]
    pub async fn forward_due(&self, endpoint: EndpointId) -> Result<Vec<Forwarded>, Error> {
        let mut db = self.store().read().await?;
        let due = deliveries::due(&mut db, endpoint, Timestamp::MIN..=self.now(), AT_ONCE).await?;
        if due.is_empty() {
            return Ok(Vec::new());
        }
        let letters = self.letters(&mut db, &due).await?;
        drop(db);
        let receiver = Arc::new(Receiver::open(self, self.any_endpoint(endpoint).await?)?);
        let letters: Vec<_> =
            due.iter().filter_map(|due| Some((*due, letters.get(&due.event_id)?))).collect();
        let posts = letters.iter().map(|(due, letter)| deliver(self, &receiver, *due, letter));
        let outcomes = join_all(posts).await;
        let forwarded = outcomes.iter().zip(&letters).map(|(outcome, (_, letter))| Forwarded {
            event_id: outcome.attempt.event_id,
            kind: letter.kind,
            status: outcome.attempt.status,
            error: outcome.attempt.error.clone(),
        });
        let forwarded = forwarded.collect();
        record::write(self, outcomes).await?;
        Ok(forwarded)
    }
}
