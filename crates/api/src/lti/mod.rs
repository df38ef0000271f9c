//! Where learning platforms send browsers (LTI 1.3): the beginning of a login, its end, and our public key.
//!
//! The pages here show a sentence or two and hold nothing that could be clicked by mistake, so that a platform may show
//! them in a frame. The desk itself refuses frames: there a launch gives a link that opens a window of its own.

mod form;
mod page;

use crate::Context;
use crate::review::{cookie_named, is_secure};
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use domain::lti::{KEYS_PATH, LAUNCH_PATH, LOGIN_PATH, LOGIN_WITHIN, Refused};
use form::Form;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use page::Problem;
use service::lti::{LoginRequest, Opened};

/// Binds a login to the browser that it was begun in. The platform's page sends the browser back by a form, so other
/// sites must be able to bring the cookie; it opens nothing by itself. `Partitioned` lets it work within a frame.
const SECURE_COOKIE: &str = "__Host-tickmark_lti";
/// In development over plain http on loopback, where the prefix cannot be had.
const PLAIN_COOKIE: &str = "tickmark_lti";

const POLICY: &str =
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

const HEADERS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
];

pub(crate) fn routes() -> Router<Context> {
    Router::new()
        .route(LOGIN_PATH, get(log_in).post(log_in))
        .route(LAUNCH_PATH, post(launch))
        .layer(from_fn(protect))
        .route(KEYS_PATH, get(keys))
}

async fn protect(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The beginning of a login: on to the platform, to the address that it was registered with and no other.
async fn log_in(State(context): State<Context>, request: Request) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let form = Form::read(&parts, body).await?;
    let asked = LoginRequest {
        issuer: form.required("iss")?,
        login_hint: form.required("login_hint")?,
        target: form.required("target_link_uri")?,
        message_hint: form.optional("lti_message_hint")?,
        client_id: form.optional("client_id")?,
        deployment_id: form.optional("lti_deployment_id")?,
    };
    let login = context.service.begin_lti_login(&asked).await?;
    let mut response = redirect(&login.url)?;
    set_cookie(&mut response, is_secure(&parts, &context), &login.cookie, LOGIN_WITHIN.as_secs());
    Ok(response)
}

/// The end of a login: a teacher goes on to the desk. However it ends, the login is over.
async fn launch(State(context): State<Context>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let is_secure = is_secure(&parts, &context);
    let opened = open(&context, &parts, body, is_secure).await;
    let mut response = opened.unwrap_or_else(Problem::into_response);
    set_cookie(&mut response, is_secure, "", 0);
    response
}

async fn open(
    context: &Context,
    parts: &Parts,
    body: axum::body::Body,
    is_secure: bool,
) -> Result<Response, Problem> {
    let form = Form::read(parts, body).await?;
    if let Some(error) = form.optional("error")? {
        let told = form.optional("error_description")?.unwrap_or(error);
        return Err(Refused::Platform(told).into());
    }
    let (state, token) = (form.required("state")?, form.required("id_token")?);
    let cookie = cookie(&parts.headers, is_secure);
    Ok(match context.service.launch_lti(cookie.as_deref(), &state, &token).await? {
        Opened::Desk { path } if is_framed(&parts.headers) => page::desk(&path),
        Opened::Desk { path } => redirect(&path)?,
        Opened::Nothing => page::learner(),
    })
}

/// Our public key, for platforms that check what we sign.
async fn keys(State(context): State<Context>) -> Result<Response, crate::error::Error> {
    let keys = context.service.lti_keys().await?;
    Ok(([(header::CACHE_CONTROL, "public, max-age=300")], Json(keys)).into_response())
}

/// To another page, by GET.
fn redirect(to: &str) -> Result<Response, Problem> {
    let to = HeaderValue::from_str(to).map_err(|_| Refused::Unregistered)?;
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response())
}

/// Whether the browser says that it shows the answer within another page.
fn is_framed(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-dest").is_some_and(|dest| dest == "iframe" || dest == "frame")
}

fn set_cookie(response: &mut Response, is_secure: bool, value: &str, seconds: i64) {
    let (name, rules) = match is_secure {
        true => (SECURE_COOKIE, "SameSite=None; Secure; Partitioned"),
        false => (PLAIN_COOKIE, "SameSite=Lax"),
    };
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; {rules}");
    let cookie = HeaderValue::from_str(&cookie).expect("what is sealed is letters, digits, dots and dashes");
    response.headers_mut().insert(header::SET_COOKIE, cookie);
}

fn cookie(headers: &HeaderMap, is_secure: bool) -> Option<String> {
    cookie_named(headers, if is_secure { SECURE_COOKIE } else { PLAIN_COOKIE })
}
