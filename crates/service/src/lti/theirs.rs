//! The keys that a platform signs with: fetched, kept for a while, and fetched again for a key that is new.

use super::{AGENT, LaunchError};
use crate::Service;
use crate::outbound::Destination;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use domain::lti::{Platform, Refused, Token};
use domain::web_url::WebUrl;
use http::Method;
use http::header::{ACCEPT, HeaderValue, USER_AGENT};
use jiff::SignedDuration;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use serde::Deserialize;
use std::sync::Arc;

/// How long keys are used without looking again, so that one that the platform withdrew opens nothing for long.
const KEPT: SignedDuration = SignedDuration::from_mins(60);
/// Keys are fetched again for one that is unknown at most this often: anybody can name an unknown key.
const FETCHED_EVERY: SignedDuration = SignedDuration::from_secs(30);
/// The most bytes of a platform's keys.
const BYTES_MAX: usize = 48 * 1024;
/// The most keys that are looked at.
const KEYS_MAX: usize = 64;

/// A platform's keys that we can check signatures with.
#[derive(Debug)]
pub(super) struct Keys(Vec<Key>);

#[derive(Debug)]
struct Key {
    kid: String,
    n: Vec<u8>,
    e: Vec<u8>,
}

#[derive(Deserialize)]
struct Document {
    keys: Vec<Written>,
}

#[derive(Deserialize)]
struct Written {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    n: Option<String>,
    e: Option<String>,
}

impl Keys {
    fn read(bytes: &[u8]) -> Option<Keys> {
        let document: Document = serde_json::from_slice(bytes).ok()?;
        Some(Keys(document.keys.into_iter().take(KEYS_MAX).filter_map(key).collect()))
    }

    fn named(&self, kid: &str) -> Option<&Key> {
        self.0.iter().find(|key| key.kid == kid)
    }
}

/// Keys of other kinds and for other purposes are left out.
fn key(written: Written) -> Option<Key> {
    let signs = written.purpose.is_none_or(|purpose| purpose == "sig");
    let is_ours = written.kty == "RSA" && signs && written.alg.is_none_or(|alg| alg == "RS256");
    let decoded = |part: Option<String>| URL_SAFE_NO_PAD.decode(part?.trim_end_matches('=')).ok();
    is_ours.then_some(())?;
    Some(Key { kid: written.kid?, n: decoded(written.n)?, e: decoded(written.e)? })
}

impl Service {
    /// Makes sure that the platform signed the token.
    pub(super) async fn check_signature(
        &self,
        platform: &Platform,
        token: &Token<'_>,
    ) -> Result<(), LaunchError> {
        let keys = self.keys_with(platform, &token.key_id).await?;
        let Key { n, e, .. } = keys.named(&token.key_id).ok_or(Refused::UnknownKey)?;
        let checked = RsaPublicKeyComponents { n, e }.verify(
            &RSA_PKCS1_2048_8192_SHA256,
            token.signed.as_bytes(),
            &token.signature,
        );
        Ok(checked.map_err(|_| Refused::Signature)?)
    }

    /// The platform's keys; fetched again where they are old or have no key of this name.
    async fn keys_with(&self, platform: &Platform, kid: &str) -> Result<Arc<Keys>, LaunchError> {
        let now = self.now();
        if let Some((keys, fetched_at)) = self.0.platforms.keys.get(platform.id) {
            let age = now.duration_since(fetched_at);
            let is_known = keys.named(kid).is_some();
            if age < KEPT && (is_known || age < FETCHED_EVERY) {
                return Ok(keys);
            }
        }
        let keys = Arc::new(self.fetch_keys(platform).await?);
        self.0.platforms.keys.put(platform.id, Arc::clone(&keys), now);
        Ok(keys)
    }

    async fn fetch_keys(&self, platform: &Platform) -> Result<Keys, LaunchError> {
        let failed = |why: String| {
            tracing::warn!(lti.platform = %platform.id, why, "the keys of a learning platform could not be fetched");
            LaunchError::Refused(Refused::KeysUnavailable)
        };
        let url = WebUrl::parse_endpoint(&platform.keys_url, self.outbound().reach());
        let url = url.map_err(|problem| failed(format!("the URL {problem}")))?;
        let to = Destination::new(&url).map_err(|error| failed(error.to_string()))?;
        let headers = [
            (ACCEPT, HeaderValue::from_static("application/json")),
            (USER_AGENT, HeaderValue::from_static(AGENT)),
        ];
        let answer = self.outbound().exchange(Method::GET, &to, headers, Bytes::new(), BYTES_MAX).await;
        let answer = answer.map_err(|error| failed(error.to_string()))?;
        if answer.status != 200 {
            return Err(failed(format!("it answered {}", answer.status)));
        }
        Keys::read(&answer.body).ok_or_else(|| failed("its answer is no set of keys".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_of_other_kinds_and_purposes_are_left_out() {
        let rsa = |more: serde_json::Value| {
            let mut key = json!({"kty": "RSA", "kid": "k", "n": "AQAB", "e": "AQAB"});
            key.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            Keys::read(json!({"keys": [key]}).to_string().as_bytes()).expect("a document").0.len()
        };
        assert_eq!(rsa(json!({})), 1);
        assert_eq!(rsa(json!({"use": "sig", "alg": "RS256", "x5c": ["…"]})), 1);
        for other in [
            json!({"kty": "EC"}),
            json!({"kty": "oct"}),
            json!({"use": "enc"}),
            json!({"alg": "HS256"}),
            json!({"kid": null}),
            json!({"n": "?"}),
        ] {
            assert_eq!(rsa(other.clone()), 0, "{other}");
        }
        for text in ["", "[]", "{}", "{\"keys\": 1}"] {
            assert!(Keys::read(text.as_bytes()).is_none(), "{text}");
        }
    }
}
