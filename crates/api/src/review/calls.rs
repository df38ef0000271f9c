//! The calls of the page's script: look, edit, approve, see a page.

use super::problem::Problem;
use super::sent::Sent;
use super::session::{Changing, Looking};
use super::view::{self, BoxBody, EditedBody, PaperBody, StateBody};
use crate::Context;
use crate::error::{Code, Error};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use service::pictures::Side;

/// The paper with its questions; nothing when the page has them as they are.
pub(super) async fn paper(
    State(context): State<Context>,
    Looking(link): Looking,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let paper = context.service.reviewed_paper(&link).await?;
    let tag = format!("\"{}\"", view::revision(&paper));
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return Ok(StatusCode::NOT_MODIFIED.into_response());
    }
    let reviewed = context.service.reviewed(&link).await?;
    let tag = format!("\"{}\"", view::revision(&reviewed.paper));
    let mut response = Json(StateBody::new(&link, &reviewed)).into_response();
    let tag = HeaderValue::from_str(&tag).expect("a revision is a name and a number");
    response.headers_mut().insert(header::ETAG, tag);
    Ok(response)
}

/// Changes questions.
pub(super) async fn edit(
    State(context): State<Context>,
    Changing(link): Changing,
    Sent(bytes): Sent,
) -> Result<Json<EditedBody>, Problem> {
    let edit = view::edit(&bytes).map_err(Problem::Wrong)?;
    let edited = context.service.edit_reviewed(&link, edit).await?;
    Ok(Json(EditedBody::from(&edited)))
}

/// What stands in a box on a page of the question paper.
pub(super) async fn boxed(
    State(context): State<Context>,
    Changing(link): Changing,
    Sent(bytes): Sent,
) -> Result<Json<BoxBody>, Problem> {
    let region = view::region(&bytes).map_err(Problem::Wrong)?;
    Ok(Json(BoxBody { text: context.service.boxed_text(&link, &region).await? }))
}

/// Approves the paper.
pub(super) async fn approve(
    State(context): State<Context>,
    Changing(link): Changing,
) -> Result<Json<PaperBody>, Problem> {
    let paper = context.service.approve_reviewed(&link).await?;
    Ok(Json(PaperBody::from(&paper)))
}

/// A page as a picture. The paper's id in the path keeps a page that shows another paper from mixing the two.
pub(super) async fn picture(
    State(context): State<Context>,
    Looking(link): Looking,
    Path((paper, document, page)): Path<(String, String, String)>,
) -> Result<Response, Problem> {
    if paper != link.paper_id.to_string() {
        return Err(Problem::OtherPaper);
    }
    let picture = match (Side::parse(&document), page.parse::<u32>()) {
        (Some(side), Ok(page)) => context.service.page_picture(&link, side, page).await?,
        _ => None,
    };
    match picture {
        Some(bytes) => Ok(([(header::CONTENT_TYPE, "image/jpeg")], bytes).into_response()),
        None => Err(Error::new(Code::ResourceMissing, "There is no picture of this page.").into()),
    }
}
