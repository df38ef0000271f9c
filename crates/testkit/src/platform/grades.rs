//! The platform's gradebook: access tokens, and the scores that it takes.

use super::{CLIENT_ID, Inner, Shared, locked};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};

const SCOPE: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
/// How long its access tokens last.
const TOKEN_SECONDS: i64 = 600;
/// A statement of who one is may last so long at most.
const STATEMENT_SECONDS_MAX: i64 = 3600;

/// A score that was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Accepted {
    /// Whose.
    pub user: String,
    /// Marks.
    pub given: f64,
    /// Of so many.
    pub maximum: f64,
    /// The time that it carried.
    pub timestamp: Timestamp,
}

#[derive(Debug, Default)]
pub(super) struct Grades {
    students: HashSet<String>,
    /// Statements that were used.
    used: HashSet<String>,
    /// When each token ends, in seconds.
    tokens: HashMap<String, i64>,
    given: usize,
    answer: Option<StatusCode>,
    is_secret: bool,
    sent: usize,
    accepted: Vec<Accepted>,
    book: BTreeMap<String, Accepted>,
}

impl Grades {
    pub(super) fn of(students: &[&str]) -> Grades {
        Grades { students: students.iter().map(|&name| name.to_owned()).collect(), ..Grades::default() }
    }

    pub(super) fn tokens_given(&self) -> usize {
        self.given
    }

    pub(super) fn forget_tokens(&mut self) {
        self.tokens.clear();
    }

    pub(super) fn answer_with(&mut self, status: Option<u16>) {
        self.answer = status.map(|status| StatusCode::from_u16(status).expect("a status"));
    }

    pub(super) fn keep_secret(&mut self, is_secret: bool) {
        self.is_secret = is_secret;
    }

    pub(super) fn accepted(&self) -> Vec<Accepted> {
        self.accepted.clone()
    }

    pub(super) fn gradebook(&self) -> Vec<(String, f64, f64)> {
        self.book.values().map(|score| (score.user.clone(), score.given, score.maximum)).collect()
    }

    pub(super) fn sent(&self) -> usize {
        self.sent
    }
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Gives an access token to whoever says who they are as RFC 7523 and the security framework of 1EdTech have it.
pub(super) async fn give_token(State(state): State<Shared>, headers: HeaderMap, body: String) -> Response {
    let mut inner = locked(&state);
    match stated(&mut inner, &headers, &body) {
        Ok(()) => {
            let until = inner.clock.now().as_second() + TOKEN_SECONDS;
            inner.grades.given += 1;
            let token = format!("token-{}", inner.grades.given);
            inner.grades.tokens.insert(token.clone(), until);
            let given = json!({
                "access_token": token, "token_type": "Bearer", "expires_in": TOKEN_SECONDS, "scope": SCOPE,
            });
            Json(given).into_response()
        }
        Err(why) => {
            inner.broken.push(format!("token: {why}"));
            (StatusCode::BAD_REQUEST, Json(json!({"error": "invalid_client"}))).into_response()
        }
    }
}

fn stated(inner: &mut Inner, headers: &HeaderMap, body: &str) -> Result<(), String> {
    if header(headers, "content-type") != "application/x-www-form-urlencoded" {
        return Err(format!("the form is a {}", header(headers, "content-type")));
    }
    let url = format!("http://form/?{body}");
    let form: Vec<(String, String)> =
        url::Url::parse(&url).map_err(|error| error.to_string())?.query_pairs().into_owned().collect();
    let field = |name: &str| {
        let mut found = form.iter().filter(|(key, _)| key == name).map(|(_, text)| text.as_str());
        let first = found.next().ok_or(format!("no {name}"))?;
        if found.next().is_some() { Err(format!("{name} twice")) } else { Ok(first) }
    };
    if field("grant_type")? != "client_credentials" {
        return Err("another grant".to_owned());
    }
    if field("client_assertion_type")? != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" {
        return Err("another kind of statement".to_owned());
    }
    if field("scope")? != SCOPE {
        return Err(format!("more or other scopes than needed: {}", field("scope")?));
    }
    let claims = inner.keys.verified(field("client_assertion")?)?;
    if claims["iss"] != CLIENT_ID || claims["sub"] != CLIENT_ID {
        return Err(format!("it is of {} about {}", claims["iss"], claims["sub"]));
    }
    if claims["aud"] != format!("{}/token", inner.base) {
        return Err(format!("it is for {}", claims["aud"]));
    }
    let seconds = |name: &str| claims[name].as_i64().ok_or(format!("no {name}"));
    let (now, made, until) = (inner.clock.now().as_second(), seconds("iat")?, seconds("exp")?);
    if made > now + 1 || until <= now || until - made > STATEMENT_SECONDS_MAX {
        return Err(format!("made at {made}, until {until}, and it is {now}"));
    }
    let id = claims["jti"].as_str().filter(|id| !id.is_empty()).ok_or("no jti")?;
    if inner.grades.used.insert(id.to_owned()) {
        Ok(())
    } else {
        Err("the statement was used before".to_owned())
    }
}

