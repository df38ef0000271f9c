//! Makes submissions of the scripts of a confirmed class scan, one after the other.
//!
//! The pages are taken out of their file first, under an id that the confirmation gave them, so that doing it again
//! writes the same bytes to the same place. Then one transaction makes the submission and notes it at its script; it
//! locks the scan and asks for the script still to wait. What two workers do at once is so done once.

use super::JobError;
use crate::blobs::file_key;
use crate::submissions::NewScript;
use crate::{Error, Service};
use domain::class_scan::{ClassScan, Obstacle, Part, State};
use domain::file::{BYTES_MAX, ContentType, File, Found, Purpose};
use domain::id::{ClassScanId, FileId, SubmissionId};
use domain::metadata::Metadata;
use domain::random;
use domain::refusal::Refusal;
use domain::submission::ScriptFile;
use domain::text::ShortLine;
use jiff::Timestamp;
use reader::isolate::Failure;
use std::collections::HashMap;
use store::{Tx, class_scans, files, papers};

/// How many bytes each file has that was made for a script.
type Sizes = HashMap<FileId, u64>;

/// Submits what waits, until nothing does.
pub(super) async fn run(service: &Service, id: ClassScanId) -> Result<(), JobError> {
    loop {
        let scan = class_scans::any_by_id(&mut *service.store().read().await?, id).await?;
        let Some(scan) = scan else { return Ok(()) };
        let Some(place) = scan.next_to_submit() else { break };
        match service.submit_script(&scan, place).await? {
            None => {}
            // Without credits the others cannot be submitted either.
            Some(obstacle @ (Obstacle::InsufficientCredits | Obstacle::CreditsExpired)) => {
                service.change_scan(id, move |scan, now| Some(scan.all_hindered(obstacle, now))).await?;
            }
            Some(obstacle) => {
                service.change_scan(id, move |scan, now| scan.hindered(place, obstacle, now)).await?;
            }
        }
    }
    let settled = service.change_scan(id, |scan, now| {
        let is_done = scan.state == State::Confirming && scan.next_to_submit().is_none();
        is_done.then(|| scan.settled(now))
    });
    Ok(settled.await?)
}

impl Service {
    /// Makes a submission of a script, or says what stands in its way.
    async fn submit_script(&self, scan: &ClassScan, place: usize) -> Result<Option<Obstacle>, JobError> {
        let mut sizes = Sizes::new();
        for part in &scan.scripts[place].parts {
            let Some(numbers) = part.taken.clone() else { continue };
            match self.take_out(scan.files[part.file].file_id, numbers).await? {
                Some(bytes) if bytes.len() as u64 <= BYTES_MAX => {
                    sizes.insert(part.file_id, bytes.len() as u64);
                    self.0.blobs.put(&file_key(part.file_id), bytes.into()).await?;
                }
                _ => return Ok(Some(Obstacle::PagesUnreadable)),
            }
        }
        let now = self.now();
        let id: SubmissionId = self.id(now);
        let input = (self.clone(), scan.id, place, id, sizes, now);
        let submitted = self.0.store.write(input, |tx, (service, scan, place, id, sizes, now)| {
            Box::pin(service.submit_in(tx, (*scan, *place), *id, sizes, *now))
        });
        match submitted.await {
            Ok(()) => Ok(None),
            Err(Error::Refused { refusal, .. }) => obstacle(&refusal).map(Some),
            Err(error) => Err(error.into()),
        }
    }

    /// Some pages of a file; `None` when they cannot be read.
    async fn take_out(&self, file: FileId, numbers: Vec<u32>) -> Result<Option<Vec<u8>>, JobError> {
        if !self.has_free_space() {
            return Err(JobError::ours("there is hardly any room left for files"));
        }
        let document = self.0.blobs.local(&file_key(file)).await?;
        let reader = self.reader();
        let taken = tokio::task::spawn_blocking(move || reader.extract(document.path(), &numbers));
        match taken.await.map_err(JobError::ours)? {
            Ok(bytes) => Ok(Some(bytes)),
            Err(failure @ (Failure::Unavailable(_) | Failure::Stopped)) => Err(JobError::ours(failure)),
            Err(failure) => {
                tracing::warn!(file.id = %file, %failure, "pages cannot be taken out of a class scan");
                Ok(None)
            }
        }
    }

