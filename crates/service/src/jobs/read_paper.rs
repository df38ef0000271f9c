//! Reads a paper: its documents in, questions with marks and keys out.
//!
//! Everything slow happens before the one transaction that moves the paper on. That transaction locks the paper and
//! asks for it still to be in `processing`, so a second run of the same job, or one whose lease was lost, changes
//! nothing. What the job knows of the paper is as old as the job; it is never written back.

use super::{JobError, fetch, in_time};
use crate::blobs::{LocalFile, file_key, template_key};
use crate::files::failure_code;
use crate::{Error, Service};
use domain::billing::Billing;
use domain::credit::Source;
use domain::event::EventType;
use domain::failure::FailureCode;
use domain::id::PaperId;
use domain::marks::Marks;
use domain::paper::{self, Paper, QUESTIONS_MAX, State, TestOutcome, Warning};
use domain::question::Question;
use domain::refusal::Refusal;
use jiff::Timestamp;
use reader::isolate::{Failure, ReadOptions};
use reader::page::Document;
use reader::print::Prints;
use std::sync::Arc;
use store::credits::Settled;
use store::questions::{self, Stored};
use store::{Locked, Tx, accounts, jobs, papers};

/// Questions stand this far apart, so that one can be put between two.
pub(crate) const POSITION_STEP: i64 = 1024;

/// The pages of the two documents, as far as they were counted.
type Pages = [Option<u32>; 2];

/// What was read.
struct Outcome {
    pages: Pages,
    questions: Vec<Question>,
    total: Option<Marks>,
    printed_total: Option<Marks>,
    warnings: Vec<Warning>,
    /// The pages that scripts are laid over; `None` when nothing was read.
    template: Option<Document>,
}

/// Reads a paper, unless it is done with.
pub(super) async fn run(service: &Service, id: PaperId) -> Result<(), JobError> {
    let paper = papers::any_by_id(&mut *service.store().read().await?, id).await?;
    let Some(paper) = paper.filter(|paper| paper.state == State::Processing) else { return Ok(()) };
    in_time(service, paper.created_at, paper::READ_WITHIN, read_and_finish(service, paper)).await
}

async fn read_and_finish(service: &Service, paper: Paper) -> Result<(), JobError> {
    let id = paper.id;
    let outcome = match paper.test_outcome {
        Some(TestOutcome::Fail(code)) => return Err(JobError::Fail(code)),
        Some(outcome) => invented(outcome),
        None => match read(service, &paper).await? {
            Some(outcome) => outcome,
            None => return Ok(()),
        },
    };
    if outcome.questions.is_empty() {
        return Err(JobError::Fail(FailureCode::NoQuestionsFound));
    }
    if let Some(template) = &outcome.template {
        let bytes = serde_json::to_vec(template).map_err(JobError::ours)?;
        service.0.blobs.put(&template_key(id), bytes.into()).await?;
    }
    service.finish_reading(id, outcome).await
}

/// Reads the documents. `None`: the paper is no longer to be read.
async fn read(service: &Service, paper: &Paper) -> Result<Option<Outcome>, JobError> {
    let order = [paper.question_paper.file_id, paper.marking_scheme.file_id];
    let files = fetch::files_of(service, &paper.id.to_string(), order.into_iter()).await?;
    let pages = [files[0].pages(), files[1].pages()];
    if paper.pages().is_none() && !service.hold_for_paper(paper.id, pages).await? {
        return Ok(None);
    }
    let mut documents = Vec::new();
    for file in &files {
        let document = Arc::new(service.0.blobs.local(&file_key(file.id)).await?);
        // Scripts on the paper's own pages are laid over what is drawn here.
        let options = ReadOptions { keep_prints: documents.is_empty(), ..ReadOptions::default() };
        documents.push(service.read_document(document, options, Prints::default()).await?);
    }
    let instructions = paper.grading.instructions.clone();
    let joined = tokio::task::spawn_blocking(move || {
        let (template, scheme) = (&documents[0], &documents[1]);
        let mut reading = exam::read(template, scheme);
        let is_cut = reading.questions.len() > QUESTIONS_MAX;
        reading.questions.truncate(QUESTIONS_MAX);
        exam::places::locate(&mut reading.questions, scheme);
        let warnings = warnings(&reading.warnings, is_cut, instructions.as_deref());
        let template = documents.swap_remove(0);
        let exam::Reading { questions, total, printed_total, .. } = reading;
        Outcome { pages, questions, total, printed_total, warnings, template: Some(template) }
    });
    Ok(Some(joined.await.map_err(JobError::ours)?))
}