/// Takes a score, unless a rule forbids it.
pub(super) async fn take_score(
    State(state): State<Shared>,
    uri: http::Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut inner = locked(&state);
    inner.grades.sent += 1;
    let now = inner.clock.now().as_second();
    let token = header(&headers, "authorization").strip_prefix("Bearer ").unwrap_or_default();
    if inner.grades.tokens.get(token).is_none_or(|until| *until <= now) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    if let Some(status) = inner.grades.answer {
        return (status, "as told").into_response();
    }
    let read = score(&uri, &headers, &body);
    let score = match read {
        Ok(score) => score,
        Err(why) => {
            inner.broken.push(format!("score: {why}"));
            return StatusCode::BAD_REQUEST.into_response();
        }
    };
    if !inner.grades.students.contains(&score.user) {
        return (StatusCode::NOT_FOUND, "no such user in the course").into_response();
    }
    let last = inner.grades.book.get(&score.user).map(|last| last.timestamp);
    if let Some(last) = last.filter(|last| *last >= score.timestamp) {
        inner.broken.push(format!("score: {} is not newer than {last}", score.timestamp));
        return StatusCode::CONFLICT.into_response();
    }
    inner.grades.book.insert(score.user.clone(), score.clone());
    inner.grades.accepted.push(score);
    match inner.grades.is_secret {
        true => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        false => Json(json!({})).into_response(),
    }
}

fn score(uri: &http::Uri, headers: &HeaderMap, body: &[u8]) -> Result<Accepted, String> {
    if uri.query() != Some("type_id=1") {
        return Err(format!("the line item's query is lost: {uri}"));
    }
    if header(headers, "content-type") != "application/vnd.ims.lis.v1.score+json" {
        return Err(format!("it is a {}", header(headers, "content-type")));
    }
    let score: Value = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let text = |name: &str| score[name].as_str().ok_or(format!("no {name} in {score}"));
    let number = |name: &str| score[name].as_f64().ok_or(format!("no {name} in {score}"));
    let (given, maximum) = (number("scoreGiven")?, number("scoreMaximum")?);
    if given < 0.0 || maximum <= 0.0 {
        return Err(format!("{given} of {maximum}"));
    }
    if text("activityProgress")? != "Completed" || text("gradingProgress")? != "FullyGraded" {
        return Err(format!("not final: {score}"));
    }
    let timestamp = text("timestamp")?;
    if !(timestamp.contains('.') && timestamp.ends_with('Z')) {
        return Err(format!("{timestamp} has no parts of a second or no zone"));
    }
    let timestamp = timestamp.parse().map_err(|error| format!("{timestamp}: {error}"))?;
    Ok(Accepted { user: text("userId")?.to_owned(), given, maximum, timestamp })
}
