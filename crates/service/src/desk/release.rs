//! Releasing many results: each script in a transaction of its own, so that it is safe to stop anywhere and to ask
//! again.

use crate::idempotency::{Render, Reply};
use crate::reviews::Line;
use crate::submissions::{count_move, locked_submission, stored_result, tally};
use crate::{Caller, Error, Service};
use domain::account::Owner;
use domain::adjustment::Which;
use domain::event::EventType;
use domain::id::{PaperId, SubmissionId};
use domain::idempotency::Claim;
use domain::review::Action;
use domain::submission::{State, Status, Submission};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use jiff::Timestamp;
use serde_json::json;
use store::{Locked, Tx, desk, papers, submissions, turns};

/// Scripts that are looked up at once.
const LOOKED_UP: i64 = 200;
/// Scripts that are released side by side, so that they share their commits.
const SIDE_BY_SIDE: usize = 16;

impl Service {
    /// Releases the graded scripts of a paper that are asked for; the answer has how many there were.
    #[crate::boxed]
    pub async fn release_results(
        &self,
        caller: &Caller,
        id: PaperId,
        which: Which,
        claim: Option<Claim>,
        render: Render<(PaperId, u64)>,
    ) -> Result<Reply, Error> {
        let owner = caller.owner();
        let paper = papers::by_id(&mut *self.0.store.read().await?, owner, id).await?;
        paper.ok_or_else(|| Error::missing("paper", id))?;
        if let Some(claim) = &claim
            && let Some(reply) = self.answered_before(claim).await?
        {
            return Ok(reply);
        }
        let released = self.release_all(owner, id, which, None).await?;
        self.once(claim, (id, released), |_, counted| Box::pin(async move { Ok(*counted) }), render).await
    }

    /// Releases what is asked for, script by script, in the name of the reviewer who asks; gives how many.
    pub(crate) async fn release_all(
        &self,
        owner: Owner,
        paper: PaperId,
        which: Which,
        reviewer: Option<&str>,
    ) -> Result<u64, Error> {
        self.lay_out_all(owner, paper).await?;
        let (mut released, mut after) = (0, None);
        loop {
            let mut db = self.0.store.read().await?;
            let some = desk::releasable(&mut db, paper, which, after, LOOKED_UP).await?;
            drop(db);
            let Some(last) = some.last().copied() else { return Ok(released) };
            after = Some(last);
            let each = stream::iter(some)
                .map(|id| self.release_one(owner, id, which, reviewer))
                .buffer_unordered(SIDE_BY_SIDE);
            released += each.try_fold(0, async |sum, was| Ok(sum + u64::from(was))).await?;
        }
    }

    /// Releases a script if it is still one of those that are asked for.
    async fn release_one(
        &self,
        owner: Owner,
        id: SubmissionId,
        which: Which,
        reviewer: Option<&str>,
    ) -> Result<bool, Error> {
        let input = (self.clone(), owner, id, which, reviewer.map(str::to_owned), self.now());
        let released = self.0.store.write(input, |tx, (service, owner, id, which, reviewer, now)| {
            Box::pin(async move {
                let Some(submission) = submissions::lock(tx, *owner, *id).await? else { return Ok(false) };
                let is_wanted =
                    submission.state == State::Graded && desk::is_releasable(tx, *id, *which).await?;
                if is_wanted {
                    service.release_locked(tx, &submission, reviewer.as_deref(), *now).await?;
                }
                Ok::<_, Error>(is_wanted)
            })
        });
        released.await
    }

    /// Makes a result final. What a reviewer releases is in the paper's record; what a key releases is in its events.
    pub(crate) async fn release_in(
        &self,
        tx: &mut Tx,
        owner: Owner,
        id: SubmissionId,
        reviewer: Option<&str>,
        now: Timestamp,
    ) -> Result<Submission, Error> {
        let submission = locked_submission(tx, owner, id).await?;
        self.release_locked(tx, &submission, reviewer, now).await
    }

    /// The same once its row is locked, so that no decision comes between.
    async fn release_locked(
        &self,
        tx: &mut Tx,
        submission: &Locked<Submission>,
        reviewer: Option<&str>,
        now: Timestamp,
    ) -> Result<Submission, Error> {
        submission.release(now)?;
        if reviewer.is_some() {
            let after =
                json!({"submission_id": submission.id.to_string(), "status": Status::Released.name()});
            let line = Line { after: Some(after), ..Line::new(Action::Release, reviewer) };
            self.record_change(tx, submission.paper_id, line, now).await?;
        }
        let result = stored_result(tx, submission.id).await?;
        count_move(tx, submission, State::Released).await?;
        tally(tx, submission, &result, 1).await?;
        turns::take(tx, submission.owner, now).await?;
        let released = submission.release(tx.time()?)?;
        self.move_on(tx, submission, &released).await?;
        self.record_submission(tx, EventType::SubmissionReleased, &released).await?;
        Ok(released)
    }
}
