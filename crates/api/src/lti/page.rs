//! The pages that a platform's browser is shown when it does not go on to the desk.

use crate::console::html::{Html, html, name};
use crate::error::Error;
use axum::response::{Html as Page, IntoResponse, Response};
use domain::lti::Refused;
use http::StatusCode;
use service::lti::LaunchError;

/// Why a browser does not go on.
#[derive(Debug)]
pub(super) enum Problem {
    /// A rule of LTI, or nothing here to open.
    Refused(Refused),
    /// Anything that can go wrong elsewhere too.
    Other(Error),
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Problem {
        Problem::Refused(refused)
    }
}

impl From<LaunchError> for Problem {
    fn from(error: LaunchError) -> Problem {
        match error {
            LaunchError::Refused(refused) => Problem::Refused(refused),
            LaunchError::Other(error) => Problem::Other(error.into()),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, sentence) = match self {
            Problem::Refused(refused) => {
                tracing::info!(?refused, "a launch of a learning platform was refused");
                told(&refused)
            }
            Problem::Other(error) => (error.code.status(), html!("{}", error.message)),
        };
        let body = html!("<p class=\"notice conflict\" role=\"alert\">{}</p>", sentence);
        (status, page("This could not be opened", &body)).into_response()
    }
}

/// The status and what to do about it.
fn told(refused: &Refused) -> (StatusCode, Html) {
    const AGAIN: &str = "Go back to your course and click the link again.";
    const OPERATOR: &str = "Please tell whoever set up Tickmark on your learning platform.";
    // What a token gets wrong is counted by address, which the status says.
    let denied = |why: &str, what: &str| (StatusCode::UNAUTHORIZED, html!("{} {}", why, what));
    let asked = |status: StatusCode, why: &str, what: &str| (status, html!("{} {}", why, what));
    match refused {
        Refused::Parameter(field) => (
            StatusCode::BAD_REQUEST,
            html!("Your learning platform sent “{}” wrongly or not at all. {}", *field, OPERATOR),
        ),
        Refused::Unregistered => {
            asked(StatusCode::FORBIDDEN, "Your learning platform is not registered here.", OPERATOR)
        }
        Refused::Ambiguous => asked(
            StatusCode::BAD_REQUEST,
            "Your learning platform is registered here more than once and does not send its client_id.",
            OPERATOR,
        ),
        Refused::ForeignTarget => asked(
            StatusCode::BAD_REQUEST,
            "The link in your course leads elsewhere than to the launch address of Tickmark.",
            OPERATOR,
        ),
        Refused::Platform(why) => (
            StatusCode::BAD_REQUEST,
            html!(
                "Your learning platform did not let you through: {}. Log in there and click the link again.",
                name(why)
            ),
        ),
        Refused::NoLogin => denied(
            "This does not follow a click in this browser, or it took too long, or your browser keeps no cookies here.",
            "Go back to your course and open the link in a new window.",
        ),
        Refused::Malformed => denied("What your learning platform sent cannot be read.", OPERATOR),
        Refused::Algorithm => {
            denied("What your learning platform sent is not signed as it must be (RS256).", OPERATOR)
        }
        Refused::UnknownKey | Refused::Signature => {
            denied("The signature of your learning platform is not known.", AGAIN)
        }
        Refused::KeysUnavailable => asked(
            StatusCode::SERVICE_UNAVAILABLE,
            "The keys of your learning platform cannot be fetched now.",
            "Please try again in a few minutes.",
        ),
        Refused::Issuer | Refused::Audience => {
            denied("What was sent is not from your learning platform to Tickmark.", OPERATOR)
        }
        Refused::Expired => denied("This took too long.", AGAIN),
        Refused::NotYet => denied("The clock of your learning platform is ahead.", OPERATOR),
        Refused::Nonce | Refused::Replayed => denied("This link was used before.", AGAIN),
        Refused::Deployment => {
            denied("This installation of Tickmark on your platform is not registered here.", OPERATOR)
        }
        Refused::Message => {
            denied("Your learning platform sent no launch of a link as LTI 1.3 has it.", OPERATOR)
        }
        Refused::Suspended => {
            asked(StatusCode::FORBIDDEN, "The account of your school is suspended.", OPERATOR)
        }
        Refused::NoPaper { platform, resource_link_id } => (
            StatusCode::NOT_FOUND,
            html!(
                "Nobody has said yet which paper this link opens. Set the custom parameter paper_id=pap_… of the link in \
                 your course, or ask whoever runs Tickmark to bind it: platform {}, resource link {}.",
                platform.to_string(),
                name(resource_link_id)
            ),
        ),
        Refused::UnknownPaper => asked(
            StatusCode::NOT_FOUND,
            "The paper that this link names does not exist.",
            "Look at the custom parameter paper_id of the link in your course.",
        ),
        Refused::PaperNotOpen(status) => (
            StatusCode::CONFLICT,
            html!(
                "The paper cannot be looked at: its status is {}. Once it was read, click the link again.",
                status.name()
            ),
        ),
    }
}

/// For whoever does not teach the course.
pub(super) fn learner() -> Response {
    let body = html!(
        "<p>Your script is marked here by your teachers. Your mark comes to your learning platform once they have \
         released it; there is nothing to do or to see here.</p>"
    );
    page("Marks come to your course", &body).into_response()
}

/// For a teacher whose platform shows tools within its own page.
pub(super) fn desk(path: &str) -> Response {
    let body = html!(
        "<p>The marking desk opens in a window of its own.</p>\
         <p><a class=\"button primary\" href=\"{}\" target=\"_blank\" rel=\"noopener\">Open the marking desk</a></p>",
        path
    );
    page("Marking desk", &body).into_response()
}

fn page(title: &str, body: &Html) -> Page<String> {
    let html = html!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex, nofollow\">\
         <title>{} · Tickmark</title>\
         <link rel=\"icon\" href=\"/review/assets/mark.svg\" type=\"image/svg+xml\">\
         <link rel=\"stylesheet\" href=\"/review/assets/style.css\"></head>\
         <body><main class=\"message\"><p class=\"brand\">Tickmark</p><h1>{}</h1>{}</main></body></html>\n",
        title,
        title,
        body
    );
    Page(html.into_string())
}
