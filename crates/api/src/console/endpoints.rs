//! Webhook endpoints: health, attempts, sending again. What receivers answered is not shown: some send back what they got.

use super::Console;
use super::accounts::{account_page, owner};
use super::form::Fields;
use super::html::{Html, html, moment, moment_or_dash, name};
use super::layout::{facts, link, page, section, status, table};
use super::lists::{Entry, Place, address};
use super::named::Named;
use super::problem::Problem;
use super::session::Signed;
use axum::extract::State;
use axum::response::Html as Page;
use domain::id::{AccountId, EndpointId, Identifier as _};
use domain::mode::Mode;
use domain::paging::{self, Position};
use domain::webhook::{Endpoint, Status};
use jiff::Timestamp;
use service::deliveries::Attempt;

/// The endpoints of an account, in both modes.
pub(super) async fn of_account(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<AccountId>,
) -> Result<Page<String>, Problem> {
    let account = console.service.account(id).await?;
    let mut rows = Vec::new();
    for mode in [Mode::Live, Mode::Test] {
        rows.extend(console.service.endpoints_of((id, mode)).await?.iter().map(row));
    }
    let headings = ["endpoint", "mode", "url", "standing", "fails since", "events"];
    let body = table("Webhook endpoints", &headings, rows, "This account has no webhook endpoints.");
    Ok(account_page(&signed, &account, "/endpoints", &body))
}

fn row(endpoint: &Endpoint) -> Vec<Html> {
    vec![
        link("/endpoints", &endpoint.id.to_string()),
        html!("{}", endpoint.mode),
        name(&endpoint.url),
        health(endpoint),
        moment_or_dash(endpoint.health.failing_since),
        html!("{}", endpoint.events.to_string()),
    ]
}

fn health(endpoint: &Endpoint) -> Html {
    match (endpoint.status, endpoint.health.failing_since) {
        (Status::Disabled, _) => status("disabled", false),
        (Status::Enabled, Some(_)) => status("fails", false),
        (Status::Enabled, None) => status("healthy", true),
    }
}

/// One endpoint with its attempts.
pub(super) async fn one(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<EndpointId>,
    fields: Fields,
) -> Result<Page<String>, Problem> {
    let endpoint = console.service.any_endpoint(id).await?;
    let place = Place::of(format!("/endpoints/{id}"), Vec::new(), &fields)?;
    let before = place.after.and_then(|after| Timestamp::from_microsecond(after.time_us).ok());
    let before = before.unwrap_or(Timestamp::MAX);
    let attempts = console.service.attempts_before(id, before, place.limit.rows()).await?;
    let position = |attempt: &Attempt| Position {
        time_us: attempt.attempted_at.as_microsecond(),
        id: attempt.event_id.number(),
    };
    let found = paging::Page::new(attempts, place.limit, &place.seal, position);
    let body = html!(
        "{}{}{}",
        facts(&[
            ("Account", owner(endpoint.account_id)),
            ("Mode", html!("{}", endpoint.mode)),
            ("Url", name(&endpoint.url)),
            ("Standing", health(&endpoint)),
            ("Fails since", moment_or_dash(endpoint.health.failing_since)),
            ("Warnings mailed", html!("{}", endpoint.health.warnings)),
            ("Events", html!("{}", endpoint.events.to_string())),
            ("Made", moment(endpoint.created_at)),
        ]),
        section("Attempts", &html!("{}{}", rows(&found.items), place.turner(found.next_cursor.as_deref()))),
        (endpoint.status == Status::Enabled).then(|| section("Send a span of time again", &resend_form(id)))
    );
    Ok(page(&signed, "/accounts", &format!("Endpoint {id}"), &body))
}

fn rows(attempts: &[Attempt]) -> Html {
    let row = |attempt: &Attempt| {
        let outcome = match (attempt.status, attempt.error.as_deref()) {
            (Some(code), _) => status(&code.to_string(), (200..300).contains(&code)),
            (None, error) => html!("{} {}", status("no answer", false), name(error.unwrap_or_default())),
        };
        let to = address("/confirm", [("change", "resend"), ("event", &attempt.event_id.to_string())]);
        vec![
            moment(attempt.attempted_at),
            link("/events", &attempt.event_id.to_string()),
            html!("{}{}", attempt.number, attempt.is_resend.then(|| html!(", asked for"))),
            outcome,
            html!("{} ms", attempt.duration_ms),
            html!(
                "<a href=\"{}\">Send again<span class=\"visually-hidden\"> {}</span>…</a>",
                to,
                attempt.event_id
            ),
        ]
    };
    let headings = ["when", "event", "try", "answer", "took", "again"];
    table(
        "Attempts",
        &headings,
        attempts.iter().map(row).collect(),
        "Nothing was sent to it in the last 30 days.",
    )
}

fn resend_form(id: EndpointId) -> Html {
    html!(
        "<form class=\"panel row\" action=\"/confirm\"><input type=\"hidden\" name=\"change\" value=\"resend-range\">\
         <input type=\"hidden\" name=\"endpoint\" value=\"{}\">{}{}<button class=\"button\">Go on…</button></form>",
        id,
        Entry::required("since", "From, such as 2026-11-15T08:00Z").html(),
        Entry::text("until", "Until before (optional: now)", "").html()
    )
}
