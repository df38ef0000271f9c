//! Class scans: a stack of pages for a whole class, made, looked at, confirmed by a person, deleted.
//!
//! Confirming only writes down what is wanted; a job then makes one submission after the other, each in a transaction
//! that also notes it at its script. So it can be interrupted anywhere and goes on where it was: a script without a
//! submission has none, and one that has is never submitted again.

use crate::attachments::FileReference;
use crate::blobs::file_key;
use crate::idempotency::{Render, Reply};
use crate::jobs::{Kind, Lane};
use crate::papers::locked_paper;
use crate::reviews::ReviewError;
use crate::{Caller, Error, Service};
use domain::account::Owner;
use domain::class_scan::{
    ClassScan, Corrected, KEPT_UNCONFIRMED, OF_PAPER_MAX, Obstacle, ScanFile, ScanScript, Split, State,
};
use domain::credit::Ledger;
use domain::failure::FailureCode;
use domain::file::Purpose;
use domain::id::{ClassScanId, FileId, PaperId};
use domain::idempotency::Claim;
use domain::paper::Paper;
use domain::refusal::Refusal;
use domain::review::ReviewLink;
use domain::roster::Roster;
use jiff::{SignedDuration, Timestamp};
use store::{Locked, Tx, accounts, class_scans, credits, files, jobs, papers};

/// The files of a scan that nobody confirmed outlive it by this, so that they never go before it.
const FILES_OUTLIVE: SignedDuration = SignedDuration::from_hours(24);

/// What a client asks for.
#[derive(Clone, Debug)]
pub struct NewClassScan {
    /// The pages: uploaded files by their ids as they were given.
    pub files: Vec<String>,
    /// How it is parted.
    pub split: Split,
    /// Who is expected; empty where nobody says.
    pub roster: Roster,
}

impl Service {
    /// Makes a scan: takes its files and queues it to be looked at.
    #[crate::boxed]
    pub async fn create_class_scan(
        &self,
        caller: &Caller,
        paper: PaperId,
        new: NewClassScan,
        claim: Option<Claim>,
        render: Render<ClassScan>,
    ) -> Result<Reply, Error> {
        self.settle_files(caller.owner(), new.files.iter().map(String::as_str)).await?;
        let now = self.now();
        let input = (self.clone(), caller.owner(), paper, new, self.id::<ClassScanId>(now), now);
        self.once(
            claim,
            input,
            |tx, (service, owner, paper, new, id, now)| {
                Box::pin(service.insert_class_scan(tx, (*owner, *paper), new, *id, *now))
            },
            render,
        )
        .await
    }

    async fn insert_class_scan(
        &self,
        tx: &mut Tx,
        (owner, paper): (Owner, PaperId),
        new: &NewClassScan,
        id: ClassScanId,
        now: Timestamp,
    ) -> Result<ClassScan, Error> {
        // Locked, so that it is not deleted meanwhile, and no other scan of it is counted at the same time.
        let paper = locked_paper(tx, owner, paper).await?;
        let mut found = Vec::with_capacity(new.files.len());
        for (index, given) in new.files.iter().enumerate() {
            let reference = FileReference::Uploaded(given.clone());
            let path = format!("files[{index}]");
            found.push(self.resolve(tx, owner, &reference, Purpose::AnswerScript, &path, now).await?);
        }
        paper.must_be_ready()?;
        if class_scans::count_of(tx, paper.id).await? >= OF_PAPER_MAX as i64 {
            return Err(Refusal::TooManyClassScans { paper: paper.id, most: OF_PAPER_MAX }.into());
        }
        let ends_at = now + KEPT_UNCONFIRMED + FILES_OUTLIVE;
        self.lend(tx, &found, (&id.to_string(), ends_at), now).await?;
        let file = |file: &domain::file::File| ScanFile {
            file_id: file.id,
            content_type: file.content_type,
            pages: file.pages(),
        };
        let scan = ClassScan {
            id,
            owner,
            paper_id: paper.id,
            state: State::Processing,
            split: new.split,
            roster: new.roster.clone(),
            files: found.iter().map(|found| file(&found.file)).collect(),
            pages: Vec::new(),
            scripts: Vec::new(),
            created_at: now,
            updated_at: now,
        };
        class_scans::insert(tx, &scan).await?;
        let work = (Kind::SplitScan.name(), Lane::Work.name());
        jobs::enqueue(tx, self.id(now), work, owner.0, &id.to_string(), now).await?;
        Ok(scan)
    }

    /// One of the caller's scans.
    #[crate::boxed]
    pub async fn class_scan(&self, caller: &Caller, id: ClassScanId) -> Result<ClassScan, Error> {
        let found = class_scans::by_id(&mut *self.0.store.read().await?, caller.owner(), id).await?;
        found.ok_or_else(|| Error::missing("class scan", id))
    }

