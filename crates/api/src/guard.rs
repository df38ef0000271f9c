//! What stands around every request, in the contract's order: https, address limit, key, account, address
//! allowlist, scope, rate limit. What comes after (route, media type, body, parameters) is the handlers'.

use crate::Context;
use crate::access::{self, Access};
use crate::connection::Client;
use crate::error::{Code, Error};
use axum::body::Bytes;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::id::{Identifier as _, RequestId};
use domain::rate::Minute;
use domain::time::Shown;
use futures_util::FutureExt as _;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use jiff::Timestamp;
use service::Caller;
use service::keys::Recognised;
use service::rate::Allowance;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

pub(crate) static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
static LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
static REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
static RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// Names the request, asks every check, lets the handler answer, and finishes the response.
pub(crate) async fn guard(State(context): State<Context>, mut request: Request, next: Next) -> Response {
    let now = context.service.now();
    let begun = Instant::now();
    let request_id = RequestId::new(now, context.service.random());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = request.method().clone();

    let presented = Presented::by(&context, &request, route.as_ref());
    let guessing = presented.as_ref().filter(|presented| presented.access == Access::Review);
    let guessing = guessing.map(|presented| presented.client.address);
    let checked = match presented {
        Some(presented) => check(&context, presented, now).await,
        None => Err(Error::new(Code::InternalError, "The connection of this request is not known.")),
    };
    let (allowance, caller, response) = match checked {
        Ok(Checked { known, allowance: Some(allowance) }) if !allowance.is_allowed => {
            if let Some(known) = &known {
                let owner = (known.account.id, known.key.mode);
                context.brake.refuse(owner, Minute::of(now)).await;
            }
            (Some(allowance), known.map(|known| caller(&known)), over_limit(allowance).into_response())
        }
        Ok(Checked { known, allowance }) => {
            let caller = known.as_ref().map(|known| caller(known));
            let known_route = route.as_ref().map_or("", MatchedPath::as_str);
            let is_understood = context.queries.check(&method, known_route, request.uri().query());
            request.extensions_mut().insert(request_id);
            if let Some((known, caller)) = known.zip(caller) {
                request.extensions_mut().insert(known);
                request.extensions_mut().insert(caller);
            }
            let response = match is_understood {
                Ok(()) => answer(request, next).await,
                Err(error) => error.into_response(),
            };
            (allowance, caller, response)
        }
        Err(error) => (None, None, error.into_response()),
    };

    if let Some(address) = guessing
        && response.status() == http::StatusCode::UNAUTHORIZED
    {
        context.service.reviewers().count(address, Minute::of(now));
    }
    let mut response = finish(response, request_id);
    if let Some(allowance) = allowance {
        add_rate_headers(response.headers_mut(), allowance);
    }
    tracing::info!(
        request.id = %request_id,
        http.method = %method,
        http.route = route.as_ref().map_or("-", MatchedPath::as_str),
        http.status = response.status().as_u16(),
        account.id = caller.map(|caller| tracing::field::display(caller.account_id)),
        key.id = caller.map(|caller| tracing::field::display(caller.key_id)),
        duration_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX),
        "answered"
    );
    if let Some(route) = route {
        response.extensions_mut().insert(route);
    }
    response
}

/// Lets the handler answer. A panic in it is a fault of ours, logged where panics are; the client is told so
/// instead of losing the connection, and other requests on it go on.
async fn answer(request: Request, next: Next) -> Response {
    let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    answered.unwrap_or_else(|_| {
        let message = "Something went wrong on our side. Please tell us the request_id.";
        Error::new(Code::InternalError, message).into_response()
    })
}

/// For the health checks, which load balancers call without a key and without forwarding headers.
pub(crate) async fn name_request(State(context): State<Context>, request: Request, next: Next) -> Response {
    let request_id = RequestId::new(context.service.now(), context.service.random());
    finish(next.run(request).await, request_id)
}

/// The answer on an unknown path.
pub(crate) async fn not_found() -> Error {
    Error::new(Code::RouteNotFound, "There is nothing at this path. GET /v1/openapi.json lists every path.")
}

/// The answer on a known path with another method. The router adds `Allow`.
pub(crate) async fn wrong_method() -> Response {
    let message = "This path does not take this method. The Allow header lists those that it takes.";
    let mut response = Error::new(Code::RouteNotFound, message).into_response();
    *response.status_mut() = http::StatusCode::METHOD_NOT_ALLOWED;
    response
}

/// What the checks found.
struct Checked {
    known: Option<Arc<Recognised>>,
    /// `None` where no RateLimit headers are sent.
    allowance: Option<Allowance>,
}

/// What a request shows before its body is looked at.
struct Presented<'r> {
    client: Client,
    secret: Option<&'r str>,
    access: Access,
}

