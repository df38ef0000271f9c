//! LTI 1.3: learning platforms that launch the desk, and marks that go back to them.

mod launch;
mod score;
mod token;

pub use launch::{Expected, Launch, Role};
pub use score::{ScoreStatus, later_than, score_url};
pub use token::{TOKEN_BYTES_MAX, Token};

use crate::account::Owner;
use crate::id::{LtiLinkId, LtiPlatformId, LtiScoreId, PaperId, SubmissionId};
use crate::paper::Status;
use jiff::{SignedDuration, Timestamp};

/// Where a platform begins a login, relative to our own address.
pub const LOGIN_PATH: &str = "/lti/login";
/// Where a platform sends the browser with its token.
pub const LAUNCH_PATH: &str = "/lti/launch";
/// Where a platform finds the key that we sign with.
pub const KEYS_PATH: &str = "/lti/jwks";

/// How long a login may take from its beginning to the launch.
pub const LOGIN_WITHIN: SignedDuration = SignedDuration::from_mins(10);
/// For how many hours the desk stays open that a launch opened.
pub const LAUNCH_HOURS: i64 = 12;
/// How long a score is tried to be sent.
pub const SCORE_TRIED_FOR: SignedDuration = SignedDuration::from_hours(3 * 24);
/// What we must be allowed to do to send scores.
pub const SCORE_SCOPE: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
/// The claim that names a deployment.
pub const DEPLOYMENT_CLAIM: &str = "https://purl.imsglobal.org/spec/lti/claim/deployment_id";

/// What an operator says of a platform that may launch us, for one account and mode: one deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// Whose papers it opens.
    pub owner: Owner,
    /// What it calls itself.
    pub issuer: String,
    /// What it calls us.
    pub client_id: String,
    /// What it calls this installation of us.
    pub deployment_id: String,
    /// Where browsers are sent to be told who they are.
    pub login_url: String,
    /// Where the keys are that it signs with.
    pub keys_url: String,
    /// Where it gives access tokens.
    pub token_url: String,
    /// What it wants to be called when it is asked for a token; `None` for the token URL.
    pub audience: Option<String>,
}

/// A platform that is registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Platform {
    /// Its id.
    pub id: LtiPlatformId,
    /// What is known of it.
    pub registration: Registration,
    /// When it was registered.
    pub created_at: Timestamp,
}

impl std::ops::Deref for Platform {
    type Target = Registration;

    fn deref(&self) -> &Registration {
        &self.registration
    }
}

/// A resource link of a platform, and the paper that it opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its id.
    pub id: LtiLinkId,
    /// The platform that it is on.
    pub platform_id: LtiPlatformId,
    /// What the platform calls it.
    pub resource_link_id: String,
    /// The paper.
    pub paper_id: PaperId,
    /// The column of the platform's gradebook that marks go to, where it lets us send any.
    pub line_item: Option<String>,
    /// When it was first launched or bound.
    pub created_at: Timestamp,
}

/// A mark on its way to a platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// Its id.
    pub id: LtiScoreId,
    /// Where it goes.
    pub link_id: LtiLinkId,
    /// Whose mark it is.
    pub submission_id: SubmissionId,
    /// The paper.
    pub paper_id: PaperId,
    /// How far it came.
    pub status: ScoreStatus,
    /// How often it was sent.
    pub attempts: u32,
    /// The time that it carried last: each sending carries a later one.
    pub sent_at: Option<Timestamp>,
    /// Why it is not there.
    pub problem: Option<String>,
    /// Since when it is wanted.
    pub created_at: Timestamp,
}

/// Why a platform's browser is not let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A parameter is missing, too long, or there twice.
    Parameter(&'static str),
    /// The platform is not registered here.
    Unregistered,
    /// It is registered more than once and does not say which it means.
    Ambiguous,
    /// The login is to lead elsewhere than to us.
    ForeignTarget,
    /// The platform says that something went wrong there.
    Platform(String),
    /// The launch follows no login that was begun in this browser, or one that was begun too long ago.
    NoLogin,
    /// The token is too large, or is none.
    Malformed,
    /// It is signed in another way than RS256, or not at all.
    Algorithm,
    /// It is signed with a key that the platform does not publish.
    UnknownKey,
    /// The platform's keys cannot be fetched now.
    KeysUnavailable,
    /// Its signature is wrong.
    Signature,
    /// It is from somebody else.
    Issuer,
    /// It is for somebody else.
    Audience,
    /// It is too old.
    Expired,
    /// It is from the future.
    NotYet,
    /// It answers another login.
    Nonce,
    /// It was used before.
    Replayed,
    /// It is of a deployment that is not registered here.
    Deployment,
    /// It is no LTI 1.3 launch of a resource link.
    Message,
    /// The account is suspended.
    Suspended,
    /// Nobody has said which paper the link opens.
    NoPaper {
        /// The platform as we call it.
        platform: LtiPlatformId,
        /// The link as the platform calls it.
        resource_link_id: String,
    },
    /// The account has no such paper.
    UnknownPaper,
    /// The paper cannot be looked at now.
    PaperNotOpen(Status),
}
