//! Reports: made from a result whenever one is asked for.
//!
//! To draw one costs seconds, so only some are drawn at once, one that nobody waits for any more is given up, and
//! those drawn last are kept in memory for as long as they would be drawn the same.

mod drawn;

pub(crate) use drawn::Drawn;

use crate::blobs::{BlobError, LocalFile, file_key, script_key};
use crate::submissions::{own_submission, stored_result};
use crate::{Caller, Error, Service};
use bytes::Bytes;
use domain::id::SubmissionId;
use domain::report::{Report, Section, Source};
use domain::result::{Frame, Marking};
use domain::submission::Submission;
use reader::isolate::{Drawing, Isolation, Stop};
use reader::page::{Corners, Document, Page, Rect};
use report::{PagePicture, PageWord};
use serde::{Deserialize, Serialize};
use store::{Db, papers, results};
use tokio::sync::OwnedSemaphorePermit;

/// How wide the pictures of a script's pages are: sharp enough to print.
const PICTURE_WIDTH: u32 = 1240;

/// What stands on a page of a script, kept for its annotated report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ScriptPage {
    file: u32,
    page: u32,
    width: f32,
    height: f32,
    corners: Option<Corners>,
    /// Words with left, top, width and height in ten-thousandths of the page.
    words: Vec<(String, [u16; 4])>,
}

impl ScriptPage {
    pub(crate) fn of_documents(documents: &[Document]) -> Vec<ScriptPage> {
        let numbered = (0..).zip(documents);
        numbered
            .flat_map(|(file, document)| document.pages.iter().map(move |page| ScriptPage::of(file, page)))
            .collect()
    }

    fn of(file: u32, page: &Page) -> ScriptPage {
        let words = page.words.iter().map(|word| (word.text.clone(), compact(&word.place, page)));
        ScriptPage {
            file,
            page: page.number,
            width: page.width,
            height: page.height,
            corners: page.corners,
            words: words.collect(),
        }
    }

    fn drawing(&self) -> Drawing {
        Drawing { page: self.page, width: PICTURE_WIDTH, corners: self.corners, lossless: false }
    }

    fn with_picture(self, picture: Vec<u8>) -> PagePicture {
        let word = |(text, place): (String, [u16; 4])| {
            let [x, y, width, height] = place.map(|value| f64::from(value) / 10_000.0);
            PageWord { text, frame: Frame { x, y, width, height } }
        };
        PagePicture {
            file: self.file,
            page: self.page,
            picture,
            width_pt: self.width,
            height_pt: self.height,
            words: self.words.into_iter().map(word).collect(),
        }
    }
}

fn compact(place: &Rect, page: &Page) -> [u16; 4] {
    let part =
        |value: f32, whole: f32| (10_000.0 * value / whole.max(1.0)).round().clamp(0.0, 10_000.0) as u16;
    [
        part(place.x0, page.width),
        part(place.y0, page.height),
        part(place.width(), page.width),
        part(place.height(), page.height),
    ]
}

/// A report as a page.
#[derive(Clone, Debug)]
pub struct ReportPage {
    /// The page.
    pub html: String,
    /// The Content-Security-Policy that lets its own style through and nothing else.
    pub policy: String,
}

/// A report as a page to read and print.
pub fn page(report: &Report) -> ReportPage {
    let policy = format!("default-src 'none'; style-src '{}'", report::style_hash());
    ReportPage { html: report::html(report), policy }
}

impl Service {
    /// A submission's report, once it is released.
    #[crate::boxed]
    pub async fn report(
        &self,
        caller: &Caller,
        id: SubmissionId,
        sections: &[Section],
    ) -> Result<(Submission, Report), Error> {
        let mut db = self.0.store.read().await?;
        let submission = own_submission(&mut db, caller.owner(), id).await?;
        submission.must_have_report()?;
        let paper = papers::by_id(&mut db, submission.owner, submission.paper_id).await?;
        let paper = paper.ok_or_else(|| Error::missing("paper", submission.paper_id))?;
        let result = stored_result(&mut db, id).await?;
        let marking = stored_marking(&mut db, id).await?;
        let released = results::tally(&mut db, paper.id).await?;
        let student_name = submission.student.name.as_ref().map(ToString::to_string);
        let source = Source { title: paper.title.to_string(), student_name, result, marking };
        Ok((submission, Report::new(source, sections, &released, self.now())))
    }

