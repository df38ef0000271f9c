//! `/v1/papers/{id}/review_links`

use crate::Context;
use crate::error::Error;
use crate::extract::Who;
use crate::extract::body::{Body, Empty, FromBody, Members, json};
use crate::extract::idempotency::{Once, respond};
use crate::extract::path::Id;
use crate::openapi::{EmptyObject, IdempotencyKey};
use crate::view::reply;
use crate::view::review_link::{ReviewLinkRevocationView, ReviewLinkView};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use domain::id::PaperId;
use domain::review;
use domain::text::ShortLine;
use http::StatusCode;
use utoipa::ToSchema;

/// A link to be made.
#[derive(ToSchema)]
#[schema(as = NewReviewLink, example = json!({"reviewer": "Ms Okafor", "expires_in_hours": 48}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewReviewLinkBody {
    /// Who it is for; the record of changes names them so.
    #[schema(min_length = 1, max_length = 255)]
    reviewer: String,
    /// For how many hours it works; 72 if absent.
    #[schema(minimum = 1, maximum = 720)]
    expires_in_hours: Option<u32>,
}

pub(crate) struct NewLinkMembers {
    reviewer: ShortLine,
    hours: i64,
}

impl FromBody for NewLinkMembers {
    fn from_members(members: &mut Members) -> Result<NewLinkMembers, Error> {
        members.allow(&["reviewer", "expires_in_hours"])?;
        let reviewer = members.required("reviewer", json::text(ShortLine::parse))?;
        let bounds = json::integer(*review::HOURS.start(), *review::HOURS.end());
        let hours = members.optional("expires_in_hours", bounds)?;
        Ok(NewLinkMembers { reviewer, hours: hours.unwrap_or(review::HOURS_DEFAULT) })
    }
}

/// Create a review link
///
/// Whoever opens it works on that paper without a key, until the link expires or is revoked: on the review page of one
/// that is awaiting_review (look, correct what was read, approve), or at the marking desk of one that is ready (check
/// marks, change them, release results). The URL is shown only in this answer. `Idempotency-Key` is ignored.
#[utoipa::path(
    post,
    path = "/v1/papers/{id}/review_links",
    operation_id = "review_links.create",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id.")),
    request_body = NewReviewLinkBody,
    responses((status = 201, body = ReviewLinkView))
)]
pub(crate) async fn create(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    Body(new): Body<NewLinkMembers>,
) -> Result<(StatusCode, Json<ReviewLinkView>), Error> {
    let (link, url) = context.service.create_review_link(&caller, id, new.reviewer, new.hours).await?;
    Ok((StatusCode::CREATED, Json(ReviewLinkView::new(&link, url))))
}

/// Revoke the review links of a paper
///
/// Withdraws all of them, and ends what they opened at once. `revoked` counts those that still worked.
#[utoipa::path(
    post,
    path = "/v1/papers/{id}/review_links/revoke",
    operation_id = "review_links.revoke",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id."), IdempotencyKey),
    request_body(content = Option<EmptyObject>),
    responses((status = 200, body = ReviewLinkRevocationView))
)]
pub(crate) async fn revoke(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    Once { claim, .. }: Once<Empty>,
) -> Result<Response, Error> {
    let revoked = context.service.revoke_review_links(&caller, id, claim, |&(paper, revoked)| {
        reply(200, &ReviewLinkRevocationView::new(paper, revoked), paper)
    });
    Ok(respond(revoked.await?))
}
