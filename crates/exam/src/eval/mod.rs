//! Scores a reading against what a careful human read in the same documents.
//!
//! A folder holds one folder a pair: `paper.pdf`, `scheme.pdf` and `truth.json`.

pub mod pages;
mod score;
pub mod survey;
mod truth;
mod wire;

pub use score::{PairScore, Totals, identity, ratio};
pub use wire::predictions;

use crate::join::{self, Reading};
use reader::{Options, Recognise};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Why an evaluation stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder could not be read.
    #[error("cannot read {path}: {source}")]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A `truth.json` is not what it should be.
    #[error("{path} is not a truth file: {source}")]
    Truth {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// A document could not be read.
    #[error("cannot read the document {path}: {source}")]
    Document {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: reader::Error,
    },
}

/// One pair with its score and what was read.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// The pair's scores.
    pub score: PairScore,
    /// What was read.
    pub reading: Reading,
}

/// The pairs of a folder, in order.
pub fn pairs(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |source| Error::File { path: folder.to_owned(), source };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.join("truth.json").is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads a pair and scores it; pages that are pictures go to the recogniser.
pub fn pair(folder: &Path, recogniser: Option<&dyn Recognise>) -> Result<Evaluated, Error> {
    let started = Instant::now();
    let (reading, pages) = reading(folder, recogniser)?;
    let seconds = started.elapsed().as_secs_f64();
    let score = PairScore { pages, seconds, ..score_of(folder, &reading)? };
    Ok(Evaluated { score, reading })
}

/// Scores a reading against the truth of its folder.
pub fn score_of(folder: &Path, reading: &Reading) -> Result<PairScore, Error> {
    let path = folder.join("truth.json");
    let truth = serde_json::from_slice(&bytes(&path)?).map_err(|source| Error::Truth { path, source })?;
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(score::score(name, &truth, reading))
}

/// How often readings with an error ask for a reviewer, and how often those without do.
pub fn doubts(totals: &Totals) -> String {
    let ((doubted, wrong), (alarmed, right)) = (totals.doubted, totals.alarmed);
    format!(
        "{doubted} of {wrong} readings with an error ask for a reviewer, {alarmed} of {right} without one"
    )
}

/// Reads a pair as the service does, and says how many pages its documents have.
pub fn reading(folder: &Path, recogniser: Option<&dyn Recognise>) -> Result<(Reading, usize), Error> {
    let options = Options { recogniser, ..Options::default() };
    let paper = document(&folder.join("paper.pdf"), &options)?;
    let scheme = document(&folder.join("scheme.pdf"), &options)?;
    Ok((join::read(&paper, &scheme), paper.pages.len() + scheme.pages.len()))
}

fn bytes(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })
}

fn document(path: &Path, options: &Options<'_>) -> Result<reader::page::Document, Error> {
    reader::pages(&bytes(path)?, options).map_err(|source| Error::Document { path: path.to_owned(), source })
}
