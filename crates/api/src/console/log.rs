//! The record of what operators did.

use super::Console;
use super::accounts::{account_page, owner};
use super::form::Fields;
use super::html::{Html, html, moment, name, name_or_dash};
use super::layout::{page as framed, table};
use super::lists::Place;
use super::named::Named;
use super::overview::about;
use super::problem::Problem;
use super::session::Signed;
use axum::extract::State;
use axum::response::Html as Page;
use domain::id::AccountId;
use domain::operator::Entry;

/// All of it, newest first.
pub(super) async fn page(
    State(console): State<Console>,
    signed: Signed,
    fields: Fields,
) -> Result<Page<String>, Problem> {
    let place = Place::of("/log".to_owned(), Vec::new(), &fields)?;
    let found = console.service.operator_log(None, place.limit, place.after, &place.seal).await?;
    let body = html!("{}{}", rows(&found.items), place.turner(found.next_cursor.as_deref()));
    Ok(framed(&signed, "/log", "What operators did", &body))
}

/// What was done to an account.
pub(super) async fn of_account(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<AccountId>,
    fields: Fields,
) -> Result<Page<String>, Problem> {
    let account = console.service.account(id).await?;
    let place = Place::of(format!("/accounts/{id}/log"), Vec::new(), &fields)?;
    let found = console.service.operator_log(Some(id), place.limit, place.after, &place.seal).await?;
    let body = html!("{}{}", rows(&found.items), place.turner(found.next_cursor.as_deref()));
    Ok(account_page(&signed, &account, "/log", &body))
}

/// Lines of the record as a table.
pub(super) fn rows(entries: &[Entry]) -> Html {
    let row = |entry: &Entry| {
        let who = if entry.operator.is_empty() { html!("unknown") } else { name(&entry.operator) };
        vec![
            moment(entry.created_at),
            who,
            name_or_dash(entry.address.as_deref()),
            html!("<code>{}</code>", entry.action.name()),
            entry.account_id.map_or_else(|| name_or_dash(None), owner),
            about(entry.object_id.as_deref()),
            name(&entry.details),
            name_or_dash(entry.reason.as_deref()),
        ]
    };
    let headings = ["when", "who", "from", "what", "account", "about", "exactly", "reason"];
    table("What operators did", &headings, entries.iter().map(row).collect(), "Nothing was done yet.")
}
