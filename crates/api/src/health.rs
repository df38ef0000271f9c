//! Is it alive, can it work: for load balancers and supervisors.

use crate::Context;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{StatusCode, header};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this process was told to stop. It still answers, but says that it is not ready, so that proxies send
/// requests elsewhere. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stopping(Arc<AtomicBool>);

impl Stopping {
    /// From now on the process is not ready.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

pub(crate) fn routes() -> Router<Context> {
    Router::new().route("/healthz", get(alive)).route("/readyz", get(ready))
}

/// The process answers.
async fn alive() -> &'static str {
    "ok\n"
}

/// The process is not about to stop, and the database answers and has the schema that this program knows.
async fn ready(State(context): State<Context>) -> Response {
    if context.settings.stopping.has_begun() {
        return not_ready("this process is stopping\n");
    }
    let store = context.service.store();
    match store.has_schema().await {
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