    async fn submit_in(
        &self,
        tx: &mut Tx,
        (scan, place): (ClassScanId, usize),
        id: SubmissionId,
        sizes: &Sizes,
        now: Timestamp,
    ) -> Result<(), Error> {
        let Some(scan) = class_scans::lock_any(tx, scan).await? else { return Ok(()) };
        let Some(submitted) = scan.submitted(place, id, now) else { return Ok(()) };
        let script = &scan.scripts[place];
        let Some(student) = script.student.clone() else { return Ok(()) };
        let paper = papers::by_id(tx, scan.owner, scan.paper_id).await?;
        let paper = paper.ok_or_else(|| Error::missing("paper", scan.paper_id))?;
        let mut own = Vec::with_capacity(script.parts.len());
        for part in &script.parts {
            own.push(self.part_in(tx, &scan, part, (&id.to_string(), sizes), now).await?);
        }
        let (metadata, test_outcome) = (Metadata::default(), None);
        let script = NewScript { id, student, files: own, metadata, test_outcome };
        self.queue_script(tx, &paper, script, now).await?;
        class_scans::save(tx, &scan, &submitted).await?;
        Ok(())
    }

    /// Gives a file to a submission: one of the scan's own, or one that was made of some of its pages.
    async fn part_in(
        &self,
        tx: &mut Tx,
        scan: &ClassScan,
        part: &Part,
        (user, sizes): (&str, &Sizes),
        now: Timestamp,
    ) -> Result<ScriptFile, Error> {
        let whole = scan.files[part.file];
        let file_id = part.file_id;
        let Some(taken) = &part.taken else {
            if !files::hand_over(tx, file_id, &scan.id.to_string(), user).await? {
                return Err(Error::Broken(format!("{file_id} is no file of {}", scan.id).into()));
            }
            let (content_type, pages) = (whole.content_type, whole.pages);
            return Ok(ScriptFile { file_id, is_fetched: false, content_type, pages });
        };
        let pages = u32::try_from(taken.len()).unwrap_or(u32::MAX);
        let file = File {
            id: file_id,
            owner: scan.owner,
            purpose: Purpose::AnswerScript,
            filename: ShortLine::trusted(Purpose::AnswerScript.name().to_owned()),
            content_type: Some(ContentType::Pdf),
            size_bytes: sizes.get(&file_id).copied().unwrap_or_default(),
            token: random::base62_secret(self.random()),
            url: None,
            uploaded_at: Some(now),
            content: Some(Found::Pages(pages)),
            attached_to: Some(user.to_owned()),
            expired_at: None,
            created_at: now,
        };
        files::insert(tx, &file).await?;
        files::uploaded(tx, &file, now).await?;
        files::inspected(tx, file_id, Found::Pages(pages)).await?;
        Ok(ScriptFile { file_id, is_fetched: false, content_type: file.content_type, pages: Some(pages) })
    }
}

/// What a refusal means for the script; a fault of ours where it should never have come to that.
fn obstacle(refusal: &Refusal) -> Result<Obstacle, JobError> {
    match refusal {
        Refusal::SubmissionExists { .. } => Ok(Obstacle::SubmissionExists),
        Refusal::InsufficientCredits { .. } => Ok(Obstacle::InsufficientCredits),
        Refusal::CreditsExpired { .. } => Ok(Obstacle::CreditsExpired),
        other => Err(JobError::ours(format_args!("a script was refused: {other:?}"))),
    }
}
