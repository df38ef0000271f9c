//! Accounts: the list, finding one, making one, and the page of one.

use super::Console;
use super::form::Fields;
use super::html::{Html, html, moment, moment_or_dash, name, name_or_dash};
use super::layout::{facts, link, page, section, status, table};
use super::lists::{Entry, Place, address};
use super::named::Named;
use super::problem::{Problem, redirect};
use super::session::Signed;
use axum::extract::State;
use axum::response::{Html as Page, IntoResponse as _, Response};
use domain::account::Account;
use domain::id::{AccountId, EndpointId, EventId, Identifier as _, KeyId, PaperId, SubmissionId};
use domain::mode::Mode;
use service::operator::Listed;

/// Lines of the log on an account's first page.
const ENTRIES_SHOWN: usize = 5;
/// The longest text that is searched for.
const QUERY_MAX: usize = 200;

/// All accounts, the last made first.
pub(super) async fn list(
    State(console): State<Console>,
    signed: Signed,
    fields: Fields,
) -> Result<Page<String>, Problem> {
    let place = Place::of("/accounts".to_owned(), Vec::new(), &fields)?;
    let found = console.service.latest_accounts(place.limit, place.after, &place.seal).await?;
    let body = html!(
        "<p><a class=\"button primary\" href=\"/accounts/new\">Make an account…</a></p>{}{}",
        rows(&found.items, "There are no accounts yet."),
        place.turner(found.next_cursor.as_deref())
    );
    Ok(page(&signed, "/accounts", "Accounts", &body))
}

/// Goes to what an id names, or shows the accounts whose name or contact has these words.
pub(super) async fn find(
    State(console): State<Console>,
    signed: Signed,
    fields: Fields,
) -> Result<Response, Problem> {
    let query = fields.text("q").filter(|query| query.len() <= QUERY_MAX).unwrap_or_default();
    if let Some(path) = path_of(&console, query).await? {
        return Ok(redirect(&path));
    }
    let found = console.service.search_accounts(query).await?;
    let body = html!(
        "<p>Accounts with words in their name or contact that begin like this:</p>{}",
        rows(&found, "There are none. Ids are found whole: acct_…, pap_…, sub_…, evt_…, we_…, key_….")
    );
    Ok(page(&signed, "/accounts", &format!("Find: {query}"), &body).into_response())
}

/// Where the page is of what this id names.
async fn path_of(console: &Console, id: &str) -> Result<Option<String>, Problem> {
    if let Some(id) = KeyId::parse(id) {
        let key = console.service.any_key(id).await?;
        return Ok(Some(format!("/accounts/{}/keys", key.account_id)));
    }
    let known = [
        (AccountId::parse(id).is_some(), "accounts"),
        (PaperId::parse(id).is_some(), "papers"),
        (SubmissionId::parse(id).is_some(), "submissions"),
        (EventId::parse(id).is_some(), "events"),
        (EndpointId::parse(id).is_some(), "endpoints"),
    ];
    Ok(known.into_iter().find(|(is_it, _)| *is_it).map(|(_, path)| format!("/{path}/{id}")))
}

fn rows(found: &[Listed], empty: &str) -> Html {
    let row = |listed: &Listed| {
        let account = &listed.account;
        vec![
            html!("<a href=\"/accounts/{}\">{}</a>", account.id, name(&account.name)),
            html!("<span class=\"id\">{}</span>", account.id),
            standing(account),
            html!("{}", listed.available),
            name_or_dash(account.contact.as_deref()),
            moment(account.created_at),
        ]
    };
    let headings = ["name", "id", "standing", "live credits", "contact", "made"];
    table("Accounts", &headings, found.iter().map(row).collect(), empty)
}

fn standing(account: &Account) -> Html {
    match account.suspended_at {
        Some(_) => status("suspended", false),
        None => status("active", true),
    }
}

