//! Papers: made, listed, changed, approved, deleted.

use crate::attachments::{FileReference, Resolved};
use crate::blobs::template_key;
use crate::idempotency::{Render, Reply};
use crate::jobs::{Kind, Lane, first_lane};
use crate::{Caller, Error, Service, pictures};
use domain::account::Owner;
use domain::billing::Billing;
use domain::credit::Source;
use domain::event::{Event, EventType};
use domain::file::Purpose;
use domain::grading::{Grading, Release};
use domain::id::{Identifier as _, PaperId, SubjectId};
use domain::idempotency::Claim;
use domain::metadata::Metadata;
use domain::paging::{Page, Seal, Slice};
use domain::paper::{Document, Paper, PaperFilter, PaperPatch, State, TestOutcome};
use domain::question::Question;
use domain::refusal::Refusal;
use domain::submission::Counts;
use domain::text::ShortLine;
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use store::questions;
pub use store::questions::Stored as StoredQuestion;
use store::{Db, Locked, Tx, accounts, events, files, idempotency, jobs, papers, subjects, turns};

/// What a client asks for.
#[derive(Clone, Debug)]
pub struct NewPaper {
    /// Its title.
    pub title: ShortLine,
    /// The subject's id as it was given.
    pub subject_id: String,
    /// The questions.
    pub question_paper: FileReference,
    /// What earns the marks.
    pub marking_scheme: FileReference,
    /// When results become final.
    pub release: Release,
    /// How scripts are judged.
    pub grading: Grading,
    /// The client's own reference.
    pub external_id: Option<ShortLine>,
    /// The client's own notes.
    pub metadata: Metadata,
    /// What happens instead of reading, in test mode.
    pub test_outcome: Option<TestOutcome>,
}

impl Service {
    /// Makes a paper: takes its files, sets its credits aside, and has it read in the background.
    #[crate::boxed]
    pub async fn create_paper(
        &self,
        caller: &Caller,
        new: NewPaper,
        claim: Option<Claim>,
        render: Render<Paper>,
    ) -> Result<Reply, Error> {
        let given = [&new.question_paper, &new.marking_scheme];
        self.settle_files(caller.owner(), given.into_iter().filter_map(|file| file.file_id())).await?;
        let now = self.now();
        let input = (self.clone(), caller.owner(), new, self.id::<PaperId>(now), now);
        self.once(
            claim,
            input,
            |tx, (service, owner, new, id, now)| Box::pin(service.insert_paper(tx, *owner, new, *id, *now)),
            render,
        )
        .await
    }

    async fn insert_paper(
        &self,
        tx: &mut Tx,
        owner: Owner,
        new: &NewPaper,
        id: PaperId,
        now: Timestamp,
    ) -> Result<Paper, Error> {
        let subject_id = self.subject(tx, &new.subject_id).await?;
        let wanted = [
            (&new.question_paper, Purpose::QuestionPaper, "question_paper"),
            (&new.marking_scheme, Purpose::MarkingScheme, "marking_scheme"),
        ];
        let mut found = Vec::with_capacity(wanted.len());
        for (reference, purpose, path) in wanted {
            found.push(self.resolve(tx, owner, reference, purpose, path, now).await?);
        }
        self.attach(tx, &found, &id.to_string(), now).await?;
        if let Some(external_id) = &new.external_id {
            take_external_id(tx, owner, external_id, id).await?;
        }
        let [question_paper, marking_scheme] =
            [&found[0], &found[1]].map(|found| document(found, new.test_outcome.is_some()));
        let account =
            accounts::by_id(tx, owner.0).await?.ok_or_else(|| Error::missing("account", owner.0))?;
        // From here on all travels with the commit.
        let change = self.open_ledger(tx, owner, now).await?;
        let at = tx.time()?;
        let mut paper = Paper {
            id,
            owner,
            title: new.title.clone(),
            subject_id,
            state: State::Processing,
            warnings: Vec::new(),
            question_paper,
            marking_scheme,
            question_count: None,
            total_marks: None,
            printed_total: None,
            scheme_version: 1,
            release: new.release,
            grading: new.grading.clone(),
            billing: Billing::PENDING,
            counts: Counts::default(),
            external_id: new.external_id.clone(),
            metadata: new.metadata.clone(),
            test_outcome: new.test_outcome,
            created_at: at,
            updated_at: at,
        };
        let price = account.pricing.paper_per_page;
        if let Some(pages) = paper.pages() {
            paper.billing = Billing::held(pages, price.times(pages));
        }
        papers::insert(tx, &paper).await?;
        let is_fetched = found.iter().any(Resolved::is_fetched);
        let work = (Kind::ReadPaper.name(), first_lane(new.test_outcome.is_some(), is_fetched).name());
        jobs::enqueue(tx, self.id(now), work, owner.0, &id.to_string(), now).await?;
        if let Some(pages) = paper.pages() {
            self.hold_in(tx, change, Source::Paper(id), pages, price).await?;
        }
        Ok(paper)
    }

