//! What the page's script sends.

use super::problem::Problem;
use crate::Context;
use crate::extract::body;
use axum::extract::{FromRequest, Request};
use bytes::Bytes;

/// The bytes of a call's JSON body, within their bound. Each call has its own way to read them.
pub(super) struct Sent(pub(super) Bytes);

impl FromRequest<Context> for Sent {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &Context) -> Result<Sent, Problem> {
        let (parts, body) = request.into_parts();
        Ok(Sent(body::bytes(&parts.headers, body).await?))
    }
}
