//! SQLite's one writer: a thread that owns its connection and runs the queued work.
//!
//! Work that queued while a commit was being written to disk shares the next one. Each piece runs inside a
//! savepoint of its own, so that one which is refused or panics is undone alone; nobody is answered before
//! the commit that holds their change has succeeded. Other processes may write to the same file: the lock is
//! taken when a batch begins and given back when it ends.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use tokio::sync::oneshot;

use super::super::{self as engine, Tx};
use super::{Connection, at_once};
use crate::error::Error;
use crate::location::Options;
use crate::wake::{Bell, Topics};

/// The part of the last commit's time that a group may wait for those who came with it.
const PATIENCE: u32 = 4;

/// The way to the writer thread. It ends when the last handle is gone.
#[derive(Debug)]
pub(crate) struct Writer {
    queue: SyncSender<Box<dyn Job>>,
}

impl Writer {
    pub(crate) fn start(tx: Tx, options: &Options, bell: Arc<Bell>) -> Result<Writer, Error> {
        let (queue, jobs) = sync_channel(options.queue_max);
        let thread = Thread {
            tx,
            jobs,
            bell,
            batch_max: options.batch_max.max(1),
            fsync_delay: options.fsync_delay,
            last: Batch::default(),
        };
        std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || thread.run())
            .map_err(Error::unavailable)?;
        Ok(Writer { queue })
    }

    /// Runs `work` on the writer thread and answers when it is on disk.
    pub(crate) async fn run<I, T, E, F>(&self, input: I, work: F) -> Result<T, E>
    where
        F: for<'t> Fn(&'t mut Tx, &'t I) -> BoxFuture<'t, Result<T, E>> + Send + 'static,
        I: Send + Sync + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Box::new(Work { input, work, outcome: None, reply });
        self.queue.try_send(job).map_err(|refused| {
            E::from(Error::unavailable(match refused {
                TrySendError::Full(_) => "too many writes are waiting",
                TrySendError::Disconnected(_) => "the writer has stopped",
            }))
        })?;
        match answer.await {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => Err(E::from(Error::unavailable("the writer has stopped"))),
        }
    }
}

/// A piece of work without its types.
trait Job: Send {
    /// False when the caller is gone; then the work is not begun.
    fn is_wanted(&self) -> bool;
    /// Runs the work and says whether its changes are to be kept.
    fn run(&mut self, tx: &mut Tx) -> bool;
    /// Answers the caller: with what the work gave, or with why the batch was lost.
    fn answer(self: Box<Self>, lost: Option<&str>);
}

struct Work<I, T, E, F> {
    input: I,
    work: F,
    outcome: Option<Outcome<T, E>>,
    reply: oneshot::Sender<Outcome<T, E>>,
}

/// What the work gave, or the panic that ended it.
type Outcome<T, E> = Result<Result<T, E>, Box<dyn Any + Send>>;

impl<I, T, E, F> Job for Work<I, T, E, F>
where
    F: for<'t> Fn(&'t mut Tx, &'t I) -> BoxFuture<'t, Result<T, E>> + Send,
    I: Send + Sync,
    T: Send,
    E: From<Error> + Send,
{
    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }

    fn run(&mut self, tx: &mut Tx) -> bool {
        let outcome = catch_unwind(AssertUnwindSafe(|| at_once((self.work)(tx, &self.input))));
        let outcome = match outcome {
            Ok(Ok(_)) if tx.has_failed => Ok(Err(E::from(engine::went_on_after_failure()))),
            outcome => outcome,
        };
        let is_kept = matches!(outcome, Ok(Ok(_)));
        self.outcome = Some(outcome);
        is_kept
    }

    fn answer(self: Box<Self>, lost: Option<&str>) {
        let outcome = match (self.outcome, lost) {
            // A refusal too may rest on a neighbour's change that is lost now.
            (Some(Ok(_)) | None, Some(reason)) => Ok(Err(E::from(Error::unavailable(reason)))),
            (Some(outcome), _) => outcome,
            (None, None) => return,
        };
        // The caller may have gone away meanwhile; the change stays.
        let _ = self.reply.send(outcome);
    }
}

