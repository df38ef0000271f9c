//! `/v1/webhook_endpoints`

use crate::Context;
use crate::error::Error;
use crate::extract::Who;
use crate::extract::body::{Body, Empty, FromBody, Members, json};
use crate::extract::path::Id;
use crate::extract::query::Query;
use crate::openapi::{Created, EmptyObject, Paging};
use crate::view::list::ListView;
use crate::view::webhook::{EndpointStatus, EndpointView};
use axum::Json;
use axum::extract::{RawQuery, State};
use domain::id::EndpointId;
use domain::paging::Seal;
use domain::text::ShortLine;
use domain::web_url::WebUrl;
use domain::webhook::{EndpointChanges, Interest, Status, Subscription};
use http::StatusCode;
use service::webhooks::NewEndpoint;
use utoipa::ToSchema;

/// The most items of `events` that are looked at; each is kept once anyway.
const EVENTS_MAX: usize = 100;

/// An endpoint to be made.
#[derive(ToSchema)]
#[schema(as = WebhookEndpointCreate)]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct CreateBody {
    /// Where deliveries are posted to: https, a public host by its name, port 443, 8443 or 1024 and up.
    #[schema(format = "uri", max_length = 2048, example = "https://hooks.example.com/tickmark")]
    url: String,
    /// Event types, or `*` for all.
    #[schema(min_items = 1, example = json!(["submission.released"]))]
    events: Vec<String>,
    /// Your own words.
    #[schema(min_length = 1, max_length = 255)]
    description: Option<String>,
}

/// What is to be changed; what is absent stays.
#[derive(ToSchema)]
#[schema(as = WebhookEndpointUpdate)]
#[expect(dead_code, reason = "it describes the body; the strict parser reads it")]
pub(crate) struct UpdateBody {
    /// Where deliveries are posted to. A new one takes what waits, and restarts the five days of failures.
    #[schema(format = "uri", max_length = 2048, nullable = false)]
    url: Option<String>,
    /// Event types, or `*` for all.
    #[schema(min_items = 1, nullable = false)]
    events: Option<Vec<String>>,
    /// Your own words; null takes them away.
    #[schema(min_length = 1, max_length = 255)]
    description: Option<String>,
    /// Disabling drops what waits; what happens meanwhile is not sent later.
    #[schema(nullable = false)]
    status: Option<EndpointStatus>,
}

/// The members of a creating body; the url is looked at with the settings at hand.
pub(crate) struct Create {
    url: String,
    events: Subscription,
    description: Option<ShortLine>,
}

impl FromBody for Create {
    fn from_members(members: &mut Members) -> Result<Create, Error> {
        members.allow(&["url", "events", "description"])?;
        Ok(Create {
            url: members.required("url", json::string())?,
            events: members.required("events", subscription)?,
            description: members.nullable("description", json::text(ShortLine::parse))?,
        })
    }
}

/// The members of a changing body.
pub(crate) struct Update(EndpointChanges);

impl FromBody for Update {
    fn from_members(members: &mut Members) -> Result<Update, Error> {
        members.allow(&["url", "events", "description", "status"])?;
        Ok(Update(EndpointChanges {
            url: members.optional("url", json::string())?,
            events: members.optional("events", subscription)?,
            description: members.clearable("description", json::text(ShortLine::parse))?,
            status: members.optional("status", json::choice(&Status::ALL, Status::name))?,
        }))
    }
}

fn subscription(path: &str, value: json::Json) -> Result<Subscription, Error> {
    let interests = json::array(path, value, EVENTS_MAX, |path, item| {
        let name = json::string()(path, item)?;
        Interest::parse(&name).ok_or_else(|| Error::invalid(path, "must be * or an event type"))
    })?;
    Subscription::new(interests).ok_or_else(|| Error::invalid(path, "must have at least 1 item"))
}

fn url(context: &Context, text: &str) -> Result<WebUrl, Error> {
    let parsed = WebUrl::parse_endpoint(text, context.service.outbound().reach());
    parsed.map_err(|problem| Error::invalid("url", problem))
}

