//! What a platform sends by a form or in a query: named texts, each once, within bounds.

use super::page::Problem;
use axum::body::Body;
use domain::lti::{Refused, TOKEN_BYTES_MAX};
use domain::text::is_forbidden;
use http::request::Parts;
use http::{Method, header};
use http_body_util::{BodyExt as _, Limited};

/// No form is larger: the token and some hints.
const BYTES_MAX: usize = 2 * TOKEN_BYTES_MAX;
/// Fields of one form. Platforms add fields of their own.
const FIELDS_MAX: usize = 64;
/// The most bytes of a field.
const FIELD_BYTES_MAX: usize = TOKEN_BYTES_MAX;

pub(super) struct Form(Vec<(String, String)>);

impl Form {
    /// The fields of a form that was posted, or else of the query.
    pub(super) async fn read(parts: &Parts, body: Body) -> Result<Form, Problem> {
        if parts.method != Method::POST {
            return Form::parse(parts.uri.query().unwrap_or_default().as_bytes());
        }
        let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let kind = kind.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Refused::Parameter("Content-Type").into());
        }
        let bytes = Limited::new(body, BYTES_MAX).collect().await.map_err(|_| Refused::Malformed)?;
        Form::parse(&bytes.to_bytes())
    }

    fn parse(bytes: &[u8]) -> Result<Form, Problem> {
        let fields: Vec<(String, String)> = form_urlencoded::parse(bytes)
            .take(FIELDS_MAX + 1)
            .map(|(name, text)| (name.into(), text.into()))
            .collect();
        if bytes.len() > BYTES_MAX || fields.len() > FIELDS_MAX {
            return Err(Refused::Malformed.into());
        }
        Ok(Form(fields))
    }

    /// The field of this name, which may be missing or empty but not there twice.
    pub(super) fn optional(&self, name: &'static str) -> Result<Option<String>, Problem> {
        let mut found = self.0.iter().filter(|(key, _)| key == name).map(|(_, text)| text);
        let (first, second) = (found.next(), found.next());
        let is_fit = |text: &String| text.len() <= FIELD_BYTES_MAX && !text.contains(is_forbidden);
        if second.is_some() || !first.is_none_or(is_fit) {
            return Err(Refused::Parameter(name).into());
        }
        Ok(first.filter(|text| !text.is_empty()).cloned())
    }

    pub(super) fn required(&self, name: &'static str) -> Result<String, Problem> {
        self.optional(name)?.ok_or_else(|| Refused::Parameter(name).into())
    }
}
