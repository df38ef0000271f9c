//! `/v1/papers/{id}/scheme` and `/v1/papers/{id}/amendment`: changing what earns marks after the paper was approved.

use crate::Context;
use crate::error::Error;
use crate::extract::Who;
use crate::extract::body::{FromBody, Members, json};
use crate::extract::idempotency::{Once, respond};
use crate::extract::json::Json as Parsed;
use crate::extract::path::Id;
use crate::extract::query::Query;
use crate::openapi::{IdempotencyKey, Paging};
use crate::v1::adjustments::{checked, marks};
use crate::view::amendment::{AmendedScriptView, AmendmentOutcome, AmendmentView, SchemeView};
use crate::view::list::ListView;
use crate::view::reply;
use axum::Json;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use domain::id::PaperId;
use domain::paging::Seal;
use domain::question::PointChange;
use domain::text::{ShortLine, check_line, check_lines};
use http::StatusCode;
use service::desk::{NewAmendment, Outcome};
use utoipa::{IntoParams, ToSchema};

/// Points of one question that one amendment changes at most.
const POINTS_MAX: usize = 200;
/// Wordings of one kind at one point.
const WORDINGS_MAX: usize = 100;
/// Characters of one wording.
const WORDING_MAX: usize = 4000;

/// A change of what earns the marks of one question.
#[derive(ToSchema)]
#[schema(as = NewAmendment, example = json!({
    "question": "3", "points": [{"part": "(a)", "point": 0, "accept": ["to make sugar", "to make its food"]}]
}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewAmendmentBody {
    /// The question's number as printed, or its id where several have that number.
    #[schema(min_length = 1, max_length = 64)]
    question: String,
    /// What becomes of its points.
    #[schema(min_items = 1, max_items = 200)]
    points: Vec<PointChangeBody>,
    /// Who wants it. The version that it becomes names them.
    #[schema(min_length = 1, max_length = 255)]
    reviewer: Option<String>,
}

/// What becomes of one point of a key. What is left out stays as it is; a list replaces the list.
#[derive(ToSchema)]
#[schema(as = PointPatch)]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct PointChangeBody {
    /// The part's label; left out for a question that is marked as a whole.
    #[schema(min_length = 1, max_length = 64)]
    part: Option<String>,
    /// The point's place in `answer_key.points`, counted from 0.
    #[schema(minimum = 0, maximum = 199)]
    point: u32,
    /// In the scheme's words.
    #[schema(min_length = 1, max_length = 4000)]
    text: Option<String>,
    /// What it is worth. Every part stays worth what the paper says.
    #[schema(minimum = 0)]
    marks: Option<f64>,
    /// Other wordings that are as good.
    #[schema(max_items = 100)]
    alternatives: Option<Vec<String>>,
    /// Weaker wordings that still earn it.
    #[schema(max_items = 100)]
    accept: Option<Vec<String>>,
    /// Wordings that lose it.
    #[schema(max_items = 100)]
    reject: Option<Vec<String>>,
}

pub(crate) struct NewAmendmentMembers(NewAmendment);

impl FromBody for NewAmendmentMembers {
    fn from_members(members: &mut Members) -> Result<NewAmendmentMembers, Error> {
        members.allow(&["question", "points", "reviewer"])?;
        let question = members.required("question", checked(|text| check_line(text, 1, 64)))?;
        let points = members.required("points", points)?;
        let reviewer = members.nullable("reviewer", json::text(ShortLine::parse))?;
        let reviewer = reviewer.map(|name| name.as_str().to_owned());
        Ok(NewAmendmentMembers(NewAmendment { question, points, reviewer }))
    }
}

fn points(path: &str, json: Parsed) -> Result<Vec<PointChange>, Error> {
    let points = json::array(path, json, POINTS_MAX, point)?;
    if points.is_empty() {
        return Err(Error::invalid(path, "must have at least one item"));
    }
    Ok(points)
}

fn point(path: &str, json: Parsed) -> Result<PointChange, Error> {
    let mut members = Members::of(path, json)?;
    members.allow(&["part", "point", "text", "marks", "alternatives", "accept", "reject"])?;
    let last = i64::try_from(POINTS_MAX - 1).unwrap_or(i64::MAX);
    Ok(PointChange {
        part: members.nullable("part", checked(|text| check_line(text, 1, 64)))?,
        point: usize::try_from(members.required("point", json::integer(0, last))?).unwrap_or(usize::MAX),
        text: members.nullable("text", wording)?,
        marks: members.nullable("marks", marks)?,
        alternatives: members.nullable("alternatives", wordings)?,
        accept: members.nullable("accept", wordings)?,
        reject: members.nullable("reject", wordings)?,
    })
}

fn wordings(path: &str, json: Parsed) -> Result<Vec<String>, Error> {
    json::array(path, json, WORDINGS_MAX, wording)
}

fn wording(path: &str, json: Parsed) -> Result<String, Error> {
    checked(|text| check_lines(text, 1, WORDING_MAX))(path, json)
}

