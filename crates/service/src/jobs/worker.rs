//! The worker: takes jobs with a lease, runs them, and gives them back when it ends.
//!
//! Many workers, in one process or many, share the job table. A job belongs to whoever holds its lease; the
//! lease is renewed while the job runs, and one that ends (its worker died) makes the job wait again for
//! another. Every outcome is written only by the holder of the lease, so a worker that was thought dead
//! changes nothing when it comes back. Workers are woken when work is written and also look by themselves.

use super::{JobError, Kind, TRIES_MAX, bytes, mark_submission, read_paper, sweep};
use crate::{Error, Service};
use domain::failure::FailureCode;
use domain::id::{Identifier, JobId, PaperId, SubmissionId};
use jiff::{SignedDuration, Timestamp};
use std::future::Future;
use std::time::{Duration, Instant};
use store::Topic;
use store::jobs::{self, Job};

/// How long a lease lasts unless it is renewed.
const LEASE: SignedDuration = SignedDuration::from_secs(30);
/// How often it is renewed.
const HEARTBEAT: Duration = Duration::from_secs(10);
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

/// One worker of this process.
#[derive(Debug)]
pub struct Worker {
    service: Service,
    owner: String,
}

impl Worker {
    /// A worker, which has a name of its own in the leases it takes.
    pub fn new(service: Service) -> Worker {
        let owner = service.id::<JobId>(service.now()).to_string();
        Worker { service, owner }
    }

    /// Works until `stop` completes, then hands back its leases.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        tokio::pin!(stop);
        let mut wakeups = self.service.store().subscribe(Topic::Jobs);
        loop {
            let look = async {
                if let Err(error) = self.run_due().await {
                    tracing::error!(%error, "looking for background work failed");
                }
                let _ = tokio::time::timeout(LOOK_EVERY, wakeups.next()).await;
            };
            tokio::select! {
                () = &mut stop => break,
                () = look => {}
            }
        }
        if let Err(error) = self.hand_back().await {
            tracing::error!(%error, "handing back the leases of a worker failed; they end by themselves");
        }
    }

    /// Runs every job that is due now; the tests call this instead of waiting. A job that fails is tried again
    /// later and is no error here.
    pub async fn run_due(&self) -> Result<(), Error> {
        while self.run_one().await? {}
        Ok(())
    }

    /// Runs the one job whose turn it is. False: there is none.
    pub async fn run_one(&self) -> Result<bool, Error> {
        let Some(job) = self.claim().await? else { return Ok(false) };
        self.run_job(job).await?;
        Ok(true)
    }

    async fn claim(&self) -> Result<Option<Job>, Error> {
        let now = self.service.now();
        let id: JobId = self.service.id(now);
        self.service
            .store()
            .write((self.owner.clone(), id, now), |tx, (owner, id, now)| {
                Box::pin(async move {
                    jobs::ensure_singleton(tx, *id, Kind::Sweep.name(), *now).await?;
                    jobs::reclaim(tx, *now).await?;
                    jobs::wake_delayed(tx, *now).await?;
                    Ok(jobs::claim(tx, owner, *now + LEASE).await?)
                })
            })
            .await
    }

    async fn run_job(&self, job: Job) -> Result<(), Error> {
        let begun = Instant::now();
        let Some(kind) = Kind::parse(&job.kind) else {
            tracing::error!(job.id = %job.id, job.kind, "there is no such kind of background work");
            return self.finish(job.id).await.map(drop);
        };
        let about = job.subject.as_deref().unwrap_or_default();
        let can_fail = matches!(kind, Kind::ReadPaper | Kind::MarkSubmission);
        let outcome = if job.attempts > TRIES_MAX && can_fail {
            // Its earlier workers died of it, or were killed, three times.
            let reason = "its workers died".to_owned();
            Err(JobError::Retry { reason, code: FailureCode::ProcessingFailed })
        } else {
            self.with_heartbeat(job.id, self.work(kind, about)).await
        };
        let label = match &outcome {
            Ok(()) => "done",
            Err(JobError::Fail(_)) => "failed",
            Err(JobError::Retry { .. }) => "interrupted",
        };
        metrics::counter!("tickmark_jobs_total", "kind" => kind.name(), "outcome" => label).increment(1);
        metrics::histogram!("tickmark_job_seconds", "kind" => kind.name()).record(begun.elapsed());
        match outcome {
            Ok(()) if kind == Kind::Sweep => {
                self.postpone(job.id, self.service.now() + sweep::EVERY, None).await.map(drop)
            }
            Ok(()) => self.finish(job.id).await.map(drop),
            Err(JobError::Fail(code)) => self.give_up(&job, kind, code).await,
            Err(JobError::Retry { reason, code }) => {
                tracing::warn!(job.id = %job.id, job.kind, job.attempts, %reason, "background work failed");
                if job.attempts >= TRIES_MAX && can_fail {
                    return self.give_up(&job, kind, code).await;
                }
                let run_at = self.service.now() + retry_after(job.attempts);
                self.postpone(job.id, run_at, Some(reason)).await.map(drop)
            }
        }
    }

    async fn work(&self, kind: Kind, about: &str) -> Result<(), JobError> {
        match kind {
            Kind::Sweep => Ok(sweep::run(&self.service).await?),
            Kind::ReadPaper => read_paper::run(&self.service, subject(about)?).await,
            Kind::MarkSubmission => mark_submission::run(&self.service, subject(about)?).await,
            Kind::DeleteBytes => bytes::delete(&self.service).await,
            Kind::DeleteSubmissions => Ok(self.service.delete_rest_of(subject(about)?).await?),
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
        self.finish(job.id).await.map(drop)
    }

    async fn finish(&self, id: JobId) -> Result<bool, Error> {
        self.service
            .store()
            .write((id, self.owner.clone()), |tx, (id, owner)| {
                Box::pin(async move { Ok(jobs::finish(tx, *id, owner).await?) })
            })
            .await
    }

    /// Runs the work and renews its lease meanwhile.
    async fn with_heartbeat<T>(&self, id: JobId, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        let mut beat = tokio::time::interval(HEARTBEAT);
        beat.tick().await;
        loop {
            tokio::select! {
                outcome = &mut work => break outcome,
                _ = beat.tick() => {
                    if let Err(error) = self.renew(id).await {
                        tracing::warn!(job.id = %id, %error, "renewing a lease failed");
                    }
                }
            }
        }
    }

    async fn renew(&self, id: JobId) -> Result<bool, Error> {
        let lease_until = self.service.now() + LEASE;
        self.service
            .store()
            .write((id, self.owner.clone(), lease_until), |tx, (id, owner, lease_until)| {
                Box::pin(async move { Ok(jobs::renew(tx, *id, owner, *lease_until).await?) })
            })
            .await
    }

    async fn postpone(&self, id: JobId, run_at: Timestamp, error: Option<String>) -> Result<bool, Error> {
        self.service
            .store()
            .write((id, self.owner.clone(), run_at, error), |tx, (id, owner, run_at, error)| {
                Box::pin(async move { Ok(jobs::postpone(tx, *id, owner, *run_at, error.as_deref()).await?) })
            })
            .await
    }

    async fn hand_back(&self) -> Result<u64, Error> {
        self.service
            .store()
            .write((self.owner.clone(), self.service.now()), |tx, (owner, now)| {
                Box::pin(async move { Ok(jobs::hand_back(tx, owner, *now).await?) })
            })
            .await
    }
}
