//! What a use case can answer instead of its result.

use domain::refusal::Refusal;

/// Refused by a rule, missing, or broken.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule forbids it.
    #[error("refused: {0:?}")]
    Refused(Refusal),
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
    /// The database is lost, busy or full; the same request may succeed later.
    #[error(transparent)]
    Unavailable(store::Error),
    /// A fault of ours.
    #[error(transparent)]
    Broken(store::Error),
}

impl Error {
    /// An id in the URL that names nothing of the caller's.
    pub fn missing(kind: &'static str, id: impl Into<String>) -> Error {
        Error::Missing { kind, id: id.into(), param: None }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        Error::Refused(refusal)
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Error {
        match error {
            store::Error::Unavailable(_) => Error::Unavailable(error),
            broken => Error::Broken(broken),
        }
    }
}
