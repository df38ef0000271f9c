//! Access tokens: asked for with a signed statement of who we are (RFC 7523), kept until they end.

use super::AGENT;
use crate::outbound::{Answer, Destination};
use crate::{Error, Service};
use bytes::Bytes;
use domain::lti::{DEPLOYMENT_CLAIM, Platform, SCORE_SCOPE};
use domain::random;
use domain::web_url::WebUrl;
use http::Method;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, USER_AGENT};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::json;
use url::form_urlencoded;

/// How long our statement is good for, in seconds.
const STATEMENT_SECONDS: i64 = 300;
/// The most bytes of an answer that are kept.
const BYTES_MAX: usize = 16 * 1024;
/// How long a token lasts where the platform does not say.
const SECONDS_DEFAULT: i64 = 3600;
/// And at most.
const SECONDS_MAX: i64 = 24 * 3600;
/// A token that ends sooner is not used any more: it must last until the platform has looked at it.
const MARGIN: SignedDuration = SignedDuration::from_secs(30);

/// A token and when it ends.
#[derive(Clone)]
pub(super) struct AccessToken {
    header: HeaderValue,
    until: Timestamp,
}

/// Never in a log.
impl std::fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AccessToken(…)")
    }
}

#[derive(Deserialize)]
struct Given {
    access_token: String,
    token_type: Option<String>,
    expires_in: Option<f64>,
    scope: Option<String>,
}

/// Why nothing could be sent.
#[derive(Debug)]
pub(super) enum Unsent {
    /// It may be possible later.
    Later(String),
    /// It never will.
    Never(String),
}

impl From<Error> for Unsent {
    fn from(error: Error) -> Unsent {
        Unsent::Later(error.to_string())
    }
}

impl Service {
    /// A token of the platform that lets us send scores.
    pub(super) async fn access_token(&self, platform: &Platform) -> Result<AccessToken, Unsent> {
        let now = self.now();
        if let Some((token, _)) = self.0.platforms.tokens.get(platform.id)
            && now + MARGIN < token.until
        {
            return Ok(token);
        }
        let signer = self.lti_signer().await?;
        let signer = signer.ok_or_else(|| Unsent::Later("no key is set: tickmark lti set-key".to_owned()))?;
        let audience = platform.audience.as_deref().unwrap_or(&platform.token_url);
        let statement = signer.sign(&json!({
            "iss": platform.client_id, "sub": platform.client_id, "aud": audience, "iat": now.as_second(),
            "exp": now.as_second() + STATEMENT_SECONDS, "jti": random::base62_secret(self.random()),
            DEPLOYMENT_CLAIM: platform.deployment_id,
        }))?;
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "client_credentials")
            .append_pair("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
            .append_pair("client_assertion", &statement)
            .append_pair("scope", SCORE_SCOPE)
            .finish();
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        let answer = self.post_to_platform(&platform.token_url, kind, None, form.into()).await?;
        if answer.status != 200 {
            return Err(Unsent::Later(format!("the platform gives no access token: {}", said(&answer))));
        }
        let token = given(&answer.body, now)?;
        self.0.platforms.tokens.put(platform.id, token.clone(), now);
        Ok(token)
    }

    /// Posts to an address of a platform.
    pub(super) async fn post_to_platform(
        &self,
        url: &str,
        kind: HeaderValue,
        token: Option<&AccessToken>,
        body: Bytes,
    ) -> Result<Answer, Unsent> {
        let url = WebUrl::parse_endpoint(url, self.outbound().reach());
        let url = url.map_err(|problem| Unsent::Never(format!("the platform's URL {problem}")))?;
        let to = Destination::new(&url).map_err(unreached)?;
        let mut headers: Vec<(HeaderName, HeaderValue)> = vec![
            (CONTENT_TYPE, kind),
            (ACCEPT, HeaderValue::from_static("application/json")),
            (USER_AGENT, HeaderValue::from_static(AGENT)),
        ];
        headers.extend(token.map(|token| (AUTHORIZATION, token.header.clone())));
        self.outbound().exchange(Method::POST, &to, headers, body, BYTES_MAX).await.map_err(unreached)
    }
}

fn unreached(error: crate::outbound::Error) -> Unsent {
    match error {
        crate::outbound::Error::Refused(why) => Unsent::Never(why),
        other => Unsent::Later(other.to_string()),
    }
}

/// The token that a platform gave, if it is one that we can use.
fn given(body: &[u8], now: Timestamp) -> Result<AccessToken, Unsent> {
    let later = |why: &str| Unsent::Later(format!("the platform's access token cannot be used: {why}"));
    let given: Given = serde_json::from_slice(body).map_err(|_| later("the answer is not understood"))?;
    if given.token_type.is_some_and(|kind| !kind.eq_ignore_ascii_case("bearer")) {
        return Err(later("it is no bearer token"));
    }
    let may_send = given.scope.is_none_or(|scopes| scopes.split(' ').any(|scope| scope == SCORE_SCOPE));
    if !may_send {
        return Err(later("it does not let us send scores"));
    }
    let header = HeaderValue::from_str(&format!("Bearer {}", given.access_token));
    let mut header = header.map_err(|_| later("it holds characters that no token holds"))?;
    header.set_sensitive(true);
    let seconds = given.expires_in.map_or(SECONDS_DEFAULT, |seconds| seconds as i64);
    let until = now + SignedDuration::from_secs(seconds.clamp(0, SECONDS_MAX));
    Ok(AccessToken { header, until })
}

/// What a platform answered, for the operator: the status and the beginning of the text.
pub(super) fn said(answer: &Answer) -> String {
    const SHOWN_MAX: usize = 200;
    let text = String::from_utf8_lossy(&answer.body);
    let text: String =
        text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(SHOWN_MAX).collect();
    let text = text.trim();
    let status = answer.status;
    if text.is_empty() { format!("it answered {status}") } else { format!("it answered {status}: {text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_used_only_where_it_serves() {
        let now = Timestamp::UNIX_EPOCH;
        let good =
            given(br#"{"access_token":"abc","token_type":"Bearer","expires_in":60}"#, now).expect("a token");
        assert_eq!((good.header.to_str().ok(), good.until.as_second()), (Some("Bearer abc"), 60));
        assert!(good.header.is_sensitive() && !format!("{good:?}").contains("abc"));
        let endless = given(br#"{"access_token":"abc","expires_in":1e300}"#, now).expect("a token");
        assert_eq!(endless.until.as_second(), SECONDS_MAX);
        assert_eq!(
            given(br#"{"access_token":"abc"}"#, now).expect("a token").until.as_second(),
            SECONDS_DEFAULT
        );
        for useless in [
            "",
            "{}",
            r#"{"access_token":"a\nb"}"#,
            r#"{"access_token":"abc","token_type":"mac"}"#,
            r#"{"access_token":"abc","scope":"https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"}"#,
        ] {
            assert!(given(useless.as_bytes(), now).is_err(), "{useless}");
        }
    }

    #[test]
    fn what_a_platform_says_is_told_in_one_short_line() {
        let answer = |body: &str| Answer { status: 404, retry_after: None, body: body.into() };
        assert_eq!(said(&answer("")), "it answered 404");
        assert_eq!(said(&answer("no\nsuch user")), "it answered 404: no such user");
        assert!(said(&answer(&"x".repeat(5000))).len() < 250);
    }
}
