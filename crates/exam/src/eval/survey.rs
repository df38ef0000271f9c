//! What can be said of a reading without a truth to hold it against: does it meet the printed total, has every
//! part marks and a key, and does it doubt itself.

use super::{Error, bytes, document};
use crate::join::{self, Reading, Warning};
use domain::marks::Marks;
use domain::question::{self, AnswerKey, Question};
use reader::Options;
use reader::page::Document;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A pair of documents that nobody has read for us.
#[derive(Clone, Debug)]
pub struct Unread {
    /// Its folder's name.
    pub name: String,
    /// Where its documents lie.
    pub folder: PathBuf,
    /// The total that is known of it.
    pub total: Option<f64>,
}

/// What a reading says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// How many questions.
    pub questions: usize,
    /// How many parts without parts.
    pub leaves: usize,
    /// How many of those have marks.
    pub marked: usize,
    /// How many have a key.
    pub keyed: usize,
    /// What a candidate can earn.
    pub sum: Option<Marks>,
    /// What the paper prints, as it was read.
    pub printed: Option<Marks>,
    /// True when the reading asks for a reviewer.
    pub doubts: bool,
}

/// The pairs of a folder, in order, with what its `index.json` knows of them.
pub fn pairs(folder: &Path) -> Result<Vec<Unread>, Error> {
    let failed = |source| Error::File { path: folder.to_owned(), source };
    let known = totals(&folder.join("index.json"));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.join("paper.pdf").is_file() {
            found.push(Unread { total: known.get(&name).copied(), name, folder: path });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The totals that an index gives, by folder. Without an index none are known.
fn totals(index: &Path) -> HashMap<String, f64> {
    let list: Vec<Value> =
        fs::read(index).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let known = |entry: &Value| {
        let total = entry["printed_total"].as_f64().or_else(|| entry["total_by_sum"].as_f64())?;
        Some((entry["folder"].as_str()?.to_owned(), total))
    };
    list.iter().filter_map(known).collect()
}

/// The paper and the scheme of a pair. With a folder to keep pages in, each document's pages are read once and
/// taken from there afterwards.
pub fn documents(
    pair: &Unread,
    options: &Options<'_>,
    kept: Option<&Path>,
) -> Result<(Document, Document), Error> {
    let one = |file: &str| {
        let path = pair.folder.join(file);
        let Some(kept) = kept else { return document(&path, options) };
        let copy = kept.join(format!("{}-{file}.json", pair.name));
        if copy.is_file() {
            return serde_json::from_slice(&bytes(&copy)?)
                .map_err(|source| Error::Truth { path: copy, source });
        }
        let read = document(&path, options)?;
        let failed = |source| Error::File { path: copy.clone(), source };
        fs::create_dir_all(kept).map_err(failed)?;
        let text = serde_json::to_vec(&read).map_err(|source| Error::Truth { path: copy.clone(), source })?;
        fs::write(&copy, text).map_err(failed)?;
        Ok(read)
    };
    Ok((one("paper.pdf")?, one("scheme.pdf")?))
}

/// Reads two documents and says what the reading says of itself.
pub fn survey(paper: &Document, scheme: &Document) -> (Survey, Reading) {
    let reading = join::read(paper, scheme);
    (of(&reading), reading)
}

/// What a reading says of itself.
pub fn of(reading: &Reading) -> Survey {
    let leaves: Vec<(bool, bool)> = reading.questions.iter().flat_map(leaves).collect();
    let complete = !leaves.is_empty() && leaves.iter().all(|(marked, _)| *marked);
    let doubts = [Warning::QuestionsMayBeIncomplete, Warning::AnswerKeysMissing];
    Survey {
        questions: reading.questions.len(),
        leaves: leaves.len(),
        marked: leaves.iter().filter(|(marked, _)| *marked).count(),
        keyed: leaves.iter().filter(|(_, keyed)| *keyed).count(),
        sum: complete.then(|| question::available(&reading.questions)),
        printed: reading.printed_total,
        doubts: doubts.iter().any(|doubt| reading.warnings.contains(doubt)),
    }
}

/// For each leaf of a question, whether it has marks and a key.
fn leaves(question: &Question) -> Vec<(bool, bool)> {
    let keyed = |key: &Option<AnswerKey>| key.as_ref().is_some_and(|key| !key.is_empty());
    if question.parts.is_empty() {
        return vec![(question.marks.is_some(), keyed(&question.answer_key))];
    }
    question.parts.iter().map(|part| (part.marks.is_some(), keyed(&part.answer_key))).collect()
}
