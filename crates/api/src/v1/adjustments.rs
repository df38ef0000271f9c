//! `/v1/submissions/{id}/adjustments`, `/v1/papers/{id}/release_results` and `/v1/papers/{id}/statistics`: what
//! people who mark do and see.

use crate::Context;
use crate::error::Error;
use crate::extract::Who;
use crate::extract::body::{FromBody, Members, json};
use crate::extract::idempotency::{Once, respond};
use crate::extract::json::Json as Parsed;
use crate::extract::path::Id;
use crate::extract::query::Query;
use crate::openapi::{Created, IdempotencyKey, Paging};
use crate::view::adjustment::{AdjustmentView, ReleaseView};
use crate::view::list::ListView;
use crate::view::reply;
use crate::view::statistics::StatisticsView;
use axum::Json;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use domain::adjustment::{Which, check_answer, check_remark};
use domain::id::{PaperId, SubmissionId};
use domain::marks::Marks;
use domain::paging::Seal;
use domain::text::{Problem, ShortLine};
use service::desk::{NewAdjustment, Said};
use utoipa::ToSchema;

/// A mark to be set: `awarded`, or `answer` to have the answer judged again.
#[derive(ToSchema)]
#[schema(as = NewAdjustment, example = json!({
    "question": "3", "part": "(a)", "awarded": 2, "remark": "The second reason is right too."
}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewAdjustmentBody {
    /// The question's number as printed, or its id where several have that number.
    #[schema(min_length = 1, max_length = 64)]
    question: String,
    /// The part's label; left out for a question that is marked as a whole.
    #[schema(min_length = 1, max_length = 64)]
    part: Option<String>,
    /// The mark: from 0 to the part's marks, in the scheme's steps.
    #[schema(minimum = 0)]
    awarded: Option<f64>,
    /// What the student really wrote; it is judged again.
    #[schema(max_length = 10000)]
    answer: Option<String>,
    /// What the student is told.
    #[schema(min_length = 1, max_length = 2000)]
    remark: Option<String>,
    /// Who decided. Only the list of adjustments names them.
    #[schema(min_length = 1, max_length = 255)]
    reviewer: Option<String>,
}

pub(crate) struct NewAdjustmentMembers(NewAdjustment);

impl FromBody for NewAdjustmentMembers {
    fn from_members(members: &mut Members) -> Result<NewAdjustmentMembers, Error> {
        members.allow(&["question", "part", "awarded", "answer", "remark", "reviewer"])?;
        let name = |text: &str| domain::text::check_line(text, 1, 64);
        let question = members.required("question", checked(name))?;
        let part = members.nullable("part", checked(name))?;
        let awarded = members.nullable("awarded", marks)?;
        let answer = members.nullable("answer", checked(check_answer))?;
        let said = match (awarded, answer) {
            (Some(awarded), None) => Said::Mark(awarded),
            (None, Some(answer)) => Said::Wrote(answer),
            (None, None) => return Err(Error::missing("awarded")),
            (Some(_), Some(_)) => {
                return Err(Error::invalid(
                    "answer",
                    "cannot be given together with awarded: it is judged again",
                ));
            }
        };
        let remark = members.nullable("remark", checked(check_remark))?;
        let reviewer = members.nullable("reviewer", json::text(ShortLine::parse))?;
        let reviewer = reviewer.map(|name| name.as_str().to_owned());
        Ok(NewAdjustmentMembers(NewAdjustment { question, part, said, remark, reviewer }))
    }
}

pub(crate) fn checked(
    check: impl Fn(&str) -> Result<(), Problem>,
) -> impl FnOnce(&str, Parsed) -> Result<String, Error> {
    move |path, json| {
        let text = json::string()(path, json)?;
        check(&text).map_err(|problem| Error::invalid(path, problem))?;
        Ok(text)
    }
}

pub(crate) fn marks(path: &str, json: Parsed) -> Result<Marks, Error> {
    let Parsed::Number(number) = json else { return Err(Error::invalid(path, "must be a number")) };
    let marks = number.as_f64().and_then(Marks::from_number);
    marks.ok_or_else(|| Error::invalid(path, "must be a whole number of half marks, 0 or more"))
}

