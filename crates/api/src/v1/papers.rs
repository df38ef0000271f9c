//! `/v1/papers`

mod body;

use crate::Context;
use crate::error::Error;
use crate::extract::Who;
use crate::extract::body::{Body, Empty};
use crate::extract::idempotency::{Once, OnceRequired, respond};
use crate::extract::path::Id;
use crate::extract::query::Query;
use crate::openapi::{Created, EmptyObject, IdempotencyKey, Paging, RequiredIdempotencyKey, Updated};
use crate::view::list::ListView;
use crate::view::paper::{PaperStatus, PaperView};
use crate::view::question::QuestionView;
use crate::view::reply;
use axum::Json;
use axum::extract::{RawQuery, State};
use axum::response::Response;
pub(crate) use body::{FileReferenceBody, only_in_test_mode};
use body::{NewPaperBody, NewPaperMembers, PatchMembers, PatchPaperBody};
use domain::id::PaperId;
use domain::paging::{Page, Seal};
use domain::paper::{PaperFilter, Status};
use http::StatusCode;
use utoipa::IntoParams;

/// The filters of the list of papers.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it describes the parameters; the strict parser reads them")]
pub(crate) struct PaperParams {
    /// Only papers in this status.
    #[param(inline)]
    status: Option<PaperStatus>,
    /// Only papers of this subject.
    #[param(min_length = 1, max_length = 64)]
    subject_id: Option<String>,
    /// Only the paper with this reference.
    #[param(min_length = 1, max_length = 255)]
    external_id: Option<String>,
}

/// List papers
///
/// Newest first; asked for with `updated_after`, by change, oldest first. Filters combine.
#[utoipa::path(
    get,
    path = "/v1/papers",
    operation_id = "papers.list",
    tag = "Papers",
    params(Paging, Created, Updated, PaperParams),
    responses((status = 200, body = ListView<PaperView>))
)]
pub(crate) async fn list(
    State(context): State<Context>,
    Who(caller): Who,
    RawQuery(query): RawQuery,
) -> Result<Json<ListView<PaperView>>, Error> {
    let known = [
        "limit",
        "cursor",
        "created_after",
        "created_before",
        "updated_after",
        "status",
        "subject_id",
        "external_id",
    ];
    let query = Query::parse(query.as_deref(), &known)?;
    let filter = PaperFilter {
        status: query.choice("status", Status::ALL, Status::name)?,
        subject_id: query.text("subject_id", 1, 64)?.map(str::to_owned),
        external_id: query.text("external_id", 1, 255)?.map(str::to_owned),
    };
    let seal = Seal::new("papers")
        .with(Some(&caller.account_id.to_string()))
        .with(Some(caller.mode.name()))
        .with(filter.status.map(Status::name))
        .with(filter.subject_id.as_deref())
        .with(filter.external_id.as_deref());
    let (slice, seal) = query.slice(seal)?;
    let page = context.service.papers(&caller, &filter, slice, &seal).await?;
    Ok(Json(ListView::new(page, |paper| PaperView::from(paper))))
}

/// Create a paper
///
/// The documents are read in the background; the paper then awaits review. Its credits are set aside now when its
/// pages are known, and charged when it has been read.
#[utoipa::path(
    post,
    path = "/v1/papers",
    operation_id = "papers.create",
    tag = "Papers",
    params(RequiredIdempotencyKey),
    request_body = NewPaperBody,
    responses((status = 201, body = PaperView))
)]
pub(crate) async fn create(
    State(context): State<Context>,
    Who(caller): Who,
    OnceRequired(Once { body, claim }): OnceRequired<NewPaperMembers>,
) -> Result<Response, Error> {
    let new = body.checked(caller.mode, context.service.reach())?;
    let reply = context
        .service
        .create_paper(&caller, new, claim, |paper| reply(201, &PaperView::from(paper), paper.id))
        .await?;
    Ok(respond(reply))
}

/// Retrieve a paper
#[utoipa::path(
    get,
    path = "/v1/papers/{id}",
    operation_id = "papers.retrieve",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id.")),
    responses((status = 200, body = PaperView))
)]
pub(crate) async fn show(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
) -> Result<Json<PaperView>, Error> {
    let paper = context.service.paper(&caller, id).await?;
    Ok(Json(PaperView::from(&paper)))
}

/// Change a paper
///
/// What is absent stays as it is; `external_id: null` clears it; `metadata` replaces the whole map.
#[utoipa::path(
    patch,
    path = "/v1/papers/{id}",
    operation_id = "papers.update",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id.")),
    request_body = PatchPaperBody,
    responses((status = 200, body = PaperView))
)]
pub(crate) async fn patch(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    Body(PatchMembers(patch)): Body<PatchMembers>,
) -> Result<Json<PaperView>, Error> {
    let paper = context.service.patch_paper(&caller, id, patch).await?;
    Ok(Json(PaperView::from(&paper)))
}

/// Delete a paper
///
/// With its submissions, results, questions, review links and files. Its events remain, with the object reduced to
/// `id`, `object` and `deleted`.
#[utoipa::path(
    delete,
    path = "/v1/papers/{id}",
    operation_id = "papers.delete",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id.")),
    responses((status = 204, description = "Deleted."))
)]
pub(crate) async fn delete(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
) -> Result<StatusCode, Error> {
    context.service.delete_paper(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Approve a paper
///
/// The paper becomes ready and takes submissions.
#[utoipa::path(
    post,
    path = "/v1/papers/{id}/approve",
    operation_id = "papers.approve",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id."), IdempotencyKey),
    request_body(content = Option<EmptyObject>),
    responses((status = 200, body = PaperView))
)]
pub(crate) async fn approve(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    Once { claim, .. }: Once<Empty>,
) -> Result<Response, Error> {
    let reply = context
        .service
        .approve_paper(&caller, id, claim, |paper| reply(200, &PaperView::from(paper), paper.id))
        .await?;
    Ok(respond(reply))
}

/// List the questions of a paper
///
/// All of them in one page, in paper order; none before the paper has been read.
#[utoipa::path(
    get,
    path = "/v1/papers/{id}/questions",
    operation_id = "papers.questions",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id.")),
    responses((status = 200, body = ListView<QuestionView>))
)]
pub(crate) async fn questions(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    RawQuery(query): RawQuery,
) -> Result<Json<ListView<QuestionView>>, Error> {
    Query::parse(query.as_deref(), &[])?;
    let items = context.service.paper_questions(&caller, id).await?;
    let page = Page { items, next_cursor: None };
    Ok(Json(ListView::new(page, |stored| QuestionView::new(stored, id, caller.mode))))
}
