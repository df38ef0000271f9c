//! JSON bodies: media type, size, syntax, then members, in the contract's order.

pub use super::json;
use super::json::Json;
use super::query::Query;
use crate::Context;
use crate::error::{Code, Error};
use axum::body::Body as AxumBody;
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http::{HeaderMap, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

/// The largest JSON body.
pub const BYTES_MAX: usize = 1024 * 1024;

/// What a body becomes.
pub trait FromBody: Sized {
    /// Reads the members; the first problem is the answer.
    fn from_members(members: &mut Members) -> Result<Self, Error>;
}

/// A body of JSON members.
#[derive(Clone, Copy, Debug)]
pub struct Body<T>(pub T);

impl<T: FromBody> FromRequest<Context> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &Context) -> Result<Body<T>, Error> {
        let (parts, body) = request.into_parts();
        let json = read(&parts.headers, body).await?;
        let mut members = Members::root(json)?;
        Query::parse(parts.uri.query(), &[])?;
        T::from_members(&mut members).map(Body)
    }
}

/// The body of operations that take an empty object or nothing.
#[derive(Clone, Copy, Debug)]
pub struct Empty;

impl FromBody for Empty {
    fn from_members(members: &mut Members) -> Result<Empty, Error> {
        members.allow(&[]).map(|()| Empty)
    }
}

/// The parsed body of a request; `None` when it has none.
pub async fn read(headers: &HeaderMap, body: AxumBody) -> Result<Option<Json>, Error> {
    let bytes = bytes(headers, body).await?;
    if bytes.is_empty() {
        return Ok(None);
    }
    json::parse(&bytes).map(Some)
}

/// The bytes of a JSON body.
pub(crate) async fn bytes(headers: &HeaderMap, body: AxumBody) -> Result<Bytes, Error> {
    let is_json = is_json(headers);
    let limit = if is_json { BYTES_MAX } else { 0 };
    match collect(body, limit).await {
        // Without the right media type nothing is read, so that any content at all is "too large" here.
        Err(error) if error.code == Code::RequestTooLarge && !is_json => Err(wrong_media_type()),
        collected => collected,
    }
}

async fn collect(body: AxumBody, limit: usize) -> Result<Bytes, Error> {
    match Limited::new(body, limit).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => {
            let message = format!("The body is larger than {BYTES_MAX} bytes.");
            Err(Error::new(Code::RequestTooLarge, message))
        }
        // The client went away or was too slow; nobody reads this answer.
        Err(_) => Err(Error::new(Code::InvalidJson, "The body did not arrive whole.")),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = value.split(';').next().unwrap_or_default().trim();
    media_type.eq_ignore_ascii_case("application/json")
}

fn wrong_media_type() -> Error {
    Error::new(Code::UnsupportedMediaType, "Send the body as JSON, with \"Content-Type: application/json\".")
}

/// The members of an object, taken one by one.
#[derive(Debug)]
pub struct Members {
    path: String,
    members: Vec<(String, Json)>,
}

impl Members {
    /// The members of a body. No body is an empty object: what is required is then reported missing.
    pub fn root(json: Option<Json>) -> Result<Members, Error> {
        match json {
            None => Ok(Members { path: String::new(), members: Vec::new() }),
            Some(Json::Object(members)) => Ok(Members { path: String::new(), members }),
            Some(_) => Err(Error::new(Code::InvalidJson, "The body must be a JSON object.")),
        }
    }

    /// The members of a value that must be an object.
    pub fn of(path: &str, json: Json) -> Result<Members, Error> {
        match json {
            Json::Object(members) => Ok(Members { path: path.to_owned(), members }),
            _ => Err(Error::invalid(path, "must be an object")),
        }
    }

    /// Refuses members that are not known here. Asked first, because a misspelt member explains a missing one.
    pub fn allow(&self, names: &[&str]) -> Result<(), Error> {
        let stranger = self.members.iter().find(|(name, _)| !names.contains(&name.as_str()));
        stranger.map_or(Ok(()), |(name, _)| Err(Error::unknown(self.path_of(name))))
    }

    /// A member that must be there.
    pub fn required<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str, Json) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let path = self.path_of(name);
        match self.take(name) {
            Some(json) => read(&path, json),
            None => Err(Error::missing(path)),
        }
    }

    /// A member that may be absent; `null` is as wrong as any other wrong type.
    pub fn optional<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str, Json) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let path = self.path_of(name);
        self.take(name).map(|json| read(&path, json)).transpose()
    }

    /// A member that may be absent or null, which mean the same.
    pub fn nullable<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str, Json) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let path = self.path_of(name);
        self.take(name).filter(|json| *json != Json::Null).map(|json| read(&path, json)).transpose()
    }

    /// A member of a PATCH: `None` when it is absent and so left as it is, `Some(None)` when null clears it.
    pub fn clearable<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str, Json) -> Result<T, Error>,
    ) -> Result<Option<Option<T>>, Error> {
        let path = self.path_of(name);
        match self.take(name) {
            None => Ok(None),
            Some(Json::Null) => Ok(Some(None)),
            Some(json) => read(&path, json).map(|value| Some(Some(value))),
        }
    }

    /// All members, for an object whose names are the client's own.
    pub fn into_entries(self) -> Vec<(String, Json)> {
        self.members
    }

    fn take(&mut self, name: &str) -> Option<Json> {
        let index = self.members.iter().position(|(member, _)| member == name)?;
        Some(self.members.remove(index).1)
    }

    /// `grading.strictness`, or the bare name at the top.
    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}
