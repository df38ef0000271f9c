//! Looks at the pages of a class scan and proposes where one script ends and the next begins.
//!
//! Nothing but the proposal is written, in one transaction that asks for the scan still to wait for it.

use super::{JobError, fetch, in_time};
use crate::Service;
use crate::blobs::{LocalFile, file_key};
use crate::files::failure_code;
use domain::class_scan::{
    ClassScan, Finding, PAGES_MAX, SPLIT_WITHIN, ScanFile, Seen, Split, State, named_in, propose,
};
use domain::cover::Cover;
use domain::failure::FailureCode;
use domain::id::ClassScanId;
use reader::glance::Glance;
use reader::isolate::{Cutting, Drawing, Failure, Isolation, ReadOptions, Recognition};
use reader::page::{Page, Rect};
use std::sync::Arc;
use store::class_scans;

/// A name stands in the upper part of its page.
const HEAD: f32 = 0.3;
/// How wide a page is drawn to find a name on it.
const HEAD_WIDTH: u32 = 1400;

/// Parts a scan, unless it is done with.
pub(super) async fn run(service: &Service, id: ClassScanId) -> Result<(), JobError> {
    let scan = class_scans::any_by_id(&mut *service.store().read().await?, id).await?;
    let Some(scan) = scan.filter(|scan| scan.state == State::Processing) else { return Ok(()) };
    in_time(service, scan.created_at, SPLIT_WITHIN, part(service, scan)).await
}

async fn part(service: &Service, scan: ClassScan) -> Result<(), JobError> {
    let order = scan.files.iter().map(|file| file.file_id);
    let files = fetch::files_of(service, &scan.id.to_string(), order).await?;
    let pages: u32 = files.iter().filter_map(domain::file::File::pages).sum();
    if pages > PAGES_MAX {
        return Err(JobError::Fail(FailureCode::TooManyPages));
    }
    let mut findings = Vec::new();
    for file in &files {
        let document = Arc::new(service.0.blobs.local(&file_key(file.id)).await?);
        findings.extend(service.look_at(document, &scan).await?);
    }
    let (pages, scripts) = propose(scan.split, scan.paper_id, &scan.roster, &findings);
    let files = files.iter().map(|file| ScanFile {
        file_id: file.id,
        content_type: file.content_type,
        pages: file.pages(),
    });
    let files: Vec<ScanFile> = files.collect();
    let parted = service.change_scan(scan.id, move |scan, now| {
        let parted = scan.parted(pages.clone(), scripts.clone(), now)?;
        Some(ClassScan { files: files.clone(), ..parted })
    });
    Ok(parted.await?)
}

impl Service {
    async fn look_at(&self, document: Arc<LocalFile>, scan: &ClassScan) -> Result<Vec<Finding>, JobError> {
        let (reader, scan) = (self.reader(), scan.clone());
        let looked = tokio::task::spawn_blocking(move || {
            let glances = reader.glance(document.path())?;
            match scan.split {
                Split::Names => named(&reader, &document, &scan, &glances),
                Split::Covers | Split::Pages(_) => {
                    Ok(glances.iter().map(|glance| covered(glance, &scan)).collect())
                }
            }
        });
        looked.await.map_err(JobError::ours)?.map_err(|failure| match failure {
            Failure::Document(_) => JobError::Fail(failure_code(&failure)),
            // It may have been the machine's load and not the file.
            other => JobError::Retry { reason: other.to_string(), code: failure_code(&other) },
        })
    }
}

/// What the codes of a page say. One of this paper counts before one of another, and codes that are not ours are none.
fn covered(glance: &Glance, scan: &ClassScan) -> Finding {
    let mut covers: Vec<Cover> = glance.codes.iter().filter_map(|code| Cover::parse(code)).collect();
    covers.sort_by_key(|cover| cover.paper_id != scan.paper_id);
    let seen = match covers.into_iter().next() {
        Some(cover) => Seen::Cover(cover),
        None if glance.has_unread_code => Seen::UnreadCode,
        None => Seen::Nothing,
    };
    Finding { seen, is_blank: glance.is_blank }
}

/// The names at the head of the pages, where they are those of the roster.
fn named(
    reader: &Isolation,
    document: &LocalFile,
    scan: &ClassScan,
    glances: &[Glance],
) -> Result<Vec<Finding>, Failure> {
    let options = ReadOptions { recognition: Recognition::Never, ..ReadOptions::default() };
    let printed = reader.read(document.path(), &options)?;
    let mut findings = Vec::with_capacity(glances.len());
    for (number, glance) in (1..).zip(glances) {
        let mut seen = Seen::Nothing;
        if !glance.is_blank {
            let page = printed.pages.iter().find(|page| page.number == number);
            let own = page.and_then(|page| named_in(&scan.roster, &head_of(page)));
            let found = match own {
                Some(name) => Some(name),
                // It was written by hand.
                None => named_in(&scan.roster, &recognised_head(reader, document, number)?),
            };
            seen = found.map_or(Seen::Nothing, Seen::Name);
        }
        findings.push(Finding { seen, is_blank: glance.is_blank });
    }
    Ok(findings)
}

/// The words in the upper part of a page, in reading order.
fn head_of(page: &Page) -> Vec<String> {
    let words = page.words.iter().filter(|word| word.place.y0 < HEAD * page.height);
    words.map(|word| word.text.clone()).collect()
}

/// The same, recognised on the picture of it.
fn recognised_head(reader: &Isolation, document: &LocalFile, number: u32) -> Result<Vec<String>, Failure> {
    let drawing = Drawing { page: number, width: HEAD_WIDTH, corners: None, lossless: false };
    let part = Rect { x0: 0.0, y0: 0.0, x1: 1.0, y1: HEAD };
    let picture = reader.cut(document.path(), &Cutting { drawing, part, covered: Vec::new() })?;
    let read = reader.read(&picture, &ReadOptions::default())?;
    Ok(read.pages.iter().flat_map(|page| &page.words).map(|word| word.text.clone()).collect())
}
