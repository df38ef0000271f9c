//! Marks a script: its files in, a result with its evidence out.
//!
//! As with papers, everything slow happens before the one transaction that moves the submission on. Canceling
//! in the meantime wins: that transaction locks the submission and asks for it still to be in `processing`. What the
//! job knows of the submission is as old as the job; it is never written back.

use super::camera::ScriptCamera;
use super::read_paper::unaffordable;
use super::schemes::Scheme;
use super::{JobError, Wanted, fetch, in_time};
use crate::blobs::{LocalFile, answers_key, file_key, script_key};
use crate::files::failure_code;
use crate::marking::{self, Beside, Camera, NoEngine};
use crate::reports::ScriptPage;
use crate::submissions::{count_move, tally};
use crate::{Error, Service};
use domain::billing::Billing;
use domain::credit::Source;
use domain::event::EventType;
use domain::failure::FailureCode;
use domain::file::{ContentType, File};
use domain::grading::Release;
use domain::id::{FileId, SubmissionId};
use domain::paper::Paper;
use domain::question::Question;
use domain::result::{self, Flag, Marking};
use domain::submission::{self, State, Submission, TestOutcome};
use domain::text;
use exam::script::Script;
use jiff::Timestamp;
use marker::Marker as _;
use reader::bounds::Amount;
use reader::isolate::{ReadOptions, Recognition};
use reader::page::Document;
use std::sync::Arc;
use store::credits::Settled;
use store::{Locked, Tx, accounts, papers, results, submissions, turns};

/// A marked script, before it is written down.
pub(crate) struct MarkedScript {
    pub(crate) result: result::Result,
    pub(crate) marking: Marking,
    /// What stands on its pages; none where nothing was read.
    pub(crate) pages: Vec<ScriptPage>,
    /// What each of its answers means, packed, in the result's order; none where nobody will look at them.
    pub(crate) meanings: Vec<String>,
    /// What was read, where it may be marked again by another version of the scheme.
    pub(crate) read: Option<Script>,
}

/// A script's files with what they turned out to be.
type LookedAt = Vec<(FileId, Option<ContentType>, Option<u32>)>;

/// What was read of a script.
struct Answered {
    documents: Vec<Document>,
    script: Script,
}

impl Answered {
    fn is_blank(&self) -> bool {
        self.script.answers.iter().all(|answer| answer.text.is_empty() && answer.selected.is_empty())
    }
}

/// Marks a script, unless it is done with.
pub(super) async fn run(service: &Service, id: SubmissionId) -> Result<(), JobError> {
    let Some(submission) = service.begin_marking(id).await? else { return Ok(()) };
    let begun = submission.started_at.unwrap_or(submission.created_at);
    in_time(service, begun, submission::MARK_WITHIN, mark_and_finish(service, submission)).await
}

async fn mark_and_finish(service: &Service, submission: Submission) -> Result<(), JobError> {
    let id = submission.id;
    let paper = papers::any_by_id(&mut *service.store().read().await?, submission.paper_id).await?;
    let paper = paper.ok_or_else(|| JobError::ours("its paper is gone"))?;
    let (looked_at, marked) = match submission.test_outcome {
        Some(TestOutcome::Fail(code)) => return Err(JobError::Fail(code)),
        Some(outcome) => {
            // A file that was never fetched counts as one page.
            let looked_at = submission.files.iter().map(|file| (file.file_id, None, Some(1)));
            let marked = invented(&paper, &*service.scheme(&paper).await?, outcome);
            (looked_at.collect(), marked)
        }
        None => {
            let order = submission.files.iter().map(|file| file.file_id);
            let files = fetch::files_of(service, &id.to_string(), order).await?;
            let looked_at: LookedAt =
                files.iter().map(|file| (file.id, file.content_type, file.pages())).collect();
            if submission.pages().is_none() && !service.hold_for_script(id, looked_at.clone()).await? {
                return Ok(());
            }
            let scheme = service.scheme(&paper).await?;
            let marked = service.mark_files(&paper, scheme, &submission, &files).await?;
            (looked_at, marked)
        }
    };
    service.finish_marking(paper.release_of(&marked.result), id, looked_at, marked).await
}

