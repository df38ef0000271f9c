//! The delivery worker: sends what is due to the endpoints, and never anything in the path of a request.
//!
//! Many workers, in one process or many, share the queues of the endpoints. A queue belongs to whoever holds
//! its lease; the holder sends for that endpoint, a few deliveries at once, and is never far
//! ahead of what was written down. A worker that dies leaves its leases behind; when they end, another takes
//! the queues and sends again what was not written down. So an event arrives at least once, and now and then
//! twice. Each queue is a task of its own, so that an endpoint that is slow or dead delays no other, and one
//! that fails gets fewer deliveries at once, so that many dead ones do not take all the room.

mod attempt;
mod forward;
mod letters;
mod queue;
mod record;
mod resend;

pub use forward::Forwarded;
pub(crate) use letters::Letters;
pub use resend::ResendRange;
pub(crate) use resend::resend_in;
pub use store::deliveries::Attempt;

use crate::{Error, Service};
use domain::id::{EndpointId, JobId};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use jiff::SignedDuration;
use queue::{Queue, Signal};
use record::Recorder;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use store::Topic;
use store::deliveries::{self, Released};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How long a lease lasts unless it is renewed.
pub(crate) const LEASE: SignedDuration = SignedDuration::from_secs(30);
/// How often it is renewed.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// A worker looks at least this often, woken or not.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// New deliveries that are taken into the queues in one transaction.
const TAKEN_IN_MAX: i64 = 500;
/// Queues that are taken in one transaction.
const CLAIMED_MAX: usize = 64;
/// Queues that one worker holds at most.
const QUEUES_MAX: usize = 512;

/// One delivery worker of this process.
#[derive(Debug)]
pub struct Deliveries {
    service: Service,
    owner: Arc<str>,
}

/// The queues that a worker holds now.
struct Held {
    signals: HashMap<EndpointId, Arc<Signal>>,
    tasks: JoinSet<EndpointId>,
    recorder: Recorder,
    stopping: watch::Sender<bool>,
}

impl Held {
    fn none(service: &Service) -> Held {
        Held {
            signals: HashMap::new(),
            tasks: JoinSet::new(),
            recorder: Recorder::start(service.clone()),
            stopping: watch::Sender::new(false),
        }
    }
}

impl Deliveries {
    /// A worker, which has a name of its own in the leases it takes.
    pub fn new(service: Service) -> Deliveries {
        let owner = service.id::<JobId>(service.now()).to_string().into();
        Deliveries { service, owner }
    }

    /// Delivers until `stop` completes, then lets what is under way end and gives the queues back.
    #[crate::boxed]
    pub async fn run(self, mut stop: BoxFuture<'static, ()>) {
        let mut held = Held::none(&self.service);
        let mut wakeups = self.service.store().subscribe(Topic::Deliveries);
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        let mut round = tokio::time::interval(LOOK_EVERY);
        loop {
            let outcome = tokio::select! {
                () = &mut stop => break,
                () = wakeups.next() => self.look(&mut held).await,
                _ = round.tick() => self.look_if_due(&mut held).await,
                _ = heartbeat.tick() => self.renew().await,
                Some(ended) = held.tasks.join_next() => self.end(&mut held, ended).await,
            };
            if let Err(error) = outcome {
                tracing::error!(%error, "looking for deliveries failed");
            }
        }
        held.stopping.send_replace(true);
        while held.tasks.join_next().await.is_some() {}
    }

    /// Delivers all that is due now; the tests call this instead of waiting. A delivery that fails is tried
    /// again later and is no error here.
    #[crate::boxed]
    pub async fn run_due(&self) -> Result<(), Error> {
        let mut held = Held::none(&self.service);
        loop {
            self.look(&mut held).await?;
            match held.tasks.join_next().await {
                Some(ended) => self.end(&mut held, ended).await?,
                None => return Ok(()),
            }
        }
    }

    /// A round without news costs a few reads and no write.
    async fn look_if_due(&self, held: &mut Held) -> Result<(), Error> {
        let now = self.service.now();
        let is_due = deliveries::is_work_due(&mut *self.service.store().read().await?, now).await?;
        if is_due { self.look(held).await } else { Ok(()) }
    }

