//! How a command fails: one sentence on stderr, and an exit code.

use std::io;

use crate::{app, config};
use domain::refusal::Refusal;

/// Why a command did not do what it was asked to: one sentence, and the exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) sentence: String,
    pub(crate) code: u8,
}

impl Failure {
    /// What was asked for could not be done.
    pub(crate) fn new(sentence: impl Into<String>) -> Failure {
        Failure { sentence: sentence.into(), code: 1 }
    }

    /// The settings or the options are wrong.
    pub(crate) fn settings(sentence: impl Into<String>) -> Failure {
        Failure { sentence: sentence.into(), code: 2 }
    }
}

impl From<config::Error> for Failure {
    fn from(error: config::Error) -> Failure {
        Failure::settings(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::new(format!("The answer cannot be written: {error}."))
    }
}

impl From<app::Error> for Failure {
    fn from(error: app::Error) -> Failure {
        match error {
            app::Error::Service(error @ service::Error::OtherMasterKey) => error.into(),
            other => Failure::new(other.to_string()),
        }
    }
}

/// What an operator reads who started a process with the wrong key.
pub(crate) const OTHER_MASTER_KEY: &str = "The secrets in the database are sealed under another master key; \
     give that one (the file master.key of the data folder, or the setting master_key).";

impl From<service::Error> for Failure {
    fn from(error: service::Error) -> Failure {
        use service::Error::{Broken, Missing, OtherMasterKey, Refused, Unavailable};
        Failure::new(match error {
            Refused { refusal, .. } => refused(&refusal),
            Missing { kind, id, .. } => format!("There is no {kind} {id}."),
            OtherMasterKey => OTHER_MASTER_KEY.to_owned(),
            Unavailable(error) | Broken(error) => format!("The command failed: {error}."),
        })
    }
}

/// What a rule says to the operator.
fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::InsufficientCredits { needed, available } => {
            format!("Only {} credits are available, so {} cannot be taken away.", available.0, needed.0)
        }
        Refusal::EndpointDisabled { endpoint_id } => {
            format!("The webhook endpoint {endpoint_id} is disabled; enable it first.")
        }
        Refusal::LtiPlatformExists => {
            "This deployment is registered already: see `tickmark lti list`, remove it first.".to_owned()
        }
        Refusal::TooManyLtiLinks { most } => format!("At most {most} links may lead to one paper."),
        Refusal::TooManyCredits { most } => format!("A balance holds at most {} credits.", most.0),
        other => format!("The command is refused: {other:?}."),
    }
}