/// Retrieve a scheme's versions
///
/// By which version the paper's scripts are marked, and who made each. What earns the marks now is in the paper's
/// questions.
#[utoipa::path(
    get,
    path = "/v1/papers/{id}/scheme",
    operation_id = "papers.scheme",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id.")),
    responses((status = 200, body = SchemeView))
)]
pub(crate) async fn scheme(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    RawQuery(query): RawQuery,
) -> Result<Json<SchemeView>, Error> {
    Query::parse(query.as_deref(), &[])?;
    let scheme = context.service.paper_scheme(&caller, id).await?;
    Ok(Json(SchemeView::from(&scheme)))
}

/// Amend the scheme
///
/// Puts a change of what earns the marks of one question down, in place of one that is looked at already. It is tried in
/// the background on every graded script, from what was read of it before. Nothing counts until it is applied.
#[utoipa::path(
    post,
    path = "/v1/papers/{id}/amendment",
    operation_id = "papers.amend",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id."), IdempotencyKey),
    request_body = NewAmendmentBody,
    responses((status = 201, body = AmendmentView))
)]
pub(crate) async fn create(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    Once { body: NewAmendmentMembers(new), claim }: Once<NewAmendmentMembers>,
) -> Result<Response, Error> {
    let put = context.service.amend_scheme(&caller, id, new, claim, |preview| {
        reply(201, &AmendmentView::from(preview), preview.paper_id)
    });
    Ok(respond(put.await?))
}

/// Retrieve the amendment
///
/// The change that is looked at: how far its trial is, and how many scripts would change.
#[utoipa::path(
    get,
    path = "/v1/papers/{id}/amendment",
    operation_id = "papers.amendment",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id.")),
    responses((status = 200, body = AmendmentView))
)]
pub(crate) async fn show(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    RawQuery(query): RawQuery,
) -> Result<Json<AmendmentView>, Error> {
    Query::parse(query.as_deref(), &[])?;
    let preview = context.service.amendment(&caller, id).await?;
    Ok(Json(AmendmentView::from(&preview)))
}

/// Discard the amendment
///
/// Forgets the change that is looked at; the scheme stays as it is.
#[utoipa::path(
    delete,
    path = "/v1/papers/{id}/amendment",
    operation_id = "papers.discard_amendment",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id.")),
    responses((status = 204, description = "Discarded."))
)]
pub(crate) async fn discard(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
) -> Result<StatusCode, Error> {
    context.service.discard_amendment(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The filter of the list of scripts.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it describes the parameters; the strict parser reads them")]
pub(crate) struct OutcomeParams {
    /// Only scripts to which this happens.
    #[param(inline)]
    outcome: Option<AmendmentOutcome>,
}

/// List what the amendment does
///
/// The paper's marked scripts in the order of their ids: who would change from what to what, who would not, who waits to
/// be marked again, and who is released and stays untouched.
#[utoipa::path(
    get,
    path = "/v1/papers/{id}/amendment/scripts",
    operation_id = "papers.amended_scripts",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id."), Paging, OutcomeParams),
    responses((status = 200, body = ListView<AmendedScriptView>))
)]
pub(crate) async fn scripts(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    RawQuery(query): RawQuery,
) -> Result<Json<ListView<AmendedScriptView>>, Error> {
    let query = Query::parse(query.as_deref(), &["limit", "cursor", "outcome"])?;
    let outcome = query.choice("outcome", Outcome::ALL, Outcome::name)?;
    let seal = Seal::new("amended_scripts")
        .with(Some(&caller.account_id.to_string()))
        .with(Some(caller.mode.name()))
        .with(Some(&id.to_string()))
        .with(outcome.map(Outcome::name));
    let (slice, seal) = query.slice(seal)?;
    let page = context.service.amended_scripts(&caller, id, outcome, slice, &seal).await?;
    Ok(Json(ListView::new(page, |script| AmendedScriptView::from(script))))
}

/// Which change is applied.
#[derive(ToSchema)]
#[schema(as = AppliedAmendment, example = json!({"amendment_id": "chg_01m7erksw3h2kbtqh4bm5e14zh"}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct AppliedAmendmentBody {
    /// The amendment's id: another one that took its place is not applied.
    #[schema(min_length = 1, max_length = 64)]
    amendment_id: String,
}

pub(crate) struct AppliedMembers(String);

impl FromBody for AppliedMembers {
    fn from_members(members: &mut Members) -> Result<AppliedMembers, Error> {
        members.allow(&["amendment_id"])?;
        members.required("amendment_id", checked(|text| check_line(text, 1, 64))).map(AppliedMembers)
    }
}

/// Apply the amendment
///
/// Once it was tried on every script: from now on scripts are marked by it. Graded ones follow in the background, without
/// an event; marks that a person set and released results stay as they are.
#[utoipa::path(
    post,
    path = "/v1/papers/{id}/amendment/apply",
    operation_id = "papers.apply_amendment",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id."), IdempotencyKey),
    request_body = AppliedAmendmentBody,
    responses((status = 200, body = SchemeView))
)]
pub(crate) async fn apply(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    Once { body: AppliedMembers(amendment), claim }: Once<AppliedMembers>,
) -> Result<Response, Error> {
    let applied = context.service.apply_amendment(&caller, id, amendment, claim, |scheme| {
        reply(200, &SchemeView::from(scheme), scheme.paper_id)
    });
    Ok(respond(applied.await?))
}
