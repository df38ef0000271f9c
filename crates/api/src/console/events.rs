//! Events: of all accounts, of one, and one of them. What they carry may be a student's, and is not shown.

use super::Console;
use super::accounts::{account_page, owner};
use super::form::Fields;
use super::html::{Html, html, moment};
use super::layout::{facts, link, page, table};
use super::lists::{Place, address, choice, filter_form, mode_choice};
use super::named::Named;
use super::overview::about;
use super::problem::Problem;
use super::session::Signed;
use axum::extract::State;
use axum::response::Html as Page;
use domain::event::{Event, EventFilter, EventType};
use domain::id::{AccountId, EventId};

/// The events of all accounts, newest first.
pub(super) async fn all(
    State(console): State<Console>,
    signed: Signed,
    fields: Fields,
) -> Result<Page<String>, Problem> {
    let place = Place::of("/events".to_owned(), Vec::new(), &fields)?;
    let found = console.service.all_events(place.limit, place.after, &place.seal).await?;
    let body = html!("{}{}", rows(&found.items), place.turner(found.next_cursor.as_deref()));
    Ok(page(&signed, "/events", "Events", &body))
}

/// The events of an account, newest first.
pub(super) async fn of_account(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<AccountId>,
    fields: Fields,
) -> Result<Page<String>, Problem> {
    let account = console.service.account(id).await?;
    let mode = fields.mode_or_live();
    let kind = fields.text("type").and_then(EventType::parse);
    let path = format!("/accounts/{id}/events");
    let filters =
        vec![("mode", Some(mode.name().to_owned())), ("type", kind.map(|kind| kind.name().to_owned()))];
    let place = Place::of(path.clone(), filters, &fields)?;
    let filter = EventFilter { kind, object_id: None };
    let found = console.service.events_page((id, mode), &filter, place.slice(), &place.seal).await?;
    let names = EventType::ALL.map(EventType::name);
    let choices = html!(
        "{}{}",
        mode_choice(mode),
        choice("type", "Type", Some("all"), &names, kind.map(EventType::name))
    );
    let body = html!(
        "{}{}{}",
        filter_form(&path, "Which events", &choices),
        rows(&found.items),
        place.turner(found.next_cursor.as_deref())
    );
    Ok(account_page(&signed, &account, "/events", &body))
}

fn rows(events: &[Event]) -> Html {
    let row = |event: &Event| {
        vec![
            link("/events", &event.id.to_string()),
            html!("{}", event.kind.name()),
            owner(event.account_id),
            html!("{}", event.mode),
            about(event.object_id.as_deref()),
            moment(event.created_at),
        ]
    };
    let headings = ["event", "type", "account", "mode", "about", "when"];
    table("Events", &headings, events.iter().map(row).collect(), "Nothing happened in the last 30 days.")
}

/// One event.
pub(super) async fn one(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<EventId>,
) -> Result<Page<String>, Problem> {
    let event = console.service.any_event(id).await?;
    let to = address("/confirm", [("change", "resend"), ("event", &id.to_string())]);
    let body = html!(
        "{}<p><a class=\"button\" href=\"{}\">Send it again…</a></p>",
        facts(&[
            ("Type", html!("{}", event.kind.name())),
            ("Account", owner(event.account_id)),
            ("Mode", html!("{}", event.mode)),
            ("About", about(event.object_id.as_deref())),
            ("When", moment(event.created_at)),
        ]),
        to
    );
    Ok(page(&signed, "/events", &format!("Event {id}"), &body))
}
