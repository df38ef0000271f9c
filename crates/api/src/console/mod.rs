//! The operator's console: pages of the service's own, made on the server, on an address of their own.
//!
//! Every page needs a session, which a key made on the command line opens. Pages read; what changes something is asked
//! for on one page that says what will happen, and done by one function that writes it into the record. No page needs
//! a script. Nothing of a student is shown before a reason is in the record.

mod accounts;
mod assets;
mod confirm;
mod credits;
mod endpoints;
mod events;
mod failures;
mod figures;
mod form;
pub(crate) mod html;
mod keys;
mod layout;
mod lists;
mod log;
mod login;
mod named;
mod overview;
mod papers;
mod problem;

mod session;
mod settings;
mod student;
mod submissions;

pub use settings::{Finding, Level, SetUp, Setting};

use crate::connection::Connection;
use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use figures::Figures;
use http::{HeaderName, HeaderValue, StatusCode, header};
use problem::Problem;
use service::Service;
use settings::Findings;
use std::sync::Arc;
use std::time::Duration;

/// How often the figures of the overview are taken.
const SAMPLED_EVERY: Duration = Duration::from_secs(10);

/// The console. Clones share it.
#[derive(Clone, Debug)]
pub struct Console {
    service: Service,
    set_up: Arc<SetUp>,
    figures: Arc<Figures>,
    findings: Arc<Findings>,
}

impl Console {
    /// The console of a service that was set up like this.
    pub fn new(service: Service, set_up: SetUp) -> Console {
        let (figures, findings) = (Arc::default(), Arc::default());
        Console { service, set_up: Arc::new(set_up), figures, findings }
    }

    /// Every page.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/", get(overview::page))
            .route("/live.json", get(overview::live_json))
            .route("/login", get(login::page).post(login::log_in))
            .route("/logout", post(login::log_out))
            .route("/find", get(accounts::find))
            .route("/accounts", get(accounts::list))
            .route("/accounts/new", get(accounts::new))
            .route("/accounts/{id}", get(accounts::one))
            .route("/accounts/{id}/keys", get(keys::page))
            .route("/accounts/{id}/credits", get(credits::page))
            .route("/accounts/{id}/endpoints", get(endpoints::of_account))
            .route("/accounts/{id}/papers", get(papers::list))
            .route("/accounts/{id}/submissions", get(submissions::list))
            .route("/accounts/{id}/events", get(events::of_account))
            .route("/accounts/{id}/log", get(log::of_account))
            .route("/endpoints/{id}", get(endpoints::one))
            .route("/papers/{id}", get(papers::one))
            .route("/submissions/{id}", get(submissions::one))
            .route("/submissions/{id}/student", get(student::page).post(student::ask))
            .route("/failures", get(failures::page))
            .route("/events", get(events::all))
            .route("/events/{id}", get(events::one))
            .route("/log", get(log::page))
            .route("/settings", get(settings::page))
            .route("/settings/check", post(settings::check))
            .route("/confirm", get(confirm::ask).post(confirm::carry_out))
            .route("/assets/{name}", get(assets::asset))
            .fallback(async || Problem::missing("page"))
            .method_not_allowed_fallback(async || Problem::missing("page"))
            .layer(from_fn(protect))
            .with_state(self.clone())
    }

    /// Takes the figures of the overview now and then, for as long as it is polled.
    pub async fn keep_up(&self) {
        if let Err(error) = self.service.note_account_words().await {
            tracing::warn!(%error, "accounts from before cannot be searched by name yet");
        }
        let mut turns = tokio::time::interval(SAMPLED_EVERY);
        loop {
            turns.tick().await;
            if let Err(error) = self.sample().await {
                tracing::warn!(%error, "the console's figures could not be taken");
            }
        }
    }

    /// Takes the figures of the overview once.
    pub async fn sample(&self) -> Result<(), service::Error> {
        self.figures.sample(&self.service).await
    }
}

/// Nothing but our own files and forms, nothing inline, no frames, no traces.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// The referrer stays within the console: without any, browsers would not say where a form comes from.
const HEADERS: [(HeaderName, &str); 8] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// A key or a cookie never crosses a network in the clear: without TLS only this machine is answered.
async fn protect(request: Request, next: Next) -> Response {
    let connection = request.extensions().get::<Connection>();
    let is_private = connection
        .is_some_and(|connection| connection.tls || connection.peer.ip().to_canonical().is_loopback());
    let mut response = if is_private {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "The console is reached over https, or from this machine.\n").into_response()
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
