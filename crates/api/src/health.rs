//! Is it alive, can it work: for load balancers and supervisors.

use crate::Context;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{StatusCode, header};

pub(crate) fn routes() -> Router<Context> {
    Router::new().route("/healthz", get(alive)).route("/readyz", get(ready))
}

/// The process answers.
async fn alive() -> &'static str {
    "ok\n"
}

/// The database answers and has the schema that this program knows.
async fn ready(State(context): State<Context>) -> Response {
    let store = context.service.store();
    match store.is_current().await {
        Ok(true) => "ready\n".into_response(),
        Ok(false) => not_ready("the database's schema is not up to date: run `tickmark migrate`\n"),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            not_ready("the database cannot be reached\n")
        }
    }
}

fn not_ready(reason: &'static str) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "1")], reason).into_response()
}
