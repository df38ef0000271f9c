//! The one way to change something: a page that says what will happen, and the form on it that lets it happen.
//!
//! The page is asked for by GET and changes nothing. Its form carries the same fields again, the session's seal and a
//! name of its own for the confirmation, so that sending it twice does it once.

mod asked;

use super::Console;
use super::form::Fields;
use super::html::{Html, html};
use super::keys::{networks, scopes};
use super::layout::{facts, page};
use super::problem::{Problem, redirect};
use super::session::{Sent, Signed};
use asked::Asked;
use axum::extract::State;
use axum::response::{Html as Page, IntoResponse as _, Response};
use domain::key::{ApiKey, KeySecret};
use domain::random;
use service::operator::Done;

/// The field that names the confirmation.
const ONCE: &str = "once";
/// The longest name of a confirmation; ours are shorter.
const ONCE_MAX: usize = 64;
/// The fields that say what is to be changed.
const FIELDS: [&str; 17] = [
    "change",
    "account",
    "mode",
    "name",
    "contact",
    "scope",
    "networks",
    "key",
    "amount",
    "valid_until",
    "reference",
    "description",
    "event",
    "job",
    "endpoint",
    "since",
    "until",
];

/// Says what will happen.
pub(super) async fn ask(
    State(console): State<Console>,
    signed: Signed,
    fields: Fields,
) -> Result<Page<String>, Problem> {
    let asked = Asked::parse(&console, &fields).await?;
    let hidden: Html = fields
        .only(&FIELDS)
        .into_iter()
        .map(|(name, text)| html!("<input type=\"hidden\" name=\"{}\" value=\"{}\">", name, text))
        .collect();
    let (label, required) = match asked.needs_reason {
        true => ("Why? It stays in the log.", Some(html!(" required"))),
        false => ("Why? It stays in the log (optional).", None),
    };
    let body = html!(
        "<div class=\"panel\">{}<p>{}</p><form method=\"post\" action=\"/confirm\" class=\"fields\">{}{}\
         <input type=\"hidden\" name=\"{}\" value=\"{}\"><div class=\"field\"><label for=\"reason\">{}</label>\
         <input id=\"reason\" name=\"reason\" maxlength=\"500\"{}></div>\
         <p class=\"actions\"><button class=\"button primary\">{}</button> <a class=\"button\" href=\"{}\">Leave it \
         as it is</a></p></form></div>",
        facts(&asked.about),
        asked.follows,
        hidden,
        signed.seal(),
        ONCE,
        random::base62_secret(console.service.random()),
        label,
        required,
        asked.button,
        asked.back.as_str()
    );
    Ok(page(&signed, "", asked.title, &body))
}

/// Lets it happen.
pub(super) async fn carry_out(
    State(console): State<Console>,
    Sent(signed, fields): Sent,
) -> Result<Response, Problem> {
    let asked = Asked::parse(&console, &fields).await?;
    let once = fields.text(ONCE).filter(|once| once.len() <= ONCE_MAX);
    let once = once.ok_or_else(|| Problem::wrong("The confirmation has no name; open the page again."))?;
    let reason = fields.reason()?;
    if asked.needs_reason && reason.is_none() {
        return Err(Problem::wrong("Say why; it stays in the log."));
    }
    let done = console.service.operate(&signed.operator, asked.change, reason, Some(once.to_owned())).await?;
    Ok(match done {
        Done::KeyIssued(key, secret) => issued(&signed, &key, &secret).into_response(),
        Done::Account(account) => redirect(&format!("/accounts/{}?done={}", account.id, asked.done)),
        Done::KeyRevoked(_) | Done::Balance(_) | Done::Resent(_) | Done::RangeResent(_) | Done::Retried => {
            let mark = if asked.back.contains('?') { '&' } else { '?' };
            redirect(&format!("{}{mark}done={}", asked.back, asked.done))
        }
    })
}

/// The key, this once. To load the page again would be to confirm again, and that does nothing.
fn issued(signed: &Signed, key: &ApiKey, secret: &KeySecret) -> Page<String> {
    let body = html!(
        "<div class=\"panel\"><p class=\"notice\" role=\"status\">This is the only time that the key is shown. Pass it on \
         safely.</p><code class=\"secret\">{}</code>{}<p><a class=\"button\" href=\"/accounts/{}/keys\">To the \
         account's keys</a></p></div>",
        secret.reveal(),
        facts(&[
            ("Id", html!("<span class=\"id\">{}</span>", key.id)),
            ("Mode", html!("{}", key.mode)),
            ("May do", html!("{}", scopes(key))),
            ("From", html!("{}", networks(key))),
        ]),
        key.account_id
    );
    page(signed, "/accounts", "A new key", &body)
}
