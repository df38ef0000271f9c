//! The beginning of a launch: a platform says who wants to come, and the browser is sent there to be told so.

use super::LaunchError;
use crate::{Error, Service};
use domain::id::{Identifier as _, LtiPlatformId};
use domain::key::KeyHash;
use domain::lti::{LAUNCH_PATH, LOGIN_WITHIN, Platform, Refused};
use domain::random;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::lti;
use url::Url;

/// The place of the cookie that goes with a login.
const CONTEXT: &str = "lti login";

/// What a platform begins a login with.
#[derive(Clone, Debug)]
pub struct LoginRequest {
    /// What it calls itself.
    pub issuer: String,
    /// Whom it means, in its own words.
    pub login_hint: String,
    /// Where the launch is to lead.
    pub target: String,
    /// Which launch it means, in its own words.
    pub message_hint: Option<String>,
    /// What it calls us.
    pub client_id: Option<String>,
    /// What it calls this installation of us.
    pub deployment_id: Option<String>,
}

/// Where the browser goes, and what it brings back.
#[derive(Clone, Debug)]
pub struct Login {
    /// The platform's page.
    pub url: String,
    /// The value of the cookie.
    pub cookie: String,
}

/// A login that was begun, as the browser's cookie holds it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Begun {
    platform: String,
    state: String,
    pub(super) nonce: String,
    /// In seconds.
    until: i64,
}

impl Begun {
    pub(super) fn platform(&self) -> Option<LtiPlatformId> {
        LtiPlatformId::parse(&self.platform)
    }

    pub(super) fn until(&self) -> Timestamp {
        Timestamp::from_second(self.until).unwrap_or(Timestamp::MIN)
    }
}

impl Service {
    /// Where launches go.
    pub fn lti_launch_url(&self) -> String {
        format!("{}{LAUNCH_PATH}", self.base_url())
    }

    /// Begins a login. Nothing is written down: the browser keeps it, sealed.
    #[crate::boxed]
    pub async fn begin_lti_login(&self, asked: &LoginRequest) -> Result<Login, LaunchError> {
        let launch_url = self.lti_launch_url();
        if asked.target != launch_url {
            return Err(Refused::ForeignTarget.into());
        }
        let registered = lti::platforms_of(&mut *self.store().read().await?, &asked.issuer).await?;
        let platform = choose(registered, asked)?;
        let [state, nonce] = [(); 2].map(|()| random::base62_secret(self.random()));
        let mut url = Url::parse(&platform.login_url).map_err(|error| Error::Broken(error.into()))?;
        let mut query = url.query_pairs_mut();
        query
            .append_pair("scope", "openid")
            .append_pair("response_type", "id_token")
            .append_pair("response_mode", "form_post")
            .append_pair("prompt", "none")
            .append_pair("client_id", &platform.client_id)
            .append_pair("redirect_uri", &launch_url)
            .append_pair("login_hint", &asked.login_hint)
            .append_pair("state", &state)
            .append_pair("nonce", &nonce);
        if let Some(hint) = &asked.message_hint {
            query.append_pair("lti_message_hint", hint);
        }
        drop(query);
        let until = (self.now() + LOGIN_WITHIN).as_second();
        let begun = Begun { platform: platform.id.to_string(), state, nonce, until };
        let begun = serde_json::to_string(&begun).map_err(|error| Error::Broken(error.into()))?;
        let cookie = self.0.sealer.seal(CONTEXT, &begun, self.random());
        Ok(Login { url: url.into(), cookie })
    }

    /// The login that a launch with this state ends, if it was begun in this browser and not too long ago.
    pub(super) fn begun_login(&self, cookie: Option<&str>, state: &str) -> Result<Begun, Refused> {
        let opened = cookie.and_then(|cookie| self.0.sealer.open(CONTEXT, cookie));
        let begun: Option<Begun> = opened.and_then(|text| serde_json::from_str(&text).ok());
        let begun = begun.filter(|begun| {
            KeyHash::of(&begun.state).matches(&KeyHash::of(state)) && self.now() < begun.until()
        });
        begun.ok_or(Refused::NoLogin)
    }
}

/// The registration that a platform means. Without a client id it must have one only.
fn choose(registered: Vec<Platform>, asked: &LoginRequest) -> Result<Platform, Refused> {
    let fits = |asked: &Option<String>, own: &str| asked.as_deref().is_none_or(|asked| asked == own);
    let mut found = registered.into_iter().filter(|platform| {
        fits(&asked.client_id, &platform.client_id) && fits(&asked.deployment_id, &platform.deployment_id)
    });
    let first = found.next().ok_or(Refused::Unregistered)?;
    if found.any(|other| other.client_id != first.client_id) { Err(Refused::Ambiguous) } else { Ok(first) }
}
