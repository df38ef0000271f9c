//! A larger judge of points, for operators who have the patience: an openly licensed network of 1.5 billion weights, as
//! the file that the operator brings, with adapters of ours that teach it to judge (`training/teach_large_judge.py`).
//!
//! It is asked as the built-in judge is: question, point and answer together, four verdicts. The same file gives the
//! same verdicts every time.

#![warn(missing_docs)]

mod adapters;
mod gguf;
mod network;
mod quants;
mod tokens;

use gguf::Header;
use network::Network;
use sha2::{Digest as _, Sha256};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tokens::Vocabulary;

/// The file that the adapters were taught with.
pub const FILE: &str = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf";
/// Its SHA-256: with any other the adapters would say something else.
pub const CHECKSUM: &str = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046";
/// Its size, which tells most other files before they are read.
pub const BYTES: u64 = 1_117_320_768;
/// What the judge is called in results: another name for other adapters.
pub const NAME: &str = "tickmark-points-large-1";

/// The adapters inside the program: their file's name in `models/`, and their bytes.
pub fn embedded() -> (&'static str, &'static [u8]) {
    ("larger-judge/adapters.bin", adapters::BYTES)
}

/// The longest text that it was taught with, in pieces.
const PIECES_MAX: usize = 384;
/// Characters at the end of a question that are read: a question asks at its end.
const QUESTION_CHARACTERS: usize = 600;
/// Longer answers and points are cut before they are split into pieces.
const CHARACTERS_MAX: usize = 8_000;
const POINT_CHARACTERS: usize = 600;

/// Why a file is not used.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be read.
    #[error("it cannot be read ({0})")]
    Unreadable(std::io::ErrorKind),
    /// It is another file.
    #[error("it is another file than {FILE} with the SHA-256 {CHECKSUM}")]
    Other,
    /// It is no such model.
    #[error("{0}")]
    NoModel(&'static str),
    /// The adapters are not those of this version.
    #[error("the adapters do not fit it")]
    Adapters,
}

/// What an answer says of a point: probabilities that add up to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdicts {
    /// It makes the point.
    pub credited: f32,
    /// It touches the point without making it.
    pub vague: f32,
    /// It says the opposite, or something wrong in its place.
    pub contradicted: f32,
    /// It says nothing of it.
    pub missing: f32,
}

/// The larger judge, loaded.
#[derive(Debug)]
pub struct LargerJudge {
    vocabulary: Vocabulary,
    /// One text at a time has all cores.
    network: Mutex<Network>,
}

impl LargerJudge {
    /// Whether a file can be the one that is wanted, without reading it.
    ///
    /// # Errors
    /// When it cannot be read or has another size.
    pub fn glance(path: &Path) -> Result<(), Error> {
        let found = std::fs::metadata(path).map_err(|error| unreadable(&error))?;
        if found.is_file() && found.len() == BYTES { Ok(()) } else { Err(Error::Other) }
    }

    /// Reads the operator's file, about a gigabyte, which stays in memory.
    ///
    /// # Errors
    /// When it is not the file that the adapters were taught with.
    pub fn open(path: &Path) -> Result<LargerJudge, Error> {
        LargerJudge::glance(path)?;
        let file = std::fs::read(path).map_err(|error| unreadable(&error))?;
        let sum: String = Sha256::digest(&file).iter().map(|byte| format!("{byte:02x}")).collect();
        if sum != CHECKSUM {
            return Err(Error::Other);
        }
        let header = Header::read(&file)?;
        let vocabulary = Vocabulary::of(&header)?;
        Ok(LargerJudge { vocabulary, network: Mutex::new(Network::open(file, &header)?) })
    }

    /// What an answer says of each of these points; a point is given by all its wordings.
    pub fn verdicts(&self, question: &str, points: &[Vec<&str>], answer: &str) -> Vec<Verdicts> {
        let texts: Vec<Vec<u32>> = points.iter().map(|point| self.pieces(question, point, answer)).collect();
        let said = self.network.lock().unwrap_or_else(PoisonError::into_inner).verdicts(&texts);
        let named = |[credited, vague, contradicted, missing]: [f32; 4]| Verdicts {
            credited,
            vague,
            contradicted,
            missing,
        };
        said.into_iter().map(named).collect()
    }

    /// The text that is read, in the words that it was taught with; of a long answer the beginning.
    fn pieces(&self, question: &str, wordings: &[&str], answer: &str) -> Vec<u32> {
        let point: String = wordings.join(" / ").chars().take(POINT_CHARACTERS).collect();
        let question = tail(question, QUESTION_CHARACTERS);
        let mut kept = answer.chars().count().min(CHARACTERS_MAX);
        loop {
            let answer: String = answer.chars().take(kept).collect();
            let text = format!(
                "Question: {question}\nMark point: {point}\nStudent's answer: {answer}\nDoes the answer make this point?"
            );
            let pieces = self.vocabulary.pieces(&text);
            if pieces.len() <= PIECES_MAX || kept == 0 {
                return pieces;
            }
            kept = kept * 7 / 8;
        }
    }
}

fn unreadable(error: &std::io::Error) -> Error {
    Error::Unreadable(error.kind())
}

/// The last `characters` of a text.
fn tail(text: &str, characters: usize) -> &str {
    let start = text.char_indices().rev().nth(characters.saturating_sub(1)).map_or(0, |(at, _)| at);
    &text[start..]
}
