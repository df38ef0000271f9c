//! The calls of the marking desk's script: the class, the answers to one part, one script with its pages, decisions
//! about answers, releases, figures.

mod body;
mod scans;
mod scheme;
mod view;

use super::problem::Problem;
use super::sent::Sent;
use super::session::{Changing, Looking};
use crate::Context;
use crate::error::{Code, Error};
use crate::extract::query::Query;
use crate::view::marks_table::marks_table;
use crate::view::statistics::StatisticsView;
use axum::extract::{Path, RawQuery, State};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use body::{AmendmentBody, DecisionBody, GroupBody, NamedBody, ReleaseBody};
use domain::id::{Identifier as _, SubmissionId};
use domain::result::PartKey;
use http::header;
use scheme::SchemeBody;
use service::desk::{ClassQuery, DeskError, Filter, Order, Wanted};
use view::{ClassBody, DecidedBody, OpeningBody, PartBody, ReleasedBody, ScriptBody, TogetherBody};

/// Scripts on one page of the class.
const CLASS_ROWS: i64 = 50;
/// Answers on one page of a part.
const PART_ROWS: usize = 20;
/// No class has so many pages.
const PAGE_MAX: i64 = 100_000;

const PAGE: &str = include_str!("assets/marking.html");

pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route("/review/desk", get(page))
        .route("/review/desk/opening", get(opening))
        .route("/review/desk/class", get(class))
        .route("/review/desk/answers", get(answers))
        .route("/review/desk/scripts/{id}", get(script))
        .route("/review/desk/scripts/{id}/pages/{file}/{page}", get(picture))
        .route("/review/desk/decisions", post(decide))
        .route("/review/desk/groups", post(decide_group))
        .route("/review/desk/releases", post(release))
        .route("/review/desk/scheme", get(scheme))
        .route("/review/desk/amendment", post(amend))
        .route("/review/desk/amendment/apply", post(apply_amendment))
        .route("/review/desk/amendment/discard", post(discard_amendment))
        .route("/review/desk/statistics", get(statistics))
        .route("/review/desk/marks.csv", get(marks))
        .merge(scans::routes())
}

async fn page() -> Html<&'static str> {
    Html(PAGE)
}

async fn opening(
    State(context): State<Context>,
    Looking(link): Looking,
) -> Result<Json<OpeningBody>, Problem> {
    let opening = context.service.desk_opening(&link).await?;
    Ok(Json(OpeningBody::new(&link, &opening)))
}

async fn class(
    State(context): State<Context>,
    Looking(link): Looking,
    RawQuery(query): RawQuery,
) -> Result<Json<ClassBody>, Problem> {
    let query = Query::parse(query.as_deref(), &["sort", "descending", "filter", "search", "page"])?;
    let page = query.whole("page", 0, PAGE_MAX)?.unwrap_or_default();
    let wanted = ClassQuery {
        order: query.choice("sort", Order::ALL, Order::name)?.unwrap_or_default(),
        is_descending: query.text("descending", 0, 5)? == Some("true"),
        filter: query.choice("filter", Filter::ALL, Filter::name)?.unwrap_or_default(),
        search: query.text("search", 0, 255)?.unwrap_or_default().to_owned(),
        offset: page * CLASS_ROWS,
        rows: CLASS_ROWS,
    };
    let found = context.service.desk_class(&link, wanted).await?;
    Ok(Json(ClassBody::new(&found, page, CLASS_ROWS)))
}

async fn answers(
    State(context): State<Context>,
    Looking(link): Looking,
    RawQuery(query): RawQuery,
) -> Result<Json<PartBody>, Problem> {
    let query = Query::parse(query.as_deref(), &["question", "part", "filter", "page", "grouped"])?;
    let question = query.whole("question", 0, 10_000)?.ok_or_else(|| Error::missing("question"))?;
    let part = query.text("part", 0, 64)?.unwrap_or_default().to_owned();
    let wanted = query.choice("filter", Wanted::ALL, Wanted::name)?.unwrap_or_default();
    let page = query.whole("page", 0, PAGE_MAX)?.unwrap_or_default();
    let key = PartKey { question: u32::try_from(question).unwrap_or_default(), part };
    let offset = usize::try_from(page).unwrap_or_default() * PART_ROWS;
    let is_grouped = query.text("grouped", 0, 5)? == Some("true");
    let found = context.service.desk_part(&link, key, wanted, is_grouped, (offset, PART_ROWS)).await?;
    Ok(Json(PartBody::new(&found, page, PART_ROWS)))
}