/// Marks a script that was marked before, and writes nothing.
pub(crate) async fn marked_again(
    service: &Service,
    paper: &Paper,
    submission: &Submission,
) -> Result<(result::Result, Marking), Error> {
    let marked = async {
        let scheme = service.stored_scheme(paper).await?;
        marked_by(service, paper, submission, scheme).await
    };
    let marked = marked.await.map_err(|error| match error {
        JobError::Retry { reason, .. } => Error::Unavailable(reason.into()),
        JobError::Fail(code) => Error::Broken(code.message().into()),
    })?;
    Ok((marked.result, marked.marking))
}

/// The same by other keys.
pub(crate) async fn marked_again_by(
    service: &Service,
    paper: &Paper,
    submission: &Submission,
    questions: &[Question],
) -> Result<result::Result, JobError> {
    let scheme = service.scheme_with(paper, questions.to_vec()).await?;
    Ok(marked_by(service, paper, submission, scheme).await?.result)
}

async fn marked_by(
    service: &Service,
    paper: &Paper,
    submission: &Submission,
    scheme: Arc<Scheme>,
) -> Result<MarkedScript, JobError> {
    if let Some(outcome) = submission.test_outcome {
        return Ok(invented(paper, &scheme, outcome));
    }
    let order = submission.files.iter().map(|file| file.file_id);
    let files = fetch::files_of(service, &submission.id.to_string(), order).await?;
    service.mark_files(paper, scheme, submission, &files).await
}

impl Service {
    /// Moves a queued submission to `processing`. `None`: it is no longer to be marked.
    async fn begin_marking(&self, id: SubmissionId) -> Result<Option<Submission>, Error> {
        self.0
            .store
            .write((self.clone(), id, self.now()), |tx, (service, id, now)| {
                Box::pin(async move {
                    let Some(submission) = submissions::lock_any(tx, *id).await? else { return Ok(None) };
                    let Some(begun) = submission.begun(*now) else { return Ok(None) };
                    if begun.state == submission.state {
                        return Ok(Some(begun));
                    }
                    count_move(tx, &submission, begun.state).await?;
                    turns::take(tx, submission.owner, *now).await?;
                    let begun = Submission { updated_at: tx.time()?, ..begun };
                    service.move_on(tx, &submission, &begun).await?;
                    Ok(Some(begun))
                })
            })
            .await
    }

    /// Reads and marks a script's files.
    async fn mark_files(
        &self,
        paper: &Paper,
        scheme: Arc<Scheme>,
        submission: &Submission,
        files: &[File],
    ) -> Result<MarkedScript, JobError> {
        let mut local = Vec::with_capacity(files.len());
        for file in files {
            local.push(Arc::new(self.0.blobs.local(&file_key(file.id)).await?));
        }
        let mut answered = self.read_script(&scheme, &local, Recognition::WhenNeeded).await?;
        if answered.is_blank() {
            // The student may have written with ink on a PDF that has text of its own.
            answered = self.read_script(&scheme, &local, Recognition::Always).await?;
        }
        let marker = Wanted::new(self.0.engine.get().await.map_err(JobError::ours)?);
        let grading = paper.grading.clone();
        let student = &submission.student;
        let name = student.name.as_ref().map(ToString::to_string);
        let hidden: Vec<String> = name.into_iter().chain([student.external_id.to_string()]).collect();
        let reader = self.reader();
        let waits = paper.release == Release::AfterReview;
        let marked = tokio::task::spawn_blocking(move || {
            let (questions, Answered { documents, script }) = (&scheme.questions, answered);
            let camera =
                ScriptCamera { reader: &reader, files: &local, documents: &documents, hidden: &hidden };
            let camera = marker.wants_pictures().then_some(&camera as &dyn Camera);
            let beside = Beside { hidden: &hidden, camera, ..Beside::default() };
            let mut result = marking::mark_script(questions, &script, &marker, &grading, beside)
                .map_err(JobError::ours)?;
            result.scheme_version = scheme.version;
            let sums = local.iter().map(|file| file.sha256().map(|sum| text::hex(&sum)));
            let sums = sums.collect::<Result<_, _>>().map_err(JobError::ours)?;
            let marking = marking::record(&marker, &grading, questions, sums);
            let meanings = if waits { marking::meanings(&marker, &result) } else { Vec::new() };
            let pages = ScriptPage::of_documents(&documents);
            Ok(MarkedScript { result, marking, pages, meanings, read: waits.then_some(script) })
        });
        marked.await.map_err(JobError::ours)?
    }