fn warnings(found: &[exam::Warning], is_cut: bool, instructions: Option<&str>) -> Vec<Warning> {
    let is_unused =
        instructions.is_some_and(|text| !marker::instructions::understand(text).not_used.is_empty());
    let mut warnings: Vec<Warning> =
        found.iter().filter_map(|warning| Warning::parse(warning.name())).collect();
    warnings.extend(is_cut.then_some(Warning::QuestionsMayBeIncomplete));
    warnings.extend(is_unused.then_some(Warning::SchemeInstructionsNotUsed));
    warnings.sort_unstable();
    warnings.dedup();
    warnings
}

impl Service {
    /// Reads a document in isolation.
    pub(crate) async fn read_document(
        &self,
        document: Arc<LocalFile>,
        options: ReadOptions,
        prints: Prints,
    ) -> Result<Document, JobError> {
        let reader = self.reader();
        let read = tokio::task::spawn_blocking(move || reader.read_over(document.path(), &options, &prints));
        read.await.map_err(JobError::ours)?.map_err(|failure| match failure {
            Failure::Document(_) => JobError::Fail(failure_code(&failure)),
            // It may have been the machine's load and not the file.
            other => JobError::Retry { reason: other.to_string(), code: failure_code(&other) },
        })
    }

    /// Sets the credits aside once the pages are known, and notes the pages. False: it is no longer to be read.
    async fn hold_for_paper(&self, id: PaperId, pages: Pages) -> Result<bool, JobError> {
        let held =
            self.0.store.write((self.clone(), id, pages, self.now()), |tx, (service, id, pages, now)| {
                Box::pin(async move {
                    let Some(paper) = unread(tx, *id).await? else { return Ok(false) };
                    let held = service.hold_paper_in(tx, &paper, *pages, *now).await?;
                    papers::save(tx, &paper, &held).await?;
                    Ok::<_, Error>(true)
                })
            });
        held.await.map_err(unaffordable)
    }

    /// The paper with its pages counted and its credits set aside, if that was not done before.
    async fn hold_paper_in(
        &self,
        tx: &mut Tx,
        paper: &Paper,
        pages: Pages,
        now: Timestamp,
    ) -> Result<Paper, Error> {
        let counted = paper.counted(pages[0], pages[1]);
        if counted.billing != Billing::PENDING {
            return Ok(counted);
        }
        let account = accounts::by_id(tx, paper.owner.0).await?;
        let account = account.ok_or_else(|| Error::missing("account", paper.owner.0))?;
        let pages = counted.pages().unwrap_or_default();
        let price = account.pricing.paper_per_page;
        let credits = self.hold(tx, paper.owner, Source::Paper(paper.id), pages, price, now).await?;
        Ok(Paper { billing: Billing::held(pages, credits), updated_at: tx.time()?, ..counted })
    }

