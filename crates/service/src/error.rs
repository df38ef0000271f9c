//! What a use case can answer instead of its result.

use crate::blobs::BlobError;
use domain::refusal::Refusal;
use store::Cause;

/// Refused by a rule, missing, or broken.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule forbids it.
    #[error("refused: {refusal:?}")]
    Refused {
        /// The rule's reason.
        refusal: Refusal,
        /// Where the request named what it is about; `None` for an id in the URL.
        param: Option<String>,
    },
    /// There is no such thing, or it is another's.
    #[error("there is no {kind} {id}")]
    Missing {
        /// "paper" and the like.
        kind: &'static str,
        /// The id asked for.
        id: String,
        /// Where the request named it; `None` for an id in the URL.
        param: Option<String>,
    },
    /// This process holds another master key than the database's secrets are sealed under.
    #[error("the secrets in the database are sealed under another master key than the one given")]
    OtherMasterKey,
    /// The database or the file store is lost, busy or full; the same request may succeed later.
    #[error(transparent)]
    Unavailable(Cause),
    /// A fault of ours.
    #[error(transparent)]
    Broken(Cause),
}

impl Error {
    /// An id in the URL that names nothing of the caller's.
    pub fn missing(kind: &'static str, id: impl Into<String>) -> Error {
        Error::Missing { kind, id: id.into(), param: None }
    }

    /// Names the member of the request that it is about.
    #[must_use]
    pub fn at(self, path: impl Into<String>) -> Error {
        match self {
            Error::Refused { refusal, .. } => Error::Refused { refusal, param: Some(path.into()) },
            Error::Missing { kind, id, .. } => Error::Missing { kind, id, param: Some(path.into()) },
            other => other,
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        Error::Refused { refusal, param: None }
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Error {
        match error {
            store::Error::Unavailable(_) => Error::Unavailable(error.into()),
            broken => Error::Broken(broken.into()),
        }
    }
}

impl From<BlobError> for Error {
    fn from(error: BlobError) -> Error {
        match error {
            BlobError::Unavailable(_) | BlobError::Refused(_) => Error::Unavailable(error.into()),
            BlobError::Missing(_) => Error::Broken(error.into()),
        }
    }
}