    async fn read_script(
        &self,
        scheme: &Arc<Scheme>,
        files: &[Arc<LocalFile>],
        recognition: Recognition,
    ) -> Result<Answered, JobError> {
        let mut documents = Vec::with_capacity(files.len());
        let mut amount = Amount::default();
        for file in files {
            let options = ReadOptions { recognition, ..ReadOptions::default() };
            let document = self.read_document(Arc::clone(file), options, scheme.prints.clone()).await?;
            let sum = amount.and(Amount::of_document(&document)).within_script();
            amount = sum.map_err(|error| JobError::Fail(failure_code(&error.into())))?;
            documents.push(document);
        }
        let scheme = Arc::clone(scheme);
        let answered = tokio::task::spawn_blocking(move || {
            let script = exam::script::read(&scheme.template, &scheme.questions, &documents);
            Answered { documents, script }
        });
        answered.await.map_err(JobError::ours)
    }

    /// Sets the credits aside once the pages are known, and notes the pages. False: it is no longer to be marked.
    async fn hold_for_script(&self, id: SubmissionId, looked_at: LookedAt) -> Result<bool, JobError> {
        let input = (self.clone(), id, looked_at, self.now());
        let held = self.0.store.write(input, |tx, (service, id, looked_at, now)| {
            Box::pin(async move {
                let Some(submission) = unmarked(tx, *id).await? else { return Ok(false) };
                let held = service.hold_script_in(tx, &submission, looked_at, *now).await?;
                submissions::save(tx, &submission, &held).await?;
                Ok::<_, Error>(true)
            })
        });
        held.await.map_err(unaffordable)
    }

    /// The submission with its pages counted and its credits set aside, if that was not done before.
    async fn hold_script_in(
        &self,
        tx: &mut Tx,
        submission: &Submission,
        looked_at: &LookedAt,
        now: Timestamp,
    ) -> Result<Submission, Error> {
        let counted = submission.counted(looked_at);
        if counted.billing != Billing::PENDING {
            return Ok(counted);
        }
        let account = accounts::by_id(tx, submission.owner.0).await?;
        let account = account.ok_or_else(|| Error::missing("account", submission.owner.0))?;
        let pages = counted.pages().unwrap_or_default();
        let price = account.pricing.grading_per_page;
        let source = Source::Submission(submission.id);
        let credits = self.hold(tx, submission.owner, source, pages, price, now).await?;
        Ok(Submission { billing: Billing::held(pages, credits), updated_at: tx.time()?, ..counted })
    }

    async fn finish_marking(
        &self,
        release: Release,
        id: SubmissionId,
        looked_at: LookedAt,
        marked: MarkedScript,
    ) -> Result<(), JobError> {
        if !marked.pages.is_empty() {
            let bytes = serde_json::to_vec(&marked.pages).map_err(JobError::ours)?;
            self.0.blobs.put(&script_key(id), bytes.into()).await?;
        }
        if let Some(read) = &marked.read {
            let bytes = serde_json::to_vec(read).map_err(JobError::ours)?;
            self.0.blobs.put(&answers_key(id), bytes.into()).await?;
        }
        let (questions, doubtful) = doubtful(&marked.result);
        let input = (self.clone(), release, id, looked_at, marked, self.now());
        let finished = self.0.store.write(input, |tx, (service, release, id, looked_at, marked, now)| {
            Box::pin(async move {
                // The name and notes may have been changed meanwhile; a cancel has ended it.
                let Some(submission) = unmarked(tx, *id).await? else { return Ok(()) };
                let held = service.hold_script_in(tx, &submission, looked_at, *now).await?;
                service.write_marked(tx, *release, &submission, &held, marked, *now).await
            })
        });
        finished.await.map_err(unaffordable)?;
        metrics::counter!("tickmark_questions_marked_total").increment(questions);
        metrics::counter!("tickmark_questions_low_confidence_total").increment(doubtful);
        Ok(())
    }

