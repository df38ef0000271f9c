//! What the page's calls answer when they cannot do what was asked: for our own script, not for clients.

use axum::Json;
use axum::response::{IntoResponse, Response};
use domain::id::QuestionId;
use domain::marks::Marks;
use domain::question::Wrong;
use domain::review::Closed;
use http::StatusCode;
use serde::Serialize;
use service::desk::Answer;
use service::papers::StoredQuestion;
use service::reviews::ReviewError;

use super::view::QuestionBody;
use crate::error::Error;

/// A call that was refused.
pub(super) enum Problem {
    /// There is no session, or no longer.
    Closed(Closed),
    /// The call did not come from the page.
    Foreign,
    /// The browser's session is for another paper than the page shows.
    OtherPaper,
    /// What was sent is wrong.
    Wrong(Wrong),
    /// Another reviewer was faster.
    Changed(Vec<(QuestionId, Option<Box<StoredQuestion>>)>),
    /// Another person decided about the answer; this is how it is now.
    Decided(Box<Answer>),
    /// Anything that can go wrong elsewhere too.
    Other(Error),
}

#[derive(Serialize)]
struct Body {
    error: Told,
}

#[derive(Serialize)]
struct Told {
    code: &'static str,
    message: String,
    /// Where in what was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    param: Option<String>,
    /// The questions as they are now.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Vec<Current>>,
    /// Who decided about an answer meanwhile, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<Decided>,
}

#[derive(Serialize)]
struct Decided {
    submission_id: String,
    awarded: Marks,
    reviewer: Option<String>,
    version: Option<String>,
}

#[derive(Serialize)]
struct Current {
    id: String,
    /// Null for one that is gone.
    now: Option<QuestionBody>,
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        Problem::Other(error)
    }
}

impl From<service::Error> for Problem {
    fn from(error: service::Error) -> Problem {
        Problem::Other(error.into())
    }
}

impl From<ReviewError> for Problem {
    fn from(error: ReviewError) -> Problem {
        match error {
            ReviewError::Closed(closed) => Problem::Closed(closed),
            ReviewError::Wrong(wrong) => Problem::Wrong(wrong),
            ReviewError::Changed(changed) => Problem::Changed(changed),
            ReviewError::Other(error) => error.into(),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, code, message) = match &self {
            Problem::Closed(Closed::Expired) => {
                (StatusCode::UNAUTHORIZED, "review_link_expired", "This review link has expired.".to_owned())
            }
            Problem::Closed(Closed::Revoked) => (
                StatusCode::UNAUTHORIZED,
                "review_link_revoked",
                "This review link has been withdrawn.".to_owned(),
            ),
            Problem::Closed(Closed::Suspended) => (
                StatusCode::UNAUTHORIZED,
                "account_suspended",
                "This account is suspended, and its reviews with it. Please ask whoever sent you the link."
                    .to_owned(),
            ),
            Problem::Closed(Closed::Unknown) => {
                (StatusCode::UNAUTHORIZED, "review_closed", "This review is not open here.".to_owned())
            }
            Problem::Foreign => {
                (StatusCode::FORBIDDEN, "foreign_request", "This call belongs to the review page.".to_owned())
            }
            Problem::OtherPaper => (
                StatusCode::CONFLICT,
                "other_paper",
                "Another paper's review was opened in this browser.".to_owned(),
            ),
            Problem::Wrong(wrong) => (StatusCode::BAD_REQUEST, "wrong", wrong.problem.clone()),
            Problem::Changed(_) => (
                StatusCode::CONFLICT,
                "changed",
                "Another reviewer changed this question at the same time.".to_owned(),
            ),
            Problem::Decided(_) => (
                StatusCode::CONFLICT,
                "decided",
                "Another person decided about this answer at the same time.".to_owned(),
            ),
            Problem::Other(error) => return error.clone().into_response(),
        };
        let param = if let Problem::Wrong(wrong) = &self { Some(wrong.path.clone()) } else { None };
        let changed = if let Problem::Changed(changed) = &self {
            let current = |(id, now): &(QuestionId, Option<Box<StoredQuestion>>)| Current {
                id: id.to_string(),
                now: now.as_deref().map(QuestionBody::from),
            };
            Some(changed.iter().map(current).collect())
        } else {
            None
        };
        let decided = if let Problem::Decided(answer) = &self {
            Some(Decided {
                submission_id: answer.submission_id.to_string(),
                awarded: answer.awarded,
                reviewer: answer.reviewer.clone(),
                version: answer.version.map(|version| version.to_string()),
            })
        } else {
            None
        };
        (status, Json(Body { error: Told { code, message, param, changed, decided } })).into_response()
    }
}
