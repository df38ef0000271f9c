//! LTI 1.3: learning platforms launch the marking desk, and released marks go back to them.
//!
//! A launch is three steps of one browser: the platform begins a login here, we send the browser to the platform, and
//! the platform sends it back with a signed token. Between the steps everything is in a sealed cookie, so that nobody
//! fills our tables by beginning logins; a launch that was used is written down until its login would have ended. What a
//! launch opens is a review link like any other.

mod admin;
mod key;
mod launch;
mod login;
mod scores;
mod theirs;
mod token;

pub use key::KeyProblem;
pub use launch::Opened;
pub use login::{Login, LoginRequest};
pub use store::lti::scores::{Listed, Which};

use crate::Error;
use domain::id::LtiPlatformId;
use domain::lti::Refused;
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Who we say we are to platforms.
const AGENT: &str = "Service-LTI/1";
/// Platforms that something is remembered of in this process.
const REMEMBERED_MAX: usize = 10_000;

/// Why a platform's browser is not let in.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// A rule of LTI, or nothing here to open.
    #[error("the launch is refused: {0:?}")]
    Refused(Refused),
    /// Anything that can go wrong elsewhere too.
    #[error(transparent)]
    Other(#[from] Error),
}

impl From<Refused> for LaunchError {
    fn from(refused: Refused) -> LaunchError {
        LaunchError::Refused(refused)
    }
}

impl From<store::Error> for LaunchError {
    fn from(error: store::Error) -> LaunchError {
        LaunchError::Other(error.into())
    }
}

/// What this process remembers of platforms, so that they are not asked for every launch and every mark.
#[derive(Debug, Default)]
pub(crate) struct Platforms {
    keys: Remembered<Arc<theirs::Keys>>,
    tokens: Remembered<token::AccessToken>,
}

/// Something of each platform, with the time that it is from.
#[derive(Debug)]
struct Remembered<T>(Mutex<HashMap<LtiPlatformId, (T, Timestamp)>>);

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Remembered(Mutex::default())
    }
}

impl<T: Clone> Remembered<T> {
    fn get(&self, id: LtiPlatformId) -> Option<(T, Timestamp)> {
        self.lock().get(&id).cloned()
    }

    fn put(&self, id: LtiPlatformId, value: T, now: Timestamp) {
        let mut all = self.lock();
        if all.len() >= REMEMBERED_MAX {
            all.clear();
        }
        all.insert(id, (value, now));
    }

    fn forget(&self, id: LtiPlatformId) {
        self.lock().remove(&id);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<LtiPlatformId, (T, Timestamp)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