    /// Writes and charges for a result, and releases it where the paper says so; both events go out together.
    async fn write_marked(
        &self,
        tx: &mut Tx,
        release: Release,
        submission: &Locked<Submission>,
        held: &Submission,
        marked: &MarkedScript,
        now: Timestamp,
    ) -> Result<(), Error> {
        let MarkedScript { result, marking, meanings, .. } = marked;
        let is_released = release != Release::AfterReview;
        let (own, record) = (document(result)?, document(marking)?);
        results::insert(tx, submission.id, &own, &record, result.scheme_version).await?;
        count_move(tx, submission, if is_released { State::Released } else { State::Graded }).await?;
        if is_released {
            tally(tx, held, result, 1).await?;
        }
        if !is_released {
            self.want_all_lessons(tx, (submission.owner, submission.paper_id), now).await?;
            // The scheme may have been amended while the script was marked, or the change be looked at.
            self.ask_to_amend_if_behind(tx, submission, result.scheme_version, now).await?;
        }
        let source = Source::Submission(submission.id);
        let settling = self.begin_settling(tx, submission.owner, source, Settled::Charged, now).await?;
        let graded = held.graded(result.score, result.no_readable_answers, tx.time()?);
        self.record_submission(tx, EventType::SubmissionGraded, &graded).await?;
        self.lay_out(tx, &graded, result, meanings, !is_released).await?;
        if is_released {
            let released = graded.release(tx.time()?)?;
            self.move_on(tx, submission, &released).await?;
            self.record_submission(tx, EventType::SubmissionReleased, &released).await?;
        } else {
            self.move_on(tx, submission, &graded).await?;
        }
        self.settle(tx, settling).await.map(drop)
    }

    /// Ends a submission that cannot be marked. Nothing is charged.
    pub(crate) async fn fail_submission(&self, id: SubmissionId, code: FailureCode) -> Result<(), Error> {
        self.0
            .store
            .write((self.clone(), id, code, self.now()), |tx, (service, id, code, now)| {
                Box::pin(async move {
                    let Some(submission) = submissions::lock_any(tx, *id).await? else { return Ok(()) };
                    if !submission.state.is_in_progress() {
                        return Ok(());
                    }
                    count_move(tx, &submission, State::Failed { code: *code }).await?;
                    let (owner, source) = (submission.owner, Source::Submission(*id));
                    let settling = service.begin_settling(tx, owner, source, Settled::Returned, *now).await?;
                    let failed = submission.failed(*code, tx.time()?);
                    service.move_on(tx, &submission, &failed).await?;
                    service.record_submission(tx, EventType::SubmissionFailed, &failed).await?;
                    service.settle(tx, settling).await.map(drop)
                })
            })
            .await
    }
}

/// The submission, for changing, while it is still to be marked.
async fn unmarked(tx: &mut Tx, id: SubmissionId) -> Result<Option<Locked<Submission>>, Error> {
    Ok(submissions::lock_any(tx, id).await?.filter(|submission| submission.state == State::Processing))
}

fn document(value: &impl serde::Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Broken(error.into()))
}

/// How many questions a result has, and how many of them somebody should look at.
fn doubtful(result: &result::Result) -> (u64, u64) {
    let flagged = result.questions.iter().filter(|question| question.flags.contains(&Flag::LowConfidence));
    (result.questions.len() as u64, flagged.count() as u64)
}

/// What a test asks for in place of marking: full marks, or a script in which nothing can be read.
fn invented(paper: &Paper, scheme: &Scheme, outcome: TestOutcome) -> MarkedScript {
    let questions = &scheme.questions;
    let mut result = match outcome {
        TestOutcome::Succeed => marking::full_marks(questions, paper.grading.feedback),
        TestOutcome::NoReadableAnswers | TestOutcome::Fail(_) => {
            marking::no_marks(questions, paper.grading.feedback)
        }
    };
    result.scheme_version = scheme.version;
    let marking = marking::record(&NoEngine, &paper.grading, questions, Vec::new());
    MarkedScript { result, marking, pages: Vec::new(), meanings: Vec::new(), read: None }
}
