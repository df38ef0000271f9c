//! `/v1/submissions`

mod body;

use crate::Context;
use crate::error::Error;
use crate::extract::Who;
use crate::extract::accept::{Form, wants_csv};
use crate::extract::body::{Body, Empty};
use crate::extract::idempotency::{Once, OnceRequired, respond};
use crate::extract::path::Id;
use crate::extract::query::Query;
use crate::openapi::{Created, EmptyObject, IdempotencyKey, Paging, RequiredIdempotencyKey, Updated};
use crate::view::list::ListView;
use crate::view::marks_table::marks_table;
use crate::view::reply;
use crate::view::report::{Binary, ReportSchema, ReportView};
use crate::view::result::ResultView;
use crate::view::submission::{SubmissionStatus, SubmissionView};
use axum::Json;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Response};
pub(crate) use body::{NewStudentBody, student};
use body::{NewSubmissionBody, NewSubmissionMembers, PatchMembers, PatchSubmissionBody};
use domain::id::{Identifier as _, PaperId, SubmissionId};
use domain::paging::Seal;
use domain::report::{Section, UnknownSection};
use domain::submission::{Status, SubmissionFilter};
use http::{HeaderMap, StatusCode, header};
use utoipa::IntoParams;

/// The filters of the list of submissions.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it describes the parameters; the strict parser reads them")]
pub(crate) struct SubmissionParams {
    /// Only submissions for this paper.
    #[param(min_length = 1, max_length = 64)]
    paper_id: Option<String>,
    /// Only submissions of this student.
    #[param(min_length = 1, max_length = 255)]
    student_external_id: Option<String>,
    /// Only submissions in this status.
    #[param(inline)]
    status: Option<SubmissionStatus>,
}

/// List submissions
///
/// Newest first; asked for with `updated_after`, by change, oldest first. Filters combine. With `paper_id`,
/// `Accept: text/csv` gives the marks of all of them as one table for a spreadsheet; `limit` and `cursor` then say
/// nothing.
#[utoipa::path(
    get,
    path = "/v1/submissions",
    operation_id = "submissions.list",
    tag = "Submissions",
    params(Paging, Created, Updated, SubmissionParams),
    responses((status = 200, content((ListView<SubmissionView> = "application/json"), (String = "text/csv"))))
)]
pub(crate) async fn list(
    State(context): State<Context>,
    Who(caller): Who,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let known = [
        "limit",
        "cursor",
        "created_after",
        "created_before",
        "updated_after",
        "paper_id",
        "student_external_id",
        "status",
    ];
    let query = Query::parse(query.as_deref(), &known)?;
    let filter = SubmissionFilter {
        paper_id: query.text("paper_id", 1, 64)?.map(str::to_owned),
        student_external_id: query.text("student_external_id", 1, 255)?.map(str::to_owned),
        status: query.choice("status", Status::ALL, Status::name)?,
    };
    let seal = Seal::new("submissions")
        .with(Some(&caller.account_id.to_string()))
        .with(Some(caller.mode.name()))
        .with(filter.paper_id.as_deref())
        .with(filter.student_external_id.as_deref())
        .with(filter.status.map(Status::name));
    let (slice, seal) = query.slice(seal)?;
    if wants_csv(&headers) {
        let paper = filter.paper_id.as_deref().ok_or_else(|| Error::missing("paper_id"))?;
        let scripts = match PaperId::parse(paper) {
            Some(paper) => context.service.marks_table(&caller, paper, &filter, slice.window).await?,
            None => Vec::new(),
        };
        let kind = [
            (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
            (header::CONTENT_DISPOSITION, "attachment; filename=\"marks.csv\""),
        ];
        return Ok((kind, marks_table(&scripts)).into_response());
    }
    let page = context.service.submissions(&caller, &filter, slice, &seal).await?;
    Ok(Json(ListView::new(page, |submission| SubmissionView::from(submission))).into_response())
}

/// Create a submission
///
/// One student's script for a ready paper. It is marked in the background, in order of arrival.
#[utoipa::path(
    post,
    path = "/v1/submissions",
    operation_id = "submissions.create",
    tag = "Submissions",
    params(RequiredIdempotencyKey),
    request_body = NewSubmissionBody,
    responses((status = 201, body = SubmissionView))
)]
pub(crate) async fn create(
    State(context): State<Context>,
    Who(caller): Who,
    OnceRequired(Once { body, claim }): OnceRequired<NewSubmissionMembers>,
) -> Result<Response, Error> {
    let new = body.checked(caller.mode, context.service.reach())?;
    let reply = context
        .service
        .create_submission(&caller, new, claim, |made| reply(201, &SubmissionView::from(made), made.id));
    Ok(respond(reply.await?))
}

/// Retrieve a submission
#[utoipa::path(
    get,
    path = "/v1/submissions/{id}",
    operation_id = "submissions.retrieve",
    tag = "Submissions",
    params(("id" = String, Path, description = "The submission's id.")),
    responses((status = 200, body = SubmissionView))
)]
pub(crate) async fn show(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<SubmissionId>,
) -> Result<Json<SubmissionView>, Error> {
    let submission = context.service.submission(&caller, id).await?;
    Ok(Json(SubmissionView::from(&submission)))
}

