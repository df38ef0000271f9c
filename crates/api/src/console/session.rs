//! Who is logged in: the cookie, and the checks that a form comes from a page of the same session.

use super::Console;
use super::form::Fields;
use super::html::{Html, html};
use super::problem::Problem;
use crate::connection::Connection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::Response;
use domain::key::KeyHash;
use domain::operator::SESSION_MAX;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, header};
use service::operator::Operator;
use std::net::IpAddr;

/// The `__Host-` prefix makes browsers refuse the cookie from anywhere but this very host over https.
const SECURE_COOKIE: &str = "__Host-tickmark_console";
/// Over plain http on this machine, where the prefix cannot be had.
const PLAIN_COOKIE: &str = "tickmark_console";
/// The field of a form that shows that its page was made for this session.
pub(super) const SEAL: &str = "seal";

/// Who asks for a page.
#[derive(Debug)]
pub(super) struct Signed {
    pub(super) operator: Operator,
    pub(super) cookie: String,
    /// Whether the way is encrypted.
    pub(super) is_secure: bool,
    /// What was just done, for the page that comes after it.
    pub(super) done: Option<&'static str>,
}

/// What the page after a change tells.
const DONE: [(&str, &str); 10] = [
    ("account-made", "The account is made."),
    ("suspended", "The account is suspended."),
    ("resumed", "The account goes on."),
    ("key-issued", "The key is issued."),
    ("key-revoked", "The key is revoked."),
    ("topped-up", "The credits are topped up."),
    ("adjusted", "The credits are corrected."),
    ("resent", "The event is sent again."),
    ("range-resent", "The events are sent again."),
    ("retried", "The work is tried again."),
];

/// The same without counting as use: what a page asks for by itself must not keep a session open.
#[derive(Debug)]
pub(super) struct Watching;

/// A form that somebody who is logged in sent from a page of the same session.
#[derive(Debug)]
pub(super) struct Sent(pub(super) Signed, pub(super) Fields);

impl Signed {
    /// The hidden field that a form of this session carries. Whoever does not have the cookie cannot make it.
    pub(super) fn seal(&self) -> Html {
        html!("<input type=\"hidden\" name=\"{}\" value=\"{}\">", SEAL, self.seal_text())
    }

    fn seal_text(&self) -> String {
        KeyHash::of(&format!("console form {}", self.cookie)).to_hex()
    }

    fn made(&self, fields: &Fields) -> bool {
        let given = fields.text(SEAL).and_then(KeyHash::parse);
        let own = KeyHash::parse(&self.seal_text());
        given.zip(own).is_some_and(|(given, own)| given.matches(&own))
    }
}

impl FromRequestParts<Console> for Signed {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, console: &Console) -> Result<Signed, Problem> {
        let path = parts.uri.path_and_query().map(|path| path.as_str().to_owned());
        let next = path.filter(|_| parts.method == Method::GET);
        find(parts, console, true).await?.ok_or(Problem::LoggedOut { next })
    }
}

impl FromRequestParts<Console> for Watching {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, console: &Console) -> Result<Watching, Problem> {
        find(parts, console, false).await?.map(|_| Watching).ok_or(Problem::LoggedOut { next: None })
    }
}

impl FromRequest<Console> for Sent {
    type Rejection = Problem;

    async fn from_request(request: Request, console: &Console) -> Result<Sent, Problem> {
        let (mut parts, body) = request.into_parts();
        let signed = Signed::from_request_parts(&mut parts, console).await?;
        if !is_own_origin(&parts) {
            return Err(Problem::Foreign);
        }
        let fields = Fields::read(&parts.headers, body).await?;
        if signed.made(&fields) { Ok(Sent(signed, fields)) } else { Err(Problem::Foreign) }
    }
}

async fn find(parts: &Parts, console: &Console, is_use: bool) -> Result<Option<Signed>, Problem> {
    let is_secure = is_secure(parts);
    let Some(cookie) = cookie(&parts.headers, is_secure) else { return Ok(None) };
    let session = console.service.operator_session(&cookie, is_use).await?;
    Ok(session.map(|session| {
        let name = session.key.name.into_string();
        let operator = Operator { key_id: Some(session.key.id), name, address: address(parts) };
        Signed { operator, cookie, is_secure, done: done(parts) }
    }))
}

fn done(parts: &Parts) -> Option<&'static str> {
    let query = parts.uri.query()?;
    let (_, given) = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "done")?;
    DONE.iter().find(|(name, _)| *name == given).map(|(_, told)| *told)
}

pub(super) fn address(parts: &Parts) -> Option<IpAddr> {
    parts.extensions.get::<Connection>().map(|connection| connection.peer.ip().to_canonical())
}

pub(super) fn is_secure(parts: &Parts) -> bool {
    parts.extensions.get::<Connection>().is_some_and(|connection| connection.tls)
}

/// Gives the browser a session's secret; an empty one takes it away.
pub(super) fn with_cookie(mut response: Response, is_secure: bool, secret: &str) -> Response {
    let (name, secure) = if is_secure { (SECURE_COOKIE, "; Secure") } else { (PLAIN_COOKIE, "") };
    let seconds = if secret.is_empty() { 0 } else { SESSION_MAX.as_secs() };
    let cookie = format!("{name}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    let value = HeaderValue::from_str(&cookie).expect("our secrets are letters and digits");
    response.headers_mut().insert(header::SET_COOKIE, value);
    response
}

fn cookie(headers: &HeaderMap, is_secure: bool) -> Option<String> {
    let name = if is_secure { SECURE_COOKIE } else { PLAIN_COOKIE };
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, value)| *key == name && !value.is_empty()).map(|(_, value)| value.to_owned())
}

/// Whether the browser says that a page of ours sent this. One that says nothing is not believed.
pub(super) fn is_own_origin(parts: &Parts) -> bool {
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text("sec-fetch-site") {
        return site == "same-origin";
    }
    let host = parts.uri.authority().map(http::uri::Authority::as_str).or_else(|| text("host"));
    let origin = text("origin").and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    origin.is_some() && origin == host
}
