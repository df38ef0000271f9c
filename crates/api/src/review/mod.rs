//! The reviewer's page (contract, section 8): a shell, its script and style, and the calls the script makes.
//!
//! The page is public; what it shows is not. The script trades the token in the address's fragment, which no
//! server ever sees, for a cookie that is bound to one paper, and takes the fragment out of the address bar.
//! Every call looks the cookie up anew. Calls that change something must also carry a header that no other
//! site can add, and must not come from another origin.

pub(crate) mod assets;
mod calls;
mod desk;
mod problem;
mod sent;
mod session;
mod view;

pub(crate) use session::{cookie_named, is_secure};

use crate::Context;
use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::{get, post};
use http::{HeaderName, HeaderValue, header};

pub(crate) fn routes() -> Router<Context> {
    Router::new()
        .route("/review", get(assets::page))
        .route("/review/assets/{name}", get(assets::asset))
        .route("/review/session", post(session::open).delete(session::leave))
        .route("/review/paper", get(calls::paper))
        .route("/review/pages/{paper}/{document}/{page}", get(calls::picture))
        .route("/review/edits", post(calls::edit))
        .route("/review/box", post(calls::boxed))
        .route("/review/approve", post(calls::approve))
        .merge(desk::routes())
        .layer(from_fn(protect))
}

/// Nothing but our own files, nothing inline, no frames, no traces.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

const HEADERS: [(HeaderName, &str); 8] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

async fn protect(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
