//! `POST /v1/api_key/revoke`

use crate::Context;
use crate::error::Error;
use crate::extract::Who;
use crate::extract::body::{Body, Empty};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// A key that was revoked.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ApiKeyRevocation)]
pub(crate) struct RevocationView {
    /// Always `api_key`.
    #[schema(value_type = String, pattern = "^api_key$", example = "api_key")]
    object: &'static str,
    /// Always true.
    revoked: bool,
}

/// Revoke this API key
///
/// Revokes the key that makes the request, at once. Every key may do this, and repeating it is safe.
#[utoipa::path(
    post,
    path = "/v1/api_key/revoke",
    operation_id = "api_key.revoke",
    tag = "API key",
    request_body(content = Option<crate::openapi::EmptyObject>),
    responses((status = 200, body = RevocationView))
)]
pub(crate) async fn revoke(
    State(context): State<Context>,
    Who(caller): Who,
    _: Body<Empty>,
) -> Result<Json<RevocationView>, Error> {
    context.service.revoke_key(caller.key_id).await?;
    Ok(Json(RevocationView { object: "api_key", revoked: true }))
}
