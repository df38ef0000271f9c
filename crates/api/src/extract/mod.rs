//! What handlers take from a request: who asks, a strict body, strict query parameters, an id.

pub mod accept;
pub mod body;
pub mod common;
pub mod idempotency;
pub mod json;
pub mod path;
pub mod queries;
pub mod query;

use crate::Context;
use crate::error::{Code, Error};
use axum::extract::FromRequestParts;
use http::request::Parts;
use service::Caller;

/// Who asks; put there by the checks around the handler.
#[derive(Clone, Copy, Debug)]
pub struct Who(pub Caller);

impl FromRequestParts<Context> for Who {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &Context) -> Result<Who, Error> {
        let caller = parts.extensions.get::<Caller>().copied();
        caller.map(Who).ok_or_else(|| Error::new(Code::ApiKeyMissing, "This call needs an API key."))
    }
}
