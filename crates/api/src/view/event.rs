//! Event (6.1).

use domain::event::Event;
use domain::time::Shown;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// Something that happened.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Event, example = json!({
    "id": "evt_01m7erksxed4tpkxckmzb9tqe4", "object": "event", "type": "credits.balance_low", "livemode": true,
    "created_at": "2026-11-15T03:05:07Z",
    "data": {"object": {"object": "balance", "livemode": true, "available": 99, "held": 0, "expired": 0, "total": 99}}
}))]
pub(crate) struct EventView {
    /// Its id, by which repeats are known.
    #[schema(pattern = "^evt_[0-9a-z]{26}$")]
    id: String,
    /// Always `event`.
    #[schema(value_type = String, pattern = "^event$", example = "event")]
    object: &'static str,
    /// What happened. New types may be added; ignore those you do not know.
    #[serde(rename = "type")]
    #[schema(example = "paper.ready")]
    kind: &'static str,
    /// True for live mode.
    livemode: bool,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    created_at: Shown,
    /// What it is about.
    data: EventData,
}

/// What an event is about.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventData {
    /// The object as it was; of a deleted one, `id`, `object` and `deleted`.
    #[schema(value_type = Object)]
    object: Box<RawValue>,
}

impl EventView {
    /// The view; fails on a stored snapshot that is no JSON, which would be a fault of ours.
    pub(crate) fn new(event: &Event) -> Result<EventView, serde_json::Error> {
        Ok(EventView {
            id: event.id.to_string(),
            object: "event",
            kind: event.kind.name(),
            livemode: event.mode.is_live(),
            created_at: Shown(event.created_at),
            data: EventData { object: RawValue::from_string(event.snapshot.clone())? },
        })
    }
}
