//! `/v1/papers/{id}/covers`

use crate::Context;
use crate::error::Error;
use crate::extract::Who;
use crate::extract::accept::wants_pdf;
use crate::extract::body::{Body, FromBody, Members, json};
use crate::extract::common::items;
use crate::extract::json::Json as Parsed;
use crate::extract::path::Id;
use crate::view::cover::CoversView;
use crate::view::report::Binary;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use domain::id::PaperId;
use domain::roster::{Enrolled, Roster, STUDENTS_MAX};
use domain::submission::Student;
use domain::text::ShortLine;
use http::{HeaderMap, header};
use utoipa::ToSchema;

/// The class that sheets are made for.
#[derive(ToSchema)]
#[schema(as = NewCovers, example = json!({
    "students": [{"external_id": "s-1071", "name": "Ada Lovelace", "class": "7b"}]
}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewCoversBody {
    /// Who is expected to hand in a script: 1 to 1000, none twice.
    #[schema(min_items = 1, max_items = 1000)]
    students: Vec<NewEnrolledBody>,
}

/// A student who is expected to hand in a script.
#[derive(ToSchema)]
#[schema(as = NewEnrolledStudent)]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewEnrolledBody {
    /// The client's own reference.
    #[schema(min_length = 1, max_length = 255)]
    external_id: String,
    /// For people.
    #[schema(min_length = 1, max_length = 255)]
    name: Option<String>,
    /// The student's class, for people.
    #[schema(min_length = 1, max_length = 255)]
    class: Option<String>,
}

pub(crate) struct NewCoversMembers(Roster);

impl FromBody for NewCoversMembers {
    fn from_members(members: &mut Members) -> Result<NewCoversMembers, Error> {
        members.allow(&["students"])?;
        members.required("students", roster).map(NewCoversMembers)
    }
}

/// A list of students, none twice.
pub(crate) fn roster(path: &str, json: Parsed) -> Result<Roster, Error> {
    let students = items(path, json, STUDENTS_MAX, enrolled)?;
    Roster::of(students).map_err(|(first, second)| {
        let at = format!("{path}[{second}].external_id");
        Error::invalid(at, format_args!("is the same as that of {path}[{first}]"))
    })
}

fn enrolled(path: &str, json: Parsed) -> Result<Enrolled, Error> {
    let mut members = Members::of(path, json)?;
    members.allow(&["external_id", "name", "class"])?;
    let external_id = members.required("external_id", json::text(ShortLine::parse))?;
    let name = members.nullable("name", json::text(ShortLine::parse))?;
    let class = members.nullable("class", json::text(ShortLine::parse))?;
    Ok(Enrolled { student: Student { external_id, name }, class })
}

/// Make cover sheets
///
/// A sheet for each student, to lie on top of their pages in a stack that is scanned as one: `Accept: application/pdf`
/// gives the sheets to print, anything else what the code on each says. Nothing is kept. `Idempotency-Key` is ignored.
#[utoipa::path(
    post,
    path = "/v1/papers/{id}/covers",
    operation_id = "papers.covers",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id.")),
    request_body = NewCoversBody,
    responses((status = 200, content((CoversView = "application/json"), (inline(Binary) = "application/pdf"))))
)]
pub(crate) async fn create(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    headers: HeaderMap,
    Body(NewCoversMembers(roster)): Body<NewCoversMembers>,
) -> Result<Response, Error> {
    let covers = context.service.covers(&caller, id, &roster).await?;
    if !wants_pdf(&headers) {
        return Ok(Json(CoversView::from(&covers)).into_response());
    }
    let pdf = context.service.covers_pdf(covers).await?;
    Ok(([(header::CONTENT_TYPE, "application/pdf")], pdf).into_response())
}