    /// Confirms the split, as it was proposed or as it was corrected. Asking for the same again changes nothing.
    #[crate::boxed]
    pub async fn confirm_class_scan(
        &self,
        caller: &Caller,
        id: ClassScanId,
        corrected: Option<Vec<Corrected>>,
        claim: Option<Claim>,
        render: Render<ClassScan>,
    ) -> Result<Reply, Error> {
        let input = (self.clone(), caller.owner(), id, corrected, self.now());
        self.once(
            claim,
            input,
            |tx, (service, owner, id, corrected, now)| {
                Box::pin(async move {
                    let scan = locked_scan(tx, *owner, *id).await?;
                    service.confirm_in(tx, scan, corrected.as_deref(), *now).await
                })
            },
            render,
        )
        .await
    }

    async fn confirm_in(
        &self,
        tx: &mut Tx,
        scan: Locked<ClassScan>,
        corrected: Option<&[Corrected]>,
        now: Timestamp,
    ) -> Result<ClassScan, Error> {
        if scan.is_confirmed_as(corrected) {
            return Ok(scan.into_inner());
        }
        scan.must_await_confirmation()?;
        let paper = papers::by_id(tx, scan.owner, scan.paper_id).await?;
        paper.ok_or_else(|| Error::missing("paper", scan.paper_id))?.must_be_ready()?;
        let corrected = corrected.map(<[Corrected]>::to_vec);
        let confirmed = scan.confirmed_as(corrected, || self.id::<FileId>(now), now).map_err(|problem| {
            let path = problem.path();
            Error::from(Refusal::WrongSplit { problem }).at(path)
        })?;
        self.must_afford(tx, &confirmed, now).await?;
        class_scans::save(tx, &scan, &confirmed).await?;
        let work = (Kind::SubmitScripts.name(), Lane::Desk.name());
        jobs::enqueue(tx, self.id(now), work, scan.owner.0, &scan.id.to_string(), now).await?;
        Ok(confirmed)
    }

    /// Says at once when the credits would not do for all scripts. Each submission sets its own aside later.
    async fn must_afford(&self, tx: &mut Tx, scan: &ClassScan, now: Timestamp) -> Result<(), Error> {
        let (account, mode) = scan.owner;
        let missing = || Error::missing("account", account);
        let price = accounts::by_id(tx, account).await?.ok_or_else(missing)?.pricing.grading_per_page;
        let balance = credits::balance(tx, account, mode).await?.ok_or_else(missing)?;
        Ledger::open(balance, now).hold(price.times(scan.pages_to_submit()))?;
        Ok(())
    }

    /// Deletes a scan with its pages. Its submissions stay.
    #[crate::boxed]
    pub async fn delete_class_scan(&self, caller: &Caller, id: ClassScanId) -> Result<(), Error> {
        let input = (self.clone(), caller.owner(), id, self.now());
        self.0
            .store
            .write(input, |tx, (service, owner, id, now)| {
                Box::pin(async move {
                    let scan = locked_scan(tx, *owner, *id).await?;
                    scan.may_delete()?;
                    service.delete_scan_in(tx, &scan, *now).await
                })
            })
            .await
    }

    async fn delete_scan_in(
        &self,
        tx: &mut Tx,
        scan: &Locked<ClassScan>,
        now: Timestamp,
    ) -> Result<(), Error> {
        class_scans::delete(tx, scan).await?;
        discard_unsubmitted(tx, scan, now).await?;
        self.forget(tx, scan.owner, "class_scan", &scan.id.to_string(), now).await
    }

    /// Deletes the scans of a paper that is about to be deleted.
    pub(crate) async fn delete_class_scans_of(
        &self,
        tx: &mut Tx,
        paper: &Paper,
        now: Timestamp,
    ) -> Result<(), Error> {
        for scan in class_scans::lock_of_paper(tx, paper.id, OF_PAPER_MAX as i64).await? {
            if scan.may_delete().is_err() {
                return Err(Refusal::PaperInProgress { paper: paper.id }.into());
            }
            self.delete_scan_in(tx, &scan, now).await?;
        }
        Ok(())
    }

    /// Deletes scans that nobody confirmed in time.
    pub(crate) async fn delete_unconfirmed_scans(&self, rows: i64) -> Result<(), Error> {
        let now = self.now();
        for id in class_scans::ended(&mut *self.0.store.read().await?, now, rows).await? {
            self.0
                .store
                .write((self.clone(), id, now), |tx, (service, id, now)| {
                    Box::pin(async move {
                        let scan = class_scans::lock_any(tx, *id).await?;
                        let is_over =
                            |scan: &Locked<ClassScan>| scan.ends_at().is_some_and(|end| end <= *now);
                        match scan.filter(is_over) {
                            Some(scan) => service.delete_scan_in(tx, &scan, *now).await,
                            None => Ok(()),
                        }
                    })
                })
                .await?;
        }
        Ok(())
    }

