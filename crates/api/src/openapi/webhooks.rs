//! The webhooks: for each type of event, what a receiver is sent and what it answers.

use crate::view::event::shape_of;
use domain::event::EventType;
use utoipa::openapi::path::{OperationBuilder, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::{
    ContentBuilder, HttpMethod, Object, OpenApi, PathsBuilder, Ref, RefOr, Required, ResponseBuilder, Type,
};

const SIGNATURE: &str = "Service-Signature";

/// Adds the section.
pub(super) fn describe(description: &mut OpenApi) {
    let signature = ParameterBuilder::new()
        .name(SIGNATURE)
        .parameter_in(ParameterIn::Header)
        .required(Required::True)
        .description(Some(
            "`t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 over `t`, a full stop and the raw body, keyed with the whole \
             secret. Two `v1` while a secret is rotated. Refuse a `t` more than 5 minutes from your clock.",
        ))
        .schema(Some(Object::with_type(Type::String)))
        .build();
    let answer = ResponseBuilder::new()
        .description("Any 2xx within 10 seconds takes the event; anything else has it sent again later.")
        .build();
    let components = description.components.get_or_insert_default();
    components.parameters.insert(SIGNATURE.to_owned(), RefOr::T(signature));
    components.responses.insert("EventTaken".to_owned(), RefOr::T(answer));
    let mut paths = PathsBuilder::new();
    for kind in EventType::ALL {
        let name = shape_of(kind).name();
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(name))).build();
        let body = RequestBodyBuilder::new()
            .content("application/json", content)
            .required(Some(Required::True))
            .build();
        let operation = OperationBuilder::new()
            .tag("Webhooks")
            .summary(Some(summary(kind)))
            .parameter_ref(Ref::new(format!("#/components/parameters/{SIGNATURE}")))
            .request_body(Some(body))
            .response("2XX", Ref::from_response_name("EventTaken"))
            .build();
        paths = paths.path(kind.name(), PathItem::new(HttpMethod::Post, operation));
    }
    description.webhooks = Some(paths.build());
}

fn summary(kind: EventType) -> &'static str {
    match kind {
        EventType::PaperAwaitingReview => "A paper has been read and awaits review",
        EventType::PaperReady => "A paper has been approved",
        EventType::PaperFailed => "A paper could not be read; nothing is charged",
        EventType::SubmissionGraded => "A script has been marked; its result is provisional until released",
        EventType::SubmissionReleased => "A result is final; result and report can be read",
        EventType::SubmissionFailed => "A script could not be marked; nothing is charged",
        EventType::SubmissionAdjusted => "A person changed the marks of a script that is not released",
        EventType::CreditsBalanceLow => "The available live balance fell below the threshold",
        EventType::CreditsExpiring => "The credits' validity ends in 7 days",
    }
}