    async fn subject(&self, db: &mut Db, given: &str) -> Result<SubjectId, Error> {
        let missing = || Error::missing("subject", given).at("subject_id");
        let id = SubjectId::parse(given).ok_or_else(missing)?;
        subjects::by_id(db, id).await?.map(|subject| subject.id).ok_or_else(missing)
    }

    /// A page of the caller's papers.
    #[crate::boxed]
    pub async fn papers(
        &self,
        caller: &Caller,
        filter: &PaperFilter,
        slice: Slice,
        seal: &Seal,
    ) -> Result<Page<Paper>, Error> {
        self.papers_of(caller.owner(), filter, slice, seal).await
    }

    /// A page of an account's papers: for the operator.
    #[crate::boxed]
    pub async fn papers_of(
        &self,
        owner: Owner,
        filter: &PaperFilter,
        slice: Slice,
        seal: &Seal,
    ) -> Result<Page<Paper>, Error> {
        let input = (owner, filter.clone(), slice);
        let page = self
            .0
            .store
            .page(input, |db, (owner, filter, slice)| Box::pin(papers::list(db, *owner, filter, *slice)));
        let rows = page.await?;
        let by_change = slice.window.updated_after.is_some();
        let position = if by_change { Paper::change_position } else { Paper::position };
        Ok(Page::new(rows, slice.limit, seal, position))
    }

    /// One of the caller's papers.
    #[crate::boxed]
    pub async fn paper(&self, caller: &Caller, id: PaperId) -> Result<Paper, Error> {
        let paper = papers::by_id(&mut *self.0.store.read().await?, caller.owner(), id).await?;
        paper.ok_or_else(|| Error::missing("paper", id))
    }

    /// The questions of one of the caller's papers, in paper order.
    #[crate::boxed]
    pub async fn paper_questions(&self, caller: &Caller, id: PaperId) -> Result<Vec<StoredQuestion>, Error> {
        self.paper(caller, id).await?;
        let input = id;
        // Several hundred documents: off the async threads.
        self.0
            .store
            .scan(input, |db, id| Box::pin(async move { Ok(questions::of_paper(db, *id).await?) }))
            .await
    }

    /// Changes what the client may change of a paper.
    #[crate::boxed]
    pub async fn patch_paper(&self, caller: &Caller, id: PaperId, patch: PaperPatch) -> Result<Paper, Error> {
        let input = (caller.owner(), id, patch, self.now());
        self.0
            .store
            .write(input, |tx, (owner, id, patch, now)| {
                Box::pin(async move {
                    // Whoever wants another's external id waits for it, so it is taken before the turn.
                    let paper = if let Some(wanted) = &patch.external_id {
                        let paper = locked_paper(tx, *owner, *id).await?;
                        swap_external_id(tx, &paper, wanted.as_ref()).await?;
                        turns::take(tx, *owner, *now).await?;
                        paper
                    } else {
                        let paper = papers::lock_in_turn(tx, *owner, *id, *now).await?;
                        paper.ok_or_else(|| Error::missing("paper", *id))?
                    };
                    let Some(changed) = patch.clone().apply(&paper, tx.time()?) else {
                        return Ok(paper.into_inner());
                    };
                    papers::save(tx, &paper, &changed).await?;
                    Ok(changed)
                })
            })
            .await
    }

    /// Approves a paper: by API, or by a reviewer on the page.
    #[crate::boxed]
    pub async fn approve_paper(
        &self,
        caller: &Caller,
        id: PaperId,
        claim: Option<Claim>,
        render: Render<Paper>,
    ) -> Result<Reply, Error> {
        let input = (self.clone(), caller.owner(), id, self.now());
        self.once(
            claim,
            input,
            |tx, (service, owner, id, now)| Box::pin(service.approve_in(tx, *owner, *id, *now)),
            render,
        )
        .await
    }

