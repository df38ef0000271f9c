//! The recognition weights that travel inside the program, and how others can take their place.

use super::{cut, lexicon};
use crate::page::Document;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

static DETECTION: &[u8] = include_bytes!("../../../../models/PP-OCRv6_det_small_clean.onnx");
static RECOGNITION: &[u8] = include_bytes!("../../../../models/PP-OCRv6_rec_small_int7.onnx");

/// The weights inside the program: their files' names in `models/`, and their bytes.
pub fn embedded() -> [(&'static str, &'static [u8]); 2] {
    [("PP-OCRv6_det_small_clean.onnx", DETECTION), ("PP-OCRv6_rec_small_int7.onnx", RECOGNITION)]
}

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
    /// Not a model that can be run.
    #[error("the weights cannot be loaded")]
    Unloadable(#[from] rten::LoadError),
    /// A file that cannot be read.
    #[error("the weights cannot be read")]
    Unreadable(#[from] std::io::Error),
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

    /// The file of the network that finds lines.
    pub(super) fn detection(&self) -> Result<Cow<'_, [u8]>, WeightsError> {
        Ok(match self {
            Weights::Embedded => Cow::Borrowed(DETECTION),
            Weights::Files { detection, .. } => Cow::Owned(std::fs::read(detection)?),
            Weights::Loaded { detection, .. } => Cow::Borrowed(detection),
        })
    }

    /// The file of the network that reads lines, and its alphabet: index 0 is the blank, the last one the space.
    pub(super) fn recognition(&self, letters: Letters) -> Result<(Cow<'_, [u8]>, Vec<String>), WeightsError> {
        let file = match self {
            // Other weights than ours may be built in another way and are used whole.
            Weights::Embedded if letters != Letters::All => match european() {
                Some((shorter, alphabet)) => return Ok((Cow::Owned(shorter), alphabet)),
                None => Cow::Borrowed(RECOGNITION),
            },
            Weights::Embedded => Cow::Borrowed(RECOGNITION),
            Weights::Files { recognition, .. } => Cow::Owned(std::fs::read(recognition)?),
            Weights::Loaded { recognition, .. } => Cow::Borrowed(recognition.as_slice()),
        };
        let alphabet = alphabet(cut::metadata(&file, "character").ok_or(WeightsError::NoAlphabet)?);
        Ok((file, alphabet))
    }
}

/// Our own model with European letters alone, and these.
fn european() -> Option<(Vec<u8>, Vec<String>)> {
    let whole = alphabet(cut::metadata(RECOGNITION, "character")?);
    let kept: Vec<usize> = (0..whole.len()).filter(|class| cut::is_european(&whole[*class])).collect();
    let shorter = cut::cut(RECOGNITION, whole.len(), &kept)?;
    Some((shorter, kept.into_iter().map(|class| whole[class].clone()).collect()))
}

fn alphabet(characters: &str) -> Vec<String> {
    let known = characters.split('\n').map(str::to_owned);
    std::iter::once(String::new()).chain(known).chain([" ".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    /// Here and not whenever they are loaded: that took a quarter of a second for every document.
    #[test]
    fn the_weights_inside_the_program_are_those_that_were_recorded() {
        let recorded = include_str!("../../../../models/SHA256SUMS");
        for (name, bytes) in embedded() {
            let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(recorded.lines().any(|line| line == format!("{digest}  {name}")), "{name}: {digest}");
        }
    }
}
