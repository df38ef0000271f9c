//! Submissions: made, listed, changed, canceled, released, deleted.

use crate::attachments::{FileReference, Resolved};
use crate::blobs::{answers_key, script_key};
use crate::idempotency::{Render, Reply};
use crate::jobs::{Kind, Lane, first_lane};
use crate::{Caller, Error, Service};
use domain::account::Owner;
use domain::billing::Billing;
use domain::credit::Source;
use domain::event::{Event, EventType};
use domain::failure::FailureCode;
use domain::file::Purpose;
use domain::id::{Identifier as _, PaperId, SubmissionId};
use domain::idempotency::Claim;
use domain::metadata::Metadata;
use domain::paging::{Page, Seal, Slice};
use domain::paper::Paper;
use domain::refusal::Refusal;
use domain::report::Marksheet;
use domain::result;
use domain::submission::{
    self, ScriptFile, State, Student, Submission, SubmissionFilter, SubmissionPatch, TestOutcome,
};
use jiff::Timestamp;
use store::credits::Settled;
use store::desk::lessons;
use store::{Db, Locked, Tx, accounts, events, files, jobs, papers, results, submissions};

/// What a client asks for.
#[derive(Clone, Debug)]
pub struct NewSubmission {
    /// The paper's id as it was given.
    pub paper_id: String,
    /// Who wrote the script.
    pub student: Student,
    /// The script.
    pub files: Vec<FileReference>,
    /// The client's own notes.
    pub metadata: Metadata,
    /// What happens instead of marking, in test mode.
    pub test_outcome: Option<TestOutcome>,
}

/// A script whose files are its own.
#[derive(Debug)]
pub(crate) struct NewScript {
    pub(crate) id: SubmissionId,
    pub(crate) student: Student,
    pub(crate) files: Vec<ScriptFile>,
    pub(crate) metadata: Metadata,
    pub(crate) test_outcome: Option<TestOutcome>,
}

/// Submissions of a deleted paper that go in one transaction.
const DELETED_AT_ONCE: i64 = 200;

impl Service {
    /// Makes a submission: takes its files, sets its credits aside, and queues it for marking.
    #[crate::boxed]
    pub async fn create_submission(
        &self,
        caller: &Caller,
        new: NewSubmission,
        claim: Option<Claim>,
        render: Render<Submission>,
    ) -> Result<Reply, Error> {
        self.settle_files(caller.owner(), new.files.iter().filter_map(FileReference::file_id)).await?;
        let now = self.now();
        let input = (self.clone(), caller.owner(), new, self.id::<SubmissionId>(now), now);
        self.once(
            claim,
            input,
            |tx, (service, owner, new, id, now)| {
                Box::pin(service.insert_submission(tx, *owner, new, *id, *now))
            },
            render,
        )
        .await
    }

    async fn insert_submission(
        &self,
        tx: &mut Tx,
        owner: Owner,
        new: &NewSubmission,
        id: SubmissionId,
        now: Timestamp,
    ) -> Result<Submission, Error> {
        let paper = self.paper_named(tx, owner, &new.paper_id).await?;
        let mut found = Vec::with_capacity(new.files.len());
        for (index, reference) in new.files.iter().enumerate() {
            let path = format!("files[{index}]");
            found.push(self.resolve(tx, owner, reference, Purpose::AnswerScript, &path, now).await?);
        }
        paper.must_be_ready()?;
        self.attach(tx, &found, &id.to_string(), now).await?;
        let script = NewScript {
            id,
            student: new.student.clone(),
            files: found.iter().map(|found| script_file(found, new.test_outcome.is_some())).collect(),
            metadata: new.metadata.clone(),
            test_outcome: new.test_outcome,
        };
        self.queue_script(tx, &paper, script, now).await
    }

