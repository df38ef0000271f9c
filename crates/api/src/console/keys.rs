//! The keys of an account: which there are, issuing one, revoking one.

use super::Console;
use super::accounts::account_page;
use super::html::{Html, html, moment, moment_or_dash, name_or_dash};
use super::layout::{section, status, table};
use super::lists::{Entry, address, choice};
use super::named::Named;
use super::problem::Problem;
use super::session::Signed;
use axum::extract::State;
use axum::response::Html as Page;
use domain::id::AccountId;
use domain::key::ApiKey;
use domain::scope::Scope;

/// Keys that are shown: the newest.
const SHOWN_MAX: usize = 200;

/// The page.
pub(super) async fn page(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<AccountId>,
) -> Result<Page<String>, Problem> {
    let account = console.service.account(id).await?;
    let keys = console.service.keys_of(id).await?;
    let rows: Vec<Vec<Html>> = keys.iter().rev().take(SHOWN_MAX).map(row).collect();
    let headings =
        ["key", "mode", "name", "ends in", "standing", "may do", "from", "last used", "made", "change"];
    let body = html!(
        "{}{}",
        table("Keys", &headings, rows, "This account has no keys."),
        section("Issue a key", &issue_form(id))
    );
    Ok(account_page(&signed, &account, "/keys", &body))
}

fn row(key: &ApiKey) -> Vec<Html> {
    let standing = match (key.revoked_at, key.exposed_at) {
        (Some(_), _) => status("revoked", false),
        (None, Some(_)) => status("exposed", false),
        (None, None) => status("active", true),
    };
    let revoke = key.revoked_at.is_none().then(|| {
        let to = address("/confirm", [("change", "revoke-key"), ("key", &key.id.to_string())]);
        html!("<a href=\"{}\">Revoke<span class=\"visually-hidden\"> {}</span>…</a>", to, key.id)
    });
    vec![
        html!("<span class=\"id\">{}</span>", key.id),
        html!("{}", key.mode),
        name_or_dash(key.name.as_deref()),
        html!("<code>{}</code>", key.last_four.as_str()),
        standing,
        html!("{}", scopes(key)),
        html!("{}", networks(key)),
        moment_or_dash(key.last_used_at),
        moment(key.created_at),
        html!("{}", revoke),
    ]
}

/// What a key may do, in words.
pub(super) fn scopes(key: &ApiKey) -> String {
    key.scopes.map_or_else(
        || "everything".to_owned(),
        |scopes| scopes.iter().map(Scope::name).collect::<Vec<_>>().join(" "),
    )
}

/// From where a key may be used, in words.
pub(super) fn networks(key: &ApiKey) -> String {
    let networks: Vec<String> = key.allowed_networks.iter().map(ToString::to_string).collect();
    if networks.is_empty() { "anywhere".to_owned() } else { networks.join(" ") }
}

fn issue_form(id: AccountId) -> Html {
    let scopes: Html = Scope::ALL
        .iter()
        .map(|scope| {
            html!(
                "<label><input type=\"checkbox\" name=\"scope\" value=\"{}\"> {}</label>",
                scope.name(),
                scope.name()
            )
        })
        .collect();
    html!(
        "<form class=\"panel fields\" action=\"/confirm\"><input type=\"hidden\" name=\"change\" value=\"issue-key\">\
         <input type=\"hidden\" name=\"account\" value=\"{}\"><div class=\"row\">{}{}</div>\
         <fieldset class=\"checks\"><legend>What it may do; everything, if nothing is chosen</legend>{}</fieldset>{}\
         <p><button class=\"button primary\">Go on…</button></p></form>",
        id,
        choice("mode", "Mode", None, &["test", "live"], None),
        Entry::text("name", "A name to tell keys apart (optional)", "").html(),
        scopes,
        Entry::text("networks", "Only from these networks or addresses, with spaces between (optional)", "")
            .html()
    )
}
