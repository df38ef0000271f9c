//! What went wrong, as a page that says what to do.

use super::html::html;
use super::layout;
use crate::error::Error;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use service::operator::OperatorError;

/// Why there is no page.
#[derive(Debug)]
pub(super) enum Problem {
    /// Nobody is logged in; `next` is where they wanted to go.
    LoggedOut { next: Option<String> },
    /// The form does not come from a page of ours.
    Foreign,
    /// There is no such thing.
    Missing(String),
    /// A field is wrong; the sentence says which and why.
    Wrong(String),
    /// The same confirmation came before.
    AlreadyDone,
    /// Too many logins failed.
    TooMany { seconds: u32 },
    /// Anything that can go wrong elsewhere too.
    Other(Error),
}

impl Problem {
    pub(super) fn missing(kind: &str) -> Problem {
        Problem::Missing(format!("There is no such {kind}."))
    }

    pub(super) fn wrong(sentence: impl Into<String>) -> Problem {
        Problem::Wrong(sentence.into())
    }

    fn told(self) -> (StatusCode, &'static str, String) {
        match self {
            Problem::LoggedOut { .. } => {
                (StatusCode::UNAUTHORIZED, "Please log in", "Your session has ended.".to_owned())
            }
            Problem::Foreign => (
                StatusCode::FORBIDDEN,
                "That did not come from here",
                "The form did not come from a page of this session. Nothing was changed. Open the page again and \
                 repeat it."
                    .to_owned(),
            ),
            Problem::Missing(sentence) => (StatusCode::NOT_FOUND, "Not found", sentence),
            Problem::Wrong(sentence) => (StatusCode::BAD_REQUEST, "That does not work", sentence),
            Problem::AlreadyDone => (
                StatusCode::CONFLICT,
                "Done before",
                "This was confirmed and done before; it was not done a second time.".to_owned(),
            ),
            Problem::TooMany { seconds } => (
                StatusCode::TOO_MANY_REQUESTS,
                "Too many tries",
                format!("Too many logins failed. Try again in {seconds} seconds."),
            ),
            Problem::Other(error) => (error.code.status(), "That does not work", error.message),
        }
    }
}

impl From<service::Error> for Problem {
    fn from(error: service::Error) -> Problem {
        match error {
            service::Error::Missing { kind, id, .. } => Problem::Missing(format!("There is no {kind} {id}.")),
            other => Problem::Other(other.into()),
        }
    }
}

impl From<OperatorError> for Problem {
    fn from(error: OperatorError) -> Problem {
        match error {
            OperatorError::Revoked => Problem::LoggedOut { next: None },
            OperatorError::AlreadyDone => Problem::AlreadyDone,
            OperatorError::Other(error) => error.into(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        if let Problem::LoggedOut { next } = &self {
            let mut query = form_urlencoded::Serializer::new(String::new());
            if let Some(next) = next {
                query.append_pair("next", next);
            }
            return redirect(&format!("/login?{}", query.finish()));
        }
        let wait = if let Problem::TooMany { seconds } = &self { Some(*seconds) } else { None };
        let (status, title, sentence) = self.told();
        let body = html!(
            "<p class=\"notice conflict\" role=\"alert\">{}</p><p><a class=\"button\" href=\"/\">To the overview</a></p>",
            sentence
        );
        let mut response = (status, layout::bare(title, &body)).into_response();
        if let Some(seconds) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// To another page, by GET.
pub(super) fn redirect(to: &str) -> Response {
    let to = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response()
}
