//! The worker: takes jobs with a lease, runs them, and gives them back when it ends.
//!
//! Many workers, in one process or many, share the job table. A job belongs to whoever holds its lease; the
//! lease is renewed while the job runs, and one that ends (its worker died) makes the job wait again for
//! another. Every outcome is written only by the holder of the lease, so a worker that was thought dead
//! changes nothing when it comes back; work whose lease or object is gone is stopped. Workers are woken when work
//! is written and also look by themselves.
//!
//! Work waits in lanes with slots of their own, so that what is slow never stands before what must be quick. In
//! the slow lanes one account gets only some of the slots.

use super::lane::{Busy, Lane, Slots};
use super::{
    JobError, Kind, STOP, TRIES_MAX, bytes, fetch, mark_submission, read_paper, split_scan, submit_scripts,
    sweep,
};
use crate::{Error, Service};
use domain::failure::FailureCode;
use domain::id::{ClassScanId, Identifier, JobId, PaperId, SubmissionId};
use futures_util::future::{BoxFuture, join_all};
use jiff::{SignedDuration, Timestamp};
use reader::isolate::Stop;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use store::Topic;
use store::jobs::{self, Job};
use tokio::task::JoinSet;

/// How long a lease lasts unless it is renewed.
const LEASE: SignedDuration = SignedDuration::from_secs(30);
/// How often it is renewed, and so how long work goes on at most whose object was canceled.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// A worker looks at least this often, woken or not.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long a job that failed waits before it is tried again: longer each time.
fn retry_after(attempts: u32) -> SignedDuration {
    SignedDuration::from_secs(10 * 6_i64.pow(attempts.clamp(1, 4) - 1))
}

/// The id that a job carries.
fn subject<I: Identifier>(about: &str) -> Result<I, JobError> {
    I::parse(about).ok_or_else(|| JobError::ours("the job names nothing that it could be about"))
}

/// The worker of this process.
#[derive(Clone, Debug)]
pub struct Worker {
    service: Service,
    /// What the owners of its leases begin with. Each lease has one of its own, so that work which outlived its lease
    /// is not taken for the work that followed it.
    name: String,
    leases: Arc<AtomicU64>,
    slots: Slots,
    heartbeat: Duration,
}

impl Worker {
    /// A worker, which has a name of its own in the leases it takes. It reads and marks one thing at a time.
    pub fn new(service: Service) -> Worker {
        let name = format!("{}.", service.id::<JobId>(service.now()));
        Worker {
            service,
            name,
            leases: Arc::default(),
            slots: Slots::for_processors(1),
            heartbeat: HEARTBEAT,
        }
    }

    /// The same with room for as much as so many processors can do at once.
    #[must_use]
    pub fn for_processors(self, processors: usize) -> Worker {
        Worker { slots: Slots::for_processors(processors), ..self }
    }

    /// The same with another time between two looks at its leases.
    #[must_use]
    pub fn with_heartbeat(self, heartbeat: Duration) -> Worker {
        Worker { heartbeat, ..self }
    }

    /// Works until `stop` completes, then stops what it does and hands back its leases.
    #[crate::boxed]
    pub async fn run(self, stop: BoxFuture<'static, ()>) {
        let worker = Arc::new(self);
        let lanes = Lane::ALL.iter().map(|lane| Arc::clone(&worker).serve(*lane));
        let everything = async { tokio::join!(worker.keep_looking(), join_all(lanes)) };
        tokio::select! {
            () = stop => {}
            _ = everything => {}
        }
        if let Err(error) = worker.hand_back().await {
            tracing::error!(%error, "handing back the leases of a worker failed; they end by themselves");
        }
    }