/// Change a submission
///
/// What is absent stays as it is; `student.name: null` clears it; `metadata` replaces the whole map.
#[utoipa::path(
    patch,
    path = "/v1/submissions/{id}",
    operation_id = "submissions.update",
    tag = "Submissions",
    params(("id" = String, Path, description = "The submission's id.")),
    request_body = PatchSubmissionBody,
    responses((status = 200, body = SubmissionView))
)]
pub(crate) async fn patch(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<SubmissionId>,
    Body(PatchMembers(patch)): Body<PatchMembers>,
) -> Result<Json<SubmissionView>, Error> {
    let submission = context.service.patch_submission(&caller, id, patch).await?;
    Ok(Json(SubmissionView::from(&submission)))
}

/// Delete a submission
///
/// With its result, report and files. Deleting a student's last submission removes the student's `external_id` and
/// name. Its events remain, with the object reduced to `id`, `object` and `deleted`.
#[utoipa::path(
    delete,
    path = "/v1/submissions/{id}",
    operation_id = "submissions.delete",
    tag = "Submissions",
    params(("id" = String, Path, description = "The submission's id.")),
    responses((status = 204, description = "Deleted."))
)]
pub(crate) async fn delete(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<SubmissionId>,
) -> Result<StatusCode, Error> {
    context.service.delete_submission(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Cancel a submission
///
/// While it is queued or processing. Nothing is charged.
#[utoipa::path(
    post,
    path = "/v1/submissions/{id}/cancel",
    operation_id = "submissions.cancel",
    tag = "Submissions",
    params(("id" = String, Path, description = "The submission's id."), IdempotencyKey),
    request_body(content = Option<EmptyObject>),
    responses((status = 200, body = SubmissionView))
)]
pub(crate) async fn cancel(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<SubmissionId>,
    Once { claim, .. }: Once<Empty>,
) -> Result<Response, Error> {
    let reply = context.service.cancel_submission(&caller, id, claim, |canceled| {
        reply(200, &SubmissionView::from(canceled), canceled.id)
    });
    Ok(respond(reply.await?))
}

/// Release a submission
///
/// Makes a graded result final.
#[utoipa::path(
    post,
    path = "/v1/submissions/{id}/release",
    operation_id = "submissions.release",
    tag = "Submissions",
    params(("id" = String, Path, description = "The submission's id."), IdempotencyKey),
    request_body(content = Option<EmptyObject>),
    responses((status = 200, body = SubmissionView))
)]
pub(crate) async fn release(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<SubmissionId>,
    Once { claim, .. }: Once<Empty>,
) -> Result<Response, Error> {
    let reply = context.service.release_submission(&caller, id, claim, |released| {
        reply(200, &SubmissionView::from(released), released.id)
    });
    Ok(respond(reply.await?))
}

/// Retrieve a result
///
/// From graded on; provisional until it is released.
#[utoipa::path(
    get,
    path = "/v1/submissions/{id}/result",
    operation_id = "submissions.result",
    tag = "Submissions",
    params(("id" = String, Path, description = "The submission's id.")),
    responses((status = 200, body = ResultView))
)]
pub(crate) async fn result(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<SubmissionId>,
) -> Result<Json<ResultView>, Error> {
    let (submission, result) = context.service.result(&caller, id).await?;
    Ok(Json(ResultView::new(&submission, result)))
}

/// The parameter of a report.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it describes the parameter; the strict parser reads it")]
pub(crate) struct ReportParams {
    /// Only these sections, with commas between: summary, questions, feedback, evidence, statistics, marking. All
    /// of them if absent.
    #[param(min_length = 1, max_length = 100, example = "summary,feedback")]
    sections: Option<String>,
}

/// Retrieve a report
///
/// Once the submission is released. `Accept: text/html` gives a page to read and print, `Accept: application/pdf`
/// the annotated script, anything else JSON.
#[utoipa::path(
    get,
    path = "/v1/submissions/{id}/report",
    operation_id = "submissions.report",
    tag = "Submissions",
    params(("id" = String, Path, description = "The submission's id."), ReportParams),
    responses((status = 200, content(
        (ReportSchema = "application/json"),
        (String = "text/html"),
        (inline(Binary) = "application/pdf"),
    )))
)]
pub(crate) async fn report(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<SubmissionId>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let query = Query::parse(query.as_deref(), &["sections"])?;
    let sections = Section::parse(query.text("sections", 1, 100)?).map_err(|UnknownSection(name)| {
        let names: Vec<&str> = Section::ALL.into_iter().map(Section::name).collect();
        Error::invalid("sections", format_args!("has no section {name:?}: there are {}", names.join(", ")))
    })?;
    let (submission, report) = context.service.report(&caller, id, &sections).await?;
    match Form::wanted(&headers) {
        Form::Json => Ok(Json(ReportView::new(&submission, &report)).into_response()),
        Form::Html => {
            let page = service::reports::page(&report);
            let headers = [
                (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                (header::CONTENT_SECURITY_POLICY, &page.policy),
            ];
            Ok((headers, page.html).into_response())
        }
        Form::Pdf => {
            let bytes = context.service.report_pdf(&submission, report).await?;
            Ok(([(header::CONTENT_TYPE, "application/pdf")], bytes).into_response())
        }
    }
}