    /// Takes new deliveries into the queues, and takes the queues that are due.
    async fn look(&self, held: &mut Held) -> Result<(), Error> {
        loop {
            let room = QUEUES_MAX.saturating_sub(held.tasks.len()).min(CLAIMED_MAX);
            let now = self.service.now();
            let input = (Arc::clone(&self.owner), now, room);
            let (taken_in, claimed) = self
                .service
                .store()
                .write(input, |tx, (owner, now, room)| {
                    Box::pin(async move {
                        deliveries::reclaim(tx, *now).await?;
                        let taken_in = deliveries::take_in(tx, *now, TAKEN_IN_MAX).await?;
                        let claimed = deliveries::claim(tx, owner, *now, *now + LEASE, *room).await?;
                        Ok::<_, Error>((taken_in, claimed))
                    })
                })
                .await?;
            let is_all =
                taken_in < usize::try_from(TAKEN_IN_MAX).unwrap_or_default() && claimed.len() < CLAIMED_MAX;
            for endpoint in claimed {
                self.begin(held, endpoint);
            }
            if is_all || room == 0 {
                return Ok(());
            }
        }
    }

    /// Starts the task of a queue; one that runs is told that there is something new.
    fn begin(&self, held: &mut Held, endpoint: EndpointId) {
        if let Some(signal) = held.signals.get(&endpoint) {
            signal.tell();
            return;
        }
        let signal = Arc::new(Signal::default());
        held.signals.insert(endpoint, Arc::clone(&signal));
        let queue = Queue::new(
            self.service.clone(),
            endpoint,
            Arc::clone(&self.owner),
            signal,
            held.recorder.clone(),
            held.stopping.subscribe(),
        );
        held.tasks.spawn(async move {
            match AssertUnwindSafe(queue.run()).catch_unwind().await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    tracing::error!(endpoint.id = %endpoint, %error, "a queue of deliveries stopped; it goes on when its lease ends");
                }
                Err(_) => tracing::error!(endpoint.id = %endpoint, "a queue of deliveries panicked"),
            }
            endpoint
        });
    }

    /// A queue's task has ended. If it was told of something new while it was ending, the queue is due again.
    async fn end(
        &self,
        held: &mut Held,
        ended: Result<EndpointId, tokio::task::JoinError>,
    ) -> Result<(), Error> {
        let Ok(endpoint) = ended else { return Ok(()) };
        let was_told = held.signals.remove(&endpoint).is_some_and(|signal| signal.was_told());
        if !was_told {
            return Ok(());
        }
        release(&self.service, endpoint, &self.owner, false).await?;
        self.look(held).await
    }

    async fn renew(&self) -> Result<(), Error> {
        let input = (Arc::clone(&self.owner), self.service.now() + LEASE);
        self.service
            .store()
            .write(input, |tx, (owner, until)| {
                Box::pin(async move { Ok::<_, Error>(deliveries::renew(tx, owner, *until).await?) })
            })
            .await
    }
}

/// Gives a queue back, unless something is due and the holder may keep it for that.
async fn release(
    service: &Service,
    endpoint: EndpointId,
    owner: &Arc<str>,
    may_keep: bool,
) -> Result<Released, Error> {
    service
        .store()
        .write(
            (endpoint, Arc::clone(owner), service.now(), may_keep),
            |tx, (endpoint, owner, now, may_keep)| {
                Box::pin(async move {
                    Ok::<_, Error>(deliveries::release(tx, *endpoint, owner, *now, *may_keep).await?)
                })
            },
        )
        .await
}

/// Gives each attempt of this process a moment of its own, so that the log can tell them apart even when the
/// clock stands still.
#[derive(Debug, Default)]
pub(crate) struct Moments(AtomicI64);

impl Moments {
    fn next(&self, now: jiff::Timestamp) -> jiff::Timestamp {
        let now_us = now.as_microsecond();
        let last =
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(now_us.max(last + 1)));
        let last = last.unwrap_or_default();
        jiff::Timestamp::from_microsecond(now_us.max(last + 1)).unwrap_or(now)
    }
}
