//! What judges meaning: the models inside the program, and a larger judge of points where the operator brings its file.

use larger_judge::{LargerJudge, Verdicts};
use marker::meaning::{Counsel, Semantic};
use marker::outcome::ModelIdentity;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why there is no judge.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program is damaged.
    #[error(transparent)]
    Model(#[from] marker::meaning::ModelError),
    /// The operator's file is not used.
    #[error("the file {path} of the setting judge.model is not used: {source}")]
    Larger {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: larger_judge::Error,
    },
}

/// Whether a file can be the larger judge's, without reading it: so that a server does not begin with another.
///
/// # Errors
/// When it cannot be read or has another size.
pub fn glance(larger: Option<&Path>) -> Result<(), Error> {
    let Some(path) = larger else { return Ok(()) };
    LargerJudge::glance(path).map_err(|source| Error::Larger { path: path.to_owned(), source })
}

/// Loads what judges meaning.
///
/// # Errors
/// When the program is damaged, or the larger judge's file is another.
pub fn load(larger: Option<&Path>) -> Result<Semantic, Error> {
    let Some(path) = larger else { return Ok(Semantic::load()?) };
    let judge = LargerJudge::open(path).map_err(|source| Error::Larger { path: path.to_owned(), source })?;
    Ok(Semantic::load_with(Arc::new(Larger(judge)))?)
}

/// The larger judge as the marker asks it.
#[derive(Debug)]
struct Larger(LargerJudge);

impl Counsel for Larger {
    fn verdicts(&self, question: &str, points: &[Vec<&str>], answer: &str) -> Vec<[f32; 4]> {
        let said = self.0.verdicts(question, points, answer);
        let listed =
            |Verdicts { credited, vague, contradicted, missing }| [credited, vague, contradicted, missing];
        said.into_iter().map(listed).collect()
    }

    fn identity(&self) -> ModelIdentity {
        ModelIdentity { name: larger_judge::NAME.into(), checksum: larger_judge::CHECKSUM.into() }
    }
}
