//! Event (6.1). The description has one schema for each kind of object that an event can be about.

use super::account::AccountView;
use super::credit::BalanceView;
use super::paper::PaperView;
use super::submission::SubmissionView;
use domain::event::{Event, EventType};
use domain::time::Shown;
use serde::Serialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat};
use utoipa::openapi::{Ref, RefOr, Type};
use utoipa::{PartialSchema, ToSchema};

/// Something that happened.
#[derive(Debug, Serialize)]
pub(crate) struct EventView {
    id: String,
    object: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    livemode: bool,
    created_at: Shown,
    data: EventData,
}

/// What an event is about.
#[derive(Debug, Serialize)]
struct EventData {
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

/// What an event's `data.object` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Paper,
    Submission,
    Balance,
    Account,
}

/// What the events of this type are about.
pub(crate) fn shape_of(kind: EventType) -> Shape {
    match kind {
        EventType::PaperAwaitingReview | EventType::PaperReady | EventType::PaperFailed => Shape::Paper,
        EventType::SubmissionGraded
        | EventType::SubmissionReleased
        | EventType::SubmissionFailed
        | EventType::SubmissionAdjusted => Shape::Submission,
        EventType::CreditsBalanceLow => Shape::Balance,
        EventType::CreditsExpiring => Shape::Account,
    }
}

impl Shape {
    const ALL: [Shape; 4] = [Shape::Paper, Shape::Submission, Shape::Balance, Shape::Account];

    /// The schema of such an event.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Shape::Paper => "PaperEvent",
            Shape::Submission => "SubmissionEvent",
            Shape::Balance => "BalanceEvent",
            Shape::Account => "AccountEvent",
        }
    }

    fn object(self) -> RefOr<Schema> {
        let whole = |name: Cow<'static, str>| Ref::from_schema_name(name);
        let or_deleted = |name| {
            OneOfBuilder::new()
                .description(Some("The object as it was, or what is left of it after it was deleted."))
                .item(whole(name))
                .item(whole(DeletedObject::name()))
                .into()
        };
        match self {
            Shape::Paper => or_deleted(PaperView::name()),
            Shape::Submission => or_deleted(SubmissionView::name()),
            Shape::Balance => whole(BalanceView::name()).into(),
            Shape::Account => whole(AccountView::name()).into(),
        }
    }

    fn schema(self) -> RefOr<Schema> {
        let text = |about: &str| ObjectBuilder::new().schema_type(Type::String).description(Some(about));
        let kinds = EventType::ALL.into_iter().filter(|kind| shape_of(*kind) == self).map(EventType::name);
        let data = ObjectBuilder::new()
            .description(Some("What it is about."))
            .property("object", self.object())
            .required("object");
        ObjectBuilder::new()
            .description(Some("Something that happened."))
            .property("id", text("Its id, by which repeats are known.").pattern(Some("^evt_[0-9a-z]{26}$")))
            .property("object", text("Always `event`.").pattern(Some("^event$")))
            .property(
                "type",
                text("What happened. New types may be added; ignore those you do not know.")
                    .enum_values(Some(kinds)),
            )
            .property(
                "livemode",
                ObjectBuilder::new().schema_type(Type::Boolean).description(Some("True for live mode.")),
            )
            .property(
                "created_at",
                text("When it happened.").format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime))),
            )
            .property("data", data)
            .required("id")
            .required("object")
            .required("type")
            .required("livemode")
            .required("created_at")
            .required("data")
            .into()
    }
}

impl PartialSchema for EventView {
    fn schema() -> RefOr<Schema> {
        let shapes = Shape::ALL.into_iter().map(|shape| Ref::from_schema_name(shape.name()));
        let any = OneOfBuilder::new().description(Some("Something that happened."));
        shapes.fold(any, OneOfBuilder::item).into()
    }
}

impl ToSchema for EventView {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Event")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.extend(Shape::ALL.map(|shape| (shape.name().to_owned(), shape.schema())));
        schemas.push((DeletedObject::name().into_owned(), DeletedObject::schema()));
    }
}

/// What an event keeps of a paper or a submission that was deleted.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes what the service writes")]
struct DeletedObject {
    /// Its id.
    id: String,
    /// `paper` or `submission`.
    #[schema(pattern = "^(paper|submission)$")]
    object: String,
    /// Always true.
    deleted: bool,
}