/// List webhook endpoints
///
/// Newest first.
#[utoipa::path(
    get,
    path = "/v1/webhook_endpoints",
    operation_id = "webhook_endpoints.list",
    tag = "Webhook endpoints",
    params(Paging, Created),
    responses((status = 200, body = ListView<EndpointView>))
)]
pub(crate) async fn list(
    State(context): State<Context>,
    Who(caller): Who,
    RawQuery(query): RawQuery,
) -> Result<Json<ListView<EndpointView>>, Error> {
    let query = Query::parse(query.as_deref(), &["limit", "cursor", "created_after", "created_before"])?;
    let seal = Seal::new("webhook_endpoints")
        .with(Some(&caller.account_id.to_string()))
        .with(Some(caller.mode.name()));
    let (slice, seal) = query.slice(seal)?;
    let page = context.service.endpoints(&caller, slice, &seal).await?;
    Ok(Json(ListView::new(page, |endpoint| EndpointView::new(endpoint, None))))
}

/// Create a webhook endpoint
///
/// At most five in each mode. The secret is shown in this response only.
#[utoipa::path(
    post,
    path = "/v1/webhook_endpoints",
    operation_id = "webhook_endpoints.create",
    tag = "Webhook endpoints",
    request_body(content = CreateBody),
    responses((status = 201, body = EndpointView))
)]
pub(crate) async fn create(
    State(context): State<Context>,
    Who(caller): Who,
    Body(body): Body<Create>,
) -> Result<(StatusCode, Json<EndpointView>), Error> {
    let url = url(&context, &body.url)?;
    let new = NewEndpoint { url, events: body.events, description: body.description };
    let (endpoint, secret) = context.service.create_endpoint(&caller, new).await?;
    Ok((StatusCode::CREATED, Json(EndpointView::new(&endpoint, Some(&secret)))))
}

/// Retrieve a webhook endpoint
///
/// Without its secret.
#[utoipa::path(
    get,
    path = "/v1/webhook_endpoints/{id}",
    operation_id = "webhook_endpoints.retrieve",
    tag = "Webhook endpoints",
    params(("id" = String, Path, description = "The endpoint's id.")),
    responses((status = 200, body = EndpointView))
)]
pub(crate) async fn show(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<EndpointId>,
) -> Result<Json<EndpointView>, Error> {
    let endpoint = context.service.endpoint_by_id(&caller, id).await?;
    Ok(Json(EndpointView::new(&endpoint, None)))
}

/// Update a webhook endpoint
///
/// Enabling it again does not resend what it missed; fetch that from the list of events.
#[utoipa::path(
    patch,
    path = "/v1/webhook_endpoints/{id}",
    operation_id = "webhook_endpoints.update",
    tag = "Webhook endpoints",
    params(("id" = String, Path, description = "The endpoint's id.")),
    request_body(content = UpdateBody),
    responses((status = 200, body = EndpointView))
)]
pub(crate) async fn update(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<EndpointId>,
    Body(Update(mut changes)): Body<Update>,
) -> Result<Json<EndpointView>, Error> {
    if let Some(text) = &mut changes.url {
        *text = url(&context, text)?.as_shown().to_owned();
    }
    let endpoint = context.service.update_endpoint(&caller, id, changes).await?;
    Ok(Json(EndpointView::new(&endpoint, None)))
}

/// Delete a webhook endpoint
///
/// Deliveries that wait for it are dropped.
#[utoipa::path(
    delete,
    path = "/v1/webhook_endpoints/{id}",
    operation_id = "webhook_endpoints.delete",
    tag = "Webhook endpoints",
    params(("id" = String, Path, description = "The endpoint's id.")),
    responses((status = 204, description = "It is gone."))
)]
pub(crate) async fn delete(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<EndpointId>,
) -> Result<StatusCode, Error> {
    context.service.delete_endpoint(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Rotate the secret of a webhook endpoint
///
/// The new secret is shown in this response only. The old one keeps signing for 24 hours beside it; rotating
/// again within that time ends the earlier one at once.
#[utoipa::path(
    post,
    path = "/v1/webhook_endpoints/{id}/rotate_secret",
    operation_id = "webhook_endpoints.rotate_secret",
    tag = "Webhook endpoints",
    params(("id" = String, Path, description = "The endpoint's id.")),
    request_body(content = Option<EmptyObject>),
    responses((status = 200, body = EndpointView))
)]
pub(crate) async fn rotate_secret(
    State(context): State<Context>,
    Who(caller): Who,
    Id(id): Id<EndpointId>,
    _: Body<Empty>,
) -> Result<Json<EndpointView>, Error> {
    let (endpoint, secret) = context.service.rotate_endpoint_secret(&caller, id).await?;
    Ok(Json(EndpointView::new(&endpoint, Some(&secret))))
}