    /// Approves within the caller's transaction.
    pub(crate) fn approve_in<'t>(
        &'t self,
        tx: &'t mut Tx,
        owner: Owner,
        id: PaperId,
        now: Timestamp,
    ) -> BoxFuture<'t, Result<Paper, Error>> {
        Box::pin(async move {
            // Locked, so that no reviewer's edit comes between the look at the questions and the approval.
            let paper = papers::lock_in_turn(tx, owner, id, now).await?;
            let paper = paper.ok_or_else(|| Error::missing("paper", id))?;
            let questions = questions::of_paper(tx, id).await?;
            let questions: Vec<Question> = questions.into_iter().map(|stored| stored.question).collect();
            let approved = paper.approve(&questions, tx.time()?)?;
            papers::save(tx, &paper, &approved).await?;
            self.record_paper(tx, EventType::PaperReady, &approved).await?;
            Ok(approved)
        })
    }

    /// Deletes a paper with everything that belongs to it.
    #[crate::boxed]
    pub async fn delete_paper(&self, caller: &Caller, id: PaperId) -> Result<(), Error> {
        self.delete_paper_of(caller.owner(), id).await
    }

    pub(crate) async fn delete_paper_of(&self, owner: Owner, id: PaperId) -> Result<(), Error> {
        let input = (self.clone(), owner, id, self.now());
        self.0
            .store
            .write(input, |tx, (service, owner, id, now)| {
                Box::pin(async move {
                    let paper = locked_paper(tx, *owner, *id).await?;
                    paper.may_delete()?;
                    // Its scans and submissions before its counts, as in every change of one.
                    service.delete_class_scans_of(tx, &paper, *now).await?;
                    let some = service.lock_submissions_of(tx, *id).await?;
                    if !papers::delete(tx, &paper).await? {
                        return Err(Refusal::PaperInProgress { paper: *id }.into());
                    }
                    files::discard(tx, &template_key(*id), *now, None).await?;
                    pictures::discard(tx, &paper, *now).await?;
                    service.forget(tx, *owner, "paper", &id.to_string(), *now).await?;
                    service.delete_submissions_of(tx, &paper, &some, *now).await
                })
            })
            .await
    }

    /// Removes what is left of a deleted object: its files, what its events and remembered answers say of it,
    /// and any work on it.
    pub(crate) async fn forget(
        &self,
        tx: &mut Tx,
        owner: Owner,
        object: &str,
        id: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        for file in files::used_by(tx, id).await? {
            self.discard_file(tx, &file, now).await?;
        }
        files::delete_used_by(tx, id).await?;
        let reduced = domain::event::reduced_snapshot(object, id);
        events::reduce(tx, owner, id, &reduced).await?;
        idempotency::empty(tx, id).await?;
        jobs::withdraw(tx, id).await?;
        let work = (Kind::DeleteBytes.name(), Lane::Tidy.name());
        jobs::enqueue(tx, self.id(now), work, owner.0, &format!("bytes of {id}"), now).await?;
        Ok(())
    }

    /// Records what happened to a paper, with the paper as it is now, in the account's turn.
    pub(crate) async fn record_paper(
        &self,
        tx: &mut Tx,
        kind: EventType,
        paper: &Paper,
    ) -> Result<(), Error> {
        let at = tx.time()?;
        let event = Event {
            id: self.id(at),
            account_id: paper.owner.0,
            mode: paper.owner.1,
            kind,
            object_id: Some(paper.id.to_string()),
            snapshot: (self.0.wire.paper)(paper),
            created_at: at,
        };
        Ok(events::record(tx, &event).await?)
    }
}

/// A document of the paper. In place of the engine, a file whose pages cannot be counted counts as one page.
fn document(found: &Resolved, is_tested: bool) -> Document {
    let uncounted = (is_tested && !found.is_fetched()).then_some(1);
    Document {
        file_id: found.file.id,
        is_fetched: found.is_fetched(),
        pages: found.file.pages().or(uncounted),
    }
}

/// The caller's paper, for changing.
pub(crate) async fn locked_paper(tx: &mut Tx, owner: Owner, id: PaperId) -> Result<Locked<Paper>, Error> {
    papers::lock(tx, owner, id).await?.ok_or_else(|| Error::missing("paper", id))
}

/// Takes a paper's new external id, if it is a new one, and lets go of the old one.
async fn swap_external_id(
    tx: &mut Tx,
    paper: &Locked<Paper>,
    wanted: Option<&ShortLine>,
) -> Result<(), Error> {
    if wanted == paper.external_id.as_ref() {
        return Ok(());
    }
    if let Some(wanted) = wanted {
        take_external_id(tx, paper.owner, wanted, paper.id).await?;
    }
    if let Some(external_id) = &paper.external_id {
        papers::free_external_id(tx, paper.owner, external_id.as_str()).await?;
    }
    Ok(())
}

async fn take_external_id(
    db: &mut Db,
    owner: Owner,
    external_id: &ShortLine,
    paper: PaperId,
) -> Result<(), Error> {
    let taken = papers::take_external_id(db, owner, external_id.as_str(), paper).await?;
    taken.map_err(|holder| Error::from(Refusal::ExternalIdTaken { holder }).at("external_id"))
}