    /// The report as a PDF: with the script's own pages, and each mark drawn where it was earned.
    #[crate::boxed]
    pub async fn report_pdf(&self, submission: &Submission, report: Report) -> Result<Bytes, Error> {
        let sum = drawn::sum(submission.id, &report)?;
        if let Some(kept) = self.0.drawn.get(&sum) {
            return Ok(kept);
        }
        let turn = self.0.drawn.turn(&sum);
        let _mine = turn.lock().await;
        if let Some(kept) = self.0.drawn.get(&sum) {
            return Ok(kept);
        }
        let permit = self.0.drawn.permit().await?;
        let bytes = self.draw_report(submission, report, permit).await?;
        self.0.drawn.keep(sum, &bytes);
        Ok(bytes)
    }

    async fn draw_report(
        &self,
        submission: &Submission,
        report: Report,
        permit: OwnedSemaphorePermit,
    ) -> Result<Bytes, Error> {
        let pages = self.script_pages(submission.id).await?;
        let mut files = Vec::new();
        for file in &submission.files {
            let is_shown = pages.iter().any(|page| page.file as usize == files.len());
            let key = file_key(file.file_id);
            files.push(if is_shown { Some(self.0.blobs.local(&key).await?) } else { None });
        }
        let stop = Stop::default();
        // A client that leaves ends this future, and with it what is being drawn.
        let _stop = stop.on_drop();
        let reader = self.0.reader.until(stop.clone());
        let made = tokio::task::spawn_blocking(move || {
            // Until this thread is done, whoever waits for it.
            let _permit = permit;
            let pictures = draw(&reader, &files, pages)?;
            if stop.is_stopped() {
                return Err(Error::Unavailable("nobody waits for the report".into()));
            }
            report::pdf(&report, &pictures).map(Bytes::from).map_err(|error| Error::Broken(error.into()))
        });
        made.await.map_err(|error| Error::Broken(error.into()))?
    }

    /// How a page of a script is drawn: as it was read, so that the marks lie where they should.
    pub(crate) async fn script_drawing(
        &self,
        id: SubmissionId,
        file: u32,
        page: u32,
    ) -> Result<Drawing, Error> {
        let read = self.script_pages(id).await?;
        let own = read.iter().find(|read| (read.file, read.page) == (file, page));
        let plain = Drawing { page, width: PICTURE_WIDTH, corners: None, lossless: false };
        Ok(own.map_or(plain, ScriptPage::drawing))
    }

    /// What was read on a script's pages; nothing where it was not read at all.
    async fn script_pages(&self, id: SubmissionId) -> Result<Vec<ScriptPage>, Error> {
        match self.0.blobs.get(&script_key(id)).await {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| Error::Broken(error.into())),
            Err(BlobError::Missing(_)) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Draws the pages, each file in a child of its own.
fn draw(
    reader: &Isolation,
    files: &[Option<LocalFile>],
    pages: Vec<ScriptPage>,
) -> Result<Vec<PagePicture>, Error> {
    let mut drawn = Vec::new();
    let mut pages = pages.into_iter().peekable();
    for (number, file) in (0_u32..).zip(files) {
        let mut own = Vec::new();
        while let Some(page) = pages.next_if(|page| page.file == number) {
            own.push(page);
        }
        let drawings: Vec<Drawing> = own.iter().map(ScriptPage::drawing).collect();
        let Some(file) = file.as_ref().filter(|_| !drawings.is_empty()) else { continue };
        let pictures =
            reader.draw_all(file.path(), &drawings).map_err(|error| Error::Unavailable(error.into()))?;
        drawn.extend(own.into_iter().zip(pictures).map(|(page, picture)| page.with_picture(picture)));
    }
    Ok(drawn)
}

/// How a submission was marked.
pub(crate) async fn stored_marking(db: &mut Db, id: SubmissionId) -> Result<Marking, Error> {
    let stored = results::by_id(db, id).await?;
    let (_, marking) = stored.ok_or_else(|| Error::Broken(format!("{id} has no result").into()))?;
    serde_json::from_str(&marking).map_err(|error| Error::Broken(error.into()))
}
