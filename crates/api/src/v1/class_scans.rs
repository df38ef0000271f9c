//! `/v1/papers/{id}/class_scans` and `/v1/class_scans`

mod body;

use crate::Context;
use crate::error::Error;
use crate::extract::Who;
use crate::extract::idempotency::{Once, OnceRequired, respond};
use crate::extract::path::Id;
use crate::extract::query::Query;
use crate::openapi::{IdempotencyKey, RequiredIdempotencyKey};
use crate::view::class_scan::ClassScanView;
use crate::view::reply;
use axum::Json;
use axum::extract::{RawQuery, State};
use axum::response::Response;
pub(crate) use body::scripts;
use body::{ConfirmationMembers, NewClassScanBody, NewClassScanMembers, NewConfirmationBody};
use domain::id::{ClassScanId, PaperId};
use http::StatusCode;

/// Scan a class
///
/// One PDF or a stack of photographs for a whole class, parted into scripts by the codes on cover sheets, by the number
/// of pages, or by names. The pages are looked at in the background; what comes out is a proposal that is to be
/// confirmed. Nothing is charged for it.
#[utoipa::path(
    post,
    path = "/v1/papers/{id}/class_scans",
    operation_id = "class_scans.create",
    tag = "Class scans",
    params(("id" = String, Path, description = "The paper's id."), RequiredIdempotencyKey),
    request_body = NewClassScanBody,
    responses((status = 201, body = ClassScanView))
)]
pub(crate) async fn create(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    OnceRequired(Once { body: NewClassScanMembers(new), claim }): OnceRequired<NewClassScanMembers>,
) -> Result<Response, Error> {
    let made = context
        .service
        .create_class_scan(&caller, id, new, claim, |scan| reply(201, &ClassScanView::from(scan), scan.id));
    Ok(respond(made.await?))
}

/// Retrieve a class scan
///
/// With the proposed scripts once its pages were looked at, and with their submissions once they were confirmed.
#[utoipa::path(
    get,
    path = "/v1/class_scans/{id}",
    operation_id = "class_scans.retrieve",
    tag = "Class scans",
    params(("id" = String, Path, description = "The class scan's id.")),
    responses((status = 200, body = ClassScanView))
)]
pub(crate) async fn show(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<ClassScanId>,
    RawQuery(query): RawQuery,
) -> Result<Json<ClassScanView>, Error> {
    Query::parse(query.as_deref(), &[])?;
    let scan = context.service.class_scan(&caller, id).await?;
    Ok(Json(ClassScanView::from(&scan)))
}

/// Confirm the split
///
/// Makes one submission of each script, in the background, each charged like any other. `scripts` corrects the split:
/// what it leaves out is not submitted. A script that cannot be submitted says why in `obstacle`; the scan then waits to
/// be confirmed again, and what was submitted stays. Confirming the same split again changes nothing.
#[utoipa::path(
    post,
    path = "/v1/class_scans/{id}/confirm",
    operation_id = "class_scans.confirm",
    tag = "Class scans",
    params(("id" = String, Path, description = "The class scan's id."), IdempotencyKey),
    request_body(content = Option<NewConfirmationBody>),
    responses((status = 200, body = ClassScanView))
)]
pub(crate) async fn confirm(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<ClassScanId>,
    Once { body: ConfirmationMembers(corrected), claim }: Once<ConfirmationMembers>,
) -> Result<Response, Error> {
    let confirmed = context.service.confirm_class_scan(&caller, id, corrected, claim, |scan| {
        reply(200, &ClassScanView::from(scan), scan.id)
    });
    Ok(respond(confirmed.await?))
}

/// Delete a class scan
///
/// With its pages and all that it says of students. Submissions that were made of it stay.
#[utoipa::path(
    delete,
    path = "/v1/class_scans/{id}",
    operation_id = "class_scans.delete",
    tag = "Class scans",
    params(("id" = String, Path, description = "The class scan's id.")),
    responses((status = 204, description = "Deleted."))
)]
pub(crate) async fn delete(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<ClassScanId>,
) -> Result<StatusCode, Error> {
    context.service.delete_class_scan(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