    /// Changes a scan in background work, if it is there and the change still fits.
    pub(crate) async fn change_scan(
        &self,
        id: ClassScanId,
        change: impl Fn(&ClassScan, Timestamp) -> Option<ClassScan> + Send + Sync + 'static,
    ) -> Result<(), Error> {
        self.0
            .store
            .write((self.clone(), id, change, self.now()), |tx, (service, id, change, now)| {
                Box::pin(async move {
                    let Some(scan) = class_scans::lock_any(tx, *id).await? else { return Ok(()) };
                    let Some(changed) = change(&scan, *now) else { return Ok(()) };
                    class_scans::save(tx, &scan, &changed).await?;
                    let is_over = matches!(changed.state, State::Confirmed | State::Failed { .. });
                    for script in scan.scripts.iter().filter(|script| !changed.still_has(script)) {
                        discard_taken(tx, script, *now).await?;
                    }
                    if is_over { service.discard_pages(tx, &changed, *now).await } else { Ok(()) }
                })
            })
            .await
    }

    /// Deletes the pages of a scan that needs them no more.
    async fn discard_pages(&self, tx: &mut Tx, scan: &ClassScan, now: Timestamp) -> Result<(), Error> {
        let user = scan.id.to_string();
        for file in files::used_by(tx, &user).await? {
            self.discard_file(tx, &file, now).await?;
        }
        files::delete_used_by(tx, &user).await?;
        let work = (Kind::DeleteBytes.name(), Lane::Tidy.name());
        let about = format!("bytes of {user}");
        Ok(jobs::enqueue(tx, self.id(now), work, scan.owner.0, &about, now).await?)
    }

    /// Ends a scan whose pages cannot be read.
    pub(crate) async fn fail_class_scan(&self, id: ClassScanId, code: FailureCode) -> Result<(), Error> {
        self.change_scan(id, move |scan, now| {
            (scan.state == State::Processing).then(|| scan.failed(code, now))
        })
        .await
    }

    /// Lets a person look at a scan again whose scripts could not all be submitted by a fault of ours.
    pub(crate) async fn reopen_class_scan(&self, id: ClassScanId) -> Result<(), Error> {
        self.change_scan(id, |scan, now| {
            let is_confirming = scan.state == State::Confirming;
            is_confirming.then(|| scan.all_hindered(Obstacle::ProcessingFailed, now).settled(now))
        })
        .await
    }

    /// The scans of the paper that a link opens, newest first.
    #[crate::boxed]
    pub async fn desk_scans(&self, link: &ReviewLink) -> Result<Vec<ClassScan>, ReviewError> {
        self.desk_paper(link).await?;
        let found = self.0.store.page(link.paper_id, |db, paper| {
            Box::pin(class_scans::of_paper(db, *paper, OF_PAPER_MAX as i64))
        });
        Ok(found.await?)
    }

    /// A scan of the paper that a link opens; another paper's is not there.
    #[crate::boxed]
    pub async fn desk_scan(&self, link: &ReviewLink, id: ClassScanId) -> Result<ClassScan, ReviewError> {
        self.desk_paper(link).await?;
        let found = class_scans::by_id(&mut *self.0.store.read().await?, link.owner, id).await?;
        let found = found.filter(|scan| scan.paper_id == link.paper_id);
        Ok(found.ok_or_else(|| Error::missing("class scan", id))?)
    }

    /// Confirms a split at the desk: the same rule as by API.
    #[crate::boxed]
    pub async fn desk_confirm_scan(
        &self,
        link: &ReviewLink,
        id: ClassScanId,
        corrected: Vec<Corrected>,
    ) -> Result<ClassScan, ReviewError> {
        self.desk_scan(link, id).await?;
        let input = (self.clone(), link.owner, id, corrected, self.now());
        let confirmed = self.0.store.write(input, |tx, (service, owner, id, corrected, now)| {
            Box::pin(async move {
                let scan = locked_scan(tx, *owner, *id).await?;
                service.confirm_in(tx, scan, Some(corrected), *now).await
            })
        });
        Ok(confirmed.await?)
    }
}

async fn locked_scan(tx: &mut Tx, owner: Owner, id: ClassScanId) -> Result<Locked<ClassScan>, Error> {
    class_scans::lock(tx, owner, id).await?.ok_or_else(|| Error::missing("class scan", id))
}

/// Notes that pages which were taken out for scripts without a submission are to be deleted.
async fn discard_unsubmitted(tx: &mut Tx, scan: &ClassScan, now: Timestamp) -> Result<(), Error> {
    for script in scan.scripts.iter().filter(|script| script.submission_id.is_none()) {
        discard_taken(tx, script, now).await?;
    }
    Ok(())
}

async fn discard_taken(tx: &mut Tx, script: &ScanScript, now: Timestamp) -> Result<(), Error> {
    for part in script.parts.iter().filter(|part| part.taken.is_some()) {
        files::discard(tx, &file_key(part.file_id), now, None).await?;
    }
    Ok(())
}