/// The form for a new account.
pub(super) async fn new(signed: Signed) -> Page<String> {
    let body = html!(
        "<form class=\"panel fields\" action=\"/confirm\"><input type=\"hidden\" name=\"change\" \
         value=\"create-account\">{}{}<p><button class=\"button primary\">Go on…</button></p></form>",
        Entry::required("name", "The partner's name").html(),
        Entry::text("contact", "Mail address of the technical contact (optional)", "")
            .of_kind("email")
            .html()
    );
    page(&signed, "/accounts", "Make an account", &body)
}

/// The parts of an account's pages.
const TABS: [(&str, &str); 8] = [
    ("", "Account"),
    ("/keys", "Keys"),
    ("/credits", "Credits"),
    ("/endpoints", "Endpoints"),
    ("/papers", "Papers"),
    ("/submissions", "Submissions"),
    ("/events", "Events"),
    ("/log", "Log"),
];

/// A page about an account: its name, the way to its other pages, and what stands below.
pub(super) fn account_page(signed: &Signed, account: &Account, tab: &str, body: &Html) -> Page<String> {
    let tabs: Html = TABS
        .iter()
        .map(|(path, label)| {
            let current = (*path == tab).then(|| html!(" aria-current=\"page\""));
            html!("<li><a href=\"/accounts/{}{}\"{}>{}</a></li>", account.id, *path, current, *label)
        })
        .collect();
    let body = html!("<nav class=\"tabs\" aria-label=\"Of this account\"><ul>{}</ul></nav>{}", tabs, body);
    page(signed, "/accounts", &account.name, &body)
}

/// One account.
pub(super) async fn one(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<AccountId>,
) -> Result<Page<String>, Problem> {
    let service = &console.service;
    let account = service.account(id).await?;
    let mut balances = Vec::new();
    for mode in [Mode::Live, Mode::Test] {
        balances.push((mode, service.balance((id, mode)).await?));
    }
    let credits: Html = balances
        .iter()
        .map(|(mode, balance)| html!("<dt>{} credits available</dt><dd>{}</dd>", *mode, balance.available))
        .collect();
    let (change, label) = match account.suspended_at {
        None => ("suspend", "Suspend…"),
        Some(_) => ("resume", "Let it go on…"),
    };
    let change = address("/confirm", [("change", change), ("account", &id.to_string())]);
    let told = facts(&[
        ("Id", html!("<span class=\"id\">{}</span>", id)),
        ("Standing", standing(&account)),
        ("Suspended", moment_or_dash(account.suspended_at)),
        ("Contact", name_or_dash(account.contact.as_deref())),
        ("Made", moment(account.created_at)),
        ("A page of a paper", html!("{} credits", account.pricing.paper_per_page)),
        ("A page of a script", html!("{} credits", account.pricing.grading_per_page)),
        ("Warned below", html!("{} credits", account.low_balance_threshold)),
        ("Requests a minute", html!("{} live, {} test", account.rate_limit_live, account.rate_limit_test)),
    ]);
    let body = html!(
        "{}<dl class=\"facts\">{}</dl><p class=\"actions\"><a class=\"button danger\" href=\"{}\">{}</a></p>{}",
        told,
        credits,
        change,
        label,
        section("What operators did last", &last_entries(&console, id).await?)
    );
    Ok(account_page(&signed, &account, "", &body))
}

async fn last_entries(console: &Console, id: AccountId) -> Result<Html, Problem> {
    let place = Place::of(format!("/accounts/{id}/log"), Vec::new(), &Fields::none())?;
    let found = console.service.operator_log(Some(id), place.limit, None, &place.seal).await?;
    let some = &found.items[..found.items.len().min(ENTRIES_SHOWN)];
    Ok(html!("{}<p>{}</p>", super::log::rows(some), link_to_log(id)))
}

fn link_to_log(id: AccountId) -> Html {
    html!("<a href=\"/accounts/{}/log\">All of it</a>", id)
}

/// The account that something belongs to, as a link.
pub(super) fn owner(id: AccountId) -> Html {
    link("/accounts", &id.to_string())
}
