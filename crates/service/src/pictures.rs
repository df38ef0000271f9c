//! Pictures of a paper's pages, for the review page: drawn in isolation when they are first asked for, then
//! kept beside the paper's other bytes.
//!
//! Two requests for one page in one process draw it once: the second waits for the first and finds what it
//! kept. Two processes may both draw it, which does no harm. Only as many are drawn at once as there are
//! processors, so that a paper of 200 pages does not push other work aside.

use crate::blobs::{BlobError, file_key, template_key};
use crate::reviews::ReviewError;
use crate::{Error, Service};
use bytes::Bytes;
use domain::id::PaperId;
use domain::paper::Paper;
use domain::review::ReviewLink;
use jiff::Timestamp;
use reader::isolate::{Drawing, Failure, Isolation};
use reader::page::Corners;
use serde::Deserialize;
use std::collections::HashMap;
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use store::{Tx, files, papers};
use tokio::sync::Semaphore;

/// Wide enough to read small print beside the questions, small enough to travel in no time.
const WIDTH: u32 = 1100;

/// Which of a paper's documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The questions.
    QuestionPaper,
    /// What earns the marks.
    MarkingScheme,
}

domain::names! {
    Side { QuestionPaper = "question_paper", MarkingScheme = "marking_scheme" }
}

/// Where a page's picture lies.
fn picture_key(id: PaperId, side: Side, page: u32) -> String {
    format!("papers/{id}/pages/{}-{page}.jpg", side.name())
}

/// The pictures that are being drawn.
#[derive(Debug)]
pub(crate) struct Easel {
    under_way: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
    at_once: Semaphore,
}

impl Default for Easel {
    fn default() -> Easel {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        Easel { under_way: Mutex::default(), at_once: Semaphore::new(processors) }
    }
}

impl Easel {
    /// Held while a picture is drawn.
    pub(crate) fn turns(&self) -> &Semaphore {
        &self.at_once
    }

    fn turn(&self, key: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        // What nobody waits for any more goes, so that the map is never larger than the requests in flight.
        under_way.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(under_way.entry(key.to_owned()).or_default())
    }
}

impl Service {
    /// The picture of a page as a JPEG; `None` when there is no such page or it cannot be drawn.
    #[crate::boxed]
    pub async fn page_picture(
        &self,
        link: &ReviewLink,
        side: Side,
        page: u32,
    ) -> Result<Option<Bytes>, ReviewError> {
        let key = picture_key(link.paper_id, side, page);
        if let Some(kept) = self.kept(&key).await? {
            return Ok(Some(kept));
        }
        let paper = self.reviewed_paper(link).await?;
        let pages = document(&paper, side).pages.unwrap_or_default();
        if !(1..=pages).contains(&page) {
            return Ok(None);
        }
        let turn = self.0.easel.turn(&key);
        let _mine = turn.lock().await;
        if let Some(kept) = self.kept(&key).await? {
            return Ok(Some(kept));
        }
        Ok(self.draw(&paper, side, page, &key).await?)
    }

    async fn kept(&self, key: &str) -> Result<Option<Bytes>, Error> {
        match self.0.blobs.get(key).await {
            Ok(bytes) => Ok(Some(bytes.into())),
            Err(BlobError::Missing(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn draw(&self, paper: &Paper, side: Side, page: u32, key: &str) -> Result<Option<Bytes>, Error> {
        let permit = self.0.easel.at_once.acquire().await.map_err(|error| Error::Broken(error.into()))?;
        let document = match self.0.blobs.local(&file_key(document(paper, side).file_id)).await {
            Ok(document) => document,
            Err(BlobError::Missing(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let template = match side {
            Side::QuestionPaper => self.kept(&template_key(paper.id)).await?,
            Side::MarkingScheme => None,
        };
        let reader = self.0.reader.clone();
        let drawn =
            tokio::task::spawn_blocking(move || draw(&reader, document.path(), template.as_deref(), page));
        let drawn = drawn.await.map_err(|error| Error::Broken(error.into()))?;
        drop(permit);
        let picture: Bytes = match drawn {
            Ok(picture) => picture.into(),
            Err(Failure::Unavailable(error)) => return Err(Error::Unavailable(error.into())),
            Err(failure) => {
                tracing::warn!(paper.id = %paper.id, page, %failure, "a page cannot be drawn");
                return Ok(None);
            }
        };
        self.0.blobs.put(key, picture.clone()).await?;
        // The paper may have been deleted meanwhile, with every picture that was there then.
        if papers::any_by_id(&mut *self.0.store.read().await?, paper.id).await?.is_none() {
            self.0.blobs.delete(key).await?;
            return Ok(None);
        }
        Ok(Some(picture))
    }
}

/// Has the pictures of a deleted paper deleted.
pub(crate) async fn discard(tx: &mut Tx, paper: &Paper, now: Timestamp) -> Result<(), Error> {
    for &side in Side::ALL {
        for page in 1..=document(paper, side).pages.unwrap_or_default() {
            files::discard(tx, &picture_key(paper.id, side, page), now, None).await?;
        }
    }
    Ok(())
}

fn document(paper: &Paper, side: Side) -> domain::paper::Document {
    match side {
        Side::QuestionPaper => paper.question_paper,
        Side::MarkingScheme => paper.marking_scheme,
    }
}

/// A photographed page is drawn as it was read, so that the questions' regions lie where they should.
fn draw(reader: &Isolation, document: &Path, template: Option<&[u8]>, page: u32) -> Result<Vec<u8>, Failure> {
    let corners = template.and_then(|template| corners(template, page));
    reader.draw(document, &Drawing { page, width: WIDTH, corners, lossless: false })
}

/// Only the corners of what was read; the words are skipped.
fn corners(template: &[u8], page: u32) -> Option<Corners> {
    #[derive(Deserialize)]
    struct Read {
        pages: Vec<ReadPage>,
    }
    #[derive(Deserialize)]
    struct ReadPage {
        number: u32,
        corners: Option<Corners>,
    }
    let read: Read = serde_json::from_slice(template).ok()?;
    read.pages.into_iter().find(|read| read.number == page)?.corners
}