    async fn finish_reading(&self, id: PaperId, outcome: Outcome) -> Result<(), JobError> {
        let input = (self.clone(), id, outcome, self.now());
        let finished = self.0.store.write(input, |tx, (service, id, outcome, now)| {
            Box::pin(async move {
                let Some(paper) = unread(tx, *id).await? else { return Ok(()) };
                let Outcome { pages, questions, total, printed_total, warnings, .. } = outcome;
                let held = service.hold_paper_in(tx, &paper, *pages, *now).await?;
                let (owner, source) = (paper.owner, Source::Paper(paper.id));
                let settling = service.begin_settling(tx, owner, source, Settled::Charged, *now).await?;
                let read = held.read(questions, warnings.clone(), *total, tx.time()?);
                let read = Paper { printed_total: *printed_total, ..read };
                papers::save(tx, &paper, &read).await?;
                for (index, question) in (1..).zip(questions) {
                    let stored = Stored {
                        id: service.id(*now),
                        position: index * POSITION_STEP,
                        version: 1,
                        question: question.clone(),
                    };
                    questions::insert(tx, paper.id, &stored).await?;
                }
                jobs::withdraw(tx, &paper.id.to_string()).await?;
                service.record_paper(tx, EventType::PaperAwaitingReview, &read).await?;
                service.settle(tx, settling).await?;
                Ok::<_, Error>(())
            })
        });
        finished.await.map_err(unaffordable)
    }

    /// Ends a paper that cannot be read. Nothing is charged.
    pub(crate) async fn fail_paper(&self, id: PaperId, code: FailureCode) -> Result<(), Error> {
        let input = (self.clone(), id, code, self.now());
        self.0
            .store
            .write(input, |tx, (service, id, code, now)| {
                Box::pin(async move {
                    let Some(paper) = unread(tx, *id).await? else { return Ok(()) };
                    let (owner, source) = (paper.owner, Source::Paper(*id));
                    let settling = service.begin_settling(tx, owner, source, Settled::Returned, *now).await?;
                    let failed = paper.failed(*code, tx.time()?);
                    papers::save(tx, &paper, &failed).await?;
                    jobs::withdraw(tx, &id.to_string()).await?;
                    service.record_paper(tx, EventType::PaperFailed, &failed).await?;
                    service.settle(tx, settling).await?;
                    Ok(())
                })
            })
            .await
    }
}

/// The paper, for changing, while it is still to be read.
async fn unread(tx: &mut Tx, id: PaperId) -> Result<Option<Locked<Paper>>, Error> {
    Ok(papers::lock_any(tx, id).await?.filter(|paper| paper.state == State::Processing))
}

/// A hold that is refused in the background fails its object.
pub(super) fn unaffordable(error: Error) -> JobError {
    match error {
        Error::Refused { refusal: Refusal::InsufficientCredits { .. }, .. } => {
            JobError::Fail(FailureCode::InsufficientCredits)
        }
        Error::Refused { refusal: Refusal::CreditsExpired { .. }, .. } => {
            JobError::Fail(FailureCode::CreditsExpired)
        }
        other => other.into(),
    }
}

/// What a test asks for in place of reading: always the same two questions.
fn invented(outcome: TestOutcome) -> Outcome {
    use domain::question::{AnswerKey, Kind, Point};
    let question = |number: &str, text: &str, answer: &str, marks| Question {
        number: number.to_owned(),
        text: text.to_owned(),
        marks: Some(Marks::whole(marks)),
        kind: Kind::ShortAnswer,
        answer_key: Some(AnswerKey {
            points: vec![Point { text: answer.to_owned(), marks: Marks::whole(marks), ..Point::default() }],
            ..AnswerKey::default()
        }),
        pages: vec![1],
        ..Question::default()
    };
    let mut questions = vec![
        question("1", "Name the process by which plants make sugar from light.", "photosynthesis", 1),
        question("2", "State what a catalyst does.", "speeds up a reaction and is not used up", 2),
    ];
    if outcome == TestOutcome::EmptyQuestion {
        questions[1].answer_key = None;
    }
    let warnings = match outcome {
        TestOutcome::SucceedWithWarnings => Warning::ALL.to_vec(),
        TestOutcome::EmptyQuestion => vec![Warning::AnswerKeysMissing],
        TestOutcome::Succeed | TestOutcome::Fail(_) => Vec::new(),
    };
    // A document that was never fetched counts as one page.
    Outcome { pages: [Some(1); 2], questions, total: None, printed_total: None, warnings, template: None }
}
