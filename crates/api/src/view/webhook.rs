//! Webhook endpoint (2.13).

use domain::time::Shown;
use domain::webhook::{Endpoint, SigningSecret, Status};
use serde::Serialize;
use utoipa::ToSchema;

/// Where events are sent.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WebhookEndpoint, example = json!({
    "id": "we_01m7erksxed4tpkxckmzb9tqe4", "object": "webhook_endpoint", "livemode": true,
    "url": "https://hooks.example.com/tickmark", "events": ["submission.released"],
    "description": "Gradebook", "status": "enabled", "secret": null, "created_at": "2026-11-15T03:05:07Z"
}))]
pub(crate) struct EndpointView {
    /// Its id.
    #[schema(pattern = "^we_[0-9a-z]{26}$")]
    id: String,
    /// Always `webhook_endpoint`.
    #[schema(value_type = String, pattern = "^webhook_endpoint$", example = "webhook_endpoint")]
    object: &'static str,
    /// True for live mode: it gets the events of its own mode only.
    livemode: bool,
    /// Where deliveries are posted to.
    #[schema(format = "uri", max_length = 2048)]
    url: String,
    /// The event types that it gets; `*` stands for all, later ones too.
    #[schema(min_items = 1)]
    events: Vec<&'static str>,
    /// Your own words.
    #[schema(required, min_length = 1, max_length = 255)]
    description: Option<String>,
    /// Whether it gets deliveries.
    #[schema(value_type = EndpointStatus)]
    status: &'static str,
    /// What deliveries are signed with; shown when it is made and when it is rotated, otherwise null.
    #[schema(required, pattern = "^whsec_")]
    secret: Option<String>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Shown,
}

/// Whether an endpoint gets deliveries.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "it describes domain::webhook::Status, which knows nothing of the wire")]
pub(crate) enum EndpointStatus {
    /// It does.
    Enabled,
    /// It does not; events of that time are not sent later.
    Disabled,
}

impl EndpointView {
    pub(crate) fn new(endpoint: &Endpoint, secret: Option<&SigningSecret>) -> EndpointView {
        EndpointView {
            id: endpoint.id.to_string(),
            object: "webhook_endpoint",
            livemode: endpoint.mode.is_live(),
            url: endpoint.url.clone(),
            events: endpoint.events.names().collect(),
            description: endpoint.description.as_ref().map(ToString::to_string),
            status: Status::name(endpoint.status),
            secret: secret.map(|secret| secret.reveal().to_owned()),
            created_at: Shown(endpoint.created_at),
        }
    }
}
