//! One attempt: write the body, sign it, post it.

use super::letters::Letter;
use crate::outbound::{self, Answer, Destination};
use crate::{Error, Service};
use domain::web_url::WebUrl;
use domain::webhook::{self, Endpoint, SigningSecret, parse_retry_after};
use http::HeaderName;
use http::header::HeaderValue;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use std::time::Instant;
use store::deliveries::{Attempt, Due};

/// Who we say we are (API text, 6.4).
const AGENT: &str = "Service-Webhooks/1";
/// The most characters of an error that are kept.
const ERROR_CHARACTERS_MAX: usize = 200;

/// An endpoint, ready to be sent to.
#[derive(Debug)]
pub(super) struct Receiver {
    pub(super) endpoint: Endpoint,
    url: Result<Destination, outbound::Error>,
    /// With the end of each.
    secrets: Vec<(SigningSecret, Option<Timestamp>)>,
}

impl Receiver {
    /// Opens the endpoint's secrets.
    pub(super) fn open(service: &Service, endpoint: Endpoint) -> Result<Receiver, Error> {
        let open = |sealed| service.0.sealer.open_secret(endpoint.id, sealed);
        let mut secrets = vec![(open(&endpoint.secret)?, None)];
        if let Some((sealed, until)) = &endpoint.old_secret {
            secrets.push((open(sealed)?, Some(*until)));
        }
        let url = WebUrl::parse_endpoint(&endpoint.url, service.outbound().reach());
        let url = url.map_err(|problem| outbound::Error::Refused(format!("the url {problem}")));
        let url = url.and_then(|url| Destination::new(&url));
        Ok(Receiver { endpoint, url, secrets })
    }

    fn sign(&self, now: Timestamp, body: &[u8]) -> String {
        let valid = self.secrets.iter().filter(|(_, until)| until.is_none_or(|until| until > now));
        webhook::sign(valid.map(|(secret, _)| secret), now.as_second(), body)
    }
}

/// What became of a delivery, to be written down.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) receiver: Arc<Receiver>,
    pub(super) attempt: Attempt,
    /// When it was first tried.
    pub(super) first_at: Timestamp,
    /// When this attempt ended.
    pub(super) ended_at: Timestamp,
    /// How long the receiver asked us to wait.
    pub(super) retry_after: Option<SignedDuration>,
    /// Chance for the next wait.
    pub(super) chance: u8,
}

impl Outcome {
    pub(super) fn is_success(&self) -> bool {
        self.attempt.status.is_some_and(|status| (200..300).contains(&status))
    }
}

/// Tries a delivery once.
pub(super) async fn deliver(
    service: &Service,
    receiver: &Arc<Receiver>,
    due: Due,
    letter: &Letter,
) -> Outcome {
    let now = service.now();
    let begun = Instant::now();
    let answer = post(service, receiver, letter, now).await;
    let elapsed = begun.elapsed();
    let ended_at = service.now();
    let (status, error, text, retry_after) = match answer {
        Ok(answer) => {
            let wait = answer.retry_after.as_deref().and_then(|text| parse_retry_after(text, ended_at));
            (Some(u32::from(answer.status)), None, text_of(&answer), wait)
        }
        Err(error) => {
            (None, Some(error.to_string().chars().take(ERROR_CHARACTERS_MAX).collect()), None, None)
        }
    };
    let attempt = Attempt {
        event_id: due.event_id,
        endpoint_id: receiver.endpoint.id,
        attempted_at: service.0.moments.next(now),
        number: due.attempts + 1,
        is_resend: due.is_resend,
        status,
        error,
        answer: text,
        duration_ms: u32::try_from(elapsed.as_millis()).unwrap_or(u32::MAX),
    };
    let mut outcome = Outcome {
        receiver: Arc::clone(receiver),
        attempt,
        first_at: due.first_at.unwrap_or(now),
        ended_at,
        retry_after,
        chance: 0,
    };
    if !outcome.is_success() {
        [outcome.chance] = domain::random::bytes(service.random());
    }
    let label = if outcome.is_success() { "delivered" } else { "failed" };
    metrics::counter!("tickmark_deliveries_total", "outcome" => label).increment(1);
    metrics::histogram!("tickmark_delivery_seconds").record(elapsed.as_secs_f64());
    outcome
}

async fn post(
    service: &Service,
    receiver: &Receiver,
    letter: &Letter,
    now: Timestamp,
) -> Result<Answer, outbound::Error> {
    let url = receiver.url.as_ref().map_err(outbound::Error::again)?;
    let body = letter.body.clone();
    let body = body.ok_or_else(|| outbound::Error::Refused("the event cannot be written".to_owned()))?;
    let signature = receiver.sign(now, &body);
    let signature = HeaderValue::from_str(&signature).expect("digits and commas are a header's value");
    let name = HeaderName::from_static(webhook::HEADER);
    service.outbound().post(url, AGENT, (name, signature), body).await
}

/// What a receiver said that refused, as text that a database can keep.
fn text_of(answer: &Answer) -> Option<String> {
    if (200..300).contains(&answer.status) || answer.body.is_empty() {
        return None;
    }
    Some(String::from_utf8_lossy(&answer.body).replace('\0', "\u{fffd}"))
}
