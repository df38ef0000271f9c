//! The recognition weights that travel inside the program, and how others can take their place.

use super::{cut, lexicon};
use crate::page::Document;
use rten::Model;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

static DETECTION: &[u8] = include_bytes!("../../../../models/PP-OCRv6_det_small.onnx");
static RECOGNITION: &[u8] = include_bytes!("../../../../models/PP-OCRv6_rec_small.onnx");
static CHECKSUMS: &str = include_str!("../../../../models/SHA256SUMS");

/// Which weights to read with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Weights {
    /// Those inside the program.
    #[default]
    Embedded,
    /// ONNX files with the same inputs and outputs; the second carries its alphabet as `character`.
    Files {
        /// Finds lines.
        detection: PathBuf,
        /// Reads a line.
        recognition: PathBuf,
    },
    /// The bytes of such files.
    Loaded {
        /// Finds lines.
        detection: Vec<u8>,
        /// Reads a line.
        recognition: Vec<u8>,
    },
}

/// Which letters a document can hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Letters {
    /// Any that the recogniser knows.
    #[default]
    All,
    /// Those of European languages, with the signs of mathematics: reading is quicker.
    European,
    /// The same, and of two readings of a word the one that is English is taken.
    English,
}

impl Letters {
    /// What the answers to this paper are written with: what the paper itself is.
    pub fn of(paper: &Document) -> Letters {
        let words = || paper.pages.iter().flat_map(|page| &page.words);
        let is_european = words().next().is_some() && words().all(|word| cut::is_european(&word.text));
        match is_european {
            true if lexicon::is_english(words().map(|word| word.text.as_str())) => Letters::English,
            true => Letters::European,
            false => Letters::All,
        }
    }
}

/// Why weights cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The program's own copy is damaged.
    #[error("the weights {name} do not have the checksum that was recorded for them")]
    Damaged {
        /// The file's name under `models/`.
        name: &'static str,
    },
    /// Not a model that can be run.
    #[error("the weights cannot be loaded")]
    Unloadable(#[from] rten::LoadError),
    /// The recognition model has no alphabet.
    #[error("the recognition weights carry no alphabet")]
    NoAlphabet,
}

impl Weights {
    /// Reads files into memory, for a process that will not be able to.
    pub fn read(detection: &Path, recognition: &Path) -> std::io::Result<Weights> {
        let (detection, recognition) = (std::fs::read(detection)?, std::fs::read(recognition)?);
        Ok(Weights::Loaded { detection, recognition })
    }

    /// The model that finds lines.
    pub(super) fn detection(&self) -> Result<Model, WeightsError> {
        match self {
            Weights::Embedded => embedded("PP-OCRv6_det_small.onnx", DETECTION),
            Weights::Files { detection, .. } => Ok(Model::load_file(detection)?),
            Weights::Loaded { detection, .. } => Ok(Model::load(detection.clone())?),
        }
    }

    /// The model that reads lines, and its alphabet: index 0 is the blank, the last one the space.
    pub(super) fn recognition(&self, letters: Letters) -> Result<(Model, Vec<String>), WeightsError> {
        let model = match self {
            Weights::Embedded => embedded("PP-OCRv6_rec_small.onnx", RECOGNITION)?,
            Weights::Files { recognition, .. } => Model::load_file(recognition)?,
            Weights::Loaded { recognition, .. } => Model::load(recognition.clone())?,
        };
        let characters = model.metadata().get("character").ok_or(WeightsError::NoAlphabet)?;
        let known = characters.split('\n').map(str::to_owned);
        let alphabet: Vec<String> =
            std::iter::once(String::new()).chain(known).chain([" ".to_owned()]).collect();
        // Other weights than ours may be built in another way and are used whole.
        if letters == Letters::All || *self != Weights::Embedded {
            return Ok((model, alphabet));
        }
        let kept: Vec<usize> =
            (0..alphabet.len()).filter(|class| cut::is_european(&alphabet[*class])).collect();
        match cut::cut(RECOGNITION, alphabet.len(), &kept) {
            Some(shorter) => {
                let kept = kept.into_iter().map(|class| alphabet[class].clone()).collect();
                Ok((Model::load(shorter)?, kept))
            }
            None => Ok((model, alphabet)),
        }
    }
}

fn embedded(name: &'static str, bytes: &'static [u8]) -> Result<Model, WeightsError> {
    let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let recorded = CHECKSUMS.lines().any(|line| line == format!("{digest}  {name}"));
    if !recorded {
        return Err(WeightsError::Damaged { name });
    }
    Ok(Model::load_static_slice(bytes)?)
}