/// List adjustments
///
/// What people decided about the submission's marks, newest first. `checked` is false where a decision was taken
/// back.
#[utoipa::path(
    get,
    path = "/v1/submissions/{id}/adjustments",
    operation_id = "submissions.adjustments",
    tag = "Submissions",
    params(("id" = String, Path, description = "The submission's id."), Paging, Created),
    responses((status = 200, body = ListView<AdjustmentView>))
)]
pub(crate) async fn list(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<SubmissionId>,
    RawQuery(query): RawQuery,
) -> Result<Json<ListView<AdjustmentView>>, Error> {
    let query = Query::parse(query.as_deref(), &["limit", "cursor", "created_after", "created_before"])?;
    let seal = Seal::new("adjustments")
        .with(Some(&caller.account_id.to_string()))
        .with(Some(caller.mode.name()))
        .with(Some(&id.to_string()));
    let (slice, seal) = query.slice(seal)?;
    let page = context.service.adjustments(&caller, id, slice, &seal).await?;
    Ok(Json(ListView::new(page, |adjustment| AdjustmentView::from(adjustment))))
}

/// Adjust a mark
///
/// While the submission is graded: sets the mark of one answer, or corrects what was read and has it judged again. The
/// machine's mark stays beside it, as `awarded_by_machine`. The answer counts as checked from then on. Where marks
/// change, the event `submission.adjusted` is sent.
#[utoipa::path(
    post,
    path = "/v1/submissions/{id}/adjustments",
    operation_id = "submissions.adjust",
    tag = "Submissions",
    params(("id" = String, Path, description = "The submission's id."), IdempotencyKey),
    request_body = NewAdjustmentBody,
    responses((status = 201, body = AdjustmentView))
)]
pub(crate) async fn create(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<SubmissionId>,
    Once { body: NewAdjustmentMembers(new), claim }: Once<NewAdjustmentMembers>,
) -> Result<Response, Error> {
    let made = context
        .service
        .adjust(&caller, id, new, claim, |made| reply(201, &AdjustmentView::from(made), made.submission_id));
    Ok(respond(made.await?))
}

/// Which results are released.
#[derive(ToSchema)]
#[schema(as = NewRelease, example = json!({"which": "unflagged"}))]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct NewReleaseBody {
    /// `all` graded scripts, those of which a person has `checked` every answer, or those without an answer that a
    /// person should look at (`unflagged`).
    #[schema(value_type = WhichName)]
    which: String,
}

crate::view::file::described! {
    /// Which graded scripts.
    WhichName = domain::adjustment::Which::ALL;
}

pub(crate) struct NewReleaseMembers(Which);

impl FromBody for NewReleaseMembers {
    fn from_members(members: &mut Members) -> Result<NewReleaseMembers, Error> {
        members.allow(&["which"])?;
        members.required("which", json::choice(Which::ALL, Which::name)).map(NewReleaseMembers)
    }
}

/// Release results
///
/// Releases the paper's graded scripts that are asked for, each by itself: a call that was interrupted is simply
/// repeated. `released` counts those that this call released.
#[utoipa::path(
    post,
    path = "/v1/papers/{id}/release_results",
    operation_id = "papers.release_results",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id."), IdempotencyKey),
    request_body = NewReleaseBody,
    responses((status = 200, body = ReleaseView))
)]
pub(crate) async fn release_results(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    Once { body: NewReleaseMembers(which), claim }: Once<NewReleaseMembers>,
) -> Result<Response, Error> {
    let released = context.service.release_results(&caller, id, which, claim, |&(paper, released)| {
        reply(200, &ReleaseView::new(paper, released), paper)
    });
    Ok(respond(released.await?))
}

/// Retrieve statistics
///
/// The paper's marked scripts in figures, released or not: means, spreads, how far each question parts strong scripts
/// from weak ones, and how well machine and person agree on what a person checked.
#[utoipa::path(
    get,
    path = "/v1/papers/{id}/statistics",
    operation_id = "papers.statistics",
    tag = "Papers",
    params(("id" = String, Path, description = "The paper's id.")),
    responses((status = 200, body = StatisticsView))
)]
pub(crate) async fn statistics(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<PaperId>,
    RawQuery(query): RawQuery,
) -> Result<Json<StatisticsView>, Error> {
    Query::parse(query.as_deref(), &[])?;
    let (paper, figures) = context.service.statistics(&caller, id).await?;
    Ok(Json(StatisticsView::new(&paper, figures)))
}