    /// Queues a script whose files are its own: takes its student's place and sets its credits aside. Whatever else the
    /// transaction locks must be locked before.
    pub(crate) async fn queue_script(
        &self,
        tx: &mut Tx,
        paper: &Paper,
        script: NewScript,
        now: Timestamp,
    ) -> Result<Submission, Error> {
        let (owner, id) = (paper.owner, script.id);
        let account =
            accounts::by_id(tx, owner.0).await?.ok_or_else(|| Error::missing("account", owner.0))?;
        let placed = submissions::take_place(tx, paper.id, &script.student, id).await?;
        placed.map_err(|holder| Refusal::SubmissionExists { holder })?;
        if !papers::count_new(tx, paper.id).await? {
            return Err(Error::missing("paper", paper.id).at("paper_id"));
        }
        // From here on all travels with the commit.
        let change = self.open_ledger(tx, owner, now).await?;
        let mut submission = queued(paper, script, tx.time()?);
        let price = account.pricing.grading_per_page;
        let pages = submission.pages();
        if let Some(pages) = pages {
            submission.billing = Billing::held(pages, price.times(pages));
        }
        submissions::insert(tx, &submission).await?;
        let is_fetched = submission.files.iter().any(|file| file.is_fetched);
        let lane = first_lane(submission.test_outcome.is_some(), is_fetched).name();
        let work = (Kind::MarkSubmission.name(), lane);
        jobs::enqueue(tx, self.id(now), work, owner.0, &id.to_string(), now).await?;
        if let Some(pages) = pages {
            self.hold_in(tx, change, Source::Submission(id), pages, price).await?;
        }
        Ok(submission)
    }

    async fn paper_named(&self, db: &mut Db, owner: Owner, given: &str) -> Result<Paper, Error> {
        let missing = || Error::missing("paper", given).at("paper_id");
        let id = PaperId::parse(given).ok_or_else(missing)?;
        papers::by_id(db, owner, id).await?.ok_or_else(missing)
    }

    /// A page of the caller's submissions.
    #[crate::boxed]
    pub async fn submissions(
        &self,
        caller: &Caller,
        filter: &SubmissionFilter,
        slice: Slice,
        seal: &Seal,
    ) -> Result<Page<Submission>, Error> {
        self.submissions_of(caller.owner(), filter, slice, seal).await
    }

    /// One of the caller's submissions.
    #[crate::boxed]
    pub async fn submission(&self, caller: &Caller, id: SubmissionId) -> Result<Submission, Error> {
        own_submission(&mut *self.0.store.read().await?, caller.owner(), id).await
    }

    /// A submission's result, from graded on.
    #[crate::boxed]
    pub async fn result(
        &self,
        caller: &Caller,
        id: SubmissionId,
    ) -> Result<(Submission, result::Result), Error> {
        let mut db = self.0.store.read().await?;
        let submission = own_submission(&mut db, caller.owner(), id).await?;
        submission.must_have_result()?;
        let result = stored_result(&mut db, id).await?;
        Ok((submission, result))
    }

    /// Changes what the client may change of a submission.
    #[crate::boxed]
    pub async fn patch_submission(
        &self,
        caller: &Caller,
        id: SubmissionId,
        patch: SubmissionPatch,
    ) -> Result<Submission, Error> {
        let input = (caller.owner(), id, patch, self.now());
        self.0
            .store
            .write(input, |tx, (owner, id, patch, now)| {
                Box::pin(async move {
                    let submission = submissions::lock_in_turn(tx, *owner, *id, *now).await?;
                    let submission = submission.ok_or_else(|| Error::missing("submission", *id))?;
                    let Some(changed) = patch.clone().apply(&submission, tx.time()?) else {
                        return Ok(submission.into_inner());
                    };
                    submissions::save(tx, &submission, &changed).await?;
                    Ok(changed)
                })
            })
            .await
    }

    /// Takes a submission back. A worker that finishes later changes nothing.
    #[crate::boxed]
    pub async fn cancel_submission(
        &self,
        caller: &Caller,
        id: SubmissionId,
        claim: Option<Claim>,
        render: Render<Submission>,
    ) -> Result<Reply, Error> {
        let input = (self.clone(), caller.owner(), id, self.now());
        self.once(
            claim,
            input,
            |tx, (service, owner, id, now)| {
                Box::pin(async move {
                    let submission = locked_submission(tx, *owner, *id).await?;
                    let canceled = submission.cancel(*now)?;
                    count_move(tx, &submission, canceled.state).await?;
                    let source = Source::Submission(*id);
                    let settling =
                        service.begin_settling(tx, *owner, source, Settled::Returned, *now).await?;
                    let canceled = Submission { updated_at: tx.time()?, ..canceled };
                    service.move_on(tx, &submission, &canceled).await?;
                    service.settle(tx, settling).await?;
                    Ok(canceled)
                })
            },
            render,
        )
        .await
    }

