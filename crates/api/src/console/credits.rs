//! The credits of an account: the balance, the operator's movements, the ledger by pages.

use super::Console;
use super::accounts::account_page;
use super::form::Fields;
use super::html::{Html, html, moment, moment_or_dash, name_or_dash};
use super::layout::{facts, section, table};
use super::lists::{Entry, Place, choice, filter_form, mode_choice};
use super::named::Named;
use super::overview::about;
use super::problem::Problem;
use super::session::Signed;
use axum::extract::State;
use axum::response::Html as Page;
use domain::credit::{MovementKind, Transaction, TransactionFilter};
use domain::id::AccountId;
use domain::mode::Mode;

/// The page.
pub(super) async fn page(
    State(console): State<Console>,
    signed: Signed,
    Named(id): Named<AccountId>,
    fields: Fields,
) -> Result<Page<String>, Problem> {
    let account = console.service.account(id).await?;
    let mode = fields.mode_or_live();
    let kind = fields.text("type").and_then(MovementKind::parse);
    let balance = console.service.balance((id, mode)).await?;
    let path = format!("/accounts/{id}/credits");
    let filters =
        vec![("mode", Some(mode.name().to_owned())), ("type", kind.map(|kind| kind.name().to_owned()))];
    let place = Place::of(path.clone(), filters, &fields)?;
    let filter = TransactionFilter { kind, source_id: None };
    let found = console.service.transactions_of((id, mode), &filter, place.slice(), &place.seal).await?;
    let kinds = MovementKind::ALL.map(MovementKind::name);
    let choices = html!(
        "{}{}",
        mode_choice(mode),
        choice("type", "Movements", Some("all"), &kinds, kind.map(MovementKind::name))
    );
    let body = html!(
        "{}{}{}{}",
        filter_form(&path, "Which credits", &choices),
        facts(&[
            ("Available", html!("{}", balance.available)),
            ("Held for work that has begun", html!("{}", balance.held)),
            ("Expired", html!("{}", balance.expired)),
            ("Good until", moment_or_dash(balance.valid_until)),
        ]),
        section("Ledger", &html!("{}{}", ledger(&found.items), place.turner(found.next_cursor.as_deref()))),
        section("Move credits", &forms(id, mode))
    );
    Ok(account_page(&signed, &account, "/credits", &body))
}

fn ledger(items: &[Transaction]) -> Html {
    let row = |item: &Transaction| {
        vec![
            moment(item.created_at),
            html!("{}", item.movement.kind.name()),
            html!("{}", format!("{:+}", item.movement.amount)),
            html!("{}", item.movement.balance_after),
            about(item.source.as_ref().map(|(_, id)| id.as_str())),
            name_or_dash(item.reference.as_deref()),
            name_or_dash(Some(item.description.as_str())),
        ]
    };
    let headings = ["when", "movement", "credits", "usable after", "about", "reference", "description"];
    table("Ledger", &headings, items.iter().map(row).collect(), "Nothing has moved.")
}

fn forms(id: AccountId, mode: Mode) -> Html {
    let hidden = |change: &str| {
        html!(
            "<input type=\"hidden\" name=\"change\" value=\"{}\"><input type=\"hidden\" name=\"account\" value=\"{}\">\
             <input type=\"hidden\" name=\"mode\" value=\"{}\">",
            change,
            id,
            mode
        )
    };
    html!(
        "<form class=\"panel\" action=\"/confirm\"><h3>Top up ({})</h3>{}<div class=\"row\"><div class=\"field\">\
         <label for=\"top-up\">Credits</label><input id=\"top-up\" name=\"amount\" inputmode=\"numeric\" \
         maxlength=\"20\" required></div>{}{}<button class=\"button primary\">Go on…</button></div></form>\
         <form class=\"panel\" action=\"/confirm\"><h3>Correct ({})</h3>{}<div class=\"row\"><div class=\"field\">\
         <label for=\"adjust\">Credits, such as 20 or -20</label><input id=\"adjust\" name=\"amount\" maxlength=\"20\" \
         required></div>{}<button class=\"button\">Go on…</button></div></form>",
        mode,
        hidden("top-up"),
        Entry::text("valid_until", "All available credits good until (optional)", "").of_kind("date").html(),
        Entry::text("reference", "Your reference (optional)", "").html(),
        mode,
        hidden("adjust"),
        Entry::required("description", "Why; the account sees it").html()
    )
}