struct Thread {
    tx: Tx,
    jobs: Receiver<Box<dyn Job>>,
    bell: Arc<Bell>,
    batch_max: usize,
    fsync_delay: Option<Duration>,
    last: Batch,
}

/// What the last commit held and how long the disk took for it.
#[derive(Default)]
struct Batch {
    writes: usize,
    commit: Duration,
}

impl Thread {
    fn run(mut self) {
        let mut batch = Vec::with_capacity(self.batch_max);
        while let Ok(first) = self.jobs.recv() {
            let outcome = self.run_batch(first, &mut batch);
            let lost = outcome.err().map(|error| match error {
                Error::Unavailable(cause) => cause.to_string(),
                other => other.to_string(),
            });
            if let Some(reason) = &lost {
                tracing::warn!(writes = batch.len(), reason, "a group of writes could not be committed");
            }
            for job in batch.drain(..) {
                job.answer(lost.as_deref());
            }
        }
    }

    /// Runs the first piece of work and what queued behind it, and commits them together.
    fn run_batch(&mut self, first: Box<dyn Job>, batch: &mut Vec<Box<dyn Job>>) -> Result<(), Error> {
        batch.push(first);
        if let Err(error) = self.connection().begin_write() {
            // Those who wait behind would each wait as long and fail alike.
            batch.extend(self.jobs.try_iter().take(self.batch_max));
            return Err(error);
        }
        let outcome = self.fill_and_commit(batch);
        if self.connection().is_in_transaction() {
            // Reached only after a failure, of which the caller is told; a rollback cannot do more.
            let _ = self.connection().control("ROLLBACK");
        }
        outcome
    }

    fn fill_and_commit(&mut self, batch: &mut Vec<Box<dyn Job>>) -> Result<(), Error> {
        let mut topics = Topics::default();
        let mut done = 0;
        let patience = Instant::now() + self.last.commit / PATIENCE;
        while let Some(job) = batch.get_mut(done) {
            if job.is_wanted() {
                self.run_job(job.as_mut(), &mut topics, done > 0)?;
            }
            done += 1;
            if done < self.batch_max {
                batch.extend(self.next_job(done, patience));
            }
        }
        let began = Instant::now();
        if let Some(delay) = self.fsync_delay {
            std::thread::sleep(delay);
        }
        self.connection().control("COMMIT")?;
        self.last = Batch { writes: done, commit: began.elapsed() };
        self.bell.ring(topics);
        Ok(())
    }

    /// What queued meanwhile. Those who were answered together tend to come again together; so when fewer are
    /// here than last time, the others are given a moment that is short against the commit it may save them.
    fn next_job(&self, done: usize, patience: Instant) -> Option<Box<dyn Job>> {
        let waiting = self.jobs.try_recv().ok();
        if waiting.is_some() || done >= self.last.writes {
            return waiting;
        }
        self.jobs.recv_timeout(patience.saturating_duration_since(Instant::now())).ok()
    }

    /// Runs a piece of work and takes back what it did when that is not to be kept: to where it began, or all of the
    /// transaction when nothing was before it.
    fn run_job(&mut self, job: &mut dyn Job, topics: &mut Topics, is_behind: bool) -> Result<(), Error> {
        if is_behind {
            self.connection().control("SAVEPOINT work")?;
        }
        self.tx.renew();
        let is_kept = job.run(&mut self.tx);
        if !self.connection().is_in_transaction() {
            return Err(Error::unavailable("the disk is full or cannot be written"));
        }
        if is_kept {
            topics.add_all(self.tx.woken);
        }
        match (is_behind, is_kept) {
            (true, true) => self.connection().control("RELEASE work"),
            (true, false) => {
                self.connection().control("ROLLBACK TO work")?;
                self.connection().control("RELEASE work")
            }
            (false, true) => Ok(()),
            (false, false) => {
                self.connection().control("ROLLBACK")?;
                self.connection().begin_write()
            }
        }
    }

    fn connection(&self) -> &Connection {
        match &self.tx.connection {
            engine::Connection::Sqlite(connection) => connection,
            engine::Connection::Postgres(_) => unreachable!("this thread only ever gets a SQLite connection"),
        }
    }
}
