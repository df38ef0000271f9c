//! Who reviews: the cookie, and the checks that a call comes from the page itself.

use super::problem::Problem;
use super::view::SessionBody;
use crate::Context;
use crate::extract::body::{Body, FromBody, Members, json};
use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::response::{IntoResponse, Response};
use domain::review::{Closed, ReviewLink};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};

/// The `__Host-` prefix makes browsers refuse the cookie from anywhere but this very host over https.
const SECURE_COOKIE: &str = "__Host-tickmark_review";
/// In development over plain http on loopback, where the prefix cannot be had.
const PLAIN_COOKIE: &str = "tickmark_review";
/// Carries the id of the paper that the page shows. Another site cannot add it to a request.
const PAGE: &str = "x-tickmark-review";
/// No token of ours is longer.
const TOKEN_MAX: usize = 200;

/// The reviewer behind a call that looks at something.
pub(super) struct Looking(pub(super) ReviewLink);

/// The reviewer behind a call that changes something: it must come from the page, about the page's paper.
pub(super) struct Changing(pub(super) ReviewLink);

/// A call that comes from the page.
pub(super) struct FromPage {
    is_secure: bool,
    cookie: Option<String>,
}

impl FromRequestParts<Context> for Looking {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Looking, Problem> {
        let cookie = cookie(&parts.headers, is_secure(parts, context));
        let link = context.service.reviewer(&cookie.ok_or(Problem::Closed(Closed::Unknown))?).await?;
        Ok(Looking(link))
    }
}

impl FromRequestParts<Context> for FromPage {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<FromPage, Problem> {
        let is_ours = parts.headers.contains_key(PAGE) && is_own_origin(parts, context);
        if !is_ours {
            return Err(Problem::Foreign);
        }
        let is_secure = is_secure(parts, context);
        Ok(FromPage { is_secure, cookie: cookie(&parts.headers, is_secure) })
    }
}

impl FromRequestParts<Context> for Changing {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Changing, Problem> {
        FromPage::from_request_parts(parts, context).await?;
        let Looking(link) = Looking::from_request_parts(parts, context).await?;
        let shown = parts.headers.get(PAGE).and_then(|value| value.to_str().ok());
        if shown == Some(link.paper_id.to_string().as_str()) {
            Ok(Changing(link))
        } else {
            Err(Problem::OtherPaper)
        }
    }
}

pub(super) struct Token(String);

impl FromBody for Token {
    fn from_members(members: &mut Members) -> Result<Token, crate::error::Error> {
        members.allow(&["token"])?;
        Ok(Token(members.required("token", json::string())?))
    }
}

/// Trades a link's token for a cookie.
pub(super) async fn open(
    State(context): State<Context>,
    page: FromPage,
    Body(Token(token)): Body<Token>,
) -> Result<Response, Problem> {
    if token.len() > TOKEN_MAX {
        return Err(Problem::Closed(Closed::Unknown));
    }
    let (link, secret) = context.service.open_review(&token).await?;
    // Opening another link in the same browser leaves what was open.
    if let Some(earlier) = &page.cookie {
        context.service.leave_review(earlier).await?;
    }
    let seconds = (link.expires_at - context.service.now()).get_seconds().max(0);
    let body = Json(SessionBody { paper_id: link.paper_id.to_string() });
    Ok(with_cookie(body.into_response(), page.is_secure, &secret, seconds))
}

/// Ends the session at once. The link itself still works.
pub(super) async fn leave(State(context): State<Context>, page: FromPage) -> Result<Response, Problem> {
    if let Some(cookie) = &page.cookie {
        context.service.leave_review(cookie).await?;
    }
    Ok(with_cookie(StatusCode::NO_CONTENT.into_response(), page.is_secure, "", 0))
}

fn with_cookie(mut response: Response, is_secure: bool, secret: &str, seconds: i64) -> Response {
    let (name, secure) = if is_secure { (SECURE_COOKIE, "; Secure") } else { (PLAIN_COOKIE, "") };
    let cookie = format!("{name}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    let value = HeaderValue::from_str(&cookie).expect("our secrets are letters and digits");
    response.headers_mut().insert(header::SET_COOKIE, value);
    response
}

/// Whether the way to the client is encrypted.
pub(crate) fn is_secure(parts: &Parts, context: &Context) -> bool {
    let client = context.settings.trusted_proxies.client(&parts.extensions, &parts.headers);
    client.is_some_and(|client| client.is_secure)
}

fn cookie(headers: &HeaderMap, is_secure: bool) -> Option<String> {
    cookie_named(headers, if is_secure { SECURE_COOKIE } else { PLAIN_COOKIE })
}

/// The cookie of this name, unless it is empty.
pub(crate) fn cookie_named(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, value)| *key == name && !value.is_empty()).map(|(_, value)| value.to_owned())
}

/// True unless the browser says that another origin asks. `SameSite=Strict` alone would keep its cookie back;
/// this holds where an old browser does not know that.
fn is_own_origin(parts: &Parts, context: &Context) -> bool {
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    if text("sec-fetch-site").is_some_and(|site| site != "same-origin") {
        return false;
    }
    let Some(origin) = text("origin") else { return true };
    let host = parts.uri.authority().map(http::uri::Authority::as_str).or_else(|| text("host"));
    let named = origin.split_once("://").map(|(_, host)| host);
    origin == context.service.base_url() || (named.is_some() && named == host)
}
