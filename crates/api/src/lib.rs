//! The HTTP face: routes, checks around every request, JSON shapes.

#![warn(missing_docs)]

pub mod access;
mod brake;
mod connection;
pub mod console;
mod dev;
pub mod error;
pub mod extract;
mod guard;
mod health;
mod lti;
pub mod openapi;
mod review;
mod upload;
mod v1;
mod view;

pub use connection::{Connection, ProxyHeaders, TrustedProxies};
pub use health::Stopping;
pub use view::wire;

use axum::Router;
use axum::middleware::from_fn_with_state;
use domain::clock::SystemClock;
use extract::queries::Queries;
use service::Service;
use std::sync::Arc;

/// What the HTTP face is told by the operator.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Proxies whose word about the client's address and scheme is believed.
    pub trusted_proxies: TrustedProxies,
    /// In development mode: plain HTTP is taken, and the clock can be moved through this.
    pub development: Option<Arc<SystemClock>>,
    /// Whether the process was told to stop.
    pub stopping: Stopping,
}

/// What handlers and checks share. Clones share it.
#[derive(Clone, Debug)]
pub struct Context {
    /// The use cases.
    pub service: Service,
    /// What the operator told.
    pub settings: Arc<Settings>,
    /// Which query parameters are known where.
    queries: Arc<Queries>,
    /// Who is answered late.
    brake: Arc<brake::Brake>,
}

/// Every route of the service, with the checks around each.
pub fn router(service: Service, settings: Settings) -> Router {
    router_with(service, settings, Router::new())
}

/// As [`router`], with more routes inside the same checks: unknown to the table of scopes, they take any key.
pub fn router_with(service: Service, settings: Settings, more: Router<Context>) -> Router {
    let (mut guarded, description) = openapi::routes().split_for_parts();
    let queries = Arc::new(Queries::of(&description));
    let context = Context { service, settings: Arc::new(settings), queries, brake: Arc::default() };
    guarded =
        guarded.route(openapi::PATH, axum::routing::get(openapi::serve)).merge(upload::routes()).merge(more);
    guarded = guarded.merge(review::routes()).merge(lti::routes());
    if context.settings.development.is_some() {
        guarded = guarded.merge(dev::routes());
    }
    guarded
        .fallback(guard::not_found)
        .method_not_allowed_fallback(guard::wrong_method)
        .layer(from_fn_with_state(context.clone(), guard::guard))
        .merge(health::routes().layer(from_fn_with_state(context.clone(), guard::name_request)))
        .with_state(context)
}
