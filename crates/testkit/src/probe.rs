//! A small endpoint for testing and measuring what every creating endpoint stands on: strict JSON,
//! `Idempotency-Key` and a hold of credits, in one transaction. It exists in tests and benchmarks alone.

use api::Context;
use api::error::Error;
use api::extract::Who;
use api::extract::body::{FromBody, Members, json};
use api::extract::idempotency::{Once, OnceRequired, respond};
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use domain::credit::{Credits, Source};
use domain::id::{Identifier as _, SubmissionId};
use domain::text::ShortLine;
use service::Caller;
use service::idempotency::Reply;

/// Where it is.
pub const PATH: &str = "/v1/probe_holds";

/// The route, to be put beside the real ones.
pub fn routes() -> Router<Context> {
    Router::new()
        .route(PATH, post(hold))
        .route("/v1/probe_optional", post(optional))
        .route("/v1/probe_panic", post(panic))
}

struct NewHold {
    pages: i64,
    note: Option<ShortLine>,
}

impl FromBody for NewHold {
    fn from_members(members: &mut Members) -> Result<NewHold, Error> {
        members.allow(&["pages", "note", "grading"])?;
        let pages = members.required("pages", json::integer(1, 1000))?;
        let note = members.nullable("note", json::text(ShortLine::parse))?;
        let grading = members.optional("grading", Members::of)?;
        if let Some(mut grading) = grading {
            grading.allow(&["strictness"])?;
            grading.optional("strictness", json::choice(&["lenient", "strict"], |name| name))?;
        }
        Ok(NewHold { pages, note })
    }
}

async fn hold(
    State(context): State<Context>,
    Who(caller): Who,
    OnceRequired(once): OnceRequired<NewHold>,
) -> Result<Response, Error> {
    run(&context, caller, once).await
}

async fn optional(
    State(context): State<Context>,
    Who(caller): Who,
    once: Once<NewHold>,
) -> Result<Response, Error> {
    run(&context, caller, once).await
}

/// A fault of ours, as bad as it can be.
async fn panic() -> Result<Response, Error> {
    panic!("the probe was asked to panic")
}

async fn run(context: &Context, caller: Caller, once: Once<NewHold>) -> Result<Response, Error> {
    let now = context.service.now();
    let id = SubmissionId::new(now, context.service.random());
    let pages = u32::try_from(once.body.pages).unwrap_or_default();
    let note = once.body.note.map(ShortLine::into_string);
    let input = (context.service.clone(), caller, id, pages, note, now);
    let reply = context
        .service
        .once(
            once.claim,
            input,
            |tx, (service, caller, id, pages, note, now)| {
                Box::pin(async move {
                    let source = Source::Submission(*id);
                    service.hold(tx, caller.owner(), source, *pages, Credits(1), *now).await?;
                    Ok((*id, note.clone()))
                })
            },
            |(id, note)| Reply {
                status: 201,
                body: serde_json::json!({"id": id, "note": note}).to_string(),
                resource_id: Some(id.to_string()),
                is_replayed: false,
            },
        )
        .await?;
    Ok(respond(reply))
}
