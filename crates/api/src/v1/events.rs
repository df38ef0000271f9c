//! `GET /v1/events` and `GET /v1/events/{id}`

use crate::Context;
use crate::error::{Code, Error};
use crate::extract::Who;
use crate::extract::path::Id;
use crate::extract::query::Query;
use crate::openapi::{Created, Paging};
use crate::view::event::EventView;
use crate::view::list::ListView;
use axum::Json;
use axum::extract::{RawQuery, State};
use domain::event::{Event, EventFilter, EventType};
use domain::id::EventId;
use domain::paging::Seal;
use utoipa::IntoParams;

/// The filters of the list of events.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it describes the parameters; the strict parser reads them")]
pub(crate) struct EventParams {
    /// Only events of this type.
    #[param(rename = "type", example = "submission.released")]
    kind: Option<String>,
    /// Only events about this paper or submission.
    #[param(min_length = 1, max_length = 64)]
    object_id: Option<String>,
}

/// List events
///
/// What happened in the last 30 days, newest first.
#[utoipa::path(
    get,
    path = "/v1/events",
    operation_id = "events.list",
    tag = "Events",
    params(Paging, Created, EventParams),
    responses((status = 200, body = ListView<EventView>))
)]
pub(crate) async fn list(
    State(context): State<Context>,
    Who(caller): Who,
    RawQuery(query): RawQuery,
) -> Result<Json<ListView<EventView>>, Error> {
    let known = ["limit", "cursor", "created_after", "created_before", "type", "object_id"];
    let query = Query::parse(query.as_deref(), &known)?;
    let filter = EventFilter {
        kind: query.choice("type", &EventType::ALL, EventType::name)?,
        object_id: query.text("object_id", 1, 64)?.map(str::to_owned),
    };
    let seal = Seal::new("events")
        .with(Some(&caller.account_id.to_string()))
        .with(Some(caller.mode.name()))
        .with(filter.kind.map(EventType::name))
        .with(filter.object_id.as_deref());
    let (slice, seal) = query.slice(seal)?;
    let page = context.service.events(&caller, &filter, slice, &seal).await?;
    ListView::try_new(page, view).map(Json)
}

/// Retrieve an event
///
/// Events are kept for 30 days.
#[utoipa::path(
    get,
    path = "/v1/events/{id}",
    operation_id = "events.retrieve",
    tag = "Events",
    params(("id" = String, Path, description = "The event's id.")),
    responses((status = 200, body = EventView))
)]
pub(crate) async fn show(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<EventId>,
) -> Result<Json<EventView>, Error> {
    let event = context.service.event_by_id(&caller, id).await?;
    view(&event).map(Json)
}

fn view(event: &Event) -> Result<EventView, Error> {
    EventView::new(event).map_err(|error| {
        tracing::error!(event.id = %event.id, %error, "a stored snapshot is no JSON");
        Error::new(Code::InternalError, "Something went wrong on our side. Please tell us the request_id.")
    })
}