    /// Lets work wait for its turn whose time has come or whose worker died.
    async fn keep_looking(&self) {
        loop {
            if let Err(error) = self.refresh().await {
                tracing::error!(%error, "looking for background work failed");
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Does the work of a lane for ever. The tasks end with this future.
    async fn serve(self: Arc<Self>, lane: Lane) {
        let mut wakeups = self.service.store().subscribe(Topic::Jobs);
        let (mut running, mut busy) = (JoinSet::new(), Busy::default());
        loop {
            let mut is_open = running.len() < self.slots.of(lane);
            while is_open {
                match self.next(lane, &busy).await {
                    Ok(Some(job)) => {
                        let (worker, account) = (Arc::clone(&self), job.account);
                        busy.begin(account);
                        running.spawn(async move {
                            if let Err(error) = worker.run_job(job, lane).await {
                                tracing::error!(%error, "background work could not be written down");
                            }
                            account
                        });
                        is_open = running.len() < self.slots.of(lane);
                    }
                    Ok(None) => break,
                    Err(error) => {
                        tracing::error!(%error, "looking for background work failed");
                        break;
                    }
                }
            }
            tokio::select! {
                Some(ended) = running.join_next() => match ended {
                    Ok(account) => busy.end(account),
                    // Its lease ends by itself. Who it was for is not known any more, so all is counted anew.
                    Err(error) => {
                        tracing::error!(%error, "background work broke down");
                        busy = Busy::default();
                    }
                },
                _ = tokio::time::timeout(LOOK_EVERY, wakeups.next()), if is_open => {}
            }
        }
    }

    /// The lane's next job for which there is room. Looking is cheap where nothing waits.
    async fn next(&self, lane: Lane, busy: &Busy) -> Result<Option<Job>, Error> {
        let is_waiting = jobs::is_waiting(&mut *self.service.store().read().await?, lane.name()).await?;
        if is_waiting { self.claim(lane, busy).await } else { Ok(None) }
    }

    /// Runs every job that is due now; the tests call this instead of waiting. A job that fails is tried again
    /// later and is no error here.
    #[crate::boxed]
    pub async fn run_due(&self) -> Result<(), Error> {
        while self.run_one().await? {}
        Ok(())
    }

    /// Runs the one job whose turn it is. False: there is none.
    #[crate::boxed]
    pub async fn run_one(&self) -> Result<bool, Error> {
        self.refresh().await?;
        for lane in Lane::ALL {
            if let Some(job) = self.next(*lane, &Busy::default()).await? {
                self.run_job(job, *lane).await?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn refresh(&self) -> Result<(), Error> {
        let now = self.service.now();
        let id: JobId = self.service.id(now);
        self.service
            .store()
            .write((id, now), |tx, (id, now)| {
                Box::pin(async move {
                    let (kind, lane) = (Kind::Sweep.name(), Lane::Sweep.name());
                    jobs::ensure_singleton(tx, *id, kind, lane, *now).await?;
                    jobs::reclaim(tx, *now).await?;
                    jobs::wake_delayed(tx, *now).await?;
                    Ok(())
                })
            })
            .await
    }

    async fn claim(&self, lane: Lane, busy: &Busy) -> Result<Option<Job>, Error> {
        let full = busy.with_at_least(self.slots.of_one_account(lane));
        let lease_until = self.service.now() + LEASE;
        let owner = format!("{}{}", self.name, self.leases.fetch_add(1, Ordering::Relaxed));
        self.service
            .store()
            .write((owner, lane, full, lease_until), |tx, (owner, lane, full, lease_until)| {
                Box::pin(async move { Ok(jobs::claim(tx, lane.name(), owner, *lease_until, full).await?) })
            })
            .await
    }

    async fn run_job(&self, job: Job, lane: Lane) -> Result<(), Error> {
        let begun = Instant::now();
        let Some(kind) = Kind::parse(&job.kind) else {
            tracing::error!(job.id = %job.id, job.kind, "there is no such kind of background work");
            return self.finish(&job).await.map(drop);
        };
        let may_kill = matches!(kind, Kind::ReadPaper | Kind::MarkSubmission | Kind::SplitScan);
        // Making submissions goes on where it was, however often its workers die.
        let can_fail = may_kill || kind == Kind::SubmitScripts;
        let outcome = if job.attempts > TRIES_MAX && may_kill {
            // Its earlier workers died of it, or were killed, three times.
            let reason = "its workers died".to_owned();
            Some(Err(JobError::Retry { reason, code: FailureCode::ProcessingFailed }))
        } else {
            // On the heap, because it holds all that any kind of work needs.
            self.while_ours(&job, Box::pin(self.work(kind, lane, &job))).await
        };
        let label = match &outcome {
            Some(Ok(())) => "done",
            Some(Err(JobError::Fail(_))) => "failed",
            Some(Err(JobError::Retry { .. })) => "interrupted",
            None => "stopped",
        };
        metrics::counter!("tickmark_jobs_total", "kind" => kind.name(), "outcome" => label).increment(1);
        metrics::histogram!("tickmark_job_seconds", "kind" => kind.name()).record(begun.elapsed());
        match outcome {
            None => {
                tracing::info!(job.id = %job.id, job.kind, "background work was stopped: it is no longer wanted here");
                Ok(())
            }
            Some(Ok(())) if kind == Kind::Sweep => {
                self.postpone(&job, self.service.now() + sweep::EVERY, None).await.map(drop)
            }
            Some(Ok(())) if lane == Lane::Fetch => self.pass_on(&job).await,
            Some(Ok(())) => self.finish(&job).await.map(drop),
            Some(Err(JobError::Fail(code))) => self.give_up(&job, kind, code).await,
            Some(Err(JobError::Retry { reason, code })) => {
                tracing::warn!(job.id = %job.id, job.kind, job.attempts, %reason, "background work failed");
                if job.attempts >= TRIES_MAX && can_fail {
                    return self.give_up(&job, kind, code).await;
                }
                let run_at = self.service.now() + retry_after(job.attempts);
                self.postpone(&job, run_at, Some(reason)).await.map(drop)
            }
        }
    }

    async fn work(&self, kind: Kind, lane: Lane, job: &Job) -> Result<(), JobError> {
        let service = &self.service;
        let about = job.subject.as_deref().unwrap_or_default();
        match kind {
            Kind::ReadPaper | Kind::MarkSubmission if lane == Lane::Fetch => fetch::run(service, about).await,
            Kind::Sweep => Ok(sweep::run(service).await?),
            Kind::ReadPaper => read_paper::run(service, subject(about)?).await,
            Kind::MarkSubmission => mark_submission::run(service, subject(about)?).await,
            Kind::SplitScan => split_scan::run(service, subject(about)?).await,
            Kind::SubmitScripts => submit_scripts::run(service, subject(about)?).await,
            Kind::DeleteBytes => bytes::delete(service).await,
            Kind::Amend => service.amend(subject(about)?, job.attempts).await,
            Kind::Learn => Ok(service.learn(subject(about)?).await?),
            Kind::WantScores => Ok(service.want_released_scores(subject(about)?).await?),
            Kind::SendScore => service.send_score(subject(about)?).await,
            Kind::DeleteSubmissions => Ok(service.delete_rest_of(subject(about)?).await?),
        }
    }

    /// The object that the job is about fails; a job about nothing that can fail is only ended.
    async fn give_up(&self, job: &Job, kind: Kind, code: FailureCode) -> Result<(), Error> {
        let about = job.subject.as_deref().unwrap_or_default();
        if let (Kind::ReadPaper, Some(id)) = (kind, PaperId::parse(about)) {
            self.service.fail_paper(id, code).await?;
        }
        if let (Kind::MarkSubmission, Some(id)) = (kind, SubmissionId::parse(about)) {
            self.service.fail_submission(id, code).await?;
        }
        if let (Kind::SplitScan, Some(id)) = (kind, ClassScanId::parse(about)) {
            self.service.fail_class_scan(id, code).await?;
        }
        if let (Kind::SubmitScripts, Some(id)) = (kind, ClassScanId::parse(about)) {
            self.service.reopen_class_scan(id).await?;
        }
        self.finish(job).await.map(drop)
    }

    /// Runs the work and renews its lease meanwhile. `None`: the lease was lost, because another has the work or
    /// nobody wants it any more, and the work was stopped, its children killed.
    async fn while_ours<T>(&self, job: &Job, work: impl Future<Output = T>) -> Option<T> {
        let stop = Stop::default();
        // However this ends, what still runs on other threads ends with it.
        let _stop = stop.on_drop();
        // Both go on at once: a renewal may wait for a write that the work has under way.
        tokio::select! {
            outcome = STOP.scope(stop, work) => Some(outcome),
            () = self.renew_until_lost(job) => None,
        }
    }

    /// Completes when the lease is lost, or could not be renewed for as long as it lasts.
    async fn renew_until_lost(&self, job: &Job) {
        let mut beat = tokio::time::interval(self.heartbeat);
        beat.tick().await;
        let mut renewed_at = Instant::now();
        loop {
            beat.tick().await;
            match self.renew(job).await {
                Ok(true) => renewed_at = Instant::now(),
                Ok(false) => return,
                Err(error) => {
                    tracing::warn!(job.id = %job.id, %error, "renewing a lease failed");
                    if renewed_at.elapsed() >= LEASE.unsigned_abs() {
                        return;
                    }
                }
            }
        }
    }

    async fn finish(&self, job: &Job) -> Result<bool, Error> {
        self.service
            .store()
            .write((job.id, job.lease_owner.clone()), |tx, (id, owner)| {
                Box::pin(async move { Ok(jobs::finish(tx, *id, owner).await?) })
            })
            .await
    }

    /// What was fetched waits to be read now.
    async fn pass_on(&self, job: &Job) -> Result<(), Error> {
        self.service
            .store()
            .write((job.id, job.lease_owner.clone()), |tx, (id, owner)| {
                Box::pin(async move { Ok(jobs::pass_on(tx, *id, owner, Lane::Work.name()).await?) })
            })
            .await
    }

    async fn renew(&self, job: &Job) -> Result<bool, Error> {
        let lease_until = self.service.now() + LEASE;
        self.service
            .store()
            .write((job.id, job.lease_owner.clone(), lease_until), |tx, (id, owner, lease_until)| {
                Box::pin(async move { Ok(jobs::renew(tx, *id, owner, *lease_until).await?) })
            })
            .await
    }

    async fn postpone(&self, job: &Job, run_at: Timestamp, error: Option<String>) -> Result<bool, Error> {
        self.service
            .store()
            .write((job.id, job.lease_owner.clone(), run_at, error), |tx, (id, owner, run_at, error)| {
                Box::pin(async move { Ok(jobs::postpone(tx, *id, owner, *run_at, error.as_deref()).await?) })
            })
            .await
    }

    async fn hand_back(&self) -> Result<u64, Error> {
        self.service
            .store()
            .write((self.name.clone(), self.service.now()), |tx, (owner, now)| {
                Box::pin(async move { Ok(jobs::hand_back(tx, owner, *now).await?) })
            })
            .await
    }
}
