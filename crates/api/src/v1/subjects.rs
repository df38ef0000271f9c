//! `GET /v1/subjects`

use crate::Context;
use crate::error::Error;
use crate::extract::Who;
use crate::extract::query::Query;
use crate::openapi::Paging;
use crate::view::list::ListView;
use crate::view::subject::SubjectView;
use axum::Json;
use axum::extract::{RawQuery, State};
use domain::paging::Seal;
use utoipa::IntoParams;

/// The filter of the list of subjects.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it describes the parameters; the strict parser reads them")]
pub(crate) struct SubjectParams {
    /// Found in the name or the code, whatever the case and accents.
    #[param(min_length = 1, max_length = 100)]
    query: Option<String>,
}

/// List subjects
///
/// The catalogue, by name; it is the same for all accounts and modes.
#[utoipa::path(
    get,
    path = "/v1/subjects",
    operation_id = "subjects.list",
    tag = "Subjects",
    params(Paging, SubjectParams),
    responses((status = 200, body = ListView<SubjectView>))
)]
pub(crate) async fn list(
    State(context): State<Context>,
    Who(caller): Who,
    RawQuery(query): RawQuery,
) -> Result<Json<ListView<SubjectView>>, Error> {
    let query = Query::parse(query.as_deref(), &["query", "limit", "cursor"])?;
    let text = query.text("query", 1, 100)?;
    let limit = query.limit()?;
    let seal = Seal::new("subjects").with(text);
    let after = query.cursor(&seal)?;
    let page = context.service.subjects(text, after, limit, &seal).await?;
    Ok(Json(ListView::new(page, |subject| SubjectView::new(subject, caller.mode))))
}