    /// Makes a result final.
    #[crate::boxed]
    pub async fn release_submission(
        &self,
        caller: &Caller,
        id: SubmissionId,
        claim: Option<Claim>,
        render: Render<Submission>,
    ) -> Result<Reply, Error> {
        let input = (self.clone(), caller.owner(), id, self.now());
        self.once(
            claim,
            input,
            |tx, (service, owner, id, now)| Box::pin(service.release_in(tx, *owner, *id, None, *now)),
            render,
        )
        .await
    }

    /// Deletes a submission with everything that belongs to it.
    #[crate::boxed]
    pub async fn delete_submission(&self, caller: &Caller, id: SubmissionId) -> Result<(), Error> {
        self.delete_submission_of(caller.owner(), id).await
    }

    pub(crate) async fn delete_submission_of(&self, owner: Owner, id: SubmissionId) -> Result<(), Error> {
        let input = (self.clone(), owner, id, self.now());
        self.0
            .store
            .write(input, |tx, (service, owner, id, now)| {
                Box::pin(async move {
                    let submission = locked_submission(tx, *owner, *id).await?;
                    submission.may_delete()?;
                    // The counts before the statistics, as when it was released: two that meet wait here.
                    papers::count(tx, submission.paper_id, Some(submission.state.status()), None).await?;
                    if submission.state == State::Released {
                        let result = stored_result(tx, *id).await?;
                        tally(tx, &submission, &result, -1).await?;
                    }
                    // What a person checked in it teaches no longer.
                    let of_paper = (submission.owner, submission.paper_id);
                    service.want_all_lessons(tx, of_paper, *now).await?;
                    service.delete_in(tx, &submission, *now).await
                })
            })
            .await
    }

    /// The first submissions of a paper, for deleting them with it, and one more if there is one.
    pub(crate) async fn lock_submissions_of(
        &self,
        tx: &mut Tx,
        paper: PaperId,
    ) -> Result<Vec<Locked<Submission>>, Error> {
        Ok(submissions::lock_of_paper(tx, paper, DELETED_AT_ONCE + 1).await?)
    }

    /// Deletes the first submissions of a paper that is gone; the rest in the background, so that one
    /// transaction stays short.
    pub(crate) async fn delete_submissions_of(
        &self,
        tx: &mut Tx,
        paper: &Paper,
        some: &[Locked<Submission>],
        now: Timestamp,
    ) -> Result<(), Error> {
        let at_once = usize::try_from(DELETED_AT_ONCE).unwrap_or(usize::MAX);
        for submission in some.iter().take(at_once) {
            self.delete_in(tx, submission, now).await?;
        }
        if some.len() > at_once {
            let (id, work) = (self.id(now), (Kind::DeleteSubmissions.name(), Lane::Tidy.name()));
            jobs::enqueue(tx, id, work, paper.owner.0, &paper.id.to_string(), now).await?;
        }
        Ok(())
    }

    /// Goes on with the deletion of a deleted paper's submissions.
    pub(crate) async fn delete_rest_of(&self, paper: PaperId) -> Result<(), Error> {
        loop {
            let now = self.now();
            let left = self
                .0
                .store
                .write((self.clone(), paper, now), |tx, (service, paper, now)| {
                    Box::pin(async move {
                        let some = submissions::lock_of_paper(tx, *paper, DELETED_AT_ONCE).await?;
                        for submission in &some {
                            service.delete_in(tx, submission, *now).await?;
                        }
                        if some.is_empty() {
                            // A release may have counted one of them after the paper was gone.
                            results::forget(tx, *paper).await?;
                            lessons::forget(tx, *paper).await?;
                        }
                        Ok::<_, Error>(some.len())
                    })
                })
                .await?;
            if left == 0 {
                return Ok(());
            }
        }
    }

    async fn delete_in(
        &self,
        tx: &mut Tx,
        submission: &Locked<Submission>,
        now: Timestamp,
    ) -> Result<(), Error> {
        submissions::delete(tx, submission).await?;
        for key in [script_key(submission.id), answers_key(submission.id)] {
            files::discard(tx, &key, now, None).await?;
        }
        self.forget(tx, submission.owner, "submission", &submission.id.to_string(), now).await
    }

