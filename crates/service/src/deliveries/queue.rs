//! The task of one endpoint's queue: a few deliveries at once, until nothing is due.

use super::attempt::{Receiver, deliver};
use super::record::Recorder;
use super::release;
use crate::{Error, Service};
use domain::id::{EndpointId, EventId};
use domain::webhook::{Kind, Status};
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store::deliveries::{self, Due, Released};
use store::webhooks;
use tokio::sync::{Notify, watch};

/// Deliveries that are read at once.
const READ_MAX: usize = 64;
/// How long what was read may be used: after that the endpoint may have changed, or an object been deleted.
const FRESH: Duration = Duration::from_millis(250);
/// A queue that waits for a slow receiver looks this often for what has become due meanwhile.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Tells a queue's task that something new has come in.
#[derive(Debug, Default)]
pub(super) struct Signal {
    has_news: AtomicBool,
    notify: Notify,
}

impl Signal {
    pub(super) fn tell(&self) {
        self.has_news.store(true, Ordering::SeqCst);
        self.notify.notify_one();
    }

    /// True when it was told and nobody has looked since.
    pub(super) fn was_told(&self) -> bool {
        self.has_news.swap(false, Ordering::SeqCst)
    }
}

pub(super) struct Queue {
    service: Service,
    endpoint_id: EndpointId,
    owner: Arc<str>,
    signal: Arc<Signal>,
    recorder: Recorder,
    stopping: watch::Receiver<bool>,
    /// Deliveries under way; each gives the event's id back, and whether its outcome was written down.
    flying: FuturesUnordered<BoxFuture<'static, (EventId, bool)>>,
    in_flight: HashSet<EventId>,
    read: Read,
}

/// What was read last, and when.
#[derive(Default)]
struct Read {
    receiver: Option<Arc<Receiver>>,
    waiting: VecDeque<Due>,
    at: Option<Instant>,
    was_full: bool,
}

impl Read {
    fn is_older_than(&self, age: Duration) -> bool {
        self.at.is_none_or(|at| at.elapsed() > age)
    }
}

impl Queue {
    pub(super) fn new(
        service: Service,
        endpoint_id: EndpointId,
        owner: Arc<str>,
        signal: Arc<Signal>,
        recorder: Recorder,
        stopping: watch::Receiver<bool>,
    ) -> Queue {
        Queue {
            service,
            endpoint_id,
            owner,
            signal,
            recorder,
            stopping,
            flying: FuturesUnordered::new(),
            in_flight: HashSet::new(),
            read: Read::default(),
        }
    }

    /// Delivers until nothing is due, then gives the queue back.
    pub(super) async fn run(mut self) -> Result<(), Error> {
        loop {
            let is_stopping = *self.stopping.borrow();
            if !is_stopping {
                self.start_more().await?;
            }
            if self.flying.is_empty() {
                match release(&self.service, self.endpoint_id, &self.owner, !is_stopping).await? {
                    Released::Gone => return Ok(()),
                    Released::HasMore => self.read.at = None,
                }
                continue;
            }
            let landed = tokio::select! {
                landed = self.flying.next() => landed,
                () = self.signal.notify.notified() => None,
                () = tokio::time::sleep(LOOK_EVERY) => None,
                Ok(()) = self.stopping.changed() => None,
            };
            if !self.have_landed(landed) {
                // The database is away. The lease is left to end by itself, as after a crash.
                return Ok(());
            }
        }
    }

    /// Notes which deliveries are over: this one, and all that ended with it, because outcomes are written many
    /// at a time. False: an outcome could not be written.
    fn have_landed(&mut self, first: Option<(EventId, bool)>) -> bool {
        let mut next = first;
        while let Some((event, is_written)) = next {
            if !is_written {
                return false;
            }
            self.in_flight.remove(&event);
            next = self.flying.next().now_or_never().flatten();
        }
        true
    }

    /// Begins deliveries until as many are under way as may be.
    async fn start_more(&mut self) -> Result<(), Error> {
        loop {
            let is_stale = self.read.is_older_than(FRESH);
            if is_stale {
                self.read.waiting.clear();
            }
            if self.read.waiting.is_empty() {
                let has_news = self.signal.was_told() || self.read.was_full;
                if !has_news && !self.read.is_older_than(LOOK_EVERY) {
                    return Ok(());
                }
                self.read_more().await?;
            }
            let Some(receiver) = self.read.receiver.clone() else { return Ok(()) };
            let room = receiver.endpoint.at_once_max().saturating_sub(self.flying.len());
            if room == 0 || self.read.waiting.is_empty() {
                return Ok(());
            }
            for due in self.read.waiting.drain(..room.min(self.read.waiting.len())) {
                self.in_flight.insert(due.event.id);
                let (service, receiver, recorder) =
                    (self.service.clone(), Arc::clone(&receiver), self.recorder.clone());
                self.flying.push(Box::pin(async move {
                    let id = due.event.id;
                    (id, recorder.record(deliver(&service, &receiver, due).await).await)
                }));
            }
        }
    }

    async fn read_more(&mut self) -> Result<(), Error> {
        let mut db = self.service.store().read().await?;
        let endpoint = webhooks::by_id(&mut db, self.endpoint_id).await?;
        self.read.at = Some(Instant::now());
        self.read.was_full = false;
        if endpoint.as_ref().is_some_and(|endpoint| endpoint.kind == Kind::Listener) {
            // Its process held the queue for as long as it lived.
            drop(db);
            self.read.receiver = None;
            return self.service.end_listening(self.endpoint_id).await;
        }
        let Some(endpoint) = endpoint.filter(|endpoint| endpoint.status == Status::Enabled) else {
            self.read.receiver = None;
            return Ok(());
        };
        let rows = READ_MAX + self.in_flight.len();
        let due = deliveries::due(&mut db, self.endpoint_id, self.service.now(), rows).await?;
        drop(db);
        self.read.was_full = due.len() == rows;
        self.read.waiting = due.into_iter().filter(|due| !self.in_flight.contains(&due.event.id)).collect();
        self.read.receiver = Some(Arc::new(Receiver::open(&self.service, endpoint)?));
        Ok(())
    }
}