impl<'r> Presented<'r> {
    fn by(context: &Context, request: &'r Request, route: Option<&MatchedPath>) -> Option<Presented<'r>> {
        let client = context.settings.trusted_proxies.client(request.extensions(), request.headers())?;
        let secret = bearer(request.headers());
        let access =
            route.map_or(Access::AnyKey, |route| access::of(request.method().as_str(), route.as_str()));
        Some(Presented { client, secret, access })
    }
}

async fn check(context: &Context, presented: Presented<'_>, now: Timestamp) -> Result<Checked, Error> {
    let Presented { client, secret, access } = presented;
    require_https(context, client, secret, now).await?;
    if access == Access::Public {
        return Ok(Checked { known: None, allowance: None });
    }
    if access == Access::Review {
        // Guessing links is counted like guessing keys, but apart: a school behind one address does both.
        return match context.service.reviewers().is_exhausted(client.address, Minute::of(now)) {
            true => Err(too_many_guesses("review links", now)),
            false => Ok(Checked { known: None, allowance: None }),
        };
    }
    let known = authenticate(context, client, secret, now).await?;
    if access == Access::Revocation {
        return Ok(Checked { known: Some(known), allowance: None });
    }
    authorise(&known, client, access)?;
    let owner = (known.account.id, known.key.mode);
    let limit = known.account.rate_limit(known.key.mode);
    let allowance = context.service.spend_request(owner, limit, now).await?;
    Ok(Checked { known: Some(known), allowance: Some(allowance) })
}

/// Plain HTTP is refused. A key that came so is noted as exposed, because anyone on the way could read it.
async fn require_https(
    context: &Context,
    client: Client,
    secret: Option<&str>,
    now: Timestamp,
) -> Result<(), Error> {
    let is_development = context.settings.development.is_some() && client.address.is_loopback();
    if client.is_secure || is_development {
        return Ok(());
    }
    // Guessing keys over plain HTTP is counted like any guessing.
    let minute = Minute::of(now);
    if let Some(secret) = secret
        && !context.service.addresses().is_exhausted(client.address, minute)
    {
        match context.service.recognise(secret, now).await? {
            Some(known) => context.service.expose_key(&known).await?,
            None => context.service.addresses().count(client.address, minute),
        }
    }
    let message = "This service is reached over https:// only. A key that was sent over http:// must be taken as \
                   exposed: replace it.";
    Err(Error::new(Code::HttpsRequired, message))
}

/// The key behind the request; requests with unrecognised keys are counted by address.
async fn authenticate(
    context: &Context,
    client: Client,
    secret: Option<&str>,
    now: Timestamp,
) -> Result<Arc<Recognised>, Error> {
    let minute = Minute::of(now);
    let addresses = context.service.addresses();
    if addresses.is_exhausted(client.address, minute) {
        return Err(too_many_guesses("keys", now));
    }
    let Some(secret) = secret else {
        addresses.count(client.address, minute);
        let message = "Send your secret key as \"Authorization: Bearer <API_KEY>\".";
        return Err(Error::new(Code::ApiKeyMissing, message));
    };
    let Some(known) = context.service.recognise(secret, now).await? else {
        addresses.count(client.address, minute);
        return Err(Error::new(Code::ApiKeyInvalid, "This API key is not known. Check that it is complete."));
    };
    Ok(known)
}

fn too_many_guesses(what: &str, now: Timestamp) -> Error {
    let message =
        format!("Too many requests with unknown {what} came from this address. Wait until the minute ends.");
    Error::new(Code::RateLimitExceeded, message).retry_after(Minute::seconds_left(now))
}

/// The key's own state, its account's, the address, the scope.
fn authorise(known: &Recognised, client: Client, access: Access) -> Result<(), Error> {
    if let Some(revoked_at) = known.key.revoked_at {
        let message = format!("This API key was revoked at {}. Use another.", Shown(revoked_at));
        return Err(Error::new(Code::ApiKeyRevoked, message));
    }
    if known.account.suspended_at.is_some() {
        let message = "This account is suspended. Please get in touch with us.";
        return Err(Error::new(Code::AccountSuspended, message));
    }
    if !known.key.allows_address(client.address) {
        let message = format!("This API key may not be used from {}.", client.address);
        return Err(Error::new(Code::IpNotAllowed, message));
    }
    if let Access::Scoped(wanted) = access
        && !access.is_open_to(&known.key)
    {
        let names: Vec<&str> = wanted.iter().map(|scope| scope.name()).collect();
        let message = format!("This API key needs the scope {} for this call.", names.join(" or "));
        return Err(Error::new(Code::InsufficientScope, message));
    }
    Ok(())
}

/// The token of `Authorization: Bearer …`, if there is one that is not empty.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

fn caller(known: &Recognised) -> Caller {
    Caller { account_id: known.account.id, mode: known.key.mode, key_id: known.key.id }
}

fn over_limit(allowance: Allowance) -> Error {
    let message = format!("More than {} requests in this minute. Wait until it ends.", allowance.limit);
    Error::new(Code::RateLimitExceeded, message).retry_after(allowance.reset_seconds)
}

/// Writes the body of an error, and the request's name on everything.
fn finish(mut response: Response, request_id: RequestId) -> Response {
    if let Some(error) = response.extensions_mut().remove::<Error>() {
        let status = response.status();
        let mut written = error.into_response_for(request_id);
        *written.status_mut() = status;
        // What the router already said, such as Allow, stays.
        for (name, value) in response.headers() {
            if name != header::CONTENT_LENGTH && name != header::CONTENT_TYPE {
                written.headers_mut().insert(name, value.clone());
            }
        }
        response = written;
    }
    let value = Bytes::from(request_id.to_string());
    let value = HeaderValue::from_maybe_shared(value).expect("a request id is ASCII");
    response.headers_mut().insert(REQUEST_ID.clone(), value);
    response
}

fn add_rate_headers(headers: &mut HeaderMap, allowance: Allowance) {
    headers.insert(LIMIT.clone(), HeaderValue::from(allowance.limit));
    headers.insert(REMAINING.clone(), HeaderValue::from(allowance.remaining));
    headers.insert(RESET.clone(), HeaderValue::from(allowance.reset_seconds));
}
