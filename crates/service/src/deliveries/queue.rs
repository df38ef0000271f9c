//! The task of one endpoint's queue: a few deliveries at once, until nothing is due.

use super::attempt::{Receiver, deliver};
use super::letters::Letter;
use super::record::{Ear, Recorder};
use super::release;
use crate::{Error, Service};
use domain::id::{EndpointId, EventId};
use domain::webhook::{Kind, Status};
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use jiff::Timestamp;
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store::deliveries::{self, Due, Released};
use store::webhooks;
use tokio::sync::{Notify, mpsc, watch};

/// Deliveries that are read at once.
const READ_MAX: usize = 128;
/// Deliveries that are under way or not written down yet, at most. After a crash they are sent again.
const OPEN_MAX: usize = 128;
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
    /// Posts under way; each hands its outcome to the recorder.
    flying: FuturesUnordered<BoxFuture<'static, ()>>,
    /// The events of posts that are under way or whose outcome is not written down yet.
    open: HashSet<EventId>,
    /// For the recorder, which tells here what it has written.
    ear: Ear,
    written: mpsc::UnboundedReceiver<(EventId, bool)>,
    read: Read,
}

/// What was read last, and when.
#[derive(Default)]
struct Read {
    receiver: Option<Arc<Receiver>>,
    waiting: VecDeque<(Due, Arc<Letter>)>,
    at: Option<Instant>,
    was_full: bool,
    /// Where the next part begins, after a part that was full: before it, everything is under way. What came in there
    /// meanwhile is found when the end was reached and all is read from the beginning.
    from: Option<Timestamp>,
}

impl Read {
    /// What is left of it is read anew, from the beginning.
    fn start_over(&mut self) {
        self.waiting.clear();
        (self.at, self.from) = (None, None);
    }

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
        let (ear, written) = mpsc::unbounded_channel();
        Queue {
            service,
            endpoint_id,
            owner,
            signal,
            recorder,
            stopping,
            flying: FuturesUnordered::new(),
            open: HashSet::new(),
            ear,
            written,
            read: Read::default(),
        }
    }

    /// Delivers until nothing is due, then gives the queue back.
    pub(super) async fn run(mut self) -> Result<(), Error> {
        let mut look = tokio::time::interval(LOOK_EVERY);
        let mut told = Vec::with_capacity(OPEN_MAX);
        loop {
            let is_stopping = *self.stopping.borrow();
            if !is_stopping {
                self.start_more().await?;
            }
            if self.open.is_empty() {
                match release(&self.service, self.endpoint_id, &self.owner, !is_stopping).await? {
                    Released::Gone => return Ok(()),
                    Released::HasMore => self.read.start_over(),
                }
                continue;
            }
            tokio::select! {
                Some(()) = self.flying.next() => {
                    // Those that ended with it make room too.
                    while self.flying.next().now_or_never().flatten().is_some() {}
                }
                _ = self.written.recv_many(&mut told, OPEN_MAX) => {}
                () = self.signal.notify.notified() => {}
                _ = look.tick() => {}
                Ok(()) = self.stopping.changed() => {}
            }
            for (event, is_written) in told.drain(..) {
                if !is_written {
                    // The database is away. The lease is left to end by itself, as after a crash.
                    return Ok(());
                }
                self.open.remove(&event);
            }
        }
    }

    /// Begins deliveries until as many are under way as may be.
    async fn start_more(&mut self) -> Result<(), Error> {
        loop {
            let is_stale = self.read.is_older_than(FRESH);
            if is_stale && !self.read.waiting.is_empty() {
                self.read.start_over();
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
            let room = room.min(OPEN_MAX.saturating_sub(self.open.len())).min(self.read.waiting.len());
            if room == 0 {
                return Ok(());
            }
            for (due, letter) in self.read.waiting.drain(..room) {
                self.open.insert(due.event_id);
                let (service, receiver, recorder, ear) =
                    (self.service.clone(), Arc::clone(&receiver), self.recorder.clone(), self.ear.clone());
                self.flying.push(Box::pin(async move {
                    let outcome = deliver(&service, &receiver, due, &letter).await;
                    recorder.record(outcome, &ear).await;
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
        let became_due = self.read.from.take().unwrap_or(Timestamp::MIN)..=self.service.now();
        let mut due = deliveries::due(&mut db, self.endpoint_id, became_due, READ_MAX).await?;
        self.read.was_full = due.len() == READ_MAX;
        self.read.from = due.last().map(|last| last.next_at).filter(|_| self.read.was_full);
        due.retain(|due| !self.open.contains(&due.event_id));
        let letters = self.service.letters(&mut db, &due).await?;
        drop(db);
        let with_letter = |due: Due| Some((due, Arc::clone(letters.get(&due.event_id)?)));
        self.read.waiting = due.into_iter().filter_map(with_letter).collect();
        self.read.receiver = Some(Arc::new(Receiver::open(&self.service, endpoint)?));
        Ok(())
    }
}