async fn script(
    State(context): State<Context>,
    Looking(link): Looking,
    Path(id): Path<String>,
) -> Result<Json<ScriptBody>, Problem> {
    let script = context.service.desk_script(&link, submission(&id)?).await?;
    Ok(Json(ScriptBody::from(&script)))
}

async fn picture(
    State(context): State<Context>,
    Looking(link): Looking,
    Path((id, file, page)): Path<(String, String, String)>,
) -> Result<Response, Problem> {
    let id = submission(&id)?;
    let picture = match (file.parse::<u32>(), page.parse::<u32>()) {
        (Ok(file), Ok(page)) => context.service.script_picture(&link, id, file, page).await?,
        _ => None,
    };
    match picture {
        Some(bytes) => Ok(([(header::CONTENT_TYPE, "image/jpeg")], bytes).into_response()),
        None => Err(Error::new(Code::ResourceMissing, "There is no picture of this page.").into()),
    }
}

async fn decide(
    State(context): State<Context>,
    Changing(link): Changing,
    Sent(bytes): Sent,
) -> Result<Json<DecidedBody>, Problem> {
    let (id, steps) = DecisionBody::read(&bytes)?;
    let decided = context.service.desk_decide(&link, id, steps).await?;
    Ok(Json(DecidedBody::new(&decided)))
}

async fn decide_group(
    State(context): State<Context>,
    Changing(link): Changing,
    Sent(bytes): Sent,
) -> Result<Json<TogetherBody>, Problem> {
    let group = GroupBody::read(&bytes)?;
    let versions = context.service.desk_decide_group(&link, group).await?;
    Ok(Json(TogetherBody::new(&versions)))
}

async fn release(
    State(context): State<Context>,
    Changing(link): Changing,
    Sent(bytes): Sent,
) -> Result<Json<ReleasedBody>, Problem> {
    let count = match ReleaseBody::read(&bytes)? {
        ReleaseBody::One(id) => context.service.desk_release_one(&link, id).await.map(|_| 1)?,
        ReleaseBody::Many(which) => context.service.desk_release(&link, which).await?,
    };
    Ok(Json(ReleasedBody { count }))
}

async fn scheme(State(context): State<Context>, Looking(link): Looking) -> Result<Json<SchemeBody>, Problem> {
    let scheme = context.service.desk_scheme(&link).await?;
    Ok(Json(SchemeBody::from(scheme)))
}

async fn amend(
    State(context): State<Context>,
    Changing(link): Changing,
    Sent(bytes): Sent,
) -> Result<Json<SchemeBody>, Problem> {
    let AmendmentBody { place, question, seen } = body::parsed(&bytes)?;
    context.service.desk_amend(&link, place, question, seen).await?;
    scheme(State(context), Looking(link)).await
}

async fn apply_amendment(
    State(context): State<Context>,
    Changing(link): Changing,
    Sent(bytes): Sent,
) -> Result<Json<SchemeBody>, Problem> {
    let NamedBody { id } = body::parsed(&bytes)?;
    context.service.desk_apply_amendment(&link, id).await?;
    scheme(State(context), Looking(link)).await
}

async fn discard_amendment(
    State(context): State<Context>,
    Changing(link): Changing,
    Sent(bytes): Sent,
) -> Result<Json<SchemeBody>, Problem> {
    let NamedBody { id } = body::parsed(&bytes)?;
    context.service.desk_discard_amendment(&link, id).await?;
    scheme(State(context), Looking(link)).await
}

async fn statistics(
    State(context): State<Context>,
    Looking(link): Looking,
) -> Result<Json<StatisticsView>, Problem> {
    let paper = context.service.reviewed_paper(&link).await?;
    let figures = context.service.desk_statistics(&link).await?;
    Ok(Json(StatisticsView::new(&paper, figures)))
}

async fn marks(State(context): State<Context>, Looking(link): Looking) -> Result<Response, Problem> {
    let scripts = context.service.desk_marks(&link).await?;
    let kind = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"marks.csv\""),
    ];
    Ok((kind, marks_table(&scripts)).into_response())
}

/// What is no submission's id names nothing.
fn submission(text: &str) -> Result<SubmissionId, Problem> {
    let missing = || Problem::from(service::Error::missing("submission", text));
    SubmissionId::parse(text).ok_or_else(missing)
}

impl From<DeskError> for Problem {
    fn from(error: DeskError) -> Problem {
        match error {
            DeskError::Changed(answer) => Problem::Decided(answer),
            DeskError::Other(error) => error.into(),
        }
    }
}