    /// Writes a submission that moved on, with its student's place and its work, in the account's turn. Its paper's
    /// counts were changed before, see [`count_move`].
    pub(crate) async fn move_on(
        &self,
        tx: &mut Tx,
        from: &Locked<Submission>,
        to: &Submission,
    ) -> Result<(), Error> {
        submissions::save(tx, from, to).await?;
        if !to.state.is_live() {
            submissions::leave_place(tx, to).await?;
        }
        if !to.state.is_in_progress() && from.state.is_in_progress() {
            jobs::withdraw(tx, &to.id.to_string()).await?;
        }
        Ok(())
    }

    /// Records what happened to a submission, with the submission as it is now, in the account's turn. What is released
    /// goes to the platforms that launch its paper.
    pub(crate) async fn record_submission(
        &self,
        tx: &mut Tx,
        kind: EventType,
        submission: &Submission,
    ) -> Result<(), Error> {
        let at = tx.time()?;
        let event = Event {
            id: self.id(at),
            account_id: submission.owner.0,
            mode: submission.owner.1,
            kind,
            object_id: Some(submission.id.to_string()),
            snapshot: (self.0.wire.submission)(submission),
            created_at: at,
        };
        events::record(tx, &event).await?;
        if kind == EventType::SubmissionReleased {
            self.want_scores_of(tx, submission, at).await?;
        }
        Ok(())
    }

    /// Fails what was begun too long ago.
    pub(crate) async fn fail_overdue(&self, rows: i64) -> Result<(), Error> {
        let now = self.now();
        let code = FailureCode::ProcessingTimeout;
        let before = now - domain::paper::READ_WITHIN;
        let papers = papers::overdue(&mut *self.0.store.read().await?, before, rows).await?;
        for id in papers {
            self.fail_paper(id, code).await?;
        }
        let before = now - submission::MARK_WITHIN;
        let late = submissions::overdue(&mut *self.0.store.read().await?, before, rows).await?;
        for id in late {
            self.fail_submission(id, code).await?;
        }
        Ok(())
    }
}

/// Counts on its paper that a submission moves on. The counts are locked before the account's turn is taken.
pub(crate) async fn count_move(tx: &mut Tx, from: &Locked<Submission>, to: State) -> Result<(), Error> {
    Ok(papers::count(tx, from.paper_id, Some(from.state.status()), Some(to.status())).await?)
}

fn queued(paper: &Paper, script: NewScript, now: Timestamp) -> Submission {
    Submission {
        id: script.id,
        owner: paper.owner,
        paper_id: paper.id,
        state: State::Queued,
        no_readable_answers: false,
        student: script.student,
        files: script.files,
        billing: Billing::PENDING,
        score: None,
        metadata: script.metadata,
        test_outcome: script.test_outcome,
        created_at: now,
        started_at: None,
        graded_at: None,
        released_at: None,
        updated_at: now,
    }
}

/// A file of the script. In place of the engine, one whose pages cannot be counted counts as one page.
fn script_file(found: &Resolved, is_tested: bool) -> ScriptFile {
    let is_fetched = found.is_fetched();
    let uncounted = (is_tested && !is_fetched).then_some(1);
    ScriptFile {
        file_id: found.file.id,
        is_fetched,
        content_type: found.file.content_type,
        pages: found.file.pages().or(uncounted),
    }
}

pub(crate) async fn own_submission(db: &mut Db, owner: Owner, id: SubmissionId) -> Result<Submission, Error> {
    submissions::by_id(db, owner, id).await?.ok_or_else(|| Error::missing("submission", id))
}

/// The caller's submission, for changing.
pub(crate) async fn locked_submission(
    tx: &mut Tx,
    owner: Owner,
    id: SubmissionId,
) -> Result<Locked<Submission>, Error> {
    submissions::lock(tx, owner, id).await?.ok_or_else(|| Error::missing("submission", id))
}

/// A submission's result, which is there from graded on.
pub(crate) async fn stored_result(db: &mut Db, id: SubmissionId) -> Result<result::Result, Error> {
    let stored = results::by_id(db, id).await?;
    let (document, _) = stored.ok_or_else(|| Error::Broken(format!("{id} has no result").into()))?;
    serde_json::from_str(&document).map_err(|error| Error::Broken(error.into()))
}

/// Adds a script to its paper's statistics, or takes it away.
pub(crate) async fn tally(
    db: &mut Db,
    submission: &Submission,
    result: &result::Result,
    sign: i64,
) -> Result<(), Error> {
    Ok(results::count(db, submission.paper_id, &Marksheet::of(result), sign).await?)
}
