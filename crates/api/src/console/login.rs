//! Logging in and out.

use super::Console;
use super::form::Fields;
use super::html::{Html, html};
use super::layout;
use super::problem::{Problem, redirect};
use super::session::{Sent, address, is_own_origin, is_secure, with_cookie};
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use domain::operator::OperatorSecret;
use http::StatusCode;
use service::operator::LoginError;

/// The form.
pub(super) async fn page(fields: Fields) -> axum::response::Html<String> {
    form(fields.text("next"), None)
}

/// Trades an operator's key for a cookie.
pub(super) async fn log_in(State(console): State<Console>, request: Request) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    if !is_own_origin(&parts) {
        return Err(Problem::Foreign);
    }
    let fields = Fields::read(&parts.headers, body).await?;
    let address = address(&parts).ok_or(Problem::Foreign)?;
    // A longer text is no key of ours; it is refused like one.
    let key = fields.text("key").filter(|key| key.len() <= OperatorSecret::LENGTH_MAX).unwrap_or_default();
    match console.service.log_in(key, address).await {
        Ok(cookie) => {
            let next = fields.text("next").filter(|next| is_own_path(next)).unwrap_or("/");
            Ok(with_cookie(redirect(next), is_secure(&parts), &cookie))
        }
        Err(LoginError::Unknown) => {
            let told = "That key opens nothing here. Check it, or have a new one made.";
            Ok((StatusCode::UNAUTHORIZED, form(fields.text("next"), Some(told))).into_response())
        }
        Err(LoginError::TooMany { seconds }) => Err(Problem::TooMany { seconds }),
        Err(LoginError::Other(error)) => Err(error.into()),
    }
}

/// Ends the session at once.
pub(super) async fn log_out(
    State(console): State<Console>,
    Sent(signed, _): Sent,
) -> Result<Response, Problem> {
    console.service.log_out(&signed.operator, &signed.cookie).await?;
    Ok(with_cookie(redirect("/login"), signed.is_secure, ""))
}

/// Whether this leads to a page of ours, and not elsewhere.
fn is_own_path(next: &str) -> bool {
    next.starts_with('/') && !next.starts_with("//") && !next.contains('\\') && next.is_ascii()
}

fn form(next: Option<&str>, problem: Option<&str>) -> axum::response::Html<String> {
    let told =
        problem.map(|told| html!("<p class=\"notice conflict\" role=\"alert\" id=\"told\">{}</p>", told));
    let described = problem.map(|_| html!(" aria-invalid=\"true\" aria-describedby=\"told\""));
    let next: Option<Html> = next
        .filter(|next| is_own_path(next))
        .map(|next| html!("<input type=\"hidden\" name=\"next\" value=\"{}\">", next));
    let body = html!(
        "{}<form class=\"fields\" method=\"post\" action=\"/login\"><div class=\"field\"><label for=\"key\">Operator \
         key</label><input id=\"key\" name=\"key\" type=\"password\" autocomplete=\"current-password\" maxlength=\"200\" \
         required{}></div>{}<p><button class=\"button primary\">Log in</button></p></form>\
         <p class=\"muted small\">A key is made on the server with <code>tickmark operator key create</code>. Every \
         login is recorded.</p>",
        told,
        described,
        next
    );
    layout::bare("Log in", &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_paths_are_gone_to() {
        for (path, is_own) in [
            ("/", true),
            ("/accounts?q=a%20b", true),
            ("//evil.example", false),
            ("https://evil.example", false),
            ("/\\evil.example", false),
            ("", false),
            ("/é", false),
        ] {
            assert_eq!(is_own_path(path), is_own, "{path}");
        }
    }
}
