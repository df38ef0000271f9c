//! `Idempotency-Key` with the body it came with.

use super::body::{FromBody, Members, read};
use super::query::Query;
use crate::Context;
use crate::error::{Code, Error};
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use domain::idempotency::{Claim, Fingerprint, Key};
use http::{HeaderName, HeaderValue, StatusCode, header};
use service::Caller;
use service::idempotency::Reply;

static KEY: HeaderName = HeaderName::from_static("idempotency-key");
static REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// A body that may come with an idempotency key, and the claim that key makes.
#[derive(Debug)]
pub struct Once<T> {
    /// The parsed body.
    pub body: T,
    /// `None` without a key.
    pub claim: Option<Claim>,
}

/// A body that must come with an idempotency key.
#[derive(Debug)]
pub struct OnceRequired<T>(pub Once<T>);

impl<T: FromBody> FromRequest<Context> for Once<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &Context) -> Result<Once<T>, Error> {
        once(request, false).await
    }
}

impl<T: FromBody> FromRequest<Context> for OnceRequired<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &Context) -> Result<OnceRequired<T>, Error> {
        once(request, true).await.map(OnceRequired)
    }
}

async fn once<T: FromBody>(request: Request, is_required: bool) -> Result<Once<T>, Error> {
    let (parts, body) = request.into_parts();
    let json = read(&parts.headers, body).await?;
    // The body must be an object before the key is looked at, and the key right before the members are.
    let mut canonical = Vec::new();
    if let Some(json) = &json {
        json.canonical(&mut canonical);
    }
    let mut members = Members::root(json)?;
    let key = match parts.headers.get(&KEY) {
        Some(value) => Some(Key::parse(value.as_bytes()).ok_or_else(malformed)?),
        None if is_required => return Err(missing()),
        None => None,
    };
    Query::parse(parts.uri.query(), &[])?;
    let caller = parts.extensions.get::<Caller>();
    let claim = key.zip(caller).map(|(key, caller)| Claim {
        account_id: caller.account_id,
        mode: caller.mode,
        key,
        fingerprint: Fingerprint::of(parts.method.as_str(), parts.uri.path(), &canonical),
    });
    Ok(Once { body: T::from_members(&mut members)?, claim })
}

fn malformed() -> Error {
    Error::invalid("Idempotency-Key", "must have 1 to 255 printable ASCII characters without spaces")
}

fn missing() -> Error {
    let message =
        "Send an Idempotency-Key header: a new random value for each new request, the same for a retry.";
    Error::new(Code::IdempotencyKeyMissing, message)
}

/// The answer on the wire.
pub fn respond(reply: Reply) -> Response {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
    let mut response = (status, [(header::CONTENT_TYPE, "application/json")], reply.body).into_response();
    if reply.is_replayed {
        response.headers_mut().insert(REPLAYED.clone(), HeaderValue::from_static("true"));
    }
    response
}
