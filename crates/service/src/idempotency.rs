//! Idempotency: the answer is remembered in the transaction of what it answers (contract, section 4).
//!
//! Two requests with one key at the same moment: within a process the second finds the key running; across
//! processes it cannot take the key's lock, which lives as long as the first one's transaction. Either way it
//! is told so at once. A crash frees both.

use crate::seal::Sealer;
use crate::{Error, Service};
use domain::id::AccountId;
use domain::idempotency::{Claim, Key};
use domain::mode::Mode;
use domain::random::Random;
use domain::refusal::Refusal;
use futures_util::future::BoxFuture;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use store::Tx;
use store::idempotency::{self, Answered};

/// What a request answers, ready for the wire.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The JSON body.
    pub body: String,
    /// What was made.
    pub resource_id: Option<String>,
    /// True when it was answered before and nothing was done now.
    pub is_replayed: bool,
}

/// The keys whose requests run in this process now.
#[derive(Debug, Default)]
pub(crate) struct Running(Mutex<HashSet<(AccountId, Mode, Key)>>);

impl Running {
    fn begin(&self, claim: &Claim) -> Option<RunningGuard<'_>> {
        let key = (claim.account_id, claim.mode, claim.key.clone());
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
        is_new.then_some(RunningGuard { running: self, key })
    }
}

struct RunningGuard<'r> {
    running: &'r Running,
    key: (AccountId, Mode, Key),
}

impl Drop for RunningGuard<'_> {
    fn drop(&mut self) {
        self.running.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}

/// Writes the answer of a use case.
pub type Render<T> = fn(&T) -> Reply;

impl Service {
    /// What this key was answered before, for a request that does more than one transaction can hold.
    pub(crate) async fn answered_before(&self, claim: &Claim) -> Result<Option<Reply>, Error> {
        let now = self.now();
        self.0.store.write(claim.clone(), move |tx, claim| Box::pin(earlier_answer(tx, claim, now))).await
    }

    /// Runs a use case in one transaction and remembers its answer under the claim, if there is one.
    ///
    /// `render` writes the answer; it runs inside the transaction, because what it writes is remembered
    /// there. An error leaves the key free, so that a client who tops up can try again with the same key.
    pub async fn once<I, T>(
        &self,
        claim: Option<Claim>,
        input: I,
        work: impl for<'t> Fn(&'t mut Tx, &'t I) -> BoxFuture<'t, Result<T, Error>> + Send + Sync + 'static,
        render: Render<T>,
    ) -> Result<Reply, Error>
    where
        I: Send + Sync + 'static,
        T: Send + Sync + 'static,
    {
        let guard = match &claim {
            Some(claim) => {
                let guard = self.0.running.begin(claim);
                Some(guard.ok_or(Refusal::IdempotencyRequestInProgress)?)
            }
            None => None,
        };
        let now = self.now();
        let reply = self
            .0
            .store
            .write((self.clone(), claim, input, work), move |tx, (service, claim, input, work)| {
                Box::pin(async move {
                    if let Some(claim) = claim
                        && let Some(reply) = earlier_answer(tx, claim, now).await?
                    {
                        return Ok(reply);
                    }
                    let reply = render(&work(tx, input).await?);
                    if let Some(claim) = claim {
                        remember(tx, claim, &reply, service.random(), now).await?;
                    }
                    Ok(reply)
                })
            })
            .await;
        drop(guard);
        reply
    }
}

/// What this key was answered before; refuses another request's key and one that is running elsewhere.
async fn earlier_answer(tx: &mut Tx, claim: &Claim, now: jiff::Timestamp) -> Result<Option<Reply>, Error> {
    if !tx.try_lock(claim.lock_number()).await? {
        return Err(Refusal::IdempotencyRequestInProgress.into());
    }
    let Some(answered) = idempotency::answered(tx, claim, now).await? else { return Ok(None) };
    if answered.fingerprint != claim.fingerprint.to_hex() {
        return Err(Refusal::IdempotencyKeyReused { resource_id: answered.resource_id }.into());
    }
    let body = match &answered.sealed {
        Some(sealed) => Sealer::new(&claim.answer_key()).open_answer(sealed)?,
        None => answered.body,
    };
    if let (true, Some(id)) = (body.is_empty(), &answered.resource_id) {
        // The version before kept it, and what it made was deleted since; a second one is not made in its place.
        return Err(Error::missing("object", id));
    }
    let status = u16::try_from(answered.status).unwrap_or(200);
    Ok(Some(Reply { status, body, resource_id: answered.resource_id, is_replayed: true }))
}

async fn remember(
    tx: &mut Tx,
    claim: &Claim,
    reply: &Reply,
    random: &dyn Random,
    now: jiff::Timestamp,
) -> Result<(), Error> {
    let answer = Answered {
        fingerprint: claim.fingerprint.to_hex(),
        status: i64::from(reply.status),
        sealed: Some(Sealer::new(&claim.answer_key()).seal_answer(&reply.body, random)),
        body: String::new(),
        resource_id: reply.resource_id.clone(),
    };
    if idempotency::remember(tx, claim, &answer, now).await? {
        return Ok(());
    }
    // Only a request that did not hold the lock could have written it; its effect stands, ours is undone.
    Err(Refusal::IdempotencyRequestInProgress.into())
}
